"""Self-attention as matrices: each step a pure function, the whole chain a Trace, the layer a module.

Rows are tokens, as in Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.
Every function works on one sentence (L, d) and on any batch of them (..., L, d).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from numbers import Integral, Real
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from jaxtyping import Float

# Exponents p of the divisor d_k^p.
UNSCALED, ROOT, FULL = 0.0, 0.5, 1.0
# The widest layer: three matrices of this size square still fit into the memory of a laptop.
MAX_WIDTH = 8192


def project(
    X: Float[Tensor, "*batch L D"], W: Float[Tensor, "D d"], name: str = "W"
) -> Float[Tensor, "*batch L d"]:
    """One projection of every token, e.g. Q = X W_Q.

    X: (..., L, D), W: (D, d), name: what messages call W. Returns (..., L, d).
    Raises ValueError unless X has D columns.
    """
    _require_matrix("X", X)
    _require_matrix(name, W)
    _require_same_kind("X", X, name, W)
    if W.ndim != 2:
        raise ValueError(f"{name} 必须是二维矩阵 (D, d)，现在的形状是 {_shape(W)}。")
    if X.shape[-1] != W.shape[0]:
        raise ValueError(
            f"X 的列数 D={X.shape[-1]} 必须等于 {name} 的行数 {W.shape[0]}："
            f"X 是 {_shape(X)}，{name} 是 {_shape(W)}。{_projection_hint(X, name, W)}"
        )
    return X @ W


def scores(
    Q: Float[Tensor, "*batch L_q d_k"], K: Float[Tensor, "*batch L d_k"], p: float = ROOT
) -> Float[Tensor, "*batch L_q L"]:
    """Scores S = Q K^T / d_k^p: row i asks, column j answers.

    Q: (..., L_q, d_k), K: (..., L, d_k), p: exponent of the divisor (0 none, 0.5 the root, 1 d_k itself).
    Returns (..., L_q, L). Raises ValueError when Q and K differ in d_k or in their batch.
    """
    _require_matrix("Q", Q)
    _require_matrix("K", K)
    _require_same_kind("Q", Q, "K", K)
    _require_same_batch("Q", Q, "K", K)
    d_k = Q.shape[-1]
    if K.shape[-1] != d_k:
        raise ValueError(
            f"Q 的列数 d_k={d_k} 必须等于 K 的列数 {K.shape[-1]}：Q 是 {_shape(Q)}，K 是 {_shape(K)}。"
            "点积要求两个向量一样长，请检查 W_Q 与 W_K 的列数。"
        )
    return Q @ K.mT / divisor(d_k, p)


def divisor(d_k: int, p: float = ROOT) -> float:
    """The number d_k^p that the dot products are divided by.

    Raises ValueError unless d_k is a positive integer, p a finite number, and d_k^p neither 0 nor infinite.
    """
    _require_size("d_k", d_k)
    if isinstance(p, bool) or not isinstance(p, Real) or not abs(p) < inf:
        raise ValueError(
            f"p 是除数 d_k^p 的指数，应当是一个有限的 Python 数（0 不缩放，0.5 是 √d_k，1 是 d_k），现在是 {p!r}。"
        )
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
    _require_tensor("S", S, min_ndim=1)
    if torch.isnan(S).any():
        raise ValueError("S 里有 NaN，softmax 会把整行变成 NaN。请往前一步检查 Q 与 K。")
    if torch.isposinf(S).any() or torch.isneginf(S).all(dim=-1).any():
        raise ValueError("S 里有 +inf，或者有一行全是 -inf，这样的行没有办法归一化。请检查得分有没有溢出。")
    return torch.softmax(S, dim=-1)


def fuse(
    A: Float[Tensor, "*batch L_q L"], V: Float[Tensor, "*batch L d_v"]
) -> Float[Tensor, "*batch L_q d_v"]:
    """Weighted fusion B = A V: row i of B is the sum of a_ij v_j over j.

    A: (..., L_q, L), V: (..., L, d_v). Returns (..., L_q, d_v). Raises ValueError unless A has L columns.
    """
    _require_matrix("A", A)
    _require_matrix("V", V)
    _require_same_kind("A", A, "V", V)
    _require_same_batch("A", A, "V", V)
    if A.shape[-1] != V.shape[-2]:
        raise ValueError(
            f"A 的列数 {A.shape[-1]} 必须等于 V 的行数 L={V.shape[-2]}：A 是 {_shape(A)}，V 是 {_shape(V)}。"
            "每个词元要有一个权重。"
        )
    return A @ V


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
        _require_matrix("X", X)
        if not isinstance(tokens, (tuple, list)) or not all(isinstance(token, str) for token in tokens):
            raise TypeError(f"tokens 应当是由词元组成的元组，例如 ('我', '喜欢')，现在是 {tokens!r}。")
        if X.ndim != 2 or len(tokens) != X.shape[0]:
            raise ValueError(f"每个词元在 X 里占一行：词元有 {len(tokens)} 个，X 是 {_shape(X)}。")
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
            _require_size(name, size)
            if size > MAX_WIDTH:
                raise ValueError(f"{name} 太大了：这一层最宽 {MAX_WIDTH}，例如 SelfAttention(512, 64)。")
        divisor(d_k, p)
        super().__init__()
        self.p = p
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(
        self, X: Float[Tensor, "*batch L D"]
    ) -> tuple[Float[Tensor, "*batch L d_v"], Float[Tensor, "*batch L L"]]:
        """X: (..., L, d_model). Returns (output, weights): (..., L, d_v) and (..., L, L)."""
        # nn.Linear stores W^T, so .T gives back the W of the formulas.
        Q = project(X, self.W_Q.weight.T, "W_Q")
        K = project(X, self.W_K.weight.T, "W_K")
        V = project(X, self.W_V.weight.T, "W_V")
        return attention(Q, K, V, self.p)


def _shape(M: Tensor) -> str:
    return "×".join(str(size) for size in M.shape)


def _require_tensor(name: str, M: Tensor, min_ndim: int) -> None:
    if isinstance(M, nn.Linear):
        raise TypeError(f"{name} 是一个 nn.Linear，这里要的是它的矩阵。试试 {name}.weight.T。")
    if not isinstance(M, Tensor):
        raise TypeError(f"{name} 应当是 torch.Tensor，现在是 {type(M).__name__}。试试 torch.tensor({name})。")
    if M.layout != torch.strided:
        raise ValueError(f"{name} 是稀疏张量（{M.layout}），这里要普通的张量。试试 {name}.to_dense()。")
    if not M.is_floating_point():
        raise ValueError(f"{name} 的类型是 {M.dtype}，注意力要用浮点数计算。试试 {name}.float()。")
    if M.ndim < min_ndim:
        raise ValueError(
            f"{name} 应当是一个矩阵，现在的形状是 {tuple(M.shape)}。只有一行时，试试 {name}.unsqueeze(0)。"
        )
    if 0 in M.shape:
        raise ValueError(f"{name} 是空的，形状是 {tuple(M.shape)}。至少要有一个词元、一列数。")


def _require_matrix(name: str, M: Tensor) -> None:
    _require_tensor(name, M, min_ndim=2)
    if not torch.isfinite(M).all():
        raise ValueError(
            f"{name}（{_shape(M)}）里有 NaN 或 inf，后面的每一步都会被它污染。请检查它是怎么算出来的。"
        )


def _require_size(name: str, size: int) -> None:
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
        raise ValueError(f"{name} 是向量的维数，应当是正整数，现在是 {size!r}。")


def _require_same_kind(name_a: str, a: Tensor, name_b: str, b: Tensor) -> None:
    if a.dtype != b.dtype:
        raise ValueError(
            f"{name_a} 是 {a.dtype}，{name_b} 是 {b.dtype}，两者必须一致。试试 {name_a}.to({name_b}.dtype)。"
        )
    if a.device != b.device:
        raise ValueError(
            f"{name_a} 在 {a.device} 上，{name_b} 在 {b.device} 上，两者必须在同一个设备上。"
            f"试试 {name_a}.to({name_b}.device)。"
        )


def _require_same_batch(name_a: str, a: Tensor, name_b: str, b: Tensor) -> None:
    if a.shape[:-2] != b.shape[:-2]:
        raise ValueError(
            f"{name_a} 与 {name_b} 的批次维必须一致：{name_a} 是 {_shape(a)}，{name_b} 是 {_shape(b)}。"
        )


def _projection_hint(X: Tensor, name: str, W: Tensor) -> str:
    if X.shape[-1] == W.shape[1]:
        return f"{name} 像是转置了（nn.Linear 的 weight 存的是 Wᵀ，请用 weight.T），或者 X 已经投影过了。"
    if X.shape[-2] == W.shape[0]:
        return "X 像是转置了：每一行应当是一个词元。"
    return "请检查词向量的维数和投影矩阵的行数。"
