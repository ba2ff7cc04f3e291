"""Drawing primitives: a sheet measured in cells, and matrices as grids of numbers on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from ..style import INK, INPUT, MARK, NEGATIVE, QUIET, ZERO, CourseFigure

# A matrix with more rows or columns than this is drawn as colours alone, so many cells wide or high.
MAX_NUMBERS, IMAGE_SIDE = 16, 7
# Type sizes and the margin of a sheet, in cells.
NAME, NUMBER, LABEL, NOTE, MARGIN = 0.5, 0.46, 0.36, 0.32, 0.3
# Names and labels beyond this many characters are shortened.
LONGEST = 24


def numbers(M, name: str) -> np.ndarray:
    """M (tensor, array or nested lists) as a float array of shape (rows, columns).

    Raises ValueError (in Chinese) unless M is a non-empty matrix of finite real numbers,
    TypeError unless name is a string.
    """
    if not isinstance(name, str):
        raise TypeError(f"name 是矩阵的名字，应当是一个字符串，例如 'X'，现在是 {name!r:.60}。")
    try:
        if isinstance(M, torch.Tensor):
            M = M.detach().cpu().to_dense()
            # numpy has no bfloat16.
            M = M.numpy(force=True) if M.is_complex() else M.double().numpy()
        values = np.asarray(M)
        values = values if np.iscomplexobj(values) else values.astype(float)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise ValueError(
            f"{name} 应当是由数组成的矩阵，每行一样长，例如 torch.tensor([[1., 2.]])，现在是 {M!r:.60}。"
        ) from None
    if values.ndim != 2 or values.size == 0:
        raise ValueError(
            f"{name} 应当是非空的二维矩阵（行 × 列），现在的形状是 {values.shape}。"
            f"如果前面有批次维，请取出其中一个，例如 {name}[0]。"
        )
    if np.iscomplexobj(values):
        raise ValueError(f"{name} 里有复数，格子里只写得下实数。试试 {name}.real 或 {name}.abs()。")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} 里有 NaN 或 inf，画不出来。请检查它是怎么算出来的。")
    return values


def labels(given: Sequence[str] | None, count: int, side: str, name: str) -> tuple[str, ...] | None:
    """The labels as a tuple; side is 行 or 列. Raises ValueError unless there are count of them."""
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(f"{name} 的{side}标签应当是一组词，例如 ('我', '喜欢')，现在是 {given!r:.60}。")
    given = tuple(str(label) for label in given)
    if len(given) != count:
        raise ValueError(
            f"{name} 有 {count} {side}，却给了 {len(given)} 个标签：{'、'.join(given)}。每{side}要有一个标签。"
        )
    return tuple(map(shorten, given))


def shorten(text: str) -> str:
    """A name or label that would push everything else aside, cut."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def spell(value: float, whole: bool = False) -> str:
    """A number as cells show it: zero and whole numbers short, others with two or three digits, a true minus."""
    size = abs(value)
    if size >= 1e5:
        text = f"{value:.1e}".replace(".0e", "e").replace("e+0", "e").replace("e+", "e")
    elif whole or value == 0 or size >= 100:
        text = f"{value:.0f}"
    else:
        text = f"{value:.2f}" if size < 9.995 else f"{value:.1f}"
    return text.removeprefix("-") if not text.strip("-0.") else text.replace("-", "−")


def tint(shares, accent: str, strength: float = 1.0) -> np.ndarray:
    """Colours, (..., 3), of cells: pale where a share is 0, the accent at 1, grey at -1, all as far as strength."""
    shares = np.clip(shares, -1.0, 1.0)[..., np.newaxis]
    pale, full = np.array(to_rgb(ZERO)), np.where(shares > 0, to_rgb(accent), to_rgb(NEGATIVE))
    return pale + strength * abs(shares) * (full - pale)


def contrast(a, b) -> float:
    """Contrast ratio of two colours, 1 to 21, as WCAG 2.1 defines it."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(background) -> str:
    """White where that gives a contrast of 4.5, else black, which then gives more than that."""
    return "white" if contrast("white", background) >= 4.5 else "black"


def text_width(text: str, size: float) -> float:
    """Width of the longest line in cells, near enough for a layout: CJK a full em, the rest 0.57 of it."""
    return size * max(
        sum(1.0 if ord(c) > 0x2E7F or c in "×→↔" else 0.57 for c in line) for line in text.split("\n")
    )


def sheet(width: float, height: float, alt: str, screens: int = 1) -> tuple[CourseFigure, Axes]:
    """A figure of width × height cells with one axes over all of it: x to the right, y down, in cells."""
    figure = CourseFigure(width, height, alt, screens)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0), autoscale_on=False)
    ax.set_axis_off()
    return figure, ax


def say(ax: Axes, x: float, y: float, text: str, size: float = LABEL, color: str = INK, **how) -> Text:
    """Text at a place on a sheet, its middle at height y unless va says otherwise; size in cells."""
    return ax.text(
        x, y, text, fontsize=ax.figure.points(size), color=color, **{"va": "center_baseline", **how}
    )


def say_name(ax: Axes, x: float, y: float, name: str, size: str, accent: str) -> None:
    """The name of a matrix, W_Q with its Q lowered, followed by its size; y is the baseline."""
    stem, _, index = shorten(name).partition("_")
    last = say(ax, x, y, stem, NAME, accent, va="baseline")
    if index:
        last = _follow(last, y + 0.1, index, 0.7 * NAME, accent)
    _follow(last, y, size, LABEL, QUIET, right=0.2)


def paint(ax: Axes, x: float, y: float, width: float, height: float, colours: np.ndarray) -> None:
    """An image of shape (rows, columns, 3) with its corner at (x, y), no smoothing."""
    ax.imshow(colours, extent=(x, x + width, y + height, y), interpolation="nearest", aspect="auto")


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
        return tint(self.values / (self.limit or abs(self.values).max() or 1.0), self.accent, self.strength)

    def draw(self, ax: Axes, x: float, y: float, top: float) -> None:
        """Draw with the corner of the first cell at (x, y) and the heading top cells above it."""
        say_name(ax, x, y - top + 0.4, self.name, self._beside_name, self.accent)
        if self.spelled:
            self._draw_cells(ax, x, y)
        else:
            paint(ax, x, y, self.width, self.height, self.colours)
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
    paint(ax, left, top, width, height, grid.colours[thin])
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


def _follow(before: Text, y: float, text: str, size: float, color: str, right: float = 0.0) -> Text:
    """Text on the baseline y, right behind another one, however wide that turns out."""
    points = before.axes.figure.points
    return before.axes.annotate(
        text,
        (1, y),
        xycoords=(before, "data"),
        xytext=(points(right), 0),
        textcoords="offset points",
        fontsize=points(size),
        color=color,
        va="baseline",
    )


def _fold(label: str) -> str:
    """A Chinese label of four to six characters on two lines."""
    return f"{label[:3]}\n{label[3:]}" if 3 < len(label) <= 6 and not label.isascii() else label


def _luminance(colour) -> float:
    c = np.array(to_rgb(colour))
    return float(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722))
