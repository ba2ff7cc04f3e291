"""Reads what the student's code returned: did it come to its end, and are there tensors that can be compared?"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from ..answer_error import AnswerError
from ..exercise import Function, as_tuple
from ..plain import is_plain, plain
from . import runner
from .shown import InputError
from .student_traceback import in_words, stumbled_over_a_gap


def check_end(outcome: runner.Outcome) -> None:
    """Raise the AnswerError for code that didn't come to its end for a reason of its own."""
    error = outcome.error
    if outcome.timed_out:
        raise AnswerError("goes_on" if outcome.goes_on else "timed_out", seconds=runner.LIMIT_SECONDS)
    if isinstance(error, AnswerError):
        raise error
    if isinstance(error, InputError):
        raise AnswerError("input")
    if isinstance(error, SystemExit):
        raise AnswerError("exited")
    if error is not None and stumbled_over_a_gap(error):
        raise AnswerError("pending")


def numbers(asks: Function, value: object) -> tuple[np.ndarray, ...]:
    """The outputs as plain numbers; an AnswerError when they aren't tensors that can be compared."""
    if has_gap(value):
        raise AnswerError("pending")
    if value is None:
        raise AnswerError("none")
    wanted = len(asks.outputs)
    if wanted == 1:
        value = (value,)
    elif not isinstance(value, (tuple, list)) or len(value) != wanted:
        given = f"{len(value)} 个" if isinstance(value, (tuple, list)) else type(value).__name__
        raise AnswerError("count", wanted="、".join(asks.outputs), count=wanted, given=given)
    for name, part in zip(asks.outputs, value, strict=True):
        _check_tensor(name, part)
    return tuple(plain(part) for part in value)


def has_gap(value: object) -> bool:
    """Is it the untouched `...`, alone or as one of several?"""
    return value is ... or (isinstance(value, tuple) and any(part is ... for part in value))


def _check_tensor(name: str, part: object) -> None:
    if part is None:
        raise AnswerError("none")
    if isinstance(part, list):
        raise AnswerError("list", name=name)
    if isinstance(part, np.ndarray):
        raise AnswerError("numpy", name=name)
    if not isinstance(part, Tensor):
        raise AnswerError("not_a_tensor", name=name, given=type(part).__name__)
    if not is_plain(part):
        raise AnswerError("layout", name=name, given=type(part).__name__)
    if part.is_meta or part.is_nested or part.layout != torch.strided:
        given = "meta" if part.is_meta else "nested" if part.is_nested else str(part.layout)
        raise AnswerError("layout", name=name, given=given)
    if part.dtype not in (torch.float32, torch.float64):
        raise AnswerError("dtype", name=name, given=str(part.dtype).removeprefix("torch."))
    if not part.numel():
        raise AnswerError("empty", name=name, given=tuple(part.shape))


def unjudged(given: object, error: Exception) -> AnswerError:
    """What is said when judging itself failed on what was given."""
    described = "、".join(map(_described, as_tuple(given)[:3]))
    return AnswerError("unjudged", given=described, error=in_words(error))


def _described(part: object) -> str:
    # The numbers that were read from tensors are arrays.
    return f"Tensor {part.shape}" if isinstance(part, np.ndarray) else type(part).__name__
