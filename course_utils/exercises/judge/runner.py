"""Runs a student's code: comes back within the limit, holds back what it prints, and lets it ask for nothing."""

from __future__ import annotations

import builtins
import ctypes
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TextIO

LIMIT_SECONDS = 5.0
# Of what is printed: the lines that are kept, and the characters of each.
LINES, WIDTH = 20, 200


@dataclass(frozen=True)
class Outcome:
    """What came of one call: a value, an error, or neither within the limit; and what it printed."""

    value: object = None
    error: BaseException | None = None
    timed_out: bool = False
    printed: str = ""


class Stopped(SystemExit):
    """Raised inside the student's code when its time is over; threads end on SystemExit without a word."""


class InputError(Exception):
    """Raised by input() in the student's code: nobody could answer it, and the notebook would wait for ever."""


def run(function: Callable, arguments: tuple, seconds: float) -> Outcome:
    """Call function(*arguments) in a thread of its own, for at most `seconds`.

    A thread, because it works on every system and also gives up on a sleep or a long torch call.
    """
    outcomes: list[Outcome] = []

    def work() -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                outcomes.append(Outcome(value=function(*arguments)))
        except BaseException as error:
            outcomes.append(Outcome(error=error))

    thread, prints = threading.Thread(target=work, daemon=True), Prints()
    before = sys.stdout, sys.stderr, builtins.input
    sys.stdout, sys.stderr = (_Stream(stream, thread, prints) for stream in before[:2])
    builtins.input = _refused_in(thread, before[2])
    try:
        thread.start()
        thread.join(seconds)
        outcome = outcomes[0] if outcomes else Outcome(timed_out=True)
    finally:
        _stop(thread)
        # Code that can't be stopped stays silenced, or it would flood the notebook from now on.
        if not thread.is_alive():
            sys.stdout, sys.stderr, builtins.input = before
    return replace(outcome, printed=prints.text)


def _stop(thread: threading.Thread) -> None:
    # Several tries: the student's own `except:` may swallow the first ones.
    for _ in range(20):
        if not thread.is_alive():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped))
        thread.join(0.05)


@dataclass
class Prints:
    """The first lines that are printed, shortened, and how many came after them."""

    lines: list[str] = field(default_factory=list)
    left_out: int = 0
    unfinished: str = ""

    def add(self, text: str) -> None:
        *whole, unfinished = (self.unfinished + text).split("\n")
        self.unfinished = _shorten(unfinished)
        room = LINES - len(self.lines)
        self.lines += map(_shorten, whole[:room])
        self.left_out += len(whole[room:])

    @property
    def text(self) -> str:
        lines = self.lines + [self.unfinished] * bool(self.unfinished)
        left_out = self.left_out + len(lines[LINES:])
        more = [f"（后面还打印了 {left_out} 行，没有显示）"] * bool(left_out)
        return "\n".join(lines[:LINES] + more)


def _shorten(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


class _Stream:
    """Stands in for sys.stdout: keeps what one thread writes, passes on what all others do."""

    def __init__(self, stream: TextIO, thread: threading.Thread, prints: Prints):
        self._stream, self._thread, self._prints = stream, thread, prints

    def write(self, text: str) -> int:
        if threading.current_thread() is not self._thread:
            return self._stream.write(text)
        self._prints.add(text)
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def _refused_in(thread: threading.Thread, ask: Callable) -> Callable:
    def input(*prompt: object) -> str:
        if threading.current_thread() is thread:
            raise InputError
        return ask(*prompt)

    return input
