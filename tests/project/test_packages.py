"""pyproject.toml, environment.yml and constraints.txt speak of the same packages."""

import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
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


def test_conda_takes_everything_from_conda_forge_and_the_course_from_here():
    assert CONDA["name"] == "self-attention"
    assert CONDA["channels"] == ["conda-forge"]
    others = [line for line in CONDA["dependencies"] if isinstance(line, dict) or ">" not in line]
    assert others == ["python=3.12", "pip", {"pip": ["-e ."]}]


def test_python_range():
    allowed = SpecifierSet(PROJECT["project"]["requires-python"])
    minors = [minor for minor in range(20) if f"3.{minor}.5" in allowed]
    assert minors == [10, 11, 12, 13]
    assert "3.12.0" in allowed  # what environment.yml asks for


def test_each_direct_dependency_is_pinned_within_its_bounds():
    for name, bounds in requirements("lab", "test").items():
        assert pinned_version(name) in bounds, name


def test_the_two_pins_that_were_chosen():
    assert pinned_version("torch") == "2.13.0"
    assert pinned_version("ipywidgets") == "8.1.8"


def test_bounds_admit_what_colab_ships():
    colab = {
        "torch": "2.11.0",
        "numpy": "2.1.3",
        "matplotlib": "3.10.0",
        "ipywidgets": "7.7.1",
        "anywidget": "0.9.21",
        "packaging": "26.0",
    }
    bounds = requirements()
    assert bounds.keys() == colab.keys()
    assert all(version in bounds[name] for name, version in colab.items())
    assert "8.1.9" not in bounds["ipywidgets"]


def test_every_file_of_the_package_is_installed():
    setuptools = PROJECT["tool"]["setuptools"]
    assert setuptools["packages"]["find"]["include"] == ["course_utils*"]
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
