"""The view of the sizes in a real JupyterLab."""

import pytest

CELL = "from course_utils import explorers\nsizes = explorers.Sizes()\nsizes"


@pytest.fixture(scope="module")
def page(notebook):
    opened = notebook(CELL)
    opened.page.wait_for_selector(".sa-sizes")
    opened.page.wait_for_timeout(500)
    return opened


@pytest.fixture
def opened(page):
    page.errors.clear()
    yield page
    page.page.mouse.up()
    assert page.errors == []


def text(opened):
    return opened.page.locator(".sa-sizes").inner_text()


@pytest.mark.parametrize("name", ["L", "D", "dₖ", "dᵥ"])
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
            " (t.X, t.W_Q, t.W_K, t.W_V, t.Q, t.K, t.V, t.S, t.A, t.B)))"
        ).split()
        assert shown == shapes
        assert opened.values("parameters") == [int(opened.ask("print(sizes.parameters())"))]


def test_sizes_that_cannot_be_multiplied(opened):
    opened.slider("dₖ").press("Home")
    other = opened.slider("K 的 dₖ")
    track = other.locator("xpath=ancestor::*[contains(@class, 'noUi-target')]")
    before = other.get_attribute("aria-valuenow")
    other.press("End")
    assert other.get_attribute("aria-valuenow") == before, "it would change nothing while the box is empty"
    assert float(track.evaluate("node => getComputedStyle(node).opacity")) < 0.5
    opened.page.get_by_label("Q 与 K 的 dₖ 不同").check()
    other.press("Home")
    assert "现在都是 1，链条没有断" in text(opened)
    opened.settle()
    opened.sent.clear()
    opened.drag(other)
    opened.page.wait_for_timeout(300)
    assert opened.sent == []
    opened.release()
    other.press("End")
    assert "Q 的列数 1 不等于 Kᵀ 的行数 8" in text(opened)
    assert opened.page.locator(".sa-sizes .sa-broken").count() == 1
    opened.settle()
    assert "ValueError" in opened.ask("sizes.weights()")
    opened.screenshot("sizes_broken")
    opened.page.get_by_label("Q 与 K 的 dₖ 不同").uncheck()
    assert "每一步都能相乘" in text(opened)


def test_cells_keep_their_size_and_what_changed_is_outlined(opened):
    def box(name):
        shape = opened.page.locator(f".sa-box:has([data-i='{name}']) rect").first
        return [float(shape.get_attribute(side)) for side in ("width", "height")]

    def outlined():
        return opened.page.locator(".sa-changed [data-name=size]").evaluate_all(
            "nodes => nodes.map(node => node.dataset.i)"
        )

    for name in ("L", "D", "dₖ", "dᵥ"):
        opened.slider(name).press("Home")
    opened.slider("L").press("End")
    cell = box("X")[0]
    assert box("X") == [cell, 8 * cell] and box("S") == [8 * cell, 8 * cell]
    assert outlined() == ["X", "Q", "K", "V", "S", "A", "B"]
    opened.slider("dₖ").press("End")
    assert box("W_Q") == [8 * cell, cell] and box("X") == [cell, 8 * cell]
    assert outlined() == ["W_Q", "W_K", "Q", "K"]
    assert "WQ、WK、Q、K" in text(opened)
    opened.slider("dᵥ").press("End")
    assert outlined() == ["W_V", "V", "B"]
    opened.slider("D").press("End")
    overlaps = opened.page.locator(".sa-sizes").evaluate(
        """view => {
            const boxes = [...view.querySelectorAll(".sa-box")].map((node) => node.getBBox());
            return boxes.flatMap((a, n) => boxes.slice(n + 1).filter((b) =>
                a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)).length;
        }"""
    )
    assert overlaps == 0, "all at their largest"
    opened.screenshot("sizes_largest")
