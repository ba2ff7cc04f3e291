"""Says what is wrong with attempts that aren't right: a known mistake first, then an error, then what differs."""

from __future__ import annotations

import re

import torch

from ..answer_error import AnswerError
from ..exercise import Function
from .attempt import Attempt
from .comparing import equal
from .differences import explain_outputs
from .known_mistakes import is_one_row, name_a_known_one
from .student_traceback import in_words, own_lines, where


def name_the_mistake(asks: Function, attempts: list[Attempt]) -> None:
    """Raise the AnswerError that explains attempts at plain cases, of which one at least isn't right."""
    name_a_known_one(asks, asks.mistakes, attempts)
    first = attempts[0]
    if first.error is not None:
        raise _explain_error(first)
    if first.right:
        raise AnswerError("hard_coded")
    if len(first.given) > 1 and equal(first.given[::-1], first.right_answer):
        raise AnswerError("outputs_swapped", wanted="、".join(asks.outputs))
    if is_one_row(asks, first):
        raise AnswerError("one_row")
    explain_outputs(asks, first)


def explain_batch(asks: Function, attempt: Attempt) -> None:
    """Raise the AnswerError for what fails in a batch of sentences only."""
    name_a_known_one(asks, asks.batch_mistakes, [attempt])
    shapes = "、".join(f"{name} {tuple(M.shape)}" for name, M in attempt.case.inputs.items() if M.ndim == 3)
    if attempt.error is None:
        raise AnswerError("batch", shapes=shapes)
    raise AnswerError("batch_error", shapes=shapes, where=where(attempt.error), error=in_words(attempt.error))


def explain_large(asks: Function, attempt: Attempt) -> None:
    """Raise the AnswerError for what fails with very large scores only."""
    if attempt.error is not None:
        raise _explain_error(attempt)
    if not all(torch.isfinite(part).all() for part in attempt.given):
        raise AnswerError("overflow")
    explain_outputs(asks, attempt)


def _explain_error(attempt: Attempt) -> AnswerError:
    error, text = attempt.error, in_words(attempt.error)
    if isinstance(error, TypeError) and not own_lines(error):
        return AnswerError("wrong_parameters", parameters="、".join(attempt.case.inputs), error=text)
    name = "error"
    if isinstance(error, RuntimeError) and re.search(r"shape|size|broadcast", text):
        name = "shape_error"
    if re.search(r"not implemented for '(Long|Int|Short|Char|Byte|Bool)'", text):
        name = "integer_error"
    return AnswerError(name, where=where(error), error=text)
