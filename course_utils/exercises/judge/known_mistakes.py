"""Names a known mistake: one, or a pair, that leads to just what the student's code gave."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from numpy import ndarray

from ...mistakes.steps import Mistake, Steps, with_mistakes
from ..answer_error import AnswerError
from ..exercise import Case, Function
from .attempt import Attempt
from .comparing import equal


def name_a_known_one(asks: Function, mistakes: tuple[Mistake, ...], attempts: list[Attempt]) -> None:
    """Raise the AnswerError of the first mistake, or pair of them, that explains all attempts; return if none does."""
    for made, steps in wrong_steps(mistakes):
        if all(_gives_the_same(asks, steps, attempt) for attempt in attempts):
            more = " 改好这一处再运行一次，后面还有一处。" if len(made) > 1 else ""
            raise AnswerError(made[0].name, made[0].message + more)


def name_one_of_the_first(asks: Function, attempt: Attempt) -> None:
    """Raise the AnswerError of the mistake that explains the first attempt alone, where a size was written as a number."""
    for made, steps in wrong_steps(asks.mistakes):
        if len(made) == 1 and _gives_the_same(asks, steps, attempt):
            more = " 还有：换一组形状不同的输入，结果又不一样，是不是写死了某个数（例如 3、4）？"
            raise AnswerError(made[0].name, made[0].message + more)


@cache
def wrong_steps(mistakes: tuple[Mistake, ...]) -> tuple[tuple[tuple[Mistake, ...], Steps], ...]:
    """Each mistake with the steps it leads to, then each pair, more basic first, that changes different steps."""
    singles = [(mistake,) for mistake in mistakes]
    pairs = [
        (one, other)
        for one, other in combinations(mistakes, 2)
        if not one.change.keys() & other.change.keys()
    ]
    return tuple((made, with_mistakes(*made)) for made in singles + pairs)


def _gives_the_same(asks: Function, steps: Steps, attempt: Attempt) -> bool:
    wrong = _wrong_answer(asks, attempt.case, steps)
    if isinstance(wrong, str):
        return attempt.error is not None and str(attempt.error) == wrong
    return attempt.given is not None and equal(attempt.given, wrong)


# Kept, since each wrong answer of a student is compared with hundreds of these.
@cache
def _wrong_answer(asks: Function, case: Case, steps: Steps) -> tuple[ndarray, ...] | str:
    """What wrong steps lead to in a case: an answer, or the words of an error."""
    try:
        return asks.expected(case, steps)
    except (RuntimeError, IndexError) as error:
        return str(error)


def is_one_row(asks: Function, attempt: Attempt) -> bool:
    """Is the first output one token's row of the right answer, or of what a known mistake leads to?"""
    given = attempt.given[0]
    if attempt.right_answer[0].ndim < 2:
        return False
    answers = [_wrong_answer(asks, attempt.case, steps) for _, steps in wrong_steps(asks.mistakes)]
    firsts = [attempt.right_answer[0], *(answer[0] for answer in answers if not isinstance(answer, str))]
    wholes = [first for first in firsts if first.ndim == 2 and len(first) > 1]
    return any(
        equal((given.reshape(-1),), (row,))
        for whole in wholes
        if given.shape in (whole.shape[1:], (1, *whole.shape[1:]))
        for row in whole
    )
