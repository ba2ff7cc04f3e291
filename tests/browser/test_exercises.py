"""Exercise 3.2 in JupyterLab: untouched, the wrong axis, right, and the list of what is done that follows.

And a quiz: by keyboard, in the dark, twice, on a wall and on a telephone, counted, saved, its kernel gone.
"""

import json

import pytest
from support.browsers import SIZE
from support.contrasts import CONTRASTS
from support.jupyterlab import Notebook

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
    setup = "import torch\nfrom course_utils.exercises import check, progress\nprogress()"
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


def test_the_list_above_follows_the_check_below(opened):
    """It was shown before anything was solved, in the folder that all notebooks of this run share."""
    shown = opened.page.locator(".jp-CodeCell").first.locator(".jp-OutputArea-output")
    assert shown.count() == 1
    assert "✓ 3.2 按行 softmax" in shown.inner_text() and "○ 3.1 所有点积" in shown.inner_text()
    shown.scroll_into_view_if_needed()
    opened.screenshot("progress")


QUIZ = "from course_utils import style\nfrom course_utils.exercises import hint, progress, quiz"
ASKED = QUESTIONS["02"]
RIGHT = [[k for k, option in enumerate(q.options) if option.right] for q in ASKED]
WRONG = [[k for k, option in enumerate(q.options) if not option.right] for q in ASKED]


class Quiz:
    """A quiz on the page: the parts of its nth question."""

    def __init__(self, view):
        self.view = view

    def question(self, n):
        return self.view.locator("form").nth(n)

    def option(self, n, k):
        return self.question(n).locator("input").nth(k)

    def feedback(self, n):
        return self.question(n).get_by_role("status").inner_text()

    def count(self):
        return self.view.locator(".course-quiz-count").inner_text()

    def answer(self, n, options):
        """Make these and no others the chosen ones."""
        for k in range(len(ASKED[n].options)):
            if self.option(n, k).is_checked() != (k in options) and (ASKED[n].several or k in options):
                self.option(n, k).click()
        if ASKED[n].several:
            self.question(n).get_by_role("button", name="检查").click()


@pytest.fixture(scope="module")
def page(notebook):
    """The list, the quiz of lesson 02 twice; then in lecture mode, with a hint, the quiz of lesson 03."""
    opened = notebook(
        QUIZ, "progress()", 'quiz("02")', 'quiz("02")', 'style.lecture()\nquiz("03")', 'hint("3.2")'
    )
    opened.page.wait_for_selector(".course-quiz-lecture form")
    return opened


@pytest.fixture
def quizzes(page):
    yield [Quiz(page.page.locator(".course-quiz").nth(n)) for n in range(3)]
    assert page.errors == []


def test_a_quiz_is_the_only_output_of_its_cell(page, quizzes):
    cells = page.page.locator(".jp-CodeCell")
    assert cells.nth(2).locator(".jp-OutputArea-output").count() == 1
    assert "小测验的文字版" not in cells.nth(2).inner_text()


def test_a_quiz_shown_twice_is_two_quizzes(quizzes):
    first, second, _ = quizzes
    first.answer(1, RIGHT[1])
    assert [first.option(1, k).is_checked() for k in range(3)] == [k in RIGHT[1] for k in range(3)]
    assert not any(second.option(1, k).is_checked() for k in range(3))
    second.answer(1, WRONG[1])
    assert first.option(1, RIGHT[1][0]).is_checked() and first.feedback(1).startswith("✓ 对。")
    assert second.feedback(1).startswith("✗ 不对。")


def test_readers_are_told_what_it_is_and_what_was_chosen(page, quizzes):
    first = quizzes[0].view
    assert first.get_by_role("group", name="小测验 02").count() == 1
    for n, question in enumerate(ASKED):
        group = first.get_by_role("group" if question.several else "radiogroup", name=question.text)
        kind = "checkbox" if question.several else "radio"
        assert group.get_by_role(kind).count() == len(question.options)
        for option in question.options:
            assert group.get_by_role(kind, name=option.text).count() == 1
        assert first.locator("form").nth(n).get_by_role("status").count() == 1


def test_a_question_is_answered_by_keyboard(page, quizzes):
    """Arrows go from option to option and choose nothing, Space and Enter choose, and JupyterLab stays where it is."""
    keyboard, quiz = page.page.keyboard, quizzes[0]
    active = "() => jupyterapp.shell.currentWidget.content.activeCellIndex"
    focused = "node => node === document.activeElement"
    quiz.option(0, 0).focus()
    before = page.page.evaluate(active)
    for key, k in ((" ", 1), ("Enter", 2)):
        keyboard.press("ArrowDown")
        assert quiz.option(0, k).evaluate(focused) and not quiz.option(0, k).is_checked()
        keyboard.press(key)
        assert quiz.option(0, k).is_checked()
        assert quiz.feedback(0).endswith(ASKED[0].options[k].feedback)
    keyboard.press("ArrowUp")
    assert quiz.option(0, 1).evaluate(focused)
    for _ in range(len(ASKED[0].options)):
        keyboard.press("ArrowRight")
    assert quiz.option(0, 1).evaluate(focused), "from the last to the first"
    keyboard.press("b")
    assert page.page.evaluate(active) == before
    assert page.page.locator(".jp-Cell").count() == 6, "b would add a cell"
    page.screenshot("quiz_keyboard")


def test_several_options_are_ticked_and_checked_by_keyboard(page, quizzes):
    keyboard, quiz, n = page.page.keyboard, quizzes[0], len(ASKED) - 1
    assert ASKED[n].several and WRONG[n][0] == 0
    quiz.option(n, 0).focus()
    keyboard.press("Enter")
    assert quiz.feedback(n) == "先选出你认为对的，再检查。"
    keyboard.press(" ")
    keyboard.press("Tab")
    keyboard.press(" ")
    keyboard.press("Enter")
    lines = quiz.feedback(n).split("\n")
    assert [line[:4] for line in lines if line] == ["✗ K ", "✓ K ", "✗ 还有"]
    quiz.option(n, 0).focus()
    keyboard.press(" ")
    assert quiz.feedback(n) == "", "what was said holds no more"
    assert quiz.option(n, 1).is_checked()
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    keyboard.press(" ")
    button = quiz.question(n).get_by_role("button")
    button.press("b")
    button.press("Enter")
    assert quiz.feedback(n).endswith("✓ 全部选对了。")
    assert page.page.locator(".jp-Cell").count() == 6


def test_answers_are_counted_here_and_in_the_list(page, quizzes):
    quiz = quizzes[1]
    listed = page.page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")
    for n in range(len(ASKED)):
        quiz.answer(n, WRONG[n][:1])
    assert quiz.count() == "答对 0 / 4。"
    for n in range(len(ASKED)):
        quiz.answer(n, RIGHT[n])
        assert quiz.count() == f"答对 {n + 1} / 4。"
    page.settle()
    listed.get_by_text("✓ 小测验 02：4/4").wait_for()
    assert listed.count() == 1
    listed.get_by_text("小测验 02").scroll_into_view_if_needed()
    page.page.wait_for_timeout(500)
    page.screenshot("progress_quiz")
    for n in range(len(ASKED)):
        quiz.answer(n, WRONG[n][:1])
    page.settle()
    kept = json.loads(page.ask("print(open('.course_progress.json').read())"))
    assert kept["quiz"]["02"] == 4 and "✓ 小测验 02：4/4" in listed.text_content(), "the best result"


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_quiz_is_readable(page, quizzes, theme):
    """Questions, options, and the feedback to right and wrong answers; and the frame of the option in focus."""
    page.command("apputils:change-theme", theme=theme)
    quiz = quizzes[1]
    for n, options in enumerate((RIGHT[0], WRONG[1][:1], RIGHT[2], range(len(ASKED[3].options)))):
        quiz.answer(n, options)
    quiz.option(0, RIGHT[0][0]).focus()
    page.page.keyboard.press("ArrowDown")
    page.page.wait_for_timeout(1200)
    page.screenshot(f"quiz_{theme.split()[1].lower()}")
    contrasts = quiz.view.evaluate(CONTRASTS)
    assert {"✓", "✗"} <= {text[0] for _, text in contrasts}
    assert [each for each in contrasts if each[0] < 4.5] == []
    # The frame as if it were text beside the quiz.
    frame = """node => {
        const style = getComputedStyle(document.activeElement);
        const probe = document.createElement("span");
        probe.textContent = style.outlineStyle + " " + style.outlineWidth;
        probe.style.color = style.outlineColor;
        node.append(probe);
    }"""
    quiz.view.evaluate(frame)
    contrast, drawn = quiz.view.evaluate(CONTRASTS)[-1]
    quiz.view.evaluate("node => node.lastChild.remove()")
    assert drawn == "solid 3px" and contrast >= 3
    page.command("apputils:change-theme", theme="JupyterLab Light")


def test_in_lecture_mode_notes_and_quiz_are_large(page, quizzes):
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    first, _, large = quizzes
    large.option(0, 0).click()
    parts = "label, p, .course-quiz-count"
    assert {15} == set(first.view.locator(parts).evaluate_all(f"nodes => nodes.map({size})"))
    assert {20} == set(large.view.locator(parts).evaluate_all(f"nodes => nodes.map({size})"))
    note = page.page.locator(".jp-CodeCell").nth(5).get_by_text("提示 1/3")
    assert note.evaluate(size) == 20
    note.scroll_into_view_if_needed()
    page.screenshot("quiz_lecture")


def test_a_quiz_fits_a_telephone(page, quizzes):
    page.page.set_viewport_size({"width": 390, "height": 720})
    page.page.wait_for_timeout(500)
    quiz = quizzes[1]
    quiz.question(0).scroll_into_view_if_needed()
    page.screenshot("quiz_390")
    wider = (
        "node => [...node.querySelectorAll('*')].filter((each) => each.scrollWidth > node.clientWidth).length"
    )
    assert quiz.view.evaluate(wider) == 0
    page.page.set_viewport_size(SIZE)


def test_a_quiz_answers_when_the_kernel_is_dead(page, quizzes):
    page.page.evaluate("() => inTime(jupyterapp.shell.currentWidget.sessionContext.shutdown())")
    quiz = quizzes[1]
    for n in range(len(ASKED)):
        quiz.answer(n, RIGHT[n])
    assert quiz.count() == "答对 4 / 4。"
    assert quiz.feedback(0) == f"✓ {ASKED[0].options[RIGHT[0][0]].feedback}"
    # ipywidgets tells the console that nobody heard.
    assert {error.split(" Error")[0] for error in page.errors} == {"Could not send widget sync message"}
    page.errors.clear()


def test_saved_with_its_answers_it_shows_them_again_before_any_run(browser, lab, notebook):
    address, _ = lab
    saved = notebook('from course_utils.exercises import quiz\nquiz("02")')
    quiz = Quiz(saved.page.locator(".course-quiz"))
    for n, options in ((0, WRONG[0][:1]), (1, RIGHT[1]), (3, RIGHT[3])):
        quiz.answer(n, options)
    saved.settle()
    saved.command("docmanager:save")
    saved.page.evaluate("() => inTime(jupyterapp.shell.currentWidget.sessionContext.shutdown())")
    opened = Notebook(browser.new_page(viewport=SIZE), address, saved.name)
    opened.open()
    quiz = Quiz(opened.page.locator(".course-quiz"))
    assert quiz.count() == "答对 2 / 4，还有 1 题没有答。"
    assert quiz.option(0, WRONG[0][0]).is_checked() and quiz.feedback(0).startswith("✗ 不对。")
    assert quiz.feedback(3).endswith("✓ 全部选对了。")
    quiz.answer(0, RIGHT[0])
    quiz.answer(2, RIGHT[2])
    assert quiz.count() == "答对 4 / 4。"
    assert quiz.view.evaluate("node => getComputedStyle(node, '::before').content") == "none"
    assert opened.ask("print('quiz' in globals())") == "False\n"
    opened.screenshot("quiz_saved")
    assert opened.errors == []
    opened.close()
