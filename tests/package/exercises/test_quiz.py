"""The quizzes: their questions, how they are shown, and what the kernel keeps of them."""

import json
from html.parser import HTMLParser

import pytest

from course_utils import exercises, style
from course_utils.exercises import progress_file, quiz_text, quiz_view
from course_utils.exercises.catalogue import EXERCISES, QUESTIONS
from course_utils.exercises.question import question as make
from course_utils.exercises.quiz_view import QuizView

LESSONS = sorted({exercise.lesson for exercise in EXERCISES})
ALL = [question for questions in QUESTIONS.values() for question in questions]
VIEW = "application/vnd.jupyter.widget-view+json"


def rights(question):
    return [k for k, option in enumerate(question.options) if option.right]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Questions


def test_each_lesson_has_three_to_five_questions_with_feedback_on_every_option():
    assert sorted(QUESTIONS) == LESSONS
    assert all(3 <= len(questions) <= 5 for questions in QUESTIONS.values())
    for question in ALL:
        assert 0 < len(rights(question)) < len(question.options)
        assert len({option.feedback for option in question.options}) == len(question.options)
        for text in (question.text, *(part for o in question.options for part in (o.text, o.feedback))):
            assert text and "$" not in text and "\\" not in text


def test_right_and_wrong_are_said_in_words():
    """The view says 不对 of the wrong ones itself."""
    for option in (option for question in ALL for option in question.options):
        assert option.feedback.startswith("对。") == option.right, option


def test_a_question_with_several_right_options_says_so():
    assert [q.text for q in ALL if q.several] == [q.text for q in ALL if "不止一个" in q.text] != []


def test_w_v_is_not_said_to_lose_its_gradient():
    """Who loses the gradient in more than half of its rows; tests/lessons/test_claims_of_lesson_04.py measures it."""
    (question,) = [q for q in QUESTIONS["04"] if "收不到梯度" in q.text]
    assert {option.text: option.right for option in question.options} == {"Q": True, "K": False, "V": False}
    (said,) = [option.feedback for option in question.options if option.text == "V"]
    assert "没有变小" in said and "17%" in said


@pytest.mark.parametrize(("chosen", "right"), [([0, 2], True), ([2, 0], True), ([0], False), ([], False)])
def test_all_the_right_options_are_wanted_and_no_others(chosen, right):
    asked = make("？", ("a", True, "对。"), ("b", False, "b"), ("c", True, "对。c"))
    assert asked.answered_by(chosen) is right
    assert not asked.answered_by([*chosen, 1])


# Shown


def shown(lesson, monkeypatch):
    """What quiz(lesson) puts out, its MIME types and the arguments of display."""
    calls = []
    monkeypatch.setattr(quiz_view, "display", lambda data, **how: calls.append((data, how)))
    exercises.quiz(lesson)
    ((view, _),) = calls
    view._ipython_display_()
    (_, (data, how)) = calls
    assert how == {"raw": True} and data[VIEW]["model_id"] == view.model_id
    return {kind: text for kind, text in data.items() if kind != VIEW}


def test_a_quiz_is_one_output_of_a_view_and_a_text_that_is_the_same_on_each_run(monkeypatch):
    text = shown("03", monkeypatch)
    assert text == shown("03", monkeypatch)
    assert text == {
        "text/html": quiz_text.as_html(QUESTIONS["03"]),
        "text/plain": quiz_text.as_text(QUESTIONS["03"]),
    }


@pytest.mark.parametrize("lesson", LESSONS)
def test_as_text_it_is_complete(lesson):
    text = quiz_text.as_text(QUESTIONS[lesson])
    for question in QUESTIONS[lesson]:
        assert text.count(question.text) == 1
        assert all(option.text in text and option.feedback in text for option in question.options)
    assert text.index("答案") > max(text.index(question.text) for question in QUESTIONS[lesson])


class Folds(HTMLParser):
    """The text of a page, outside and inside its folds."""

    def __init__(self, html):
        super().__init__()
        self.depth, self.open, self.folded = 0, "", ""
        self.feed(html)
        self.close()
        assert self.depth == 0

    def handle_starttag(self, tag, attributes):
        self.depth += tag == "details"

    def handle_endtag(self, tag):
        self.depth -= tag == "details"

    def handle_data(self, data):
        if self.depth:
            self.folded += data
        else:
            self.open += data


@pytest.mark.parametrize("lesson", LESSONS)
def test_as_html_it_shows_the_questions_and_folds_the_answers(lesson):
    page = Folds(quiz_text.as_html(QUESTIONS[lesson]))
    for question in QUESTIONS[lesson]:
        assert question.text in page.open
        assert all(option.text in page.open for option in question.options)
        assert all(option.feedback in page.folded for option in question.options)
    assert "✓" not in page.open and "✗" not in page.open
    assert page.folded.count("✓") == sum(len(rights(question)) for question in QUESTIONS[lesson])


def test_as_html_the_questions_stay_text():
    page = Folds(quiz_text.as_html((make("a < b？", ("<b>是</b>", True, "对。&amp;")),)))
    assert "a < b？" in page.open and "<b>是</b>" in page.open and "&amp;" in page.folded


def test_in_lecture_mode_it_says_so_to_the_page():
    style.lecture()
    try:
        assert QuizView("03")._dom_classes == ("course-quiz", "course-quiz-lecture")
    finally:
        style.lecture(False)
    assert QuizView("03")._dom_classes == ("course-quiz",)


def test_script_and_style_need_nothing_else():
    view = QuizView("03")
    assert "export default { render }" in view._esm and ".course-quiz" in view._css
    for forbidden in ("import ", "http://", "https://", "url(", "innerHTML", "insertAdjacentHTML", "eval("):
        assert forbidden not in view._esm + view._css


# Kept


def test_the_view_gets_the_questions_as_data():
    view = QuizView("02")
    assert view.answers == [[] for _ in QUESTIONS["02"]]
    assert [asked["text"] for asked in view.questions] == [question.text for question in QUESTIONS["02"]]
    assert [asked["several"] for asked in view.questions] == [False, False, False, True]
    assert view.questions[3]["options"][1] == {
        "text": "K 和 V 的行数",
        "right": True,
        "feedback": "对。每个词元既有键又有值，都是 L 行。",
    }
    json.dumps(view.get_state())


def test_the_best_result_is_kept():
    view = QuizView("02")
    wrong = [[0], [1], [1], [0]]
    right = [rights(question) for question in QUESTIONS["02"]]
    for answers, now, best in (
        ([right[0], [], [], []], 1, 1),
        ([right[0], wrong[1], right[2], right[3][:1]], 2, 2),
        (wrong, 0, 2),
        ([*right[:3], right[3][::-1]], 4, 4),
    ):
        view.answers = answers
        assert (view.right(), progress_file.quizzes()) == (now, {"02": best})
    QuizView("02").answers = [right[0], [], [], []]
    assert progress_file.quizzes() == {"02": 4}, "another run forgets nothing"


def test_a_folder_that_cannot_be_written_is_told_to_the_view(monkeypatch):
    view = QuizView("03")
    monkeypatch.setattr(progress_file, "_write", lambda **changes: False)
    view.answers = [rights(QUESTIONS["03"][0]), [], [], []]
    assert view.kept is False
