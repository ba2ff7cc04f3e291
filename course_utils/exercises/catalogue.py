"""All exercises and quizzes, collected from the lessons' files.

To add an exercise or a question, add an entry to its lesson's file, then run `make notebooks`; to add a lesson's, add
its file and name it here. In an exercise's code the student's part stands between « and »; the lesson's cell, the folded
solution, the teacher's version and the tests all come from it. Its mistakes are chosen from course_utils/mistakes.
"""

from __future__ import annotations

from .exercise import Exercise
from .lessons import lesson_01, lesson_02, lesson_03, lesson_04, lesson_05, lesson_06
from .question import Question

_FILES = (lesson_01, lesson_02, lesson_03, lesson_04, lesson_05, lesson_06)

EXERCISES: tuple[Exercise, ...] = tuple(exercise for file in _FILES for exercise in file.EXERCISES)
# Lesson -> its quiz.
QUESTIONS: dict[str, tuple[Question, ...]] = {file.EXERCISES[0].lesson: file.QUESTIONS for file in _FILES}


def find(id: str) -> Exercise:
    """The exercise called id, e.g. "3.2". Raises ValueError, in Chinese, when there is none, TypeError for 3.2 without quotes."""
    for exercise in EXERCISES:
        if isinstance(id, str) and exercise.id == id:
            return exercise
        if isinstance(id, float) and exercise.id == str(id):
            raise TypeError(f'练习的编号是一个字符串，要加引号：写成 "{id}"，不是 {id}。')
    raise ValueError(f"没有编号为 {id!r:.60} 的练习。有这些：{'、'.join(e.id for e in EXERCISES)}")


def of_lesson(lesson: str) -> tuple[Exercise, ...]:
    """The exercises of a lesson such as "03"."""
    return tuple(exercise for exercise in EXERCISES if exercise.lesson == lesson)
