"""Lecture mode on the page: prose, code and outputs are large wherever the notebook is scrolled, and small again afterwards."""

import nbformat
import pytest
from support.browsers import SIZE
from support.jupyterlab import Notebook

TYPE = """() => [".jp-RenderedMarkdown p", ".cm-content", ".jp-OutputArea-output pre"].map(
    (part) => parseFloat(getComputedStyle(document.querySelector(part)).fontSize))"""
LARGE = f"() => ({TYPE})().every((size) => size >= 20)"


@pytest.fixture
def opened(browser, lab):
    address, folder = lab
    cells = [
        nbformat.v4.new_code_cell("from course_utils.style import lecture\nlecture()"),
        nbformat.v4.new_markdown_cell("得分 $S$ 是点积。"),
        *[nbformat.v4.new_code_cell(f"'{n}'") for n in range(60)],
    ]
    document = nbformat.v4.new_notebook(cells=cells)
    document.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(document, folder / "lecture.ipynb")
    opened = Notebook(browser.new_page(viewport=SIZE), address, "lecture.ipynb")
    opened.open()
    yield opened
    opened.close()


def test_type_is_large_everywhere_until_it_is_taken_back(opened):
    page = opened.page
    opened.run_all()
    page.wait_for_function(LARGE)
    assert page.locator(".jp-CodeCell").first.locator(".jp-OutputArea-output").count() == 0
    opened.screenshot("lecture_page")
    page.locator(".jp-CodeCell").last.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    assert min(page.evaluate(TYPE)) >= 20

    # The page loaded anew while the kernel lives.
    opened.command("docmanager:save")
    opened.open()
    page.wait_for_function(LARGE)

    opened.ask("lecture(False)")
    page.wait_for_function(f"() => Math.max(...({TYPE})()) < 16")
    assert opened.errors == []
