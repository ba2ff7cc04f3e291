"""One line that tells a student whether this machine can run the course."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import InvalidVersion, Version

from course_utils import __version__

from .line import Line

COURSE = "self-attention-course"
FOLDER = Path(__file__).parents[1]


class NotReadyError(RuntimeError):
    """What this machine lacks. In a notebook it is shown as its one sentence and stops Run All."""

    def _render_traceback_(self) -> list[str]:
        # IPython asks for this first: a traceback would only hide the sentence.
        return [str(self)]


def check_environment(course: str = __version__) -> Line:
    """One Chinese line with the versions found.

    course: the version of this package that the lesson was written with.
    Raises NotReadyError with a Chinese sentence: what is missing or too old, and what to do;
    ValueError for a course that is no version.
    """
    try:
        wanted_course = Version(course)
    except (InvalidVersion, TypeError):
        raise ValueError(
            f"course 应当是课程的版本号，例如 {__version__!r}，现在是 {course!r:.60}。"
        ) from None
    found = [f"Python {platform.python_version()}"]
    faults, wanted = [], []
    for requirement in _requirements():
        package, bounds = requirement.name, _bounds(requirement)
        try:
            present = version(package)
        except PackageNotFoundError:
            faults.append(f"缺少 {package}（需要 {bounds}）")
        else:
            found.append(f"{package} {present}")
            # A pre-release, such as a torch built from source, counts as the release that it leads to.
            if requirement.specifier.contains(Version(present).base_version):
                continue
            faults.append(f"{package} {present} 不能用（需要 {bounds}）")
        wanted.append(f'"{package}{bounds}"')
    if faults:
        raise NotReadyError(
            f"✗ {'；'.join(faults)}。请运行 %pip install {' '.join(wanted)}，再重启内核；"
            "在课程的文件夹里，也可以关掉 JupyterLab，重新运行 make lab。"
        )
    if Version(__version__) < wanted_course:
        raise NotReadyError(
            f"✗ 装好的课程是 {__version__}，这份 notebook 需要 {course}。请运行 "
            "%pip uninstall -y self-attention-course，重启内核，再运行这个单元；"
            "在课程的文件夹里，请更新整个文件夹。"
        )
    return Line(f"✓ 环境就绪：{'，'.join(found)}")


def _requirements() -> list[Requirement]:
    """What the installed course asks for on this machine: pyproject.toml's dependencies, without the extras."""
    try:
        listed = requires(COURSE) or []
    except PackageNotFoundError:
        raise NotReadyError(
            f'✗ 这里有课程的文件夹，课程却没有装上，没法核对版本。请运行 %pip install -e "{FOLDER}"，再重启内核；'
            "也可以关掉 JupyterLab，在课程的文件夹里运行 make lab。"
        ) from None
    parsed = [Requirement(line) for line in listed]
    return [
        requirement
        for requirement in parsed
        # packaging is at work right here; students need not read of it.
        if requirement.name != "packaging"
        and (requirement.marker is None or requirement.marker.evaluate({"extra": ""}))
    ]


def _bounds(requirement: Requirement) -> str:
    """Such as ">=7.7.1,!=8.1.9": the lower bound first."""
    return ",".join(sorted(map(str, requirement.specifier), reverse=True))
