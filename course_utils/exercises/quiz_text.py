"""A quiz for pages where no view can live, such as GitHub and paper: the questions, and folded the answers."""

from __future__ import annotations

from html import escape

from .question import Option, Question


def as_text(questions: tuple[Question, ...]) -> str:
    lines = ["小测验（文字版）"]
    for number, question in enumerate(questions, start=1):
        lines.append(f"{number}. {question.text}")
        lines += [f"   {letter}. {option.text}" for letter, option in _lettered(question)]
    lines.append("答案")
    for number, question in enumerate(questions, start=1):
        lines += [
            f"{number}{letter} {_sign(option)} {option.feedback}" for letter, option in _lettered(question)
        ]
    return "\n".join(lines)


def as_html(questions: tuple[Question, ...]) -> str:
    asked, answered = [], []
    for question in questions:
        options = "".join(f"<li>{escape(option.text)}</li>" for option in question.options)
        asked.append(f'<li>{escape(question.text)}<ol type="A">{options}</ol></li>')
        feedback = "".join(
            f"<li>{_sign(option)} {escape(option.feedback)}</li>" for option in question.options
        )
        answered.append(f'<li><ol type="A">{feedback}</ol></li>')
    return (
        f"<p>小测验的文字版；要点选，运行这个单元。</p><ol>{''.join(asked)}</ol>"
        f"<details><summary>答案和解释</summary><ol>{''.join(answered)}</ol></details>"
    )


def _sign(option: Option) -> str:
    return "✓" if option.right else "✗"


def _lettered(question: Question):
    return zip("ABCDEFGH", question.options, strict=False)
