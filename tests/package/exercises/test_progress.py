"""What is done: the file that holds it, older and damaged ones too, and the list that follows it."""

import json
import re

import pytest
import torch

from course_utils import exercises
from course_utils.exercises import progress_file, progress_list
from course_utils.exercises.catalogue import EXERCISES, QUESTIONS
from course_utils.exercises.progress_list import ProgressList
from course_utils.exercises.quiz_view import QuizView


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress_list, "_shown", None)
    return tmp_path / progress_file.FILE_NAME


def test_results_stand_beside_the_exercises_in_the_file(file):
    progress_file.add_quiz("03", 2)
    progress_file.add("3.2")
    progress_file.add_quiz("03", 1)
    progress_file.add_quiz("04", 5)
    assert json.loads(file.read_text("utf-8")) == {"done": ["3.2"], "quiz": {"03": 2, "04": 5}}


def test_a_file_of_an_older_version_is_read_and_one_of_a_newer_loses_nothing(file):
    file.write_text('{"done": ["1.1"]}', encoding="utf-8")
    assert (progress_file.done(), progress_file.quizzes()) == ({"1.1"}, {})
    file.write_text('{"done": ["1.1"], "later": [1]}', encoding="utf-8")
    progress_file.add_quiz("01", 1)
    assert json.loads(file.read_text("utf-8")) == {"done": ["1.1"], "later": [1], "quiz": {"01": 1}}


def test_an_older_version_can_read_a_file_that_holds_a_quiz_only(file):
    progress_file.add_quiz("01", 1)
    assert json.loads(file.read_text("utf-8"))["done"] == []


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"done": 3, "quiz": [1]}', '{"done": {"1.1": 1}, "quiz": {"01": "4"}}']
)
def test_a_damaged_file_counts_as_none(file, content):
    file.write_text(content, encoding="utf-8")
    assert (progress_file.done(), progress_file.quizzes()) == (set(), {})
    assert progress_file.add("1.1") and progress_file.add_quiz("01", 2)
    assert (progress_file.done(), progress_file.quizzes()) == ({"1.1"}, {"01": 2})


def test_the_list_names_everything_with_a_sign(file):
    file.write_text(f'{{"done": ["3.2"], "quiz": {{"02": 3, "03": {len(QUESTIONS["03"])}}}}}', "utf-8")
    text = repr(ProgressList())
    assert text.startswith(f"完成 1/{len(EXERCISES)}\n")
    for line in (
        "✓ 3.2 按行 softmax",
        "○ 3.1 所有点积",
        "✓ 小测验 03：4/4",
        "○ 小测验 02：3/4",
        "○ 小测验 01：0/4",
    ):
        assert line in text
    page = re.sub(r"<[^>]*>", "\n", ProgressList()._repr_html_())
    assert [part for part in re.split(r"[\n　]+", page) if part] == re.split(
        r"[\n　]+", text.replace(" 课　", " 课\n")
    )


class Handle:
    def __init__(self):
        self.shown = []

    def update(self, thing):
        self.shown.append(repr(thing))


def test_a_list_that_was_shown_follows_checks_and_quizzes(monkeypatch):
    handle, calls = Handle(), []
    monkeypatch.setattr(exercises, "display", lambda thing: None)
    monkeypatch.setattr(progress_list, "display", lambda thing, **how: calls.append((thing, how)) or handle)
    exercises.check("3.2", lambda S: torch.softmax(S, -1))
    assert exercises.progress() is None
    ((first, how),) = calls
    assert "✓ 3.2" in repr(first) and how == {"display_id": "course-progress"}
    assert handle.shown == [], "nothing to update before a list is shown"
    exercises.check("3.3", "喜欢")
    assert handle.shown == []
    exercises.check("3.3", "打")
    assert "✓ 3.3" in handle.shown[-1]
    QuizView("03").answers = [[0], [2], [3], [0]]
    assert "小测验 03：" in handle.shown[-1] and "小测验 03：0" not in handle.shown[-1]
