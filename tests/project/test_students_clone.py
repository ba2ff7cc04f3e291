"""A clone as a student has it, under a JupyterLab that has what `make test` brings: lessons open, and are all that is written."""

import json
import os
import time
import urllib.request

import nbformat
import pytest
from support.checkout import committed_copy, git
from support.jupyterlab import running_lab

LESSON = "notebooks/01_build_x.ipynb"
TEXT = "notebooks/src/01_build_x.md"


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return committed_copy(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def contents(clone):
    """contents(path, **parameters) asks JupyterLab for a file; with a body it saves it."""
    with running_lab(clone) as (address, _):

        def ask(path, kind="notebook", body=None):
            url = f"{address}/api/contents/{path}?type={kind}"
            data = None if body is None else json.dumps({"type": kind, "format": "json", "content": body})
            request = urllib.request.Request(
                url,
                data and data.encode(),
                {"Content-Type": "application/json"},
                method="PUT" if data else "GET",
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["content"]

        yield ask


def test_a_lesson_saved_without_the_test_environment_opens_with_it_and_nothing_else_is_written(
    clone, contents
):
    # jupytext, which `make test` installs, is at work in this server: only with it a text is a notebook.
    assert contents(TEXT)["nbformat"] == 4
    saved = nbformat.read(clone / LESSON, as_version=4)
    saved.cells[-1].source += "\n我的笔记"
    nbformat.write(saved, clone / LESSON)
    later = time.time() + 60
    os.utime(clone / LESSON, (later, later))

    opened = contents(LESSON)
    assert opened["cells"][-1]["source"].endswith("我的笔记")
    contents(LESSON, body=opened)
    assert git(clone, "status", "--porcelain") == [f" M {LESSON}"]
