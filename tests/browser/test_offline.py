"""A notebook saved as HTML, the kernel gone and the network off: the sliders still move the views, a quiz answers.

The page asks for the widget scripts at their usual addresses; they are answered from npm packages fetched by
`npm pack` and from anywidget's own wheel, and nothing else is answered.
"""

import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from support.browsers import SIZE
from support.jupyterlab import Notebook
from support.project import ROOT

PAGE = "http://saved.invalid/lesson.html"
VIEWS = ("Saturation", "Scores", "Fusion", "Sizes")


@pytest.fixture(scope="module")
def scripts(npm):
    """What the saved page asks for: end of the address -> content."""
    anywidget = Path(sys.prefix, "share/jupyter/nbextensions/anywidget/index.js")
    return {
        "/dist/index.js": anywidget.read_bytes(),
        "require.min.js": (npm("requirejs@2.3.8") / "require.js").read_bytes(),
        "/dist/embed-amd.js": (
            npm("@jupyter-widgets/html-manager@1.0.15") / "dist/embed-amd.js"
        ).read_bytes(),
    }


@pytest.fixture(scope="module")
def saved():
    """The page, run by a kernel that is gone afterwards."""
    cells = ["from course_utils import explorers", *(f"explorers.{name}()" for name in VIEWS)]
    cells.append('from course_utils.exercises import quiz\nquiz("03")')
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    NotebookClient(notebook, kernel_name="python3", timeout=120, store_widget_state=True).execute(
        env=environment
    )
    return HTMLExporter().from_notebook_node(notebook)[0]


@pytest.fixture
def opened(browser, scripts, saved):
    page = browser.new_page(viewport=SIZE)
    opened = Notebook(page, "", "")
    opened.refused = []

    def answer(route):
        address = route.request.url
        if address == PAGE:
            return route.fulfill(body=saved, content_type="text/html; charset=utf-8")
        for ending, body in scripts.items():
            if address.split("?")[0].endswith(ending):
                return route.fulfill(body=body, content_type="text/javascript")
        opened.refused.append(address)
        return route.abort()

    page.route("**/*", answer)
    page.goto(PAGE)
    yield opened
    page.close()


def test_sliders_move_the_views_without_kernel_and_network(opened):
    page = opened.page
    try:
        for name in VIEWS:
            page.wait_for_selector(f".sa-{name.lower()}")
    except Exception:
        raise AssertionError((opened.refused, opened.errors)) from None
    before = opened.values("A")
    opened.drag(opened.slider("dₖ").first)
    assert opened.values("A") != before
    page.mouse.up()
    opened.slider("dₖ").first.press("Home")
    page.locator(".sa-saturation").get_by_role("button", name="不缩放").click()
    assert "除数 dₖp = 10.00 = 1.00" in page.locator(".sa-saturation").inner_text()

    page.get_by_role("button", name="softmax 用错方向").click()
    assert "✗" in page.locator(".sa-scores").inner_text()

    page.get_by_role("button", name="我喜欢打电话", exact=True).click()
    assert "b打 = (−1.541, 0.153)" in page.locator(".sa-fusion").inner_text()
    opened.slider("给「喜欢」的权重").press("End")
    assert "b打 = (0.000, 2.000)" in page.locator(".sa-fusion").inner_text()

    page.locator("[data-name=b]").press("ArrowDown")
    assert "b打 = (0.000, 1.950)" in page.locator(".sa-fusion").inner_text()

    opened.slider("D").press("Home")
    assert "4×1" in page.locator(".sa-sizes").inner_text()
    opened.screenshot("offline")

    quiz = page.locator(".course-quiz")
    quiz.get_by_role("radio", name="每一行", exact=True).check()
    assert "✓ 对。一行是一个词元分出去的注意力，总量是 1。" in quiz.inner_text()
    assert "答对 1 / 4，还有 3 题没有答。" in quiz.inner_text()
    assert "小测验的文字版" not in page.locator("body").inner_text()
