"""What an answer shows while it runs: held back, so that it is seen once, in its place and within bounds."""

from __future__ import annotations

import builtins
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

# Of what is printed: the lines that are kept, and the characters of each; of what is displayed: how many.
LINES, WIDTH, DISPLAYS = 20, 200, 5


class InputError(Exception):
    """Raised by input() in the student's code: nobody could answer it, and the notebook would wait for ever."""


@dataclass
class Shown:
    """The first lines that are printed, shortened, the first displays, and how many came after them."""

    lines: list[str] = field(default_factory=list)
    left_out: int = 0
    unfinished: str = ""
    displays: list[Callable[[], None]] = field(default_factory=list)
    not_displayed: int = 0

    def print(self, text: str) -> None:
        *whole, unfinished = (self.unfinished + text).split("\n")
        self.unfinished = _shorten(unfinished)
        room = LINES - len(self.lines)
        self.lines += map(_shorten, whole[:room])
        self.left_out += len(whole[room:])

    def display(self, show: Callable[[], None]) -> None:
        if len(self.displays) < DISPLAYS:
            self.displays.append(show)
        else:
            self.not_displayed += 1

    @property
    def printed(self) -> str:
        lines = self.lines + [self.unfinished] * bool(self.unfinished)
        left_out = self.left_out + len(lines[LINES:])
        more = [f"（后面还打印了 {left_out} 行，没有显示）"] * bool(left_out)
        more += [f"（后面还有 {self.not_displayed} 个 display 或图，没有显示）"] * bool(self.not_displayed)
        return "\n".join(lines[:LINES] + more)

    def again(self) -> None:
        """Show it all, now for real."""
        if self.printed:
            print(self.printed)
        for show in self.displays:
            show()


def _shorten(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


@contextmanager
def held_back(thread: threading.Thread) -> Iterator[Shown]:
    """What this thread prints, logs, displays and draws goes into a Shown, and input() is refused in it.

    When the thread still runs at the end it stays held back, or it would flood the notebook from then on.
    """
    shown = Shown()
    streams, ask, figures = (sys.stdout, sys.stderr), builtins.input, _open_figures()
    held = tuple(_Stream(stream, thread, shown) for stream in streams)
    _divert(streams, held)
    builtins.input = _refused_in(thread, ask)
    for shell in _shells():
        shell.display_pub = _Publisher(shell.display_pub, thread, shown)
    try:
        yield shown
    finally:
        for number in sorted(_open_figures() - figures):
            _hold_figure(number, shown)
        if not thread.is_alive():
            _divert(held, streams)
            builtins.input = ask
            for shell in _shells():
                shell.display_pub = shell.display_pub.replaced


class _StandIn:
    """Does for one thread what its class says, and for all others what it stands in for does."""

    def __init__(self, replaced: object, thread: threading.Thread, shown: Shown):
        self.replaced, self._thread, self._shown = replaced, thread, shown

    def _is_its_turn(self) -> bool:
        return threading.current_thread() is self._thread

    def __getattr__(self, name: str) -> object:
        return getattr(self.replaced, name)


class _Stream(_StandIn):
    """Stands in for sys.stdout."""

    replaced: TextIO

    def write(self, text: str) -> int:
        if not self._is_its_turn():
            return self.replaced.write(text)
        self._shown.print(text)
        return len(text)


class _Publisher(_StandIn):
    """Stands in for IPython's display_pub, through which display() and plt.show() go."""

    def publish(self, *args: object, **options: object) -> None:
        if not self._is_its_turn():
            return self.replaced.publish(*args, **options)
        return self._shown.display(lambda: self.replaced.publish(*args, **options))

    def clear_output(self, wait: bool = False) -> None:
        if not self._is_its_turn():
            return self.replaced.clear_output(wait)
        return self._shown.displays.clear()


def _shells() -> list[InteractiveShell]:
    """The running IPython, if there is one."""
    return [InteractiveShell.instance()] if InteractiveShell.initialized() else []


def _divert(old: tuple[TextIO, TextIO], new: tuple[TextIO, TextIO]) -> None:
    """Put two streams in the place of stdout and stderr, also in log handlers, which keep the one they began with."""
    sys.stdout, sys.stderr = new
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        for handler in getattr(logger, "handlers", ()):
            for before, after in zip(old, new, strict=True):
                if getattr(handler, "stream", None) is before:
                    handler.setStream(after)


def _open_figures() -> set[int]:
    """The numbers of pyplot's figures, where it is in use. A notebook shows these at the end of the cell."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def _hold_figure(number: int, shown: Shown) -> None:
    pyplot = sys.modules["matplotlib.pyplot"]
    figure = pyplot.figure(number)
    pyplot.close(figure)
    shown.display(lambda: display(figure))


def _refused_in(thread: threading.Thread, ask: Callable) -> Callable:
    def input(*prompt: object) -> str:
        if threading.current_thread() is thread:
            raise InputError
        return ask(*prompt)

    return input
