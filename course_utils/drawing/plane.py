"""Vectors in the plane: axes, hull, arrows, and labels that keep clear of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator

from ..style import PAPER, RULE, CourseFigure
from .sheet import LABEL, NOTE, inset
from .text import text_width


def plane_axes(figure: CourseFigure, x: float, y: float, width: float, height: float, points) -> Axes:
    """Axes with one scale for both directions that hold the origin and the points, (n, 2), with room for labels.

    Ticks far from 1 are counted in a power of ten, which stands above the axes.
    """
    ax = inset(figure, x, y, width, height)
    points = np.vstack([points, (0, 0)])
    low, high = points.min(axis=0), points.max(axis=0)
    box = np.array([width, height])
    # When all points lie in the origin any scale will do.
    extent = (high - low) if points.any() else np.ones(2)
    # Data units per cell; labels need room at the sides.
    scale = max(extent / (box - (3.0, 1.7)))
    left, bottom = (low + high - scale * box) / 2
    ax.set(xlim=(left, left + scale * width), ylim=(bottom, bottom + scale * height))
    ax.spines[:].set_visible(False)
    step = np.diff(MaxNLocator(3, steps=[1, 2, 5, 10]).tick_values(0, max(extent)))[0]
    power = floor(log10(step))
    unit = 1.0 if -2 <= power <= 2 else 10.0**power
    if unit != 1.0:
        note = f"刻度 × 1e{power}".replace("-", "−")
        ax.set_title(note, loc="right", fontsize=figure.points(NOTE * 0.9), pad=figure.points(0.1))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MultipleLocator(step))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / unit:g}".replace("-", "−")))
    ax.tick_params(length=0, labelsize=figure.points(NOTE * 0.9), pad=figure.points(0.1))
    ax.axhline(0, color=RULE, linewidth=figure.points(0.03), zorder=0)
    ax.axvline(0, color=RULE, linewidth=figure.points(0.03), zorder=0)
    return ax


def fill_hull(ax: Axes, points: np.ndarray, colour: str) -> list[tuple]:
    """Fill the convex hull of points, (n, 2): all that a weighted mean of them can reach. Returns its edges."""
    corners = hull(points)
    ax.add_patch(Polygon(corners, facecolor=colour, alpha=0.1, zorder=0))
    edge = {"edgecolor": colour, "linewidth": ax.figure.points(0.03)}
    ax.add_patch(Polygon(corners, fill=False, alpha=0.35, zorder=0, **edge))
    return list(zip(corners, np.roll(corners, -1, axis=0), strict=True))


def dots(ax: Axes, points: np.ndarray, colour) -> None:
    """Points, (n, 2), as discs."""
    size = ax.figure.points(0.24)
    ax.plot(*points.T, "o", color=colour, markersize=size, markeredgecolor=PAPER, zorder=3)


def arrow(ax: Axes, start, end, colour, width: float = 0.07) -> None:
    """An arrow in data coordinates, width in cells; nothing when start and end meet."""
    length = np.hypot(*np.subtract(ax.transData.transform(end), ax.transData.transform(start)))
    length = length / ax.figure.cell
    if length < 0.02:
        return
    how = {
        "arrowstyle": "-|>,head_length=0.5,head_width=0.25",
        "mutation_scale": ax.figure.points(min(4 * width + 0.12, length)),
        "linewidth": ax.figure.points(width),
        "color": colour,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    ax.annotate("", end, start, arrowprops=how, zorder=4)


def place_labels(ax: Axes, labels: Sequence[tuple[str, tuple, str]], lines: Sequence[tuple]) -> None:
    """Write each label (text, point, colour) at the side of its point where it is freest.

    lines: pairs of points, in data coordinates like the points, that labels should keep clear of.
    """

    def in_cells(points):
        return ax.transData.transform(points) / ax.figure.cell

    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    axes_lines = [((left, 0), (right, 0)), ((0, bottom), (0, top))]
    taken = [in_cells([point for _, point, _ in labels])]
    taken += [in_cells(np.linspace(start, end, 60)) for start, end in (*lines, *axes_lines)]
    # A label may stand a little over the edge: there are margins left and right.
    over = np.array((0.3, 0.0))
    lowest, highest = in_cells((left, bottom)) - over, in_cells((right, top)) + over
    sides = np.array(
        [(0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0), (0, -1), (1, -1), (-1, -1), (0.5, 1), (-0.5, 1)]
    )
    box = np.array([(x, y) for x in (-1, -0.5, 0, 0.5, 1) for y in (-1, 0, 1)])
    for text, point, colour in labels:
        half = np.array([text_width(text, LABEL) / 2 + 0.08, 0.24 * (text.count("\n") + 1) + 0.08])
        freedom = {}
        for away in (0.12, 0.35, 0.7):
            for centre in in_cells(point) + sides * (half + away):
                # Distance to the nearest thing in half sizes of the label: below 1 it would be covered.
                nearest = abs((np.vstack(taken) - centre) / half).max(axis=1).min()
                inside = (centre - half > lowest).all() and (centre + half < highest).all()
                freedom[tuple(centre)] = min(nearest, 1.0) if inside else 0.0
        centre = np.array(max(freedom, key=freedom.get))
        taken.append(centre + box * half)
        ax.annotate(
            text,
            ax.transData.inverted().transform(centre * ax.figure.cell),
            fontsize=ax.figure.points(LABEL),
            color=colour,
            ha="center",
            va="center",
            zorder=5,
        )


def hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull of points, (n, 2), counter-clockwise from the leftmost (Andrew's monotone chain)."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) == 1:
        return np.array(ordered)
    return np.array(_half_hull(ordered) + _half_hull(ordered[::-1]))


def _half_hull(line: Sequence[tuple]) -> list[tuple]:
    """The corners on the way along the points that turns to the left only; the last point is left out."""
    corners = []
    for point in line:
        while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= 0:
            corners.pop()
        corners.append(point)
    return corners[:-1]


def _turn(a, b, c) -> float:
    """Positive when the way a -> b -> c turns to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
