"""Correct answers of any style pass; answers of any strange form get a sentence, never a traceback."""

import builtins
import math
import statistics
import sys
import threading
import time

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from course_utils.attention import SelfAttention, attention
from course_utils.exercises import runner
from course_utils.exercises.catalogue import EXERCISES, find
from course_utils.exercises.exercise import Function, Value
from course_utils.exercises.judge import RIGHT, judge

torch.set_num_threads(1)
ids = {"ids": lambda exercise: exercise.id}


def run_code(code, name, **others):
    scope = {"torch": torch, "nn": nn, "F": F, "math": math, **others}
    exec(code, scope)
    return scope[name]


@pytest.mark.parametrize("exercise", EXERCISES, **ids)
def test_the_solution_passes_and_the_untouched_cell_is_pending(exercise):
    solved = judge(exercise, run_code(exercise.solution, exercise.answer_name))
    assert (solved.passed, solved.name) == (True, "")
    untouched = judge(exercise, run_code(exercise.stub, exercise.answer_name))
    assert untouched.passed is None and untouched.message.startswith("待完成")
    assert untouched.case is None


def test_every_lesson_has_two_to_four_exercises_and_each_has_its_particulars():
    lessons = [exercise.lesson for exercise in EXERCISES]
    assert sorted(set(lessons)) == ["01", "02", "03", "04", "05", "06"]
    assert all(2 <= lessons.count(lesson) <= 4 for lesson in lessons)
    assert len({exercise.id for exercise in EXERCISES}) == len(EXERCISES)
    for exercise in EXERCISES:
        assert exercise.kind and 1 <= exercise.minutes <= 20 and exercise.difficulty in (1, 2, 3)
        assert len(exercise.hints) >= 2 and exercise.task.endswith(("。", "？"))
        assert isinstance(exercise.asks, (Function, Value))


# The answers agree with the package, which is tested on its own against independent references.
@pytest.mark.parametrize("id", ["6.1", "6.2"])
def test_the_right_answer_is_that_of_the_package(id):
    asks = find(id).asks
    for case in asks.cases:
        inputs = list(case.inputs.values())
        if id == "6.2":
            layer = SelfAttention(inputs[1].shape[0], inputs[1].shape[1], inputs[3].shape[1])
            for part, W in zip((layer.W_Q, layer.W_K, layer.W_V), inputs[1:], strict=True):
                part.weight = nn.Parameter(W.T)
            B, A = layer(inputs[0])
        else:
            B, A = attention(*inputs)
        assert all_close(asks.answer(RIGHT, *inputs), (B, A))


def all_close(given, right):
    return all(torch.allclose(a, b, atol=1e-5) for a, b in zip(given, right, strict=True))


VARIANTS = [
    ("1.1", "def f(onehot, E): return torch.einsum('lv,vd->ld', onehot, E)"),
    ("1.1", "def f(onehot, E): return E[onehot.argmax(dim=1)]"),
    ("1.2", "def f(tokens, vocabulary): return torch.stack([torch.tensor(vocabulary[t]).float() for t in tokens])"),
    ("1.2", "def f(tokens, vocabulary): return torch.tensor([vocabulary[t] for t in tokens], dtype=torch.float64)"),
    ("2.1", "def f(X, W_Q): return torch.stack([x @ W_Q for x in X])"),
    ("2.1", "def f(X, W_Q): return torch.einsum('ld,dk->lk', X, W_Q)"),
    ("2.1", "def f(X, W_Q): return (X.double() @ W_Q.double())"),
    ("2.2", "def f(X, weight): return F.linear(X, weight)"),
    ("2.2", "def f(X, weight): return torch.matmul(X, weight.t())"),
    ("2.3", "def f(X, W_Q, W_K, W_V): return [X @ W for W in (W_Q, W_K, W_V)]"),
    ("2.3", "def f(X, *weights): return tuple(torch.einsum('ld,dk->lk', X, W) for W in weights)"),
    (
        "3.1",
        "def f(Q, K):\n S = torch.zeros(len(Q), len(K))\n for i in range(len(Q)):\n  for j in range(len(K)):\n"
        "   S[i, j] = (Q[i] * K[j]).sum().item()\n return S",
    ),
    ("3.1", "def f(Q, K): return torch.einsum('id,jd->ij', Q, K)"),
    ("3.1", "def f(Q, K): return torch.tensor([[float(q @ k) for k in K] for q in Q])"),
    ("3.2", "def f(S): return F.softmax(S, dim=1)"),
    ("3.2", "def f(S): return nn.Softmax(dim=-1)(S)"),
    ("3.2", "def f(S):\n E = torch.exp(S - S.max(dim=-1, keepdim=True).values)\n return E / E.sum(-1, keepdim=True)"),
    ("3.2", "def f(S): return torch.stack([torch.softmax(row, 0) for row in S])"),
    ("3.2", "def f(S): return torch.exp(S.double() - torch.logsumexp(S.double(), -1, keepdim=True))"),
    ("4.1", "def f(Q, K): return Q @ K.transpose(0, 1) / math.sqrt(Q.size(1))"),
    ("4.1", "def f(Q, K): return (Q / K.shape[-1] ** 0.25) @ (K / K.shape[-1] ** 0.25).T"),
    ("4.2", "def f(Q, K): return F.scaled_dot_product_attention(Q, K, torch.eye(len(K)))"),
    ("4.3", "def f(a): return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), torch.log(a))"),
    ("4.3", "def f(a): return a.unsqueeze(1) * (torch.eye(len(a)) - a)"),
    ("5.1", "def f(A, V, i):\n b = torch.zeros(V.shape[1])\n for j in range(len(V)):\n  b = b + A[i, j] * V[j]\n return b"),
    ("5.1", "def f(A, V, i): return (A @ V)[i]"),
    ("5.2", "def f(A, V): return torch.stack([(a[:, None] * V).sum(0) for a in A])"),
    ("5.2", "def f(A, V): return torch.bmm(A[None], V[None])[0]"),
    ("5.3", "def f(S, V): return torch.einsum('ij,jd->id', S.softmax(-1), V)"),
    (
        "6.1",
        "def f(Q, K, V):\n A = torch.einsum('...id,...jd->...ij', Q, K).div(Q.size(-1) ** .5).softmax(-1)\n"
        " return torch.einsum('...ij,...jd->...id', A, V), A",
    ),
    (
        "6.1",
        "def f(Q, K, V):\n A = F.scaled_dot_product_attention(Q, K, torch.eye(K.shape[-2]).expand(*K.shape[:-1], -1))\n"
        " return F.scaled_dot_product_attention(Q, K, V), A",
    ),
    (
        "6.1",
        "def f(Q, K, V):\n A = torch.softmax(Q.double() @ K.double().transpose(-2, -1) / Q.shape[-1] ** .5, -1)\n"
        " return A @ V.double(), A",
    ),
    (
        "6.1",
        "def f(Q, K, V):\n if Q.ndim == 3:\n  both = [f(*one) for one in zip(Q, K, V)]\n"
        "  return tuple(torch.stack(part) for part in zip(*both))\n"
        " A = torch.stack([torch.softmax(torch.stack([q @ k for k in K]) / len(q) ** .5, 0) for q in Q])\n"
        " return torch.stack([sum(a * v for a, v in zip(row, V)) for row in A]), A",
    ),
    (
        "6.2",
        "class f(nn.Module):\n def __init__(self, D, d_k, d_v):\n  super().__init__()\n"
        "  self.W_Q, self.W_K = nn.Parameter(torch.randn(D, d_k)), nn.Parameter(torch.randn(D, d_k))\n"
        "  self.W_V = nn.Parameter(torch.randn(D, d_v))\n"
        " def forward(self, X):\n  A = torch.softmax(X @ self.W_Q @ (X @ self.W_K).mT / self.W_Q.shape[1] ** .5, -1)\n"
        "  return A @ X @ self.W_V, A",
    ),
    (
        "6.2",
        "class f(nn.Module):\n def __init__(self, D, d_k, d_v):\n  super().__init__()\n"
        "  self.W_Q, self.W_K, self.W_V = (nn.Linear(D, d, bias=False) for d in (d_k, d_k, d_v))\n  self.double()\n"
        " def forward(self, X):\n  X = X.double()\n  Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)\n"
        "  A = torch.softmax(Q @ K.mT / Q.shape[-1] ** .5, -1)\n  return A @ V, A",
    ),
    (
        "6.2",
        "class f(nn.Module):\n def __init__(self, D, d_k, d_v):\n  super().__init__()\n"
        "  self.W_Q = nn.Linear(D, d_k, bias=False)\n  self.W_K = nn.Linear(D, d_k, bias=False)\n"
        "  self.W_V = nn.Linear(D, d_v, bias=False)\n"
        " def forward(self, X):\n  Q, K, V = X @ self.W_Q.weight.T, F.linear(X, self.W_K.weight), self.W_V(X)\n"
        "  A = torch.softmax(torch.einsum('...id,...jd->...ij', Q, K) / Q.shape[-1] ** .5, -1)\n  return A @ V, A",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("id", "code"), VARIANTS)
def test_a_correct_answer_in_another_style_passes(id, code):
    verdict = judge(find(id), run_code(code, "f"))
    assert verdict.passed is True, verdict.message


@pytest.mark.parametrize(
    ("id", "value"),
    [
        ("1.3", torch.Size([6, 512])),
        ("1.3", [6, 512]),
        ("1.3", torch.tensor([6, 512])),
        ("2.4", np.int64(81920)),
        ("3.3", " 打 "),
        ("3.3", "“打”"),
        ("3.3", "「打」"),
        ("3.3", ' "打"'),
        ("4.4", torch.tensor(256.0).sqrt()),
        ("4.4", 256**0.5),
        ("6.3", 4.0),
    ],
)
def test_a_correct_value_in_another_form_passes(id, value):
    assert judge(find(id), value).passed is True


STRANGE = [
    ("3.2", lambda S: 1 / 0, "error", "ZeroDivisionError"),
    ("3.2", lambda S: undefined_name, "error", "undefined_name"),  # noqa: F821
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

    monkeypatch.setattr(sys.modules[judge.__module__], "_check_form", broken)
    verdict = judge(find("3.2"), lambda S: S)
    assert (verdict.passed, verdict.name, verdict.case) == (False, "unjudged", None)
    assert "Tensor (4, 4)" in verdict.message and "KeyError" in verdict.message


def endless(S):
    while True:
        pass


def stubborn(S):
    while True:
        try:
            time.sleep(0.001)
        except BaseException:
            if time.monotonic() > stubborn.until:
                raise


def asleep(S):
    time.sleep(3)
    return S


@pytest.mark.parametrize("function", [endless, stubborn, asleep])
def test_code_that_does_not_end_is_stopped(function, monkeypatch):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.3)
    stubborn.until = time.monotonic() + 0.6
    start = time.monotonic()
    verdict = judge(find("3.2"), function)
    assert (verdict.passed, verdict.name) == (False, "timed_out")
    assert "0.3 秒" in verdict.message
    assert time.monotonic() - start < 2.5


def test_stopped_code_does_not_go_on_in_the_background(monkeypatch):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.2)
    before = set(threading.enumerate())
    judge(find("3.2"), endless)
    assert set(threading.enumerate()) <= before


def test_the_limit_is_some_seconds():
    assert 2 <= runner.LIMIT_SECONDS <= 10


def test_the_failing_line_is_quoted():
    def my_softmax(S):
        return S + torch.ones(7, 7)

    verdict = judge(find("3.2"), my_softmax)
    assert verdict.name == "shape_error" and "return S + torch.ones(7, 7)" in verdict.message


def test_a_changed_input_does_not_spoil_the_next_check():
    judge(find("3.2"), lambda S: S.zero_())
    assert judge(find("3.2"), lambda S: torch.softmax(S, -1)).passed is True


def test_the_order_and_the_students_globals_do_not_matter():
    rubbish = dict.fromkeys(("Q", "K", "V", "A", "X", "S"), "rubbish")
    with torch.no_grad():
        for exercise in (*EXERCISES, *reversed(EXERCISES), *EXERCISES):
            assert (
                judge(exercise, run_code(exercise.solution, exercise.answer_name, **rubbish)).passed is True
            )
            assert judge(exercise, run_code(exercise.stub, exercise.answer_name, **rubbish)).passed is None
    wrong = judge(find("3.1"), run_code("def f(Q, K): return Q @ K", "f", **rubbish))
    assert wrong.name == "k_not_transposed"


def test_input_is_refused_in_the_students_code_only():
    asked = []
    original, builtins.input = builtins.input, lambda *prompt: asked.append(prompt)
    try:

        def asks_twice(S):
            try:
                input()
            except BaseException:
                other = threading.Thread(target=input, args=("other",))
                other.start()
                other.join()
                return input()

        assert judge(find("3.2"), asks_twice).name == "input"
        assert asked == [("other",)], "another thread asks as ever"
        input("after")
    finally:
        builtins.input = original
    assert asked == [("other",), ("after",)]


def chatty(times, then):
    def my_softmax(S):
        for k in range(times):
            print("行", k)
        return then(S)

    return my_softmax


def test_what_the_first_case_prints_is_kept_and_no_other(capsys):
    verdict = judge(find("3.2"), chatty(3, lambda S: torch.softmax(S, -1)))
    assert verdict.passed and verdict.printed == "行 0\n行 1\n行 2"
    assert capsys.readouterr() == ("", "")
    assert judge(find("3.2"), lambda S: S).printed == ""


@pytest.mark.parametrize(
    "then", [lambda S: S, lambda S: 1 / 0, lambda S: None, lambda S: sys.exit(), endless]
)
def test_what_was_printed_is_kept_however_the_code_ends(then, monkeypatch):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.2)
    lines = judge(find("3.2"), chatty(25, then)).printed.split("\n")
    assert lines[:20] == [f"行 {k}" for k in range(20)]
    assert lines[20:] == ["（后面还打印了 5 行，没有显示）"]


def flood(S):
    while True:
        print("x" * 1000)
        print("y" * 1000, end="", file=sys.stderr)


def test_a_flood_is_held_back_and_the_verdict_still_comes(monkeypatch, capsys):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.3)
    verdict = judge(find("3.2"), flood)
    assert verdict.name == "timed_out" and "没有显示" in verdict.printed and len(verdict.printed) < 5000
    assert capsys.readouterr() == ("", "")


def test_other_threads_print_as_ever_while_the_code_runs(capsys):
    def my_softmax(S):
        other = threading.Thread(target=print, args=("别的线程",))
        other.start()
        other.join()
        print("没有换行", end="")
        return torch.softmax(S, -1)

    before = sys.stdout, sys.stderr, builtins.input
    assert judge(find("3.2"), my_softmax).printed == "没有换行"
    assert capsys.readouterr().out == "别的线程\n" * 4
    assert (sys.stdout, sys.stderr, builtins.input) == before


def test_code_that_cannot_be_stopped_stays_silenced(monkeypatch, capsys):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(builtins, "input", input)
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.1)
    monkeypatch.setattr(runner, "_stop", lambda thread: None)
    ended = threading.Event()

    def goes_on(S):
        for _ in range(30):
            time.sleep(0.01)
            print("还在打印")
        ended.set()

    assert judge(find("3.2"), goes_on).name == "timed_out"
    assert ended.wait(5)
    print("我的")
    assert capsys.readouterr().out == "我的\n"
