"""What a lesson shows in one line: the shape of a matrix, and that two matrices agree."""

from __future__ import annotations

import torch
from torch import Tensor

from .line import Line

# Two ways to the same number add in another order; in float32 their last digits differ.
ROUNDING = 1e-5


def shape(M: Tensor) -> Line:
    """The shape of a tensor as formulas write it: 4×5. A vector of three numbers is one row, 1×3."""
    if not isinstance(M, Tensor):
        raise TypeError(f"shape 要一个张量，现在是 {type(M).__name__}。试试 torch.tensor(…)。")
    if M.ndim == 0:
        return Line("一个数")
    return Line("×".join(map(str, M.shape if M.ndim > 1 else (1, *M.shape))))


def same(one: Tensor, other: Tensor) -> Line:
    """One line with ✓ when two tensors agree, but for rounding (ROUNDING, relative and absolute).

    Raises AssertionError with the first place that differs, ValueError when the shapes do or there are no plain numbers.
    """
    if shape(one) != shape(other):
        raise ValueError(f"✗ 形状不同：{shape(one)} 和 {shape(other)}，不能一格一格地比。")
    for M in (one, other):
        if M.layout != torch.strided or M.is_meta or M.is_complex():
            raise ValueError(f"✗ 只能比普通的实数张量，这里有一个是 {M.dtype}、{M.layout}、{M.device}。")
    close = torch.isclose(one.double(), other.double(), rtol=ROUNDING, atol=ROUNDING)
    if close.all():
        return Line(f"✓ {shape(one)}，每一格都对得上")
    place = tuple((~close).nonzero()[0].tolist())
    where = "、".join(str(index + 1) for index in place)
    raise AssertionError(
        f"✗ 不同：第 {where} 格（从 1 数起）一个是 {one[place]:.4f}，另一个是 {other[place]:.4f}。"
    )
