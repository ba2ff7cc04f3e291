"""The weighted fusion in the plane: values as points, b as an arrow to their weighted mean. Needs d_v = 2."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Rectangle

from ..drawing.colour import SERIES
from ..drawing.plane import arrow, dots, fill_hull, place_labels, plane_axes
from ..drawing.reading import matrices_of
from ..drawing.sheet import LABEL, MARGIN, NAME, NOTE, say, sheet
from ..drawing.text import spell, text_width
from ..style import INK, MARK, OUTPUT, QUIET, RULE, VALUE, WEIGHT, ZERO, CourseFigure, course_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..attention import Trace


@course_style()
def fusion(trace: Trace, i: int) -> CourseFigure:
    """Token i: the terms a_ij v_j with their numbers, and stacked tip to tail to b_i. Needs d_v = 2."""
    V, A, B = _in_plane(trace, "V", "A", "B")
    L = len(trace.tokens)
    if isinstance(i, bool) or not isinstance(i, Integral) or not 0 <= i < L:
        raise ValueError(f"i 是词元的序号，应当是 0 到 {L - 1} 的整数，现在是 {i!r}。")
    token, b, terms = trace.tokens[i], tuple(B[i]), A[i, :, None] * V
    table = MARGIN + max(text_width(word, LABEL) for word in (*trace.tokens, "看谁")) + 0.25
    height = max(L + 3.6, 8.0)
    alt = f"{token} 的加权融合：各项 a·v 首尾相接，得到 b = {_pair(b)}"
    figure, ax = sheet(table + 16.3, height, alt)
    colours = [SERIES[j % len(SERIES)] for j in range(L)]
    below = _terms(ax, table, (height - L - 2.4) / 2, trace.tokens, A[i], V, terms, colours)
    say(ax, table + 8.4, below, f"b {token} = {_pair(b)}", NAME * 0.9, ha="right")

    tips = np.vstack([(0, 0), np.cumsum(terms, axis=0)])
    steps = list(pairwise(tips))
    view = plane_axes(figure, table + 9.5, 0.8, 6.3, min(height - 2.2, 7.0), np.vstack([V, tips]))
    _name_axes(view, trace)
    edges = fill_hull(view, V, VALUE)
    dots(view, V, VALUE)
    arrow(view, (0, 0), b, INK, 0.09)
    for (start, end), colour in zip(steps, colours, strict=True):
        arrow(view, start, end, colour, 0.055)
    place_labels(view, [(f"b {token}", b, INK), *_value_labels([trace], [V])], [*steps, ((0, 0), b), *edges])
    return figure


@course_style()
def plane(*traces: Trace) -> CourseFigure:
    """V as points, their hull filled, and B as arrows. One or two traces, d_v = 2.

    Of two traces the token whose b differs most from one sentence to the other stands out, if any differs.
    """
    if len(traces) not in (1, 2):
        raise ValueError(f"plane 画一个或两个句子的 Trace，现在给了 {len(traces)} 个。")
    V, B = zip(*(_in_plane(trace, "V", "B") for trace in traces), strict=True)
    sentences = ["".join(trace.tokens) for trace in traces]
    across, up = np.ptp(np.vstack([*V, (0, 0)]), axis=0)
    width = float(np.clip(3 + 5.5 * across / max(up, 1e-9), 11, 15))
    alt = f"{'、'.join(sentences)}：值 V 是点，融合后的 b 是箭头"
    figure, ax = sheet(width + 1.3, 10, alt)
    view = plane_axes(figure, 1.0, 0.8, width, 7.2, np.vstack(V))
    _name_axes(view, traces[0])
    tips, ends, lines = [], [], []
    for trace, sentence, points, fused, colour, chosen in zip(
        traces, sentences, V, B, (OUTPUT, MARK), _most_changed(traces, V, B), strict=False
    ):
        lines += fill_hull(view, points, colour)
        for j, (token, b) in enumerate(zip(trace.tokens, fused, strict=True)):
            lines.append(((0, 0), b))
            if chosen is None:
                arrow(view, (0, 0), b, colour, 0.08)
                ends.append((token, b, colour))
            elif chosen == j:
                arrow(view, (0, 0), b, colour, 0.15)
                tips.append((f"{sentence}\nb {token} = {_pair(b)}", b, colour))
            else:
                arrow(view, (0, 0), b, colour, 0.035)
    dots(view, np.vstack(V), VALUE)
    place_labels(view, [*tips, *_join_labels("b", ends), *_value_labels(traces, V)], lines)
    others = "，细箭头是别的词元" if 0 < len(tips) < sum(len(trace.tokens) for trace in traces) else ""
    say(ax, 0.6, 9.55, f"● 值 v　→ 融合后的 b{others}　浅色：v 的加权平均能到的地方", NOTE, QUIET)
    return figure


def _in_plane(trace: Trace, *steps: str) -> list[np.ndarray]:
    """V, (L, 2), and more matrices. Raises ValueError for any other d_v."""
    V, *others = matrices_of(trace, *steps)
    if V.shape[1] != 2:
        raise ValueError(f"平面上只画得下二维的值：V 应当有 dᵥ=2 列，现在是 {V.shape[0]}×{V.shape[1]}。")
    return [V, *others]


def _pair(v, whole: bool = False) -> str:
    return f"({spell(v[0], whole)}, {spell(v[1], whole)})"


def _terms(ax: Axes, x: float, y: float, tokens, weights, V, terms, colours) -> float:
    """The table of a fusion: weight, value and term of each token. x is where the bars begin.

    Returns the height at which the sum is to be written.
    """
    heads = (("看谁", x - 0.5), ("权重 a", x + 1.25), ("值 v", x + 4.2), ("a × v", x + 7.0))
    for head, place in heads:
        say(ax, place, y, head, NOTE, QUIET, ha="center")
    whole = bool((V == V.round()).all())
    for j, token in enumerate(tokens):
        middle = y + j + 0.95
        say(ax, x - 0.2, middle, token, ha="right")
        ax.add_patch(Rectangle((x, middle - 0.28), 1.6, 0.56, facecolor=ZERO, linewidth=0))
        ax.add_patch(Rectangle((x, middle - 0.28), 1.6 * weights[j], 0.56, facecolor=WEIGHT, linewidth=0))
        say(ax, x + 2.15, middle, spell(weights[j]), LABEL, WEIGHT, ha="center")
        say(ax, x + 2.85, middle, "×", LABEL, QUIET, ha="center")
        say(ax, x + 4.2, middle, _pair(V[j], whole), LABEL, VALUE, ha="center")
        say(ax, x + 5.5, middle, "=", LABEL, QUIET, ha="center")
        say(ax, x + 7.0, middle, _pair(terms[j]), LABEL, colours[j], ha="center")
    below = y + len(tokens) + 0.6
    ax.plot([x - 0.9, x + 8.4], [below, below], color=RULE, linewidth=ax.figure.points(0.04))
    say(ax, x - 0.9, below + 0.65, "各项相加", LABEL, QUIET)
    return below + 0.65


def _name_axes(view: Axes, trace: Trace) -> None:
    """Say what the two directions mean, where that is known; 通讯↔运动 has a name for each end."""
    if trace.contents:
        (negative, _, positive), up = trace.contents[0].rpartition("↔"), trace.contents[1]
        size = view.figure.points(NOTE)
        across = f"← {negative}        {positive} →" if negative else f"{positive} →"
        view.set_xlabel(across, fontsize=size, color=QUIET)
        view.set_title(f"↑ {up}", loc="left", fontsize=size, color=QUIET, pad=view.figure.points(0.1))


def _value_labels(traces: Sequence[Trace], V: Sequence[np.ndarray]) -> list[tuple[str, tuple, str]]:
    """Labels for the points of V, one matrix for each trace."""
    points = [
        (token, point, VALUE)
        for trace, values in zip(traces, V, strict=True)
        for token, point in zip(trace.tokens, values, strict=True)
    ]
    return _join_labels("v", points)


def _join_labels(letter: str, ends: Sequence[tuple]) -> list[tuple[str, tuple, str]]:
    """Labels (text, point, colour) for tokens (token, point, colour); those at the same point share one."""
    extent = max((abs(point).max() for _, point, _ in ends), default=0.0) or 1.0
    together: dict[tuple, list[tuple]] = {}
    for end in ends:
        # Sums of the same terms may differ in their last digits.
        together.setdefault(tuple((end[1] / extent).round(4) + 0.0), []).append(end)
    return [
        (
            f"{letter} {'、'.join(dict.fromkeys(token for token, _, _ in same))}",
            tuple(same[-1][1]),
            same[-1][2],
        )
        for same in together.values()
    ]


def _most_changed(traces: Sequence[Trace], V, B) -> tuple[int | None, ...]:
    """For each of two traces the place of the token, common to both, whose b differs most; else None."""
    if len(traces) == 1:
        return (None,)
    first, second = (trace.tokens for trace in traces)
    common = [(i, second.index(token)) for i, token in enumerate(first) if token in second]
    apart = {(i, j): np.hypot(*(B[0][i] - B[1][j])) for i, j in common}
    most = max(apart, key=apart.get, default=(None, None))
    # Rounding alone is no change.
    return most if apart.get(most, 0.0) > 1e-5 * abs(V[0]).max() else (None, None)
