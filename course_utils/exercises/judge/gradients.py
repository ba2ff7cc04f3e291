"""Whether a gradient from the answer reaches what is to learn."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ..answer_error import AnswerError
from ..exercise import Case, Function, as_tuple
from . import runner


def check_gradients(asks: Function, function: Callable, case: Case) -> None:
    """Raise the AnswerError for the first of asks.gradients_to that no gradient from the first output reaches."""
    inputs = {name: value.clone().requires_grad_() for name, value in case.inputs.items()}
    outcome = runner.run(function, tuple(inputs.values()), runner.LIMIT_SECONDS)
    if outcome.value is None:
        raise AnswerError("detached", name=asks.gradients_to[0])
    first = as_tuple(outcome.value)[0]
    wanted = [inputs[name] for name in asks.gradients_to]
    gradients = [None] * len(wanted)
    if first.requires_grad:
        # The student's notebook may be inside torch.no_grad().
        with torch.enable_grad():
            gradients = torch.autograd.grad(first.sum(), wanted, allow_unused=True)
    for name, gradient in zip(asks.gradients_to, gradients, strict=True):
        if gradient is None:
            raise AnswerError("detached", name=name)
