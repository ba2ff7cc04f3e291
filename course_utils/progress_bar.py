"""A progress bar for cells that take a few seconds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeVar

import ipywidgets as widgets
from IPython.display import display

from .interruption import interruption_says

Item = TypeVar("Item")


def progress_bar(items: Collection[Item], label: str) -> Iterator[Item]:
    """Yield the items one by one while a bar under the cell counts them: for seed in progress_bar(seeds, "训练").

    Interrupting the cell ends in one sentence. Raises TypeError for items that can't be counted.
    """
    try:
        count = len(items)
    except TypeError:
        raise TypeError(
            f"progress_bar 要一组能数清的东西，例如 range(100)，现在是 {type(items).__name__}。"
        ) from None
    bar = widgets.IntProgress(max=count, description=f"{label} 0/{count}")
    # Where no widget can be shown, as in a stored notebook, the text stands in for the bar.
    view = {"version_major": 2, "version_minor": 0, "model_id": bar.model_id}
    display({"application/vnd.jupyter.widget-view+json": view, "text/plain": label}, raw=True)
    with interruption_says(
        lambda: f"{label}中断了，做完了 {bar.value}/{count}。再运行这个单元，会从头开始。"
    ):
        for done, item in enumerate(items, start=1):
            yield item
            bar.value = done
            bar.description = f"{label} {done}/{count}"
    bar.bar_style = "success"
