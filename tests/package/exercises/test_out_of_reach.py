"""What a student's code replaces in torch, numpy or Python, or overrides in a class, makes no wrong answer right."""

import builtins
import subprocess
import sys

import numpy as np
import pytest
import torch
from support.student_code import run_code

from course_utils.exercises.catalogue import EXERCISES, find
from course_utils.exercises.exercise import Function
from course_utils.exercises.judge import judge
from course_utils.mistakes.steps import RIGHT


class Same(torch.Tensor):
    """Says yes to everything, and that it is what the other one is."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func.__name__ in ("isclose", "eq", "__eq__"):
            return torch.ones(4, 4, dtype=torch.bool)
        return args[0] if args else torch.ones(())


class SameNumber(float):
    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__

    def __eq__(self, other):
        return True

    __hash__ = None


class SameWord(str):
    def strip(self, *args):
        return self

    def __eq__(self, other):
        return True

    __hash__ = None


def wrong(S):
    return S


def true(*args, **kwargs):
    return torch.tensor(True)


REPLACED = [
    (torch, "softmax", lambda S, dim=None: S),
    (torch.Tensor, "softmax", lambda S, dim=None: S),
    (torch.nn.functional, "softmax", lambda S, dim=None: S),
    (torch, "equal", true),
    (torch, "isclose", true),
    (torch, "isfinite", true),
    (torch.Tensor, "__eq__", true),
    (torch.Tensor, "detach", lambda M: torch.softmax(M, -1)),
    (torch.Tensor, "clone", lambda M: torch.softmax(M, -1)),
    (torch.Tensor, "double", lambda M: torch.zeros(4, 4)),
    (torch.Tensor, "numpy", lambda M, force=False: np.zeros((4, 4))),
    (np, "isclose", lambda *args, **kwargs: np.True_),
    (np, "abs", lambda M: np.zeros(())),
    (np, "array", lambda *args, **kwargs: np.zeros((4, 4))),
    (builtins, "all", lambda things: True),
    (builtins, "any", lambda things: True),
    (builtins, "abs", lambda thing: 0.0),
]


@pytest.mark.parametrize(
    ("place", "name", "new"), REPLACED, ids=lambda thing: getattr(thing, "__name__", thing)
)
@pytest.mark.parametrize("when", ["before", "within"])
def test_a_wrong_answer_never_passes(place, name, new, when, monkeypatch):
    def replacing(S):
        setattr(place, name, new)
        return S

    old = getattr(place, name)
    try:
        if when == "before":
            setattr(place, name, new)
        verdict = judge(find("3.2"), wrong if when == "before" else replacing)
    finally:
        setattr(place, name, old)
    assert verdict.passed is False


@pytest.mark.parametrize(
    "code",
    [
        "def f(S):\n torch.softmax = lambda S, dim: S\n return torch.softmax(S, dim=-1)",
        "def f(S):\n torch.Tensor.softmax = lambda S, dim: S\n return S.softmax(-1)",
    ],
)
def test_a_replaced_softmax_is_the_students_own_mistake(code):
    old = torch.softmax, torch.Tensor.softmax
    try:
        verdict = judge(find("3.2"), run_code(code, "f"))
    finally:
        torch.softmax, torch.Tensor.softmax = old
    assert verdict.passed is False


@pytest.mark.parametrize(
    "answer",
    [
        lambda S: S.as_subclass(Same),
        lambda S: torch.zeros(4, 4).as_subclass(Same),
        lambda S: torch.softmax(S, -1).as_subclass(Same),
    ],
)
def test_a_tensor_of_another_class_is_not_asked(answer):
    verdict = judge(find("3.2"), answer)
    assert (verdict.passed, verdict.name) == (False, "layout") and "Same" in verdict.message


def test_methods_of_one_tensor_are_not_asked():
    def my_softmax(S):
        right = torch.softmax(S, -1)
        for name in ("detach", "cpu", "clone", "double", "numpy", "tolist", "isclose"):
            setattr(S, name, lambda *args, **kwargs: right)
        return S

    assert judge(find("3.2"), my_softmax).passed is False


def test_a_parameter_is_a_tensor_as_good_as_any():
    assert judge(find("3.2"), lambda S: torch.nn.Parameter(torch.softmax(S, -1))).passed


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("4.4", SameNumber(3)),
        ("6.3", SameNumber(3)),
        ("3.3", SameWord("我")),
        ("1.3", (SameNumber(1), SameNumber(2))),
    ],
)
def test_a_value_of_another_class_compares_as_python_does(id, answer):
    assert judge(find(id), answer).passed is False


def test_an_input_changed_behind_a_replaced_comparison_is_seen(monkeypatch):
    monkeypatch.setattr(torch, "equal", lambda *args: True)
    monkeypatch.setattr(torch.Tensor, "__eq__", true)
    assert judge(find("3.2"), lambda S: torch.softmax(S.sub_(1), -1)).name == "changed_input"


def test_right_answers_are_those_of_the_steps():
    for exercise in EXERCISES:
        if isinstance(exercise.asks, Function):
            for case in exercise.asks.cases:
                for kept, now in zip(
                    exercise.asks.right[case], exercise.asks.expected(case, RIGHT), strict=True
                ):
                    assert (kept == now).all()


SCRIPT = """
import torch
torch.softmax = torch.nn.functional.softmax = lambda S, dim=-1, **others: S
torch.exp = torch.outer = torch.diag = lambda *args: torch.zeros(())
from course_utils.exercises.catalogue import find
from course_utils.exercises.judge import judge
print(judge(find("3.2"), lambda S: torch.softmax(S, dim=-1)).passed)
print(judge(find("3.2"), lambda S: S.softmax(-1)).passed)
print(judge(find("4.3"), lambda a: a.diag() - a.outer(a)).passed)
"""


def test_what_was_replaced_before_the_course_is_imported_changes_nothing_either():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]
