"""Whether a gradient from the answer reaches what is to learn."""

from __future__ import annotations

import re
from collections.abc import Callable

from torch import Tensor
from torch.autograd import grad

from ..answer_error import AnswerError
from ..exercise import Case, Function, as_tuple
from . import runner
from .error_messages import explain_error
from .reading import check_end, numbers

# What torch calls a step that overwrote numbers it still needed, and a matrix that is to learn but was left as numpy.
_IN_PLACE, _NUMPY = re.compile(r"in-?place operation"), re.compile(r"call numpy\(\)|__array__")

# Taken before a student's code runs.
_sum = Tensor.sum


def check_gradients(asks: Function, function: Callable, case: Case) -> None:
    """Raise the AnswerError for the first of asks.gradients_to that no gradient from the first output reaches."""
    inputs = {name: value.clone().requires_grad_() for name, value in case.inputs.items()}
    value = _run(asks, case, function, tuple(inputs.values()))
    numbers(asks, value)
    first, wanted = as_tuple(value)[0], [inputs[name] for name in asks.gradients_to]
    gradients = (None,) * len(wanted)
    if first.requires_grad:
        gradients = _run(asks, case, _gradients, (first, wanted))
    for name, gradient in zip(asks.gradients_to, gradients, strict=True):
        if gradient is None:
            raise AnswerError("detached", name=name)


def _gradients(output: Tensor, wanted: list[Tensor]) -> tuple[Tensor | None, ...]:
    # Of a sum, since a gradient of several numbers makes torch import sympy, which takes a second of the limit.
    return grad(_sum(output), wanted, allow_unused=True)


def _run(asks: Function, case: Case, function: Callable, arguments: tuple) -> object:
    """What came of it. The numbers were right before, so an error is one of following the gradient."""
    outcome = runner.run(function, arguments, runner.LIMIT_SECONDS)
    check_end(outcome)
    if outcome.error is None:
        return outcome.value
    if _IN_PLACE.search(str(outcome.error)):
        raise AnswerError("in_place")
    if _NUMPY.search(str(outcome.error)):
        raise AnswerError("detached", name=asks.gradients_to[0])
    raise explain_error(outcome.error, case)
