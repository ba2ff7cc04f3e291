"""Inputs for the exercises: the running example, random ones of other sizes, a batch, and very large scores.

In each, L, D, d_k and d_v all differ, the scores aren't symmetric, and no row of weights is saturated, so that
every mistake changes the answer. The tests hold this.
"""

from __future__ import annotations

import torch

from ..attention import Trace
from ..example import running_trace
from .exercise import Case

# (L, D, d_k, d_v)
RANDOM_SIZES = ((3, 6, 5, 4), (5, 7, 2, 6))
BATCH_SEEDS = (0, 3)


def plain(*names: str) -> tuple[Case, ...]:
    """The running example and two random sentences; names are fields of Trace, in the order of the parameters."""
    fixed = running_trace()
    traces = [_random_trace(0, *sizes) for sizes in RANDOM_SIZES]
    return (Case(_pick(fixed, names), tokens=fixed.tokens), *(Case(_pick(t, names)) for t in traces))


def batch(*names: str) -> Case:
    """Two random sentences of one size; the weights, which all sentences share, stay two-dimensional."""
    sentences = [_pick(_random_trace(seed, *RANDOM_SIZES[0]), names) for seed in BATCH_SEEDS]
    inputs = {
        name: sentences[0][name]
        if name.startswith("W_")
        else torch.stack([sentence[name] for sentence in sentences])
        for name in names
    }
    return Case(inputs, kind="batch")


def large(*names: str) -> Case:
    """The running example with its queries, and so its scores, a hundred times as large."""
    trace = running_trace()
    scaled = {"Q": trace.Q * 100, "S": trace.S * 100, "W_Q": trace.W_Q * 100}
    return Case(_pick(trace, names) | {name: scaled[name] for name in names if name in scaled}, kind="large")


def _random_trace(seed: int, L: int, D: int, d_k: int, d_v: int) -> Trace:
    generator = torch.Generator().manual_seed(seed)

    def draw(rows: int, columns: int) -> torch.Tensor:
        return torch.randn(rows, columns, generator=generator, dtype=torch.float32)

    X = draw(L, D)
    # Variance 1/D keeps Q and K at the size of X, and the weights away from 0 and 1.
    W_Q, W_K, W_V = (draw(D, d) / D**0.5 for d in (d_k, d_k, d_v))
    return Trace.of(X, W_Q, W_K, W_V, tokens=tuple(f"词{i + 1}" for i in range(L)))


def _pick(trace: Trace, names: tuple[str, ...]) -> dict[str, torch.Tensor]:
    return {name: getattr(trace, name) for name in names}
