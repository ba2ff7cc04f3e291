"""`make notebooks` goes on with the half of a lesson that was edited, and loses nothing."""

import shutil

import nbformat
import pytest
from support.project import ROOT

from tools.build import notebooks

NAME = "01_build_x"


@pytest.fixture
def pair(tmp_path, monkeypatch):
    """A copy of one lesson: its notebook and its text."""
    notebook, text = tmp_path / f"{NAME}.ipynb", tmp_path / f"src/{NAME}.md"
    text.parent.mkdir()
    shutil.copy(ROOT / f"notebooks/{NAME}.ipynb", notebook)
    shutil.copy(ROOT / f"notebooks/src/{NAME}.md", text)
    monkeypatch.setattr(notebooks, "NOTEBOOKS", tmp_path)
    return notebook, text


def edit_text(path):
    path.write_text(path.read_text(encoding="utf-8").replace("四个。", "正好四个。"), encoding="utf-8")


def edit_notebook(path):
    document = nbformat.read(path, as_version=4)
    document.cells[0].source += "（改过）"
    nbformat.write(document, path)


def chosen(pair):
    return "\n".join(cell.source for cell in notebooks.edited_half(*pair).cells)


def test_an_edited_text_wins_over_a_notebook_that_was_only_saved_later(pair):
    notebook, text = pair
    edit_text(text)
    document = nbformat.read(notebook, as_version=4)
    document.metadata["language_info"]["version"] = "3.99"
    nbformat.write(document, notebook)
    assert "正好四个。" in chosen(pair)


def test_an_edited_notebook_wins(pair):
    edit_notebook(pair[0])
    assert "（改过）" in chosen(pair)


def test_two_different_edits_stop_with_a_sentence(pair):
    edit_notebook(pair[0])
    edit_text(pair[1])
    with pytest.raises(SystemExit, match="都改过，而且不一样"):
        chosen(pair)


def test_a_new_lesson_needs_only_one_half(pair):
    pair[0].unlink()
    pair[1].rename(pair[1].with_stem("07_new"))
    assert chosen((pair[0].with_stem("07_new"), pair[1].with_stem("07_new")))


def test_a_lesson_that_is_not_there_is_said_in_words(pair):
    with pytest.raises(SystemExit, match=f"没有这一课：09_no。有这些：{NAME}"):
        chosen((pair[0].with_stem("09_no"), pair[1].with_stem("09_no")))
