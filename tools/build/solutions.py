"""The target `solutions`: the teacher's version of each lesson, every answer filled in, executed, in solutions/ (ignored by git).

Fails unless every check in it says ✓.
"""

from __future__ import annotations

import nbformat

from course_utils.exercises.catalogue import of_lesson

from .execute import drop_widgets, execute
from .lessons import ROOT, Lesson
from .tags import tagged

SOLUTIONS = ROOT / "solutions"


def build(lesson: Lesson) -> None:
    notebook = nbformat.read(ROOT / lesson.notebook, as_version=4)
    fill_in(notebook, lesson)
    SOLUTIONS.mkdir(exist_ok=True)
    execute(notebook, SOLUTIONS)
    drop_widgets(notebook)
    checks = [cell for cell in notebook.cells if cell.cell_type == "code" and tagged(cell, "exercise")]
    failed = [cell.source for cell in checks if not passes(cell)]
    if failed:
        raise SystemExit(f"{lesson.stem}: not solved by its own solution:\n" + "\n\n".join(failed))
    nbformat.write(notebook, SOLUTIONS / f"{lesson.stem}.ipynb")
    print(f"solutions/{lesson.stem}.ipynb: {len(checks)} exercises solved")


def fill_in(notebook: nbformat.NotebookNode, lesson: Lesson) -> None:
    """Every answer in its cell. Raises ValueError unless each exercise is there exactly once."""
    for exercise in of_lesson(lesson.number):
        found = [cell for cell in notebook.cells if cell.source == exercise.cell(exercise.stub)]
        if len(found) != 1:
            raise ValueError(f"exercise {exercise.id} stands {len(found)} times in {lesson.stem}")
        found[0].source = exercise.cell(exercise.solution)


def passes(cell: nbformat.NotebookNode) -> bool:
    texts = [output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return any(text.startswith("✓") for text in texts)
