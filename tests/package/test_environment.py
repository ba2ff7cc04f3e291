"""The one-line check of a student's machine."""

import platform
import re
import sys
from importlib.metadata import PackageNotFoundError

import pytest
from packaging.specifiers import SpecifierSet
from support.packages import PROJECT, requirements
from support.project import ROOT

from course_utils import environment
from course_utils.environment import COURSE, NotReadyError, check_environment

# What the metadata of a course might say: bounds in any order, an extra, other systems.
METADATA = [
    "torch>=2.11",
    "numpy>=2.1.3",
    "ipywidgets!=8.1.9,>=7.7.1",
    "anywidget>=0.9.21",
    "capped<2.10,>=2.9.6.4",
    "packaging>=24.1",
    'jupyterlab>=4.4; extra == "lab"',
    'windowed>=1; sys_platform == "no system" and extra == "test"',
    'elsewhere>=1; sys_platform == "no system"',
    f'here>=3; sys_platform == "{sys.platform}"',
]
ENOUGH = {
    "torch": "2.13.0+cpu",
    "numpy": "2.1.3",
    "ipywidgets": "8.1.8",
    "anywidget": "0.11.0",
    "capped": "2.9.6.4",
    "here": "3.1",
}


@pytest.fixture
def install(monkeypatch):
    """install(torch="2.9", numpy=None): a course and what it needs, but for these (None is missing)."""

    def pretend(**changes):
        versions = ENOUGH | changes

        def version(package):
            if versions[package] is None:
                raise PackageNotFoundError(package)
            return versions[package]

        monkeypatch.setattr(environment, "requires", {COURSE: METADATA}.__getitem__)
        monkeypatch.setattr(environment, "version", version)

    return pretend


def test_the_course_is_known_by_the_name_in_pyproject():
    assert PROJECT["project"]["name"] == COURSE


def test_what_is_asked_for_is_what_pyproject_says(monkeypatch):
    """Of packaging, which does the asking, a student needn't read."""

    def version(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(environment, "version", version)
    asked = re.findall(r"缺少 ([\w-]+)（需要 (.+?)）", fault())
    expected = requirements()
    del expected["packaging"]
    assert {name: SpecifierSet(bounds) for name, bounds in asked} == expected


def test_this_machine_is_ready():
    line = check_environment()
    assert line.startswith("✓ 环境就绪：")
    assert f"Python {platform.python_version()}" in line
    assert all(f"{package} " in line for package in requirements().keys() - {"packaging"})


def test_versions_found_are_listed_on_one_line(install):
    """In the order of the metadata; what only an extra or another system needs isn't asked for."""
    install()
    line = check_environment()
    versions = "，".join(f"{package} {version}" for package, version in ENOUGH.items())
    assert line == f"✓ 环境就绪：Python {platform.python_version()}，{versions}"
    assert repr(line) == line


def fault(**arguments):
    """The sentence that a student gets on a machine that isn't ready."""
    with pytest.raises(NotReadyError) as caught:
        check_environment(**arguments)
    return str(caught.value)


def test_missing_package_is_named_with_what_to_do(install):
    install(anywidget=None)
    sentence = fault()
    assert sentence.startswith("✗ 缺少 anywidget（需要 >=0.9.21）。")
    assert '%pip install "anywidget>=0.9.21"，再重启内核' in sentence
    assert "make lab" in sentence


@pytest.mark.parametrize(
    ("package", "old", "needed"),
    [
        ("torch", "2.9.1+cu128", ">=2.11"),
        ("numpy", "1.26.4", ">=2.1.3"),
        ("numpy", "2.1", ">=2.1.3"),
        ("numpy", "2.1.2+local9", ">=2.1.3"),
        ("here", "2.9", ">=3"),
        ("anywidget", "0.9.9", ">=0.9.21"),
        ("ipywidgets", "8.1.9", ">=7.7.1,!=8.1.9"),
        ("capped", "2.10.1", ">=2.9.6.4,<2.10"),
    ],
)
def test_version_that_does_not_do_is_named_with_what_does(install, package, old, needed):
    install(**{package: old})
    sentence = fault()
    assert sentence.startswith(f"✗ {package} {old} 不能用（需要 {needed}）。")
    assert f'%pip install "{package}{needed}"，' in sentence


@pytest.mark.parametrize("version", ["2.11", "2.11.0", "2.11.0rc1", "2.11.0a0+git1234", "2.100", "3"])
def test_version_that_is_new_enough(install, version):
    install(torch=version)
    assert check_environment().startswith("✓")


def test_every_fault_is_told_at_once(install):
    install(torch=None, numpy="1.26.4")
    sentence = fault()
    assert sentence.startswith("✗ 缺少 torch（需要 >=2.11）；numpy 1.26.4 不能用（需要 >=2.1.3）。")
    assert '"torch>=2.11" "numpy>=2.1.3"' in sentence


def test_lesson_newer_than_the_installed_course(install, monkeypatch):
    install()
    monkeypatch.setattr(environment, "__version__", "0.9.3")
    assert check_environment(course="0.9.3").startswith("✓")
    assert check_environment(course="0.9").startswith("✓")
    assert "装好的课程是 0.9.3，这份 notebook 需要 0.10。" in fault(course="0.10")


def test_a_folder_that_was_never_installed(monkeypatch):
    """Nothing is said about versions, since nothing is known of what is needed."""

    def unknown(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(environment, "requires", unknown)
    sentence = fault()
    assert sentence.startswith("✗ 这里有课程的文件夹，课程却没有装上")
    assert f'%pip install -e "{ROOT}"，再重启内核' in sentence
    assert "make lab" in sentence


def test_a_notebook_shows_the_sentence_and_no_traceback():
    assert NotReadyError("✗ 缺少 torch")._render_traceback_() == ["✗ 缺少 torch"]
