"""Numbers as text, and how wide text is."""

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from course_utils.drawing.text import spell, text_width
from course_utils.style import FAMILY


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (2.0, "2.00"),
        (0.7704, "0.77"),
        (-0.577, "−0.58"),
        (-0.001, "0.00"),
        (9.996, "10.0"),
        (12.34, "12.3"),
        (-123.4, "−123"),
        (100_000.0, "1e5"),
        (123_456.0, "1.2e5"),
        (250_000.0, "2.5e5"),
        (-3e12, "−3e12"),
        (-1.04e20, "−1e20"),
    ],
)
def test_spell(value, text):
    assert spell(value) == text


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (-2.0, "−2"), (0.0, "0"), (1024.0, "1024")])
def test_spell_whole_numbers(value, text):
    assert spell(value, whole=True) == text


@pytest.mark.parametrize(
    "text", ["喜欢", "0.77", "one-hot", "basketball*", "v 我、打", "查询：谁在看", "4×512", "−1.54"]
)
def test_text_width_is_near_the_width_of_the_font(text):
    drawn = TextPath((0, 0), text, size=100, prop=FontProperties(family=FAMILY)).get_extents().width / 100
    assert drawn - 0.1 <= text_width(text, 1.0) <= drawn * 1.3 + 0.1


def test_text_width_is_that_of_the_longest_line():
    assert text_width("运动↔\n通讯", 0.5) == text_width("运动↔", 0.5)
