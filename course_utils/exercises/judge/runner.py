"""Runs a student's code in a thread of its own and comes back within the limit."""

from __future__ import annotations

import ctypes
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .shown import Shown, held_back

LIMIT_SECONDS = 5.0


@dataclass(frozen=True)
class Outcome:
    """What came of one call: a value, an error, or neither within the limit; and what it showed.

    goes_on: after the limit it could not be stopped either.
    """

    value: object = None
    error: BaseException | None = None
    timed_out: bool = False
    goes_on: bool = False
    shown: Shown = field(default_factory=Shown)


class Stopped(SystemExit):
    """Raised inside the student's code when its time is over; threads end on SystemExit without a word."""


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

    thread = threading.Thread(target=work, daemon=True)
    with held_back(thread) as shown:
        try:
            thread.start()
            thread.join(seconds)
            outcome = outcomes[0] if outcomes else Outcome(timed_out=True)
        finally:
            _stop(thread)
    return replace(outcome, goes_on=thread.is_alive(), shown=shown)


def _stop(thread: threading.Thread) -> None:
    # Several tries: the student's own `except:` may swallow the first ones.
    for _ in range(20):
        if not thread.is_alive():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped))
        thread.join(0.05)
