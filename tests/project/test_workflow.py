"""GitHub's workflow is well-formed and names only what is there; it can't run here, but for the lines that install."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from support.packages import PROJECT
from support.project import ROOT

GITHUB = ROOT / ".github"
WORKFLOW = yaml.safe_load((GITHUB / "workflows/test.yml").read_text(encoding="utf-8"))
INSTALL = yaml.safe_load((GITHUB / "actions/install/action.yml").read_text(encoding="utf-8"))
JOBS = WORKFLOW["jobs"]
OURS = "./.github/actions/install"
STEPS = [step for job in JOBS.values() for step in job["steps"]] + INSTALL["runs"]["steps"]


def commands(job):
    return [shlex.split(step["run"]) for step in JOBS[job]["steps"] if "run" in step]


def install_inputs(job):
    return next(step["with"] for step in JOBS[job]["steps"] if step.get("uses") == OURS)


@pytest.mark.parametrize(
    ("kind", "file"), [("workflows", "workflows/test.yml"), ("actions", "actions/install/action.yml")]
)
def test_schema(kind, file):
    """GitHub's own schemas, in the copy that check-jsonschema brings along."""
    command = ["-m", "check_jsonschema", "--builtin-schema", f"vendor.github-{kind}", str(GITHUB / file)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_admitted_python_is_tried_and_the_versions_at_both_ends():
    admitted = SpecifierSet(PROJECT["project"]["requires-python"])
    minors = [f"3.{minor}" for minor in range(20) if f"3.{minor}.5" in admitted]
    assert JOBS["systems"]["strategy"]["matrix"]["python"] == minors
    assert install_inputs("oldest")["python"] == minors[0]
    assert install_inputs("newest")["python"] == minors[-1]


def test_rights_and_actions():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert not [job for job in JOBS if "permissions" in JOBS[job]]
    used = {step["uses"] for step in STEPS if "uses" in step}
    assert [action for action in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", action)] == [OURS]
    # The address of torch's small build comes from a variable of the repository.
    assert not [file for file in GITHUB.rglob("*.yml") if "http" in file.read_text(encoding="utf-8")]


@pytest.mark.parametrize("job", JOBS)
def test_each_command_names_what_is_there(job):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE)
    # What `make test` and `make check` themselves use is known to work.
    options = set(re.findall(r"--?[A-Za-z][a-z-]*", makefile))
    for program, *words in commands(job):
        if program == "make":
            assert set(words) <= set(targets)
            continue
        assert program == "python" and words[0] == "-m" and importlib.util.find_spec(words[1])
        for word in words[2:]:
            if word.startswith("-"):
                assert word in options
            if "/" in word or word in ("tests", "notebooks"):
                assert (ROOT / word).exists(), word


def test_what_the_systems_leave_out_is_a_registered_marker():
    registered = {line.split(":")[0] for line in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
    chosen = [command[command.index("-m", 2) + 1] for command in commands("systems") if "-m" in command[2:]]
    assert chosen and set(re.findall(r"[a-z]+", " ".join(chosen))) - {"not", "or"} <= registered


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Python is a shell script")
@pytest.mark.parametrize("job", [job for job in JOBS if job != "everything"])
@pytest.mark.parametrize("index", ["", "index.invalid/cpu"])
def test_what_a_job_installs(job, index, tmp_path):
    """The lines of the action, with a Python that says what it is asked for."""
    stand_in = tmp_path / "python"
    stand_in.write_text('#!/bin/sh\nfor word; do printf "%s " "$word"; done; echo\n', encoding="utf-8")
    stand_in.chmod(0o755)
    (step,) = [step for step in INSTALL["runs"]["steps"] if "run" in step]
    inputs = {name: described.get("default", "") for name, described in INSTALL["inputs"].items()}
    inputs |= install_inputs(job)
    given = {name: inputs[value[len("${{ inputs.") : -len(" }}")]] for name, value in step["env"].items()}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=ROOT,
        env={**os.environ, **given, "TORCH_INDEX": index, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    torch, course = (line.split() for line in done.stdout.splitlines())
    file = inputs["constraints"]
    pinned = ["--constraint", file] if file else []
    assert bool(file) == (job != "newest") and (ROOT / file).exists()
    small = ["--no-deps", "--index-url", index] if index else []
    assert torch == ["-m", "pip", "install", *pinned, *small, "torch"]
    assert course[: 4 + len(pinned)] == ["-m", "pip", "install", *pinned, "--editable"]
    (asked,) = re.findall(r"^\.(?:\[(.+)\])?$", course[4 + len(pinned)])
    assert set(filter(None, asked.split(","))) <= PROJECT["project"]["optional-dependencies"].keys()


def test_the_lessons_run_in_each_job():
    for job in JOBS.keys() - {"everything"}:
        assert any("--nbval" in command and command[-1] == "notebooks" for command in commands(job)), job
    assert commands("everything") == [["make", "test"]]
