"""What a cell is stands in its tags, never in words that a tool would look for.

In a lesson's text: `+++ {"tags": ["note"]}` before a cell of words, `:tags: [view]` in a cell of code.
"""

from __future__ import annotations

import nbformat

# The cells that are written by tools, from the repository's address and from the list of exercises.
ADDRESS = ("links", "setup")
SECTION = ("exercises", "exercise", "solution", "quiz")
TAGS = {
    "links": "where the lesson opens, and its neighbours",
    "goals": "minutes, what the lesson builds on, what it is for",
    "setup": "finds the course or installs it",
    "preparation": "what each section needs: words about set-up, imports, names",
    "prediction": "asks before the answer is computed",
    "answer": "its output answers the prediction above, and is stored in a fold",
    "note": "for the lecturer, with the minutes of the section above it",
    "view": "shows a live view",
    "exercises": "what stands around the exercises: introduction, imports, progress",
    "exercise": "one exercise: its task, and the cell to be filled",
    "solution": "its folded answer",
    "quiz": "the quiz and its heading",
    "summary": "what the lesson did, and which comes next",
    "no-slide": "what no slide can hold",
    "nbval-ignore-output": "the output differs from run to run",
}


def tagged(cell: nbformat.NotebookNode, *tags: str) -> bool:
    """Whether the cell has one of these tags."""
    return not set(tags).isdisjoint(cell.metadata.get("tags", []))
