"""A lesson run from top to bottom in a kernel of its own: the one place where a target's notebook is executed.

Everything that a cell puts out is kept, with the state of the live views; each target decides what of it it stores.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
VIEW = "application/vnd.jupyter.widget-view+json"


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run every cell, with the folder as its working folder. Raises CellExecutionError at the first error."""
    notebook.metadata["kernelspec"] = KERNEL
    NotebookClient(
        notebook,
        timeout=120,
        record_timing=False,
        store_widget_state=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()


def drop_widgets(notebook: nbformat.NotebookNode) -> None:
    """For a file that will be read without a kernel: of a live view, which would wait for one, the text alone."""
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(VIEW, None)
