"""What each step of attention asks of its inputs, and what it says in Chinese to a student who gives something else.

Types, shapes, dtypes and devices are checked at the door of a step, before it computes. NaN and inf are looked for
in its result, since every step carries them on: one look is enough as long as all is well. Under torch.compile,
torch.export and torch.vmap there are no numbers to look at, and only the first kind of check is left.
"""

from __future__ import annotations

from math import inf, isfinite
from numbers import Integral, Real

import torch
from torch import Tensor, nn

# The widest layer: three matrices of this size square still fit into the memory of a laptop.
MAX_WIDTH = 8192


def require_projection(X: Tensor, W: Tensor, name: str) -> None:
    """X (..., L, D) and W (D, d), which messages call by its name."""
    _require_matrices("X", X, name, W)
    if W.ndim != 2:
        raise ValueError(f"{name} 必须是二维矩阵 (D, d)，现在的形状是 {_shape(W)}。")
    if X.shape[-1] != W.shape[0]:
        raise ValueError(
            f"X 的列数 D={X.shape[-1]} 必须等于 {name} 的行数 {W.shape[0]}："
            f"X 是 {_shape(X)}，{name} 是 {_shape(W)}。{_projection_hint(X, name, W)}"
        )


def require_same_width(Q: Tensor, K: Tensor) -> None:
    """Q (..., L_q, d_k) and K (..., L, d_k)."""
    _require_matrices("Q", Q, "K", K)
    _require_same_batch("Q", Q, "K", K)
    if K.shape[-1] != Q.shape[-1]:
        raise ValueError(
            f"Q 的列数 d_k={Q.shape[-1]} 必须等于 K 的列数 {K.shape[-1]}：Q 是 {_shape(Q)}，K 是 {_shape(K)}。"
            "点积要求两个向量一样长，请检查 W_Q 与 W_K 的列数。"
        )


def require_weight_per_row(A: Tensor, V: Tensor) -> None:
    """A (..., L_q, L) and V (..., L, d_v): one weight for each row of V."""
    _require_matrices("A", A, "V", V)
    _require_same_batch("A", A, "V", V)
    if A.shape[-1] != V.shape[-2]:
        raise ValueError(
            f"A 的列数 {A.shape[-1]} 必须等于 V 的行数 L={V.shape[-2]}：A 是 {_shape(A)}，V 是 {_shape(V)}。"
            "每个词元要有一个权重。"
        )


def require_tensor(name: str, M: Tensor, min_ndim: int = 2) -> None:
    """M: a dense tensor of floating-point numbers with at least min_ndim axes, none of them empty."""
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


def require_tokens(tokens: tuple[str, ...], X: Tensor) -> None:
    """X (L, D) with one row for each of the L tokens."""
    require_tensor("X", X)
    if not isinstance(tokens, (tuple, list)) or not all(isinstance(token, str) for token in tokens):
        raise TypeError(f"tokens 应当是由词元组成的元组，例如 ('我', '喜欢')，现在是 {tokens!r}。")
    if X.ndim != 2 or len(tokens) != X.shape[0]:
        raise ValueError(f"每个词元在 X 里占一行：词元有 {len(tokens)} 个，X 是 {_shape(X)}。")


def require_finite_inputs(result: Tensor, *inputs: tuple[str, Tensor]) -> None:
    """inputs: the two factors of the result, each with its name. ValueError for the first that has NaN or inf.

    When only the result has some, it was too large for its dtype: the next step will say so.
    """
    if _is_finite(result):
        return
    for name, M in inputs:
        if not _is_finite(M):
            raise ValueError(
                f"{name}（{_shape(M)}）里有 NaN 或 inf，后面的每一步都会被它污染。请检查它是怎么算出来的。"
            )


def require_rows_that_sum(S: Tensor, A: Tensor) -> None:
    """A: the softmax of S. A row of S that can't be made to sum to 1 has become NaN from end to end."""
    if _is_finite(A[..., 0]):
        return
    if torch.isnan(S).any():
        raise ValueError("S 里有 NaN，softmax 会把整行变成 NaN。请往前一步检查 Q 与 K。")
    raise ValueError("S 里有 +inf，或者有一行全是 -inf，这样的行没有办法归一化。请检查得分有没有溢出。")


def require_size(name: str, size: int) -> None:
    """size: a positive integer."""
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
        raise ValueError(f"{name} 是向量的维数，应当是正整数，现在是 {size!r}。")


def require_layer_size(name: str, size: int) -> None:
    """size: a positive integer up to MAX_WIDTH."""
    require_size(name, size)
    if size > MAX_WIDTH:
        raise ValueError(f"{name} 太大了：这一层最宽 {MAX_WIDTH}，例如 SelfAttention(512, 64)。")


def require_exponent(p: float) -> None:
    """p: a finite number of Python or numpy."""
    if isinstance(p, bool) or not isinstance(p, Real) or not abs(p) < inf:
        raise ValueError(
            f"p 是除数 d_k^p 的指数，应当是一个有限的 Python 数（0 不缩放，0.5 是 √d_k，1 是 d_k），现在是 {p!r}。"
        )


def _is_finite(M: Tensor) -> bool:
    """Whether M holds neither NaN nor inf, as far as can be seen."""
    if torch.compiler.is_compiling():  # or exporting: there are shapes, and no numbers yet
        return True
    try:
        total = M.sum().item()
    except RuntimeError:  # torch.vmap: many matrices at once, so no single number
        return True
    # Neither NaN nor inf can be added away; only a sum that is itself too large needs a second look.
    return isfinite(total) or bool(torch.isfinite(M).all())


def _require_matrices(name_a: str, a: Tensor, name_b: str, b: Tensor) -> None:
    require_tensor(name_a, a)
    require_tensor(name_b, b)
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


def _shape(M: Tensor) -> str:
    return "×".join(str(size) for size in M.shape)
