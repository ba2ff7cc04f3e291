"""The lessons of the table, for tests: each as a parameter, and its two halves."""

import jupytext
import nbformat
import pytest

from tools.build.lessons import LESSONS

from .project import ROOT

each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)


def read_text(lesson):
    return jupytext.read(ROOT / lesson.text)


def read_notebook(lesson):
    return nbformat.read(ROOT / lesson.notebook, as_version=4)
