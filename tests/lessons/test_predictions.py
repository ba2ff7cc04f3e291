"""The stored answer to a prediction is folded away and nothing of it is lost."""

import copy
import re
import subprocess
import sys

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from support.project import NOTEBOOKS, ROOT

from course_utils.style import spoken
from tools.build.predictions import fold_answers, open_answers, unanswered


def answer(*outputs, source="x"):
    return new_code_cell(source, execution_count=1, outputs=list(outputs), metadata={"tags": ["answer"]})


def value(text, execution_count=1):
    return new_output("execute_result", {"text/plain": text}, execution_count=execution_count)


@pytest.fixture
def stored():
    """A lesson's first figure and a value, once as answers and once not."""
    lesson = nbformat.read(NOTEBOOKS / "03_score_heatmap.ipynb", as_version=4)
    figure = next(o for c in lesson.cells for o in c.get("outputs", []) if "image/png" in o.get("data", {}))
    told = new_output("display_data", data=spoken(figure.data["text/plain"]))
    outputs = [figure, told, value("tensor([<1>, 2])")]
    others = new_code_cell("y", outputs=copy.deepcopy(outputs))
    return new_notebook(cells=[new_markdown_cell("**预测**"), answer(*outputs), others])


def test_a_fold_stands_in_front_of_what_it_holds(stored):
    before = copy.deepcopy(stored)
    fold_answers(stored)
    picture, text = stored.cells[1].outputs
    for output in (picture, text):
        html = output.data["text/html"]
        assert html.startswith("<details>\n<summary>") and html.endswith("</details>")
    assert picture.data["text/html"].count(before.cells[1].outputs[0].data["image/png"]) == 1
    assert re.search('alt="[^"]*[\u4e00-\u9fff]', picture.data["text/html"])
    assert "image/png" not in picture.data  # once is enough for the file's size
    assert "<pre>tensor([&lt;1&gt;, 2])</pre>" in text.data["text/html"]
    assert stored.cells[2] == before.cells[2]
    nbformat.validate(stored)


def test_opening_gives_back_what_was_there(stored):
    before = copy.deepcopy(stored)
    fold_answers(stored)
    assert stored != before
    open_answers(stored)
    assert stored == before


@pytest.mark.parametrize(
    "output",
    [
        new_output("stream", name="stdout", text="4"),
        new_output("display_data", {"text/html": "<b>4</b>", "text/plain": "4"}),
    ],
    ids=["printed", "html"],
)
def test_what_cannot_be_folded_is_refused(output):
    with pytest.raises(ValueError, match="an answer is a value or a figure"):
        fold_answers(new_notebook(cells=[answer(output)]))


def test_a_page_shows_the_fold_only(stored):
    png = stored.cells[2].outputs[0].data["image/png"].strip()
    fold_answers(stored)
    page = HTMLExporter().from_notebook_node(stored)[0]
    outside = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
    assert page.count("<details>") == 2
    assert page.count(png) == 2 and outside.count(png) == 1


def test_predictions_without_an_answer_are_named():
    asked = [new_markdown_cell(f"**预测**：{n}？", metadata={"tags": ["prediction"]}) for n in range(4)]
    cells = [asked[0], answer(), asked[1], asked[2], new_markdown_cell("先看"), answer(), asked[3]]
    assert unanswered(new_notebook(cells=cells)) == [asked[1].source, asked[3].source]


@pytest.mark.parametrize(("kept", "code"), [("4", 0), ("5", 1)], ids=["right", "wrong"])
def test_nbval_compares_what_is_in_the_fold(tmp_path, kept, code):
    notebook = new_notebook(cells=[answer(value(kept), source="2 + 2")])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    fold_answers(notebook)
    nbformat.write(notebook, tmp_path / "lesson.ipynb")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", f"--rootdir={ROOT}"]
    done = subprocess.run(
        [*command, "-c", ROOT / "pyproject.toml", f"--confcutdir={ROOT}", "-p", "conftest", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stdout
