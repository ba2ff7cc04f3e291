"""With torch's default dtype set to float64 by a notebook, everything the course makes is what it always is."""

import os
import subprocess
import sys

import pytest
from support.project import ROOT, TESTS

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, TESTS)))}

# Each prints what it makes; the default is set before anything of the course is imported.
MADE = {
    "unknown word": "from course_utils.sentence import read; print(read('我 喜欢 打 羽毛球').X.sum(), read('我', 64).X.dtype)",
    "example": "from course_utils.example import running_trace; print(running_trace('我 喜欢 羽毛球').B)",
    "layer": """
from course_utils.attention import SelfAttention
from course_utils.sentence import read
torch.manual_seed(0)
B, A = SelfAttention(5, 3, 2)(read().X)
print(B.dtype, A.dtype, B.sum())""",
    "training": """
from course_utils.learning import train_retrieval
for start in ("1/D", "nn.Linear"):
    run = train_retrieval(steps=3, start=start)
    print(run.losses.dtype, run.losses)""",
    "states": "from course_utils.example import running_trace\nfrom course_utils.saturation import is_uniform; print(is_uniform(running_trace().A))",
    "fusion": """
from course_utils.explorers import Fusion
shown = Fusion()
shown.view.weights, shown.view.dragged = [0.25] * 4, True
print(shown.weights().dtype, shown.fused())""",
    "sizes": "from course_utils.explorers import Sizes; print(Sizes().weights())",
    "exercises": """
from course_utils.exercises.catalogue import EXERCISES
from course_utils.exercises.exercise import Function
from course_utils.exercises.judge import judge
from support.student_code import run_code
for exercise in EXERCISES:
    verdict = judge(exercise, run_code(exercise.solution, exercise.answer_name))
    print(exercise.id, verdict.passed, verdict.name)
    if isinstance(exercise.asks, Function):
        inputs = [value for case in exercise.asks.cases for value in case.inputs.values()]
        print({value.dtype for value in inputs if isinstance(value, torch.Tensor)})""",
}


@pytest.fixture(scope="module")
def printed():
    """Default dtype -> what each of MADE prints, in one process for each default."""

    def run(default):
        script = f"import torch\ntorch.set_default_dtype(torch.{default})\n"
        script += "\nprint('---')\n".join(MADE.values())
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=ENVIRONMENT)
        assert done.returncode == 0, done.stderr[-1000:]
        # How a number is printed does depend on the default.
        texts = done.stdout.replace(", dtype=torch.float32", "").split("---")
        return dict(zip(MADE, texts, strict=True))

    return {default: run(default) for default in ("float32", "float64")}


@pytest.mark.parametrize("what", MADE)
def test_what_the_course_makes_does_not_depend_on_the_default(what, printed):
    usual = printed["float32"][what]
    assert usual.strip() and printed["float64"][what] == usual
    assert "False" not in usual or what == "states"
