"""Stored answers to predictions are folded; nbval compares what is in the folds."""

from tools.build.predictions import open_answer


def pytest_itemcollected(item):
    if cell := getattr(item, "cell", None):  # a cell that nbval runs
        open_answer(cell)
