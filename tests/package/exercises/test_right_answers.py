"""Correct answers of any style and form pass, in any order, whatever else the student has defined."""

import numpy as np
import pytest
import torch
from support.student_code import run_code
from torch import nn

from course_utils.attention import SelfAttention, attention
from course_utils.exercises.catalogue import EXERCISES, find
from course_utils.exercises.judge import judge
from course_utils.mistakes.steps import RIGHT


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_the_solution_passes_and_the_untouched_cell_is_pending(exercise):
    solved = judge(exercise, run_code(exercise.solution, exercise.answer_name))
    assert (solved.passed, solved.name) == (True, "")
    untouched = judge(exercise, run_code(exercise.stub, exercise.answer_name))
    assert untouched.passed is None and untouched.message.startswith("待完成")
    assert untouched.case is None


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
