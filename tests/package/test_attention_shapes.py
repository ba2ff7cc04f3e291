"""The shapes in the annotations are those of the results, and a false one is caught."""

import pytest
import torch
from jaxtyping import TypeCheckError
from support import worked_example
from support.matrices import trace_of

from course_utils import attention as module
from course_utils.attention import SelfAttention, Trace, scores


def test_shapes_are_those_annotated(check_shapes):
    check_shapes(module)
    for batch in ((), (2,), (2, 3)):
        L_q, L, D, d_k, d_v = 7, 4, 5, 3, 2
        X = torch.randn(*batch, L, D)
        Q, K, V = torch.randn(*batch, L_q, d_k), torch.randn(*batch, L, d_k), torch.randn(*batch, L, d_v)
        assert module.project(X, torch.randn(D, d_k)).shape == (*batch, L, d_k)
        S = module.scores(Q, K)
        assert S.shape == module.softmax(S).shape == (*batch, L_q, L)
        assert module.fuse(S, V).shape == (*batch, L_q, d_v)
        assert [M.shape for M in module.attention(Q, K, V)] == [(*batch, L_q, d_v), (*batch, L_q, L)]
        assert [M.shape for M in SelfAttention(D, d_k, d_v)(X)] == [(*batch, L, d_v), (*batch, L, L)]
    assert module.softmax(torch.randn(4)).shape == (4,)
    assert trace_of().B.shape == (4, 2)


@pytest.mark.parametrize(
    ("place", "name", "annotation", "false_shape"),
    [
        (module, "project", "return", 'Float[Tensor, "*batch d L"]'),
        (module, "project", "W", 'Float[Tensor, "d D"]'),
        (module, "scores", "return", 'Float[Tensor, "*batch L L_q"]'),
        (module, "scores", "K", 'Float[Tensor, "*batch d_k L"]'),
        (module, "softmax", "return", 'Float[Tensor, "L *rows"]'),
        (module, "fuse", "return", 'Float[Tensor, "*batch L_q L"]'),
        (module, "fuse", "A", 'Float[Tensor, "*batch L L_q"]'),
        (
            module,
            "attention",
            "return",
            'tuple[Float[Tensor, "*batch L_q d_k"], Float[Tensor, "*batch L_q L"]]',
        ),
        (module, "attention", "V", 'Float[Tensor, "*batch L_q d_v"]'),
        (module, "divisor", "return", "int"),
        (
            SelfAttention,
            "forward",
            "return",
            'tuple[Float[Tensor, "*batch L D"], Float[Tensor, "*batch L L"]]',
        ),
        (SelfAttention, "forward", "X", 'Float[Tensor, "D"]'),
        (Trace, "__init__", "B", 'Float[Tensor, "L d_k"]'),
    ],
)
def test_a_false_shape_is_caught(check_shapes, monkeypatch, place, name, annotation, false_shape):
    monkeypatch.setitem(getattr(place, name).__annotations__, annotation, false_shape)
    check_shapes(module)
    t = worked_example
    Q = t.Q[:3]  # L_q = 3, L = 4
    with pytest.raises(TypeCheckError, match=name):
        module.project(t.X, t.W_Q)
        module.attention(Q, t.K, t.V)
        SelfAttention(5, 3, 2)(t.X)
        trace_of()


def test_a_result_of_the_wrong_shape_is_caught(check_shapes, monkeypatch):
    monkeypatch.setattr(scores, "__code__", (lambda Q, K, p: K @ Q.mT).__code__)
    check_shapes(module)
    t = worked_example
    with pytest.raises(TypeCheckError, match="return value"):
        module.scores(t.Q[:3], t.K)
