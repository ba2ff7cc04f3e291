"""Wrong answer -> the message it must give. None passes, none is blamed for the wrong thing."""

import pytest
from support.student_code import run_code
from support.wrong_answers import FUNCTIONS, LAYER, LAYERS, VALUES, answer

from course_utils.exercises.catalogue import find
from course_utils.exercises.judge import judge


@pytest.mark.parametrize(("id", "code", "name"), FUNCTIONS)
def test_the_mistake_is_named(id, code, name):
    verdict = judge(find(id), answer(code))
    assert (verdict.passed, verdict.name) == (False, name), verdict.message


@pytest.mark.parametrize(("right", "wrong", "name"), LAYERS)
def test_the_mistake_in_a_layer_is_named(right, wrong, name):
    assert right in LAYER
    verdict = judge(find("6.2"), run_code(LAYER.replace(right, wrong), "MySelfAttention"))
    assert (verdict.passed, verdict.name) == (False, name), verdict.message


def test_query_and_key_that_share_a_layer_are_both_named():
    code = LAYER.replace("self.W_K = nn.Linear(d_model, d_k, bias=False)", "self.W_K = self.W_Q")
    verdict = judge(find("6.2"), run_code(code, "MySelfAttention"))
    assert "self.W_Q 和 self.W_K" in verdict.message and "查询和键" in verdict.message


def test_the_transpose_is_the_one_that_the_lesson_teaches():
    for id, wrong, right in (
        ("3.1", "Q @ K", "K.T"),
        ("4.1", "Q @ K", "K.T"),
        ("6.1", "after(Q @ K, V)", "K.mT"),
    ):
        code = f"lambda Q, K{', V' * (id == '6.1')}: {wrong}"
        assert judge(find(id), answer(code)).message.endswith(f"写成 {right}。"), id


@pytest.mark.parametrize(("id", "value", "part"), VALUES)
def test_a_wrong_value_gets_its_own_reason(id, value, part):
    verdict = judge(find(id), value)
    assert verdict.passed is False and part in verdict.message
