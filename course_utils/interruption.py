"""Interrupting a cell ends in one sentence instead of a traceback."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Interrupted(KeyboardInterrupt):
    """Raised in place of KeyboardInterrupt. In a notebook it is shown as its one sentence and stops Run All."""

    def _render_traceback_(self) -> list[str]:
        # IPython asks for this first.
        return [str(self)]


@contextmanager
def interruption_says(sentence: Callable[[], str]) -> Iterator[None]:
    """While this lasts, interrupting the main thread raises Interrupted with what sentence() returns then.

    By the signal itself, since a generator can't catch what is raised in the loop that it feeds.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        # Somebody else sees to it: a bar round this one, or a program with a way of its own.
        yield
        return

    def interrupt(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        raise Interrupted(sentence())

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)
