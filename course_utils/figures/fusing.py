"""One picture for each step of self-attention; every function returns a figure that shows itself.

Matrices may be tensors, arrays or nested lists. Bad input raises ValueError or TypeError with a Chinese sentence.
Characters beyond the bundled font (GB 2312) are drawn as □.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from numbers import Integral, Real
from typing import TYPE_CHECKING

import numpy as np
import torch
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, LogLocator

from .. import example
from ..attention import FULL, ROOT, UNSCALED, Trace, divisor, scores, softmax
from ..drawing.grid import (
    LABEL,
    MARGIN,
    NAME,
    NOTE,
    Grid,
    draw_small,
    join,
    labels,
    numbers,
    say,
    sheet,
    shorten,
    side_by_side,
    spell,
    stack,
    text_width,
)
from ..drawing.plane import arrow, dots, fill_hull, inset, place_labels, plane_axes
from ..style import (
    INK,
    INPUT,
    KEY,
    MARK,
    OUTPUT,
    QUERY,
    QUIET,
    RULE,
    VALUE,
    WEIGHT,
    ZERO,
    CourseFigure,
    course_style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from torch import Tensor

_ACCENTS = {"QKᵀ": WEIGHT, "Q": QUERY, "K": KEY, "V": VALUE, "S": WEIGHT, "A": WEIGHT, "B": OUTPUT}
# What the columns of the left factor of a product are counted by.
_COUNTED = {"X": "D", "Q": "dₖ", "A": "L"}
# Panels with more tokens than this stand one below the other, as large as single ones.
_BESIDE = 6
_TERMS = (QUERY, KEY, VALUE, MARK, OUTPUT, INPUT)
# flow: what each matrix holds and where its middle stands; which arrow leads where, and what happens there.
_PLACES = {
    "X": ("词向量", 1.5, 4.6),
    "W_Q": ("", 4.9, 1.9),
    "W_K": ("", 4.9, 4.6),
    "W_V": ("", 4.9, 7.3),
    "Q": ("查询", 8.1, 1.9),
    "K": ("键", 8.1, 4.6),
    "V": ("值", 8.1, 7.3),
    "S": ("得分：点积，再缩放", 12.0, 3.25),
    "A": ("权重", 15.9, 3.25),
    "B": ("融合后", 18.4, 6.0),
}
_LINKS = (
    ("X", "W_Q", ""),
    ("X", "W_K", ""),
    ("X", "W_V", ""),
    ("W_Q", "Q", "投影"),
    ("W_K", "K", "投影"),
    ("W_V", "V", "投影"),
    ("Q", "S", ""),
    ("K", "S", ""),
    ("S", "A", "按行 softmax"),
    ("A", "B", ""),
    ("V", "B", "按权重相加"),
)


@course_style()
def matrix(
    M: Tensor, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, name: str = "X"
) -> CourseFigure:
    """A matrix with its numbers, name and size. M: (n, m); n row labels, m column labels."""
    grid = _grid(M, name, rows, columns)
    return side_by_side([grid], [], f"矩阵 {name}，{grid.size}")[0]


@course_style()
def product(
    left: Tensor,
    right: Tensor,
    names: Sequence[str] = ("X", "W_Q", "Q"),
    rows: Sequence[str] | None = None,
    shared: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
) -> CourseFigure:
    """Two factors and their product, joined by a line where they have the same size. left: (n, k), right: (k, m).

    names: of left, right and product. rows, shared, columns: n, k and m labels.
    """
    if not isinstance(names, (tuple, list)) or [type(name) for name in names] != [str] * 3:
        raise ValueError(f"names 要有三个名字：左、右、积，例如 ('X', 'W_Q', 'Q')，现在是 {names!r}。")
    a, b = numbers(left, names[0]), numbers(right, names[1])
    if a.shape[1] != b.shape[0]:
        raise ValueError(
            f"{names[0]} 的列数 {a.shape[1]} 必须等于 {names[1]} 的行数 {b.shape[0]}，才能相乘："
            f"{names[0]} 是 {a.shape[0]}×{a.shape[1]}，{names[1]} 是 {b.shape[0]}×{b.shape[1]}。"
        )
    grids = [
        _grid(a, names[0], rows, shared),
        _grid(b, names[1], shared, columns),
        _grid(a @ b, names[2], rows, columns),
    ]
    alt = (
        f"{names[0]}（{grids[0].size}）乘以 {names[1]}（{grids[1].size}），得到 {names[2]}（{grids[2].size}）"
    )
    below_left = (max(a.shape[0], b.shape[0]) - a.shape[0]) / 2
    figure, ax, corners = side_by_side(grids, ["×", "="], alt, foot=max(0.0, 0.7 - below_left))
    join(ax, *grids[:2], corners, _shared_size(names[0], a.shape[1]))
    return figure


@course_style()
def qkv(trace: Trace) -> CourseFigure:
    """Q, K and V side by side, one row for each token."""
    _require_trace(trace)
    channels = example.CHANNELS if _handmade(trace) else None
    contents = example.CONTENTS if _handmade(trace) else None
    grids = [
        _grid(trace.Q, "Q", trace.tokens, channels),
        _grid(trace.K, "K", trace.tokens, channels),
        _grid(trace.V, "V", trace.tokens, contents),
    ]
    return side_by_side(grids, ["", ""], f"{''.join(trace.tokens)}：每个词元的查询 Q、键 K、值 V")[0]


@course_style()
def scores_heatmap(S: Tensor, tokens: Sequence[str], name: str = "S") -> CourseFigure:
    """Scores, (L, L): row i asks, column j answers. The largest size gets the full colour; below 0 it is grey."""
    S, tokens = _square(S, tokens, name)
    return side_by_side([_token_grid(S, tokens, name)], [], f"得分 {name}：行是查询，列是键")[0]


@course_style()
def weights_heatmap(A: Tensor, tokens: Sequence[str], name: str = "A") -> CourseFigure:
    """Weights, (L, L), with the sum of each row; the colours run from 0 to 1 whatever the weights.

    Raises ValueError for numbers outside 0 to 1; the rows may have any sum.
    """
    A, tokens = _square(A, tokens, name)
    if A.min() < -1e-4 or A.max() > 1 + 1e-4:
        raise ValueError(
            f"这不像权重：{name} 里的数从 {spell(A.min())} 到 {spell(A.max())}，权重应当在 0 到 1 之间。"
            f"忘了 softmax 吗？试试 softmax({name})；要看得分，试试 scores_heatmap。"
        )
    grid = _token_grid(A, tokens, name, limit=1.0, sums=QUIET)
    return side_by_side([grid], [], f"权重 {name}：行是查询，列是键，每行的和在右边")[0]


@course_style()
def softmax_axes(S: Tensor, tokens: Sequence[str]) -> CourseFigure:
    """Softmax along the rows of S, (L, L), as it should be, beside softmax along the columns, with all row sums."""
    S, tokens = _square(S, tokens, "S")
    S = torch.from_numpy(S)
    right = _token_grid(softmax(S), tokens, "✓ 按行", limit=1.0, sums=VALUE, note="dim=−1")
    wrong = _token_grid(torch.softmax(S, dim=0), tokens, "✗ 按列", limit=1.0, sums=MARK, note="dim=0")
    alt = "softmax 按行（对）与按列（错）：按行时每行的和是 1，按列时不是"
    if len(tokens) > _BESIDE:
        return stack([right, wrong], alt)[0]
    return side_by_side([right, wrong], [""], alt)[0]


@course_style()
def divisors(Q: Tensor, K: Tensor, tokens: Sequence[str]) -> CourseFigure:
    """The weights of the same dot products after the divisors 1, √d_k and d_k. Q, K: (L, d_k)."""
    Q, K = torch.from_numpy(numbers(Q, "Q")), torch.from_numpy(numbers(K, "K"))
    if len(Q) != len(K):
        raise ValueError(f"Q 和 K 的每一行都是一个词元，行数应当相同：Q 有 {len(Q)} 行，K 有 {len(K)} 行。")
    tokens, d_k = _require_tokens(tokens, len(Q), "Q"), Q.shape[1]
    beside = len(tokens) <= _BESIDE
    notes = {UNSCALED: "（不缩放）", ROOT: f"= {divisor(d_k, ROOT):.2f}", FULL: f"= {d_k}"}
    grids = [
        _token_grid(
            softmax(scores(Q, K, p)), tokens, name, limit=1.0, note=note, rows=p == UNSCALED or not beside
        )
        for name, (p, note) in zip(("÷ 1", "÷ √dₖ", "÷ dₖ"), notes.items(), strict=True)
    ]
    alt = f"同样的得分除以 1、√dₖ、dₖ 之后的权重（dₖ={d_k}）：除数越大，权重越平均"
    if not beside:
        figure, ax, corners = stack(grids, alt, foot=0.8)
        (x, y), L = corners[-1], len(tokens)
        say(ax, x + L / 2, y + L + 0.6, "从上往下：除数越大，权重越平均", LABEL, QUIET, ha="center")
        return figure
    figure, ax, corners = side_by_side(grids, ["", ""], alt, foot=0.7)
    (start, y), (end, _), L = corners[0], corners[-1], len(grids[0].values)
    ax.annotate(
        "",
        (end + L, y + L + 0.5),
        (start, y + L + 0.5),
        arrowprops={"arrowstyle": "->", "color": QUIET, "linewidth": figure.points(0.04)},
    )
    say(
        ax,
        (start + end + L) / 2,
        y + L + 0.5,
        "  除数越大，权重越平均  ",
        LABEL,
        QUIET,
        ha="center",
        backgroundcolor="white",
    )
    return figure


@course_style()
def fusion(trace: Trace, i: int) -> CourseFigure:
    """Token i: the terms a_ij v_j with their numbers, and stacked tip to tail to b_i. Needs d_v = 2."""
    V, A, B = _in_plane(trace), numbers(trace.A, "A"), numbers(trace.B, "B")
    L = len(trace.tokens)
    if isinstance(i, bool) or not isinstance(i, Integral) or not 0 <= i < L:
        raise ValueError(f"i 是词元的序号，应当是 0 到 {L - 1} 的整数，现在是 {i!r}。")
    token, b, terms = trace.tokens[i], tuple(B[i]), A[i, :, None] * V
    table = MARGIN + max(text_width(word, LABEL) for word in (*trace.tokens, "看谁")) + 0.25
    height = max(L + 3.6, 8.0)
    alt = f"{token} 的加权融合：各项 a·v 首尾相接，得到 b = {_pair(b)}"
    figure, ax = sheet(table + 16.3, height, alt)
    colours = [_TERMS[j % len(_TERMS)] for j in range(L)]
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
    place_labels(view, [(f"b {token}", b, INK), *_value_labels(trace)], [*steps, ((0, 0), b), *edges])
    return figure


@course_style()
def plane(*traces: Trace) -> CourseFigure:
    """V as points, their hull filled, and B as arrows. One or two traces, d_v = 2.

    Of two traces the token whose b differs most from one sentence to the other stands out, if any differs.
    """
    if len(traces) not in (1, 2):
        raise ValueError(f"plane 画一个或两个句子的 Trace，现在给了 {len(traces)} 个。")
    V = [_in_plane(trace) for trace in traces]
    sentences = ["".join(trace.tokens) for trace in traces]
    across, up = np.ptp(np.vstack([*V, (0, 0)]), axis=0)
    width = float(np.clip(3 + 5.5 * across / max(up, 1e-9), 11, 15))
    alt = f"{'、'.join(sentences)}：值 V 是点，融合后的 b 是箭头"
    figure, ax = sheet(width + 1.3, 10, alt)
    view = plane_axes(figure, 1.0, 0.8, width, 7.2, np.vstack(V))
    _name_axes(view, traces[0])
    tips, ends, lines = [], [], []
    for trace, sentence, points, colour, chosen in zip(
        traces, sentences, V, (OUTPUT, MARK), _most_changed(traces), strict=False
    ):
        lines += fill_hull(view, points, colour)
        for j, (token, b) in enumerate(zip(trace.tokens, numbers(trace.B, "B"), strict=True)):
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
    place_labels(view, [*tips, *_join_labels("b", ends), *_value_labels(*traces)], lines)
    others = "，细箭头是别的词元" if 0 < len(tips) < sum(len(trace.tokens) for trace in traces) else ""
    say(ax, 0.6, 9.55, f"● 值 v　→ 融合后的 b{others}　浅色：v 的加权平均能到的地方", NOTE, QUIET)
    return figure


@course_style()
def flow(trace: Trace) -> CourseFigure:
    """The whole chain X -> Q, K, V -> S -> A -> B with the size of every matrix."""
    _require_trace(trace)
    figure, ax = sheet(19.8, 8.9, "自注意力的全过程：X → Q、K、V → S → A → B")
    edges = {}
    for step, (caption, x, y) in _PLACES.items():
        values = numbers(getattr(trace, step), step)
        grid = Grid(values, step, accent=_accent(step), strength=0.8, limit=1.0 if step == "A" else None)
        edges[step] = (*draw_small(ax, grid, x, y, caption), y)
    line = {"arrowstyle": "-|>", "color": QUIET, "linewidth": figure.points(0.04), "shrinkA": 0, "shrinkB": 0}
    for start, end, text in _LINKS:
        (_, x, y), (x2, _, y2) = edges[start], edges[end]
        arrowprops = {**line, "mutation_scale": figure.points(0.3)}
        ax.annotate("", (x2 - 0.2, y2), (x + 0.2, y), arrowprops=arrowprops)
        say(ax, (x + x2) / 2, (y + y2) / 2 - 0.35, text, NOTE, INK, ha="center")
    return figure


@course_style()
def timing(lengths: Sequence[int], seconds: Mapping[str, Sequence[float]]) -> CourseFigure:
    """Time against the number of tokens L, both on a logarithmic scale. seconds: label -> one time per length."""
    if not isinstance(seconds, Mapping) or not seconds:
        raise ValueError(
            f"没有可画的时间：seconds 应当像 {{'矩阵形式': [0.001, 0.002]}}，现在是 {seconds!r:.60}。"
        )
    lengths = _positive(lengths, "长度 L ")
    seconds = {shorten(str(label)): _positive(times, f"「{label}」") for label, times in seconds.items()}
    for label, times in seconds.items():
        if len(times) != len(lengths):
            raise ValueError(
                f"「{label}」有 {len(times)} 个时间，长度 L 有 {len(lengths)} 个：每个长度要有一个时间。"
            )
    names = max(text_width(label, LABEL) for label in seconds)
    figure, _ = sheet(13.9 + names, 9, "、".join(seconds) + "：计算时间随词元个数 L 的变化")
    ax = inset(figure, 2.2, 0.5, 11, 7)
    for (label, times), colour in zip(seconds.items(), _TERMS, strict=False):
        ax.loglog(
            lengths, times, "o-", color=colour, linewidth=figure.points(0.07), markersize=figure.points(0.2)
        )
        ax.annotate(
            label,
            (lengths[-1], times[-1]),
            xytext=(figure.points(0.3), 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=figure.points(LABEL),
        )
    ax.set_xticks(lengths, [str(length) for length in lengths])
    ax.minorticks_off()
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _duration(value)))
    ax.set_xlabel("词元个数 L", fontsize=figure.points(LABEL))
    ax.tick_params(labelsize=figure.points(NOTE))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color=RULE)
    return figure


def _accent(name: str) -> str:
    """The colour of a matrix by its letter; W_Q and a row q have that of Q."""
    return _ACCENTS.get(name) or _ACCENTS.get(name.removeprefix("W_")[:1].upper(), INPUT)


def _grid(M, name: str, rows, columns) -> Grid:
    values = numbers(M, name)
    rows, columns = labels(rows, values.shape[0], "行", name), labels(columns, values.shape[1], "列", name)
    return Grid(values, name, rows, columns, accent=_accent(name))


def _square(M, tokens, name: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Scores or weights, (L, L), and their L tokens."""
    values = numbers(M, name)
    if values.shape[0] != values.shape[1]:
        raise ValueError(
            f"{name} 的行和列都是词元，应当是 L×L 的方阵，现在是 {values.shape[0]}×{values.shape[1]}。"
        )
    return values, _require_tokens(tokens, len(values), name)


def _require_tokens(tokens, count: int, name: str) -> tuple[str, ...]:
    return labels(() if tokens is None else tokens, count, "行", name)


def _token_grid(values, tokens, name: str, limit=None, sums=None, note=None, rows=True) -> Grid:
    """A square grid with the tokens on both sides; rows: whether the row labels are written."""
    values = np.asarray(values)
    titles = {"row_title": "查询：谁在看 ↓", "column_title": "键：看谁 →"}
    look = {"accent": WEIGHT, "limit": limit, "strength": 1.0, "note": note, "sums": sums}
    return Grid(values, name, tokens if rows else None, tokens, **(titles if rows else {}), **look)


def _require_trace(trace: Trace) -> None:
    if not isinstance(trace, Trace):
        raise TypeError(
            f"这里要一个 Trace（每一步的矩阵都在里面），现在是 {type(trace).__name__}。"
            "试试 running_trace() 或 Trace.of(X, W_Q, W_K, W_V, tokens)。"
        )


def _in_plane(trace: Trace) -> np.ndarray:
    """V, (L, 2). Raises ValueError for any other d_v."""
    _require_trace(trace)
    V = numbers(trace.V, "V")
    if V.shape[1] != 2:
        raise ValueError(f"平面上只画得下二维的值：V 应当有 dᵥ=2 列，现在是 {V.shape[0]}×{V.shape[1]}。")
    return V


def _handmade(trace: Trace) -> bool:
    """Whether the columns of Q, K and V mean what the running example says."""
    made = ((trace.W_Q, example.W_Q), (trace.W_K, example.W_K), (trace.W_V, example.W_V))
    return all(torch.equal(mine, theirs) for mine, theirs in made)


def _pair(v, whole: bool = False) -> str:
    return f"({spell(v[0], whole)}, {spell(v[1], whole)})"


def _shared_size(name: str, size: int) -> str:
    letter = _COUNTED.get(name.partition("_")[0].upper())
    return f"{letter} = {size}" if letter else f"同为 {size}"


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
    """Say what the two directions mean, where that is known."""
    if _handmade(trace):
        (negative, positive), up = example.CONTENTS[0].split("↔"), example.CONTENTS[1]
        size = view.figure.points(NOTE)
        view.set_xlabel(f"← {negative}        {positive} →", fontsize=size, color=QUIET)
        view.set_title(f"↑ {up}", loc="left", fontsize=size, color=QUIET, pad=view.figure.points(0.1))


def _value_labels(*traces: Trace) -> list[tuple[str, tuple, str]]:
    """Labels for the points of V."""
    points = [
        (token, point, VALUE)
        for trace in traces
        for token, point in zip(trace.tokens, numbers(trace.V, "V"), strict=True)
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


def _most_changed(traces: Sequence[Trace]) -> tuple[int | None, ...]:
    """For each of two traces the place of the token, common to both, whose b differs most; else None."""
    if len(traces) == 1:
        return (None,)
    first, second = traces
    common = [
        (i, second.tokens.index(token)) for i, token in enumerate(first.tokens) if token in second.tokens
    ]
    apart = {(i, j): float(torch.dist(first.B[i], second.B[j])) for i, j in common}
    most = max(apart, key=apart.get, default=(None, None))
    # Rounding alone is no change.
    return most if apart.get(most, 0.0) > 1e-5 * float(first.V.abs().max()) else (None, None)


def _duration(seconds: float) -> str:
    """A time as an axis shows it."""
    for factor, unit in ((1, "秒"), (1e3, "毫秒")):
        if seconds * factor >= 0.999:
            return f"{seconds * factor:g} {unit}"
    return f"{seconds * 1e6:g} 微秒"


def _positive(given, name: str) -> tuple[float, ...]:
    """Lengths or times as a tuple of positive finite numbers."""
    try:
        values = tuple(given)
        good = values and all(isinstance(value, Real) and 0 < value < np.inf for value in values)
    except TypeError:
        good = False
    if not good:
        raise ValueError(f"{name}应当是一组正数，例如 [1, 2, 4]，现在是 {given!r:.60}。")
    return values
