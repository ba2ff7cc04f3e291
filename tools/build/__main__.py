"""python -m tools.build notebook|solutions [STEM ...]: one target of the lessons that are named, or of all."""

import sys

from . import notebook, solutions
from .lessons import LESSONS, find

TARGETS = {"notebook": notebook.build, "solutions": solutions.build}


def main(target: str = "", *stems: str) -> None:
    if target not in TARGETS:
        sys.exit(
            f"用法：python -m tools.build {'|'.join(TARGETS)} [课 …]，例如 03_score_heatmap；不写课就是每一课。"
        )
    try:
        lessons = [find(stem) for stem in stems]
    except ValueError as error:
        sys.exit(str(error))
    for lesson in lessons or LESSONS:
        TARGETS[target](lesson)


if __name__ == "__main__":
    main(*sys.argv[1:])
