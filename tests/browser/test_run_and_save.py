"""A lesson opened, run and saved as a student does: what git then sees is the run's own noise."""

import copy

import nbformat
import pytest
from support.browsers import SIZE
from support.jupyterlab import Notebook
from support.project import NOTEBOOKS

from tools.build.execute import drop_widgets, execute
from tools.build.notebook import VOLATILE, clean
from tools.build.predictions import open_answers

NAME = "05_weighted_fusion.ipynb"


def without_noise(notebook):
    """The notebook without the live views' names and state, and with its folded answers open, as running opens them."""
    notebook = copy.deepcopy(notebook)
    notebook.metadata.pop("widgets", None)
    open_answers(notebook)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
        if VOLATILE in cell.metadata.get("tags", []):
            cell.outputs = []
    return notebook


@pytest.fixture(scope="module")
def stored():
    """A lesson as the build writes it."""
    notebook = nbformat.read(NOTEBOOKS / NAME, as_version=4)
    execute(notebook, NOTEBOOKS)
    drop_widgets(notebook)
    clean(notebook, {})
    return notebook


@pytest.fixture(scope="module")
def lesson(browser, lab, stored):
    address, folder = lab
    nbformat.write(stored, folder / NAME)
    opened = Notebook(browser.new_page(viewport=SIZE), address, NAME)
    opened.open()
    yield opened
    opened.close()


def test_opening_changes_nothing_and_running_only_what_runs(lesson, lab, stored):
    lesson.page.wait_for_timeout(1000)
    assert not lesson.page.evaluate("() => jupyterapp.shell.currentWidget.context.model.dirty")
    lesson.run_all()
    lesson.command("docmanager:save")
    saved = nbformat.read(lab[1] / NAME, as_version=4)
    assert "application/vnd.jupyter.widget-view+json" in str(saved)
    assert nbformat.writes(without_noise(saved)) == nbformat.writes(without_noise(stored))
