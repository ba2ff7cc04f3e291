"""Exercises that name the mistake: check, hint, progress and quiz are what a lesson calls."""

from __future__ import annotations

from collections import Counter

from IPython.display import display

from ..interruption import interruption_says
from . import catalogue, picture, progress_file, progress_list
from .callout import Callout
from .catalogue import find
from .form_messages import FORM
from .judge import judge
from .progress_list import progress
from .quiz_view import quiz

__all__ = ["check", "hint", "progress", "quiz"]

_hints_given: Counter[str] = Counter()


def check(id: str, answer: object) -> None:
    """Show what the answer printed and displayed, what is wrong or 通过, and a picture of input, expected and given.

    id: number of the exercise, "3.2". answer: the function, class or value itself.
    Raises ValueError for an id that doesn't exist.
    """
    exercise = find(id)
    with interruption_says(lambda: f"练习 {id} 的批改中断了，还没有判断对错。再运行一次这个单元就行。"):
        verdict = judge(exercise, answer)
        text, drawn = f"练习 {id} {exercise.title}：{verdict.message}", None
        if verdict.case is not None:
            try:
                drawn = picture.attempt(exercise.asks, verdict.case, verdict.given)
            except Exception as error:  # the last resort: the verdict matters more than its picture
                text += "\n" + FORM["not_drawn"].format(error=repr(error))
        verdict.shown.again()
        if verdict.passed:
            display(Callout(f"✓ {text}\n{_remembered(id)}", "good"))
            progress_list.refresh()
        elif verdict.passed is None:
            display(Callout(f"○ {text}"))
        else:
            display(Callout(f'✗ {text}\n要提示的话，运行 hint("{id}")。', "bad"))
        if drawn is not None:
            display(drawn)


def _remembered(id: str) -> str:
    """Add an exercise that was solved to the file; how many are done and which comes next."""
    if not progress_file.add(id):
        return "（这个文件夹不能写，进度没有存下来。）"
    done = progress_file.done()
    ids = [exercise.id for exercise in catalogue.EXERCISES]
    later = ids[ids.index(id) + 1 :] + ids[: ids.index(id)]
    coming = next((find(other) for other in later if other not in done), None)
    count = f"做完了 {len(done & set(ids))}/{len(ids)} 题"
    if coming is None:
        return f"{count}：全部做完了。"
    where = "" if coming.lesson == find(id).lesson else f"第 {coming.lesson} 课的 "
    return f"{count}，接下来是{where or ' '}{coming.id} {coming.title}。"


def hint(id: str) -> Callout:
    """One more hint each time, from a nudge to nearly the answer; after the last, all of them again."""
    hints = find(id).hints
    _hints_given[id] = given = min(_hints_given[id] + 1, len(hints))
    lines = [f"提示 {k}/{len(hints)}：{text}" for k, text in enumerate(hints[:given], start=1)]
    if given == len(hints):
        lines.append("这是最后一条。参考答案折叠在练习下面。")
    return Callout("\n".join(lines))
