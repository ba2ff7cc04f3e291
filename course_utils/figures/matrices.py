"""Matrices with their numbers: one alone, a product, Q beside K and V."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..drawing.colour import accent
from ..drawing.grid import Grid, join
from ..drawing.layout import side_by_side
from ..drawing.reading import as_matrix, labels, matrices_of
from ..style import CourseFigure, course_style

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from ..attention import Trace

# What the columns of the left factor of a product are counted by.
_COUNTED = {"X": "D", "Q": "dₖ", "A": "L"}


@course_style()
def matrix(
    M: Tensor, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, name: str = "X"
) -> CourseFigure:
    """A matrix with its numbers, name and size. M: (n, m); n row labels, m column labels."""
    grid = _grid(as_matrix(M, name), name, rows, columns)
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
    a, b = as_matrix(left, names[0]), as_matrix(right, names[1])
    if a.shape[1] != b.shape[0]:
        raise ValueError(
            f"{names[0]} 的列数 {a.shape[1]} 必须等于 {names[1]} 的行数 {b.shape[0]}，才能相乘："
            f"{names[0]} 是 {a.shape[0]}×{a.shape[1]}，{names[1]} 是 {b.shape[0]}×{b.shape[1]}。"
        )
    grids = [
        _grid(a, names[0], rows, shared),
        _grid(b, names[1], shared, columns),
        _grid(as_matrix(a @ b, names[2]), names[2], rows, columns),
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
    Q, K, V = matrices_of(trace, "Q", "K", "V")
    grids = [
        _grid(Q, "Q", trace.tokens, trace.channels),
        _grid(K, "K", trace.tokens, trace.channels),
        _grid(V, "V", trace.tokens, trace.contents),
    ]
    return side_by_side(grids, ["", ""], f"{''.join(trace.tokens)}：每个词元的查询 Q、键 K、值 V")[0]


def _grid(values: np.ndarray, name: str, rows, columns) -> Grid:
    rows, columns = labels(rows, values.shape[0], "行", name), labels(columns, values.shape[1], "列", name)
    return Grid(values, name, rows, columns, accent=accent(name))


def _shared_size(name: str, size: int) -> str:
    letter = _COUNTED.get(name.partition("_")[0].upper())
    return f"{letter} = {size}" if letter else f"同为 {size}"
