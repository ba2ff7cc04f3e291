"""Scores, fusion, sizes and own sentence in a real JupyterLab."""

import json

import pytest

SETUP = "from course_utils import explorers"
DOTS = [0, 2, 3, 0, 4, 0, 0, 4, 0, 0, 0, 4, 0, 4, 6, 0]


@pytest.fixture(scope="module")
def page(notebook):
    opened = notebook(
        SETUP,
        "scores = explorers.Scores(); scores",
        "fusion = explorers.Fusion(); fusion",
        "sizes = explorers.Sizes(); sizes",
        "own = explorers.OwnSentence(); own",
    )
    for name in ("scores", "fusion", "sizes", "sentence"):
        opened.page.wait_for_selector(f".sa-{name}")
    opened.page.wait_for_timeout(500)
    return opened


@pytest.fixture
def opened(page):
    page.errors.clear()
    yield page
    page.page.mouse.up()
    assert page.errors == []


def text(opened, name):
    return opened.page.locator(f".sa-{name}").inner_text()


def tensor(opened, expression):
    return json.loads(opened.ask(f"print({expression}.flatten().tolist())"))


# Scores


def test_scores_stages_equal_torch(opened):
    for stage, expected in (
        ("得分 QKᵀ", "scores.scores()"),
        ("缩放后 S", "scores.scores()"),
        ("权重 A", "scores.weights()"),
    ):
        opened.page.get_by_role("button", name=stage).click()
        opened.settle()
        assert opened.values("S") == pytest.approx(tensor(opened, expected), abs=1e-5)
        if stage.startswith("得分"):
            assert opened.values("S") == DOTS


def test_scores_cell_by_pointer_and_by_keys(opened):
    opened.page.get_by_role("button", name="得分 QKᵀ").click()
    cells = opened.page.locator(".sa-scores td[data-name=S]")
    cells.nth(11).hover()
    assert "q_打 · k_篮球 = 0×0 + 0×0 + 2×2 = 4" in text(opened, "scores")
    cells.nth(11).focus()
    opened.page.keyboard.press("ArrowLeft")
    opened.page.keyboard.press("ArrowUp")
    assert "q_喜欢 · k_打 = 4×0 + 0×3 + 2×0 = 0" in text(opened, "scores")
    lit = opened.page.locator(".sa-scores tr.sa-lit th").all_inner_texts()
    assert lit == ["喜欢", "喜欢", "打"]
    for _ in range(9):
        opened.page.keyboard.press("ArrowRight")
    assert "k_篮球" in text(opened, "scores")
    for _ in range(9):
        opened.page.keyboard.press("ArrowDown")
    assert "q_篮球 · k_篮球" in text(opened, "scores")
    assert cells.nth(15).evaluate("node => node === document.activeElement"), "JupyterLab took the key"


def test_scores_steps_are_equal_each_to_itself(opened):
    opened.page.get_by_role("button", name="权重 A").click()
    opened.page.locator(".sa-scores td[data-name=S]").nth(11).hover()
    equation = opened.page.locator(".sa-scores p[data-value]").inner_text()
    assert equation == (
        "q_打 · k_篮球 = 0×0 + 0×0 + 2×2 = 4 → 4 ÷ √3 = 2.309 → e^2.309 ÷ 这一行的总和 = 0.770"
    )
    opened.screenshot("scores_steps")


def test_wrong_axis_by_one_click(opened):
    opened.page.get_by_role("button", name="得分 QKᵀ").click()
    opened.page.get_by_role("button", name="softmax 用错方向").click()
    opened.settle()
    assert opened.values("S") == pytest.approx(tensor(opened, "scores.weights()"), abs=1e-5)
    columns = [sum(opened.values("S")[j::4]) for j in range(4)]
    assert columns == pytest.approx([1] * 4)
    assert opened.page.locator(".sa-scores .sa-sum.sa-bad").count() == 4
    opened.page.get_by_role("button", name="softmax 用错方向").click()
    assert opened.page.locator(".sa-scores .sa-sum.sa-bad").count() == 0
    assert opened.values("row-sum") == pytest.approx([1] * 4)


# Fusion


def test_fusion_tokens_and_sentences_equal_torch(opened):
    for sentence in ("电话", "篮球"):
        opened.page.get_by_role("button", name=sentence, exact=True).click()
        for token in ("我", "喜欢", "篮球/电话", "打"):
            opened.page.get_by_role("button", name=token, exact=True).click()
            opened.settle()
            terms = opened.values("term")
            assert terms[::5] == pytest.approx(tensor(opened, "fusion.weights()"), abs=1e-5)
            b = [sum(terms[3::5]), sum(terms[4::5])]
            assert b == pytest.approx(tensor(opened, "fusion.fused()"), abs=1e-5)
    assert b == pytest.approx([1.5409, 0.1530], abs=5e-5)


def test_fusion_writes_one_minus_sign(opened):
    opened.page.get_by_role("button", name="电话", exact=True).click()
    opened.page.get_by_role("button", name="打", exact=True).click()
    assert "b_打 = (−1.541, 0.153)" in text(opened, "fusion")
    assert "-" not in text(opened, "fusion")
    opened.page.get_by_role("button", name="篮球", exact=True).click()


@pytest.mark.parametrize("name", ["a 我", "a 喜欢", "a 打", "a 篮球/电话"])
def test_fusion_weights_dragged(opened, name):
    opened.settle()
    opened.sent.clear()
    before = opened.values("term")
    opened.drag(opened.slider(name))
    opened.page.wait_for_timeout(400)
    weights = opened.values("term")[::5]
    assert opened.values("term") != before
    assert min(weights) >= 0 and sum(weights) == pytest.approx(1)
    assert opened.sent == []
    opened.release()
    assert tensor(opened, "fusion.weights()") == pytest.approx(opened.values("term")[::5], abs=1e-5)
    opened.page.get_by_role("button", name="回到真实的权重").click()
    opened.settle()
    real = tensor(opened, "fusion.traces[fusion.view.sentence].A[fusion.view.token]")
    assert opened.values("term")[::5] == pytest.approx(real, abs=1e-5)


def test_fusion_weights_by_keys(opened):
    opened.slider("a 喜欢").press("End")
    assert opened.values("term")[::5] == pytest.approx([0, 1, 0, 0])
    opened.slider("a 喜欢").press("Home")
    assert opened.values("term")[::5] == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])
    opened.page.get_by_role("button", name="回到真实的权重").click()


# Sizes


@pytest.mark.parametrize("name", ["L", "D", "d_k", "d_v"])
def test_sizes_each_slider(opened, name):
    opened.settle()
    opened.sent.clear()
    opened.drag(opened.slider(name))
    opened.page.wait_for_timeout(300)
    assert opened.sent == []
    opened.release()
    for key in ("Home", "End"):
        opened.slider(name).press(key)
        opened.settle()
        shown = opened.page.locator(".sa-sizes [data-name=size]").all_text_contents()
        shapes = opened.ask(
            "t = sizes.trace(); print(*(f'{m.shape[0]}×{m.shape[1]}' for m in"
            " (t.X, t.W_Q, t.W_K, t.W_V, t.Q, t.K.T, t.V, t.S, t.A, t.B)))"
        ).split()
        assert shown == shapes
        assert opened.values("parameters") == [int(opened.ask("print(sizes.parameters())"))]


def test_sizes_that_cannot_be_multiplied(opened):
    opened.slider("d_k").press("Home")
    other = opened.slider("W_K 的 d_k")
    track = other.locator("xpath=ancestor::*[contains(@class, 'noUi-target')]")
    before = other.get_attribute("aria-valuenow")
    other.press("End")
    assert other.get_attribute("aria-valuenow") == before, "it would change nothing while the box is empty"
    assert float(track.evaluate("node => getComputedStyle(node).opacity")) < 0.5
    opened.page.get_by_label("W_Q 与 W_K 的 d_k 不同").check()
    other.press("Home")
    assert "现在都是 1，链条没有断" in text(opened, "sizes")
    opened.settle()
    opened.sent.clear()
    opened.drag(other)
    opened.page.wait_for_timeout(300)
    assert opened.sent == []
    opened.release()
    other.press("End")
    assert "Q 的列数 1 不等于 Kᵀ 的行数 12" in text(opened, "sizes")
    assert opened.page.locator(".sa-sizes .sa-broken").count() == 1
    opened.settle()
    assert "ValueError" in opened.ask("sizes.weights()")
    opened.screenshot("sizes_broken")
    opened.page.get_by_label("W_Q 与 W_K 的 d_k 不同").uncheck()
    assert "每一步都能相乘" in text(opened, "sizes")


# Own sentence


def type_sentence(opened, sentence):
    box = opened.page.get_by_role("textbox", name="你的句子")
    box.fill(sentence)
    box.press("Enter")
    opened.settle()


def test_own_sentence_equals_torch(opened):
    for sentence in ("我喜欢踢足球", "我 喜欢 打 羽毛球"):
        type_sentence(opened, sentence)
        assert f"「{sentence}」" in text(opened, "sentence")
        shown = opened.page.locator(".sa-sentence [data-name=A]").evaluate_all(
            "nodes => nodes.map(node => Number(node.dataset.value))"
        )
        assert shown == pytest.approx(tensor(opened, "own.weights()"), abs=1e-5)


def test_own_sentence_shows_markup_and_messages_as_text(opened):
    dialogs = []
    opened.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    type_sentence(opened, "<img src=x onerror=alert(1)>")
    assert "<img src=x onerror=alert(1)>" in text(opened, "sentence")
    assert opened.page.locator(".sa-sentence img").count() == 0
    assert dialogs == []
    type_sentence(opened, "！？")
    assert "只有标点" in text(opened, "sentence")
    assert opened.page.locator(".sa-sentence table").count() == 0


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
    assert "「我喜欢打电话」" in text(opened, "sentence")
    assert opened.errors == []
    opened.page.evaluate(
        "() => inTime(jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart())"
    )
    box.fill("我喜欢打篮球")
    box.press("Enter")
    silent.wait_for()
    opened.screenshot("sentence_silent")
