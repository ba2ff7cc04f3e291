"""Which cell stands on which slide, for `jupyter nbconvert --to slides`.

A section starts a slide, a prediction a slide below it, and its answer waits for a key. What would run over the lower
edge starts another slide; a cell that no slide can hold is tagged no-slide. Heights are estimated for the deck that nbconvert
makes; a browser test measures them.
"""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import Iterator
from math import ceil

import nbformat

HEIGHT, WIDTH = 700, 960  # of a slide, in css pixels
PADDING, LINE, BLOCK = 80, 26, 32
CHARACTERS_A_LINE = 44
GOES_ON = "-"
NOTES = "<details>\n<summary>讲课提示"
# Exercises and quiz are done at a keyboard, not on a wall.
SKIPPED = ("## 练习", "## 小结")


def set_slides(notebook: nbformat.NotebookNode) -> None:
    """Write slide_type into the metadata of each cell that doesn't just go on with the slide above it."""
    for cell, kind in zip(notebook.cells, _kinds(notebook.cells), strict=True):
        if kind != GOES_ON:
            cell.metadata["slideshow"] = {"slide_type": kind}


def _kinds(cells: list[nbformat.NotebookNode]) -> Iterator[str]:
    skipped = _skipped(cells)
    room, asked = 0, False
    for k, cell in enumerate(cells):
        if k in skipped or "no-slide" in cell.metadata.get("tags", []):
            room = 0
            yield "skip"
        elif cell.source.startswith(NOTES):
            yield "notes"
        else:
            kind = _start(cell, asked, room)
            room = (room if kind in (GOES_ON, "fragment") else HEIGHT - PADDING) - _height(cell)
            asked = cell.source.startswith("**预测**") or "\n**预测**" in cell.source
            yield kind


def _start(cell: nbformat.NotebookNode, asked: bool, room: float) -> str:
    if cell.source.startswith(("# ", "## ")):
        return "slide"
    if cell.source.startswith("**预测**") or _height(cell) > room:
        return "subslide"
    return "fragment" if asked else GOES_ON


def _skipped(cells: list[nbformat.NotebookNode]) -> set[int]:
    """The links, the preparations with the text before them, and the exercises."""
    sources = [cell.source for cell in cells]
    sections = [k for k, source in enumerate(sources) if source.startswith("## ")]
    tags = {tag: k for k, cell in enumerate(cells) for tag in cell.metadata.get("tags", [])}
    first = next(k for k in sections if k > tags["setup"])
    last = max(k for k in range(first) if cells[k].cell_type == "code")
    start, end = (next((k for k in sections if sources[k].startswith(s)), len(cells)) for s in SKIPPED)
    return {tags["links"], *range(tags["setup"] - 1, last + 1), *range(start, end)}


def _height(cell: nbformat.NotebookNode) -> float:
    if cell.cell_type == "markdown":
        return sum(map(_block_height, cell.source.split("\n\n")))
    lines = len(cell.source.splitlines())
    return BLOCK + LINE * lines + sum(map(_output_height, cell.outputs))


def _block_height(block: str) -> float:
    lines = sum(ceil(len(line) / CHARACTERS_A_LINE) for line in block.splitlines())
    return BLOCK + LINE * lines * (2 if block.startswith(("#", "$$")) else 1)


def _output_height(output: nbformat.NotebookNode) -> float:
    data = output.get("data", {})
    if "image/png" in data:
        # Width and height stand at a fixed place in every PNG.
        width, height = struct.unpack(">II", b64decode(data["image/png"])[16:24])
        shown = min(output.metadata.get("image/png", {}).get("width", width), WIDTH)
        return 2 * BLOCK + height * shown / width
    text = output.get("text", data.get("text/plain", ""))
    return 2 * BLOCK + LINE * len(text.splitlines())
