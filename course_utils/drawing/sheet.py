"""A sheet: a figure measured in cells, text on it, and axes inside it."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.text import Text

from ..style import INK, QUIET, CourseFigure
from .text import shorten

# Type sizes and the margin of a sheet, in cells.
NAME, NUMBER, LABEL, NOTE, MARGIN = 0.5, 0.46, 0.36, 0.32, 0.3


def sheet(width: float, height: float, alt: str, screens: int = 1) -> tuple[CourseFigure, Axes]:
    """A figure of width × height cells with one axes over all of it: x to the right, y down, in cells."""
    figure = CourseFigure(width, height, alt, screens)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0), autoscale_on=False)
    ax.set_axis_off()
    return figure, ax


def inset(figure: CourseFigure, x: float, y: float, width: float, height: float) -> Axes:
    """Axes on a sheet, their box given in cells with y down."""
    sheet_width, sheet_height = figure.get_size_inches() * figure.dpi / figure.cell
    return figure.add_axes(
        (x / sheet_width, 1 - (y + height) / sheet_height, width / sheet_width, height / sheet_height)
    )


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
