"""The list of what is done, which follows what a later check or quiz adds."""

from __future__ import annotations

from html import escape

from IPython.display import DisplayHandle, display

from ..style import PAPER, VALUE, lecturing
from . import progress_file
from .catalogue import EXERCISES, QUESTIONS, of_lesson

# One id for all: a list shown earlier, further up the page, follows too.
_shown: DisplayHandle | None = None


def progress() -> None:
    """Show what is done so far, lesson by lesson. The list follows when more is done."""
    global _shown
    _shown = display(ProgressList(), display_id="course-progress")


def refresh() -> None:
    """Bring the lists that are shown up to date."""
    if _shown:
        _shown.update(ProgressList())


class ProgressList:
    """What the file says at this moment: the exercises and the quiz of each lesson."""

    def __init__(self):
        done, quizzes = progress_file.done(), progress_file.quizzes()
        solved = sum(exercise.id in done for exercise in EXERCISES)
        self.total = f"完成 {solved}/{len(EXERCISES)}"
        # Lesson -> (whether it is done, what it is).
        self.lessons: dict[str, list[tuple[bool, str]]] = {}
        for lesson, questions in QUESTIONS.items():
            right = quizzes.get(lesson, 0)
            self.lessons[lesson] = [
                *((e.id in done, f"{e.id} {e.title}") for e in of_lesson(lesson)),
                (right == len(questions), f"小测验 {lesson}：{right}/{len(questions)}"),
            ]

    def __repr__(self) -> str:
        lines = [
            f"第 {lesson} 课　{'　'.join(map(_marked, items))}" for lesson, items in self.lessons.items()
        ]
        return "\n".join([self.total, *lines])

    def _repr_html_(self) -> str:
        lessons = "".join(
            f'<div style="margin-top: 0.3em">第 {lesson} 课'
            '<ul style="display: flex; flex-wrap: wrap; gap: 4px; margin: 0; padding: 0; list-style: none">'
            f"{''.join(map(_chip, items))}</ul></div>"
            for lesson, items in self.lessons.items()
        )
        size = "; font-size: 20px" if lecturing() else ""
        return f'<div style="line-height: 1.6{size}"><strong>{self.total}</strong>{lessons}</div>'


def _marked(item: tuple[bool, str]) -> str:
    done, name = item
    return f"{'✓' if done else '○'} {name}"


def _chip(item: tuple[bool, str]) -> str:
    colours = f"; color: {PAPER}; background: {VALUE}" if item[0] else ""
    style = f"margin: 0; padding: 0 0.6em; border: 1px solid {VALUE}; border-radius: 4px{colours}"
    return f'<li style="{style}">{escape(_marked(item))}</li>'
