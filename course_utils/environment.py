"""One line that tells a student whether this machine can run the course."""

from __future__ import annotations

import operator
import platform
import re
from importlib.metadata import PackageNotFoundError, version

from course_utils import __version__

# The dependencies of pyproject.toml; a test holds the two together. ipywidgets 8.1.9 is reported blank in VS Code.
REQUIRED = {
    "torch": ">=2.11",
    "numpy": ">=2.1.3",
    "matplotlib": ">=3.10.0",
    "ipywidgets": ">=7.7.1,!=8.1.9",
    "anywidget": ">=0.9.21",
    "jupyterquiz": ">=2.9.6.4,<2.10",
}


class Line(str):
    """A text that a notebook shows without quotation marks."""

    __repr__ = str.__str__


class NotReadyError(RuntimeError):
    """What this machine lacks. In a notebook it is shown as its one sentence and stops Run All."""

    def _render_traceback_(self) -> list[str]:
        # IPython asks for this first: a traceback would only hide the sentence.
        return [str(self)]


def check_environment(course: str = __version__) -> Line:
    """One Chinese line with the versions found.

    course: the version of this package that the lesson was written with.
    Raises NotReadyError with a Chinese sentence: what is missing or too old, and what to do.
    """
    found = [f"Python {platform.python_version()}"]
    faults, wanted = [], []
    for package, bounds in REQUIRED.items():
        try:
            present = version(package)
        except PackageNotFoundError:
            faults.append(f"缺少 {package}（需要 {bounds}）")
        else:
            found.append(f"{package} {present}")
            if _within(present, bounds):
                continue
            faults.append(f"{package} {present} 不能用（需要 {bounds}）")
        wanted.append(f'"{package}{bounds}"')
    if faults:
        raise NotReadyError(
            f"✗ {'；'.join(faults)}。请运行 %pip install {' '.join(wanted)}，再重启内核；"
            "在课程的文件夹里，也可以关掉 JupyterLab，重新运行 make lab。"
        )
    if _numbers(__version__) < _numbers(course):
        raise NotReadyError(
            f"✗ 装好的课程是 {__version__}，这份 notebook 需要 {course}。请运行 "
            "%pip uninstall -y self-attention-course，重启内核，再运行这个单元；"
            "在课程的文件夹里，请更新整个文件夹。"
        )
    return Line(f"✓ 环境就绪：{'，'.join(found)}")


def _within(present: str, bounds: str) -> bool:
    """Whether a version keeps bounds such as ">=7.7.1,!=8.1.9", by its numbers alone."""
    keeps = {">=": operator.ge, "!=": operator.ne, "<": operator.lt}
    pairs = (re.fullmatch(r"([<>=!]+)(.+)", bound).groups() for bound in bounds.split(","))
    return all(keeps[sign](_numbers(present), _numbers(bound)) for sign, bound in pairs)


def _numbers(text: str) -> tuple[int, ...]:
    release = text.split("+")[0].split(".")
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in release)
