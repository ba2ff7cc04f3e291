"""What a lesson calls: check, hint, progress, quiz; and the sections that go into the lessons."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from support.lessons import read_notebook

from course_utils import exercises
from course_utils.exercises import picture, quizzes, record
from course_utils.exercises.catalogue import EXERCISES, find, of_lesson
from course_utils.exercises.judge import judge
from course_utils.exercises.note import Note
from course_utils.exercises.questions import QUESTIONS
from tools.build.exercise_cells import section
from tools.build.generate import put_exercises
from tools.build.lessons import LESSONS
from tools.build.solutions import fill_in
from tools.build.tags import SECTION, tagged

SCORES = LESSONS[3]
WITH_EXERCISES = [lesson for lesson in LESSONS if of_lesson(lesson.number)]
each_section = pytest.mark.parametrize("lesson", WITH_EXERCISES, ids=lambda lesson: lesson.stem)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exercises._hints_given.clear()
    return tmp_path


@pytest.fixture
def shown(monkeypatch):
    things = []
    monkeypatch.setattr(exercises, "display", things.append)
    return things


def test_check_shows_a_picture_then_the_verdict(shown):
    exercises.check("3.2", lambda S: torch.softmax(S, 0))
    figure, note = shown
    assert figure.alt.startswith("输入、应有的 A 和你的 A。14 格不同")
    assert note.tone == "bad" and note.text.startswith("✗ 练习 3.2 按行 softmax：softmax 的轴错了")
    assert 'hint("3.2")' in note.text and record.done() == set()


def test_check_of_an_untouched_cell_shows_one_line_and_goes_on(shown):
    exercises.check("3.2", lambda S: ...)
    (note,) = shown
    assert note.text == "○ 练习 3.2 按行 softmax：待完成：把 ... 换成你的代码，再运行这一格。"


def test_a_passed_check_is_remembered_in_the_folder(shown, folder):
    exercises.check("3.2", lambda S: torch.softmax(S, -1))
    assert shown[-1].text == "✓ 练习 3.2 按行 softmax：通过。"
    exercises.check("3.3", "打")
    assert len(shown) == 3, "a value has no picture"
    assert json.loads((folder / record.FILE_NAME).read_text()) == {"done": ["3.2", "3.3"]}
    text = exercises.progress().text
    assert text.startswith("完成 2/20") and "✓ 3.2 按行 softmax" in text and "○ 3.1 所有点积" in text
    exercises.check("3.2", lambda S: S)
    assert record.done() == {"3.2", "3.3"}, "what was solved once stays solved"


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "null", '{"done": 3}', '{"done": [["3.2"], 4]}', "\x00\ud7ff"]
)
def test_a_damaged_progress_file_counts_as_empty_and_is_mended(folder, damage, shown):
    (folder / record.FILE_NAME).write_text(damage, encoding="utf-8")
    assert record.done() == set()
    exercises.check("1.3", (6, 512))
    assert record.done() == {"1.3"}


def test_a_folder_that_cannot_be_written_is_said(shown, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError

    monkeypatch.setattr(Path, "write_text", refuse)
    exercises.check("1.3", (6, 512))
    assert "进度没有存下来" in shown[-1].text and shown[-1].tone == "good"


def test_prints_stand_above_the_picture(shown, capsys):
    exercises.check("3.2", lambda S: print("看看", S.shape) or torch.softmax(S, -1))
    assert capsys.readouterr().out == "看看 torch.Size([4, 4])\n", "of four cases the first alone is shown"
    assert len(shown) == 2


def test_a_picture_that_cannot_be_drawn_costs_no_verdict(shown, monkeypatch):
    def broken(*args):
        raise KeyError("odd")

    monkeypatch.setattr(picture, "attempt", broken)
    exercises.check("3.2", lambda S: torch.softmax(S, 0))
    (note,) = shown
    assert "softmax 的轴错了" in note.text and "图没有画出来" in note.text and "KeyError" in note.text


def test_a_very_large_answer_is_not_drawn():
    verdict = judge(find("3.2"), lambda S: torch.ones(3000, 3000))
    figure = picture.attempt(find("3.2").asks, verdict.case, verdict.given)
    assert "你的 A 有 3000×3000，太大了，没有画" in figure.alt
    start = time.monotonic()
    figure._repr_png_()
    assert time.monotonic() - start < 2


def test_an_unknown_exercise_is_said_in_chinese():
    for call in (lambda: exercises.check("9.9", 1), lambda: exercises.hint("9.9")):
        with pytest.raises(ValueError, match="没有编号为 '9"):
            call()
    with pytest.raises(ValueError, match="没有小测验"):
        exercises.quiz("00")


def test_hints_come_one_more_each_time_and_end():
    counts = [exercises.hint("3.2").text.count("提示 ") for _ in range(5)]
    assert counts == [1, 2, 3, 3, 3]
    assert "最后一条" in exercises.hint("3.2").text
    assert exercises.hint("3.1").text.count("提示 ") == 1


def test_a_note_shows_the_students_text_literally():
    html = Note("<img src=x onerror=alert(1)>\n&", "bad")._repr_html_()
    assert "&lt;img src=x" in html and "<img" not in html and "<br>&amp;" in html


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("1.1", lambda onehot, E: onehot @ E + 1),
        ("3.1", lambda Q, K: Q @ K),
        ("3.2", lambda S: torch.exp(S) / torch.exp(S).sum(-1, keepdim=True)),
        ("3.2", lambda S: torch.tensor(1.0)),
        ("3.2", lambda S: torch.ones(2, 3, 4, 5)),
        ("3.2", lambda S: torch.ones(64, 64)),
        ("5.1", lambda A, V, i: A[:, i] @ V),
        (
            "6.1",
            lambda Q, K, V: (torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, -1) @ V, torch.softmax(Q @ K.T, -1)),
        ),
    ],
)
def test_any_attempt_can_be_drawn(id, answer):
    verdict = judge(find(id), answer)
    figure = picture.attempt(find(id).asks, verdict.case, verdict.given)
    png, _ = figure._repr_png_()
    assert png.startswith(b"\x89PNG")


def test_the_picture_frames_just_the_cells_that_differ():
    def almost(S):
        A = torch.softmax(S, -1)
        A[0, 1] += 0.1
        return A

    verdict = judge(find("3.2"), almost)
    figure = picture.attempt(find("3.2").asks, verdict.case, verdict.given)
    framed = [p for ax in figure.axes for p in ax.patches if not p.get_fill()]
    assert len(framed) == 1 and "1 格不同" in figure.alt
    right = picture.attempt(find("3.2").asks, verdict.case, (torch.softmax(verdict.case.inputs["S"], -1),))
    assert [p for ax in right.axes for p in ax.patches if not p.get_fill()] == []


def test_each_lesson_has_three_to_five_questions_with_feedback_on_every_option():
    assert sorted(QUESTIONS) == [lesson.number for lesson in WITH_EXERCISES]
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
    monkeypatch.setattr(quizzes, "display", shown.append)
    exercises.quiz("03")
    exercises.quiz("03")
    page, script, text, *again = shown
    assert [part.data for part in again[:2]] == [page.data, script.data]
    assert script.data.startswith("((MathJax) => {"), (
        "a MathJax in the page would make it load one from a CDN"
    )
    for question in QUESTIONS["03"]:
        assert question.text in str(text) and all(option.feedback in str(text) for option in question.options)


@each_section
def test_the_quiz_as_html_is_folded_and_complete(lesson):
    questions = QUESTIONS[lesson.number]
    html = quizzes.AsText(questions)._repr_html_()
    assert html.count("<details>") == html.count("</details>") == 2
    assert html.count("✓") == sum(option.right for question in questions for option in question.options)


@each_section
def test_a_section_shows_each_stub_and_its_folded_solution(lesson):
    cells = section(lesson)
    sources = [cell.source for cell in cells]
    for exercise in of_lesson(lesson.number):
        k = sources.index(exercise.cell(exercise.stub))
        assert exercise.title in sources[k - 1] and f"约 {exercise.minutes} 分钟" in sources[k - 1]
        assert "<details>" in sources[k + 1] and exercise.solution in sources[k + 1]
        assert "..." in exercise.stub and "..." not in exercise.solution and "«" not in "".join(sources)
    for cell in cells:
        assert tagged(cell, *SECTION)
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 16


@pytest.fixture
def notebook():
    """A cell and a summary; exercises are put between them."""
    summary = new_markdown_cell("## 小结\n\n我们做了", metadata={"tags": ["summary"]})
    return new_notebook(cells=[new_code_cell("1"), summary])


def test_a_section_is_put_before_the_summary_and_replaced_when_there_is_one(notebook):
    put_exercises(notebook, SCORES)
    sources = [cell.source for cell in notebook.cells]
    assert sources[0] == "1" and sources[1].startswith("## 练习") and sources[-1].startswith("## 小结")
    put_exercises(notebook, SCORES)
    assert [cell.source for cell in notebook.cells] == sources
    with pytest.raises(ValueError, match="没有标签为 summary 的一格"):
        put_exercises(new_notebook(cells=notebook.cells[:-1]), SCORES)


def test_a_cell_of_ones_own_among_the_exercises_stays(notebook):
    put_exercises(notebook, SCORES)
    notebook.cells.insert(4, new_markdown_cell("自己的笔记"))
    put_exercises(notebook, SCORES)
    assert notebook.cells[1].source == "自己的笔记"


def test_answers_are_filled_in_once(notebook):
    put_exercises(notebook, SCORES)
    fill_in(notebook, SCORES)
    assert find("3.2").cell(find("3.2").solution) in [cell.source for cell in notebook.cells]
    with pytest.raises(ValueError, match="0 times"):
        fill_in(notebook, SCORES)


def test_adding_an_exercise_is_adding_one_entry(monkeypatch, shown):
    new = replace(find("3.3"), id="3.4", title="新的一题")
    monkeypatch.setattr(exercises.catalogue, "EXERCISES", (*EXERCISES, new))
    assert any("新的一题" in cell.source for cell in section(SCORES))
    exercises.check("3.4", "打")
    assert shown[-1].text.startswith("✓ 练习 3.4 新的一题")


@each_section
def test_the_lesson_holds_the_section_that_the_list_gives(lesson):
    cells = [(cell.source, cell.metadata.get("tags")) for cell in read_notebook(lesson).cells]
    wanted = [(cell.source, cell.metadata["tags"]) for cell in section(lesson)]
    start = cells.index(wanted[0])
    assert cells[start : start + len(wanted)] == wanted
    assert cells[start + len(wanted)][1] == ["summary"]
