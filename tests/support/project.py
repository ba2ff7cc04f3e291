"""Where the project's parts lie."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
PACKAGE = ROOT / "course_utils"
NOTEBOOKS = ROOT / "notebooks"
