"""Judges an answer that is a value: a number, a word or several of them."""

from __future__ import annotations

import numpy as np
from torch import Tensor

from ..answer_error import AnswerError
from ..exercise import Value
from ..plain import is_plain
from .reading import has_gap

# What is wanted, by the type of the right value.
WANTED = {
    int: "一个数，不要加引号",
    str: '一个字符串，只写一个词，放在引号里，例如 "我"',
    tuple: "两个数，写成 (行数, 列数)",
}
# Taken before a student's code runs.
_to_list = Tensor.tolist
QUOTES = " \"'“”‘’「」『』"


def judge_value(asks: Value, answer: object) -> None:
    """Raise the AnswerError that a wrong or missing value deserves."""
    if has_gap(answer):
        raise AnswerError("pending")
    value = _plain_value(answer)
    if not isinstance(value, (int, float, str, tuple)):
        raise AnswerError("not_a_value", given=type(answer).__name__)
    if _same_value(value, asks.right):
        return
    for wrong, text in asks.wrong.items():
        if _same_value(value, wrong):
            raise AnswerError("value", hint=text)
    if not _same_kind(value, asks.right):
        given = f"{value!r:.60}（{type(answer).__name__}）"
        raise AnswerError("value_type", wanted=WANTED[type(asks.right)], given=given)
    raise AnswerError("value", hint=asks.otherwise)


def _plain_value(answer: object) -> object:
    """The value in Python's own types, which compare as Python does; a subclass may compare as it likes."""
    if is_plain(answer):
        answer = _to_list(answer)
    elif type(answer) is np.ndarray or isinstance(answer, np.generic):
        answer = answer.tolist()
    if isinstance(answer, (list, tuple)):
        return tuple(_plain_value(part) for part in answer)
    if isinstance(answer, str):
        return str.strip(answer, QUOTES)
    if isinstance(answer, float):
        return float.__float__(answer)
    return int.__int__(answer) if isinstance(answer, int) and type(answer) is not bool else answer


def _same_value(value: object, other: object) -> bool:
    if not _same_kind(value, other):
        return False
    if isinstance(other, tuple):
        return all(map(_same_value, value, other))
    return value == other if isinstance(other, str) else abs(value - other) <= 1e-3 * abs(other)


def _same_kind(value: object, other: object) -> bool:
    if isinstance(other, tuple):
        return isinstance(value, tuple) and len(value) == len(other) and all(map(_same_kind, value, other))
    if isinstance(other, str):
        return isinstance(value, str)
    # To Python True is a number, the number 1.
    return isinstance(value, (int, float)) and not isinstance(value, bool)
