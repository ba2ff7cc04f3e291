"""The list of mistakes can be read where nothing is drawn or displayed."""

import subprocess
import sys

SCRIPT = """
import importlib, pkgutil, sys
from course_utils import mistakes
for found in pkgutil.iter_modules(mistakes.__path__, "course_utils.mistakes."):
    importlib.import_module(found.name)
unwanted = {"matplotlib", "IPython", "ipywidgets", "anywidget"} & set(sys.modules)
others = {name for name in sys.modules if name.startswith("course_utils.")}
others -= {name for name in others if name.startswith("course_utils.mistakes")}
print(sorted(unwanted | others), "course_utils.mistakes.dot" in sys.modules)
"""


def test_mistakes_bring_no_drawing_no_display_and_nothing_else_of_the_course():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout == "[] True\n"
