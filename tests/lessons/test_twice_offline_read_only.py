"""Each lesson under adverse conditions: in a folder with a Chinese name and a space, the checkout read-only, no network,
a foreign matplotlib style set before anything else, and the whole lesson twice in one kernel. Both times it puts out
the text that is stored; that it does so with the versions of Colab too is for nbval.

What holds the checkout and the network shut is the audit hook of touches.py, since permission bits don't hold root.
"""

import configparser
import json
import re
import sys
from collections import defaultdict
from types import SimpleNamespace

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from support.lessons import read_notebook
from support.project import ROOT, TESTS

from tools.build.lessons import LESSONS
from tools.build.predictions import open_answer
from tools.build.tags import tagged

GIGABYTE = 2**30
# Python keeps compiled modules and does without where it can't; torch makes a folder for compiled code when an optimizer
# is first used.
NOT_OURS = ("__pycache__", "torchinductor")

pytestmark = pytest.mark.notebooks
SETTINGS = configparser.RawConfigParser()
SETTINGS.read(TESTS / "nbval_sanitize.cfg", encoding="utf-8")
VERSION = re.compile(SETTINGS["versions"]["regex"])
VIEW = "application/vnd.jupyter.widget-view+json"

# matplotlib, when it is imported, makes folders for settings and fonts outside of the working folder: before the watch.
BEFORE = f"""
import sys
import matplotlib.pyplot as plt
plt.style.use("dark_background")

sys.path.insert(0, {str(TESTS)!r})
from support import touches
_seen = touches.watch(read_only={str(ROOT)!r}, offline=True)
"""
# Half of the time of lesson 04. What a training comes to depends on its seed alone, as tests/package/test_learning.py holds.
TRAIN_ONCE = """
import functools
from course_utils import learning
learning.train_retrieval = functools.cache(learning.train_retrieval)
"""
BETWEEN = """
import matplotlib.pyplot as plt
plt.style.use("default")
"""
# getrusage would count what the kernel's parent had in memory when it started it.
AFTER = """
import json, pathlib
status = pathlib.Path("/proc/self/status")
lines = status.read_text(encoding="utf-8").splitlines() if status.exists() else []
peak = [1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
print(json.dumps({"written": _seen.written, "connected": _seen.connected, "peak": peak}))
"""


@pytest.fixture(scope="module", params=LESSONS, ids=lambda lesson: lesson.stem)
def run(request, tmp_path_factory):
    """A lesson run twice: rounds, two lists of its code cells with their outputs; folder; and what AFTER tells."""
    folder = tmp_path_factory.mktemp("robust") / "课程 文件夹"
    folder.mkdir()
    code = [cell for cell in read_notebook(request.param).cells if cell.cell_type == "code"]
    rounds = [[new_code_cell(c.source, metadata=c.metadata) for c in code] for _ in range(2)]
    before, between, after = (new_code_cell(source) for source in (BEFORE + TRAIN_ONCE, BETWEEN, AFTER))
    NotebookClient(
        new_notebook(cells=[before, *rounds[0], between, *rounds[1], after]),
        kernel_name="python3",
        timeout=120,
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    assert not any(errors(cell) for cell in (before, between, after))
    return SimpleNamespace(stored=code, rounds=rounds, folder=folder, **json.loads(after.outputs[0].text))


def errors(cell):
    return [f"{out.ename}: {out.evalue}\n{cell.source}" for out in cell.outputs if out.output_type == "error"]


def pictures(cell):
    return [out.data["image/png"] for out in cell.outputs if "image/png" in out.get("data", {})]


def texts(cell):
    """What a cell put out but for pictures and live views: stream or kind -> text, without version numbers."""
    found = defaultdict(str)
    for out in cell.outputs:
        parts = {out.name: out.text} if out.output_type == "stream" else out.get("data", {})
        for kind in parts.keys() - {"image/png", VIEW}:
            found[kind] += VERSION.sub("", str(parts[kind]))
    return found


def test_no_cell_puts_out_an_error(run):
    assert [error for cells in run.rounds for cell in cells for error in errors(cell)] == []


def test_the_text_that_is_stored_is_what_comes_out_both_times(run):
    """As nbval would see, without a third run."""
    for cells in run.rounds:
        for stored, cell in zip(run.stored, cells, strict=True):
            if not tagged(cell, "nbval-ignore-output"):
                open_answer(stored)
                assert texts(cell) == texts(stored), cell.source


def test_nothing_is_written_and_nobody_called(run):
    assert [path for path in run.written if not any(name in path for name in NOT_OURS)] == []
    assert [path.name for path in run.folder.iterdir()] == []
    assert run.connected == []


def test_pictures_are_the_same_to_the_byte_whatever_the_style(run):
    dark, plain = run.rounds
    seen = 0
    for one, other in zip(dark, plain, strict=True):
        if not tagged(one, "nbval-ignore-output"):
            assert pictures(one) == pictures(other), one.source
            seen += len(pictures(one))
    assert seen


@pytest.mark.skipif(sys.platform != "linux", reason="read from /proc; the limit is Binder's, which is Linux")
def test_peak_memory_is_below_binders_limit(run):
    (peak,) = run.peak
    assert peak < GIGABYTE
