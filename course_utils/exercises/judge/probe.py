"""Runs the student's function on other numbers, to see what its answer depends on."""

from __future__ import annotations

from collections.abc import Callable

from ..answer_error import AnswerError
from ..exercise import Function
from . import runner
from .attempt import Attempt
from .comparing import equal
from .reading import numbers


def ignores(asks: Function, function: Callable, attempt: Attempt) -> bool:
    """Is there an A of the right shape that stays the same when each of asks.weights_from holds other numbers?"""
    if not asks.weights_from:
        return False
    A = asks.outputs.index("A")
    if attempt.given[A].shape != attempt.right_answer[A].shape:
        return False
    inputs = {
        name: value.cos() if name in asks.weights_from else value.clone()
        for name, value in attempt.case.inputs.items()
    }
    outcome = runner.run(function, tuple(inputs.values()), runner.LIMIT_SECONDS)
    try:
        given = numbers(asks, outcome.value)
    except AnswerError:
        return False
    return equal((given[A],), (attempt.given[A],))
