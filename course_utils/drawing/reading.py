"""What a figure is given, read once: a matrix as an array, labels as a tuple, a Trace as its matrices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch

from ..attention import Trace
from .text import shorten


def as_matrix(M, name: str, hidden: bool = False) -> np.ndarray:
    """M (tensor, array or nested lists) as a float array of shape (rows, columns).

    hidden: whether −inf may stand in it, the score of a key that must not be seen. Raises ValueError (in Chinese)
    unless M is a non-empty matrix of finite real numbers otherwise, TypeError unless name is a string.
    """
    if not isinstance(name, str):
        raise TypeError(f"name 是矩阵的名字，应当是一个字符串，例如 'X'，现在是 {name!r:.60}。")
    try:
        if isinstance(M, (list, tuple)) and M and all(isinstance(row, torch.Tensor) for row in M):
            M = torch.stack(tuple(M))
        if isinstance(M, torch.Tensor):
            M = M.detach().cpu().to_dense()
            # numpy has no bfloat16.
            M = M.numpy(force=True) if M.is_complex() else M.double().numpy()
        values = np.asarray(M)
        values = values if np.iscomplexobj(values) else values.astype(float)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise ValueError(
            f"{name} 应当是由数组成的矩阵，每行一样长，例如 torch.tensor([[1., 2.]])，现在是 {M!r:.60}。"
        ) from None
    if values.ndim != 2 or values.size == 0:
        raise ValueError(
            f"{name} 应当是非空的二维矩阵（行 × 列），现在的形状是 {values.shape}。"
            f"如果前面有批次维，请取出其中一个，例如 {name}[0]。"
        )
    if np.iscomplexobj(values):
        raise ValueError(f"{name} 里有复数，格子里只写得下实数。试试 {name}.real 或 {name}.abs()。")
    if not (np.isfinite(values) | (hidden & np.isneginf(values))).all():
        raise ValueError(f"{name} 里有 NaN 或 inf，画不出来。请检查它是怎么算出来的。")
    return values


def labels(given: Sequence[str] | None, count: int, side: str, name: str) -> tuple[str, ...] | None:
    """The labels as a tuple; side is 行 or 列. Raises ValueError unless there are count of them."""
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(f"{name} 的{side}标签应当是一组词，例如 ('我', '喜欢')，现在是 {given!r:.60}。")
    given = tuple(str(label) for label in given)
    if len(given) != count:
        raise ValueError(
            f"{name} 有 {count} {side}，却给了 {len(given)} 个标签：{'、'.join(given)}。每{side}要有一个标签。"
        )
    return tuple(map(shorten, given))


def matrices_of(trace: Trace, *steps: str) -> list[np.ndarray]:
    """The matrices of these names, e.g. "Q", as arrays. Raises TypeError (in Chinese) unless trace is a Trace."""
    if not isinstance(trace, Trace):
        raise TypeError(
            f"这里要一个 Trace（每一步的矩阵都在里面），现在是 {type(trace).__name__}。"
            "试试 running_trace() 或 Trace.of(X, W_Q, W_K, W_V, tokens)。"
        )
    return [as_matrix(getattr(trace, step), step) for step in steps]
