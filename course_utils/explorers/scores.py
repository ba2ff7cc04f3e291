"""Scores: pointing at a cell of S lights up the rows of Q and K that it comes from."""

from __future__ import annotations

import anywidget
import ipywidgets as widgets
import traitlets
from torch import Tensor

from .. import attention, figures
from ..example import CHANNELS, running_trace
from ..sentence import FEATURES, SENTENCE
from ..style import CourseFigure
from .shared.bundle import script, styles
from .shared.panel import Panel, identities, row

STAGES = ("得分 QKᵀ", "缩放后 S", "权重 A")
DOTS, SCALED, WEIGHTS = range(3)


class ScoresView(anywidget.AnyWidget):
    """The picture: X, Q, K and the matrix of the present stage."""

    _esm = script("scores.js")
    _css = styles("scores.css")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    features = traitlets.List(traitlets.Unicode()).tag(sync=True)
    channels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    X = traitlets.List().tag(sync=True)
    Q = traitlets.List().tag(sync=True)
    K = traitlets.List().tag(sync=True)
    stage = traitlets.Int(DOTS).tag(sync=True)
    wrong_axis = traitlets.Bool().tag(sync=True)
    row = traitlets.Int().tag(sync=True)
    column = traitlets.Int().tag(sync=True)
    controls = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Scores(Panel):
    """X -> Q, K -> S of a sentence, cell by cell; a switch for the stage, a button for the wrong softmax axis.

    Shown by naming it in the last line of a cell. Raises what sentence.read raises.
    """

    def __init__(self, text: str = SENTENCE):
        self.trace = running_trace(text)
        stage = widgets.ToggleButtons(options=STAGES)
        wrong_axis = widgets.ToggleButton(description="softmax 用错方向（按列）", icon="warning")
        self.view = ScoresView(
            tokens=self.trace.tokens,
            features=FEATURES,
            channels=CHANNELS,
            X=self.trace.X.tolist(),
            Q=self.trace.Q.tolist(),
            K=self.trace.K.tolist(),
            # The cell of the story: 打 looks at 篮球.
            row=max(0, len(self.trace.tokens) - 2),
            column=len(self.trace.tokens) - 1,
            **identities(stage, wrong_axis),
        )
        widgets.jslink((stage, "index"), (self.view, "stage"))
        widgets.jslink((wrong_axis, "value"), (self.view, "wrong_axis"))
        super().__init__([row(stage, wrong_axis), self.view])

    def scores(self) -> Tensor:
        """The scores, (L, L): the bare dot products QK^T at the first stage, else S."""
        p = attention.UNSCALED if self.view.stage == DOTS else attention.ROOT
        return attention.scores(self.trace.Q, self.trace.K, p)

    def weights(self) -> Tensor:
        """The weights, (L, L): softmax of S by rows, or by columns while the wrong axis is switched on."""
        S = attention.scores(self.trace.Q, self.trace.K)
        return attention.softmax(S.T).T if self.view.wrong_axis else attention.softmax(S)

    def twin(self) -> CourseFigure:
        """The present state as a figure: a heatmap, or both axes of softmax side by side."""
        if self.view.wrong_axis:
            return figures.softmax_axes(attention.scores(self.trace.Q, self.trace.K), self.trace.tokens)
        if self.view.stage == WEIGHTS:
            return figures.weights_heatmap(self.weights(), self.trace.tokens)
        return figures.scores_heatmap(self.scores(), self.trace.tokens, STAGES[self.view.stage].split()[1])
