"""A view below its controls as one widget, and the ids by which they find each other."""

from __future__ import annotations

import uuid
from contextlib import suppress

import ipywidgets as widgets

from ... import style


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


def row(*controls: widgets.Widget) -> widgets.HBox:
    """Controls side by side, in more rows where they would get narrow; the course's stylesheet says how narrow."""
    for control in controls:
        control.layout = widgets.Layout(flex="1 1 auto", width="auto", height="auto", min_width="0")
    return widgets.HBox(controls, _dom_classes=("sa-controls",))


def identities(*controls: widgets.Widget) -> dict:
    """Arguments for a view that make its own id known to it, and those of the controls that move it.

    controls.js needs them to keep the messages of all these widgets back while one of them is dragged.
    """
    own = uuid.uuid4().hex
    return {"model_id": own, "controls": [*(control.model_id for control in controls), own]}
