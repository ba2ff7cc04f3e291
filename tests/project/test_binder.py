"""Binder's own program reads the checkout as the course means it; without Docker it stops before building."""

import shutil
import subprocess
import sys

import pytest
from support.packages import CONDA
from support.project import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="repo2docker doesn't run on Windows")


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """What repo2docker says, and the Dockerfile it would build, for the files that git doesn't ignore."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    checkout = tmp_path_factory.mktemp("binder") / "course"
    shutil.copytree(
        ROOT, checkout, ignore=shutil.ignore_patterns(".git", *(name.rstrip("/") for name in ignored))
    )
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stderr, done.stdout


def test_a_conda_environment_with_python_3_12(plan):
    said, dockerfile = plan
    assert "Building conda environment for python=3.12" in said
    assert '${MAMBA_EXE} env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"' in dockerfile


def test_the_course_is_there_before_it_is_installed(plan):
    """`-e .` in environment.yml needs the checkout, which repo2docker stages late unless it sees such a line."""
    dockerfile = plan[1]
    assert 0 < dockerfile.find(" src/ ${REPO_DIR}/") < dockerfile.find("env update")


def test_jupyterlab_gets_the_settings_of_the_course(plan):
    assert (ROOT / "postBuild").stat().st_mode & 0o111
    assert "./postBuild" in plan[1]


def test_the_image_holds_no_test_tools_and_no_cuda(plan):
    wanted = " ".join(str(line) for line in CONDA["dependencies"])
    for text in (wanted, plan[1]):
        assert not [word for word in ("cuda", "nvidia", "pytest", "[test]", "[lab") if word in text.lower()]
    assert "pytorch-cpu" in wanted
