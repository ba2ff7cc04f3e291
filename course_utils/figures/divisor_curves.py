"""Curves for the divisors d_k^p: each has its colour and line style everywhere.

A line is a median; the pale band around it goes from the 10 % to the 90 % quantile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from ..attention import FULL, ROOT, UNSCALED
from ..drawing.panel import panel
from ..drawing.sheet import LABEL, say
from ..drawing.text import text_width
from ..style import KEY, MARK, VALUE

# Where the left and the right panel of a figure begin, and their size, in cells.
LEFT, RIGHT, SIZE = 1.4, 9.0, (5.2, 4.2)
# Name, colour and line style of each divisor d_k^p.
_DIVISORS = {
    UNSCALED: ("÷ 1（不缩放）", MARK, "-"),
    ROOT: ("÷ √dₖ", VALUE, "--"),
    FULL: ("÷ dₖ", KEY, ":"),
}
_D_K_TICKS = (1, 8, 64, 512)


def look_of(p: float) -> tuple[str, str, str]:
    """Name, colour and line style of the divisor d_k^p. Raises ValueError (in Chinese) unless p is one of three."""
    if p not in _DIVISORS:
        raise ValueError(f"这里只画三种除数：p = 0（不缩放）、0.5（√dₖ）、1（dₖ），现在是 p = {p!r}。")
    return _DIVISORS[p]


def legend(ax: Axes, x: float, y: float, ps: Iterable[float]) -> None:
    """One row on the sheet: a piece of line and the name of each divisor."""
    for p in ps:
        name, colour, style = look_of(p)
        ax.plot([x, x + 0.9], [y, y], style, color=colour, linewidth=ax.figure.points(0.08))
        say(ax, x + 1.1, y, name, LABEL, colour)
        x += 1.9 + text_width(name, LABEL)


def over_d_k(
    ax: Axes, x: float, y: float, width: float, height: float, title: str, d_ks: Sequence[int], **how
) -> Axes:
    """A panel with d_k from left to right; how: what else panel takes."""
    inner = panel(ax, x, y, width, height, title, **how)
    inner.set_xscale("log", base=2)
    inner.set_xlim(d_ks[0], d_ks[-1])
    inner.set_xticks(_D_K_TICKS, map(str, _D_K_TICKS))
    inner.xaxis.set_minor_locator(NullLocator())
    points = ax.figure.points
    inner.set_xlabel("dₖ", fontsize=points(LABEL), labelpad=points(0.05))
    return inner


def band_of(ax: Axes, xs, values, p: float) -> None:
    """values: lower ends, medians and upper ends."""
    low, middle, high = values
    ax.fill_between(xs, low, high, color=look_of(p)[1], alpha=0.16, linewidth=0)
    line_of(ax, xs, middle, p)


def line_of(ax: Axes, xs, values, p: float) -> None:
    """One line in the colour of the divisor."""
    _, colour, style = look_of(p)
    ax.plot(xs, values, style, color=colour, linewidth=ax.figure.points(0.08))
