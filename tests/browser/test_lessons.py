"""Every lesson opened in JupyterLab and run from top to bottom: no error output, nothing in the console."""

import shutil
from pathlib import Path

import pytest
from support.browsers import SIZE
from support.jupyterlab import Notebook
from support.project import ROOT

from tools.build.lessons import LESSONS


@pytest.fixture
def lesson(browser, lab, request):
    address, folder = lab
    # As in the course's folder, where lesson 00 finds its picture.
    (folder / "notebooks").mkdir(exist_ok=True)
    shutil.copytree(ROOT / "images", folder / "images", dirs_exist_ok=True)
    shutil.copy(ROOT / request.param.notebook, folder / "notebooks")
    opened = Notebook(browser.new_page(viewport=SIZE), address, request.param.notebook)
    opened.open()
    yield opened
    opened.close()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem, indirect=True)
def test_runs_from_top_to_bottom(lesson):
    lesson.command("notebook:clear-all-cell-outputs")
    lesson.run_all()
    counts = lesson.page.evaluate(
        "() => [...jupyterapp.shell.currentWidget.content.model.cells]"
        ".filter((cell) => cell.type === 'code').map((cell) => cell.executionCount)"
    )
    assert counts == list(range(1, len(counts) + 1))
    lesson.screenshot(f"lesson_{Path(lesson.name).stem}")
    assert lesson.errors == []
