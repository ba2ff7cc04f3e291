"""Shows a lesson's quiz: live buttons by JupyterQuiz, and the same as text for pages that run no script."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from IPython.display import HTML, Javascript, display
from jupyterquiz.dynamic.renderer import build_styles, render_div

from .. import style
from ..style import KEY, MARK, PAPER, QUERY, VALUE, ZERO
from .catalogue import QUESTIONS
from .question import Question

# White type on each of the four backgrounds has a contrast of at least 4.5:1.
_COLOURS = {
    "--jq-multiple-choice-bg": QUERY,
    "--jq-many-choice-bg": KEY,
    "--jq-mc-button-bg": ZERO,
    "--jq-mc-button-border": "#E0E0E0",
    "--jq-mc-button-inset-shadow": "#555555",
    "--jq-correct-color": VALUE,
    "--jq-incorrect-color": MARK,
    "--jq-text-color": PAPER,
}

# Feedback on the ground of the options, since the page's own may be dark; a frame round the option that has the focus.
_LOOK = """<style>
.Quiz .Feedback:not(:empty) { background: var(--jq-mc-button-bg); border-radius: inherit; padding: 10px }
.Quiz .MCButton:focus-visible { outline: 3px solid #E0246A; outline-offset: 2px }
</style>"""

# Where the page has a MathJax of its own, JupyterQuiz would fetch another from the network: here it sees none.
# The script may run before its div is on the page, and a quiz shown twice has the same id twice.
# JupyterQuiz's radio buttons can't be reached one by one and JupyterLab takes the arrow keys, so the options become
# buttons for the keyboard, where no shortcut of JupyterLab's holds.
_SCRIPT = """((MathJax) => {
%(library)s
const questions = %(questions)s;
(function show() {
const box = [...document.querySelectorAll("#%(id)s")].find((box) => !box.querySelector(".Quiz"));
if (!box) return setTimeout(show, 200);
show_questions(questions, box);
for (const feedback of box.querySelectorAll(".Feedback")) feedback.setAttribute("role", "status");
for (const option of box.querySelectorAll(".MCButton")) {
option.querySelector("input").remove();
option.setAttribute("role", "button");
option.setAttribute("data-lm-suppress-shortcuts", "true");
option.tabIndex = 0;
option.onkeydown = (event) => {
if (event.key !== "Enter" && event.key !== " ") return;
event.preventDefault();
option.click();
};
}
})();
})();"""


def quiz(lesson: str) -> None:
    """Show the quiz of a lesson such as "03". Raises ValueError, in Chinese, when there is none."""
    if lesson not in QUESTIONS:
        raise ValueError(f"第 {lesson!r} 课没有小测验。有这些：{'、'.join(QUESTIONS)}")
    questions = [_as_dict(question) for question in QUESTIONS[lesson]]
    # JupyterQuiz's parts instead of its display_quiz: a fixed id and half the script keep stored notebooks
    # the same on each run, and small.
    id = f"quiz{lesson}"
    div = render_div(
        id,
        shuffle_questions=False,
        shuffle_answers=False,
        preserve_responses=False,
        num=len(questions),
        max_width=760,
        border_radius=10,
        question_alignment="left",
    )
    large = f"<style>#{id} .MCButton {{ font-size: 20px }}</style>" if style.lecturing() else ""
    display(HTML(div + build_styles(id, _COLOURS) + _LOOK + large + "</div>"))
    display(
        Javascript(
            _SCRIPT
            % {"library": _library(), "id": id, "questions": json.dumps(questions, ensure_ascii=False)}
        )
    )
    display(AsText(QUESTIONS[lesson]))


def _library() -> str:
    """The part of JupyterQuiz's script that choice questions need, without indentation and line comments."""
    folder = files("jupyterquiz") / "js"
    names = ("helpers.js", "multiple_choice.js", "show_questions.js")
    lines = "\n".join((folder / name).read_text(encoding="utf-8") for name in names).splitlines()
    return "\n".join(line.strip() for line in lines if not line.strip().startswith("//"))


class AsText:
    """A quiz as text: the questions, and the answers with their reasons, folded where the page can fold."""

    def __init__(self, questions: tuple[Question, ...]):
        self.questions = questions

    def __repr__(self) -> str:
        lines = ["小测验（文字版）"]
        for number, question in enumerate(self.questions, start=1):
            lines.append(f"{number}. {question.text}")
            lines += [f"   {letter}. {option.text}" for letter, option in _lettered(question)]
        lines.append("答案")
        for number, question in enumerate(self.questions, start=1):
            lines += [
                f"{number}{letter} {'✓' if option.right else '✗'} {option.feedback}"
                for letter, option in _lettered(question)
            ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        asked, answered = [], []
        for question in self.questions:
            options = "".join(f"<li>{escape(option.text)}</li>" for option in question.options)
            asked.append(f'<li>{escape(question.text)}<ol type="A">{options}</ol></li>')
            feedback = "".join(
                f"<li>{'✓' if option.right else '✗'} {escape(option.feedback)}</li>"
                for option in question.options
            )
            answered.append(f'<li><ol type="A">{feedback}</ol></li>')
        return (
            f"<details><summary>小测验的文字版（按钮不能点的时候看这里）</summary><ol>{''.join(asked)}</ol>"
            f"<details><summary>答案和解释</summary><ol>{''.join(answered)}</ol></details></details>"
        )


def _lettered(question: Question):
    return zip("ABCDEFGH", question.options, strict=False)


def _as_dict(question: Question) -> dict:
    """The question as JupyterQuiz wants it. It puts texts into the page as HTML, so they are escaped."""
    several = sum(option.right for option in question.options) > 1
    return {
        "type": "many_choice" if several else "multiple_choice",
        "question": escape(question.text),
        "answers": [
            {"answer": escape(o.text), "correct": o.right, "feedback": escape(o.feedback)}
            for o in question.options
        ],
    }
