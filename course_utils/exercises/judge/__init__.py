"""Judges an answer: compares it with the right one and with every known wrong one, and names the mistake.

The order of judging stands here; each file beside it does one part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import torch
from numpy import ndarray

from ..answer_error import AnswerError
from ..exercise import Case, Exercise, Function, Value
from .attempt import Attempt, attempt_at, check_finite
from .diagnosis import explain_batch, explain_large, name_the_mistake
from .gradients import check_gradients
from .reading import unjudged
from .shown import Shown
from .value import judge_value


@dataclass(frozen=True)
class Verdict:
    """passed: True, False, or None while the answer is still missing. name: the mistake's, "" when there is none.

    case, given: the inputs to draw and what the student's code made of them (None when there is nothing to draw).
    shown: what the student's code printed and displayed in the first case.
    """

    passed: bool | None
    name: str
    message: str
    case: Case | None = None
    given: tuple[ndarray, ...] | None = None
    shown: Shown = field(default_factory=Shown)


def judge(exercise: Exercise, answer: object) -> Verdict:
    """The verdict on a function, class or value. Runs the student's code, but reads nothing else of theirs."""
    attempts: list[Attempt] = []
    try:
        # The student's notebook may be inside inference_mode, where no gradient could be followed.
        with torch.inference_mode(False):
            if isinstance(exercise.asks, Value):
                judge_value(exercise.asks, answer)
            else:
                _judge_function(exercise, answer, attempts)
        verdict = Verdict(True, "", "通过。")
    except AnswerError as fault:
        verdict = Verdict(None if fault.name == "pending" else False, fault.name, fault.message)
    except Exception as error:  # the last resort: a sentence even for what nobody thought of
        fault = unjudged(attempts[-1].given if attempts else answer, error)
        verdict = Verdict(False, fault.name, fault.message)
    if attempts:
        verdict = replace(verdict, shown=attempts[0].shown)
    drawable = [attempt for attempt in attempts if attempt.fault is None]
    if drawable and verdict.name not in ("pending", "unjudged"):
        shown = next((attempt for attempt in drawable if not attempt.right), drawable[0])
        verdict = replace(verdict, case=shown.case, given=shown.given)
    return verdict


def _judge_function(exercise: Exercise, answer: object, attempts: list[Attempt]) -> None:
    asks = exercise.asks
    if answer is ...:
        raise AnswerError("pending")
    if not callable(answer):
        raise AnswerError("not_a_function", wanted=exercise.answer_name, given=type(answer).__name__)
    function = asks.adapt(answer)

    plain = [case for case in asks.cases if case.kind == "plain"]
    for case in plain:
        check_finite(asks, _one_more(asks, function, case, attempts))
    if not all(attempt.right for attempt in attempts):
        name_the_mistake(asks, attempts, function)
    for attempt in attempts:
        if attempt.changed:
            raise AnswerError("changed_input", name=attempt.changed)

    for case in asks.cases:
        if case.kind != "plain":
            attempt = _one_more(asks, function, case, attempts)
            if not attempt.right:
                {"batch": explain_batch, "large": explain_large}[case.kind](asks, attempt)
    if asks.gradients_to:
        check_gradients(asks, function, plain[0])


def _one_more(asks: Function, function: Callable, case: Case, attempts: list[Attempt]) -> Attempt:
    """The attempt at a case, also added to attempts. Raises its fault of form."""
    attempts.append(attempt_at(asks, function, case))
    if attempts[-1].fault is not None:
        raise attempts[-1].fault
    return attempts[-1]
