"""What stands in a drawn figure."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from .gallery import pixels


def texts(figure):
    """Every visible text, drawn once so that it has its place."""
    pixels(figure)
    # matplotlib keeps a label for ticks beyond the ends of an axis, and doesn't draw it.
    axes = [axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    undrawn = [
        tick.label1
        for axis in axes
        for tick in axis.get_major_ticks()
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    ]
    undrawn += [
        tick.label1
        for ax in figure.axes
        if not ax.axison
        for tick in (*ax.xaxis.majorTicks, *ax.yaxis.majorTicks)
    ]
    found = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [text for text in found if text not in undrawn]


def said(figure):
    return [text.get_text() for text in texts(figure)]


def cells(figure):
    """(text, cell colour) of each number that stands on a cell."""
    ax = figure.axes[0]
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    at = {
        (round(box.get_x() + box.get_width() / 2, 3), round(box.get_y() + box.get_height() / 2, 3)): box
        for box in boxes
    }
    found = [(text, at.get(tuple(np.round(text.get_position(), 3)))) for text in ax.texts]
    return [(text, box.get_facecolor()[:3]) for text, box in found if box is not None]


def assert_labels_are_clear(figure, labels):
    """No label is cut off at the edge of the figure or covered by another one."""
    assert labels
    boxes = {text: text.get_window_extent() for text in labels}
    width, height = figure.get_size_inches() * figure.dpi
    for text, box in boxes.items():
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height, text
    # Line height is more than ink height, so neighbours may touch by a sixth of a line.
    ink = {text: box.padded(-box.height / 6) for text, box in boxes.items()}
    for a, b in ((a, b) for a in ink for b in ink if id(a) < id(b)):
        assert not ink[a].overlaps(ink[b]), (a, b)


def panel(figure, title):
    """The axes whose title, written on the sheet above them, begins like this."""
    place = next(text for text in texts(figure) if text.get_text().startswith(title)).get_window_extent()
    return min(
        figure.axes[1:],
        key=lambda ax: np.hypot(ax.get_window_extent().x0 - place.x0, ax.get_window_extent().y1 - place.y0),
    )


def curves(ax):
    """Colour -> heights of each line that has one for every d_k, and of the band around it."""
    lines = {to_rgb(line.get_color()): np.asarray(line.get_ydata()) for line in ax.get_lines()}
    bands = {
        tuple(band.get_facecolor()[0, :3]): np.unique(band.get_paths()[0].vertices, axis=0)
        for band in ax.collections
    }
    return lines, bands
