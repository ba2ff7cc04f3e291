"""The progress bar passes its items on and counts them."""

import signal
import threading

import ipywidgets
import pytest

from course_utils import progress_bar as module
from course_utils.interruption import Interrupted
from course_utils.progress_bar import progress_bar


@pytest.fixture
def shown(monkeypatch):
    """What display() was given."""
    shown = []
    monkeypatch.setattr(module, "display", lambda data, raw: shown.append(data))
    return shown


@pytest.fixture
def bar(monkeypatch):
    """The bar that progress_bar() makes."""
    made = ipywidgets.IntProgress()
    monkeypatch.setattr(
        module.widgets, "IntProgress", lambda **traits: [setattr(made, *t) for t in traits.items()] and made
    )
    return made


def test_items_come_through_and_are_counted_when_done(bar, shown):
    seen = []
    for item in progress_bar("abc", "训练"):
        seen.append((item, bar.value, bar.description))
    assert seen == [("a", 0, "训练 0/3"), ("b", 1, "训练 1/3"), ("c", 2, "训练 2/3")]
    assert (bar.value, bar.max, bar.description, bar.bar_style) == (3, 3, "训练 3/3", "success")


def test_shown_once_as_a_widget_with_a_plain_text_that_never_changes(bar, shown):
    list(progress_bar([1, 2], "训练"))
    (data,) = shown
    assert data.pop("application/vnd.jupyter.widget-view+json")["model_id"] == bar.model_id
    assert data == {"text/plain": "训练"}


def test_interrupting_says_in_one_sentence_how_far_it_got(bar, shown):
    with pytest.raises(Interrupted) as raised:
        for item in progress_bar("abc", "训练"):
            if item == "b":
                signal.raise_signal(signal.SIGINT)
    assert raised.value._render_traceback_() == ["训练中断了，做完了 1/3。再运行这个单元，会从头开始。"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_after_the_last_item_and_after_a_break_interrupting_is_as_ever(bar, shown):
    for _ in progress_bar("abc", "训练"):
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        break
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert list(progress_bar("abc", "训练")) == list("abc")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_in_another_thread_the_items_come_through(bar, shown):
    seen = []
    thread = threading.Thread(target=lambda: seen.extend(progress_bar("abc", "训练")))
    thread.start()
    thread.join()
    assert seen == list("abc")


def test_stopping_early_leaves_the_bar_unfinished(bar, shown):
    for _ in progress_bar([1, 2], "训练"):
        break
    assert (bar.value, bar.bar_style) == (0, "")
