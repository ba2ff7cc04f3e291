"""The target `notebook`: notebooks/NN_name.ipynb in step with notebooks/src/NN_name.md, executed, written clean.

The half that was edited wins. Running twice changes nothing: ids follow the source, volatile metadata is left out, and
a cell tagged nbval-ignore-output keeps the output it has while its source stays.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import jupytext
import nbformat

from .execute import KERNEL, drop_widgets, execute
from .generate import generate
from .lessons import ROOT, Lesson
from .predictions import fold_answers, open_answers
from .slides import set_slides
from .tags import ADDRESS, tagged

# Metadata of a notebook: the digest of the cells it was built from.
BUILT_FROM = "built_from"
VOLATILE = "nbval-ignore-output"


def build(lesson: Lesson) -> None:
    path = ROOT / lesson.notebook
    notebook = edited_half(lesson)
    before = kept_outputs(path)
    generate(notebook, lesson)
    execute(notebook, path.parent)
    drop_widgets(notebook)
    clean(notebook, before)
    # The text would name the language in every cell.
    language = notebook.metadata.pop("language_info")
    write(ROOT / lesson.text, jupytext.writes(notebook, "md:myst"))
    notebook.metadata["language_info"] = language
    set_slides(notebook)
    fold_answers(notebook)
    write(path, nbformat.writes(notebook) + "\n")
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} KB")


def edited_half(lesson: Lesson, root: Path = ROOT) -> nbformat.NotebookNode:
    """The half that was edited since the notebook was built; its date says little, since JupyterLab saves what it opens."""
    notebook, text = root / lesson.notebook, root / lesson.text
    halves = {path: jupytext.read(path) for path in (text, notebook) if path.exists()}
    if not halves:
        sys.exit(f"{lesson.stem} 在课程表里，可是没有 {lesson.text}。")
    built = halves[notebook].metadata.get(BUILT_FROM) if notebook in halves else None
    edited = [path for path, half in halves.items() if digest(half) != built]
    if len({digest(halves[path]) for path in edited}) == 2:
        sys.exit(f"{text.name} 和 {notebook.name} 都改过，而且不一样。请先退回其中一个。")
    chosen = edited[0] if edited else text
    print(f"{lesson.stem}：以 {chosen.relative_to(root).as_posix()} 为准")
    return nbformat.v4.upgrade(halves[chosen])


def digest(notebook: nbformat.NotebookNode) -> str:
    """The same for two halves whose cells have the same sources and tags."""
    cells = [(cell.cell_type, cell.source, cell.metadata.get("tags")) for cell in notebook.cells]
    return hashlib.sha256(repr(cells).encode()).hexdigest()[:16]


def kept_outputs(path: Path) -> dict[str, list]:
    """Source -> stored outputs of the cells whose output differs from run to run."""
    if not path.exists():
        return {}
    notebook = nbformat.read(path, as_version=4)
    open_answers(notebook)
    return {cell.source: cell.outputs for cell in notebook.cells if tagged(cell, VOLATILE)}


def clean(notebook: nbformat.NotebookNode, before: dict[str, list]) -> None:
    notebook.metadata = nbformat.from_dict(
        # With what the kernel says of its language, since JupyterLab would write it and call the lesson changed.
        {
            "kernelspec": KERNEL,
            "language_info": notebook.metadata.language_info,
            BUILT_FROM: digest(notebook),
        }
    )
    seen: set[str] = set()
    for cell in notebook.cells:
        cell.id = cell_id(cell, seen)
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "tags"})
        if cell.cell_type == "code":
            cell.outputs = before.get(cell.source) or cell.outputs
            if tagged(cell, "exercises"):
                cell.outputs = []  # what is done is each student's own
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = cell.execution_count


def cell_id(cell: nbformat.NotebookNode, seen: set[str]) -> str:
    """An id that depends on the source alone, numbered where cells repeat; a new address leaves it as it is."""
    for tag in ADDRESS:
        if tagged(cell, tag):
            return tag
    digest = hashlib.sha256(cell.source.encode()).hexdigest()[:8]
    number = sum(taken.startswith(digest) for taken in seen)
    seen.add(unique := f"{digest}-{number}" if number else digest)
    return unique


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
