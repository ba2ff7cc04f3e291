"""Grids put together on one sheet: in a row with signs between them, or one below the other."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from ..style import QUIET, CourseFigure
from .grid import MAX_NUMBERS, Grid
from .sheet import MARGIN, NAME, NOTE, say, sheet
from .text import text_width


def side_by_side(
    grids: Sequence[Grid], between: Sequence[str], alt: str, foot: float = 0.0
) -> tuple[CourseFigure, Axes, list[tuple[float, float]]]:
    """Draw grids in a row with signs such as × and = between them and foot cells of room below.

    Returns the figure, its axes, and the corner (x, y) of each grid's first cell.
    """
    footnote = (
        "" if all(grid.spelled for grid in grids) else f"超过 {MAX_NUMBERS} 行或列的矩阵只画颜色，不写数字"
    )
    gaps = [0.6 + 1.4 * text_width(sign, NAME) for sign in between]
    content = sum(grid.left + grid.width + grid.right for grid in grids) + sum(gaps)
    tallest, top = max(grid.height for grid in grids), max(grid.top for grid in grids)
    width = 2 * MARGIN + max(content, text_width(footnote, NOTE))
    height = 2 * MARGIN + top + tallest + foot + (0.6 if footnote else 0.0)
    figure, ax = sheet(width, height, alt)
    corners, x, middle = [], MARGIN, MARGIN + top + tallest / 2
    for grid, sign, gap in zip(grids, (*between, ""), (*gaps, 0.0), strict=True):
        corners.append((x + grid.left, middle - grid.height / 2))
        grid.draw(ax, *corners[-1], top)
        x += grid.left + grid.width + grid.right + gap
        say(ax, x - gap / 2 - 0.05, middle, sign, NAME, QUIET, ha="center")
    say(ax, MARGIN, height - MARGIN - 0.15, footnote, NOTE, QUIET)
    return figure, ax, corners


def stack(
    grids: Sequence[Grid], alt: str, foot: float = 0.0
) -> tuple[CourseFigure, Axes, list[tuple[float, float]]]:
    """Draw grids one below the other, each as large as it would be alone, with foot cells of room below.

    Returns the same as side_by_side.
    """
    left = MARGIN + max(grid.left for grid in grids)
    width = left + max(grid.width + grid.right for grid in grids) + MARGIN
    height = 2 * MARGIN + sum(grid.top + grid.height for grid in grids) + len(grids) - 1 + foot
    figure, ax = sheet(width, height, alt, screens=len(grids))
    corners, y = [], MARGIN
    for grid in grids:
        corners.append((left, y + grid.top))
        grid.draw(ax, *corners[-1], grid.top)
        y += grid.top + grid.height + 1
    return figure, ax, corners
