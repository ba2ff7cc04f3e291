"""One line that tells a student whether this machine can run the course."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

# The lower bounds of pyproject.toml; a test holds the two together.
REQUIRED = {
    "torch": (2, 11),
    "numpy": (2, 1, 3),
    "matplotlib": (3, 10, 0),
    "ipywidgets": (7, 7, 1),
    "anywidget": (0, 9, 21),
    "jupyterquiz": (2, 9, 6, 4),
}


def check_environment() -> str:
    """One Chinese line: the versions found, or what is missing or too old and what to do."""
    found = [f"Python {platform.python_version()}"]
    faults = []
    for package, minimum in REQUIRED.items():
        needed = ".".join(map(str, minimum))
        try:
            present = version(package)
        except PackageNotFoundError:
            faults.append(f"缺少 {package}（需要 {needed} 或更新）")
            continue
        found.append(f"{package} {present}")
        if _numbers(present) < minimum:
            faults.append(f"{package} {present} 太旧（需要 {needed} 或更新）")
    if faults:
        return f'✗ {"；".join(faults)}。请在课程的文件夹里运行 make lab，或者 pip install -e ".[lab]"。'
    return f"✓ 环境就绪：{'，'.join(found)}"


def _numbers(text: str) -> tuple[int, ...]:
    release = text.split("+")[0].split(".")
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in release)
