"""Answers that don't end, print or ask: they are stopped, held back and refused, and nothing else is."""

import builtins
import sys
import threading
import time

import pytest
import torch

from course_utils.exercises.catalogue import find
from course_utils.exercises.judge import judge, runner


@pytest.fixture
def restored(monkeypatch):
    """Code that goes on keeps stdout, stderr and input: this gives them back."""
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(builtins, "input", input)


def endless(S):
    while True:
        pass


def stubborn(S):
    while True:
        try:
            time.sleep(0.001)
        except BaseException:
            if time.monotonic() > stubborn.until:
                raise


def asleep(S):
    time.sleep(3)
    return S


def with_bare_except(S):
    while time.monotonic() < with_bare_except.until:
        try:
            time.sleep(0.001)
        except:  # noqa: E722
            pass


@pytest.mark.parametrize(
    ("function", "name", "said"),
    [
        (endless, "timed_out", "已经停下"),
        (stubborn, "timed_out", "已经停下"),
        (asleep, "goes_on", "重启内核"),
        (with_bare_except, "goes_on", "可能还在后台运行"),
    ],
)
def test_code_that_does_not_end_is_stopped_or_said_to_go_on(function, name, said, restored, monkeypatch):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.3)
    stubborn.until, with_bare_except.until = time.monotonic() + 0.6, time.monotonic() + 3
    start = time.monotonic()
    verdict = judge(find("3.2"), function)
    assert (verdict.passed, verdict.name) == (False, name)
    assert "0.3 秒" in verdict.message and said in verdict.message
    assert ("停下" in verdict.message and "没能" not in verdict.message) == (name == "timed_out")
    assert time.monotonic() - start < 2.5


def test_stopped_code_does_not_go_on_in_the_background(monkeypatch):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.2)
    before = set(threading.enumerate())
    judge(find("3.2"), endless)
    assert set(threading.enumerate()) <= before


def test_the_limit_is_some_seconds():
    assert 2 <= runner.LIMIT_SECONDS <= 10


def test_input_is_refused_in_the_students_code_only():
    asked = []
    original, builtins.input = builtins.input, lambda *prompt: asked.append(prompt)
    try:

        def asks_twice(S):
            try:
                input()
            except BaseException:
                other = threading.Thread(target=input, args=("other",))
                other.start()
                other.join()
                return input()

        assert judge(find("3.2"), asks_twice).name == "input"
        assert asked == [("other",)], "another thread asks as ever"
        input("after")
    finally:
        builtins.input = original
    assert asked == [("other",), ("after",)]


def chatty(times, then):
    def my_softmax(S):
        for k in range(times):
            print("行", k)
        return then(S)

    return my_softmax


def test_what_the_first_case_prints_is_kept_and_no_other(capsys):
    verdict = judge(find("3.2"), chatty(3, lambda S: torch.softmax(S, -1)))
    assert verdict.passed and verdict.shown.printed == "行 0\n行 1\n行 2"
    assert capsys.readouterr() == ("", "")
    assert judge(find("3.2"), lambda S: S).shown.printed == ""


@pytest.mark.parametrize(
    "then", [lambda S: S, lambda S: 1 / 0, lambda S: None, lambda S: sys.exit(), endless]
)
def test_what_was_printed_is_kept_however_the_code_ends(then, monkeypatch):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.2)
    lines = judge(find("3.2"), chatty(25, then)).shown.printed.split("\n")
    assert lines[:20] == [f"行 {k}" for k in range(20)]
    assert lines[20:] == ["（后面还打印了 5 行，没有显示）"]


def flood(S):
    while True:
        print("x" * 1000)
        print("y" * 1000, end="", file=sys.stderr)


def test_a_flood_is_held_back_and_the_verdict_still_comes(monkeypatch, capsys):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.3)
    verdict = judge(find("3.2"), flood)
    assert (
        verdict.name == "timed_out"
        and "没有显示" in verdict.shown.printed
        and len(verdict.shown.printed) < 5000
    )
    assert capsys.readouterr() == ("", "")


def test_other_threads_print_as_ever_while_the_code_runs(capsys):
    def my_softmax(S):
        other = threading.Thread(target=print, args=("别的线程",))
        other.start()
        other.join()
        print("没有换行", end="")
        return torch.softmax(S, -1)

    before = sys.stdout, sys.stderr, builtins.input
    assert judge(find("3.2"), my_softmax).shown.printed == "没有换行"
    assert capsys.readouterr().out == "别的线程\n" * 4
    assert (sys.stdout, sys.stderr, builtins.input) == before


def test_code_that_cannot_be_stopped_stays_silenced(restored, monkeypatch, capsys):
    monkeypatch.setattr(runner, "LIMIT_SECONDS", 0.1)
    monkeypatch.setattr(runner, "_stop", lambda thread: None)
    ended = threading.Event()

    def goes_on(S):
        for _ in range(30):
            time.sleep(0.01)
            print("还在打印")
        ended.set()

    assert judge(find("3.2"), goes_on).name == "goes_on"
    assert ended.wait(5)
    print("我的")
    assert capsys.readouterr().out == "我的\n"
