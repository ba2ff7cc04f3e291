"""The cells of a lesson that are made, not written: its links, its set-up cell, its exercises."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from course_utils.exercises.catalogue import of_lesson

from .address import BINDER, COLAB, FILE, INSTALL, address
from .exercise_cells import section
from .lessons import LESSONS, ROOT, Lesson
from .tags import SECTION, tagged

VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
SETUP = """\
from importlib.util import find_spec
from pathlib import Path

course = "{install}"
missing = not find_spec("course_utils")
if missing and Path("../course_utils").exists():
    raise SystemExit("选错了内核。点右上角内核的名字，选课程文件夹里 .venv 的那一个。")
if missing:
    %pip install --quiet --no-deps "{{course}}"
if not find_spec("course_utils"):
    raise SystemExit("没能装上课程。先看这个内核有没有 pip，再看网络和 git。")

from course_utils.environment import check_environment

check_environment(course="{version}")"""


def generate(notebook: nbformat.NotebookNode, lesson: Lesson) -> None:
    """Write these cells of the lesson anew.

    Raises ValueError for a lesson with exercises but no summary to stand after them.
    """
    sources = {"links": links(lesson), "setup": setup()}
    for cell in notebook.cells:
        for tag, source in sources.items():
            if tagged(cell, tag):
                cell.source = source
    if of_lesson(lesson.number):
        put_exercises(notebook, lesson)


def put_exercises(notebook: nbformat.NotebookNode, lesson: Lesson) -> None:
    cells = [cell for cell in notebook.cells if not tagged(cell, *SECTION)]
    end = next((k for k, cell in enumerate(cells) if tagged(cell, "summary")), None)
    if end is None:
        raise ValueError(f"{lesson.stem} 有练习，却没有标签为 summary 的一格。")
    notebook.cells = [*cells[:end], *section(lesson), *cells[end:]]


def links(lesson: Lesson, root: Path = ROOT) -> str:
    """The row at the top of a lesson: where it opens, and the lessons before and after it."""
    places = {"在 Binder 打开": BINDER, "在 Colab 打开": COLAB, "在 GitHub 上读": FILE}
    here = address(root)
    row = [f"[{name}]({form.format(**here)}{lesson.stem}.ipynb)" for name, form in places.items()]
    k = LESSONS.index(lesson)
    row += [f"上一课：[{near.heading}]({near.stem}.ipynb)" for near in LESSONS[max(k - 1, 0) : k]]
    row += [f"下一课：[{near.heading}]({near.stem}.ipynb)" for near in LESSONS[k + 1 : k + 2]]
    return " | ".join(row)


def setup(root: Path = ROOT) -> str:
    """The first code cell of each lesson: finds the course or installs it, and nothing else, and checks the versions."""
    package = (root / "course_utils/__init__.py").read_text(encoding="utf-8")
    return SETUP.format(install=INSTALL.format(**address(root)), version=VERSION.search(package)[1])
