"""Which exercises are done: a small file beside the notebook, so that a kernel restart forgets nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

FILE_NAME = ".course_progress.json"


def done() -> set[str]:
    """The ids of the exercises that were solved in this folder; empty when the file is missing or damaged."""
    try:
        ids = json.loads(Path(FILE_NAME).read_text(encoding="utf-8"))["done"]
        return {id for id in ids if isinstance(id, str)}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def add(id: str) -> bool:
    """Add an exercise that was solved. Returns False where the folder can't be written."""
    ids = sorted(done() | {id})
    # Written beside and moved into place, so that a crash leaves the old file or the new one.
    new = Path(f"{FILE_NAME}.{os.getpid()}")
    try:
        new.write_text(json.dumps({"done": ids}) + "\n", encoding="utf-8")
        new.replace(FILE_NAME)
    except OSError:
        return False
    return True
