"""Says what is wrong with attempts that aren't right: a known mistake first, then an error, then what differs."""

from __future__ import annotations

from collections.abc import Callable

from ..answer_error import AnswerError
from ..exercise import Function
from .attempt import Attempt
from .comparing import equal, finite
from .differences import explain_outputs
from .error_messages import explain_error
from .known_mistakes import is_one_row, name_a_known_one, name_one_of_the_first
from .probe import ignores
from .student_traceback import in_words, where


def name_the_mistake(asks: Function, attempts: list[Attempt], function: Callable) -> None:
    """Raise the AnswerError that explains the function's attempts at plain cases, of which one at least isn't right."""
    name_a_known_one(asks, asks.mistakes, attempts)
    first = attempts[0]
    if first.error is not None:
        raise explain_error(first.error, first.case)
    if first.right:
        raise AnswerError("hard_coded")
    name_one_of_the_first(asks, first)
    if len(first.given) > 1 and equal(first.given[::-1], first.right_answer):
        raise AnswerError("outputs_swapped", wanted="、".join(asks.outputs))
    if is_one_row(asks, first):
        raise AnswerError("one_row")
    if ignores(asks, function, first):
        raise AnswerError("weights_ignore_inputs", names="、".join(asks.weights_from))
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
        raise explain_error(attempt.error, attempt.case)
    if not finite(attempt.given):
        raise AnswerError("overflow")
    explain_outputs(asks, attempt)
