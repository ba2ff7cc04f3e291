"""Judges an answer: compares it with the right one and with every known wrong one, and names the mistake."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
import torch
from torch import Tensor

from . import runner
from .errors import in_words, own_lines, stumbled_over_a_gap, where
from .exercise import Case, Exercise, Function, Mistake, Steps, Value
from .layer import LayerError
from .mistakes import AnswerError
from .values import judge_value

# Float32 sums in another order differ by less; every known mistake changes an answer by much more.
TOLERANCE = 1e-4
RIGHT = Steps()


@dataclass(frozen=True)
class Verdict:
    """passed: True, False, or None while the answer is still missing. name: the mistake's, "" when there is none.

    case, given: the inputs to draw and what the student's code made of them (None when there is nothing to draw).
    printed: what the student's code printed in the first case.
    """

    passed: bool | None
    name: str
    message: str
    case: Case | None = None
    given: tuple[Tensor, ...] | None = None
    printed: str = ""


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
        fault = _unjudged(attempts[-1].given if attempts else answer, error)
        verdict = Verdict(False, fault.name, fault.message)
    if attempts:
        verdict = replace(verdict, printed=attempts[0].printed)
    drawable = [attempt for attempt in attempts if attempt.fault is None]
    if drawable and verdict.name not in ("pending", "unjudged"):
        shown = next((attempt for attempt in drawable if not attempt.right), drawable[0])
        verdict = replace(verdict, case=shown.case, given=shown.given)
    return verdict


@dataclass(frozen=True)
class Attempt:
    """What the student's code made of one case: tensors, or an error, or a fault of form; and what it printed."""

    case: Case
    right_answer: tuple[Tensor, ...]
    given: tuple[Tensor, ...] | None = None
    error: BaseException | None = None
    changed: str = ""
    printed: str = ""
    fault: AnswerError | None = None

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
                {"batch": _explain_batch, "large": _explain_large}[case.kind](asks, attempts[-1])
    if asks.gradients_to:
        _check_gradients(asks, function, plain[0])


def _attempt(asks: Function, function: object, case: Case) -> Attempt:
    inputs = copy.deepcopy(case.inputs)
    outcome = runner.run(function, tuple(inputs.values()), runner.LIMIT_SECONDS)
    given, fault = None, None
    try:
        _check_end(outcome)
        if outcome.error is None:
            given = _tensors(asks, outcome.value)
    except AnswerError as error:
        fault = error
    except Exception as error:  # a last resort, as in judge: this value may be anything
        fault = _unjudged(outcome.value, error)
    changed = next((name for name in inputs if not _unchanged(inputs[name], case.inputs[name])), "")
    return Attempt(case, expected(asks, case), given, outcome.error, changed, outcome.printed, fault)


def _check_end(outcome: runner.Outcome) -> None:
    """Raise the AnswerError for code that didn't come to its end for a reason of its own."""
    error = outcome.error
    if outcome.timed_out:
        raise AnswerError("timed_out", seconds=runner.LIMIT_SECONDS)
    if isinstance(error, LayerError):
        raise AnswerError(error.name, **error.facts)
    if isinstance(error, runner.InputError):
        raise AnswerError("input")
    if isinstance(error, SystemExit):
        raise AnswerError("exited")
    if error is not None and stumbled_over_a_gap(error):
        raise AnswerError("pending")


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
        if part.is_meta or part.is_nested or part.layout != torch.strided:
            given = "meta" if part.is_meta else "nested" if part.is_nested else str(part.layout)
            raise AnswerError("layout", name=name, given=given)
        if part.dtype not in (torch.float32, torch.float64):
            raise AnswerError("dtype", name=name, given=str(part.dtype).removeprefix("torch."))
        if not part.numel():
            raise AnswerError("empty", name=name, given=_shape(part))
    return tuple(part.detach().cpu().clone() for part in value)


def _check_form(asks: Function, attempt: Attempt) -> None:
    if attempt.fault is not None:
        raise attempt.fault
    if attempt.given is None:
        return
    for name, part in zip(asks.outputs, attempt.given, strict=True):
        if not torch.isfinite(part).all():
            raise AnswerError("nan", name=name)


def _name_the_mistake(asks: Function, attempts: list[Attempt]) -> None:
    """Raise the AnswerError that explains answers that aren't right: known mistakes first, then the form."""
    _name_a_known_one(asks, asks.mistakes, attempts)
    first = attempts[0]
    if first.error is not None:
        raise _explain_error(first)
    if first.right:
        raise AnswerError("hard_coded")
    if len(first.given) > 1 and _equal(first.given[::-1], first.right_answer):
        raise AnswerError("outputs_swapped", wanted="、".join(asks.outputs))
    if _is_one_row(asks, first):
        raise AnswerError("one_row")
    _explain_outputs(asks, first)


def _name_a_known_one(asks: Function, mistakes: tuple[Mistake, ...], attempts: list[Attempt]) -> None:
    for made, steps in wrong_steps(mistakes):
        if all(_gives_the_same(asks, steps, attempt) for attempt in attempts):
            more = " 改好这一处再运行一次，后面还有一处。" if len(made) > 1 else ""
            raise AnswerError(made[0].name, made[0].message + more)


def _explain_outputs(asks: Function, attempt: Attempt) -> None:
    outputs = list(zip(asks.outputs, attempt.given, attempt.right_answer, strict=True))
    for name, given, right in outputs:
        if given.shape != right.shape:
            raise _explain_shape(name, given, right, attempt.case)
    _check_row_sums(asks, attempt)
    for name, given, right in outputs:
        if not _equal((given,), (right,)):
            raise _explain_difference(name, given, right)


def _explain_batch(asks: Function, attempt: Attempt) -> None:
    if attempt.fault is not None:
        raise attempt.fault
    _name_a_known_one(asks, asks.batch_mistakes, [attempt])
    shapes = "、".join(f"{name} {_shape(M)}" for name, M in attempt.case.inputs.items() if M.ndim == 3)
    if attempt.error is None:
        raise AnswerError("batch", shapes=shapes)
    raise AnswerError("batch_error", shapes=shapes, where=where(attempt.error), error=in_words(attempt.error))


def _explain_large(asks: Function, attempt: Attempt) -> None:
    if attempt.fault is not None:
        raise attempt.fault
    if attempt.error is not None:
        raise _explain_error(attempt)
    if not all(torch.isfinite(part).all() for part in attempt.given):
        raise AnswerError("overflow")
    _explain_outputs(asks, attempt)


def _check_row_sums(asks: Function, attempt: Attempt) -> None:
    for name, given in zip(asks.outputs, attempt.given, strict=True):
        sums = given.double().sum(-1)
        if name == "A" and (sums - 1).abs().max() > 1e-3:
            row = int((sums - 1).abs().argmax())
            raise AnswerError("rows_do_not_sum_to_1", name=name, row=row + 1, total=float(sums[row]))


@cache
def wrong_steps(mistakes: tuple[Mistake, ...]) -> tuple[tuple[tuple[Mistake, ...], Steps], ...]:
    """Each mistake with the steps it leads to, then each pair, more basic first, that changes different steps."""
    singles = [(mistake,) for mistake in mistakes]
    pairs = [
        (one, other)
        for one, other in combinations(mistakes, 2)
        if not one.change.keys() & other.change.keys()
    ]
    return tuple(
        (made, replace(RIGHT, **{name: step for mistake in made for name, step in mistake.change.items()}))
        for made in singles + pairs
    )


def _gives_the_same(asks: Function, steps: Steps, attempt: Attempt) -> bool:
    wrong = _wrong_answer(asks, attempt.case, steps)
    if isinstance(wrong, str):
        return attempt.error is not None and str(attempt.error) == wrong
    return attempt.given is not None and _equal(attempt.given, wrong)


# Kept, since each wrong answer of a student is compared with hundreds of these.
@cache
def _wrong_answer(asks: Function, case: Case, steps: Steps) -> tuple[Tensor, ...] | str:
    """What wrong steps lead to in a case: an answer, or the words of an error."""
    try:
        return expected(asks, case, steps)
    except (RuntimeError, IndexError) as error:
        return str(error)


def _is_one_row(asks: Function, attempt: Attempt) -> bool:
    given = attempt.given[0]
    if attempt.right_answer[0].ndim < 2:
        return False
    answers = [_wrong_answer(asks, attempt.case, steps) for _, steps in wrong_steps(asks.mistakes)]
    firsts = [attempt.right_answer[0], *(answer[0] for answer in answers if not isinstance(answer, str))]
    wholes = [first for first in firsts if first.ndim == 2 and len(first) > 1]
    return any(
        _equal((given.reshape(-1),), (row,))
        for whole in wholes
        if given.shape in (whole.shape[1:], (1, *whole.shape[1:]))
        for row in whole
    )


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


def _unjudged(given: object, error: Exception) -> AnswerError:
    parts = _as_tuple(given)
    described = "、".join(type(part).__name__ + _shape_after(part) for part in parts[:3])
    return AnswerError("unjudged", given=described, error=in_words(error))


def _shape_after(part: object) -> str:
    return f" {_shape(part)}" if type(part) is Tensor and not part.is_nested else ""


def close(given: Tensor, right: Tensor) -> Tensor:
    """Cell by cell: are two tensors of one shape equal within the tolerance?"""
    return torch.isclose(given.double(), right.double(), rtol=TOLERANCE, atol=TOLERANCE)


def _equal(given: tuple[Tensor, ...], right: tuple[Tensor, ...]) -> bool:
    return len(given) == len(right) and all(
        a.shape == b.shape and bool(close(a, b).all()) for a, b in zip(given, right, strict=True)
    )


def _unchanged(after: object, before: object) -> bool:
    if not isinstance(before, Tensor):
        return after == before
    return after.dtype == before.dtype and torch.equal(after, before)


def _as_tuple(value: object) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _shape(M: Tensor) -> str:
    return f"({', '.join(map(str, M.shape))}{',' if M.ndim == 1 else ''})"
