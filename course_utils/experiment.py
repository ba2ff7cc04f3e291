"""What every experiment rests on: numbers drawn from a seed of its own, one thread, counts that are counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


def seeded(seed: int) -> torch.Generator:
    """A generator of its own, so that torch's global one stays as it was. ValueError unless seed is an integer."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not abs(seed) < 2**63:
        raise ValueError(f"seed 是随机数的种子，应当是一个整数，现在是 {seed!r:.60}。")
    return torch.Generator().manual_seed(seed)


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it torch uses one thread: for matrices this small a second gains nothing, and waits on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def require_counts(**counts: int) -> None:
    """Raise ValueError (in Chinese) unless each count is a positive integer."""
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise ValueError(f"{name} 应当是正整数，现在是 {count!r:.60}。")
