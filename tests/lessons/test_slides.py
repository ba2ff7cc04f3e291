"""Each lesson is also a deck: sections, predictions and speaker notes; how high the slides are, browser/test_deck.py measures."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from support.lessons import each_lesson, read_notebook

from tools.build.predictions import open_answers
from tools.build.slides import set_slides
from tools.build.tags import SECTION


def kind(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def words(source, *tags):
    return new_markdown_cell(source, metadata={"tags": list(tags)})


def kinds(*cells):
    """The slide types of these cells, put after a title and the preparations of a lesson."""
    before = [
        words("# 00"),
        words("links", "links"),
        words("run this", "preparation"),
        new_code_cell("setup", metadata={"tags": ["setup"]}),
    ]
    notebook = new_notebook(cells=[*before, new_markdown_cell("## 1"), *cells])
    set_slides(notebook)
    found = [kind(cell) for cell in notebook.cells]
    assert found[:5] == ["slide", "skip", "skip", "skip", "slide"]
    return found[5:]


def test_a_prediction_starts_a_slide_and_its_answer_waits_for_a_key():
    asked = words("**预测**：几个？", "prediction")
    assert kinds(asked, new_code_cell("4"), words("四个。")) == ["subslide", "fragment", "-"]


def test_a_prediction_that_ends_an_answer_goes_on_with_its_slide():
    asked = words("四个。\n\n**预测**：再加一个呢？", "prediction")
    assert kinds(words("a"), asked, new_code_cell("5")) == ["-", "-", "fragment"]


def test_notes_interrupt_nothing():
    notes = words("ask this", "note")
    assert kinds(words("a"), notes, words("b")) == ["-", "notes", "-"]
    asked = words("**预测**：几个？", "prediction")
    assert kinds(asked, notes, new_code_cell("4")) == ["subslide", "notes", "fragment"]


def test_what_would_run_over_the_edge_starts_another_slide():
    paragraph = "字" * 44 * 5
    assert kinds(*[words(paragraph) for _ in range(5)]) == ["-", "-", "-", "subslide", "-"]
    long = new_output("stream", text="line\n" * 18)
    assert kinds(words(paragraph), new_code_cell("x", outputs=[long])) == ["-", "subslide"]


def test_what_no_slide_can_hold_is_tagged_and_stays_off():
    assert kinds(words("| a | b |", "no-slide"), words("a")) == ["skip", "subslide"]


def test_exercises_stay_off_the_wall():
    section = [words("## 练习", tag) for tag in SECTION]
    assert kinds(*section, words("## 小结", "summary")) == [*["skip"] * len(SECTION), "slide"]


@each_lesson
def test_stored_slides_are_those_of_the_rule(lesson):
    notebook = read_notebook(lesson)
    stored = [kind(cell) for cell in notebook.cells]
    for cell in notebook.cells:
        cell.metadata.pop("slideshow", None)
    open_answers(notebook)
    set_slides(notebook)
    assert stored == [kind(cell) for cell in notebook.cells]
