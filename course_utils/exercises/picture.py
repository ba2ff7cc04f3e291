"""Draws an attempt: the input, what is expected, and what the student's code gave, differences framed."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Rectangle
from torch import Tensor

from ..drawing.grid import Grid
from ..drawing.layout import side_by_side
from ..drawing.sheet import LABEL, MARGIN, say
from ..style import INPUT, MARK, OUTPUT, PAPER, QUIET, CourseFigure, course_style
from .exercise import Case, Function
from .judge.comparing import close
from .plain import plain

# Rows or columns: what is larger tells nobody anything and takes seconds to draw.
LARGEST = 64


@course_style()
def attempt(asks: Function, case: Case, given: tuple[np.ndarray, ...] | None) -> CourseFigure:
    """Input, expected and given side by side. Of several outputs the first that differs; given None: no result.

    Of a batch the first sentence is drawn; a matrix above LARGEST is not.
    """
    right = asks.right[case]
    index = _first_wrong(right, given)
    name = asks.outputs[index]
    grids = [
        _grid(plain(value), key, case, INPUT, None)
        for key, value in case.inputs.items()
        if isinstance(value, Tensor)
    ]
    limit = 1.0 if name == "A" else float(abs(right[index]).max())
    grids.append(_grid(right[index], f"应当是 {name}", case, OUTPUT, limit))
    theirs = None if given is None else given[index]
    drawn = theirs is not None and max(_matrix(theirs).shape) <= LARGEST
    if drawn:
        grids.append(_grid(theirs, f"你的 {name}", case, OUTPUT, limit))
    note = _note(right[index], theirs, case)
    if theirs is not None and not drawn:
        note += f"你的 {name} 有 {_size(theirs)}，太大了，没有画。"
    alt = f"输入、应有的 {name} 和你的 {name}。{note}"
    figure, ax, corners = side_by_side(grids, [""] * (len(grids) - 1), alt, foot=0.8)
    if drawn:
        _frame(ax, corners[-1], grids[-1], right[index], theirs)
    say(ax, MARGIN, figure.get_figheight() * figure.dpi / figure.cell - 0.45, note, LABEL, QUIET)
    return figure


def _first_wrong(right: tuple[np.ndarray, ...], given: tuple[np.ndarray, ...] | None) -> int:
    if given is None:
        return 0
    pairs = zip(given, right, strict=True)
    return next((k for k, (a, b) in enumerate(pairs) if a.shape != b.shape or not close(a, b).all()), 0)


def _grid(M: np.ndarray, name: str, case: Case, accent: str, limit: float | None) -> Grid:
    values = _matrix(M)
    with_tokens = not name.startswith(("W_", "E", "weight")) and len(values) == len(case.tokens)
    return Grid(
        values,
        name,
        rows=case.tokens if with_tokens else None,
        accent=accent,
        limit=limit,
        note=_size(M),
    )


def _size(M: np.ndarray) -> str:
    return f"({len(M)},)" if M.ndim == 1 else "×".join(map(str, M.shape)) or "一个数"


def _matrix(M: np.ndarray) -> np.ndarray:
    """What is drawn of an answer: a vector as one row, of a batch the first sentence."""
    while M.ndim > 2:
        M = M[0]
    return np.atleast_2d(M)


def _note(right: np.ndarray, given: np.ndarray | None, case: Case) -> str:
    numbers = "".join(f"{name} = {value}。" for name, value in case.inputs.items() if isinstance(value, int))
    batch = "三维的输入只画第一个句子。" if case.kind == "batch" else ""
    if given is None:
        return f"{numbers}{batch}你的代码没有给出结果。"
    if given.shape != right.shape:
        return f"{numbers}{batch}形状不同。"
    wrong = int((~close(given, right)).sum())
    return f"{numbers}{batch}" + (f"{wrong} 格不同，用框标出。" if wrong else "每一格都相同。")


def _frame(ax, corner: tuple[float, float], grid: Grid, right: np.ndarray, given: np.ndarray) -> None:
    """Frame each cell that differs, or the whole matrix when its shape does; write NaN and inf where they are."""
    x, y = corner
    points = ax.figure.points
    frame = {"edgecolor": MARK, "linewidth": points(0.08)}
    if given.shape != right.shape:
        ax.add_patch(
            Rectangle(
                (x - 0.06, y - 0.06), grid.width + 0.12, grid.height + 0.12, fill=False, zorder=6, **frame
            )
        )
    if not grid.spelled:
        return
    values = _matrix(given)
    for i, j in np.argwhere(~np.isfinite(values)):
        spelled = "NaN" if np.isnan(values[i, j]) else "inf"
        # Over the cell, for which these are no numbers.
        ax.add_patch(Rectangle((x + j, y + i), 1, 1, facecolor=PAPER, linewidth=0, zorder=4))
        say(ax, x + j + 0.5, y + i + 0.5, spelled, LABEL, MARK, ha="center", zorder=5)
    if given.shape == right.shape:
        same = _matrix(close(given, right))
        for i, j in np.argwhere(same == 0):
            ax.add_patch(Rectangle((x + j + 0.05, y + i + 0.05), 0.9, 0.9, fill=False, zorder=6, **frame))
