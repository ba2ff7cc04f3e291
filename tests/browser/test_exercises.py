"""Exercise 3.2 in JupyterLab: untouched, the wrong axis, right; and a quiz: by keyboard, in the dark, twice, on a wall."""

import pytest
from support.contrasts import CONTRASTS

from course_utils.exercises.catalogue import QUESTIONS, of_lesson

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


QUIZ = 'from course_utils import style\nfrom course_utils.exercises import hint, quiz\nquiz("02")'


@pytest.fixture(scope="module")
def page(notebook):
    """The quiz of lesson 02 twice; then in lecture mode, with a hint, the quiz of lesson 03."""
    opened = notebook(QUIZ, 'quiz("02")', 'style.lecture()\nquiz("03")', 'hint("3.2")')
    opened.page.wait_for_selector("#quiz03 .MCButton")
    return opened


@pytest.fixture
def quizzes(page):
    yield page.page.locator("#quiz02")
    assert page.errors == []


def test_a_quiz_shown_twice_has_buttons_twice(quizzes):
    options = sum(len(question.options) for question in QUESTIONS["02"])
    assert [quizzes.nth(n).locator(".MCButton").count() for n in range(quizzes.count())] == [options] * 2


def test_a_quiz_is_answered_by_keyboard(page, quizzes):
    """Tab goes from option to option, Enter and Space choose, and JupyterLab doesn't leave the cell."""
    keyboard = page.page.keyboard
    active = "() => jupyterapp.shell.currentWidget.content.activeCellIndex"
    question = quizzes.first.locator(".Quiz").first
    first, second, third = (question.locator(".MCButton").nth(n) for n in range(3))
    first.focus()
    for key, option, number in (("Enter", second, 1), (" ", third, 2)):
        keyboard.press("Tab")
        assert option.evaluate("node => node === document.activeElement")
        keyboard.press("ArrowDown")
        keyboard.press(key)
        assert question.locator(".Feedback").inner_text() == QUESTIONS["02"][0].options[number].feedback
        assert option.evaluate("node => node === document.activeElement")
    assert page.page.evaluate(active) == 0
    keyboard.press("Shift+Tab")
    assert second.evaluate("node => node === document.activeElement")
    page.screenshot("quiz_keyboard")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_quiz_is_readable(page, quizzes, theme):
    """Questions, options, and the feedback to right and wrong answers; and the frame of the option in focus."""
    page.command("apputils:change-theme", theme=theme)
    second = quizzes.nth(1)
    for question, answer in ((0, True), (1, False), (2, True)):
        options = second.locator(".Quiz").nth(question).locator(f"[data-correct={str(answer).lower()}]")
        options.first.click()
    page.page.keyboard.press("Shift+Tab")
    page.page.wait_for_timeout(1200)
    page.screenshot(f"quiz_{theme.split()[1].lower()}")
    contrasts = second.evaluate(CONTRASTS)
    assert {"对。"} <= {text[:2] for _, text in contrasts}
    assert [each for each in contrasts if each[0] < 4.5] == []
    # The frame as if it were text beside the quiz.
    frame = """node => {
        const style = getComputedStyle(document.activeElement);
        const probe = document.createElement("span");
        probe.textContent = style.outlineStyle + " " + style.outlineWidth;
        probe.style.color = style.outlineColor;
        node.append(probe);
    }"""
    second.evaluate(frame)
    contrast, drawn = second.evaluate(CONTRASTS)[-1]
    second.evaluate("node => node.lastChild.remove()")
    assert drawn == "solid 3px" and contrast >= 3
    page.command("apputils:change-theme", theme="JupyterLab Light")


def test_in_lecture_mode_notes_and_options_are_large(page, quizzes):
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    assert quizzes.locator(".MCButton").first.evaluate(size) == 16
    large = page.page.locator("#quiz03 :is(.MCButton, .MultipleChoiceQn, .Feedback)")
    assert min(large.evaluate_all(f"nodes => nodes.map({size})")) >= 20
    note = page.page.locator(".jp-CodeCell").nth(3).get_by_text("提示 1/3")
    assert note.evaluate(size) == 20
    note.scroll_into_view_if_needed()
    page.screenshot("quiz_lecture")
