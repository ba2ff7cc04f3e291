"""What an exercise is: its text, and either a function to write or a value to find."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..mistakes.steps import RIGHT, Mistake, Steps
from .plain import plain

# In an exercise's code the student's part stands between these marks.
_BLANK = re.compile("«(.*?)»", re.DOTALL)
_NAME = re.compile(r"^(?:def |class )?(my_\w+|My\w+)", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Case:
    """One set of inputs, by parameter name in the order of the parameters.

    kind: "plain"; "batch", where the inputs have a leading dimension; "large", where exp() would overflow.
    tokens: labels of the rows where there are any.
    """

    inputs: dict[str, object]
    kind: str = "plain"
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Function:
    """The student writes a function (or a class, which `adapt` turns into one).

    answer: (steps, *inputs) -> a tensor, or a tuple with one tensor for each name in outputs.
    mistakes: the most basic first. batch_mistakes: those that show in a batch only.
    weights_from: inputs that the weights, the output A, must depend on.
    gradients_to: inputs that a gradient from the first output must reach. right: the right answer to each case.
    """

    cases: tuple[Case, ...]
    outputs: tuple[str, ...]
    answer: Callable
    mistakes: tuple[Mistake, ...]
    batch_mistakes: tuple[Mistake, ...] = ()
    adapt: Callable = field(default=lambda function: function)
    weights_from: tuple[str, ...] = ()
    gradients_to: tuple[str, ...] = ()
    right: dict[Case, tuple[np.ndarray, ...]] = field(init=False)

    def __post_init__(self) -> None:
        # Now, and not when an answer is judged: by then a student's code may have replaced parts of torch.
        object.__setattr__(self, "right", {case: self.expected(case, RIGHT) for case in self.cases})

    def expected(self, case: Case, steps: Steps) -> tuple[np.ndarray, ...]:
        """What some steps, right or wrong, make of a case, as plain numbers."""
        return tuple(plain(part) for part in as_tuple(self.answer(steps, *case.inputs.values())))


def as_tuple(outputs: object) -> tuple:
    """What a function returned, as a tuple of one or several outputs."""
    return tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)


@dataclass(frozen=True)
class Value:
    """The student finds a number, a word or a tuple. wrong: a usual wrong answer -> what the student reads.

    otherwise: what is read for all other wrong answers.
    """

    right: object
    wrong: dict[object, str]
    otherwise: str


@dataclass(frozen=True)
class Exercise:
    """One exercise. id "3.2" is the second of lesson 03; minutes to plan; difficulty 1 to 3.

    code: the solution, with the student's part between « and »: the one source of both the cell and the answer.
    """

    id: str
    title: str
    kind: str
    minutes: int
    difficulty: int
    task: str
    code: str
    hints: tuple[str, ...]
    asks: Function | Value

    @property
    def lesson(self) -> str:
        return f"{int(self.id.split('.')[0]):02d}"

    @property
    def answer_name(self) -> str:
        """The name that is handed to check."""
        return _NAME.search(self.code).group(1)

    @property
    def stub(self) -> str:
        """The code as the student finds it, with ... in place of the answer."""
        return _BLANK.sub(lambda blank: "return ..." if "return " in blank[1] else "...", self.code).strip()

    @property
    def solution(self) -> str:
        return _BLANK.sub(r"\1", self.code).strip()

    def cell(self, code: str) -> str:
        """A lesson's cell: the code and its check."""
        gap = "\n\n\n" if code.startswith(("def", "class")) else "\n"
        return f'{code}{gap}check("{self.id}", {self.answer_name})'
