"""Answers whose numbers are right but whose gradient fails: each is told what fails, as such."""

import time

import pytest
import torch
from support.student_code import run_code
from support.wrong_answers import LAYER

from course_utils.exercises.catalogue import find
from course_utils.exercises.judge import judge, runner

WEIGHTS = "torch.softmax(Q @ K.mT / Q.shape[-1] ** .5, -1)"
EXP = " S = Q @ K.mT / Q.shape[-1] ** .5\n S = S - S.amax(-1, keepdim=True)\n"
FAILING = {
    "divided in place": (
        EXP + " A = torch.exp(S)\n A /= A.sum(-1, keepdim=True)\n return A @ V, A",
        "in_place",
    ),
    "div_": (EXP + " A = S.exp()\n A.div_(A.sum(-1, keepdim=True))\n return A @ V, A", "in_place"),
    "softmax overwritten": (
        f" A = {WEIGHTS}\n A[..., 0] = A[..., 0] * 1\n return A @ V, A",
        "in_place",
    ),
    "input changed and put back": (
        f" Q *= 2; Q /= 2\n A = {WEIGHTS}\n return A @ V, A",
        "in_place",
    ),
    "numpy": (
        " A = torch.from_numpy(torch.softmax(Q @ K.mT / Q.shape[-1] ** .5, -1).numpy())\n return A @ V, A",
        "detached",
    ),
    "error": (f" A = {WEIGHTS}\n if Q.requires_grad: 1 / 0\n return A @ V, A", "error"),
    "error in backward": (
        f" A = {WEIGHTS}\n B = A @ V\n if B.requires_grad: B.register_hook(lambda g: 1 / 0)\n return B, A",
        "error",
    ),
    "no result": (f" A = {WEIGHTS}\n if Q.requires_grad: return\n return A @ V, A", "none"),
    "endless": (f" while Q.requires_grad: pass\n A = {WEIGHTS}\n return A @ V, A", "timed_out"),
    "endless in backward": (
        f" A = {WEIGHTS}\n B = A @ V\n if B.requires_grad: B.register_hook(slow)\n return B, A",
        "timed_out",
    ),
}


def slow(gradient):
    for _ in range(1000):
        time.sleep(0.001)
    return gradient


@pytest.mark.parametrize("way", FAILING)
def test_what_fails_in_following_the_gradient_is_told(way, monkeypatch):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.5)
    code, name = FAILING[way]
    verdict = judge(find("6.1"), run_code("def f(Q, K, V):\n" + code, "f", slow=slow))
    assert (verdict.passed, verdict.name) == (False, name), verdict.message
    assert verdict.case is not None or name in ("timed_out", "none")


def test_the_step_in_place_is_named_also_in_a_layer_with_what_to_write():
    code = LAYER.replace(
        "torch.softmax(S, dim=-1)",
        "torch.exp(S - S.amax(-1, keepdim=True))\n        A /= A.sum(-1, keepdim=True)",
    )
    verdict = judge(find("6.2"), run_code(code, "MySelfAttention"))
    assert verdict.name == "in_place" and verdict.message.endswith("A = A / …")
    right = code.replace("A /= A.sum", "A = A / A.sum")
    assert judge(find("6.2"), run_code(right, "MySelfAttention")).passed


def test_steps_in_place_that_harm_no_gradient_pass():
    code = (
        "def f(Q, K, V):\n S = Q @ K.mT\n S /= Q.shape[-1] ** .5\n A = torch.softmax(S, -1)\n return A @ V, A"
    )
    assert judge(find("6.1"), run_code(code, "f")).passed
    with torch.no_grad():
        assert judge(find("6.1"), run_code(code, "f")).passed
