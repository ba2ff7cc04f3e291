"""One picture per step of self-attention; each function returns a figure that shows itself.

Matrices may be tensors, arrays or nested lists. Bad input raises a ValueError with a Chinese sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from matplotlib.patches import Polygon, Rectangle

from .attention import FULL, ROOT, UNSCALED, Trace, divisor, scores, softmax
from .cells import LABEL, MARGIN, NAME, NOTE, Grid, labels, numbers, say, sheet, side_by_side, spell
from .example import CHANNELS, CONTENTS
from .style import (
    BAD,
    INK,
    INPUT,
    KEY,
    OUTPUT,
    QUERY,
    QUIET,
    RULE,
    VALUE,
    WEIGHT,
    CourseFigure,
    course_style,
)

if TYPE_CHECKING:
    from torch import Tensor

_ACCENTS = {"Q": QUERY, "K": KEY, "V": VALUE, "S": WEIGHT, "A": WEIGHT, "B": OUTPUT}
# What the number of rows and of columns is called.
_SIZES = {
    "X": ("L", "D"),
    "W_Q": ("D", "dₖ"),
    "W_K": ("D", "dₖ"),
    "W_V": ("D", "dᵥ"),
    "Q": ("L", "dₖ"),
    "K": ("L", "dₖ"),
    "Kᵀ": ("dₖ", "L"),
    "V": ("L", "dᵥ"),
    "S": ("L", "L"),
    "A": ("L", "L"),
    "B": ("L", "dᵥ"),
}
_QUERY_TITLE, _KEY_TITLE = "查询：谁在看 ↓", "键：看谁 →"


@course_style()
def matrix(
    M: Tensor, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, name: str = "X"
) -> CourseFigure:
    """A matrix with its numbers, name and size. M: (n, m); rows: n labels, columns: m labels."""
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
    """Two factors and their product, the size that they share marked. left: (n, k), right: (k, m).

    names of left, right and product; n row labels, k labels of the shared side, m column labels.
    """
    if isinstance(names, str) or len(names) != 3:
        raise ValueError(f"names 要有三个名字：左、右、积，现在是 {names!r}。")
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
    alt = f"{names[0]}（{grids[0].size}）乘 {names[1]}（{grids[1].size}）得 {names[2]}（{grids[2].size}）"
    figure, ax, corners = side_by_side(grids, ["×", "="], alt, foot=0.7)
    symbol = _SIZES.get(names[0], ("", ""))[1]
    (x, y), (x2, y2) = corners[:2]
    bottom = y + grids[0].height + 0.15
    ax.plot([x, x + grids[0].width], [bottom, bottom], color=BAD, linewidth=figure.points(0.08))
    ax.plot([x2 - 0.08] * 2, [y2, y2 + grids[1].height], color=BAD, linewidth=figure.points(0.08))
    text = f"{symbol} = {a.shape[1]}" if symbol else f"同为 {a.shape[1]}"
    say(ax, x + grids[0].width / 2, bottom + 0.4, text, LABEL, BAD, ha="center")
    return figure


@course_style()
def qkv(trace: Trace) -> CourseFigure:
    """Q, K and V side by side, one row for each token."""
    channels = CHANNELS if trace.Q.shape[1] == len(CHANNELS) else None
    contents = CONTENTS if trace.V.shape[1] == len(CONTENTS) else None
    grids = [
        _grid(trace.Q, "Q", trace.tokens, channels),
        _grid(trace.K, "K", trace.tokens, channels),
        _grid(trace.V, "V", trace.tokens, contents),
    ]
    return side_by_side(grids, ["", ""], f"{'、'.join(trace.tokens)} 的 Q、K、V")[0]


@course_style()
def scores_heatmap(S: Tensor, tokens: Sequence[str], name: str = "S") -> CourseFigure:
    """Scores (L, L): row i asks, column j answers; colour grows with the size of the score, grey-blue below 0."""
    return side_by_side([_token_grid(S, tokens, name)], [], f"得分 {name}：行是查询，列是键")[0]


@course_style()
def weights_heatmap(A: Tensor, tokens: Sequence[str], name: str = "A") -> CourseFigure:
    """Weights (L, L) on the fixed colour range 0 to 1, with the sum of each row."""
    grid = _token_grid(A, tokens, name, limit=1.0, sums=True)
    return side_by_side([grid], [], f"权重 {name}：行是查询，列是键")[0]


@course_style()
def softmax_axes(S: Tensor, tokens: Sequence[str]) -> CourseFigure:
    """Softmax of S (L, L) by rows, as it should be, beside softmax by columns, with the row sums of both."""
    S = torch.as_tensor(S, dtype=torch.float64)
    how = {"limit": 1.0, "sums": True}
    grids = [
        _token_grid(softmax(S), tokens, "按行", title="softmax(S, dim=-1)", **how),
        _token_grid(torch.softmax(S, dim=0), tokens, "按列", title="softmax(S, dim=0)", **how),
    ]
    return side_by_side(grids, [""], "softmax 按行与按列的对比：按列时每行的和不是 1")[0]


@course_style()
def divisors(Q: Tensor, K: Tensor, tokens: Sequence[str]) -> CourseFigure:
    """The weights of the same scores after the divisors 1, √d_k and d_k. Q, K: (L, d_k)."""
    d_k = Q.shape[-1]
    titles = {UNSCALED: "÷ 1", ROOT: f"÷ √dₖ = {divisor(d_k, ROOT):.2f}", FULL: f"÷ dₖ = {d_k}"}
    grids = [
        _token_grid(softmax(scores(Q, K, p)), tokens, "A", limit=1.0, title=title)
        for p, title in titles.items()
    ]
    return side_by_side(grids, ["", ""], "除数为 1、√dₖ、dₖ 时的权重")[0]


@course_style()
def fusion(trace: Trace, i: int) -> CourseFigure:
    """Token i: the terms a_ij v_j with their numbers, and stacked tip to tail to b_i. Needs d_v = 2."""
    A, V, B = numbers(trace.A, "A"), _points(trace), numbers(trace.B, "B")
    if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < len(trace.tokens):
        raise ValueError(f"i 是词元的序号，应当在 0 到 {len(trace.tokens) - 1} 之间，现在是 {i!r}。")
    L = len(trace.tokens)
    figure, ax = sheet(17, max(L + 3.0, 7), f"词元 {trace.tokens[i]} 的加权融合")
    for j, token in enumerate(trace.tokens):
        y = 1.5 + j
        term = A[i, j] * V[j]
        say(ax, 1.4, y, token, ha="right")
        ax.add_patch(Rectangle((1.6, y - 0.3), 2 * A[i, j], 0.6, facecolor=WEIGHT, linewidth=0))
        text = f"{A[i, j]:.2f} × {_pair(V[j])} = {_pair(term)}"
        say(ax, 3.9, y, text)
    say(ax, 3.9, L + 1.6, f"b = {_pair(B[i])}", NAME, OUTPUT)
    plane_ax = _inset(figure, 11, 0.5, 5.6, 5.6)
    tips = np.vstack([(0, 0), np.cumsum(A[i, :, None] * V, axis=0)])
    for start, end in zip(tips[:-1], tips[1:], strict=True):
        _arrow(plane_ax, start, end, VALUE)
    _arrow(plane_ax, (0, 0), B[i], OUTPUT)
    _frame(plane_ax, np.vstack([V, tips]))
    return figure


@course_style()
def plane(*traces: Trace) -> CourseFigure:
    """V as points, B as arrows in the plane of the two contents, the hull of V filled. One or two traces, d_v = 2."""
    if len(traces) not in (1, 2):
        raise ValueError(f"plane 画一个或两个句子，现在给了 {len(traces)} 个。")
    figure, _ = sheet(16, 10, "V 与 B 在平面上")
    ax = _inset(figure, 1.2, 0.5, 14, 8.5)
    for trace, colour in zip(traces, (QUERY, KEY), strict=False):
        V, B = _points(trace), numbers(trace.B, "B")
        ax.add_patch(Polygon(_hull(V), facecolor=colour, alpha=0.12))
        ax.plot(*V.T, "o", color=colour)
        for token, b in zip(trace.tokens, B, strict=True):
            _arrow(ax, (0, 0), b, colour)
            ax.annotate(token, b, fontsize=figure.points(LABEL), color=colour)
    _frame(ax, np.vstack([_points(trace) for trace in traces]))
    return figure


@course_style()
def flow(trace: Trace) -> CourseFigure:
    """The whole chain X -> Q, K, V -> S -> A -> B with the size of every matrix."""
    steps = ["X", "W_Q", "Q", "K", "V", "S", "A", "B"]
    figure, ax = sheet(18, 3, "自注意力的全过程：X → Q、K、V → S → A → B")
    for n, step in enumerate(steps):
        size = "×".join(map(str, getattr(trace, step).shape))
        say(ax, 1 + 2.2 * n, 1, step, NAME, _ACCENTS.get(step, INPUT), ha="center")
        say(ax, 1 + 2.2 * n, 1.7, size, LABEL, QUIET, ha="center")
    return figure


@course_style()
def timing(lengths: Sequence[int], seconds: Mapping[str, Sequence[float]]) -> CourseFigure:
    """Time against the number of tokens L, both logarithmic. seconds: label -> one time per length."""
    figure, _ = sheet(16, 9, "计算时间与词元个数 L 的关系")
    ax = _inset(figure, 2, 0.6, 13, 7)
    for (label, times), colour in zip(seconds.items(), (QUERY, KEY, VALUE, WEIGHT, OUTPUT), strict=False):
        ax.loglog(lengths, times, "o-", color=colour, label=label)
    ax.set_xticks(lengths, [str(length) for length in lengths])
    ax.minorticks_off()
    ax.yaxis.set_major_formatter(lambda value, _: _duration(value))
    ax.set_xlabel("词元个数 L", fontsize=figure.points(LABEL))
    ax.tick_params(labelsize=figure.points(NOTE))
    ax.legend(fontsize=figure.points(LABEL), frameon=False)
    return figure


def _grid(M, name, rows=None, columns=None) -> Grid:
    values = numbers(M, name)
    return Grid(
        values,
        name,
        labels(rows, values.shape[0], "行", name),
        labels(columns, values.shape[1], "列", name),
        accent=_ACCENTS.get(name[0], INPUT),
    )


def _token_grid(M, tokens, name, limit=None, sums=False, title=None) -> Grid:
    values = numbers(M, name)
    if values.shape[0] != values.shape[1]:
        raise ValueError(
            f"{name} 的行和列都是词元，应当是方阵 L×L，现在是 {values.shape[0]}×{values.shape[1]}。"
        )
    return Grid(
        values,
        name,
        labels(tokens, len(values), "行", name),
        labels(tokens, len(values), "列", name),
        accent=WEIGHT,
        limit=limit,
        strength=1.0,
        title=title,
        row_title=_QUERY_TITLE,
        column_title=_KEY_TITLE,
        sums=sums,
    )


def _points(trace: Trace) -> np.ndarray:
    V = numbers(trace.V, "V")
    if V.shape[1] != 2:
        raise ValueError(f"平面图只画得下两维：V 应当有 dᵥ=2 列，现在有 {V.shape[1]} 列。")
    return V


def _pair(v) -> str:
    return f"({spell(v[0], False)}, {spell(v[1], False)})"


def _inset(figure, x, y, width, height):
    total_width, total_height = figure.axes[0].get_xlim()[1], figure.axes[0].get_ylim()[0]
    return figure.add_axes(
        (x / total_width, 1 - (y + height) / total_height, width / total_width, height / total_height)
    )


def _arrow(ax, start, end, colour):
    ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0})


def _frame(ax, points):
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.15 * max(high - low) + 1e-9
    ax.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room), aspect="equal")
    ax.axhline(0, color=RULE, zorder=0)
    ax.axvline(0, color=RULE, zorder=0)


def _hull(points: np.ndarray) -> np.ndarray:
    """Corners of the convex hull, by gift wrapping."""
    corners = [min(map(tuple, points))]
    while True:
        here = np.array(corners[-1])
        best = here
        for p in points:
            turn = _turn(here, best, p)
            if tuple(best) == tuple(here) or turn < 0:
                best = p
        if tuple(best) == corners[0] or len(corners) > len(points):
            return np.array(corners)
        corners.append(tuple(best))


def _turn(o, a, b) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} µs"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
