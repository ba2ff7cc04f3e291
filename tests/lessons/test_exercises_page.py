"""The section of exercises that goes into each lesson, made from the lesson's file of exercises."""

from dataclasses import replace

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from support.lessons import read_notebook

from course_utils import exercises
from course_utils.exercises.catalogue import EXERCISES, find, of_lesson
from tools.build.exercise_cells import section
from tools.build.generate import put_exercises
from tools.build.lessons import LESSONS
from tools.build.solutions import fill_in
from tools.build.tags import SECTION, tagged

SCORES = LESSONS[3]
WITH_EXERCISES = [lesson for lesson in LESSONS if of_lesson(lesson.number)]
each_section = pytest.mark.parametrize("lesson", WITH_EXERCISES, ids=lambda lesson: lesson.stem)


@each_section
def test_a_section_shows_each_stub_and_its_folded_solution(lesson):
    cells = section(lesson)
    sources = [cell.source for cell in cells]
    for exercise in of_lesson(lesson.number):
        k = sources.index(exercise.cell(exercise.stub))
        assert exercise.title in sources[k - 1] and f"约 {exercise.minutes} 分钟" in sources[k - 1]
        assert "<details>" in sources[k + 1] and exercise.solution in sources[k + 1]
        assert "..." in exercise.stub and "..." not in exercise.solution and "«" not in "".join(sources)
    for cell in cells:
        assert tagged(cell, *SECTION)
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 16


@pytest.fixture
def notebook():
    """A cell and a summary; exercises are put between them."""
    summary = new_markdown_cell("## 小结\n\n我们做了", metadata={"tags": ["summary"]})
    return new_notebook(cells=[new_code_cell("1"), summary])


def test_a_section_is_put_before_the_summary_and_replaced_when_there_is_one(notebook):
    put_exercises(notebook, SCORES)
    sources = [cell.source for cell in notebook.cells]
    assert sources[0] == "1" and sources[1].startswith("## 练习") and sources[-1].startswith("## 小结")
    put_exercises(notebook, SCORES)
    assert [cell.source for cell in notebook.cells] == sources
    with pytest.raises(ValueError, match="没有标签为 summary 的一格"):
        put_exercises(new_notebook(cells=notebook.cells[:-1]), SCORES)


def test_a_cell_of_ones_own_among_the_exercises_stays(notebook):
    put_exercises(notebook, SCORES)
    notebook.cells.insert(4, new_markdown_cell("自己的笔记"))
    put_exercises(notebook, SCORES)
    assert notebook.cells[1].source == "自己的笔记"


def test_answers_are_filled_in_once(notebook):
    put_exercises(notebook, SCORES)
    fill_in(notebook, SCORES)
    assert find("3.2").cell(find("3.2").solution) in [cell.source for cell in notebook.cells]
    with pytest.raises(ValueError, match="0 times"):
        fill_in(notebook, SCORES)


def test_adding_an_exercise_is_adding_one_entry(monkeypatch, tmp_path):
    shown = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exercises, "display", shown.append)
    new = replace(find("3.3"), id="3.4", title="新的一题")
    monkeypatch.setattr(exercises.catalogue, "EXERCISES", (*EXERCISES, new))
    assert any("新的一题" in cell.source for cell in section(SCORES))
    exercises.check("3.4", "打")
    assert shown[-1].text.startswith("✓ 练习 3.4 新的一题")


@each_section
def test_the_lesson_holds_the_section_that_the_list_gives(lesson):
    cells = [(cell.source, cell.metadata.get("tags")) for cell in read_notebook(lesson).cells]
    wanted = [(cell.source, cell.metadata["tags"]) for cell in section(lesson)]
    start = cells.index(wanted[0])
    assert cells[start : start + len(wanted)] == wanted
    assert cells[start + len(wanted)][1] == ["summary"]
