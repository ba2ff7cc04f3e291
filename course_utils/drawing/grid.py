"""A matrix as a grid of numbers on a sheet, as a small picture, or as one factor joined to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ..style import INPUT, MARK, QUIET
from .colour import ink_on, tint
from .sheet import LABEL, NAME, NOTE, NUMBER, say, say_name
from .text import shorten, spell, text_width

# A matrix with more rows or columns than this is drawn as colours alone, so many cells wide or high.
MAX_NUMBERS, IMAGE_SIDE = 16, 7


@dataclass(frozen=True)
class Grid:
    """A matrix as a picture: its numbers in cells, its name and size, row and column labels.

    limit: the number that gets the full colour, the largest size in values if not given.
    strength: how much of the accent the full colour has. note: what stands beside the name instead of the size.
    row_title, column_title: what rows and columns are. sums: the sum of each row to the right, in this colour.
    """

    values: np.ndarray
    name: str
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    accent: str = INPUT
    limit: float | None = None
    strength: float = 0.5
    note: str | None = None
    row_title: str = ""
    column_title: str = ""
    sums: str | None = None

    @property
    def spelled(self) -> bool:
        """Whether the matrix is small enough for numbers."""
        return max(self.values.shape) <= MAX_NUMBERS

    @property
    def size(self) -> str:
        """The size in words, 4×3."""
        return "×".join(map(str, self.values.shape))

    @property
    def height(self) -> float:
        """Height of the cells alone."""
        return self.values.shape[0] if self.values.shape[0] <= MAX_NUMBERS else IMAGE_SIDE

    @property
    def width(self) -> float:
        """Width of the cells alone."""
        return self.values.shape[1] if self.values.shape[1] <= MAX_NUMBERS else IMAGE_SIDE

    @property
    def left(self) -> float:
        """Room for the row labels and their title."""
        if not self.rows:
            return 0.0
        longest = max(text_width(row, LABEL) for row in self.rows)
        return 0.2 + max(longest, text_width(self.row_title, NOTE))

    @property
    def right(self) -> float:
        """Room that the heading, slanted labels or the row sums need beyond the cells."""
        heading = (
            text_width(shorten(self.name), NAME) + 0.2 + text_width(self._beside_name, LABEL) - self.width
        )
        slanted = 0.0
        if self.columns and self._slanted:
            places = (np.arange(len(self.columns)) + 0.5) * self.width / len(self.columns)
            ends = [x + 0.77 * text_width(c, LABEL) for x, c in zip(places, self.columns, strict=True)]
            slanted = max(ends) + 0.15 - self.width
        return max(heading, slanted, 1.2 if self.sums else 0.0, 0.0)

    @property
    def top(self) -> float:
        """Room for the heading, the column title and the column labels."""
        return 0.75 + (0.5 if self.column_title else 0.0) + self._columns_height

    @property
    def colours(self) -> np.ndarray:
        """The colour of every cell, (rows, columns, 3)."""
        sizes = abs(self.values[np.isfinite(self.values)])
        largest = self.limit or sizes.max(initial=0.0) or 1.0
        return tint(self.values / largest, self.accent, self.strength)

    def draw(self, ax: Axes, x: float, y: float, top: float) -> None:
        """Draw with the corner of the first cell at (x, y) and the heading top cells above it."""
        say_name(ax, x, y - top + 0.4, self.name, self._beside_name, self.accent)
        if self.spelled:
            self._draw_cells(ax, x, y)
        else:
            _paint(ax, x, y, self.width, self.height, self.colours)
        self._draw_rows(ax, x, y)
        self._draw_columns(ax, x, y)

    @property
    def _beside_name(self) -> str:
        return self.size if self.note is None else self.note

    @property
    def _column_size(self) -> float:
        """Type size at which every column label fits above its column."""
        column_width = self.width / self.values.shape[1]
        # Labels may all be empty.
        widest = max(text_width(_fold(c), 1) for c in self.columns) or 1.0
        return min(LABEL, 0.98 * column_width / widest)

    @property
    def _columns_height(self) -> float:
        if not self.columns:
            return 0.0
        if self._slanted:
            return 0.3 + 0.66 * max(text_width(column, LABEL) for column in self.columns)
        return 0.44 * max(column.count("\n") + 1 for column in map(_fold, self.columns))

    @property
    def _slanted(self) -> bool:
        return self._column_size < 0.3

    def _draw_cells(self, ax: Axes, x: float, y: float) -> None:
        whole = bool((self.values == self.values.round()).all())
        longest = max(text_width(spell(value, whole), 1) for value in self.values.flat)
        size = min(NUMBER, 0.86 / longest)
        colours = self.colours
        for (i, j), value in np.ndenumerate(self.values):
            background, text = colours[i, j], spell(value, whole)
            ax.add_patch(
                Rectangle((x + j + 0.03, y + i + 0.03), 0.94, 0.94, facecolor=background, linewidth=0)
            )
            ink = ink_on(background) if text.strip("0.") else QUIET
            say(ax, x + j + 0.5, y + i + 0.5, text, size, ink, ha="center")

    def _draw_rows(self, ax: Axes, x: float, y: float) -> None:
        step = self.height / self.values.shape[0]
        for i, row in enumerate(self.rows or ()):
            say(ax, x - 0.2, y + (i + 0.5) * step, row, ha="right")
        if self.rows and self.row_title:
            say(ax, x - 0.2, y - 0.16, self.row_title, NOTE, QUIET, ha="right", va="baseline")
        if self.sums:
            centre = x + self.width + 0.68
            say(ax, centre, y - 0.16, "行和", NOTE, self.sums, ha="center", va="baseline")
            for i, total in enumerate(self.values.sum(axis=1)):
                say(ax, centre, y + (i + 0.5) * step, f"{total:.2f}", NUMBER * 0.9, self.sums, ha="center")

    def _draw_columns(self, ax: Axes, x: float, y: float) -> None:
        step = self.width / self.values.shape[1]
        for j, column in enumerate(self.columns or ()):
            centre = x + (j + 0.5) * step
            if self._slanted:
                where = {"va": "baseline", "rotation": 40, "rotation_mode": "anchor"}
                say(ax, centre - 0.1, y - 0.16, column, **where)
            else:
                where = {"va": "baseline", "ha": "center", "linespacing": 1.0}
                say(ax, centre, y - 0.16, _fold(column), self._column_size, **where)
        if self.column_title:
            say(ax, x, y - self._columns_height - 0.2, self.column_title, NOTE, QUIET, va="baseline")


def draw_small(ax: Axes, grid: Grid, x: float, y: float, caption: str) -> tuple[float, float]:
    """A grid without numbers, its middle at (x, y), a caption below. Returns its left and right edge."""
    # Of a large matrix every n-th row and column is enough for a picture of this size.
    thin = tuple(slice(None, None, -(-side // 32)) for side in grid.values.shape)
    height, width = (0.36 * min(side, 5) for side in grid.values.shape)
    left, top = x - width / 2, y - height / 2
    _paint(ax, left, top, width, height, grid.colours[thin])
    if max(grid.values.shape) <= 5:
        white = {"color": "white", "linewidth": ax.figure.points(0.04)}
        ax.hlines(top + 0.36 * np.arange(1, grid.values.shape[0]), left, left + width, **white)
        ax.vlines(left + 0.36 * np.arange(1, grid.values.shape[1]), top, top + height, **white)
    say_name(ax, left, top - 0.2, grid.name, grid.size, grid.accent)
    say(ax, x, y + height / 2 + 0.35, caption, NOTE, QUIET, ha="center")
    return left, left + width


def join(ax: Axes, left: Grid, right: Grid, corners: Sequence[tuple[float, float]], text: str) -> None:
    """One line along the columns of the left factor and the rows of the right one: their shared size, named."""
    (x, y), (x2, y2), *_ = corners
    below, side = y + left.height + 0.2, x2 - right.left - 0.2
    thick = {"color": MARK, "linewidth": ax.figure.points(0.1), "solid_capstyle": "butt"}
    ax.plot([x, x + left.width], [below, below], **thick)
    ax.plot([side, side], [y2, y2 + right.height], **thick)
    thin = {"color": MARK, "linewidth": ax.figure.points(0.035), "solid_capstyle": "butt"}
    ax.plot([x + left.width, side, side], [below, below, min(below, y2 + right.height)], **thin)
    say(ax, x + left.width / 2, below + 0.4, text, LABEL, MARK, ha="center")


def _paint(ax: Axes, x: float, y: float, width: float, height: float, colours: np.ndarray) -> None:
    """An image of shape (rows, columns, 3) with its corner at (x, y), no smoothing."""
    ax.imshow(colours, extent=(x, x + width, y + height, y), interpolation="nearest", aspect="auto")


def _fold(label: str) -> str:
    """A Chinese label of four to six characters on two lines."""
    return f"{label[:3]}\n{label[3:]}" if 3 < len(label) <= 6 and not label.isascii() else label
