"""The saturation view in a real JupyterLab."""

CELL = "from course_utils import explorers\nview = explorers.Saturation()\nview"


def test_first(notebook):
    opened = notebook(CELL)
    opened.page.wait_for_selector(".sa-saturation")
    opened.page.wait_for_timeout(800)
    opened.screenshot("saturation")
    print(opened.errors, len(opened.sent), opened.values("A"))
    print(opened.ask("print(view.weights())"))
