"""Measured times: their units, their labels, and what is no time."""

import pytest
from support.gallery import LENGTHS, SECONDS
from support.seen import said

from course_utils import figures


def test_timing_uses_the_units_of_a_person():
    words = said(figures.timing(LENGTHS, SECONDS))
    assert {"1 毫秒", "100 微秒", "1024", "逐词元循环", "矩阵形式"} <= set(words)
    assert "10 秒" in said(figures.timing((1, 10), {"慢": (1, 20)}))


def test_a_label_may_be_a_number():
    assert said(figures.timing((1, 2), {1: (0.5, 0.25)})).count("1") == 2


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.timing((1, 2), {"循环": (1.0,)}), "每个长度要有一个时间"),
        (lambda: figures.timing((1, 2), {"循环": (1.0, 0.0)}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, 2), {"循环": (1.0, float("nan"))}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, 2), {"循环": ["a", "b"]}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, 2), {"循环": 1.0}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, float("inf")), {"循环": (1.0, 2.0)}), "长度 L 应当是一组正数"),
        (lambda: figures.timing(5, {"循环": (1.0, 2.0)}), "长度 L 应当是一组正数"),
        (lambda: figures.timing((), {"循环": ()}), "长度 L 应当是一组正数"),
        (lambda: figures.timing((1, 2), [1.0, 2.0]), "没有可画的时间"),
        (lambda: figures.timing((1, 2), {}), "没有可画的时间"),
    ],
)
def test_bad_input_is_answered_in_chinese(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
