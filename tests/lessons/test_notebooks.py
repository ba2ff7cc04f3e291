"""Each lesson is a clean, executed notebook that agrees with its text."""

import re

import nbformat
import pytest
from support.lessons import each_lesson, read_notebook, read_text
from support.project import NOTEBOOKS, ROOT

from tools.build.execute import VIEW
from tools.build.tags import tagged

pytestmark = each_lesson


@pytest.fixture
def notebook(lesson):
    return read_notebook(lesson)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_pair_agrees(lesson, notebook):
    text = read_text(lesson)
    assert [(c.cell_type, c.source) for c in text.cells] == [(c.cell_type, c.source) for c in notebook.cells]
    # Slides are worked out when the notebook is written; the text stays free of them.
    tags = [[c.metadata.get("tags") for c in half.cells] for half in (text, notebook)]
    assert tags[0] == tags[1]
    assert {key for c in text.cells for key in c.metadata} <= {"tags"}


def test_executed_in_order_without_errors(notebook):
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        assert {out.get("execution_count", cell.execution_count) for out in cell.outputs} <= {
            cell.execution_count
        }
    assert not [out for cell in cells for out in cell.outputs if out.output_type == "error"]
    assert not [out for cell in cells for out in cell.outputs if out.get("name") == "stderr"]


def test_clean_and_small(lesson, notebook):
    nbformat.validate(notebook)
    assert (ROOT / lesson.notebook).stat().st_size < 400_000
    assert "widgets" not in notebook.metadata
    assert notebook.metadata.kernelspec.name == "python3"


def test_a_cell_fits_a_projector(notebook):
    for cell in code_cells(notebook):
        lines = cell.source.splitlines()
        assert len(lines) <= 16, cell.source
        assert max(map(len, lines)) <= 96, cell.source


def test_every_lesson_shows_a_figure(notebook):
    images = [
        out for cell in code_cells(notebook) for out in cell.outputs if "image/png" in out.get("data", {})
    ]
    assert images


def test_links_between_lessons_lead_somewhere(notebook):
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    targets = re.findall(r"\]\((?!#|http)([^)]+)\)", text)
    assert targets
    assert [target for target in targets if not (NOTEBOOKS / target).exists()] == []


def test_reads_without_a_kernel(notebook):
    """On GitHub: nothing that waits for a widget, and a picture for each live view."""
    for cell in code_cells(notebook):
        shown = [out.get("data", {}) for out in cell.outputs]
        assert not any(VIEW in data for data in shown)
        assert "Loading" not in "".join(data.get("text/plain", "") for data in shown)
        if tagged(cell, "view"):
            assert any("image/png" in data for data in shown), cell.source
