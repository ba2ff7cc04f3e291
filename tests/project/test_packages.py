"""pyproject.toml, environment.yml and constraints.txt speak of the same packages."""

import re
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.packages import CONDA, PROJECT, requirements
from support.project import ROOT

# conda-forge calls the build without CUDA pytorch-cpu, and matplotlib without a Qt window matplotlib-base.
CONDA_NAMES = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base"}


def conda_requirements():
    """The conda packages of environment.yml: name -> version specifiers, python and pip aside."""
    parsed = [Requirement(line) for line in CONDA["dependencies"] if isinstance(line, str) and ">" in line]
    return {requirement.name: requirement.specifier for requirement in parsed}


def pins():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    parsed = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in parsed}


def pinned_version(name):
    (specifier,) = pins()[name]
    assert specifier.operator == "=="
    return specifier.version


def test_conda_names_the_packages_of_pyproject_with_the_same_bounds():
    expected = {CONDA_NAMES.get(name, name): bounds for name, bounds in requirements("lab").items()}
    assert conda_requirements() == expected


def test_every_place_that_names_the_range_of_pythons_names_this_one():
    """One short of the upper bound is the newest Python that is admitted."""
    lowest, bound = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["project"]["requires-python"]).groups()
    newest = int(bound) - 1
    said = {
        "README.md": f"Python 3.{lowest} 到 3.{newest}",
        "README.en.md": f"Python 3.{lowest} to 3.{newest}",
        "Makefile": f"(3, {lowest}) <= sys.version_info[:2] < (3, {bound})",
    }
    for name, words in said.items():
        assert words in (ROOT / name).read_text(encoding="utf-8"), name


def test_each_direct_dependency_is_pinned_within_its_bounds():
    for name, bounds in requirements("lab", "test").items():
        assert pinned_version(name) in bounds, name


def test_every_file_of_the_package_is_installed():
    setuptools = PROJECT["tool"]["setuptools"]
    package = ROOT / "course_utils"
    files = {path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    modules = {path for path in files if path.suffix == ".py"}
    data = {path for pattern in setuptools["package-data"]["course_utils"] for path in package.glob(pattern)}
    node_only = {package / "explorers" / "package.json"}  # lets the tests load the views' modules in node
    assert not files - modules - data - node_only
    # A folder without it isn't found as a package.
    assert {module.parent / "__init__.py" for module in modules} <= files


def test_vs_code_finds_the_scripts_of_the_views_without_a_network():
    """Its Jupyter extension takes what no CDN gave from this folder of the kernel's environment."""
    scripts = Path(sys.prefix, "share", "jupyter", "nbextensions", "anywidget")
    assert {"extension.js", "index.js"} <= {path.name for path in scripts.glob("*")}
