"""Where in the student's own code an error arose, and what it says."""

from __future__ import annotations

import linecache
import re
import sysconfig
import traceback
from pathlib import Path
from types import CodeType

# Code from these places isn't the student's.
PACKAGE = Path(__file__).parents[2]
LIBRARY = Path(sysconfig.get_path("stdlib"))


def stumbled_over_a_gap(error: BaseException) -> bool:
    # As a type: torch speaks of an ellipsis in other errors too ("no ellipsis was given").
    about = re.search(r"'ellipsis'|\bellipsis object|\b(?:not|of) ellipsis\b", str(error))
    return bool(about) and any(... in code.co_consts for code, _ in own_lines(error))


def in_words(error: BaseException) -> str:
    """The first line of an error: torch's go on with what helps nobody here."""
    return f"{type(error).__name__}: {error}".split("\n")[0][:300].rstrip(".")


def where(error: BaseException) -> str:
    line = next((line for _, line in reversed(own_lines(error)) if line), "")
    return f"出错的一行是「{line}」：" if line else "出错的原因是 "


def own_lines(error: BaseException) -> list[tuple[CodeType, str]]:
    """The student's own code on the way to an error, outermost first, each with the line that was running."""
    found = []
    for frame, number in traceback.walk_tb(error.__traceback__):
        code, path = frame.f_code, Path(frame.f_code.co_filename)
        installed = {"site-packages", "dist-packages"} & set(path.parts) or path.name.startswith("<frozen")
        if not installed and not {PACKAGE, LIBRARY} & set(path.parents):
            found.append((code, linecache.getline(code.co_filename, number, frame.f_globals).strip()))
    return found
