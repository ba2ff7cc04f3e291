"""A panel: axes for curves on a sheet, with a title above and few, readable ticks."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ..style import RULE
from .sheet import LABEL, NOTE, inset, say
from .text import spell_power


def panel(
    ax: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    title: str,
    limits: tuple[float, float] | None = None,
    log: bool = False,
    percent: bool = False,
) -> Axes:
    """Axes on the sheet ax, their box in cells. limits, log and percent concern the heights of the curves."""
    figure = ax.figure
    say(ax, x, y - 0.4, title, LABEL)
    inner = inset(figure, x, y, width, height)
    if log:
        inner.set_yscale("log")
        inner.yaxis.set_major_locator(LogLocator(numticks=6))
        inner.yaxis.set_major_formatter(FuncFormatter(lambda value, _: spell_power(value)))
    if percent:
        inner.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
    if limits:
        inner.set_ylim(*limits)
    inner.xaxis.set_minor_locator(NullLocator())
    inner.yaxis.set_minor_locator(NullLocator())
    inner.tick_params(labelsize=figure.points(NOTE), length=figure.points(0.08))
    inner.spines[["top", "right"]].set_visible(False)
    inner.grid(axis="y", color=RULE, linewidth=figure.points(0.02))
    return inner


def beside(ax: Axes, text: str, point: tuple[float, float], colour: str, gap: float = 0.25) -> None:
    """Text to the right of a point of the curves, gap cells away."""
    points = ax.figure.points
    how = {"fontsize": points(LABEL), "color": colour, "va": "center", "annotation_clip": False}
    ax.annotate(text, point, xytext=(points(gap), 0), textcoords="offset points", **how)
