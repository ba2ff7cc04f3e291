"""Fusion: the weights of one token, the terms a_ij v_j and the point b_i move together."""

from __future__ import annotations

from dataclasses import replace

import anywidget
import ipywidgets as widgets
import torch
import traitlets
from torch import Tensor

from .. import attention, figures
from ..example import CONTENTS, running_trace
from ..style import CourseFigure
from .shared.bundle import script, styles
from .shared.panel import Panel, identities, row

SENTENCES = ("我喜欢打篮球", "我喜欢打电话")
# The token of the story: 打 means nothing definite until it has looked at the others.
FIRST_TOKEN = 2


class FusionView(anywidget.AnyWidget):
    """The picture. weights are those on screen; dragged: whether they left their row of A."""

    _esm = script("fusion.js")
    _css = styles("fusion.css")
    # One dictionary for each sentence: tokens, A (L, L) and V (L, 2).
    sentences = traitlets.List().tag(sync=True)
    contents = traitlets.List(traitlets.Unicode()).tag(sync=True)
    sentence = traitlets.Int().tag(sync=True)
    token = traitlets.Int(FIRST_TOKEN).tag(sync=True)
    weights = traitlets.List(traitlets.Float()).tag(sync=True)
    dragged = traitlets.Bool().tag(sync=True)
    controls = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Fusion(Panel):
    """b_i of 我喜欢打篮球 or 我喜欢打电话: choose the token, drag its weights or b_i itself inside the hull of V.

    Shown by naming it in the last line of a cell.
    """

    def __init__(self):
        self.traces = [running_trace(text) for text in SENTENCES]
        real = self.traces[0].A[FIRST_TOKEN].tolist()
        sentence = widgets.ToggleButtons(options=SENTENCES, description="句子")
        self.view = FusionView(
            sentences=[
                {"tokens": trace.tokens, "A": trace.A.tolist(), "V": trace.V.tolist()}
                for trace in self.traces
            ],
            contents=CONTENTS,
            weights=real,
            **identities(sentence),
        )
        widgets.jslink((sentence, "index"), (self.view, "sentence"))
        super().__init__([row(sentence), self.view])

    def weights(self) -> Tensor:
        """The weights on screen, (L,): the token's row of A, or what it was dragged to."""
        if not self.view.dragged:
            return self.traces[self.view.sentence].A[self.view.token]
        return torch.tensor(self.view.weights)

    def fused(self) -> Tensor:
        """The point b on screen, (2,): the weights times V."""
        return attention.fuse(self.weights()[None], self.traces[self.view.sentence].V)[0]

    def twin(self) -> CourseFigure:
        """The present state as a figure, with the weights as they are on screen."""
        trace, i = self.traces[self.view.sentence], self.view.token
        A, B = trace.A.clone(), trace.B.clone()
        A[i], B[i] = self.weights(), self.fused()
        return figures.fusion(replace(trace, A=A, B=B), i)
