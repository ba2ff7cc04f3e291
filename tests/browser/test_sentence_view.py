"""Own sentence in a real JupyterLab: the kernel, the browser's segmenter, words to click."""

import json

import pytest

CELL = "from course_utils import explorers\nown = explorers.OwnSentence()\nown"


@pytest.fixture(scope="module")
def page(notebook):
    opened = notebook(CELL)
    opened.page.wait_for_selector(".sa-sentence")
    opened.page.wait_for_timeout(500)
    return opened


@pytest.fixture
def opened(page):
    page.errors.clear()
    yield page
    page.page.mouse.up()
    assert page.errors == []


def text(opened):
    return opened.page.locator(".sa-sentence").inner_text()


def tensor(opened, expression):
    return json.loads(opened.ask(f"print({expression}.flatten().tolist())"))


def type_sentence(opened, sentence):
    box = opened.page.get_by_role("textbox", name="你的句子")
    box.fill(sentence)
    box.press("Enter")
    opened.settle()


def test_own_sentence_equals_torch(opened):
    for sentence in ("我喜欢踢足球", "我 喜欢 打 羽毛球"):
        type_sentence(opened, sentence)
        assert f"「{sentence}」" in text(opened)
        shown = opened.page.locator(".sa-sentence [data-name=A]").evaluate_all(
            "nodes => nodes.map(node => Number(node.dataset.value))"
        )
        assert shown == pytest.approx(tensor(opened, "own.weights()"), abs=1e-5)


def test_own_sentence_shows_markup_and_messages_as_text(opened):
    dialogs = []
    opened.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    type_sentence(opened, "<img src=x onerror=alert(1)>")
    assert "<img src=x onerror=alert(1)>" in text(opened)
    assert opened.page.locator(".sa-sentence img").count() == 0
    assert dialogs == []
    type_sentence(opened, "！？")
    assert "只有标点" in text(opened)
    assert opened.page.locator(".sa-sentence table").count() == 0


def test_own_sentence_divided_by_the_browser(opened):
    type_sentence(opened, "今天天气真好，我们去打篮球！")
    opened.page.get_by_text("由浏览器切成").wait_for()
    opened.settle()
    tokens = opened.ask("print(*own.trace().tokens)").split()
    assert "".join(tokens).replace("*", "") == "今天天气真好我们去打篮球"
    assert tokens[-2:] == ["打", "篮球"]
    assert opened.page.locator(".sa-sentence tbody th").all_inner_texts() == tokens
    assert opened.values("A") == pytest.approx(tensor(opened, "own.weights()"), abs=1e-5)
    assert "不要解读" in text(opened)
    opened.page.get_by_role("button", name="我来改切法").click()
    box = opened.page.get_by_role("textbox", name="你的句子")
    opened.settle()
    assert box.input_value() == " ".join(tokens).replace("*", "")
    assert opened.page.locator(".sa-sentence tbody th").all_inner_texts() == tokens
    assert not opened.page.get_by_role("button", name="我来改切法").is_visible()


def test_words_to_click(opened):
    opened.page.get_by_role("button", name="清空", exact=True).click()
    opened.settle()
    assert "句子是空的" in text(opened)
    for word in ("我", "喜欢", "足球"):
        opened.page.get_by_role("button", name=word, exact=True).press("Enter")
    opened.settle()
    assert opened.ask("print(own.text.value)").strip() == "我喜欢足球"
    assert "「我喜欢足球」" in text(opened)
    type_sentence(opened, "我 爱")
    opened.page.get_by_role("button", name="篮球", exact=True).click()
    opened.settle()
    assert opened.page.get_by_role("textbox", name="你的句子").input_value() == "我 爱 篮球"


# A kernel that answers only when there is a file.
SLOW = """
import os, time
def wait(trace=own.trace):
    while not os.path.exists("answer"):
        time.sleep(0.05)
    return trace()
own.trace = wait
"""


def test_own_sentence_says_when_the_kernel_is_silent(page, lab):
    """The last test here: it ends the kernel of all the others."""
    opened = page
    assert opened.ask(SLOW) == ""
    silent = opened.page.get_by_text("内核没有回答，请重新运行这个单元")
    box = opened.page.get_by_role("textbox", name="你的句子")
    box.fill("我喜欢打电话")
    box.press("Enter")
    opened.page.wait_for_timeout(1000)
    assert silent.count() == 0
    silent.wait_for()
    (lab[1] / "answer").touch()
    silent.wait_for(state="detached")
    assert "「我喜欢打电话」" in text(opened)
    assert opened.errors == []
    opened.page.evaluate(
        "() => inTime(jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart())"
    )
    box.fill("我喜欢打篮球")
    box.press("Enter")
    silent.wait_for()
    opened.screenshot("sentence_silent")
