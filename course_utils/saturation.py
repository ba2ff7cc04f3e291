"""What scaling does to the weights and to their gradients: everything here is measured.

Numbers are drawn with seeded generators of our own, in float64: in float32 the gradient of a saturated row
would be rounding noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from .attention import ROOT, attention, divisor, project, scores, softmax
from .attention_checks import require_tensor
from .experiment import one_thread, require_counts, seeded

if TYPE_CHECKING:
    from jaxtyping import Bool, Float

# A row is 饱和 when one weight exceeds the first number, 均匀 when its entropy exceeds this share of ln L.
SATURATED, UNIFORM = 0.99, 0.95
# What a student reads for each state of a row.
STATES = {"uniform": "均匀", "moderate": "适中", "saturated": "饱和"}
# With the divisor √d_k the gradient of the median query is about 1 long; a thousandth of that is dead.
DEAD = 1e-3
D_KS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
# The lower end, the middle and the upper end of every band.
QUANTILES = (0.1, 0.5, 0.9)


# --- One row of weights ---


def entropy(A: Float[Tensor, "*batch L"]) -> Float[Tensor, "*batch"]:
    """Entropy of each row of weights in nats, from 0 (all on one token) to ln L (the same for all).

    A: (..., L). Returns (...). Raises ValueError unless the rows sum to 1.
    """
    _require_weights(A)
    return torch.special.entr(A).sum(dim=-1)


def jacobian(A: Float[Tensor, "*batch L"]) -> Float[Tensor, "*batch L L"]:
    """The Jacobian of softmax at each row a of weights: J = diag(a) - a aᵀ, J_jm = ∂a_j/∂s_m.

    A: (..., L). Returns (..., L, L). Raises ValueError unless the rows sum to 1.
    """
    _require_weights(A)
    return torch.diag_embed(A) - A.unsqueeze(-1) * A.unsqueeze(-2)


def jacobian_norm(A: Float[Tensor, "*batch L"]) -> Float[Tensor, "*batch"]:
    """The Frobenius norm ‖J‖ of softmax's Jacobian at each row of weights, between 0 and 0.5.

    A: (..., L). Returns (...). Raises ValueError unless the rows sum to 1.
    """
    _require_weights(A)
    # The sum of all squares of J, without its L × L numbers. The largest weight a stands apart: near saturation
    # 1 - a would lose every digit, the sum of the others doesn't.
    largest, place = A.max(dim=-1, keepdim=True)
    others = A.scatter(-1, place, 0.0)
    squares = others.square().sum(dim=-1)
    apart = largest.squeeze(-1).square() * (others.sum(dim=-1).square() + 2 * squares)
    return (apart + (others.square() * (1 - 2 * others)).sum(dim=-1) + squares.square()).sqrt()


def is_saturated(A: Float[Tensor, "*batch L"]) -> Bool[Tensor, "*batch"]:
    """Which rows are 饱和: one weight exceeds SATURATED. A: (..., L). Returns (...)."""
    _require_weights(A)
    return A.amax(dim=-1) > SATURATED


def is_uniform(A: Float[Tensor, "*batch L"]) -> Bool[Tensor, "*batch"]:
    """Which rows are 均匀: their entropy exceeds the share UNIFORM of ln L. A: (..., L). Returns (...)."""
    return entropy(A) > UNIFORM * log(A.shape[-1])


def row_states(A: Float[Tensor, "L_q L"]) -> tuple[str, ...]:
    """The state of each row in a word: 均匀, 适中 or 饱和. A: (L_q, L)."""
    return tuple(STATES[state] for state in state_keys(A))


def state_keys(A: Float[Tensor, "L_q L"]) -> tuple[str, ...]:
    """The state of each row as a key of STATES. A: (L_q, L)."""
    _require_weights(A)
    if A.ndim != 2:
        raise ValueError(f"row_states 要一个矩阵 A（每行一个查询），现在的形状是 {tuple(A.shape)}。")
    return tuple(
        "saturated" if full else "uniform" if flat else "moderate"
        for full, flat in zip(is_saturated(A), is_uniform(A), strict=True)
    )


# --- Many draws over d_k ---


def draw(
    count: int = 200, L: int = 4, d_k: int = D_KS[-1], seed: int = 0
) -> tuple[Float[Tensor, "count L d_k"], Float[Tensor, "count L d_k"]]:
    """Q and K with independent N(0, 1) entries, each (count, L, d_k); the first columns serve for smaller d_k."""
    require_counts(count=count, L=L, d_k=d_k)
    Q, K = torch.randn(2, count, L, d_k, generator=seeded(seed), dtype=torch.float64)
    return Q, K


@one_thread()
def dot_product_stds(d_k: int, groups: int = 20, size: int = 1000) -> Float[Tensor, " groups"]:
    """Standard deviation of q·k in each of many groups of dot products; q and k have independent N(0, 1) entries.

    groups × size dot products are drawn. Returns (groups,).
    """
    require_counts(d_k=d_k, groups=groups, size=size)
    generator = seeded(0)
    pairs = (torch.randn(2, size, d_k, generator=generator, dtype=torch.float64) for _ in range(groups))
    return torch.stack([(q * k).sum(dim=-1).std() for q, k in pairs])


def band(values: Float[Tensor, "*any"]) -> Float[Tensor, " 3"]:
    """Lower end, median and upper end (QUANTILES) of all values, whatever their shape. Returns (3,)."""
    _require_lengths("values", values)
    return torch.quantile(values.flatten(), values.new_tensor(QUANTILES))


@dataclass(frozen=True, eq=False)
class Sweep:
    """The rows of A over n values of d_k for one divisor d_k^p: bands (3, n) over all rows of all draws.

    largest: the largest weight; entropy in nats; jacobian: ‖J‖; saturated: (n,), share of rows that are 饱和.
    """

    p: float
    L: int
    d_ks: tuple[int, ...]
    largest: Float[Tensor, "3 n"]
    entropy: Float[Tensor, "3 n"]
    jacobian: Float[Tensor, "3 n"]
    saturated: Float[Tensor, " n"]


@one_thread()
def sweep(p: float = ROOT, d_ks: Sequence[int] = D_KS, L: int = 4, count: int = 200) -> Sweep:
    """Draw Q and K count times and look at the rows of A for each d_k in d_ks; every p sees the same draws."""
    if not isinstance(d_ks, (tuple, list)) or not d_ks:
        raise ValueError(f"d_ks 是一组 d_k，至少要给一个，例如 (4, 64, 512)，现在是 {d_ks!r:.60}。")
    for d_k in d_ks:
        require_counts(d_k=d_k)
    Q, K = draw(count, L, max(d_ks))
    As = [softmax(scores(Q[..., :d_k], K[..., :d_k], p)) for d_k in d_ks]
    return Sweep(
        p,
        L,
        tuple(d_ks),
        largest=torch.stack([band(A.amax(dim=-1)) for A in As], dim=1),
        entropy=torch.stack([band(entropy(A)) for A in As], dim=1),
        jacobian=torch.stack([band(jacobian_norm(A)) for A in As], dim=1),
        saturated=torch.stack([is_saturated(A).double().mean() for A in As]),
    )


# --- Gradients ---


def loss_gradients(
    X: Float[Tensor, "*batch L D"],
    Ws: Sequence[Float[Tensor, "D _"]],
    T: Float[Tensor, "*batch L d_v"],
    p: float = ROOT,
) -> tuple[Tensor, ...]:
    """Gradients of the loss ½ Σ (B - T)² with respect to Q, K, V and to W_Q, W_K, W_V, in this order.

    X: (..., L, D); Ws: W_Q, W_K (D, d_k) and W_V (D, d_v); T: (..., L, d_v), what B should be.
    Each gradient has the shape of its matrix.
    """
    if not isinstance(Ws, (tuple, list)) or len(Ws) != 3:
        raise ValueError(f"Ws 要有三个矩阵 (W_Q, W_K, W_V)，现在是 {Ws!r:.60}。")
    for name, M in zip(("W_Q", "W_K", "W_V", "T"), (*Ws, T), strict=True):
        require_tensor(name, M)
    Ws = [W.detach().requires_grad_() for W in Ws]
    Q, K, V = (project(X, W, name) for W, name in zip(Ws, ("W_Q", "W_K", "W_V"), strict=True))
    B, _ = attention(Q, K, V, p)
    if T.shape != B.shape:
        raise ValueError(f"目标 T 应当和 B 的形状相同：T 是 {tuple(T.shape)}，B 是 {tuple(B.shape)}。")
    loss = ((B - T) ** 2).sum() / 2
    return torch.autograd.grad(loss, (Q, K, V, *Ws))


@dataclass(frozen=True, eq=False)
class Gradients:
    """Lengths of gradients over many draws.

    q, k, v: of every single row of Q, K and V, (draws × sentences × L,).
    W_Q, W_K, W_V: of the whole matrix (Frobenius), (draws,).
    """

    q: Float[Tensor, " rows"]
    k: Float[Tensor, " rows"]
    v: Float[Tensor, " rows"]
    W_Q: Float[Tensor, " draws"]
    W_K: Float[Tensor, " draws"]
    W_V: Float[Tensor, " draws"]


def gradients(d_k: int, p: float = ROOT, draws: int = 25) -> Gradients:
    """Draw X, targets T and the projections again and again, and measure loss_gradients.

    Each draw is a batch of 16 sentences with L=4, D=64, d_v=8. X and T have N(0, 1) entries, the projections
    N(0, 1/D), so that Var(q·k) = d_k. What was measured once in this process is not measured again.
    """
    require_counts(d_k=d_k, draws=draws)
    divisor(d_k, p)
    return _gradients(d_k, p, draws)


@cache
@one_thread()
def _gradients(d_k: int, p: float, draws: int) -> Gradients:
    sentences, L, D, d_v = 16, 4, 64, 8
    generator = seeded(0)

    def normal(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    measured = []
    for _ in range(draws):
        X, T = normal(sentences, L, D), normal(sentences, L, d_v)
        Ws = [normal(D, columns) / D**0.5 for columns in (d_k, d_k, d_v)]
        found = loss_gradients(X, Ws, T, p)
        rows = [G.norm(dim=-1).flatten() for G in found[:3]]
        matrices = [G.norm().reshape(1) for G in found[3:]]
        measured.append(rows + matrices)
    return Gradients(*(torch.cat(lengths) for lengths in zip(*measured, strict=True)))


def dead_share(rows: Float[Tensor, " rows"]) -> float:
    """The share, 0 to 1, of gradient lengths below DEAD."""
    _require_lengths("rows", rows)
    return (rows < DEAD).double().mean().item()


def _require_weights(A: Tensor) -> None:
    if not isinstance(A, Tensor):
        raise TypeError(f"A 应当是 torch.Tensor，现在是 {type(A).__name__}。试试 torch.tensor(A)。")
    if A.ndim == 0 or not A.is_floating_point() or A.shape[-1] == 0:
        raise ValueError(f"A 应当是一行或多行浮点数的权重，现在的形状是 {tuple(A.shape)}，类型是 {A.dtype}。")
    _require_numbers("A", A)
    total = A.sum(dim=-1)
    if (A < 0).any() or not torch.allclose(total, torch.ones_like(total), atol=1e-4):
        raise ValueError(
            "A 的每一行应当是权重：不小于 0，加起来等于 1。是不是把得分 S 传进来了？先做 softmax。"
        )


def _require_lengths(name: str, values: Tensor) -> None:
    """values: some lengths or weights, at least one."""
    if not isinstance(values, Tensor):
        raise TypeError(
            f"{name} 应当是 torch.Tensor，现在是 {type(values).__name__}。试试 torch.tensor({name})。"
        )
    _require_numbers(name, values)
    if values.dtype not in (torch.float32, torch.float64) or not values.numel():
        raise ValueError(
            f"{name} 应当是 float32 或 float64 的数，至少一个，现在的形状是 {tuple(values.shape)}，类型是 {values.dtype}。"
        )


def _require_numbers(name: str, M: Tensor) -> None:
    """M: a tensor that holds numbers one by one, which can be looked at."""
    if M.layout != torch.strided or M.is_meta:
        raise ValueError(f"{name} 不是普通的张量（{M.layout}，{M.device}），里面的数没法一个一个地看。")
