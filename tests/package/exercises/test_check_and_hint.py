"""What a student calls: check, hint and progress."""

import json
from pathlib import Path

import pytest
import torch

from course_utils import exercises
from course_utils.exercises import picture, progress_file
from course_utils.exercises.callout import Callout


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
    assert 'hint("3.2")' in note.text and progress_file.done() == set()


def test_check_of_an_untouched_cell_shows_one_line_and_goes_on(shown):
    exercises.check("3.2", lambda S: ...)
    (note,) = shown
    assert note.text == "○ 练习 3.2 按行 softmax：待完成：把 ... 换成你的代码，再运行这一格。"


def test_a_passed_check_is_remembered_in_the_folder(shown, folder):
    exercises.check("3.2", lambda S: torch.softmax(S, -1))
    assert shown[-1].text == "✓ 练习 3.2 按行 softmax：通过。"
    exercises.check("3.3", "打")
    assert len(shown) == 3, "a value has no picture"
    assert json.loads((folder / progress_file.FILE_NAME).read_text()) == {"done": ["3.2", "3.3"]}
    exercises.check("3.2", lambda S: S)
    assert progress_file.done() == {"3.2", "3.3"}, "what was solved once stays solved"


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "null", '{"done": 3}', '{"done": [["3.2"], 4]}', "\x00\ud7ff"]
)
def test_a_damaged_progress_file_counts_as_empty_and_is_mended(folder, damage, shown):
    (folder / progress_file.FILE_NAME).write_text(damage, encoding="utf-8")
    assert progress_file.done() == set()
    exercises.check("1.3", (6, 512))
    assert progress_file.done() == {"1.3"}


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
    html = Callout("<img src=x onerror=alert(1)>\n&", "bad")._repr_html_()
    assert "&lt;img src=x" in html and "<img" not in html and "<br>&amp;" in html
