"""A build goes on with the half of a lesson that was edited, and loses nothing."""

import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from support.imports import imported_modules
from support.project import ROOT

from tools.build import __main__ as command
from tools.build.execute import VIEW, drop_widgets, execute
from tools.build.lessons import LESSONS, find
from tools.build.notebook import edited_half

LESSON = find("01_build_x")


@pytest.fixture
def pair(tmp_path):
    """A copy of one lesson in a folder of its own: its notebook and its text."""
    for half in (LESSON.notebook, LESSON.text):
        (tmp_path / half).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / half, tmp_path / half)
    return tmp_path / LESSON.notebook, tmp_path / LESSON.text


@pytest.fixture
def chosen(pair, tmp_path):
    return lambda: "\n".join(cell.source for cell in edited_half(LESSON, tmp_path).cells)


def edit_text(path):
    path.write_text(path.read_text(encoding="utf-8").replace("四个。", "正好四个。"), encoding="utf-8")


def edit_notebook(path):
    document = nbformat.read(path, as_version=4)
    document.cells[0].source += "（改过）"
    nbformat.write(document, path)


def test_an_edited_text_wins_over_a_notebook_that_was_only_saved_later(pair, chosen):
    notebook, text = pair
    edit_text(text)
    document = nbformat.read(notebook, as_version=4)
    document.metadata["language_info"]["version"] = "3.99"
    nbformat.write(document, notebook)
    assert "正好四个。" in chosen()


def test_an_edited_notebook_wins(pair, chosen):
    edit_notebook(pair[0])
    assert "（改过）" in chosen()


def test_two_different_edits_stop_with_a_sentence(pair, chosen):
    edit_notebook(pair[0])
    edit_text(pair[1])
    with pytest.raises(SystemExit, match="都改过，而且不一样"):
        chosen()


def test_a_new_lesson_needs_only_one_half(pair, chosen):
    pair[0].unlink()
    assert "四个。" in chosen()
    pair[1].unlink()
    with pytest.raises(SystemExit, match="01_build_x 在课程表里，可是没有 notebooks/src/01_build_x"):
        chosen()


@pytest.fixture
def built(monkeypatch):
    """The lessons that the command builds, instead of building them."""
    lessons = []
    monkeypatch.setitem(command.TARGETS, "notebook", lessons.append)
    return lessons


def test_the_command_builds_the_lessons_that_are_named_or_all(built):
    command.main("notebook", LESSON.stem)
    assert built == [LESSON]
    command.main("notebook")
    assert built == [LESSON, *LESSONS]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), r"用法：python -m tools\.build notebook\|solutions"),
        (("slides",), "用法："),
        (("notebook", "01_build_x", "09_no"), "没有这一课：09_no。有这些：00_start_here、01_build_x"),
    ],
)
def test_a_wrong_command_is_answered_in_words(built, arguments, said):
    with pytest.raises(SystemExit, match=said):
        command.main(*arguments)
    assert built == []


def test_a_target_decides_what_it_keeps_of_a_live_view(tmp_path):
    notebook = new_notebook(cells=[new_code_cell("from ipywidgets import IntSlider\nIntSlider()")])
    execute(notebook, tmp_path)
    (output,) = notebook.cells[0].outputs
    assert VIEW in output.data and notebook.metadata.widgets
    drop_widgets(notebook)
    assert output.data.keys() == {"text/plain"} and "widgets" not in notebook.metadata


def test_what_builds_needs_no_development_tools():
    for path in (ROOT / "tools/build").glob("*.py"):
        modules = imported_modules(path.read_text(encoding="utf-8"), "tools.build")
        assert not [name for name in modules if name.startswith(("tools.dev", "tests"))], path
