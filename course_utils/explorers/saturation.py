"""Saturation: sliders for d_k and the divisor, and what they do to the weights and to softmax's Jacobian."""

from __future__ import annotations

from functools import cache

import anywidget
import ipywidgets as widgets
import torch
import traitlets
from torch import Tensor

from .. import attention, figures
from ..experiment import one_thread
from ..saturation import QUANTILES, SATURATED, STATES, UNIFORM, draw, jacobian_norm, row_states
from ..sentence import SENTENCE, tokenize
from ..style import CourseFigure
from .shared.bundle import script, styles
from .shared.panel import Panel, identities, row

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
    # float32: Q and K hold draws × L × d_k numbers, sweep quantiles × p × (largest, ‖J‖) × stops.
    Q = traitlets.Bytes().tag(sync=True)
    K = traitlets.Bytes().tag(sync=True)
    sweep = traitlets.Bytes().tag(sync=True)
    limits = traitlets.List(traitlets.Float()).tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
    controls = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Saturation(Panel):
    """d_k, the divisor d_k^p and the draw as sliders over the weights, their entropy and softmax's Jacobian.

    Q and K have N(0, 1) entries: 8 draws of 512 columns for the tokens of text, of which the first d_k are used.
    Shown by naming it in the last line of a cell.
    """

    def __init__(self, text: str = SENTENCE):
        tokens = tokenize(text)
        # The browser gets float32, so the kernel keeps the same numbers.
        self._Q, self._K = (M.float() for M in draw(DRAWS, len(tokens), STOPS[-1], seed=1))
        stop = widgets.SelectionSlider(
            options=[str(d_k) for d_k in STOPS], index=STOPS.index(64), description="d_k"
        )
        p = widgets.FloatSlider(
            attention.ROOT, min=0, max=1, step=0.05, readout_format=".2f", description="缩放 p"
        )
        number = widgets.IntSlider(min=1, max=DRAWS, description="第几次抽样")
        self.view = SaturationView(
            tokens=tokens,
            stops=STOPS,
            stop=stop.index,
            Q=_bytes(self._Q),
            K=_bytes(self._K),
            sweep=_bytes(_bands(len(tokens))),
            limits=(UNIFORM, SATURATED),
            states=STATES,
            **identities(stop, p, number),
        )
        widgets.jslink((stop, "index"), (self.view, "stop"))
        widgets.jslink((p, "value"), (self.view, "p"))
        widgets.jslink((number, "value"), (self.view, "draw"))
        super().__init__([row(stop, p, number), self.view])

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

    def states(self) -> tuple[str, ...]:
        """The state of each row in a word: 均匀, 适中 or 饱和."""
        return row_states(self.weights())

    def twin(self) -> CourseFigure:
        """The present weights as a figure."""
        return figures.weights_heatmap(self.weights(), self.view.tokens)


def _bytes(M: Tensor) -> bytes:
    """The entries of M as float32, row by row."""
    return M.float().contiguous().numpy().tobytes()


@cache
@one_thread()
def _bands(L: int) -> Tensor:
    """Quantiles over 200 draws: (quantile, p, largest weight or ‖J‖, d_k). One draw serves all of them, unlike sweep."""
    Q, K = draw(200, L, STOPS[-1])
    bands = []
    for d_k in STOPS:
        dots = attention.scores(Q[..., :d_k], K[..., :d_k], attention.UNSCALED)
        A = attention.softmax(torch.stack([dots / attention.divisor(d_k, p) for p in P_GRID]))
        measures = torch.stack([A.amax(dim=-1), jacobian_norm(A)], dim=1).flatten(2)
        bands.append(measures.quantile(measures.new_tensor(QUANTILES), dim=-1))
    return torch.stack(bands, dim=-1)
