"""The figures of the gradients show what was measured."""

import numpy as np
import pytest
from support.saturation_gallery import D_KS, DIVISORS, GRADIENTS, SATURATION, colour
from support.seen import curves, panel, said

from course_utils.saturation import dead_share


@pytest.mark.parametrize(
    ("name", "title", "what"),
    [
        ("query_gradients", "Q 每一行", "q"),
        ("projection_gradients", "整个 W_Q", "W_Q"),
    ],
)
def test_lines_are_medians_and_bands_are_quantiles(name, title, what):
    lines, areas = curves(panel(SATURATION[name](), title))
    for p in DIVISORS:
        lengths = [getattr(found, what) for found in GRADIENTS[p]]
        low, middle, high = ([v.quantile(q) for v in lengths] for q in (0.1, 0.5, 0.9))
        assert np.allclose(lines[colour(p)], middle)
        corners = [*zip(D_KS, low, strict=True), *zip(D_KS, high, strict=True)]
        assert np.allclose(np.unique(areas[colour(p)], axis=0), np.unique(corners, axis=0))


def test_query_gradients_shows_the_share_of_dead_rows():
    lines, _ = curves(panel(SATURATION["query_gradients"](), "收不到"))
    for p in DIVISORS:
        assert lines[colour(p)].tolist() == [dead_share(found.q) for found in GRADIENTS[p]]


def test_projection_gradients_orders_the_rows_of_the_largest_d_k():
    lines, _ = curves(panel(SATURATION["projection_gradients"](), "dₖ = 512"))
    for p in DIVISORS:
        assert lines[colour(p)].tolist() == sorted(GRADIENTS[p][-1].q.tolist())


def test_axes_write_powers_of_ten_like_people():
    words = said(SATURATION["query_gradients"]())
    assert {"1", "0.01", "100", "10⁻⁸", "100%", "0%", "512"} <= set(words)
