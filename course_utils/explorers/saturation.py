"""Saturation: sliders for d_k and the divisor, and what they do to the weights and to softmax's Jacobian."""

from __future__ import annotations

import anywidget
import ipywidgets as widgets
import torch
import traitlets
from torch import Tensor

from .. import attention
from ..sentence import SENTENCE, tokenize
from .bundle import dom_classes, identities, row, script, styles, to_bytes

FLAT, SATURATED = 0.95, 0.99
def _bands(L):
    g = torch.Generator().manual_seed(1)
    Q, K = torch.randn(2, 200, L, 512, generator=g)
    out = torch.empty(21, 2, 3, len(STOPS))
    for s, d in enumerate(STOPS):
        S = Q[..., :d] @ K[..., :d].mT
        for n, p in enumerate(P_GRID):
            A = torch.softmax(S.double() / d**p, -1)
            q = torch.tensor([.1, .5, .9], dtype=torch.double)
            out[n, 0, :, s] = A.amax(-1).flatten().quantile(q)
            J = torch.diag_embed(A) - A[..., None] * A[..., None, :]
            out[n, 1, :, s] = J.square().sum((-1, -2)).sqrt().flatten().quantile(q)
    return out

STOPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
DRAWS = 8
P_GRID = [n / 20 for n in range(21)]


class SaturationView(anywidget.AnyWidget):
    """The picture: everything is computed in the browser from Q and K, which are sent once."""

    _esm = script("saturation.js")
    _css = styles("saturation.css")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    stops = traitlets.List(traitlets.Int()).tag(sync=True)
    stop = traitlets.Int().tag(sync=True)
    p = traitlets.Float(attention.ROOT).tag(sync=True)
    draw = traitlets.Int(1).tag(sync=True)
    # float32: Q and K hold draws × L × d_k numbers, sweep p × (largest, jacobian) × quantiles × stops.
    Q = traitlets.Bytes().tag(sync=True)
    K = traitlets.Bytes().tag(sync=True)
    sweep = traitlets.Bytes().tag(sync=True)
    limits = traitlets.List(traitlets.Float()).tag(sync=True)
    controls = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Saturation(widgets.VBox):
    """d_k, the divisor d_k^p and the draw as sliders over the weights, their entropy and softmax's Jacobian.

    Q and K are drawn from N(0, 1): DRAWS draws of 512 columns for the L tokens of text, of which the first d_k
    are used. Shown by naming it in the last line of a cell.
    """

    def __init__(self, text: str = SENTENCE):
        tokens = tokenize(text)
        generator = torch.Generator().manual_seed(0)
        self._Q, self._K = torch.randn(2, DRAWS, len(tokens), STOPS[-1], generator=generator)
        stop = widgets.SelectionSlider(options=[str(d_k) for d_k in STOPS], index=11, description="d_k")
        p = widgets.FloatSlider(
            attention.ROOT, min=0, max=1, step=P_GRID[1], readout_format=".2f", description="缩放 p"
        )
        draw = widgets.IntSlider(min=1, max=DRAWS, description="第几次抽样")
        self.view = SaturationView(
            tokens=tokens,
            stops=STOPS,
            stop=stop.index,
            Q=to_bytes(self._Q),
            K=to_bytes(self._K),
            sweep=to_bytes(_bands(len(tokens))),
            limits=(FLAT, SATURATED),
            **identities(stop, p, draw),
        )
        widgets.jslink((stop, "index"), (self.view, "stop"))
        widgets.jslink((p, "value"), (self.view, "p"))
        widgets.jslink((draw, "value"), (self.view, "draw"))
        super().__init__([row(stop, p, draw), self.view], _dom_classes=dom_classes())

    def query_key(self) -> tuple[Tensor, Tensor]:
        """Q and K of the present draw, each (L, d_k)."""
        d_k = STOPS[self.view.stop]
        return self._Q[self.view.draw - 1, :, :d_k], self._K[self.view.draw - 1, :, :d_k]

    def scores(self) -> Tensor:
        """The present scores S, (L, L)."""
        Q, K = self.query_key()
        # float64 on the way, as in the browser: without a divisor the scores are large and rounding shows.
        return attention.scores(Q.double(), K.double(), self.view.p).float()

    def weights(self) -> Tensor:
        """The present weights A, (L, L)."""
        return attention.softmax(self.scores())
