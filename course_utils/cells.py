"""Drawing primitives: a sheet measured in cells, and matrices as grids of numbers on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from .style import EMPTY_CELL, INK, INPUT, NEGATIVE, QUIET, CourseFigure

# Beyond this many rows or columns a matrix is drawn as colours alone.
MAX_NUMBERS = 16
# Type sizes, in cells.
NUMBER, LABEL, NAME, NOTE = 0.42, 0.36, 0.5, 0.32
MARGIN = 0.3


def numbers(M, name: str) -> np.ndarray:
    """M (tensor, array or nested lists) as a float array of shape (rows, columns).

    Raises ValueError (in Chinese) unless M is a non-empty matrix of finite numbers.
    """
    try:
        values = np.asarray(M.detach().cpu() if hasattr(M, "detach") else M, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} 应当是由数组成的矩阵，例如 torch.tensor([[1., 2.]])，现在是 {M!r:.60}。"
        ) from None
    if values.ndim != 2 or values.size == 0:
        raise ValueError(
            f"{name} 应当是二维矩阵（行 × 列），现在的形状是 {values.shape}。"
            "如果前面有批次维，请取出其中一个，例如 M[0]。"
        )
    if not np.isfinite(values).all():
        raise ValueError(f"{name} 里有 NaN 或 inf，画不出来。请检查它是怎么算出来的。")
    return values


def labels(given: Sequence[str] | None, count: int, what: str, name: str) -> tuple[str, ...] | None:
    """The labels as a tuple; what is 行 or 列. Raises ValueError unless there is one for each."""
    if given is None:
        return None
    if isinstance(given, str) or len(given) != count:
        raise ValueError(
            f"{name} 有 {count} {what}，却给了 {len(given)} 个标签：{given!r}。每{what}要有一个标签。"
        )
    return tuple(str(label) for label in given)


def spell(value: float, whole: bool) -> str:
    """A number as cells show it: integers whole, others with two or three digits, a true minus sign."""
    size = abs(value)
    if value == 0:
        text = "0"
    elif size >= 1e5:
        text = f"{value:.0e}".replace("e+0", "e")
    elif whole or size >= 100:
        text = f"{value:.0f}"
    else:
        text = f"{value:.2f}" if size < 10 else f"{value:.1f}"
    return text.replace("-", "−")


def tint(share: float, accent: str, strength: float = 1.0) -> tuple[float, float, float]:
    """Cell colour for a share of the largest size, -1 to 1: pale at 0, accent at 1, grey-blue at -1."""
    mix = strength * min(abs(share), 1.0)
    pale, full = np.array(to_rgb(EMPTY_CELL)), np.array(to_rgb(accent if share > 0 else NEGATIVE))
    return tuple(pale + mix * (full - pale))


def luminance(colour) -> float:
    """Relative luminance, 0 to 1, as WCAG 2 defines it."""
    c = np.array(to_rgb(colour))
    return float(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722))


def ink_on(background) -> str:
    """Black or white, whichever stands out more: the contrast is never below 4.58."""
    light = luminance(background)
    return "black" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "white"


def text_width(text: str, size: float) -> float:
    """Width of a line of text in cells, near enough for laying out: CJK a full em, the rest 0.57 of it."""
    return size * max(
        sum(1.0 if ord(c) > 0x2E7F or c in "×→↔" else 0.57 for c in line) for line in text.split("\n")
    )


def sheet(width: float, height: float, alt: str) -> tuple[CourseFigure, Axes]:
    """An empty figure of width × height cells with one axes over all of it: x to the right, y down, in cells."""
    figure = CourseFigure(width, height, alt)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    return figure, ax


def say(ax: Axes, x: float, y: float, text: str, size: float = LABEL, color: str = INK, **how):
    """Text at a place on a sheet; size in cells, by default vertically centred on y."""
    how.setdefault("va", "center_baseline")
    return ax.text(x, y, text, fontsize=ax.figure.points(size), color=color, **how)


@dataclass(frozen=True)
class Grid:
    """A matrix as a picture: a grid of numbers with its name and size, row and column labels.

    limit: the size of number that gets the full accent colour, by default the largest in values.
    strength: how much of the accent colour that is. title: what stands in place of the size.
    row_title, column_title: what the rows and columns are. sums: a further column with the sum of each row.
    """

    values: np.ndarray
    name: str
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    accent: str = INPUT
    limit: float | None = None
    strength: float = 0.5
    title: str | None = None
    row_title: str = ""
    column_title: str = ""
    sums: bool = False

    @property
    def spelled(self) -> bool:
        """Whether the cells are large enough for numbers."""
        return max(self.values.shape) <= MAX_NUMBERS

    @property
    def width(self) -> float:
        """Width of the cells alone."""
        return self.values.shape[1] if self.values.shape[1] <= MAX_NUMBERS else 12.0

    @property
    def height(self) -> float:
        """Height of the cells alone."""
        return self.values.shape[0] if self.values.shape[0] <= MAX_NUMBERS else 8.0

    @property
    def size(self) -> str:
        return "×".join(map(str, self.values.shape)) if self.title is None else self.title

    @property
    def left(self) -> float:
        """Room for the row labels."""
        widths = [text_width(label, LABEL) for label in self.rows or ("",)]
        return max(*widths, text_width(self.row_title, NOTE) - 0.1, 0) + (0.25 if self.rows else 0)

    @property
    def right(self) -> float:
        """Room that the heading or the row sums need beyond the cells."""
        heading = text_width(self.name, NAME) + text_width(self.size, LABEL) + 0.3 - self.width
        return max(heading, 1.25 if self.sums else 0, 0)

    @property
    def slanted(self) -> bool:
        """Whether the column labels are too long to stand level above a cell."""
        return any(text_width(label, LABEL) > 1.0 for label in _folded(self.columns or ()))

    @property
    def top(self) -> float:
        """Room for the heading, the column title and the column labels."""
        room = 0.85 + (0.5 if self.column_title else 0)
        if self.columns and self.slanted:
            return room + 0.35 + 0.65 * max(text_width(label, LABEL) for label in self.columns)
        if self.columns:
            return room + 0.42 * max(label.count("\n") + 1 for label in _folded(self.columns))
        return room

    def draw(self, ax: Axes, x: float, y: float) -> None:
        """Draw with the corner of the first cell at (x, y)."""
        self._heading(ax, x, y - self.top + 0.4)
        if self.spelled:
            self._cells(ax, x, y)
        else:
            self._image(ax, x, y)
        self._labels(ax, x, y)
        if self.sums:
            say(ax, x + self.width + 0.65, y - 0.25, "行和", NOTE, QUIET, ha="center")
            for i, total in enumerate(self.values.sum(axis=1)):
                say(ax, x + self.width + 0.65, y + i + 0.5, f"{total:.2f}", LABEL, QUIET, ha="center")

    def _heading(self, ax: Axes, x: float, y: float) -> None:
        name = say(ax, x, y, self.name, NAME, self.accent, va="baseline")
        ax.annotate(
            self.size,
            (1, y),
            xycoords=(name, "data"),
            xytext=(ax.figure.points(0.2), 0),
            textcoords="offset points",
            fontsize=ax.figure.points(LABEL),
            color=QUIET,
            va="baseline",
        )

    def _cells(self, ax: Axes, x: float, y: float) -> None:
        whole = bool((self.values == self.values.round()).all())
        texts = [spell(value, whole) for value in self.values.flat]
        size = min(NUMBER, 0.86 / max(text_width(text, 1) for text in texts))
        limit = self.limit or abs(self.values).max() or 1
        for (i, j), value in np.ndenumerate(self.values):
            colour = tint(value / limit, self.accent, self.strength)
            ax.add_patch(Rectangle((x + j + 0.03, y + i + 0.03), 0.94, 0.94, facecolor=colour, linewidth=0))
            ink = QUIET if value == 0 else ink_on(colour)
            say(ax, x + j + 0.5, y + i + 0.5, texts[i * self.values.shape[1] + j], size, ink, ha="center")

    def _image(self, ax: Axes, x: float, y: float) -> None:
        limit = self.limit or abs(self.values).max() or 1
        colours = np.array([[tint(value / limit, self.accent, 1.0) for value in row] for row in self.values])
        ax.imshow(
            colours,
            extent=(x, x + self.width, y + self.height, y),
            interpolation="nearest",
            aspect="auto",
        )
        ax.set(xlim=ax.get_xlim(), ylim=ax.get_ylim())

    def _labels(self, ax: Axes, x: float, y: float) -> None:
        step_x, step_y = self.width / self.values.shape[1], self.height / self.values.shape[0]
        for i, label in enumerate(self.rows or ()):
            say(ax, x - 0.18, y + (i + 0.5) * step_y, label, ha="right")
        for j, label in enumerate(self.columns or ()):
            centre = x + (j + 0.5) * step_x
            if self.slanted:
                say(ax, centre - 0.15, y - 0.12, label, va="bottom", rotation=40, rotation_mode="anchor")
            else:
                say(ax, centre, y - 0.12, _folded((label,))[0], ha="center", va="bottom", linespacing=1.0)
        if self.row_title:
            say(ax, x - 0.18, y - 0.3, self.row_title, NOTE, QUIET, ha="right")
        if self.column_title:
            say(ax, x, y - self.top + 1.0, self.column_title, NOTE, QUIET)


def _folded(columns: Sequence[str]) -> tuple[str, ...]:
    """Chinese labels of four to six characters on two lines."""
    return tuple(
        f"{label[:3]}\n{label[3:]}" if 3 < len(label) <= 6 and not label.isascii() else label
        for label in columns
    )


def side_by_side(grids: Sequence[Grid], between: Sequence[str], alt: str, foot: float = 0.0):
    """Draw grids in a row, signs such as × and = between them, and foot cells of room under them.

    Returns the figure, its axes, and the corner (x, y) of each grid's first cell.
    """
    if not all(grid.spelled for grid in grids):
        foot += 0.6
    gaps = [text_width(sign, NAME) + 0.5 for sign in between]
    width = 2 * MARGIN + sum(grid.left + grid.width + grid.right for grid in grids) + sum(gaps)
    above = max(grid.top + (grid.height) / 2 for grid in grids)
    below = max(grid.height / 2 for grid in grids)
    figure, ax = sheet(width, MARGIN + above + below + foot + MARGIN, alt)
    middle = MARGIN + above
    corners, x = [], MARGIN
    for grid, sign, gap in zip(grids, (*between, ""), (*gaps, 0), strict=True):
        x += grid.left
        corners.append((x, middle - grid.height / 2))
        grid.draw(ax, *corners[-1])
        x += grid.width + grid.right
        say(ax, x + gap / 2, middle, sign, NAME, QUIET, ha="center")
        x += gap
    if not all(grid.spelled for grid in grids):
        note = f"超过 {MAX_NUMBERS} 行或列的矩阵只画颜色，不写数字。"
        say(ax, MARGIN, middle + below + foot - 0.2, note, NOTE, QUIET)
    return figure, ax, corners
