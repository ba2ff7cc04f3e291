"""The layer against linear layers and torch's own attention; its gradients, and the mistakes it names."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from hypothesis import given, settings
from support import worked_example
from support.matrices import batches, check_told, close, exponents, ones, sizes
from torch import nn

from course_utils.attention import SelfAttention


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


def test_gradients_reach_all_three_projections():
    torch.manual_seed(0)
    layer = SelfAttention(5, 3, d_v=2)
    output, _ = layer(torch.randn(2, 4, 5))
    output.square().sum().backward()
    for name in ("W_Q", "W_K", "W_V"):
        gradient = getattr(layer, name).weight.grad
        assert torch.isfinite(gradient).all()
        assert (gradient != 0).all(), name


# Errors

WRONG = {
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
    "module, NaN": (
        lambda: SelfAttention(3, 2)(torch.full((4, 3), math.nan)),
        ValueError,
        "X（4×3）里有 NaN 或 inf",
    ),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_mistake_is_named(mistake):
    check_told(*WRONG[mistake])
