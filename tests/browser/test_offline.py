"""A notebook saved as HTML, the kernel gone and the network off: the sliders still move the views.

The page asks for the widget scripts at their usual addresses; they are answered from npm packages fetched by
`npm pack` and from anywidget's own wheel, and nothing else is answered.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT, SIZE, Notebook
from nbclient import NotebookClient
from nbconvert import HTMLExporter

PACKAGES = ("@jupyter-widgets/html-manager@1.0.15", "requirejs@2.3.8")
PAGE = "http://saved.invalid/lesson.html"
VIEWS = ("Saturation", "Scores", "Fusion", "Sizes")


@pytest.fixture(scope="module")
def scripts(pytestconfig):
    """What the saved page asks for: end of the address -> content."""
    folder = pytestconfig.cache.mkdir("npm")
    if not list(folder.glob("*.tgz")):
        npm = shutil.which("npm")
        done = npm and subprocess.run([npm, "pack", "--silent", *PACKAGES], cwd=folder, timeout=120)
        if not done or done.returncode:
            message = "没有 npm 或者取不到组件脚本，离线页面没有检查。"
            pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    anywidget = Path(sys.prefix, "share/jupyter/nbextensions/anywidget/index.js")
    found = {"/dist/index.js": anywidget.read_bytes()}
    members = {"require.min.js": "package/require.js", "/dist/embed-amd.js": "package/dist/embed-amd.js"}
    for archive in folder.glob("*.tgz"):
        with tarfile.open(archive) as packed:
            for ending, member in members.items():
                if member in packed.getnames():
                    found[ending] = packed.extractfile(member).read()
    return found


@pytest.fixture(scope="module")
def saved():
    """The page, run by a kernel that is gone afterwards."""
    cells = ["from course_utils import explorers", *(f"explorers.{name}()" for name in VIEWS)]
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
    opened.drag(opened.slider("d_k").first)
    assert opened.values("A") != before
    page.mouse.up()
    opened.slider("d_k").first.press("Home")
    page.locator(".sa-saturation").get_by_role("button", name="不缩放").click()
    assert "1^0.00 = 1.00" in page.locator(".sa-saturation").inner_text()

    page.get_by_role("button", name="softmax 用错方向").click()
    assert "✗" in page.locator(".sa-scores").inner_text()

    page.get_by_role("button", name="电话", exact=True).click()
    assert "b_打 = (-1.541, 0.153)" in page.locator(".sa-fusion").inner_text()
    opened.slider("a 喜欢").press("End")
    assert "b_打 = (0.000, 2.000)" in page.locator(".sa-fusion").inner_text()

    opened.slider("D").press("Home")
    assert "4×1" in page.locator(".sa-sizes").inner_text()
    opened.screenshot("offline")
