"""Training one head: the retrieval task, and how its loss falls with each divisor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from .attention import ROOT, attention
from .attention_checks import require_tensor
from .experiment import one_thread, require_counts, seeded

if TYPE_CHECKING:
    from jaxtyping import Float


def ask(
    keys: Float[Tensor, "n half"], values: Float[Tensor, "n half"], batch: int, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Pair keys and values anew and ask for batch of them. Returns (U, X, T, asked).

    X: (n, 2·half), token j is a key beside its value. U: (batch, 2·half), a question is a key beside zeros.
    T: (batch, n), one-hot, which of the values is the answer. asked: (batch,), the token that holds it.
    """
    require_counts(batch=batch)
    for name, M in (("keys", keys), ("values", values)):
        require_tensor(name, M)
    if not isinstance(generator, torch.Generator):
        raise TypeError(
            f"generator 应当是 torch.Generator，例如 torch.Generator().manual_seed(0)，现在是 {type(generator).__name__}。"
        )
    if keys.ndim != 2 or keys.shape != values.shape:
        raise ValueError(
            f"每个键配一个值：键是 {tuple(keys.shape)}，值是 {tuple(values.shape)}，形状应当相同。"
        )
    n = len(keys)
    pairing = torch.randperm(n, generator=generator)
    asked = torch.randint(n, (batch,), generator=generator)
    X = torch.cat([keys, values[pairing]], dim=1)
    U = torch.cat([keys, torch.zeros_like(keys)], dim=1)[asked]
    return U, X, torch.eye(n, dtype=keys.dtype)[pairing[asked]], asked


# Entries of W at the start, from D rows: variance 1/D, so that Var(q·k) = d_k; or as torch's own layer draws them,
# uniform with variance 1/(3D).
STARTS = {
    "1/D": lambda D, columns, **how: torch.randn(D, columns, **how) / D**0.5,
    "nn.Linear": lambda D, columns, **how: (2 * torch.rand(D, columns, **how) - 1) / D**0.5,
}


@dataclass(frozen=True, eq=False)
class Training:
    """One run: losses (steps,), and what the last batch came to.

    answered: share of questions whose largest output is the right value. found: share with the largest weight on the
    token that was asked for, avoided: with the smallest there. on_asked: its weight, the median over the questions.
    """

    losses: Float[Tensor, " steps"]
    answered: float
    found: float
    avoided: float
    on_asked: float


@one_thread()
def train_retrieval(p: float = ROOT, seed: int = 0, steps: int = 150, start: str = "1/D") -> Training:
    """Train one head (d_k=256) to look up values by their keys in 8 random tokens, paired anew at each step.

    64 questions a step, Adam with learning rate 1e-3; loss: squared error summed over the 8 columns of T.
    An answer of zeros costs 1, all values in equal parts 7/8. start: one of STARTS.
    """
    require_counts(steps=steps)
    if not isinstance(start, str) or start not in STARTS:
        raise ValueError(
            f"start 是 W 的初始值怎样抽，可以是 {'、'.join(map(repr, STARTS))}，现在是 {start!r}。"
        )
    n, half, d_k, batch = 8, 128, 256, 64
    D, generator = 2 * half, seeded(seed)
    how = {"generator": generator, "dtype": torch.float32}
    keys, values = torch.randn(2, n, half, **how)
    Ws = [STARTS[start](D, columns, **how) for columns in (d_k, d_k, n)]
    W_Q, W_K, W_V = (W.requires_grad_() for W in Ws)
    optimizer = torch.optim.Adam(Ws, lr=1e-3)
    losses = []
    for _ in range(steps):
        U, X, T, asked = ask(keys, values, batch, generator)
        B, A = attention(U @ W_Q, X @ W_K, X @ W_V, p)
        loss = ((B - T) ** 2).sum(dim=1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return Training(
        torch.tensor(losses, dtype=torch.float32),
        answered=_share(B.argmax(dim=1) == T.argmax(dim=1)),
        found=_share(A.argmax(dim=1) == asked),
        avoided=_share(A.argmin(dim=1) == asked),
        on_asked=A[torch.arange(batch), asked].median().item(),
    )


def _share(of: Tensor) -> float:
    return of.double().mean().item()
