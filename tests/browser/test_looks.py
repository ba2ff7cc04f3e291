"""What a class sees: lecture mode on a 1280×720 projector, and JupyterLab's dark theme. Look at the screenshots."""

import pytest
from support.contrasts import CONTRASTS

VIEWS = ("Saturation", "Scores", "Fusion", "Sizes", "OwnSentence")


@pytest.fixture(scope="module")
def page(notebook):
    """All views in one notebook, in lecture mode."""
    shows = [f"explorers.{name}()" for name in VIEWS]
    opened = notebook("from course_utils import explorers, style\nstyle.lecture()", *shows, mode="lab")
    opened.page.evaluate("() => { if (!jupyterapp.shell.leftCollapsed) jupyterapp.shell.collapseLeft(); }")
    opened.page.wait_for_function(f"() => document.querySelectorAll('.sa-view').length === {len(VIEWS)}")
    opened.page.wait_for_timeout(800)
    return opened


@pytest.fixture(scope="module", params=VIEWS)
def opened(page, request):
    page.name = request.param
    page.panel = page.page.locator(".sa-panel").nth(VIEWS.index(request.param))
    page.view = page.panel.locator(".sa-view")
    return page


def test_lecture_fits_one_screen(opened):
    """Sliders and view lie between the toolbar and the lower edge, and nothing is cut off at the right."""
    opened.panel.evaluate("node => node.scrollIntoView({ block: 'start' })")
    opened.page.wait_for_timeout(300)
    opened.screenshot(f"lecture_{opened.name}")
    panel = opened.panel.bounding_box()
    window = opened.page.locator(".jp-WindowedPanel-outer, .jp-Notebook").first.bounding_box()
    assert panel["height"] <= window["height"]
    assert panel["x"] + panel["width"] <= window["x"] + window["width"]
    assert opened.view.evaluate("node => node.scrollWidth <= node.clientWidth")
    small = opened.view.evaluate(
        "root => Math.min(...[...root.querySelectorAll('td, th')].map((n) => parseFloat(getComputedStyle(n).fontSize)))"
    )
    assert small >= 18


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_text_is_readable(opened, theme):
    opened.command("apputils:change-theme", theme=theme)
    opened.page.wait_for_timeout(1200)
    if "Dark" in theme:
        opened.screenshot(f"dark_{opened.name}")
    contrasts = opened.view.evaluate(CONTRASTS)
    assert len(contrasts) > 3
    assert [each for each in contrasts if each[0] < 4.5] == []


def test_nothing_in_the_console(opened):
    assert opened.errors == []
