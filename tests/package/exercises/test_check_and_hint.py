"""What a student calls: check, hint and progress."""

import json
import signal
import threading
import time
from pathlib import Path

import pytest
import torch

from course_utils import exercises
from course_utils.exercises import picture, progress_file
from course_utils.exercises.callout import Callout
from course_utils.exercises.catalogue import EXERCISES
from course_utils.interruption import Interrupted


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


def test_check_shows_the_verdict_then_a_picture(shown):
    exercises.check("3.2", lambda S: torch.softmax(S, 0))
    note, figure = shown
    assert figure.alt.startswith("输入、应有的 A 和你的 A。14 格不同")
    assert note.tone == "bad" and note.text.startswith("✗ 练习 3.2 按行 softmax：softmax 的轴错了")
    assert 'hint("3.2")' in note.text and progress_file.done() == set()


def test_check_of_an_untouched_cell_shows_one_line_and_goes_on(shown):
    exercises.check("3.2", lambda S: ...)
    (note,) = shown
    assert note.text == "○ 练习 3.2 按行 softmax：待完成：把 ... 换成你的代码，再运行这一格。"


def test_a_passed_check_is_remembered_in_the_folder(shown, folder):
    exercises.check("3.2", lambda S: torch.softmax(S, -1))
    assert shown[0].text == "✓ 练习 3.2 按行 softmax：通过。\n做完了 1/20 题，接下来是 3.3 读热力图。"
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


def test_after_a_pass_the_next_open_exercise_is_named_across_lessons_and_round_the_end(shown):
    *others, last = (exercise.id for exercise in EXERCISES)
    for id in others[:5]:
        progress_file.add(id)
    exercises.check("3.3", "打")
    assert shown[-1].text.endswith("做完了 6/20 题，接下来是第 04 课的 4.1 除以什么。")
    for id in others[:-1]:
        progress_file.add(id)
    exercises.check(last, 4)
    assert shown[-1].text.endswith(f"做完了 19/20 题，接下来是 {others[-1]} SelfAttention，一行也不给。")
    progress_file.add(others[-1])
    exercises.check("3.3", "打")
    assert shown[-1].text.endswith("做完了 20/20 题：全部做完了。")


@pytest.mark.parametrize("call", [lambda id: exercises.check(id, 1), exercises.hint])
def test_an_id_without_quotes_is_asked_for_them(call):
    with pytest.raises(TypeError, match=r'要加引号：写成 "3.2"，不是 3.2。'):
        call(3.2)
    with pytest.raises(ValueError, match=r"没有编号为 3.9 的练习"):
        call(3.9)


def test_interrupting_a_check_ends_in_a_sentence_and_leaves_no_thread(shown):
    before = set(threading.enumerate())
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(Interrupted) as raised:
        exercises.check("3.2", lambda S: [time.sleep(0.01) for _ in range(400)])
    assert raised.value._render_traceback_() == [
        "练习 3.2 的批改中断了，还没有判断对错。再运行一次这个单元就行。"
    ]
    assert shown == [] and set(threading.enumerate()) - {timer} <= before


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
