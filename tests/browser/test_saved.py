"""A lesson that was run, saved and closed: opened again, its views are there and move, with no kernel that knows them."""

import pytest
from support.browsers import SIZE
from support.jupyterlab import Notebook

VIEWS = ("Saturation", "Scores", "Fusion", "Sizes", "OwnSentence")
SIGN = "node => getComputedStyle(node, '::before').content"


@pytest.fixture(scope="module")
def reopened(browser, lab, notebook):
    address, _ = lab
    saved = notebook("from course_utils import explorers", *(f"explorers.{name}()" for name in VIEWS))
    saved.page.wait_for_selector(".sa-sentence")
    saved.command("docmanager:save")
    saved.page.evaluate("() => inTime(jupyterapp.shell.currentWidget.sessionContext.shutdown())")
    again = Notebook(browser.new_page(viewport=SIZE), address, saved.name)
    again.open()
    yield again
    again.close()


def test_each_view_is_there_without_a_run(reopened):
    for name in VIEWS:
        reopened.page.wait_for_selector(f".sa-{'sentence' if name == 'OwnSentence' else name.lower()}")
    assert "model not found" not in reopened.page.locator(".jp-Notebook").inner_text()
    assert reopened.ask("print('explorers' in globals())") == "False\n"
    reopened.screenshot("saved")


def test_no_sign_of_a_broken_chain(reopened):
    parts = reopened.page.locator(
        ".sa-panel .jupyter-widgets-disconnected, .sa-panel.jupyter-widgets-disconnected"
    )
    assert parts.count() > len(VIEWS)
    assert {part.evaluate(SIGN) for part in parts.all()} == {"none"}


def test_the_views_move(reopened):
    before = reopened.values("A")
    reopened.slider("dₖ").first.press("End")
    assert reopened.values("A") != before
    reopened.page.get_by_role("button", name="softmax 用错方向").click()
    assert "✗" in reopened.page.locator(".sa-scores").inner_text()


def test_the_one_view_that_needs_the_kernel_says_so(reopened):
    box = reopened.page.get_by_role("textbox", name="你的句子")
    box.fill("我 喜欢 足球")
    box.press("Enter")
    reopened.page.locator(".sa-sentence").get_by_text("请重新运行这个单元").wait_for()
    assert reopened.errors == []
