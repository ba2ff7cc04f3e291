"""Each lesson is a clean, executed notebook that agrees with its text twin."""

import re
from itertools import pairwise

import jupytext
import nbformat
import pytest
from support.project import NOTEBOOKS

LESSONS = sorted(NOTEBOOKS.glob("*.ipynb"))


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_every_text_has_its_notebook_and_the_lessons_are_numbered():
    texts = sorted(path.stem for path in NOTEBOOKS.glob("src/*.md"))
    assert texts == [path.stem for path in LESSONS] != []
    assert all(stem[:2].isdigit() for stem in texts)


def test_pair_agrees(path, notebook):
    twin = jupytext.read(NOTEBOOKS / "src" / f"{path.stem}.md")
    assert [(c.cell_type, c.source) for c in twin.cells] == [(c.cell_type, c.source) for c in notebook.cells]
    # Slides are worked out when the notebook is written; the text stays free of them.
    tags = [[c.metadata.get("tags") for c in half.cells] for half in (twin, notebook)]
    assert tags[0] == tags[1]
    assert {key for c in twin.cells for key in c.metadata} <= {"tags"}


def test_executed_in_order_without_errors(notebook):
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        assert {out.get("execution_count", cell.execution_count) for out in cell.outputs} <= {
            cell.execution_count
        }
    assert not [out for cell in cells for out in cell.outputs if out.output_type == "error"]
    assert not [out for cell in cells for out in cell.outputs if out.get("name") == "stderr"]


def test_clean_and_small(path, notebook):
    nbformat.validate(notebook)
    assert path.stat().st_size < 400_000
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
    """On GitHub: nothing that waits for a widget, and a picture right under each live view."""
    cells = code_cells(notebook)
    for cell, below in pairwise(cells):
        kinds = [kind for out in cell.outputs for kind in out.get("data", {})]
        assert "application/vnd.jupyter.widget-view+json" not in kinds
        assert "Loading" not in "".join(out.get("data", {}).get("text/plain", "") for out in cell.outputs)
        if "explorers." in cell.source and "import" not in cell.source:
            assert any("image/png" in out.get("data", {}) for out in below.outputs), cell.source
