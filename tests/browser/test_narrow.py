"""The views where there is little room: beside the file browser, on a small window, zoomed in, on a telephone."""

import pytest

VIEWS = ("Saturation", "Scores", "Fusion", "Sizes", "OwnSentence")
# A page at 150 % has two thirds of the room. On a telephone nobody keeps the file browser open.
WINDOWS = {
    "1280": (1280, 720, True),
    "1024": (1024, 720, True),
    "150%": (1280 * 2 // 3, 480, True),
    "390": (390, 844, False),
}
# What sticks out of the view at the right, except inside a box that scrolls by itself.
CUT = """panel => {
    const right = panel.getBoundingClientRect().right + 1;
    const scrolls = (node) => node.parentElement.closest(".sa-scroll");
    return [...panel.querySelectorAll("*")]
        .filter((node) => node.getBoundingClientRect().right > right && !scrolls(node))
        .map((node) => node.outerHTML.slice(0, 80));
}"""


@pytest.fixture(scope="module")
def page(notebook):
    """All views in one notebook, in JupyterLab as it opens."""
    opened = notebook(
        "from course_utils import explorers", *(f"explorers.{name}()" for name in VIEWS), mode="lab"
    )
    opened.page.wait_for_function(f"() => document.querySelectorAll('.sa-view').length === {len(VIEWS)}")
    opened.page.wait_for_timeout(800)
    return opened


@pytest.fixture(scope="module", params=WINDOWS)
def opened(page, request):
    width, height, browser = WINDOWS[request.param]
    page.page.set_viewport_size({"width": width, "height": height})
    page.page.evaluate(f"() => jupyterapp.shell.{'expand' if browser else 'collapse'}Left()")
    page.page.wait_for_timeout(1000)
    page.window = request.param
    return page


@pytest.mark.parametrize("view", VIEWS)
def test_controls_can_be_held_and_nothing_is_cut(opened, view):
    panel = opened.page.locator(".sa-panel").nth(VIEWS.index(view))
    panel.evaluate("node => node.scrollIntoView({ block: 'start' })")
    opened.page.wait_for_timeout(300)
    opened.screenshot(f"narrow_{view}_{opened.window.rstrip('%')}")
    tracks = panel.locator(".noUi-target, input[type=range]").evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect().width)"
    )
    assert len(tracks) == {"Saturation": 4, "Fusion": 4, "Sizes": 5}.get(view, 0)
    assert all(width >= 120 for width in tracks), tracks
    assert panel.evaluate(CUT) == []
    sideways = "node => node.scrollWidth - node.clientWidth"
    assert panel.evaluate(sideways) <= 0
    assert opened.page.locator("html").evaluate(sideways) <= 0
    assert opened.page.locator(".jp-WindowedPanel-outer").first.evaluate(sideways) <= 0


def test_the_state_of_each_row_stays_in_sight(opened):
    for state in opened.page.locator(".sa-saturation [data-name=state]").all():
        assert state.is_visible() and state.bounding_box()["width"] > 20


def test_nothing_in_the_console(opened):
    assert opened.errors == []
