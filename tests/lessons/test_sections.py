"""A section runs from set-up and preparation alone, in any order; going back gives what was there before."""

import functools
import re

import pytest
from support.cells import run
from support.lessons import read_text
from support.project import ROOT

from course_utils import learning
from tools.build.lessons import LESSONS
from tools.build.tags import tagged

pytestmark = pytest.mark.notebooks

# Lesson 06 builds a function, a class and a layer, and says so: what follows needs its first three sections.
NEEDED = {"06_self_attention_module": ("1", "2", "3")}
# Made by a kernel or by the exercises' own tests.
ELSEWHERE = ("setup", "exercise", "exercises", "quiz")


@pytest.fixture(autouse=True)
def trained_once(monkeypatch):
    monkeypatch.setattr(learning, "train_retrieval", _train_once)
    monkeypatch.setattr("course_utils.progress_bar.display", lambda *shown, **how: None)


_train_once = functools.cache(learning.train_retrieval)


def cells_by_section(lesson):
    """Number or title of a section -> its code cells; "" holds the preparation."""
    sections = {"": []}
    for cell in read_text(lesson).cells:
        if heading := re.match("## (.+)", cell.source):
            sections[name := heading[1].split(" · ")[0]] = []
        elif cell.cell_type == "code" and not any(tagged(cell, tag) for tag in ELSEWHERE):
            if "progress()" not in cell.source:
                sections["" if tagged(cell, "preparation") else name].append(cell)
    return {name: cells for name, cells in sections.items() if cells}


def section_params():
    return [
        pytest.param(lesson, section, id=f"{lesson.number}-{section}")
        for lesson in LESSONS
        for section in cells_by_section(lesson)
        if section
    ]


@pytest.mark.parametrize(("lesson", "section"), section_params())
def test_a_section_runs_from_preparation_alone(lesson, section):
    sections, names = cells_by_section(lesson), {}
    for needed in ("", *NEEDED.get(lesson.stem, ()), section):
        for cell in sections[needed]:
            run(cell.source, names)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_going_back_to_any_cell_gives_what_it_gave_before(lesson):
    cells = [cell for cells in cells_by_section(lesson).values() for cell in cells]
    names = {}
    first = [run(cell.source, names) for cell in cells]
    for cell, before in reversed(list(zip(cells, first, strict=True))):
        if not tagged(cell, "nbval-ignore-output"):
            assert run(cell.source, names) == before, cell.source


@pytest.mark.parametrize("readme", ["README.md", "README.en.md"])
def test_the_plans_name_sections_that_are_there(readme):
    """Which run alone, as the tests above hold."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\d) \| ([\d、, ]+) \| \d+ \|$", text, re.MULTILINE)
    assert len(rows) >= 8
    for number, sections in rows:
        (lesson,) = [lesson for lesson in LESSONS if lesson.number == number]
        assert set(re.split("[、,] *", sections)) <= cells_by_section(lesson).keys()
