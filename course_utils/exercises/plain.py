"""Tensors as plain numbers, out of reach of whatever a student's code replaces in torch or overrides in a class."""

from __future__ import annotations

import numpy as np
from torch import Tensor
from torch.nn import Parameter

# Taken before a student's code runs: what torch.Tensor is given later is not asked.
_to_numpy, _copy = Tensor.numpy, np.array


def is_plain(M: object) -> bool:
    """Is it a tensor of torch's own class? One of another class answers every question as it likes."""
    return type(M) in (Tensor, Parameter)


def plain(M: Tensor) -> np.ndarray:
    """A copy of the numbers of a tensor, float64, of the same shape. TypeError unless is_plain(M)."""
    if not is_plain(M):
        raise TypeError(f"{type(M).__name__} is not a plain tensor")
    return _copy(_to_numpy(M, force=True), dtype="float64")
