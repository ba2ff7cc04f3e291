"""Sync notebooks/NN.ipynb with notebooks/src/NN.md, execute in a fresh kernel, write clean files.

The half that was edited wins; exercises come from the list of exercises, its links
and its set-up cell from the repository's address. Running twice
changes nothing: ids follow the source, volatile metadata is left out, and a cell tagged nbval-ignore-output keeps the
output it has while its source stays.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

from ..dev import links
from .exercise_cells import with_exercises
from .slides import set_slides

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
# Metadata of a notebook: the digest of the cells it was built from.
BUILT_FROM = "built_from"
VOLATILE = "nbval-ignore-output"
# Tags of the cells that are made from the repository's address.
WRITTEN = ("links", "setup")
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def main(names: list[str]) -> None:
    for name in names or lesson_names():
        notebook_path = NOTEBOOKS / f"{name}.ipynb"
        text_path = NOTEBOOKS / "src" / f"{name}.md"
        notebook = with_exercises(edited_half(notebook_path, text_path), name[:2])
        before = kept_outputs(notebook_path)
        write_links(notebook, name)
        execute(notebook)
        clean(notebook, before)
        write(text_path, jupytext.writes(notebook, "md:myst"))
        set_slides(notebook)
        write(notebook_path, nbformat.writes(notebook) + "\n")
        print(f"{notebook_path.name}: {notebook_path.stat().st_size / 1000:.0f} KB")


def lesson_names() -> list[str]:
    paths = (*NOTEBOOKS.glob("*.ipynb"), *NOTEBOOKS.glob("src/*.md"))
    return sorted({path.stem for path in paths})


def edited_half(notebook_path: Path, text_path: Path) -> nbformat.NotebookNode:
    """The half that was edited since the notebook was built; its date says little, since JupyterLab saves what it opens."""
    halves = {path: jupytext.read(path) for path in (text_path, notebook_path) if path.exists()}
    if not halves:
        sys.exit(f"没有这一课：{notebook_path.stem}。有这些：{'、'.join(lesson_names())}")
    built = halves[notebook_path].metadata.get(BUILT_FROM) if notebook_path in halves else None
    edited = [path for path, half in halves.items() if digest(half) != built]
    if len({digest(halves[path]) for path in edited}) == 2:
        sys.exit(f"{text_path.name} 和 {notebook_path.name} 都改过，而且不一样。请先退回其中一个。")
    chosen = edited[0] if edited else text_path
    print(f"{notebook_path.stem}：以 {chosen.relative_to(NOTEBOOKS)} 为准")
    return nbformat.v4.upgrade(halves[chosen])


def digest(notebook: nbformat.NotebookNode) -> str:
    """The same for two halves whose cells have the same sources and tags."""
    cells = [(cell.cell_type, cell.source, cell.metadata.get("tags")) for cell in notebook.cells]
    return hashlib.sha256(repr(cells).encode()).hexdigest()[:16]


def write_links(notebook: nbformat.NotebookNode, name: str) -> None:
    sources = {"links": links.row(name), "setup": links.setup()}
    for cell in notebook.cells:
        for tag in WRITTEN:
            if tag in cell.metadata.get("tags", []):
                cell.source = sources[tag]


def execute(notebook: nbformat.NotebookNode) -> None:
    notebook.metadata["kernelspec"] = KERNEL
    NotebookClient(
        notebook,
        timeout=120,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    ).execute()


def kept_outputs(notebook_path: Path) -> dict[str, list]:
    """Source -> stored outputs of the cells whose output differs from run to run."""
    if not notebook_path.exists():
        return {}
    cells = nbformat.read(notebook_path, as_version=4).cells
    return {cell.source: cell.outputs for cell in cells if VOLATILE in cell.metadata.get("tags", [])}


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
            cell.outputs = before.get(cell.source) or [plain(out) for out in cell.outputs]
            for out in cell.outputs:
                if "execution_count" in out:
                    out.execution_count = cell.execution_count


def cell_id(cell: nbformat.NotebookNode, seen: set[str]) -> str:
    """An id that depends on the source alone, numbered where cells repeat; a new address leaves it as it is."""
    for tag in WRITTEN:
        if tag in cell.metadata.get("tags", []):
            return tag
    digest = hashlib.sha256(cell.source.encode()).hexdigest()[:8]
    number = sum(taken.startswith(digest) for taken in seen)
    seen.add(unique := f"{digest}-{number}" if number else digest)
    return unique


def plain(output: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The output to store: as the kernel made it, but of a live view, useless without its kernel, the picture."""
    output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    return output


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
