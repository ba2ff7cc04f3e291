"""What an answer displays, draws and logs appears once, for the first case, like what it prints. In a real kernel."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

SETUP = """
import logging, threading
import matplotlib.pyplot as plt
import torch
from IPython.display import display
from course_utils.exercises import check
logging.basicConfig(format="%(message)s")
"""
ANSWER = """
def my_softmax(S):
    display("由 display 显示")
    plt.plot([1, 2])
    plt.show()
    plt.figure()
    plt.plot([2, 1])
    logging.warning("日志")
    print("打印")
    return torch.softmax(S, dim=-1)
check("3.2", my_softmax)
"""
MANY = """
def my_softmax(S):
    logging.basicConfig(format="%(message)s", force=True)
    for k in range(9):
        display(f"第 {k} 个")
    logging.warning("日志")
    other = threading.Thread(target=display, args=("别的线程",))
    other.start()
    other.join()
    return torch.softmax(S, dim=-1)
check("3.2", my_softmax)
"""
AFTER = """
logging.warning("我的日志")
print("我的打印")
display("我的显示")
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Of each cell, what it shows: the text, or the kind of thing that is shown."""
    notebook = new_notebook(cells=[new_code_cell(code) for code in (SETUP, ANSWER, MANY, AFTER)])
    folder = tmp_path_factory.mktemp("notebook")
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    nbformat.validate(notebook)
    return [[_in_short(output) for output in cell.outputs] for cell in notebook.cells]


def _in_short(output):
    if output.output_type == "stream":
        return output.text.strip()
    return output.data["text/plain"].split("\n")[0][:12]


def test_each_is_shown_once_and_above_the_verdict(outputs):
    prints, shown, drawn, left_open, verdict, picture = outputs[1]
    assert prints == "日志\n打印"
    assert (
        shown == "'由 display 显示'"[:12] and drawn.startswith("<Figure") and left_open.startswith("<Figure")
    )
    assert verdict.startswith("✓ 练习 3.2") and picture.startswith("输入、应有的 A")


def test_a_flood_is_cut_and_counted_and_other_threads_display_as_ever(outputs):
    shown = outputs[2]
    assert [text for text in shown if text.startswith("'第")] == [f"'第 {k} 个'" for k in range(5)]
    assert [text for text in shown if "日志" in text] == ["日志\n（后面还有 4 个 display 或图，没有显示）"]
    assert shown.count("'别的线程'") == 4, "once per case: it is not the answer's own"


def test_afterwards_all_is_shown_as_before(outputs):
    assert sorted(outputs[3]) == sorted(["我的日志", "我的打印", "'我的显示'"])
