"""Arrows between the rooms of the package go down only, and importing them has no effect."""

import subprocess
import sys

import pytest
from support.imports import imported_modules
from support.project import PACKAGE

FILES = sorted(PACKAGE.rglob("*.py"))

# From top to bottom: a room may use the rooms after it and no others.
ROOMS = (
    "exercises",
    "explorers",
    "figures",
    "saturation_figures",
    "plane_axes",
    "cells",
    "saturation",
    "example",
    "attention",
    "attention_checks",
    "sentence",
    "style",
    "progress",
    "interruption",
    "environment",
    "mistakes",
)
# The mathematics: no drawing in it.
CORE = ("attention", "attention_checks", "sentence", "example", "environment")


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path):
    package = ".".join(path.relative_to(PACKAGE.parent).parent.parts)
    return set(imported_modules(path.read_text(encoding="utf-8"), package))


def rooms_used(names):
    return {name.split(".")[1] for name in names if name.startswith("course_utils.")} & set(ROOMS)


def test_imports_are_found_however_they_are_written():
    source = """
import torch, matplotlib.pyplot as plt
from . import attention
from .sentence import read
from .. import figures
from course_utils.style import lecture
def late():
    from course_utils import example
"""
    assert rooms_used(imported_modules(source, "course_utils")) == {
        "attention",
        "sentence",
        "style",
        "example",
    }
    assert "figures" in rooms_used(imported_modules(source, "course_utils.explorers"))
    assert {"torch", "matplotlib.pyplot"} <= set(imported_modules(source, "course_utils"))


def test_every_room_is_on_the_map():
    assert {room_of(path) for path in FILES} - {"__init__"} <= set(ROOMS), (
        "give the new room its place in ROOMS"
    )
    assert set(CORE) <= {room_of(path) for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_arrows_go_down_only(path):
    room = room_of(path)
    below = set(ROOMS) if room == "__init__" else set(ROOMS[ROOMS.index(room) + 1 :]) | {room}
    assert rooms_used(imports(path)) <= below


def test_attention_imports_torch_and_its_own_checks_only():
    modules = [PACKAGE / "attention.py", PACKAGE / "attention_checks.py"]
    used = {name for module in modules for name in imports(module)}
    outside = {name.split(".")[0] for name in used} - sys.stdlib_module_names
    # jaxtyping for type checkers only, as the test of importing sees
    assert outside == {"torch", "jaxtyping", "course_utils"}
    assert rooms_used(used) == {"attention_checks"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_room_imports_pyplot(path):
    assert not any(name.startswith("matplotlib.pyplot") for name in imports(path))


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
