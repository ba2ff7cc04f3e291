"""What is done: a small file beside the notebook, so that a kernel restart forgets nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

FILE_NAME = ".course_progress.json"


def done() -> set[str]:
    """The ids of the exercises that were solved in this folder; empty when the file is missing or damaged."""
    ids = _read().get("done")
    return {id for id in ids if isinstance(id, str)} if isinstance(ids, list) else set()


def quizzes() -> dict[str, int]:
    """Lesson -> how many of its quiz's questions were answered right at once, at best."""
    best = _read().get("quiz")
    return {lesson: n for lesson, n in best.items() if type(n) is int} if isinstance(best, dict) else {}


def add(id: str) -> bool:
    """Add an exercise that was solved. Returns False where the folder can't be written."""
    return _write(done=sorted(done() | {id}))


def add_quiz(lesson: str, right: int) -> bool:
    """Keep this result of a lesson's quiz if it is the best. Returns False where the folder can't be written."""
    best = quizzes()
    return right <= best.get(lesson, 0) or _write(quiz=best | {lesson: right})


def _read() -> dict:
    try:
        content = json.loads(Path(FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _write(**changes) -> bool:
    # Versions of the course that knew no quizzes read "done" alone, and want it.
    content = {"done": sorted(done())} | _read() | changes
    # Written beside and moved into place, so that a crash leaves the old file or the new one.
    new = Path(f"{FILE_NAME}.{os.getpid()}")
    try:
        new.write_text(json.dumps(content) + "\n", encoding="utf-8")
        new.replace(FILE_NAME)
    except OSError:
        return False
    return True
