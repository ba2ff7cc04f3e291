"""Arrows between the rooms go down only, and importing them has no effect. The arrows stand in pyproject.toml."""

import os
import re
import shutil
import subprocess
import sys

import grimp
import pytest
from support.project import PACKAGE, ROOT, TESTS

# The mathematics: to import it brings no drawing.
CORE = (
    "attention",
    "attention_checks",
    "sentence",
    "example",
    "environment",
    "experiment",
    "saturation",
    "learning",
    "mistakes",
)
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"

# Arrows that each of the contracts must see; "new" is a file that isn't there.
WRONG_ARROWS = [
    ("rooms use", "course_utils.explorers.new", "course_utils.exercises"),
    ("rooms use", "course_utils.exercises.new", "course_utils.explorers"),
    ("rooms use", "course_utils.saturation", "course_utils.figures"),
    ("rooms use", "course_utils.sentence", "course_utils.attention"),
    ("the mathematics", "course_utils.example", "course_utils.style"),
    ("the mathematics", "course_utils.environment", "matplotlib"),
    ("the package", "course_utils.style", "tools.build.lessons"),
    ("the package", "tools.build.new", "support.project"),
    ("the package", "tools.build.new", "tools.dev.links"),
    ("the package", "support.new", "tools.dev.links"),
    ("what tests share", "tools.dev.new", "conftest"),
]


def lint(project):
    """What import-linter says of a folder like this one: its exit code, and contract -> what breaks it."""
    paths = os.pathsep.join([str(project), str(project / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", LINT],
        cwd=project,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        capture_output=True,
        encoding="utf-8",
    )
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    _, *parts = re.split(r"^(\S.+)\n-+\n", done.stdout.partition("Broken contracts")[2], flags=re.MULTILINE)
    return done.returncode, dict(zip(parts[::2], parts[1::2], strict=True))


def test_arrows_go_down_only():
    assert lint(ROOT) == (0, {})


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What import-linter says of a copy of the project with a room that has no place and every one of WRONG_ARROWS."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for room in (PACKAGE, ROOT / "tools", TESTS / "support"):
        for file in room.rglob("*.py"):
            (folder / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, folder / file.relative_to(ROOT))
    (folder / "course_utils/nowhere.py").touch()
    for _, importer, imported in WRONG_ARROWS:
        home = folder / "tests" if importer.startswith("support") else folder
        with (home / f"{importer.replace('.', '/')}.py").open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}\n")
    code, broken = lint(folder)
    assert code == 1
    return broken


@pytest.mark.parametrize(("contract", "importer", "imported"), WRONG_ARROWS)
def test_an_arrow_that_goes_up_is_seen(seen, contract, importer, imported):
    (said,) = [said for name, said in seen.items() if name.startswith(contract)]
    assert f"{importer} -> {imported} (l." in said


def test_a_room_without_a_place_is_seen(seen):
    (said,) = [said for name, said in seen.items() if name.startswith("rooms use")]
    assert "nowhere" in said


def test_attention_imports_torch_and_the_standard_library_only():
    graph = grimp.build_graph("course_utils", include_external_packages=True, cache_dir=None)
    used = graph.find_upstream_modules("course_utils.attention") - sys.stdlib_module_names
    outside = {name for name in used if not name.startswith("course_utils.attention")}
    assert outside == {"torch", "jaxtyping"}  # jaxtyping for type checkers only, as the last test sees


@pytest.mark.parametrize("line", ["import matplotlib.pyplot as plt", "from matplotlib import pyplot"])
def test_the_package_may_not_use_pyplot(line):
    """ruff says so for all of it; here it is seen to say so."""
    command = [
        "-m",
        "ruff",
        "check",
        "--output-format=concise",
        "--stdin-filename=course_utils/figures.py",
        "-",
    ]
    done = subprocess.run([sys.executable, *command], cwd=ROOT, input=line, capture_output=True, text=True)
    assert "TID251" in done.stdout


def test_importing_has_no_effect():
    """In a process of its own: the core brings no drawing, no type checker, and no import changes rcParams."""
    script = f"""
import importlib, pkgutil, sys
import torch
state, threads = torch.get_rng_state(), torch.get_num_threads()
for room in {CORE!r}:
    importlib.import_module("course_utils." + room)
unwanted = {{"matplotlib", "ipywidgets", "IPython", "jaxtyping", "beartype"}} & set(sys.modules)
assert not unwanted, unwanted

import matplotlib
def settings():  # read past rcParams itself, which would choose a backend and import pyplot
    return dict(dict.items(matplotlib.rcParams))
before = settings()
import course_utils
rooms = [found.name for found in pkgutil.walk_packages(course_utils.__path__, "course_utils.")]
for room in rooms:
    importlib.import_module(room)
assert settings() == before
assert "matplotlib.pyplot" not in sys.modules
assert torch.equal(torch.get_rng_state(), state) and torch.get_num_threads() == threads
assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()
print(*rooms)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert {f"course_utils.{room}" for room in CORE} <= set(done.stdout.split())
