"""The running example is the one worked out by hand, and it tells the story it is there for."""

import pytest
import torch
from support import worked_example
from support.worked_example import TOKENS

from course_utils.attention import FULL, ROOT, UNSCALED
from course_utils.example import CHANNELS, CONTENTS, W_K, W_Q, W_V, running_trace
from course_utils.sentence import FEATURES

THIS, BALL = TOKENS.index("打"), TOKENS.index("篮球")


@pytest.mark.parametrize("name", ["X", "W_Q", "W_K", "W_V", "Q", "K", "V"])
def test_integers_are_those_worked_by_hand(name):
    assert torch.equal(getattr(running_trace(), name), getattr(worked_example, name))


def test_scores_weights_and_fusion_are_those_worked_by_hand():
    trace = running_trace()
    assert trace.tokens == TOKENS
    assert torch.allclose(trace.S * 3**0.5, worked_example.QKT, atol=1e-5)
    assert torch.allclose(trace.A, worked_example.A, rtol=0, atol=6e-5)
    assert torch.allclose(trace.B, worked_example.B, rtol=0, atol=6e-5)
    assert torch.equal(running_trace(p=UNSCALED).S, worked_example.QKT)


@pytest.mark.parametrize(("p", "weight"), [(UNSCALED, 0.948), (ROOT, 0.770), (FULL, 0.558)])
def test_weight_of_the_ball_under_each_divisor(p, weight):
    assert running_trace(p=p).A[THIS, BALL].item() == pytest.approx(weight, abs=6e-4)


def test_the_same_word_ends_up_elsewhere_beside_another_object():
    ball, phone = running_trace(), running_trace("我喜欢打电话")
    assert torch.equal(ball.V[THIS], torch.zeros(2))
    assert ball.B[THIS].tolist() == pytest.approx([1.5409, 0.1530], abs=6e-5)
    assert phone.B[THIS].tolist() == pytest.approx([-1.5409, 0.1530], abs=6e-5)


def test_all_sizes_differ_and_each_row_and_column_has_a_name():
    sizes = (L, D, d_k, d_v) = (len(TOKENS), len(FEATURES), len(CHANNELS), len(CONTENTS))
    assert sizes == (4, 5, 3, 2)
    assert W_Q.shape == W_K.shape == (D, d_k)
    assert W_V.shape == (D, d_v)
    assert running_trace().X.shape == (L, D)


def test_an_unknown_word_goes_through_with_its_star():
    trace = running_trace("我 喜欢 打 羽毛球")
    assert trace.tokens == ("我", "喜欢", "打", "羽毛球*")
    assert torch.equal(trace.Q[:3], worked_example.Q[:3])
    assert torch.allclose(trace.A.sum(dim=1), torch.ones(4))
