"""What a class sees: lecture mode on a 1280×720 projector, and JupyterLab's dark theme. Look at the screenshots."""

import pytest

VIEWS = ("Saturation", "Scores", "Fusion", "Sizes", "OwnSentence")
# Contrast of every piece of text in the view with what lies behind it, by WCAG 2.
CONTRASTS = """root => {
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = numbers(colour).map((c) => (c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (node) => {
        for (let at = node; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if ((numbers(colour)[3] ?? 1) === 1) return colour;
        }
    };
    const texts = [...root.querySelectorAll("*")].filter((node) =>
        !node.disabled && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
    return texts.map((node) => {
        const style = getComputedStyle(node);
        const ink = node instanceof SVGElement ? style.fill : style.color;
        const [dark, bright] = [light(ink), light(ground(node))].sort((a, b) => a - b);
        return [(bright + 0.05) / (dark + 0.05), node.textContent];
    });
}"""


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
