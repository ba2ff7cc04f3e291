"""What a prediction's cell put out when it was last run waits in a fold, until a click or a run.

A fold is HTML, which JupyterLab, GitHub, Colab and VS Code prefer to the other forms of an output; the text stays beside
it, a picture moves into it. Running the cell puts the plain output in its place.
"""

from __future__ import annotations

import re
from html import escape

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_utils.style import spoken

from .tags import tagged

FOLD = """\
<details>
<summary>上次运行的结果（先写下你的预测，再点开）</summary>
{shown}
</details>"""
PICTURE = '<img src="data:image/png;base64,{png}" width="{width}" alt="{alt}">'
_START = FOLD.partition("{shown}")[0]
_PNG = re.compile(r'base64,([^"]+)"')


def fold_answers(notebook: NotebookNode) -> None:
    """Put the outputs of the cells tagged answer into folds. Raises ValueError for one that isn't a text or a picture."""
    for cell in notebook.cells:
        if tagged(cell, "answer"):
            cell.outputs = [output for output in cell.outputs if not is_spoken(output)]
            for output in cell.outputs:
                _fold(output)


def open_answers(notebook: NotebookNode) -> None:
    """Undo fold_answers."""
    for cell in notebook.cells:
        open_answer(cell)


def open_answer(cell: NotebookNode) -> None:
    """Take the outputs of a cell out of their folds; others stay as they are."""
    for output in list(cell.get("outputs", [])):
        html = output.get("data", {}).get("text/html", "")
        if html.startswith(_START):
            del output.data["text/html"]
            if picture := _PNG.search(html):
                output.data["image/png"] = picture[1]
                told = new_output("display_data", data=spoken(output.data["text/plain"]))
                cell.outputs.insert(cell.outputs.index(output) + 1, told)


def is_spoken(output: NotebookNode) -> bool:
    """Whether an output is the sentence that is told of the picture before it; in a fold the picture has its own."""
    return 'class="sa-spoken"' in output.get("data", {}).get("text/html", "")


def unanswered(notebook: NotebookNode) -> list[str]:
    """The predictions after which no cell tagged answer comes before the next prediction or heading."""
    waiting, found = "", []
    for cell in [*notebook.cells, NotebookNode(source="## ", metadata={})]:
        tags = cell.metadata.get("tags", [])
        if waiting and ("prediction" in tags or cell.source.startswith("#")):
            found.append(waiting)
            waiting = ""
        if "prediction" in tags:
            waiting = cell.source
        elif "answer" in tags:
            waiting = ""
    return found


def _fold(output: NotebookNode) -> None:
    data = output.get("data", {})
    if data.keys() == {"text/plain"}:
        shown = f"<pre>{escape(data['text/plain'])}</pre>"
    elif data.keys() == {"image/png", "text/plain"}:
        about = output.metadata["image/png"]
        shown = PICTURE.format(png=data.pop("image/png"), width=about["width"], alt=escape(about["alt"]))
    else:
        raise ValueError(f"an answer is a value or a figure, not {output.output_type} of {sorted(data)}")
    data["text/html"] = FOLD.format(shown=shown)
