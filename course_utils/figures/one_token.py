"""One row of the chain as the usual drawing: a query, all keys, the weights, the values, and what comes out."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Rectangle

from ..drawing.colour import ink_on, tint
from ..drawing.reading import matrices_of
from ..drawing.sheet import LABEL, NOTE, say, sheet
from ..drawing.text import spell
from ..style import INK, KEY, OUTPUT, QUERY, QUIET, VALUE, WEIGHT, CourseFigure, course_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..attention import Trace

# Heights of the rows of boxes, in cells from the top; the distance of two tokens, a box of a number, its type.
_VALUES, _WEIGHTS, _SCORES, _KEYS, _QUERY = 2.4, 4.1, 5.5, 7.2, 9.7
_STEP, _CELL, _NUMBER = 4.3, 1.0, 0.42


@course_style()
def one_token(trace: Trace, i: int) -> CourseFigure:
    """Token i of a trace: q_i meets every k_j, the scores become weights, the values are added up to b_i.

    A line to b_i is as thick as its weight. Raises ValueError unless i is the number of a token, from 0.
    """
    Q, K, V, S, A, B = matrices_of(trace, "Q", "K", "V", "S", "A", "B")
    L = len(trace.tokens)
    if isinstance(i, bool) or not isinstance(i, Integral) or not 0 <= i < L:
        raise ValueError(f"i 是词元的序号，应当是 0 到 {L - 1} 的整数，现在是 {i!r}。")
    left = 1.9
    places = left + 2.0 + _STEP * np.arange(L)
    alt = f"“{trace.tokens[i]}”这一行：查询和每个键比，得分变成权重，值按权重加成 b"
    figure, ax = sheet(left + _STEP * L + 0.4, 11.0, alt)
    middle, points = float(places.mean()), figure.points
    for word, y, colour in (
        ("值 v", _VALUES, VALUE),
        ("权重 a", _WEIGHTS, WEIGHT),
        ("得分 s", _SCORES, WEIGHT),
        ("键 k", _KEYS, KEY),
    ):
        say(ax, 0.2, y, word, LABEL, colour)
    for j, x in enumerate(places):
        ax.plot(
            [x, middle],
            [_VALUES - 0.55, 1.15],
            color=OUTPUT,
            linewidth=points(0.02 + 0.35 * A[i, j]),
            alpha=0.75,
        )
        ax.plot([x, middle], [_KEYS + 1.15, _QUERY - 0.55], color=QUERY, linewidth=points(0.03), alpha=0.6)
        ax.plot([x, x], [_KEYS - 0.55, _SCORES + 0.55], color=QUIET, linewidth=points(0.03))
        ax.plot([x, x], [_WEIGHTS - 0.55, _VALUES + 0.55], color=QUIET, linewidth=points(0.03))
        _vector(ax, x, _KEYS, K[j], KEY)
        say(ax, x, _KEYS + 0.85, trace.tokens[j], LABEL, INK, ha="center")
        _vector(ax, x, _SCORES, S[i, j : j + 1], WEIGHT, largest=abs(S[i]).max())
        _vector(ax, x, _WEIGHTS, A[i, j : j + 1], WEIGHT, largest=1.0)
        _vector(ax, x, _VALUES, V[j], VALUE)
    ax.plot([places[0] - 0.9, places[-1] + 0.9], [4.8, 4.8], color=WEIGHT, linewidth=points(0.05))
    say(ax, middle, 4.8, "  softmax：这一行加起来是 1  ", NOTE, WEIGHT, ha="center", backgroundcolor="white")
    _vector(ax, middle, _QUERY, Q[i], QUERY)
    say(ax, middle, _QUERY + 0.85, f"{trace.tokens[i]} 的查询 q", LABEL, QUERY, ha="center")
    _vector(ax, middle, 0.65, B[i], OUTPUT)
    say(ax, middle + 0.2 + _CELL * B.shape[1] / 2, 0.65, f"{trace.tokens[i]} 的输出 b", LABEL, OUTPUT)
    say(ax, middle - 0.2 - _CELL * B.shape[1] / 2, 0.65, "按权重相加", NOTE, QUIET, ha="right")
    return figure


def _vector(
    ax: Axes, x: float, y: float, values: np.ndarray, accent: str, largest: float | None = None
) -> None:
    """A row of numbers in boxes with its middle at (x, y)."""
    shares = values / (largest or abs(values).max() or 1.0)
    whole = bool((values == values.round()).all())
    for n, (value, colour) in enumerate(zip(values, tint(shares, accent, 0.6), strict=True)):
        corner = x + _CELL * (n - len(values) / 2)
        ax.add_patch(
            Rectangle((corner, y - _CELL / 2), _CELL, _CELL, facecolor=colour, edgecolor="white", zorder=3)
        )
        say(ax, corner + _CELL / 2, y, spell(value, whole), _NUMBER, ink_on(colour), ha="center", zorder=4)
