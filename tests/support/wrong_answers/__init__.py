"""What students answer, and what each answer must be told; one file per lesson.

FUNCTIONS: (exercise, the answer as an expression, name of the mistake). VALUES: (exercise, the value, a part of what
is said). A new lesson's file is named here.
"""

import torch
from torch.nn import functional as F  # noqa: N812

from . import lesson_01, lesson_02, lesson_03, lesson_04, lesson_05, lesson_06
from .lesson_06 import LAYER, LAYERS, after, scaled

__all__ = ["FUNCTIONS", "LAYER", "LAYERS", "VALUES", "answer"]

_FILES = (lesson_01, lesson_02, lesson_03, lesson_04, lesson_05, lesson_06)
FUNCTIONS = [row for file in _FILES for row in file.FUNCTIONS]
VALUES = [row for file in _FILES for row in file.VALUES]


def answer(code):
    """The student's function from its expression."""
    return eval(code, {"torch": torch, "F": F, "scaled": scaled, "after": after})
