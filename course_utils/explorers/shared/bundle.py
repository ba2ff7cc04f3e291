"""What every view is put together from: JS and CSS in one piece each (nothing is fetched when it runs), data, controls."""

from __future__ import annotations

import re
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import ipywidgets as widgets

from ... import style

if TYPE_CHECKING:
    from ipywidgets import Widget
    from torch import Tensor

FOLDER = Path(__file__).parents[1]
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[\w./]+\.js)";\n', re.MULTILINE)


def script(name: str) -> str:
    """The view's module with the modules it imports put before it, each once; only the view keeps its exports."""
    order: list[Path] = []
    _visit(FOLDER / name, order)
    shared = [re.sub(r"^export ", "", _body(module), flags=re.MULTILINE) for module in order[:-1]]
    return "\n".join([*shared, _body(FOLDER / name)])


def styles(name: str) -> str:
    """What all views share, then the view's own."""
    return (FOLDER / "shared" / "view.css").read_text("utf-8") + (FOLDER / name).read_text("utf-8")


def to_bytes(M: Tensor) -> bytes:
    """The entries of M as float32, row by row."""
    return M.float().contiguous().numpy().tobytes()


def identities(*controls: Widget) -> dict:
    """Arguments for a view that make its own id known to it, and those of the controls that move it.

    controls.js needs them to keep the messages of all these widgets back while one of them is dragged.
    """
    own = uuid.uuid4().hex
    return {"model_id": own, "controls": [*(control.model_id for control in controls), own]}


def row(*controls: Widget) -> widgets.HBox:
    """Controls side by side in equal parts, as the course's stylesheet knows them."""
    for control in controls:
        control.layout = widgets.Layout(flex="1 1 0", width="auto", min_width="0")
    return widgets.HBox(controls, _dom_classes=("sa-controls",))


class Panel(widgets.VBox):
    """A view below its controls, with large type when lecture mode is on. Its picture is what twin() draws."""

    def __init__(self, children):
        large = ("sa-lecture",) if style.lecturing() else ()
        super().__init__(children, _dom_classes=("sa-panel", *large))

    def _ipython_display_(self) -> None:
        """One output that holds the live view and, for pages where no view can live, its picture."""
        from IPython.display import display

        data, metadata = {"text/plain": "（交互视图：运行这个单元就会出现）"}, {}
        with suppress(ValueError):  # a sentence that can't be read has no picture
            data, metadata = self.twin().bundle()
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        display({"application/vnd.jupyter.widget-view+json": view, **data}, metadata=metadata, raw=True)


def _visit(module: Path, order: list[Path]) -> None:
    for imported in _IMPORT.findall(module.read_text("utf-8")):
        _visit((module.parent / imported).resolve(), order)
    if module not in order:
        order.append(module)


def _body(module: Path) -> str:
    return _IMPORT.sub("", module.read_text("utf-8"))
