"""Each lesson is also a deck: sections, predictions and speaker notes; how high the slides are, browser/test_deck.py measures."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from support.project import NOTEBOOKS

from tools.build.slides import NOTES, set_slides

LESSONS = sorted(NOTEBOOKS.glob("*.ipynb"))


def kind(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def kinds(*cells):
    """The slide types of these cells, put after a title and the preparations of a lesson."""
    before = [
        new_markdown_cell("# 00"),
        new_markdown_cell("links", metadata={"tags": ["links"]}),
        new_markdown_cell("run this"),
        new_code_cell("setup", metadata={"tags": ["setup"]}),
    ]
    notebook = new_notebook(cells=[*before, new_markdown_cell("## 1"), *cells])
    set_slides(notebook)
    found = [kind(cell) for cell in notebook.cells]
    assert found[:5] == ["slide", "skip", "skip", "skip", "slide"]
    return found[5:]


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def test_a_prediction_starts_a_slide_and_its_answer_waits_for_a_key():
    asked = new_markdown_cell("**预测**：几个？")
    assert kinds(asked, new_code_cell("4"), new_markdown_cell("四个。")) == ["subslide", "fragment", "-"]


def test_notes_interrupt_nothing():
    notes = new_markdown_cell(f"{NOTES}（2 分钟）</summary>\n\n问。\n\n</details>")
    assert kinds(new_markdown_cell("a"), notes, new_markdown_cell("b")) == ["-", "notes", "-"]
    asked = new_markdown_cell("**预测**：几个？")
    assert kinds(asked, notes, new_code_cell("4")) == ["subslide", "notes", "fragment"]


def test_what_would_run_over_the_edge_starts_another_slide():
    paragraph = "字" * 44 * 5
    assert kinds(*[new_markdown_cell(paragraph) for _ in range(5)]) == ["-", "-", "-", "subslide", "-"]
    long = new_output("stream", text="line\n" * 18)
    assert kinds(new_markdown_cell(paragraph), new_code_cell("x", outputs=[long])) == ["-", "subslide"]


def test_what_no_slide_can_hold_is_tagged_and_stays_off():
    table = new_markdown_cell("| a | b |", metadata={"tags": ["no-slide"]})
    assert kinds(table, new_markdown_cell("a")) == ["skip", "subslide"]


def test_exercises_stay_off_the_wall():
    cells = map(new_markdown_cell, ("## 练习\n\n做。", "### 练习 1", "## 小结\n\n我们做了。"))
    assert kinds(*cells) == ["skip", "skip", "slide"]


def test_stored_slides_are_those_of_the_rule(notebook):
    stored = [kind(cell) for cell in notebook.cells]
    for cell in notebook.cells:
        cell.metadata.pop("slideshow", None)
    set_slides(notebook)
    assert stored == [kind(cell) for cell in notebook.cells]


def test_every_section_has_notes_and_their_minutes_are_the_lesson_s(notebook):
    on_slides = [cell for cell in notebook.cells if kind(cell) != "skip"]
    sections = [k for k, cell in enumerate(on_slides) if re.match(r"## (?!小结)", cell.source)]
    assert len(sections) >= 4
    for start in sections:
        assert on_slides[start + 1].source.startswith(NOTES), on_slides[start].source
    notes = [cell.source for cell in on_slides if kind(cell) == "notes"]
    assert len(notes) == len(sections)
    # The speaker view has no MathJax.
    assert "$" not in "".join(notes)
    minutes = [int(re.search(r"讲课提示（(\d+) 分钟）", text)[1]) for text in notes]
    stated = next(
        re.search(r"\*\*时间\*\*：约 (\d+) 分钟", c.source) for c in on_slides if "**时间**" in c.source
    )
    assert sum(minutes) == int(stated[1])
