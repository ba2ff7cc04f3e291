"""A view below its controls as one widget, and the ids by which they find each other."""

from __future__ import annotations

import uuid

import ipywidgets as widgets

from ... import style


class Panel(widgets.VBox):
    """A view below its controls, with large type when lecture mode is on."""

    def __init__(self, children):
        large = ("sa-lecture",) if style.lecturing() else ()
        super().__init__(children, _dom_classes=("sa-panel", *large))

    def __repr__(self) -> str:
        """What stands in a stored notebook, where no view can live."""
        return "（交互视图：运行这个单元就会出现；下面是它的静态图）"


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
