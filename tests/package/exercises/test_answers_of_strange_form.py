"""Answers of any strange form get a sentence, never a traceback, and it quotes the student's own line."""

import statistics
import sys

import numpy as np
import pytest
import torch
from support.student_code import run_code

from course_utils.attention import SelfAttention
from course_utils.exercises.catalogue import find
from course_utils.exercises.judge import judge

STRANGE = [
    ("3.2", lambda S: 1 / 0, "error", "ZeroDivisionError"),
    ("3.2", lambda S: undefined_name, "name_error", "undefined_name"),  # noqa: F821
    ("3.2", lambda S: [][1], "error", "IndexError"),
    ("3.2", lambda S: sys.exit(), "exited", "return"),
    ("3.2", lambda S: sys.exit("好了"), "exited", "sys.exit()"),
    ("3.2", lambda S: input("S?"), "input", "要用的都在参数里"),
    ("3.2", lambda S: S.nothing, "error", "nothing"),
    ("3.2", lambda: 1, "wrong_parameters", "传入 S"),
    ("3.2", lambda S: None, "none", "return"),
    ("3.2", lambda S: S.tolist(), "list", "torch.tensor"),
    ("3.2", lambda S: S.numpy(), "numpy", "numpy"),
    ("3.2", lambda S: "A", "not_a_tensor", "str"),
    ("3.2", lambda S: 1.0, "not_a_tensor", "float"),
    ("3.2", lambda S: torch.softmax(S, -1).to(torch.complex64), "dtype", "complex64"),
    ("3.2", lambda S: torch.softmax(S, -1) > 0.5, "dtype", "bool"),
    ("3.2", lambda S: S * float("nan"), "nan", "NaN"),
    ("3.2", lambda S: torch.softmax(S, -1)[:, :1], "shape", "(4, 1)"),
    ("3.2", lambda S: torch.softmax(S, -1)[None], "shape", "(1, 4, 4)"),
    ("3.2", lambda S: torch.tensor(0.25), "shape", "()"),
    ("3.2", lambda S: S[:0], "empty", "(0, 4)"),
    ("3.2", lambda S: torch.zeros(4, 0), "empty", "(4, 0)"),
    ("3.1", lambda Q, K: Q[:0] @ K.T, "empty", "(0, 4)"),
    ("3.2", lambda S: torch.softmax(S, -1).to_sparse(), "layout", "to_dense"),
    ("3.2", lambda S: torch.nested.as_nested_tensor([S, S]), "layout", "nested"),
    ("3.2", lambda S: torch.softmax(S, -1).to("meta"), "layout", "meta"),
    ("3.2", torch.ones(4, 4), "not_a_function", "my_softmax"),
    ("3.2", None, "not_a_function", "NoneType"),
    ("6.2", lambda a, b, c: None, "not_a_layer", "NoneType"),
    ("1.3", print, "not_a_value", "请先算出来"),
    ("1.3", None, "not_a_value", "NoneType"),
    ("3.3", 3, "value_type", "还不对"),
    ("6.3", np.array([4, 4]), "value_type", "一个数"),
    ("6.3", torch.empty(2, device="meta"), "unjudged", "Tensor"),
    ("6.2", SelfAttention(5, 3, 2), "layer_called", "请交类本身，不要加括号"),
]


@pytest.mark.parametrize(("id", "answer", "name", "part"), STRANGE)
def test_an_answer_of_strange_form_gets_a_sentence(id, answer, name, part):
    verdict = judge(find(id), answer)
    assert (verdict.passed, verdict.name) == (False, name), verdict.message
    assert part in verdict.message and "{" not in verdict.message


@pytest.mark.parametrize(
    "code",
    [
        "def f(Q, K, V):\n S = ...\n A = torch.softmax(S, -1)\n return A @ V, A",
        "def f(Q, K, V):\n S, A = ...\n return A @ V, A",
        "def f(Q, K, V):\n A = ...\n return A @ V, A",
        "def f(Q, K, V):\n A = torch.tensor(...)\n return A @ V, A",
        "def f(Q, K, V): return torch.softmax(Q @ K.mT / Q.shape[-1] ** .5, -1) @ V, ...",
    ],
)
def test_an_answer_with_a_gap_left_is_pending(code):
    assert judge(find("6.1"), run_code(code, "f")).passed is None


def test_a_torch_error_that_speaks_of_an_ellipsis_is_no_gap():
    verdict = judge(find("3.1"), lambda Q, K: torch.einsum("icd,jc->ij", Q[..., :], K))
    assert (verdict.passed, verdict.name) == (False, "error")


def test_the_failing_line_is_quoted():
    def my_softmax(S):
        return S + torch.ones(7, 7)

    verdict = judge(find("3.2"), my_softmax)
    assert verdict.name == "shape_error" and "return S + torch.ones(7, 7)" in verdict.message


def test_the_line_shown_is_the_students_own_not_the_librarys():
    def my_softmax(S):
        return statistics.mean([])

    message = judge(find("3.2"), my_softmax).message
    assert "「return statistics.mean([])」" in message


def test_in_a_batch_the_failing_line_is_quoted():
    def my_attention(Q, K, V):
        S = torch.stack([torch.stack([(q * k).sum() for k in K]) for q in Q]) / Q.shape[-1] ** 0.5
        A = torch.softmax(S, -1)
        return torch.einsum("ij,jd->id", A, V), A

    verdict = judge(find("6.1"), my_attention)
    assert verdict.name == "batch_error" and "「return torch.einsum" in verdict.message


def test_answers_made_in_inference_mode_are_judged():
    softmax = torch.inference_mode()(lambda S: torch.softmax(S, -1))
    assert judge(find("3.2"), softmax).passed is True
    attention_61 = run_code(find("6.1").solution, "my_attention")
    assert judge(find("6.1"), torch.inference_mode()(attention_61)).name == "detached"
    with torch.inference_mode():
        assert judge(find("6.1"), attention_61).passed is True


def test_judging_that_fails_itself_says_what_was_given(monkeypatch):
    def broken(*args):
        raise KeyError("odd")

    monkeypatch.setattr(sys.modules[judge.__module__], "check_finite", broken)
    verdict = judge(find("3.2"), lambda S: S)
    assert (verdict.passed, verdict.name, verdict.case) == (False, "unjudged", None)
    assert "Tensor (4, 4)" in verdict.message and "KeyError" in verdict.message
