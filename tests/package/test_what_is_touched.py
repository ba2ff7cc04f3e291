"""What the course's own code touches when it is imported and used, and what its text may not hold.

One process imports every module and draws, checks, quizzes and shows, with the package in a folder with a Chinese name
and a space. torch, matplotlib and what else the course stands on are imported before the watch begins: what they do
when they start (matplotlib makes its list of fonts, for one) is theirs. While the course runs, nothing is exempt.
"""

import ast
import json
import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from IPython.core.inputtransformer2 import TransformerManager
from support.imports import imported_modules
from support.lessons import each_lesson, read_notebook
from support.project import PACKAGE, TESTS

from tools.build.tags import tagged

USE = f"""
import importlib, json, pkgutil, sys, warnings
import anywidget, ipywidgets, IPython, matplotlib.figure, matplotlib.style, numpy, PIL.Image, torch

sys.path.append({str(TESTS)!r})
from support import touches
warned = []
warnings.showwarning = lambda message, category, *where: warned.append(f"{{category.__name__}} {{where[0]}}")
warnings.filterwarnings("always", category=EncodingWarning)
seen = touches.watch(package="course_utils", offline=True)

import course_utils
for module in pkgutil.walk_packages(course_utils.__path__, "course_utils."):
    importlib.import_module(module.name)
from course_utils import explorers, figures
from course_utils.example import running_trace
from course_utils.exercises import check, hint, progress, quiz
figures.flow(running_trace())._repr_png_()
check("3.2", lambda S: torch.softmax(S, dim=-1))
check("3.2", lambda S: S)
hint("3.2"), progress(), quiz("03")
for name in explorers.__all__:
    getattr(explorers, name)().twin()._repr_png_()
print(json.dumps({{"file": course_utils.__file__, "warned": warned, **vars(seen)}}))
"""


@pytest.fixture(scope="module")
def use(tmp_path_factory):
    """What USE told: file, where course_utils was found; warned, encoding warnings; and the fields of Touches."""
    package = tmp_path_factory.mktemp("robust") / "课程 文件夹"
    working = package / "我的 作业"
    shutil.copytree(PACKAGE, package / "course_utils", ignore=shutil.ignore_patterns("__pycache__"))
    working.mkdir()
    done = subprocess.run(
        [sys.executable, "-B", "-X", "warn_default_encoding", "-c", USE],
        cwd=working,
        env={**os.environ, "PYTHONPATH": str(package), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    return SimpleNamespace(package=package.resolve(), working=working.resolve(), **told)


def below(folders, path):
    return any(Path(path).is_relative_to(folder) for folder in folders)


def test_runs_from_a_folder_with_a_chinese_name_and_a_space(use):
    assert Path(use.file).resolve() == use.package / "course_utils" / "__init__.py"


def test_writes_the_progress_file_only(use):
    own = re.compile(r"\.course_progress\.json(\.\d+)?")
    assert [path for path in use.written if Path(path).parent != use.working] == []
    assert [path for path in use.written if not own.fullmatch(Path(path).name)] == []
    assert [path.name for path in use.working.iterdir()] == [".course_progress.json"]


def test_reads_itself_its_packages_and_the_progress_file_only(use):
    libraries = [sys.prefix, sys.base_prefix, *site.getsitepackages(), site.getusersitepackages()]
    folders = [use.package / "course_utils", *map(os.path.realpath, libraries)]
    elsewhere = {path for path in use.read if not below(folders, path)}
    assert elsewhere == {str(use.working / ".course_progress.json")}


def test_calls_nobody_starts_nothing_and_makes_no_code_from_text(use):
    assert (use.connected, use.started, use.evaluated) == ([], [], [])


def test_names_the_encoding_of_every_file(use):
    assert [warning for warning in use.warned if str(use.package) in warning] == []


# The watch itself must see what it is there for.

TRIALS = {
    "open('new', 'w')": "written",
    "open('new', 'ab')": "written",
    "os.open('new', os.O_RDWR | os.O_CREAT)": "written",
    "pathlib.Path('new').touch()": "written",
    "os.mkdir('folder')": "written",
    "os.replace('old', 'new')": "written",
    "os.remove('old')": "written",
    "open('old').read()": "read",
    "socket.create_connection(('192.0.2.1', 9))": "connected",
    "socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 9))": "connected",
    "urllib.request.urlopen('https://course.invalid')": "connected",
    "subprocess.run([sys.executable, '--version'])": "started",
    "os.system('exit')": "started",
    "eval('1 + 1')": "evaluated",
    "exec('pass')": "evaluated",
    "compile('1', 'text', 'eval')": "evaluated",
}


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """Trial -> the fields of Touches that it filled, from one process in which all were tried."""
    folder = tmp_path_factory.mktemp("watch")
    (folder / "old").write_text("", encoding="utf-8")
    trials = "\n".join(f"def trial_{k}():\n    {trial}" for k, trial in enumerate(TRIALS))
    (folder / "course_trials.py").write_text(
        f"import os, pathlib, socket, subprocess, sys, urllib.request\n{trials}\n", encoding="utf-8"
    )
    script = f"""
import json, sys, urllib.request
sys.path[:0] = [{str(folder)!r}, {str(TESTS)!r}]
import course_trials
from support import touches
seen = touches.watch(package="course_trials", read_only={str(folder)!r}, offline=True)
filled = []
for k in range({len(TRIALS)}):
    for field in vars(seen).values():
        field.clear()
    try:
        getattr(course_trials, f"trial_{{k}}")()
    except OSError:
        pass
    filled.append([name for name, field in vars(seen).items() if field])
print(json.dumps(filled))
"""
    done = subprocess.run(
        [sys.executable, "-B", "-c", script], cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["course_trials.py", "old"]
    return dict(zip(TRIALS, json.loads(done.stdout.splitlines()[-1]), strict=True))


@pytest.mark.parametrize(("trial", "field"), TRIALS.items())
def test_the_watch_sees(tried, trial, field):
    assert field in tried[trial]


# The text of the package and of the lessons.

FORBIDDEN_CALLS = re.compile(
    r"eval|exec|compile|__import__|get_ipython|torch\.(hub|load)\b.*"
    r"|os\.(system|popen|startfile|posix_spawn|fork|exec|spawn)\w*"
)
FORBIDDEN_MODULES = re.compile(
    r"(subprocess|pty|multiprocessing|socket|ssl|urllib|http|ftplib|smtplib|requests|httpx|aiohttp|webbrowser|pickle"
    r"|torch\.hub|os\.(system|popen|startfile|posix_spawn|fork|exec|spawn)\w*)(\..*)?"
)


def forbidden(code):
    """What the code holds of eval, exec, other processes, the network and addresses."""
    tree = ast.parse(code)
    named = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))]
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return (
        [name for name in named if FORBIDDEN_CALLS.fullmatch(name)]
        + [name for name in imported_modules(code, "course_utils") if FORBIDDEN_MODULES.fullmatch(name)]
        + [text for text in texts if isinstance(text, str) and re.search("https?://", text)]
    )


def cell_code(source):
    """A cell as Python, in which !command and %magic are calls of get_ipython()."""
    return TransformerManager().transform_cell(source)


@pytest.mark.parametrize(
    "cell",
    [
        "eval('1')",
        "exec('1')",
        "run = exec",
        "compile('1', '', 'eval')",
        "__import__('os')",
        "import os\nos.system('ls')",
        "import os\nos.execv('ls', [])",
        "from os import system",
        "import subprocess",
        "from subprocess import run as go",
        "import urllib.request as web",
        "from http.client import HTTPConnection",
        "import requests",
        "import torch\ntorch.hub.load('a', 'b')",
        "page = 'https://example.org'",
        "!ls",
        "files = !ls",
        "%pip install torch",
        "%%bash\nls",
        "def f():\n    import socket",
    ],
)
def test_forbidden_code_is_found(cell):
    assert forbidden(cell_code(cell))


@pytest.mark.parametrize(
    "cell", ["import re\nre.compile('a')", "import os\nos.getpid()", "x @ W_Q", "model.eval()"]
)
def test_other_code_is_let_through(cell):
    assert forbidden(cell_code(cell)) == []


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_no_forbidden_code_in_the_package(path):
    assert forbidden(path.read_text(encoding="utf-8")) == []


@each_lesson
def test_no_forbidden_code_in_the_lessons(lesson):
    cells = [cell for cell in read_notebook(lesson).cells if cell.cell_type == "code"]
    # The set-up cell is the one that may install the course.
    others = [cell.source for cell in cells if not tagged(cell, "setup")]
    assert len(cells) - len(others) == 1
    assert [found for source in others for found in forbidden(cell_code(source))] == []
