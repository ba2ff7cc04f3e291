"""Each step against independent references: loops, torch's own attention, a table worked by hand."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from hypothesis import given
from hypothesis import strategies as st
from support import worked_example
from support.matrices import TOLERANCE, close, exponents, qkv

from course_utils.attention import FULL, ROOT, UNSCALED, attention, divisor, fuse, project, scores, softmax


def attention_by_loops(Q, K, V, p):
    """One sentence, one number at a time, without torch's arithmetic."""
    Q, K, V = Q.tolist(), K.tolist(), V.tolist()
    A, B = [], []
    for q in Q:
        row = [sum(x * y for x, y in zip(q, k, strict=True)) / len(q) ** p for k in K]
        exps = [math.exp(s - max(row)) for s in row]
        A.append([e / sum(exps) for e in exps])
        B.append([sum(a * v[c] for a, v in zip(A[-1], V, strict=True)) for c in range(len(V[0]))])
    return B, A


# Agreement with references


@given(QKV=qkv(batch=st.just([])), p=exponents)
def test_against_loops(QKV, p):
    B, A = attention(*QKV, p)
    B_loops, A_loops = (torch.tensor(M, dtype=B.dtype) for M in attention_by_loops(*QKV, p))
    assert close(A, A_loops)
    assert close(B, B_loops)


@given(QKV=qkv(), p=exponents)
def test_against_torchs_own_attention(QKV, p):
    B, _ = attention(*QKV, p)
    assert close(B, F.scaled_dot_product_attention(*QKV, scale=QKV[0].shape[-1] ** -p))


@given(QKV=qkv())
def test_the_root_is_the_default(QKV):
    assert close(attention(*QKV)[0], F.scaled_dot_product_attention(*QKV))


@given(QKV=qkv(batch=st.just([3])))
def test_a_batch_is_its_sentences_one_by_one(QKV):
    B, A = attention(*QKV)
    for i in range(3):
        B_i, A_i = attention(*(M[i] for M in QKV))
        assert close(B[i], B_i)
        assert close(A[i], A_i)


def test_each_step_against_the_table_worked_by_hand():
    t = worked_example
    assert torch.equal(project(t.X, t.W_Q), t.Q)
    assert torch.equal(project(t.X, t.W_K), t.K)
    assert torch.equal(project(t.X, t.W_V), t.V)
    assert torch.equal(scores(t.Q, t.K, UNSCALED), t.QKT)
    assert torch.allclose(scores(t.Q, t.K, FULL) * 3, t.QKT)
    assert torch.allclose(softmax(t.QKT / 3**0.5), t.A, rtol=0, atol=6e-5)
    assert torch.allclose(fuse(t.A, t.V), t.B, rtol=0, atol=2e-4)  # from weights rounded to four places
    B, A = attention(t.Q, t.K, t.V)
    assert torch.allclose(A, t.A, rtol=0, atol=6e-5)
    assert torch.allclose(B, t.B, rtol=0, atol=6e-5)


@pytest.mark.parametrize(
    ("d_k", "p", "expected"),
    [
        (64, UNSCALED, 1),
        (64, ROOT, 8),
        (64, FULL, 64),
        (16, 0.25, 2),
        (16, 1.5, 64),
        (16, -0.5, 0.25),
        (3, 2, 9),
        (1, 0.5, 1),
        (np.int64(9), np.float32(0.5), 3),
    ],
)
def test_divisor(d_k, p, expected):
    assert divisor(d_k, p) == pytest.approx(expected, rel=1e-15)
    assert type(divisor(d_k, p)) is float


# Properties


@given(QKV=qkv(), p=exponents)
def test_rows_of_weights_sum_to_one(QKV, p):
    _, A = attention(*QKV, p)
    assert (A >= 0).all()
    assert close(A.sum(dim=-1), torch.ones_like(A[..., 0]))


@given(QKV=qkv(same_length=True), random=st.randoms(use_true_random=False))
def test_permuting_tokens_permutes_rows_of_b(QKV, random):
    order = list(range(QKV[0].shape[-2]))
    random.shuffle(order)
    B, A = attention(*QKV)
    B_permuted, A_permuted = attention(*(M[..., order, :] for M in QKV))
    assert close(B_permuted, B[..., order, :])
    assert close(A_permuted, A[..., order, :][..., order])


def outside_hull(B, V):
    """How far rows of B lie outside the hull of the rows of V, as seen from many directions.

    Inside the hull no direction reaches further than the furthest v: max b.u <= max v.u.
    """
    generator = torch.Generator().manual_seed(0)
    random = torch.randn(64, V.shape[-1], generator=generator, dtype=V.dtype)
    axes = torch.eye(V.shape[-1], dtype=V.dtype)
    U = F.normalize(torch.cat([random, axes, -axes]), dim=-1).mT
    return ((B @ U).amax(dim=-2) - (V @ U).amax(dim=-2)).max().item()


@given(QKV=qkv(), p=exponents)
def test_b_lies_in_the_hull_of_v(QKV, p):
    B, _ = attention(*QKV, p)
    V = QKV[2]
    assert outside_hull(B, V) <= TOLERANCE[V.dtype] * max(1, V.abs().max().item())


def test_the_hull_check_sees_a_point_outside():
    t = worked_example
    assert outside_hull(torch.tensor([[1.0, 1.0]]), t.V) < 1e-6  # middle of the edge from (0, 2) to (2, 0)
    assert outside_hull(torch.tensor([[1.1, 1.1]]), t.V) > 0.01
    assert outside_hull(fuse(1.5 * t.A, t.V), t.V) > 0.3  # rows that sum to 1.5


@given(QKV=qkv(), shift=st.floats(-50, 50))
def test_adding_a_constant_to_a_row_of_scores_changes_nothing(QKV, shift):
    S = scores(QKV[0], QKV[1])
    constants = shift * torch.arange(1, S.shape[-2] + 1, dtype=S.dtype)[:, None]
    tolerance = 1e-3 if S.dtype == torch.float32 else 1e-10  # S + c is itself rounded
    assert torch.allclose(softmax(S + constants), softmax(S), rtol=0, atol=tolerance)


@given(QKV=qkv(), p=exponents)
def test_inputs_are_left_alone(QKV, p):
    before = [M.clone() for M in QKV]
    attention(*QKV, p)
    assert all(torch.equal(M, old) for M, old in zip(QKV, before, strict=True))


def test_a_single_token_looks_at_itself():
    B, A = attention(torch.ones(1, 3), torch.ones(1, 3), torch.tensor([[7.0, -2.0]]))
    assert A.tolist() == [[1.0]]
    assert B.tolist() == [[7.0, -2.0]]


# Softmax at its limits


def test_a_row_alone_is_a_row_of_the_matrix():
    S = torch.tensor([[0.0, 2.0, 3.0], [4.0, 0.0, 0.0]])
    assert torch.equal(softmax(S[0]), softmax(S)[0])


def test_minus_infinity_hides_a_key():
    S = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    masked = S.masked_fill(torch.tensor([[False, True, False], [False, False, True]]), -math.inf)
    A = softmax(masked)
    assert A[0, 1] == A[1, 2] == 0
    assert torch.allclose(A[0, [0, 2]], softmax(S[0, [0, 2]]))
    assert torch.allclose(A[1, :2], softmax(S[1, :2]))


def test_causal_mask_against_torchs_own():
    Q, K, V = torch.randn(3, 2, 5, 4, generator=torch.Generator().manual_seed(0))
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    B = fuse(softmax(scores(Q, K).masked_fill(future, -math.inf)), V)
    assert close(B, F.scaled_dot_product_attention(Q, K, V, is_causal=True))


def test_huge_scores_do_not_overflow():
    A = softmax(torch.tensor([[1e30, 1e30, 0.0], [-3e38, -3e38, -3e38]]))
    assert torch.allclose(A, torch.tensor([[0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]]))


@pytest.mark.parametrize("size", [1.0, 30.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_512_unscaled_dimensions_give_no_nan(size, dtype):
    generator = torch.Generator().manual_seed(0)
    Q, K, V = size * torch.randn(3, 2, 4, 512, generator=generator, dtype=dtype)
    Q.requires_grad_()
    B, A = attention(Q, K, V, UNSCALED)
    B.sum().backward()
    for M in (B, A, Q.grad):
        assert torch.isfinite(M).all()
    assert A.max() > 0.999, "saturated, else this tests nothing"


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_goes_through(dtype):
    t = worked_example
    B, A = attention(t.Q.to(dtype), t.K.to(dtype), t.V.to(dtype))
    assert B.dtype == A.dtype == dtype
    assert torch.allclose(B.float(), t.B, rtol=0, atol=0.02)


# Gradients


@pytest.mark.parametrize("p", [UNSCALED, ROOT, FULL])
def test_gradients_against_finite_differences(p):
    generator = torch.Generator().manual_seed(0)
    shapes = ((2, 3), (4, 3), (4, 2))
    QKV = [
        torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True) for shape in shapes
    ]
    assert torch.autograd.gradcheck(lambda Q, K, V: attention(Q, K, V, p), QKV)
