"""GitHub's workflow is well-formed and names only what is there; it can't run here."""

import importlib.util
import re
import shlex
import subprocess
import sys

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from support.packages import PROJECT
from support.project import ROOT

PATH = ROOT / ".github" / "workflows" / "test.yml"
TEXT = PATH.read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load(TEXT)
TRIGGERS = WORKFLOW[True]  # YAML 1.1 reads the key `on` as true
JOBS = WORKFLOW["jobs"]
SYSTEMS = ["ubuntu-latest", "macos-latest", "windows-latest"]


def commands(job):
    """The commands of a job, each as a list of words, but for the shell's expansion of TORCH_INDEX."""
    lines = [step["run"] for step in JOBS[job]["steps"] if "run" in step]
    return [shlex.split(re.sub(r"\$\{TORCH_INDEX:.*?\}", "", line)) for line in lines]


def test_schema():
    """GitHub's own schema, in the copy that check-jsonschema brings along."""
    command = ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(PATH)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_admitted_python_on_every_system():
    admitted = SpecifierSet(PROJECT["project"]["requires-python"])
    minors = [f"3.{minor}" for minor in range(20) if f"3.{minor}.5" in admitted]
    matrix = JOBS["systems"]["strategy"]["matrix"]
    assert matrix == {"os": SYSTEMS, "python": minors}
    used = {
        job: step["with"]["python-version"]
        for job, described in JOBS.items()
        for step in described["steps"]
        if "python" in step.get("uses", "")
    }
    assert used == {
        "everything": "3.12",
        "systems": "${{ matrix.python }}",
        "oldest": minors[0],
        "newest": minors[-1],
    }
    assert "3.12" in minors


def test_runs_weekly_with_the_newest_versions():
    (weekly,) = TRIGGERS["schedule"]
    minute, hour, day, month, weekday = weekly["cron"].split()
    assert minute.isdigit() and hour.isdigit() and (day, month) == ("*", "*") and weekday.isdigit()
    assert "github.event_name == 'schedule'" in JOBS["newest"]["if"]
    assert all(JOBS[job]["if"] == "github.event_name != 'schedule'" for job in JOBS.keys() - {"newest"})
    words = [word for command in commands("newest") for word in command]
    assert "--constraint" not in words


def test_rights_and_actions():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert not [job for job in JOBS if "permissions" in JOBS[job]]
    used = {step["uses"] for job in JOBS.values() for step in job["steps"] if "uses" in step}
    assert used and all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in used)
    # The address of torch's small build comes from a variable of the repository.
    assert "http" not in TEXT
    assert WORKFLOW["env"]["TORCH_INDEX"] == "${{ vars.TORCH_INDEX }}"


@pytest.mark.parametrize("job", JOBS)
def test_each_command_names_what_is_there(job):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE)
    # What `make test` itself uses is known to work; --ignore is the one option more.
    options = {*re.findall(r"--?[A-Za-z][a-z-]*", makefile), "--ignore"}
    extras = PROJECT["project"]["optional-dependencies"]
    for program, *words in commands(job):
        if program == "make":
            assert set(words) <= set(targets)
            continue
        assert program == "python" and words[0] == "-m" and importlib.util.find_spec(words[1])
        for word in words[2:]:
            if word.startswith("-"):
                assert word in options
            if "/" in word or word.endswith(".txt") or word in ("tests", "notebooks"):
                assert (ROOT / word).exists(), word
            if asked := re.fullmatch(r"\.\[(.+)\]", word):
                assert set(asked[1].split(",")) <= extras.keys()


def test_the_lessons_run_in_each_job():
    for job in JOBS.keys() - {"everything"}:
        assert any("--nbval" in command and command[-1] == "notebooks" for command in commands(job)), job
    assert commands("everything") == [["make", "test"]]
