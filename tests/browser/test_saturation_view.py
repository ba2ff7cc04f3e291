"""The saturation view in a real JupyterLab: its numbers, its sliders, its messages, its looks."""

import json

import pytest

CELL = "from course_utils import explorers\nview = explorers.Saturation()\nview"
# What the screen must show, computed in the kernel without the package's own measures.
REFERENCE = """
import json, torch
def reference(d_k, p, draw, L):
    Q, K = view._Q[draw - 1, :, :d_k], view._K[draw - 1, :L, :d_k]
    S = Q @ K.T / d_k ** p
    A = torch.softmax(S, -1)
    J = [torch.autograd.functional.jacobian(lambda s: torch.softmax(s, -1), row).norm() for row in S]
    numbers = {"A": A.flatten(), "std": [S.std()], "largest": A.amax(-1), "entropy": torch.special.entr(A).sum(-1),
               "jacobian": J}
    return json.dumps({name: [float(x) for x in values] for name, values in numbers.items()})
"""


@pytest.fixture(scope="module")
def page(notebook):
    opened = notebook(CELL)
    opened.page.wait_for_selector(".sa-saturation")
    opened.page.wait_for_timeout(500)
    return opened


@pytest.fixture
def opened(page):
    yield page
    page.page.mouse.up()


def set_by_keys(opened, name, steps):
    """Home, then so many steps to the right."""
    slider = opened.slider(name)
    slider.press("Home")
    for _ in range(steps):
        slider.press("ArrowRight")


def test_numbers_equal_torch(opened):
    """Every control by keyboard, over a grid with the ends d_k = 1 and 512, p = 0, 0.5, 1, first and last draw."""
    opened.ask(REFERENCE)
    largest = 0.0
    for d_k, stop in ((1, 0), (3, 2), (64, 11), (512, 17)):
        set_by_keys(opened, "dₖ", stop)
        for p in (0.0, 0.5, 1.0):
            set_by_keys(opened, "缩放 p", round(p * 20))
            for draw, length, L in ((1, 0, 4), (8, 0, 4), (8, 1, 16), (1, 2, 64)):
                set_by_keys(opened, "第几次抽样", draw - 1)
                set_by_keys(opened, "L（键的个数）", length)
                expected = json.loads(opened.ask(f"print(reference({d_k}, {p}, {draw}, {L}))"))
                for name, values in expected.items():
                    shown = opened.values(name)
                    assert shown == pytest.approx(values, abs=1e-5), (d_k, p, draw, L, name)
                    largest = max(largest, *(abs(a - b) for a, b in zip(shown, values, strict=True)))
    opened.settle()
    assert json.loads(opened.ask("print(view.weights().flatten().tolist())")) == pytest.approx(
        opened.values("A"), abs=1e-5
    )
    print(f"largest difference between browser and torch: {largest:.1e}")
    assert opened.errors == []


def test_the_state_of_each_row_in_a_word(opened):
    set_by_keys(opened, "dₖ", 17)
    set_by_keys(opened, "L（键的个数）", 0)
    seen = {}
    for steps in (0, 10, 20):
        set_by_keys(opened, "缩放 p", steps)
        opened.settle()
        words = opened.page.locator("[data-name=state]").all_inner_texts()
        assert words == json.loads(opened.ask("import json; print(json.dumps(view.states()))"))
        colours = opened.page.locator("[data-name=state]").evaluate_all(
            "nodes => nodes.map(node => getComputedStyle(node).backgroundColor)"
        )
        for word, colour in zip(words, colours, strict=True):
            assert seen.setdefault(word, colour) == colour
    assert set(seen) == {"均匀", "适中", "饱和"} and len(set(seen.values())) == 3


def test_the_strips_say_which_l_they_are_for(opened):
    medians = []
    for steps, L in ((0, 4), (1, 16), (2, 64)):
        set_by_keys(opened, "L（键的个数）", steps)
        heading = opened.page.locator(".sa-strips svg text").first
        assert heading.text_content().startswith(f"L = {L}，")
        medians.append(float(heading.get_attribute("data-value")))
        assert f"ln {L}）" in opened.page.locator(".sa-saturation").inner_text()
        assert opened.page.locator("[data-name=A]").count() == 4 * L
    assert medians[0] > medians[1] > medians[2]
    opened.screenshot("saturation_64")


@pytest.mark.parametrize("name", ["dₖ", "缩放 p", "L（键的个数）", "第几次抽样"])
def test_dragging_sends_nothing(opened, name):
    opened.slider(name).press("Home")
    opened.settle()
    before = opened.values("A")
    opened.sent.clear()
    opened.drag(opened.slider(name))
    opened.page.wait_for_timeout(500)
    assert opened.sent == []
    assert opened.values("A") != before
    opened.release()
    assert 0 < len(opened.sent) < 6
    known = json.loads(opened.ask("print(view.weights().flatten().tolist())"))
    assert known == pytest.approx(opened.values("A"), abs=1e-5)


def test_a_screen_reader_hears_the_size_and_not_its_number(opened):
    slider = opened.slider("dₖ")
    for key, d_k in (("End", "512"), ("End", "512"), ("Home", "1"), ("ArrowRight", "2")):
        slider.press(key)
        assert slider.get_attribute("aria-valuetext") == d_k
    opened.drag(slider)
    assert slider.get_attribute("aria-valuetext") == "512"
    opened.release()


def test_presets_move_the_slider(opened):
    opened.page.get_by_role("button", name="不缩放").click()
    assert opened.slider("缩放 p").get_attribute("aria-valuenow") == "0.0"
    opened.settle()
    assert opened.ask("print(view.view.p)").strip() == "0.0"


def test_300_moves_leave_nothing_behind(opened):
    memory = "import psutil; print(psutil.Process().memory_info().rss)"
    opened.drag(opened.slider("dₖ"), 60)
    opened.release()
    panel = opened.page.locator(".sa-panel *")
    nodes = panel.count()
    resident = int(opened.ask(memory))
    opened.drag(opened.slider("dₖ"), 300)
    opened.release()
    assert panel.count() == nodes > 100
    assert int(opened.ask(memory)) - resident < 8e6
