"""One run of the student's code on one case, and what came of it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from numpy import ndarray

from ..answer_error import AnswerError
from ..exercise import Case, Function
from . import runner
from .comparing import equal, finite, unchanged
from .reading import check_end, numbers, unjudged
from .shown import Shown


@dataclass(frozen=True)
class Attempt:
    """What the student's code made of one case: numbers, or an error, or a fault of form; and what it showed.

    changed: the name of an input that the code changed, "" when there is none.
    """

    case: Case
    right_answer: tuple[ndarray, ...]
    given: tuple[ndarray, ...] | None = None
    error: BaseException | None = None
    changed: str = ""
    shown: Shown = field(default_factory=Shown)
    fault: AnswerError | None = None

    @property
    def right(self) -> bool:
        return self.given is not None and equal(self.given, self.right_answer)


def attempt_at(asks: Function, function: Callable, case: Case) -> Attempt:
    """Run the student's function on copies of a case's inputs."""
    inputs = copy.deepcopy(case.inputs)
    outcome = runner.run(function, tuple(inputs.values()), runner.LIMIT_SECONDS)
    given, fault = None, None
    try:
        check_end(outcome)
        if outcome.error is None:
            given = numbers(asks, outcome.value)
    except AnswerError as error:
        fault = error
    except Exception as error:  # a last resort, as in judge: this value may be anything
        fault = unjudged(outcome.value, error)
    changed = next((name for name in inputs if not unchanged(inputs[name], case.inputs[name])), "")
    return Attempt(case, asks.right[case], given, outcome.error, changed, outcome.shown, fault)


def check_finite(asks: Function, attempt: Attempt) -> None:
    """Raise the AnswerError for NaN or inf in what was given."""
    if attempt.given is None:
        return
    for name, part in zip(asks.outputs, attempt.given, strict=True):
        if not finite((part,)):
            raise AnswerError("nan", name=name)
