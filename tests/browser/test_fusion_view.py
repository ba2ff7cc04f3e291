"""The view of the fusion in a real JupyterLab: weights and b by hand."""

import json

import pytest

CELL = "from course_utils import explorers\nfusion = explorers.Fusion()\nfusion"


@pytest.fixture(scope="module")
def page(notebook):
    opened = notebook(CELL)
    opened.page.wait_for_selector(".sa-fusion")
    opened.page.wait_for_timeout(500)
    return opened


@pytest.fixture
def opened(page):
    page.errors.clear()
    yield page
    page.page.mouse.up()
    assert page.errors == []


def choose(opened, sentence, token):
    opened.page.get_by_role("button", name=f"我喜欢打{sentence}", exact=True).click()
    opened.page.get_by_role("button", name=token, exact=True).click()


def drag(opened, node, *ways):
    """Presses on the middle of a node and moves by each of these ways from there, in pixels; lets the button down."""
    box = node.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    for right, down in ways:
        opened.page.mouse.move(x + right, y + down, steps=10)


def is_a_mean(opened):
    """The weights on screen, not below 0 and together 1; what is drawn is what they give."""
    terms = opened.values("term")
    weights = terms[::5]
    assert min(weights) >= 0 and sum(weights) == pytest.approx(1)
    drawn = opened.page.locator("[data-name=b]").get_attribute("data-value")
    assert [float(x) for x in drawn.split(",")] == pytest.approx([sum(terms[3::5]), sum(terms[4::5])])
    return weights


def text(opened):
    return opened.page.locator(".sa-fusion").inner_text()


def tensor(opened, expression):
    return json.loads(opened.ask(f"print({expression}.flatten().tolist())"))


def test_fusion_tokens_and_sentences_equal_torch(opened):
    for sentence in ("电话", "篮球"):
        for token in ("我", "喜欢", sentence, "打"):
            choose(opened, sentence, token)
            opened.settle()
            terms = opened.values("term")
            assert terms[::5] == pytest.approx(tensor(opened, "fusion.weights()"), abs=1e-5)
            b = [sum(terms[3::5]), sum(terms[4::5])]
            assert b == pytest.approx(tensor(opened, "fusion.fused()"), abs=1e-5)
    assert b == pytest.approx([1.5409, 0.1530], abs=5e-5)


def test_fusion_writes_one_minus_sign(opened):
    choose(opened, "电话", "打")
    assert "b打 = (−1.541, 0.153)" in text(opened)
    assert "-" not in text(opened)
    choose(opened, "篮球", "打")


@pytest.mark.parametrize("token", ["我", "喜欢", "打", "篮球"])
def test_fusion_weights_dragged(opened, token):
    opened.settle()
    opened.sent.clear()
    before = opened.values("term")
    drag(opened, opened.slider(f"给「{token}」的权重"), (60, 0), (-60, 0), (20, 0))
    opened.page.wait_for_timeout(400)
    assert opened.values("term") != before
    weights = is_a_mean(opened)
    assert 0.5 < weights["我 喜欢 打 篮球".split().index(token)] < 0.8
    assert opened.sent == []
    opened.release()
    assert 0 < len(opened.sent) < 4
    assert tensor(opened, "fusion.weights()") == pytest.approx(opened.values("term")[::5], abs=1e-5)
    opened.page.get_by_role("button", name="回到真实的权重").click()
    opened.settle()
    real = tensor(opened, "fusion.traces[fusion.view.sentence].A[fusion.view.token]")
    assert opened.values("term")[::5] == pytest.approx(real, abs=1e-5)


def test_fusion_weights_by_keys(opened):
    slider = opened.slider("给「喜欢」的权重")
    slider.press("End")
    assert opened.values("term")[::5] == pytest.approx([0, 1, 0, 0])
    assert slider.get_attribute("aria-valuetext") == "1.000"
    slider.press("Home")
    assert opened.values("term")[::5] == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])
    slider.press("ArrowRight")
    assert opened.values("term")[5] == pytest.approx(0.01), "JupyterLab took the key"
    opened.page.get_by_role("button", name="回到真实的权重").click()


def test_fusion_b_dragged(opened):
    """b follows the pointer inside the hull and stops at its edge; the way back brings the weights back."""
    choose(opened, "篮球", "打")
    opened.settle()
    opened.sent.clear()
    before = opened.values("term")[::5]
    point = opened.page.locator("[data-name=b]")
    drag(opened, point, (-40, -30))
    inside = is_a_mean(opened)
    assert inside != pytest.approx(before, abs=0.01)
    box = point.bounding_box()
    opened.page.mouse.move(box["x"] + 300, box["y"] - 400, steps=10)
    outside = is_a_mean(opened)
    b = [2 * outside[3], 2 * outside[1]]
    assert sum(b) == pytest.approx(2), "on the edge from 喜欢 (0, 2) to 篮球 (2, 0)"
    assert outside[0] == outside[2] == pytest.approx(0)
    assert opened.sent == []
    opened.release()
    assert tensor(opened, "fusion.weights()") == pytest.approx(outside, abs=1e-5)
    assert "权重是你拖出来的" in text(opened)
    opened.screenshot("fusion_b_dragged")
    opened.page.get_by_role("button", name="回到真实的权重").click()
    assert opened.values("term")[::5] == pytest.approx(before)
    drag(opened, point, (-40, -30), (0, 0))
    assert opened.values("term")[::5] == pytest.approx(before, abs=1e-6)
    opened.release()


def test_fusion_b_by_keys(opened):
    choose(opened, "篮球", "我")
    choose(opened, "篮球", "打")
    opened.settle()
    x, y = tensor(opened, "fusion.fused()")
    point = opened.page.locator("[data-name=b]")
    point.press("ArrowLeft")
    point.press("ArrowUp")
    weights = is_a_mean(opened)
    assert [2 * weights[3], 2 * weights[1]] == pytest.approx([x - 0.05, y + 0.05], abs=1e-5)
    said = point.get_attribute("aria-valuetext")
    assert f"{x - 0.05:.3f}" in said and f"{y + 0.05:.3f}" in said
    for _ in range(30):
        point.press("ArrowDown")
    assert is_a_mean(opened)[1] == pytest.approx(0)
    opened.page.get_by_role("button", name="回到真实的权重").click()
