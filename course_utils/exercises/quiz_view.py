"""Shows a lesson's quiz: a live view that answers in the browser, and the same as text for pages where none can live."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import anywidget
import traitlets
from IPython.display import display

from .. import style
from . import progress_file, progress_list
from .catalogue import QUESTIONS
from .quiz_text import as_html, as_text

FILE = Path(__file__)


def quiz(lesson: str) -> None:
    """Show the quiz of a lesson such as "03". Raises ValueError, in Chinese, when there is none."""
    if not isinstance(lesson, str) or lesson not in QUESTIONS:
        raise ValueError(f"第 {lesson!r:.60} 课没有小测验。有这些：{'、'.join(QUESTIONS)}")
    display(QuizView(lesson))


class QuizView(anywidget.AnyWidget):
    """The questions of a lesson. The browser says what is right; the kernel only keeps how many were."""

    _esm = FILE.with_suffix(".js").read_text("utf-8")
    _css = FILE.with_suffix(".css").read_text("utf-8")
    lesson = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List().tag(sync=True)
    # The options chosen of each question, counted from 0; none where it isn't answered.
    answers = traitlets.List().tag(sync=True)
    kept = traitlets.Bool(True).tag(sync=True)

    def __init__(self, lesson: str):
        asked = QUESTIONS[lesson]
        large = ("course-quiz-lecture",) if style.lecturing() else ()
        super().__init__(
            lesson=lesson,
            questions=[{**asdict(question), "several": question.several} for question in asked],
            answers=[[] for _ in asked],
            _dom_classes=("course-quiz", *large),
        )
        self.observe(lambda change: self._keep(), "answers")

    def right(self) -> int:
        """How many questions are answered right."""
        answered = zip(QUESTIONS[self.lesson], self.answers, strict=True)
        return sum(question.answered_by(chosen) for question, chosen in answered)

    def _keep(self) -> None:
        self.kept = progress_file.add_quiz(self.lesson, self.right())
        progress_list.refresh()

    def _ipython_display_(self) -> None:
        """One output that holds the view and, for pages where no view can live, the text."""
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        asked = QUESTIONS[self.lesson]
        data = {
            "application/vnd.jupyter.widget-view+json": view,
            "text/html": as_html(asked),
            "text/plain": as_text(asked),
        }
        display(data, raw=True)
