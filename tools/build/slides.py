"""Which cell stands on which slide, for `jupyter nbconvert --to slides`.

A section starts a slide, a prediction a slide below it, and its answer waits for a key. What would run over the lower
edge starts another slide. What a cell is stands in its tags. Heights are estimated for the deck that nbconvert makes; a
browser test measures them.
"""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import Iterator
from math import ceil

import nbformat

from .tags import SECTION, tagged

HEIGHT, WIDTH = 700, 960  # of a slide, in css pixels
PADDING, LINE, BLOCK = 80, 26, 32
CHARACTERS_A_LINE = 44
GOES_ON = "-"
# What is for a keyboard, not for a wall.
OFF = ("links", "setup", "preparation", "no-slide", *SECTION)


def set_slides(notebook: nbformat.NotebookNode) -> None:
    """Write slide_type into the metadata of each cell that doesn't just go on with the slide above it."""
    for cell, kind in zip(notebook.cells, _kinds(notebook.cells), strict=True):
        if kind != GOES_ON:
            cell.metadata["slideshow"] = {"slide_type": kind}


def _kinds(cells: list[nbformat.NotebookNode]) -> Iterator[str]:
    room, asked = 0, False
    for cell in cells:
        if tagged(cell, *OFF):
            room = 0
            yield "skip"
        elif tagged(cell, "note"):
            yield "notes"
        else:
            kind = _start(cell, asked, room)
            room = (room if kind in (GOES_ON, "fragment") else HEIGHT - PADDING) - _height(cell)
            asked = tagged(cell, "prediction")
            yield kind


def _start(cell: nbformat.NotebookNode, asked: bool, room: float) -> str:
    if cell.source.startswith(("# ", "## ")):
        return "slide"
    # A prediction may also end a cell that answers the one before.
    asks_at_once = tagged(cell, "prediction") and cell.source.startswith("**")
    if asks_at_once or _height(cell) > room:
        return "subslide"
    return "fragment" if asked else GOES_ON


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
