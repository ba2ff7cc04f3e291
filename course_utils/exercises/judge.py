"""Judges an answer: compares it with the right one and with every known wrong one, and names the mistake."""

from __future__ import annotations

import copy
import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from . import runner
from .exercise import Case, Exercise, Function, Mistake, Steps, Value
from .layer import LayerError
from .mistakes import FORM

# Float32 sums in another order differ by less; every known mistake changes an answer by much more.
TOLERANCE = 1e-4
RIGHT = Steps()
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Verdict:
    """passed: True, False, or None while the answer is still missing. name: the mistake's, "" when there is none.

    case, given: the inputs to draw and what the student's code made of them (None when there is nothing to draw).
    """

    passed: bool | None
    name: str
    message: str
    case: Case | None = None
    given: tuple[Tensor, ...] | None = None


class AnswerError(Exception):
    """The answer is not right: ends the judging with a verdict."""

    def __init__(self, name: str, message: str = "", /, **facts: object):
        super().__init__(name)
        self.name = name
        self.message = message or FORM[name].format(**facts)


def judge(exercise: Exercise, answer: object) -> Verdict:
    """The verdict on a function, class or value. Runs the student's code, but reads nothing else of theirs."""
    if isinstance(exercise.asks, Value):
        return _judge_value(exercise.asks, answer)
    attempts: list[Attempt] = []
    try:
        _judge_function(exercise, answer, attempts)
    except AnswerError as fault:
        passed = None if fault.name == "pending" else False
        attempt = next((a for a in attempts if not a.right), attempts[-1] if attempts else None)
        shown = {} if passed is None or attempt is None else {"case": attempt.case, "given": attempt.given}
        return Verdict(passed, fault.name, fault.message, **shown)
    return Verdict(True, "", "通过。", attempts[0].case, attempts[0].given)


@dataclass(frozen=True)
class Attempt:
    """What the student's code made of one case: tensors, or an error."""

    case: Case
    right_answer: tuple[Tensor, ...]
    given: tuple[Tensor, ...] | None = None
    error: Exception | None = None
    changed: str = ""

    @property
    def right(self) -> bool:
        return self.given is not None and _equal(self.given, self.right_answer)


def expected(asks: Function, case: Case, steps: Steps = RIGHT) -> tuple[Tensor, ...]:
    """The answer to one case, with the right steps or with some that are wrong."""
    return _as_tuple(asks.answer(steps, *case.inputs.values()))


def _judge_function(exercise: Exercise, answer: object, attempts: list[Attempt]) -> None:
    asks = exercise.asks
    if answer is ...:
        raise AnswerError("pending")
    if not callable(answer):
        raise AnswerError("not_a_function", wanted=exercise.answer_name, given=type(answer).__name__)
    function = asks.adapt(answer)

    plain = [case for case in asks.cases if case.kind == "plain"]
    for case in plain:
        attempts.append(_attempt(asks, function, case))
        _check_form(asks, attempts[-1])
    if not all(attempt.right for attempt in attempts):
        _name_the_mistake(asks, attempts)
    for attempt in attempts:
        if attempt.changed:
            raise AnswerError("changed_input", name=attempt.changed)

    for case in asks.cases:
        if case.kind != "plain":
            attempts.append(_attempt(asks, function, case))
            if not attempts[-1].right:
                raise AnswerError({"batch": "batch", "large": "overflow"}[case.kind])
    if asks.gradients_to:
        _check_gradients(asks, function, plain[0])


def _attempt(asks: Function, function: object, case: Case) -> Attempt:
    inputs = copy.deepcopy(case.inputs)
    outcome = runner.run(function, tuple(inputs.values()), runner.LIMIT_SECONDS)
    right_answer = expected(asks, case)
    if outcome.timed_out:
        raise AnswerError("timed_out", seconds=runner.LIMIT_SECONDS)
    if isinstance(outcome.error, LayerError):
        raise AnswerError(outcome.error.name, **outcome.error.facts)
    if outcome.error is not None:
        if isinstance(outcome.error, NotImplementedError) or "ellipsis" in str(outcome.error):
            raise AnswerError("pending")
        return Attempt(case, right_answer, error=outcome.error)
    changed = next((name for name in inputs if not _unchanged(inputs[name], case.inputs[name])), "")
    return Attempt(case, right_answer, _tensors(asks, outcome.value), changed=changed)


def _tensors(asks: Function, value: object) -> tuple[Tensor, ...]:
    """The outputs as tensors; a AnswerError when they aren't."""
    if value is ... or (isinstance(value, tuple) and any(part is ... for part in value)):
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
        if part is None:
            raise AnswerError("none")
        if isinstance(part, list):
            raise AnswerError("list", name=name)
        if isinstance(part, np.ndarray):
            raise AnswerError("numpy", name=name)
        if not isinstance(part, Tensor):
            raise AnswerError("not_a_tensor", name=name, given=type(part).__name__)
        if part.dtype not in (torch.float32, torch.float64):
            raise AnswerError("dtype", name=name, given=str(part.dtype).removeprefix("torch."))
    return tuple(part.detach().clone() for part in value)


def _check_form(asks: Function, attempt: Attempt) -> None:
    if attempt.given is None:
        return
    for name, part in zip(asks.outputs, attempt.given, strict=True):
        if not torch.isfinite(part).all():
            raise AnswerError("nan", name=name)


def _name_the_mistake(asks: Function, attempts: list[Attempt]) -> None:
    """Raise the AnswerError that explains answers that aren't right: known mistakes first, then the form."""
    for made, steps in wrong_steps(asks.mistakes):
        if all(_gives_the_same(asks, steps, attempt) for attempt in attempts):
            more = " 改好这一处再运行一次，后面还有一处。" if len(made) > 1 else ""
            raise AnswerError(made[0].name, made[0].message + more)
    first = attempts[0]
    if first.error is not None:
        raise _explain_error(first)
    if first.right:
        raise AnswerError("hard_coded")
    if len(first.given) > 1 and _equal(first.given[::-1], first.right_answer):
        raise AnswerError("outputs_swapped", wanted="、".join(asks.outputs))
    if _is_one_row(asks, first):
        raise AnswerError("one_row")
    for name, given, right in zip(asks.outputs, first.given, first.right_answer, strict=True):
        if given.shape != right.shape:
            raise _explain_shape(name, given, right, first.case)
    _check_row_sums(asks, first)
    for name, given, right in zip(asks.outputs, first.given, first.right_answer, strict=True):
        if not _equal((given,), (right,)):
            raise _explain_difference(name, given, right)


def _check_row_sums(asks: Function, attempt: Attempt) -> None:
    for name, given in zip(asks.outputs, attempt.given, strict=True):
        sums = given.double().sum(-1)
        if name == "A" and (sums - 1).abs().max() > 1e-3:
            row = int((sums - 1).abs().argmax())
            raise AnswerError("rows_do_not_sum_to_1", name=name, row=row + 1, total=float(sums[row]))


def wrong_steps(mistakes: tuple[Mistake, ...]) -> Iterator[tuple[tuple[Mistake, ...], Steps]]:
    """Each mistake with the steps it leads to, then each pair, more basic first, that changes different steps."""
    for mistake in mistakes:
        yield (mistake,), replace(RIGHT, **mistake.change)
    for basic, other in combinations(mistakes, 2):
        if not basic.change.keys() & other.change.keys():
            yield (basic, other), replace(RIGHT, **basic.change, **other.change)


def _gives_the_same(asks: Function, steps: Steps, attempt: Attempt) -> bool:
    try:
        wrong = expected(asks, attempt.case, steps)
    except (RuntimeError, IndexError) as error:
        return attempt.error is not None and _numbers(error) == _numbers(attempt.error) != []
    return attempt.given is not None and _equal(attempt.given, wrong)


def _numbers(error: Exception) -> list[str]:
    """The sizes an error speaks of: the same product fails with the same sizes however it is written."""
    return re.findall(r"\d+", str(error))


def _is_one_row(asks: Function, attempt: Attempt) -> bool:
    given = attempt.given[0]
    if attempt.right_answer[0].ndim < 2:
        return False
    answers = [attempt.right_answer]
    for _, steps in wrong_steps(asks.mistakes):
        try:
            answers.append(expected(asks, attempt.case, steps))
        except (RuntimeError, IndexError):
            continue
    wholes = [answer[0] for answer in answers if answer[0].ndim == 2 and len(answer[0]) > 1]
    return any(
        _equal((given.reshape(-1),), (row,))
        for whole in wholes
        if given.shape in (whole.shape[1:], (1, *whole.shape[1:]))
        for row in whole
    )


def _explain_error(attempt: Attempt) -> AnswerError:
    error = attempt.error
    text = f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if Path(f.filename).parent != HERE and "site-packages" not in f.filename]
    if isinstance(error, TypeError) and not own:
        return AnswerError("wrong_parameters", parameters="、".join(attempt.case.inputs), error=text)
    line = own[-1].line if own else ""
    where = f"出错的一行是「{line}」：" if line else "出错的原因是 "
    shapes = isinstance(error, RuntimeError) and re.search(r"shape|size|broadcast", str(error))
    return AnswerError("shape_error" if shapes else "error", where=where, error=text)


def _explain_shape(name: str, given: Tensor, right: Tensor, case: Case) -> AnswerError:
    if given.ndim == 2 and _equal((given.mT,), (right,)):
        return AnswerError("transposed", name=name)
    facts = {"name": name, "wanted": _shape(right), "given": _shape(given)}
    V = case.inputs.get("V", case.inputs.get("W_V"))
    if isinstance(V, Tensor) and given.shape[:-1] == right.shape[:-1] and right.shape[-1] == V.shape[-1]:
        return AnswerError("wrong_d_v", **facts | {"wanted": right.shape[-1], "given": given.shape[-1]})
    return AnswerError("shape", **facts)


def _explain_difference(name: str, given: Tensor, right: Tensor) -> AnswerError:
    if given.ndim == 2 and given.shape[0] == given.shape[1] and _equal((given.mT,), (right,)):
        return AnswerError("transposed", name=name)
    index = tuple(int(k) for k in (~close(given, right)).nonzero()[0])
    place = f"第 {index[0] + 1} 行第 {index[1] + 1} 列" if len(index) == 2 else f"第 {index[0] + 1} 个数"
    return AnswerError(
        "different", name=name, place=place, wanted=float(right[index]), given=float(given[index])
    )


def _check_gradients(asks: Function, function: object, case: Case) -> None:
    inputs = {name: value.clone().requires_grad_() for name, value in case.inputs.items()}
    outcome = runner.run(function, tuple(inputs.values()), runner.LIMIT_SECONDS)
    if outcome.value is None:
        raise AnswerError("detached", name=asks.gradients_to[0])
    first = _as_tuple(outcome.value)[0]
    wanted = [inputs[name] for name in asks.gradients_to]
    gradients = [None] * len(wanted)
    if first.requires_grad:
        # The student's notebook may be inside torch.no_grad().
        with torch.enable_grad():
            gradients = torch.autograd.grad(first.sum(), wanted, allow_unused=True)
    for name, gradient in zip(asks.gradients_to, gradients, strict=True):
        if gradient is None:
            raise AnswerError("detached", name=name)


def _judge_value(asks: Value, answer: object) -> Verdict:
    if answer is ... or (isinstance(answer, tuple) and ... in answer):
        return Verdict(None, "pending", FORM["pending"])
    value = _plain_value(answer)
    if not isinstance(value, (int, float, str, tuple)):
        return Verdict(False, "not_a_value", FORM["not_a_value"].format(given=type(answer).__name__))
    if _same_value(value, asks.right):
        return Verdict(True, "", "通过。")
    hint = next(
        (text for wrong, text in asks.wrong.items() if _same_value(value, wrong)),
        "再想一想题目里的形状和定义。",
    )
    return Verdict(False, "value", FORM["value"].format(hint=hint))


def _plain_value(answer: object) -> object:
    if isinstance(answer, (Tensor, np.ndarray, np.generic)):
        answer = answer.tolist()
    if isinstance(answer, (list, tuple)):
        return tuple(_plain_value(part) for part in answer)
    return answer.strip() if isinstance(answer, str) else answer


def _same_value(value: object, other: object) -> bool:
    if isinstance(value, (int, float)) and isinstance(other, (int, float)):
        return abs(value - other) <= 1e-3 * abs(other)
    return type(value) is type(other) and value == other


def close(given: Tensor, right: Tensor) -> Tensor:
    """Cell by cell: are two tensors of one shape equal within the tolerance?"""
    return torch.isclose(given.double(), right.double(), rtol=TOLERANCE, atol=TOLERANCE)


def _equal(given: tuple[Tensor, ...], right: tuple[Tensor, ...]) -> bool:
    return len(given) == len(right) and all(
        a.shape == b.shape and bool(close(a, b).all()) for a, b in zip(given, right, strict=True)
    )


def _unchanged(after: object, before: object) -> bool:
    return torch.equal(after, before) if isinstance(before, Tensor) else after == before


def _as_tuple(value: object) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _shape(M: Tensor) -> str:
    return f"({', '.join(map(str, M.shape))}{',' if M.ndim == 1 else ''})"
