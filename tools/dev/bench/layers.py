"""What the checks of SelfAttention cost: its time over that of the same eight lines without any check."""

from __future__ import annotations

import statistics
import time

import torch

from course_utils.attention import SelfAttention

D, D_K = 512, 64
# Tokens -> calls of each of the two, in turns, so that whatever else the machine does slows both.
CALLS = {4: 4000, 64: 2000, 512: 200, 2048: 40}


def plain(layer: SelfAttention, X: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    Q = layer.W_Q(X)
    K = layer.W_K(X)
    V = layer.W_V(X)
    S = Q @ K.mT
    S = S / D_K**0.5
    A = torch.softmax(S, dim=-1)
    B = A @ V
    return B, A


def measure() -> None:
    torch.set_num_threads(1)
    layer = SelfAttention(D, D_K)
    for L, calls in CALLS.items():
        X = torch.randn(1, L, D)
        checked, unchecked = medians([lambda X=X: layer(X), lambda X=X: plain(layer, X)], calls)
        print(
            f"SelfAttention({D}, {D_K}) with {L} tokens: {checked / unchecked:.2f} times the plain lines "
            f"(medians {1e3 * checked:.3f} and {1e3 * unchecked:.3f} ms of {calls} calls)"
        )


def medians(calls: list, rounds: int) -> list[float]:
    """Seconds that each call takes, measured in turns."""
    times = [[] for _ in calls]
    for _ in range(rounds):
        for call, measured in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            measured.append(time.perf_counter() - start)
    return [statistics.median(measured) for measured in times]
