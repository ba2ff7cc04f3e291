"""The table of lessons says what the texts say and what lies in the folder."""

import re
from itertools import pairwise

import pytest
from support.lessons import each_lesson, read_text
from support.project import NOTEBOOKS

from course_utils.exercises.catalogue import EXERCISES, QUESTIONS
from tools.build.lessons import LESSONS, find
from tools.build.tags import tagged

MINUTES = r"讲课提示（(\d+) 分钟）"


def source(lesson, tag):
    (cell,) = [cell for cell in read_text(lesson).cells if tagged(cell, tag)]
    return cell.source


def test_the_folder_holds_the_lessons_of_the_table():
    stems = [lesson.stem for lesson in LESSONS]
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == stems
    assert sorted(path.stem for path in NOTEBOOKS.glob("src/*.md")) == stems
    assert [lesson.number for lesson in LESSONS] == [f"{n:02}" for n in range(len(LESSONS))]


@each_lesson
def test_title(lesson):
    assert read_text(lesson).cells[0].source.splitlines()[0] == f"# {lesson.heading}"


@each_lesson
def test_sections_and_the_minutes_of_their_notes(lesson):
    """Each section that is taught has its note right under its heading."""
    cells = [
        cell for cell in read_text(lesson).cells if not tagged(cell, "preparation", "exercises", "summary")
    ]
    found = {
        cell.source.splitlines()[0].removeprefix("## "): int(re.search(MINUTES, below.source)[1])
        for cell, below in pairwise(cells)
        if cell.source.startswith("## ") and tagged(below, "note")
    }
    assert list(found.items()) == list(lesson.sections.items())
    headings = [cell for cell in cells if cell.source.startswith("## ")]
    notes = [cell for cell in cells if tagged(cell, "note")]
    assert len(headings) == len(notes) == len(found) >= 4
    # The speaker view has no MathJax.
    assert "$" not in "".join(note.source for note in notes)


@each_lesson
def test_goals_give_the_minutes_and_what_the_lesson_builds_on(lesson):
    first, goals = source(lesson, "goals").split("\n\n", 1)
    assert int(re.search(r"\*\*时间\*\*：约 (\d+) 分钟", first)[1]) == lesson.minutes
    linked = re.findall(r"\[(.+?)\]\((.+?)\.ipynb\)", first)
    assert [find(stem).heading for _, stem in linked] == [heading for heading, _ in linked]
    # A run of lessons is named by its ends.
    named = tuple(find(stem).number for _, stem in linked)
    assert named in (lesson.builds_on, (*lesson.builds_on[:1], *lesson.builds_on[-1:]))
    assert all(number < lesson.number for number in lesson.builds_on)
    assert goals.startswith("**目标**")


@each_lesson
def test_the_summary_ends_with_the_next_lesson(lesson):
    after = LESSONS[LESSONS.index(lesson) + 1 :]
    last = source(lesson, "summary").splitlines()[-1]
    links = [f"[{near.heading}]({near.stem}.ipynb)" for near in after[:1]]
    assert re.findall(r"下一课：(.+)", last) == links


def test_the_map_in_lesson_00_is_the_table():
    text = "\n".join(cell.source for cell in read_text(LESSONS[0]).cells)
    rows = re.findall(r"^\| (\[?\d\d · .+?) \| .+ \| (\d+) \|$", text, re.MULTILINE)
    # A lesson doesn't link to itself.
    names = [LESSONS[0].heading, *(f"[{each.heading}]({each.stem}.ipynb)" for each in LESSONS[1:])]
    assert rows == [(name, str(each.minutes)) for name, each in zip(names, LESSONS, strict=True)]


def test_exercises_and_quizzes_belong_to_lessons_of_the_table():
    numbers = {lesson.number for lesson in LESSONS}
    assert {exercise.lesson for exercise in EXERCISES} == set(QUESTIONS) <= numbers


def test_a_lesson_that_is_not_there_is_said_in_words():
    with pytest.raises(ValueError, match="没有这一课：03。有这些：00_start_here、"):
        find("03")
