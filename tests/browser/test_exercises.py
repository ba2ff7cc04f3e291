"""A student's path through exercise 3.2 in JupyterLab: untouched, the wrong axis, right; and what is shown each time."""

import pytest

from course_utils.exercises.catalogue import of_lesson

EXERCISE = next(exercise for exercise in of_lesson("03") if exercise.id == "3.2")
WRONG = EXERCISE.solution.replace("dim=-1", "dim=-2")
STEPS = {
    "untouched": (EXERCISE.stub, "待完成", 0),
    "wrong_axis": (WRONG, "softmax 的轴错了", 1),
    "right": (EXERCISE.solution, "通过", 1),
}


@pytest.fixture(scope="module")
def opened(notebook):
    setup = "import torch\nfrom course_utils.exercises import check"
    return notebook(setup, *(EXERCISE.cell(code) for code, _, _ in STEPS.values()))


@pytest.mark.parametrize("step", STEPS)
def test_each_step_says_what_is_the_matter(opened, step):
    _, message, pictures = STEPS[step]
    assert WRONG != EXERCISE.solution
    cell = opened.page.locator(".jp-CodeCell").nth(1 + list(STEPS).index(step))
    cell.scroll_into_view_if_needed()
    shown = cell.locator(".jp-OutputArea")
    assert message in shown.inner_text()
    others = [other for _, other, _ in STEPS.values() if other != message]
    assert [other for other in others if other in shown.inner_text()] == []
    assert shown.locator("img").count() == pictures
    opened.screenshot(f"exercise_{step}")
    assert opened.errors == []
