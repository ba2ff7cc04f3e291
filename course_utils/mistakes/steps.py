"""The steps of the course as functions that can be exchanged, and a mistake as an exchange of one or two of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace

import torch
from torch import Tensor


@dataclass(frozen=True)
class Steps:
    """The steps of the course as raw torch operations; a mistake replaces one or two of them.

    Raw, because a wrong step must fail or go wrong exactly as the student's own line does.
    Methods of tensors: what a student's notebook puts in the place of torch.softmax must not become the right answer.
    """

    look_up: Callable = lambda onehot, E: onehot @ E
    stack: Callable = lambda tokens, vocabulary: torch.tensor(
        [vocabulary[token] for token in tokens], dtype=torch.float32
    )
    project: Callable = lambda X, W: X @ W
    choose: Callable = lambda W_Q, W_K, W_V: (W_Q, W_K, W_V)
    dot: Callable = lambda Q, K: Q @ K.mT
    leave: Callable = lambda M, sizes: M
    scale: Callable = lambda M, sizes: M / sizes.d_k**0.5
    weigh: Callable = lambda S: S.softmax(dim=-1)
    jacobian: Callable = lambda a: a.diag() - a.outer(a)
    fuse_one: Callable = lambda A, V, i: A[i] @ V
    fuse: Callable = lambda A, V, K: A @ V
    return_second: Callable = lambda A, S, M: A


RIGHT = Steps()


@dataclass(frozen=True, eq=False)
class Mistake:
    """One known mistake: its name, what the student reads, and the steps it changes."""

    name: str
    message: str
    change: dict[str, Callable]


def with_mistakes(*made: Mistake) -> Steps:
    """The right steps but for what these mistakes change."""
    return replace(RIGHT, **{name: step for mistake in made for name, step in mistake.change.items()})


def sizes(Q: Tensor, **others: int) -> SimpleNamespace:
    """The sizes a divisor may be made of, right or wrong."""
    return SimpleNamespace(L=Q.shape[-2], d_k=Q.shape[-1], **others)
