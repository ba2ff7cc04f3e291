"""When two answers are the same. In operators of arrays, which no code of a student can replace."""

from __future__ import annotations

from numpy import absolute, errstate, isfinite, ndarray
from torch import Tensor

from ..plain import is_plain, plain

# Float32 sums in another order differ by less; every known mistake changes an answer by much more.
TOLERANCE = 1e-4


def close(given: ndarray, right: ndarray) -> ndarray:
    """Cell by cell: are two arrays of one shape finite and equal within the tolerance?"""
    with errstate(invalid="ignore"):
        near = absolute(given - right) <= TOLERANCE + TOLERANCE * absolute(right)
    return near & isfinite(given) & isfinite(right)


def equal(given: tuple[ndarray, ...], right: tuple[ndarray, ...]) -> bool:
    """Are there the same outputs, of the same shapes, equal within the tolerance?"""
    if len(given) != len(right):
        return False
    for a, b in zip(given, right, strict=True):
        if a.shape != b.shape or not close(a, b).all():
            return False
    return True


def finite(given: tuple[ndarray, ...]) -> bool:
    """Is there neither NaN nor inf in any output?"""
    return sum(int((~isfinite(part)).sum()) for part in given) == 0


def unchanged(after: object, before: object) -> bool:
    """Is an input, after the student's code ran, what it was to the last bit?"""
    if not isinstance(before, Tensor):
        return after == before
    if not is_plain(after) or after.dtype != before.dtype or after.shape != before.shape:
        return False
    return bool((plain(after) == plain(before)).all())
