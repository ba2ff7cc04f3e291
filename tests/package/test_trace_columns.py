"""The names that the columns of a Trace may have."""

from dataclasses import replace

import pytest
import torch

from course_utils.attention import Trace
from course_utils.example import CHANNELS, CONTENTS, running_trace
from course_utils.sentence import FEATURES

X, W, W_V = torch.eye(2), torch.rand(2, 3), torch.rand(2, 1)


def trace(**names):
    return Trace.of(X, W, W, W_V, ("我", "打"), **names)


def test_columns_have_no_names_unless_they_are_given():
    assert (trace().features, trace().channels, trace().contents) == (None, None, None)
    named = trace(features=["甲", "乙"], channels=("丙", "丁", "戊"), contents=("己",))
    assert (named.features, named.channels, named.contents) == (("甲", "乙"), ("丙", "丁", "戊"), ("己",))
    assert replace(named, A=torch.eye(2)).contents == ("己",)


@pytest.mark.parametrize("text", ["我喜欢打篮球", "我 踢 什么"])
def test_the_running_example_names_its_columns(text):
    example = running_trace(text)
    assert (example.features, example.channels, example.contents) == (FEATURES, CHANNELS, CONTENTS)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"features": ("甲",)}, r"features 是 X 各列的名字，应当有 2 个，.*现在是 \('甲',\)"),
        ({"channels": ("甲", "乙")}, "channels 是 Q 各列的名字，应当有 3 个"),
        ({"contents": "甲"}, "contents 是 V 各列的名字，应当有 1 个，.*现在是 '甲'"),
        ({"contents": 1}, "contents 是 V 各列的名字，应当有 1 个，.*现在是 1"),
        ({"contents": ()}, "contents 是 V 各列的名字，应当有 1 个"),
    ],
)
def test_names_that_fit_no_column_are_answered_in_chinese(names, message):
    with pytest.raises(ValueError, match=message):
        trace(**names)
