"""The section of exercises that goes into each lesson, made from the lesson's file of exercises."""

from dataclasses import replace

import nbformat
import pytest
from support.project import ROOT

from course_utils import exercises
from course_utils.exercises.catalogue import EXERCISES, find, of_lesson
from tools.build.exercise_cells import section, with_exercises, with_solutions

LESSONS = sorted({exercise.lesson for exercise in EXERCISES})


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_section_shows_each_stub_and_its_folded_solution(lesson):
    cells = section(lesson)
    sources = [cell.source for cell in cells]
    for exercise in of_lesson(lesson):
        k = sources.index(exercise.cell(exercise.stub))
        assert exercise.title in sources[k - 1] and f"约 {exercise.minutes} 分钟" in sources[k - 1]
        assert "<details>" in sources[k + 1] and exercise.solution in sources[k + 1]
        assert "..." in exercise.stub and "..." not in exercise.solution and "«" not in "".join(sources)
    for cell in cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 16


def test_a_section_is_put_before_the_summary_and_replaced_when_there_is_one():
    new = nbformat.v4
    notebook = new.new_notebook(cells=[new.new_code_cell("1"), new.new_markdown_cell("## 小结\n\n我们做了")])
    once = with_exercises(notebook, "03")
    sources = [cell.source for cell in once.cells]
    assert sources[0] == "1" and sources[1].startswith("## 练习") and sources[-1].startswith("## 小结")
    assert [cell.source for cell in with_exercises(once, "03").cells] == sources
    filled = with_solutions(once, "03")
    assert find("3.2").cell(find("3.2").solution) in [cell.source for cell in filled.cells]
    with pytest.raises(ValueError, match="0 times"):
        with_solutions(filled, "03")


def test_adding_an_exercise_is_adding_one_entry(monkeypatch, tmp_path):
    shown = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exercises, "display", shown.append)
    new = replace(find("3.3"), id="3.4", title="新的一题")
    monkeypatch.setattr(exercises.catalogue, "EXERCISES", (*EXERCISES, new))
    assert any("新的一题" in cell.source for cell in section("03"))
    exercises.check("3.4", "打")
    assert shown[-1].text.startswith("✓ 练习 3.4 新的一题")


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_lesson_holds_the_section_that_the_list_gives(lesson):
    (path,) = (ROOT / "notebooks").glob(f"{lesson}_*.ipynb")
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    wanted = [cell.source for cell in section(lesson)]
    start = sources.index(wanted[0])
    assert sources[start : start + len(wanted)] == wanted
    assert sources[start + len(wanted)].startswith("## 小结")
