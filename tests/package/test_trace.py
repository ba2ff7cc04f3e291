"""The whole chain of one sentence: each matrix follows from those before it, and mistakes are named."""

import dataclasses

import pytest
import torch
from support import worked_example
from support.matrices import TOLERANCE, check_told, close, ones, trace_of

from course_utils.attention import FULL, ROOT, UNSCALED, Trace, attention


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("p", [UNSCALED, ROOT, FULL, 0.3])
def test_each_matrix_of_a_trace_follows_from_those_before(p, dtype):
    trace = trace_of(p, dtype)
    assert close(trace.Q, trace.X @ trace.W_Q)
    assert close(trace.K, trace.X @ trace.W_K)
    assert close(trace.V, trace.X @ trace.W_V)
    assert close(trace.S, torch.einsum("ik,jk->ij", trace.Q, trace.K) / 3**p)
    assert close(trace.A, trace.S.exp() / trace.S.exp().sum(dim=1, keepdim=True))
    assert close(trace.B, torch.einsum("ij,jc->ic", trace.A, trace.V))
    B, A = attention(trace.Q, trace.K, trace.V, p)
    assert torch.equal(trace.B, B)
    assert torch.equal(trace.A, A)


def test_sizes_in_a_trace():
    shapes = {
        "X": (4, 5), "W_Q": (5, 3), "W_K": (5, 3), "W_V": (5, 2),
        "Q": (4, 3), "K": (4, 3), "V": (4, 2), "S": (4, 4), "A": (4, 4), "B": (4, 2),
    }  # fmt: skip
    trace = trace_of()
    assert {name: tuple(getattr(trace, name).shape) for name in shapes} == shapes
    names_of_columns = ["features", "channels", "contents"]
    assert [field.name for field in dataclasses.fields(Trace)] == ["tokens", *shapes, *names_of_columns]


def test_trace_is_frozen():
    trace = trace_of()
    for field in dataclasses.fields(Trace):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(trace, field.name, None)


def test_trace_keeps_its_tokens_whatever_becomes_of_the_list():
    t = worked_example
    tokens = list(t.TOKENS)
    trace = Trace.of(t.X, t.W_Q, t.W_K, t.W_V, tokens)
    tokens.clear()
    assert trace.tokens == t.TOKENS


# Errors

WRONG = {
    "token count": (
        lambda: Trace.of(ones(4, 5), ones(5, 3), ones(5, 3), ones(5, 2), ("我", "喜欢")),
        ValueError,
        "每个词元在 X 里占一行：词元有 2 个，X 是 4×5",
    ),
    "trace of a batch": (
        lambda: Trace.of(ones(2, 4, 5), ones(5, 3), ones(5, 3), ones(5, 2), ("我", "喜欢")),
        ValueError,
        "每个词元在 X 里占一行：词元有 2 个，X 是 2×4×5",
    ),
    "tokens a string": (
        lambda: Trace.of(ones(4, 5), ones(5, 3), ones(5, 3), ones(5, 2), "我你他她"),
        TypeError,
        "tokens 应当是由词元组成的元组，例如 ('我', '喜欢')，现在是 '我你他她'",
    ),
    "tokens numbers": (
        lambda: Trace.of(ones(4, 5), ones(5, 3), ones(5, 3), ones(5, 2), [1, 2, 3, 4]),
        TypeError,
        "现在是 [1, 2, 3, 4]",
    ),
    "tokens None": (
        lambda: Trace.of(ones(4, 5), ones(5, 3), ones(5, 3), ones(5, 2), None),
        TypeError,
        "现在是 None",
    ),
    "trace of a list": (
        lambda: Trace.of([[1.0]], ones(1, 3), ones(1, 3), ones(1, 2), ("我",)),
        TypeError,
        "X 应当是 torch.Tensor，现在是 list",
    ),
    "trace with a wrong W_V": (
        lambda: Trace.of(ones(1, 5), ones(5, 3), ones(5, 3), ones(4, 2), ("我",)),
        ValueError,
        "X 的列数 D=5 必须等于 W_V 的行数 4：X 是 1×5，W_V 是 4×2",
    ),
    "trace with two d_k": (
        lambda: Trace.of(ones(1, 5), ones(5, 3), ones(5, 4), ones(5, 2), ("我",)),
        ValueError,
        "Q 的列数 d_k=3 必须等于 K 的列数 4：Q 是 1×3，K 是 1×4。点积要求两个向量一样长，请检查 W_Q 与 W_K 的列数",
    ),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_mistake_is_named(mistake):
    check_told(*WRONG[mistake])
