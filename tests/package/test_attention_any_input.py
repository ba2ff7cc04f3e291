"""Whatever a student passes instead of a matrix or a number: a result, or an error in Chinese."""

import math
import re

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch import nn

from course_utils.attention import SelfAttention, Trace, attention, divisor, fuse, project, scores, softmax

CHINESE = re.compile("[\u4e00-\u9fff]")
DTYPES = [torch.float32] * 6 + [
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.bool,
    torch.complex64,
]
FILLS = [1.0] * 6 + [0.0, -300.0, 1e30, math.nan, math.inf, -math.inf]


@st.composite
def anything(draw):
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([None, 3, 0.5, "X", [[1.0]], np.ones((2, 2)), nn.Linear(2, 2), object()]))
    shape = draw(st.lists(st.sampled_from([2, 2, 2, 1, 3, 0]), max_size=4))
    return torch.full(shape, draw(st.sampled_from(FILLS)), dtype=torch.float64).to(
        draw(st.sampled_from(DTYPES))
    )


CALLS = {
    "project": (project, 2),
    "scores": (scores, 2),
    "softmax": (softmax, 1),
    "fuse": (fuse, 2),
    "attention": (attention, 3),
    "Trace.of": (lambda *M: Trace.of(*M, tokens=("我", "喜欢")), 4),
    "SelfAttention": (lambda X: SelfAttention(2, 2)(X), 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_any_input_gives_a_result_or_a_chinese_error(name):
    call, count = CALLS[name]
    outcomes = set()

    @settings(max_examples=100)
    @given(inputs=st.tuples(*[anything()] * count))
    @example(inputs=(torch.ones(2, 2),) * count)
    def run(inputs):
        try:
            call(*inputs)
        except (ValueError, TypeError) as error:
            assert type(error) in (ValueError, TypeError)
            assert CHINESE.search(str(error)), error
            outcomes.add("error")
        else:
            outcomes.add("result")

    run()
    assert outcomes == {"result", "error"}


@given(p=st.one_of(st.floats(), st.integers(), st.none(), st.text(), st.complex_numbers(), st.booleans()))
def test_any_exponent_gives_a_number_or_a_chinese_error(p):
    try:
        number = divisor(3, p)
    except ValueError as error:
        assert type(error) is ValueError
        assert CHINESE.search(str(error)), error
    else:
        assert 0 < number < math.inf
