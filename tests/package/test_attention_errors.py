"""Each mistake that a student may make in a step is named: what was given, what is expected, in Chinese."""

import math

import numpy as np
import pytest
import torch
from support.matrices import check_told, ones
from torch import nn

from course_utils.attention import attention, divisor, fuse, project, scores, softmax


class Elsewhere(torch.Tensor):
    """A matrix that says it lives on a GPU."""

    device = torch.device("cuda:0")


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
}


@pytest.mark.parametrize("mistake", WRONG)
def test_mistake_is_named(mistake):
    check_told(*WRONG[mistake])


# Where NaN and inf come from


def poisoned(M, place, number):
    M = M.clone()
    M.view(-1)[place] = number
    return M


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("fill", [1.0, 0.0])  # even inf times 0 isn't lost
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_one_bad_number_anywhere_is_traced_to_its_matrix(number, fill, dtype):
    M, N = torch.full((4, 3), fill, dtype=dtype), torch.full((3, 2), fill, dtype=dtype)
    for place in (0, 5, -1):
        X, W = poisoned(M, place, number), poisoned(N, place, number)
        check_told(lambda X=X: project(X, N), ValueError, "X（4×3）里有 NaN 或 inf")
        check_told(lambda W=W: project(M, W, "W_K"), ValueError, "W_K（3×2）里有 NaN 或 inf")
        check_told(lambda X=X: scores(X, M), ValueError, "Q（4×3）里有 NaN 或 inf")
        check_told(lambda X=X: scores(M, X), ValueError, "K（4×3）里有 NaN 或 inf")
        check_told(lambda X=X: fuse(X, N), ValueError, "A（4×3）里有 NaN 或 inf")
        check_told(lambda W=W: fuse(M, W), ValueError, "V（3×2）里有 NaN 或 inf")
        # Scores of -inf alone would only hide a key: they must not be taken for a mask.
        check_told(lambda X=X: attention(M, X, M), ValueError, "K（4×3）里有 NaN 或 inf")


def test_an_overflow_is_told_by_the_next_step():
    Q = project(1e20 * ones(4, 5), 1e20 * ones(5, 3))
    assert Q.isinf().all()
    check_told(lambda: scores(Q, ones(4, 3)), ValueError, "Q（4×3）里有 NaN 或 inf")
    check_told(lambda: attention(ones(4, 3), ones(4, 3), Q), ValueError, "V（4×3）里有 NaN 或 inf")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_numbers_that_are_finite_are_not_refused_although_their_sum_is_not(dtype):
    V = torch.full((4, 3), torch.finfo(dtype).max, dtype=dtype)
    A = torch.eye(4, dtype=dtype)
    assert V.sum().isinf()
    assert torch.equal(fuse(A, V), V)
    Q = torch.tensor([[torch.finfo(dtype).max]] * 4, dtype=dtype)
    assert torch.equal(scores(Q, torch.ones(4, 1, dtype=dtype)), Q.expand(4, 4))
    assert fuse(torch.full_like(A, 2), V).isinf().all()  # an overflow: neither of the two is to blame
    nan = torch.full((4, 4), math.nan, dtype=dtype)
    check_told(lambda: fuse(nan, V), ValueError, "A（4×4）里有 NaN 或 inf")
