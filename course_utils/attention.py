"""Self-attention as matrices: each step a pure function, the whole chain a Trace, the layer a module.

Rows are tokens, as in Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.
Every function works on one sentence (L, d) and on any batch of them (..., L, d).
What they ask of their inputs stands in attention_checks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from .attention_checks import (
    require_exponent,
    require_finite_inputs,
    require_layer_size,
    require_projection,
    require_rows_that_sum,
    require_same_width,
    require_size,
    require_tensor,
    require_tokens,
    require_weight_per_row,
)

if TYPE_CHECKING:
    from jaxtyping import Float

# Exponents p of the divisor d_k^p.
UNSCALED, ROOT, FULL = 0.0, 0.5, 1.0


def project(
    X: Float[Tensor, "*batch L D"], W: Float[Tensor, "D d"], name: str = "W"
) -> Float[Tensor, "*batch L d"]:
    """One projection of every token, e.g. Q = X W_Q.

    X: (..., L, D), W: (D, d), name: what messages call W. Returns (..., L, d).
    Raises ValueError unless X has D columns.
    """
    require_projection(X, W, name)
    Y = X @ W
    require_finite_inputs(Y, ("X", X), (name, W))
    return Y


def scores(
    Q: Float[Tensor, "*batch L_q d_k"], K: Float[Tensor, "*batch L d_k"], p: float = ROOT
) -> Float[Tensor, "*batch L_q L"]:
    """Scores S = Q K^T / d_k^p: row i asks, column j answers.

    Q: (..., L_q, d_k), K: (..., L, d_k), p: exponent of the divisor (0 none, 0.5 the root, 1 d_k itself).
    Returns (..., L_q, L). Raises ValueError when Q and K differ in d_k or in their batch.
    """
    require_same_width(Q, K)
    S = Q @ K.mT / divisor(Q.shape[-1], p)
    require_finite_inputs(S, ("Q", Q), ("K", K))
    return S


def divisor(d_k: int, p: float = ROOT) -> float:
    """The number d_k^p that the dot products are divided by.

    Raises ValueError unless d_k is a positive integer, p a finite number, and d_k^p neither 0 nor infinite.
    """
    require_size("d_k", d_k)
    require_exponent(p)
    try:
        number = float(d_k) ** float(p)
    except OverflowError:
        number = inf
    if not 0 < number < inf:
        raise ValueError(f"除数 d_k^p = {d_k}^{p} 超出了浮点数的范围。p 一般取 0 到 1。")
    return number


def softmax(S: Float[Tensor, "*rows L"]) -> Float[Tensor, "*rows L"]:
    """Weights A: softmax of each row of S, so that every row sums to 1.

    S: (..., L), one row or any stack of rows, where -inf marks a key that must not be seen. Returns the same shape.
    Raises ValueError on NaN and on a row that is -inf throughout.
    """
    require_tensor("S", S, min_ndim=1)
    A = torch.softmax(S, dim=-1)
    require_rows_that_sum(S, A)
    return A


def fuse(
    A: Float[Tensor, "*batch L_q L"], V: Float[Tensor, "*batch L d_v"]
) -> Float[Tensor, "*batch L_q d_v"]:
    """Weighted fusion B = A V: row i of B is the sum of a_ij v_j over j.

    A: (..., L_q, L), V: (..., L, d_v). Returns (..., L_q, d_v). Raises ValueError unless A has L columns.
    """
    require_weight_per_row(A, V)
    B = A @ V
    require_finite_inputs(B, ("A", A), ("V", V))
    return B


def attention(
    Q: Float[Tensor, "*batch L_q d_k"],
    K: Float[Tensor, "*batch L d_k"],
    V: Float[Tensor, "*batch L d_v"],
    p: float = ROOT,
) -> tuple[Float[Tensor, "*batch L_q d_v"], Float[Tensor, "*batch L_q L"]]:
    """Scaled dot-product attention. Returns (B, A): the fused vectors and the weights.

    Shapes and errors are those of scores, softmax and fuse.
    """
    A = softmax(scores(Q, K, p))
    return fuse(A, V), A


@dataclass(frozen=True, eq=False)
class Trace:
    """Every matrix of one pass over one sentence. Build it with Trace.of.

    tokens: L labels; X (L, D); W_Q, W_K (D, d_k); W_V (D, d_v);
    Q, K (L, d_k); V (L, d_v); S, A (L, L); B (L, d_v).
    What columns mean, where that is known: features, D names, those of X; channels, d_k, those of Q and K;
    contents, d_v, those of V and B.
    """

    tokens: tuple[str, ...]
    X: Float[Tensor, "L D"]
    W_Q: Float[Tensor, "D d_k"]
    W_K: Float[Tensor, "D d_k"]
    W_V: Float[Tensor, "D d_v"]
    Q: Float[Tensor, "L d_k"]
    K: Float[Tensor, "L d_k"]
    V: Float[Tensor, "L d_v"]
    S: Float[Tensor, "L L"]
    A: Float[Tensor, "L L"]
    B: Float[Tensor, "L d_v"]
    features: tuple[str, ...] | None = None
    channels: tuple[str, ...] | None = None
    contents: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        X: Float[Tensor, "L D"],
        W_Q: Float[Tensor, "D d_k"],
        W_K: Float[Tensor, "D d_k"],
        W_V: Float[Tensor, "D d_v"],
        tokens: tuple[str, ...],
        p: float = ROOT,
        features: tuple[str, ...] | None = None,
        channels: tuple[str, ...] | None = None,
        contents: tuple[str, ...] | None = None,
    ) -> Trace:
        """Run the chain X -> Q, K, V -> S -> A -> B and keep each step.

        Raises TypeError unless tokens is a tuple or list of strings, ValueError unless X has one row for each, and
        X, Q and V one column for each name given; the other errors are those of project and scores.
        """
        require_tokens(tokens, X)
        Q, K, V = project(X, W_Q, "W_Q"), project(X, W_K, "W_K"), project(X, W_V, "W_V")
        S = scores(Q, K, p)
        A = softmax(S)
        columns = (
            cls._names("features", features, "X", X),
            cls._names("channels", channels, "Q", Q),
            cls._names("contents", contents, "V", V),
        )
        return cls(tuple(tokens), X, W_Q, W_K, W_V, Q, K, V, S, A, fuse(A, V), *columns)

    @staticmethod
    def _names(
        kind: str, given: tuple[str, ...] | None, letter: str, M: Float[Tensor, "L d"]
    ) -> tuple[str, ...] | None:
        if given is None:
            return None
        if not isinstance(given, (tuple, list)) or len(given) != M.shape[1]:
            raise ValueError(
                f"{kind} 是 {letter} 各列的名字，应当有 {M.shape[1]} 个，例如 ('人', '情感')，现在是 {given!r:.60}。"
            )
        return tuple(given)


class SelfAttention(nn.Module):
    """Single-head self-attention with learned, bias-free projections.

    d_model: columns of X (D). d_k: columns of Q and K. d_v: columns of V and of the output, d_k when not given.
    p: exponent of the divisor d_k^p. Raises ValueError for sizes beyond MAX_WIDTH.
    """

    def __init__(self, d_model: int, d_k: int, d_v: int | None = None, p: float = ROOT):
        d_v = d_k if d_v is None else d_v
        for name, size in (("d_model", d_model), ("d_k", d_k), ("d_v", d_v)):
            require_layer_size(name, size)
        divisor(d_k, p)
        super().__init__()
        self.p = p
        self.W_Q = nn.Linear(d_model, d_k, bias=False, dtype=torch.float32)
        self.W_K = nn.Linear(d_model, d_k, bias=False, dtype=torch.float32)
        self.W_V = nn.Linear(d_model, d_v, bias=False, dtype=torch.float32)

    def forward(
        self, X: Float[Tensor, "*batch L D"]
    ) -> tuple[Float[Tensor, "*batch L d_v"], Float[Tensor, "*batch L L"]]:
        """X: (..., L, d_model). Returns (output, weights): (..., L, d_v) and (..., L, L)."""
        # nn.Linear stores W^T, so .T gives back the W of the formulas.
        Q = project(X, self.W_Q.weight.T, "W_Q")
        K = project(X, self.W_K.weight.T, "W_K")
        V = project(X, self.W_V.weight.T, "W_V")
        return attention(Q, K, V, self.p)
