"""When two answers are the same."""

from __future__ import annotations

import torch
from torch import Tensor

# Float32 sums in another order differ by less; every known mistake changes an answer by much more.
TOLERANCE = 1e-4


def close(given: Tensor, right: Tensor) -> Tensor:
    """Cell by cell: are two tensors of one shape equal within the tolerance?"""
    return torch.isclose(given.double(), right.double(), rtol=TOLERANCE, atol=TOLERANCE)


def equal(given: tuple[Tensor, ...], right: tuple[Tensor, ...]) -> bool:
    """Are there the same outputs, of the same shapes, equal within the tolerance?"""
    return len(given) == len(right) and all(
        a.shape == b.shape and bool(close(a, b).all()) for a, b in zip(given, right, strict=True)
    )


def unchanged(after: object, before: object) -> bool:
    """Is an input, after the student's code ran, what it was to the last bit?"""
    if not isinstance(before, Tensor):
        return after == before
    return after.dtype == before.dtype and torch.equal(after, before)
