"""What exercises, quizzes and mistakes say: numbers as they are computed, and one word for each thing."""

import re
from dataclasses import fields, is_dataclass

import pytest
import torch

from course_utils.attention import ROOT, UNSCALED
from course_utils.example import running_trace
from course_utils.exercises.catalogue import EXERCISES, QUESTIONS
from course_utils.exercises.form_messages import FORM
from course_utils.saturation import dead_share, gradients

TRACE = running_trace()


def texts(thing):
    """Every string in it, however deep: tuples, dictionaries and dataclasses."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        yield from (text for pair in thing.items() for part in pair for text in texts(part))
    elif isinstance(thing, (tuple, list)):
        yield from (text for part in thing for text in texts(part))
    elif is_dataclass(thing):
        yield from (text for field in fields(thing) for text in texts(getattr(thing, field.name)))


SAID = list(texts((EXERCISES, QUESTIONS, FORM)))


@pytest.mark.parametrize(
    "word",
    [
        "手写",
        "太平(?!坦)",
        "尺寸",
        "教材",
        "最常见",
        "权重矩阵 W|W_.{0,4}权重",
        "(?<!最)大小",
        "变压器",
        "您",
    ],
)
def test_a_word_that_the_course_does_not_use(word):
    assert len(SAID) > 500
    assert [text for text in SAID if re.search(word, text)] == []


def the_one(part):
    (text,) = (text for text in SAID if part in text)
    return text


def numbers(text):
    return [float(number) for number in re.findall(r"\d+\.\d+|\d+", text)]


def test_two_tokens_that_look_at_each_other():
    text = the_one("的点积都是")
    M = TRACE.Q @ TRACE.K.T
    measured = [2, 4, 4, 2, M[1, 3], round(TRACE.A[1, 3].item(), 2), round(TRACE.A[3, 1].item(), 2)]
    assert M[1, 3] == M[3, 1] and numbers(text) == [float(number) for number in measured]


def test_with_one_matrix_for_both_the_table_of_scores_is_symmetric_and_the_weights_are_not():
    S = TRACE.Q @ TRACE.Q.T / 3**0.5
    A = torch.softmax(S, dim=-1)
    assert torch.equal(S, S.T) and not torch.allclose(A, A.T, atol=0.05)
    (said,) = {mistake.message for mistake in _mistakes() if mistake.name == "one_weight_for_q_and_k"}
    assert "得分表是对称的" in said and "分不开" not in said


def _mistakes():
    return [mistake for exercise in EXERCISES for mistake in getattr(exercise.asks, "mistakes", ())]


def test_who_loses_the_gradient_and_what_becomes_of_the_norms():
    """At L = 4 and d_k = 512, as the questions say."""
    raw, scaled = (gradients(512, p) for p in (UNSCALED, ROOT))
    for name, part in (("q", "量出来是 52%"), ("k", "K 是 29%"), ("v", "V 是 17%")):
        (percent,) = re.findall(r"(\d+)%", the_one(part))
        assert round(100 * dead_share(getattr(raw, name))) == int(percent)
    assert 1.8 < raw.W_V.median() / scaled.W_V.median() < 2 and "将近两倍" in the_one("V 是 17%")
    assert round((raw.W_Q.median() / scaled.W_Q.median()).item()) == 6 and "6 倍" in the_one("一半以上的查询")
    assert "L = 4、dₖ = 512" in the_one("谁有一半以上的行") and "L = 4、dₖ = 512" in the_one("一半以上的查询")
