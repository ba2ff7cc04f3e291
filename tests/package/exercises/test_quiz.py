"""The quizzes: their questions, and how they are shown."""

import pytest

from course_utils import exercises
from course_utils.exercises import quiz_display
from course_utils.exercises.catalogue import EXERCISES, QUESTIONS

LESSONS = sorted({exercise.lesson for exercise in EXERCISES})


def test_each_lesson_has_three_to_five_questions_with_feedback_on_every_option():
    assert sorted(QUESTIONS) == LESSONS
    for questions in QUESTIONS.values():
        assert 3 <= len(questions) <= 5
        for question in questions:
            rights = [option.right for option in question.options]
            assert True in rights and False in rights
            assert len({option.feedback for option in question.options}) == len(rights)
            for text in (question.text, *(part for o in question.options for part in (o.text, o.feedback))):
                assert text and "$" not in text and "\\" not in text


def test_w_v_is_not_said_to_lose_its_gradient():
    (question,) = [q for q in QUESTIONS["04"] if "几乎收不到梯度" in q.text]
    assert {option.text: option.right for option in question.options} == {
        "W_Q": True,
        "W_K": True,
        "W_V": False,
    }


def test_a_quiz_is_the_same_on_each_run_and_reads_as_text(monkeypatch):
    shown = []
    monkeypatch.setattr(quiz_display, "display", shown.append)
    exercises.quiz("03")
    exercises.quiz("03")
    page, script, text, *again = shown
    assert [part.data for part in again[:2]] == [page.data, script.data]
    assert script.data.startswith("((MathJax) => {"), (
        "a MathJax in the page would make it load one from a CDN"
    )
    for question in QUESTIONS["03"]:
        assert question.text in str(text) and all(option.feedback in str(text) for option in question.options)


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_quiz_as_html_is_folded_and_complete(lesson):
    html = quiz_display.AsText(QUESTIONS[lesson])._repr_html_()
    assert html.count("<details>") == html.count("</details>") == 2
    assert html.count("✓") == sum(
        option.right for question in QUESTIONS[lesson] for option in question.options
    )
