"""Exercises that name the mistake: check, hint, progress and quiz are what a lesson calls."""

from __future__ import annotations

from collections import Counter

from IPython.display import display

from . import picture, progress_file, progress_list
from .callout import Callout
from .catalogue import find
from .form_messages import FORM
from .judge import judge
from .progress_list import progress
from .quiz_view import quiz

__all__ = ["check", "hint", "progress", "quiz"]

_hints_given: Counter[str] = Counter()


def check(id: str, answer: object) -> None:
    """Show what the answer printed, a picture of input, expected and given, then what is wrong, or 通过.

    id: number of the exercise, "3.2". answer: the function, class or value itself.
    Raises ValueError for an id that doesn't exist.
    """
    exercise = find(id)
    verdict = judge(exercise, answer)
    text = f"练习 {id} {exercise.title}：{verdict.message}"
    if verdict.printed:
        print(verdict.printed)
    if verdict.case is not None:
        try:
            display(picture.attempt(exercise.asks, verdict.case, verdict.given))
        except Exception as error:  # the last resort: the verdict matters more than its picture
            text += "\n" + FORM["not_drawn"].format(error=repr(error))
    if verdict.passed:
        if not progress_file.add(id):
            text += "\n（这个文件夹不能写，进度没有存下来。）"
        display(Callout(f"✓ {text}", "good"))
        progress_list.refresh()
    elif verdict.passed is None:
        display(Callout(f"○ {text}"))
    else:
        display(Callout(f'✗ {text}\n要提示的话，运行 hint("{id}")。', "bad"))


def hint(id: str) -> Callout:
    """One more hint each time, from a nudge to nearly the answer; after the last, all of them again."""
    hints = find(id).hints
    _hints_given[id] = given = min(_hints_given[id] + 1, len(hints))
    lines = [f"提示 {k}/{len(hints)}：{text}" for k, text in enumerate(hints[:given], start=1)]
    if given == len(hints):
        lines.append("这是最后一条。参考答案折叠在练习下面。")
    return Callout("\n".join(lines))
