"""The view of the scores in a real JupyterLab."""

import json

import pytest

CELL = "from course_utils import explorers\nscores = explorers.Scores()\nscores"
DOTS = [0, 2, 3, 0, 4, 0, 0, 4, 0, 0, 0, 4, 0, 4, 6, 0]


@pytest.fixture(scope="module")
def page(notebook):
    opened = notebook(CELL)
    opened.page.wait_for_selector(".sa-scores")
    opened.page.wait_for_timeout(500)
    return opened


@pytest.fixture
def opened(page):
    page.errors.clear()
    yield page
    page.page.mouse.up()
    assert page.errors == []


def text(opened):
    return opened.page.locator(".sa-scores").inner_text()


def tensor(opened, expression):
    return json.loads(opened.ask(f"print({expression}.flatten().tolist())"))


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
    assert "q打 · k篮球 = 0×0 + 0×0 + 2×2 = 4" in text(opened)
    cells.nth(11).focus()
    opened.page.keyboard.press("ArrowLeft")
    opened.page.keyboard.press("ArrowUp")
    assert "q喜欢 · k打 = 4×0 + 0×3 + 2×0 = 0" in text(opened)
    lit = opened.page.locator(".sa-scores tr.sa-lit th").all_inner_texts()
    assert lit == ["喜欢", "打"]
    for _ in range(9):
        opened.page.keyboard.press("ArrowRight")
    assert "k篮球" in text(opened)
    for _ in range(9):
        opened.page.keyboard.press("ArrowDown")
    assert "q篮球 · k篮球" in text(opened)
    assert cells.nth(15).evaluate("node => node === document.activeElement"), "JupyterLab took the key"


def test_scores_steps_are_equal_each_to_itself(opened):
    opened.page.get_by_role("button", name="权重 A").click()
    opened.page.locator(".sa-scores td[data-name=S]").nth(11).hover()
    equation = opened.page.locator(".sa-scores p[data-value]").inner_text()
    assert equation == ("q打 · k篮球 = 0×0 + 0×0 + 2×2 = 4 → 4 ÷ √3 = 2.309 → e^2.309 ÷ 这一行的总和 = 0.770")
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


def test_the_heatmap_stands_beside_q_and_k_and_x_comes_on_demand(opened):
    """With the file browser at its side, as on opening JupyterLab, 848 pixels are left for a view."""
    view = opened.page.locator(".sa-scores")
    opened.page.evaluate("() => (document.querySelector('.sa-panel').style.width = '848px')")
    q, k, s = (view.locator(f"td[data-name={name}]").first.bounding_box() for name in "QKS")
    assert q["y"] == k["y"] == s["y"] and q["x"] < k["x"] < s["x"]
    x = view.locator("td[data-name=X]").first
    assert not x.is_visible()
    view.locator("summary").press("Enter")
    assert x.is_visible()
    assert opened.values("X") == tensor(opened, "scores.trace.X")
    view.locator("summary").press("Enter")
    opened.page.evaluate("() => (document.querySelector('.sa-panel').style.width = '')")
