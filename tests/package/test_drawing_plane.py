"""The drawing primitives for the plane: the hull against what makes a hull a hull."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.drawing.plane import hull, plane_axes
from course_utils.drawing.sheet import sheet

COORDINATES = st.integers(-20, 20).map(float)


def turns(corners):
    """Twice the area of each corner's triangle, positive where the way round turns left."""
    before, after = np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)
    (x1, y1), (x2, y2) = (corners - before).T, (after - corners).T
    return x1 * y2 - y1 * x2


@given(st.lists(st.tuples(COORDINATES, COORDINATES), min_size=1, max_size=12))
def test_hull_is_convex_made_of_the_points_and_holds_them_all(points):
    points = np.array(points)
    corners = hull(points)
    assert {tuple(corner) for corner in corners} <= {tuple(point) for point in points}
    assert len({tuple(corner) for corner in corners}) == len(corners)
    if len(corners) > 2:
        assert (turns(corners) > 0).all()
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        (x, y), (px, py) = end - start, (points - start).T
        assert (x * py - y * px >= 0).all()  # every point lies to the left of every edge
    assert points.min(axis=0).tolist() == corners.min(axis=0).tolist()
    assert points.max(axis=0).tolist() == corners.max(axis=0).tolist()


@pytest.mark.parametrize("size", [1e-10, 1e-5, 0.003, 0.7, 3.0, 456.0, 1e4, 1e20])
def test_hull_does_not_depend_on_the_unit(size):
    points = np.array([(0, 0), (1, 0), (0.5, 0.1), (1, 1), (0, 1)]) * size
    assert hull(points).tolist() == points[[0, 1, 3, 4]].tolist()


@pytest.mark.parametrize("size", [0.0, 1e-10, 1e-5, 0.003, 0.7, 3.0, 456.0, 1e4, 1e20])
def test_a_few_short_ticks_whatever_the_size(size):
    figure, _ = sheet(13, 10, "")
    view = plane_axes(figure, 1.0, 0.8, 11, 7.2, size * np.array([(-1, -0.6), (1, 0.6)]))
    low, high = view.get_xlim()
    assert 3 <= sum(low <= x <= high for x in view.get_xticks()) <= 9
    figure.canvas.draw()
    for label in view.get_yticklabels():
        assert label.get_window_extent().x0 >= 0, label


@pytest.mark.parametrize(("size", "unit"), [(1.0, ""), (2e-10, "刻度 × 1e−10"), (3e20, "刻度 × 1e20")])
def test_the_power_of_ten_stands_beside_the_axes(size, unit):
    figure, _ = sheet(13, 10, "")
    view = plane_axes(figure, 1.0, 0.8, 11, 7.2, np.array([(size, 0), (0, size)]))
    figure.canvas.draw()
    assert view.get_title("right") == unit
    assert max(len(label.get_text()) for label in view.get_xticklabels()) <= 4
