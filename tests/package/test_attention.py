"""The mathematics against independent references: loops, torch's own attention, a table worked by hand."""

import dataclasses
import math
import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jaxtyping import TypeCheckError
from support import worked_example
from torch import nn

from course_utils import attention as module
from course_utils.attention import (
    FULL,
    ROOT,
    UNSCALED,
    SelfAttention,
    Trace,
    attention,
    divisor,
    fuse,
    project,
    scores,
    softmax,
)

CHINESE = re.compile("[\u4e00-\u9fff]")
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}

sizes = st.integers(1, 6)
batches = st.lists(st.integers(1, 3), max_size=2)
exponents = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(-1, 2)


def close(actual, expected):
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    tolerance = TOLERANCE[actual.dtype]
    return torch.allclose(
        actual, expected, rtol=tolerance, atol=tolerance * max(1, expected.abs().max().item())
    )


@st.composite
def qkv(draw, batch=batches, same_length=False):
    """Random Q (*batch, L_q, d_k), K (*batch, L, d_k) and V (*batch, L, d_v) of either precision."""
    batch, L, d_k, d_v = draw(batch), draw(sizes), draw(sizes), draw(sizes)
    L_q = L if same_length else draw(sizes)
    dtype = draw(st.sampled_from(list(TOLERANCE)))
    size = draw(st.sampled_from([0.1, 1.0, 5.0]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    shapes = ((L_q, d_k), (L, d_k), (L, d_v))
    return tuple(size * torch.randn(*batch, *shape, generator=generator, dtype=dtype) for shape in shapes)


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


def test_gradients_reach_all_three_projections():
    torch.manual_seed(0)
    layer = SelfAttention(5, 3, d_v=2)
    output, _ = layer(torch.randn(2, 4, 5))
    output.square().sum().backward()
    for name in ("W_Q", "W_K", "W_V"):
        gradient = getattr(layer, name).weight.grad
        assert torch.isfinite(gradient).all()
        assert (gradient != 0).all(), name


# Trace


def trace_of(p=ROOT, dtype=torch.float32):
    t = worked_example
    return Trace.of(*(M.to(dtype) for M in (t.X, t.W_Q, t.W_K, t.W_V)), tokens=t.TOKENS, p=p)


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
    assert [field.name for field in dataclasses.fields(Trace)] == ["tokens", *shapes]


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


# SelfAttention


def test_the_snippet_of_the_first_lesson(capsys):
    attn = SelfAttention(512, 64)
    X = torch.randn(2, 4, 512)
    output, weights = attn(X)
    print(output.shape)
    print(weights.shape)
    assert capsys.readouterr().out == "torch.Size([2, 4, 64])\ntorch.Size([2, 4, 4])\n"


def test_parameters_are_three_linear_layers_without_bias():
    layer = SelfAttention(5, 3, d_v=2)
    assert {name: tuple(W.shape) for name, W in layer.named_parameters()} == {
        "W_Q.weight": (3, 5),
        "W_K.weight": (3, 5),
        "W_V.weight": (2, 5),
    }
    assert all(type(child) is nn.Linear for child in layer.children())


def test_d_v_is_d_k_unless_given():
    X = torch.randn(4, 5)
    assert SelfAttention(5, 3)(X)[0].shape == (4, 3)
    assert SelfAttention(5, 3, 2)(X)[0].shape == (4, 2)
    assert SelfAttention(5, np.int64(3))(X)[0].shape == (4, 3)


@settings(max_examples=40)
@given(batch=batches, L=sizes, D=sizes, d_k=sizes, d_v=sizes, p=exponents)
def test_module_against_linear_layers_and_torchs_own_attention(batch, L, D, d_k, d_v, p):
    layer = SelfAttention(D, d_k, d_v, p).double()
    X = torch.randn(*batch, L, D, dtype=torch.float64)
    output, weights = layer(X)
    Q, K, V = layer.W_Q(X), layer.W_K(X), layer.W_V(X)
    assert close(output, F.scaled_dot_product_attention(Q, K, V, scale=d_k**-p))
    eye = torch.eye(L, dtype=torch.float64).expand(*batch, L, L)
    assert close(weights, F.scaled_dot_product_attention(Q, K, eye, scale=d_k**-p))


def test_module_with_the_hand_made_weights():
    t = worked_example
    layer = SelfAttention(5, 3, d_v=2)
    layer.load_state_dict({"W_Q.weight": t.W_Q.T, "W_K.weight": t.W_K.T, "W_V.weight": t.W_V.T})
    output, weights = layer(t.X)
    assert torch.allclose(output, t.B, rtol=0, atol=6e-5)
    assert torch.allclose(weights, t.A, rtol=0, atol=6e-5)


# Errors: what was given, what is expected, in Chinese


class Elsewhere(torch.Tensor):
    """A matrix that says it lives on a GPU."""

    device = torch.device("cuda:0")


def ones(*shape):
    return torch.ones(shape)


NAN, INF = torch.full((4, 3), math.nan), torch.full((4, 3), math.inf)
W_COMPLAINT = "X 的列数 D=5 必须等于 W_Q 的行数 4：X 是 4×5，W_Q 是 4×3。"

WRONG = {
    # project
    "D": (lambda: project(ones(4, 5), ones(4, 3), "W_Q"), ValueError, W_COMPLAINT),
    "D, nothing known": (
        lambda: project(ones(7, 5), ones(4, 3)),
        ValueError,
        "请检查词向量的维数和投影矩阵的行数",
    ),
    "W transposed": (
        lambda: project(ones(4, 5), ones(3, 5), "W_K"),
        ValueError,
        "X 的列数 D=5 必须等于 W_K 的行数 3：X 是 4×5，W_K 是 3×5。W_K 像是转置了",
    ),
    "X transposed": (
        lambda: project(ones(5, 4), ones(5, 3), "W_Q"),
        ValueError,
        "X 的列数 D=4 必须等于 W_Q 的行数 5：X 是 5×4，W_Q 是 5×3。X 像是转置了",
    ),
    "D in a batch": (
        lambda: project(ones(2, 4, 5), ones(6, 3)),
        ValueError,
        "X 的列数 D=5 必须等于 W 的行数 6：X 是 2×4×5，W 是 6×3",
    ),
    "X sparse": (
        lambda: project(ones(4, 5).to_sparse(), ones(5, 3)),
        ValueError,
        "X 是稀疏张量（torch.sparse_coo），这里要普通的张量。试试 X.to_dense()",
    ),
    "W in a batch": (
        lambda: project(ones(4, 5), ones(2, 5, 3)),
        ValueError,
        "W 必须是二维矩阵 (D, d)，现在的形状是 2×5×3",
    ),
    "W a vector": (
        lambda: project(ones(4, 5), ones(5)),
        ValueError,
        "W 应当是一个矩阵，现在的形状是 (5,)",
    ),
    "one token": (
        lambda: project(ones(5), ones(5, 3)),
        ValueError,
        "X 应当是一个矩阵，现在的形状是 (5,)。只有一行时，试试 X.unsqueeze(0)",
    ),
    "a number": (lambda: project(torch.tensor(1.0), ones(5, 3)), ValueError, "现在的形状是 ()"),
    "no token": (lambda: project(ones(0, 5), ones(5, 3)), ValueError, "X 是空的，形状是 (0, 5)"),
    "no column": (lambda: project(ones(4, 5), ones(5, 0)), ValueError, "W 是空的，形状是 (5, 0)"),
    "NaN in X": (lambda: project(NAN, ones(3, 2)), ValueError, "X（4×3）里有 NaN 或 inf"),
    "inf in W": (lambda: project(ones(2, 4), INF, "W_V"), ValueError, "W_V（4×3）里有 NaN 或 inf"),
    "integers": (
        lambda: project(torch.ones(4, 5, dtype=torch.int64), ones(5, 3)),
        ValueError,
        "X 的类型是 torch.int64，注意力要用浮点数计算。试试 X.float()",
    ),
    "booleans": (lambda: project(ones(4, 5) > 0, ones(5, 3)), ValueError, "X 的类型是 torch.bool"),
    "complex": (lambda: project(ones(4, 5) + 1j, ones(5, 3)), ValueError, "X 的类型是 torch.complex64"),
    "two dtypes": (
        lambda: project(ones(4, 5).double(), ones(5, 3), "W_Q"),
        ValueError,
        "X 是 torch.float64，W_Q 是 torch.float32，两者必须一致。试试 X.to(W_Q.dtype)",
    ),
    "two devices": (
        lambda: project(ones(4, 5), ones(5, 3).as_subclass(Elsewhere), "W_Q"),
        ValueError,
        "X 在 cpu 上，W_Q 在 cuda:0 上，两者必须在同一个设备上。试试 X.to(W_Q.device)",
    ),
    "list": (
        lambda: project([[1.0]], ones(1, 3)),
        TypeError,
        "X 应当是 torch.Tensor，现在是 list。试试 torch.tensor(X)",
    ),
    "numpy": (
        lambda: project(np.ones((4, 5)), ones(5, 3)),
        TypeError,
        "X 应当是 torch.Tensor，现在是 ndarray",
    ),
    "None": (lambda: project(ones(4, 5), None, "W_Q"), TypeError, "W_Q 应当是 torch.Tensor，现在是 NoneType"),
    "nn.Linear": (
        lambda: project(ones(4, 5), nn.Linear(5, 3), "W_Q"),
        TypeError,
        "W_Q 是一个 nn.Linear，这里要的是它的矩阵。试试 W_Q.weight.T",
    ),
    # scores
    "d_k": (
        lambda: scores(ones(4, 3), ones(4, 2)),
        ValueError,
        "Q 的列数 d_k=3 必须等于 K 的列数 2：Q 是 4×3，K 是 4×2",
    ),
    "K already transposed": (
        lambda: scores(ones(4, 3), ones(3, 4)),
        ValueError,
        "Q 的列数 d_k=3 必须等于 K 的列数 4：Q 是 4×3，K 是 3×4",
    ),
    "batch": (
        lambda: scores(ones(2, 4, 3), ones(4, 3)),
        ValueError,
        "Q 与 K 的批次维必须一致：Q 是 2×4×3，K 是 4×3",
    ),
    "batch sizes": (
        lambda: scores(ones(1, 4, 3), ones(2, 4, 3)),
        ValueError,
        "Q 与 K 的批次维必须一致：Q 是 1×4×3，K 是 2×4×3",
    ),
    "query vector": (lambda: scores(ones(3), ones(4, 3)), ValueError, "Q 应当是一个矩阵，现在的形状是 (3,)"),
    "K list": (lambda: scores(ones(4, 3), [1.0]), TypeError, "K 应当是 torch.Tensor，现在是 list"),
    "K NaN": (lambda: scores(ones(4, 3), NAN), ValueError, "K（4×3）里有 NaN 或 inf"),
    "Q and K dtypes": (
        lambda: scores(ones(4, 3), ones(4, 3).half()),
        ValueError,
        "Q 是 torch.float32，K 是 torch.float16，两者必须一致。试试 Q.to(K.dtype)",
    ),
    # divisor
    "p a string": (lambda: scores(ones(4, 3), ones(4, 3), "0.5"), ValueError, "现在是 '0.5'"),
    "p None": (lambda: scores(ones(4, 3), ones(4, 3), None), ValueError, "现在是 None"),
    "p a tensor": (
        lambda: scores(ones(4, 3), ones(4, 3), torch.tensor(0.5)),
        ValueError,
        "p 是除数 d_k^p 的指数，应当是一个有限的 Python 数（0 不缩放，0.5 是 √d_k，1 是 d_k），现在是 tensor(0.5000)",
    ),
    "p true": (lambda: divisor(3, True), ValueError, "现在是 True"),
    "p NaN": (lambda: divisor(3, math.nan), ValueError, "现在是 nan"),
    "p infinite": (lambda: divisor(3, -math.inf), ValueError, "现在是 -inf"),
    "p complex": (lambda: divisor(3, 1j), ValueError, "现在是 1j"),
    "p too large": (lambda: divisor(3, 1e308), ValueError, "除数 d_k^p = 3^1e+308 超出了浮点数的范围"),
    "p too small": (lambda: divisor(3, -1e308), ValueError, "除数 d_k^p = 3^-1e+308 超出了浮点数的范围"),
    "p a huge integer": (lambda: divisor(3, 10**400), ValueError, "超出了浮点数的范围。p 一般取 0 到 1"),
    "d_k zero": (lambda: divisor(0), ValueError, "d_k 是向量的维数，应当是正整数，现在是 0"),
    "d_k negative": (lambda: divisor(-3), ValueError, "现在是 -3"),
    "d_k a string": (lambda: divisor("3"), ValueError, "现在是 '3'"),
    "d_k a float": (lambda: divisor(2.5), ValueError, "现在是 2.5"),
    # softmax
    "S NaN": (lambda: softmax(NAN), ValueError, "S 里有 NaN"),
    "S inf": (lambda: softmax(INF), ValueError, "S 里有 +inf"),
    "S one row masked": (
        lambda: softmax(torch.tensor([[0.0, 1.0], [-math.inf, -math.inf]])),
        ValueError,
        "有一行全是 -inf",
    ),
    "S a number": (lambda: softmax(torch.tensor(1.0)), ValueError, "S 应当是一个矩阵，现在的形状是 ()"),
    "S empty": (lambda: softmax(ones(4, 0)), ValueError, "S 是空的，形状是 (4, 0)"),
    "S integers": (lambda: softmax(torch.tensor([[1, 2]])), ValueError, "S 的类型是 torch.int64"),
    "S list": (lambda: softmax([[1.0, 2.0]]), TypeError, "S 应当是 torch.Tensor，现在是 list"),
    # fuse
    "L": (
        lambda: fuse(ones(4, 3), ones(4, 2)),
        ValueError,
        "A 的列数 3 必须等于 V 的行数 L=4：A 是 4×3，V 是 4×2",
    ),
    "A and V batch": (
        lambda: fuse(ones(2, 4, 4), ones(3, 4, 2)),
        ValueError,
        "A 与 V 的批次维必须一致：A 是 2×4×4，V 是 3×4×2",
    ),
    "A NaN": (lambda: fuse(NAN, ones(3, 2)), ValueError, "A（4×3）里有 NaN 或 inf"),
    "V numpy": (
        lambda: fuse(ones(4, 4), np.ones((4, 2))),
        TypeError,
        "V 应当是 torch.Tensor，现在是 ndarray",
    ),
    "A and V dtypes": (
        lambda: fuse(ones(4, 4), ones(4, 2).double()),
        ValueError,
        "A 是 torch.float32，V 是 torch.float64，两者必须一致",
    ),
    "one row of weights": (
        lambda: fuse(ones(4), ones(4, 2)),
        ValueError,
        "A 应当是一个矩阵，现在的形状是 (4,)",
    ),
    # attention
    "scores overflow": (
        lambda: attention(1e20 * ones(4, 3), 1e20 * ones(4, 3), ones(4, 2)),
        ValueError,
        "S 里有 +inf",
    ),
    "scores overflow in half": (
        lambda: attention(300 * ones(4, 3).half(), 300 * ones(4, 3).half(), ones(4, 2).half()),
        ValueError,
        "请检查得分有没有溢出",
    ),
    "V of another length": (
        lambda: attention(ones(4, 3), ones(4, 3), ones(5, 2)),
        ValueError,
        "A 的列数 4 必须等于 V 的行数 L=5：A 是 4×4，V 是 5×2",
    ),
    # Trace
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
    # SelfAttention
    "d_model zero": (lambda: SelfAttention(0, 3), ValueError, "d_model 是向量的维数，应当是正整数，现在是 0"),
    "d_k half": (lambda: SelfAttention(5, 1.5), ValueError, "d_k 是向量的维数，应当是正整数，现在是 1.5"),
    "d_v text": (lambda: SelfAttention(5, 3, "2"), ValueError, "d_v 是向量的维数，应当是正整数，现在是 '2'"),
    "d_k true": (lambda: SelfAttention(5, True), ValueError, "d_k 是向量的维数，应当是正整数，现在是 True"),
    "d_model huge": (lambda: SelfAttention(10**12, 3), ValueError, "d_model 太大了：这一层最宽 8192"),
    "d_v huge": (lambda: SelfAttention(5, 3, 10**30), ValueError, "d_v 太大了"),
    "p at once": (lambda: SelfAttention(5, 3, p="root"), ValueError, "p 是除数 d_k^p 的指数"),
    "module, D": (
        lambda: SelfAttention(512, 64)(ones(2, 4, 5)),
        ValueError,
        "X 的列数 D=5 必须等于 W_Q 的行数 512：X 是 2×4×5，W_Q 是 512×64",
    ),
    "module, projected twice": (
        lambda: SelfAttention(512, 64)(ones(2, 4, 64)),
        ValueError,
        "X 的列数 D=64 必须等于 W_Q 的行数 512：X 是 2×4×64，W_Q 是 512×64。W_Q 像是转置了",
    ),
    "module, one token": (lambda: SelfAttention(5, 3)(ones(5)), ValueError, "试试 X.unsqueeze(0)"),
    "module, double": (
        lambda: SelfAttention(5, 3)(ones(4, 5).double()),
        ValueError,
        "X 是 torch.float64，W_Q 是 torch.float32，两者必须一致。试试 X.to(W_Q.dtype)",
    ),
    "module, NaN": (lambda: SelfAttention(3, 2)(NAN), ValueError, "X（4×3）里有 NaN 或 inf"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_mistake_is_named(mistake):
    call, kind, message = WRONG[mistake]
    with pytest.raises(kind) as caught:
        call()
    assert caught.type is kind
    assert message in str(caught.value)


# Anything a student might pass instead of a matrix.
DTYPES = [torch.float32] * 6 + [
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.bool,
    torch.complex64,
]
FILLS = [1.0] * 6 + [0.0, -300.0, 1e30, math.nan, math.inf, -math.inf]


@st.composite
def anything(draw):
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([None, 3, 0.5, "X", [[1.0]], np.ones((2, 2)), nn.Linear(2, 2), object()]))
    shape = draw(st.lists(st.sampled_from([2, 2, 2, 1, 3, 0]), max_size=4))
    return torch.full(shape, draw(st.sampled_from(FILLS)), dtype=torch.float64).to(
        draw(st.sampled_from(DTYPES))
    )


CALLS = {
    "project": (project, 2),
    "scores": (scores, 2),
    "softmax": (softmax, 1),
    "fuse": (fuse, 2),
    "attention": (attention, 3),
    "Trace.of": (lambda *M: Trace.of(*M, tokens=("我", "喜欢")), 4),
    "SelfAttention": (lambda X: SelfAttention(2, 2)(X), 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_any_input_gives_a_result_or_a_chinese_error(name):
    call, count = CALLS[name]
    outcomes = set()

    @settings(max_examples=100)
    @given(inputs=st.tuples(*[anything()] * count))
    @example(inputs=(torch.ones(2, 2),) * count)
    def run(inputs):
        try:
            call(*inputs)
        except (ValueError, TypeError) as error:
            assert type(error) in (ValueError, TypeError)
            assert CHINESE.search(str(error)), error
            outcomes.add("error")
        else:
            outcomes.add("result")

    run()
    assert outcomes == {"result", "error"}


@given(p=st.one_of(st.floats(), st.integers(), st.none(), st.text(), st.complex_numbers(), st.booleans()))
def test_any_exponent_gives_a_number_or_a_chinese_error(p):
    try:
        number = divisor(3, p)
    except ValueError as error:
        assert type(error) is ValueError
        assert CHINESE.search(str(error)), error
    else:
        assert 0 < number < math.inf


# Shapes in the annotations


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
