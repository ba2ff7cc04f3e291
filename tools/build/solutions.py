"""Write the teacher's version: every lesson with its answers filled in, executed, into solutions/ (ignored by git).

Fails unless every check in it says 通过.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from .exercise_cells import with_solutions

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "solutions"


def main(names: list[str]) -> None:
    TARGET.mkdir(exist_ok=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        if names and path.stem not in names:
            continue
        notebook = with_solutions(nbformat.read(path, as_version=4), path.stem[:2])
        NotebookClient(
            notebook,
            timeout=120,
            store_widget_state=False,
            resources={"metadata": {"path": str(TARGET)}},
        ).execute()
        failed = [cell.source for cell in notebook.cells if is_check(cell) and not passes(cell)]
        if failed:
            raise SystemExit(f"{path.stem}: not solved by its own solution:\n" + "\n\n".join(failed))
        nbformat.write(notebook, TARGET / path.name)
        print(f"solutions/{path.name}: {sum(map(is_check, notebook.cells))} exercises solved")


def is_check(cell: nbformat.NotebookNode) -> bool:
    return cell.cell_type == "code" and "\ncheck(" in cell.source


def passes(cell: nbformat.NotebookNode) -> bool:
    texts = [output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return any(text.startswith("✓") for text in texts)


if __name__ == "__main__":
    main(sys.argv[1:])
