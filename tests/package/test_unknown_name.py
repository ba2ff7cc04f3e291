"""A cell run too early, in a kernel as the course's settings start it."""

import os
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from IPython.core.application import ENV_CONFIG_DIRS
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from support.project import ROOT

from tools import jupyterlab_settings


@pytest.fixture
def environment(tmp_path):
    """The settings in a student's own profile, since those of this environment aren't for a test to write."""
    jupyterlab_settings.main(tmp_path)
    profile = tmp_path / "own/profile_default"
    shutil.copytree(tmp_path / "etc/ipython", profile)
    return os.environ | {"IPYTHONDIR": str(profile.parent), "PYTHONPATH": str(ROOT)}


def outputs(environment, *sources):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    with pytest.raises(CellExecutionError):
        NotebookClient(notebook, kernel_name="python3", timeout=120).execute(env=environment)
    return notebook.cells[-1].outputs


def test_kernels_look_for_settings_where_they_are_put():
    assert str(Path(sys.prefix, "etc/ipython")) in ENV_CONFIG_DIRS


def test_an_unknown_name_is_told_in_a_sentence_after_the_traceback(environment):
    error, sentence = outputs(environment, "1", "figures.flow(ball)")
    assert error.ename == "NameError"
    assert sentence.text.startswith("这里还没有 figures 这个名字。先运行这一课的第一个单元")


def test_other_errors_are_left_alone(environment):
    (error,) = outputs(environment, "1 / 0")
    assert error.ename == "ZeroDivisionError"
    (error,) = outputs(environment, "def f():\n    a += 1\n\nf()")
    assert error.ename == "UnboundLocalError"
