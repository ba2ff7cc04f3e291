"""Saturation: sliders for d_k, the divisor and L, and what they do to the weights and to softmax's Jacobian."""

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
# The larger numbers of keys from which a row may choose; the smallest is that of the sentence.
MORE_KEYS = (16, 64)
DRAWS = 8
# A band is made of so many rows, or of fewer with no more weights than this: a view is to be there at once.
ROWS, WEIGHTS = 800, 25_600
P_GRID = [n / 20 for n in range(21)]


class SaturationView(anywidget.AnyWidget):
    """The picture: everything is computed in the browser from the dot products, which are sent once."""

    _esm = script("saturation.js")
    _css = styles("saturation.css")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    stops = traitlets.List(traitlets.Int()).tag(sync=True)
    lengths = traitlets.List(traitlets.Int()).tag(sync=True)
    # The places of d_k among the stops and of L among the lengths.
    stop = traitlets.Int().tag(sync=True)
    length = traitlets.Int().tag(sync=True)
    p = traitlets.Float(attention.ROOT).tag(sync=True)
    draw = traitlets.Int(1).tag(sync=True)
    # float32: q·k as draws × stops × tokens × keys; quantiles as L × quantile × p × (largest, ‖J‖) × stops.
    dots = traitlets.Bytes().tag(sync=True)
    sweep = traitlets.Bytes().tag(sync=True)
    limits = traitlets.List(traitlets.Float()).tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
    controls = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Saturation(Panel):
    """d_k, the divisor d_k^p, L and the draw as sliders over the weights, their entropy and softmax's Jacobian.

    Q and K have N(0, 1) entries: 8 draws of 512 columns, of which the first d_k are used; Q has a row for each token
    of text, K more rows, of which the first L are used. With more keys than tokens the rows shown stay the same.
    Shown by naming it in the last line of a cell.
    """

    def __init__(self, text: str = SENTENCE):
        tokens = tokenize(text)
        lengths = (len(tokens), *MORE_KEYS)
        Q, self._K = draw(DRAWS, lengths[-1], STOPS[-1], seed=1)
        self._Q = Q[:, : len(tokens)].clone()
        # The browser gets float32, so the kernel keeps the same numbers.
        self._dots = torch.stack([self._Q[..., :d] @ self._K[..., :d].mT for d in STOPS], dim=1).float()
        stop = widgets.SelectionSlider(
            options=[str(d_k) for d_k in STOPS], index=STOPS.index(64), description="dₖ"
        )
        p = widgets.FloatSlider(
            attention.ROOT, min=0, max=1, step=0.05, readout_format=".2f", description="缩放 p"
        )
        length = widgets.SelectionSlider(
            options=[str(L) for L in lengths], index=0, description="L（键的个数）"
        )
        number = widgets.IntSlider(min=1, max=DRAWS, description="第几次抽样")
        self.view = SaturationView(
            tokens=tokens,
            stops=STOPS,
            stop=stop.index,
            lengths=lengths,
            dots=_bytes(self._dots),
            sweep=_bytes(torch.stack([_bands(L) for L in lengths])),
            limits=(UNIFORM, SATURATED),
            states=STATES,
            **identities(stop, p, length, number),
        )
        widgets.jslink((stop, "index"), (self.view, "stop"))
        widgets.jslink((p, "value"), (self.view, "p"))
        widgets.jslink((length, "index"), (self.view, "length"))
        widgets.jslink((number, "value"), (self.view, "draw"))
        super().__init__([row(stop, p, length, number), self.view])

    def query_key(self) -> tuple[Tensor, Tensor]:
        """Q, (tokens, d_k), and K, (L, d_k), of the present draw."""
        d_k = STOPS[self.view.stop]
        return self._Q[self.view.draw - 1, :, :d_k], self._K[self.view.draw - 1, : self._L, :d_k]

    def scores(self) -> Tensor:
        """The present scores S, (tokens, L)."""
        dots = self._dots[self.view.draw - 1, self.view.stop, :, : self._L]
        # float64 on the way, as in the browser: without a divisor the scores are large and rounding shows.
        return (dots.double() / attention.divisor(STOPS[self.view.stop], self.view.p)).float()

    def weights(self) -> Tensor:
        """The present weights A, (tokens, L)."""
        return attention.softmax(self.scores())

    def states(self) -> tuple[str, ...]:
        """The state of each row in a word: 均匀, 适中 or 饱和."""
        return row_states(self.weights())

    def twin(self) -> CourseFigure:
        """The present weights as a figure."""
        if self.view.length == 0:
            return figures.weights_heatmap(self.weights(), self.view.tokens)
        return figures.matrix(self.weights(), rows=self.view.tokens, name="A")

    @property
    def _L(self) -> int:
        return self.view.lengths[self.view.length]


def _bytes(M: Tensor) -> bytes:
    """The entries of M as float32, row by row."""
    return M.float().contiguous().numpy().tobytes()


@cache
@one_thread()
def _bands(L: int) -> Tensor:
    """Quantiles over many draws: (quantile, p, largest weight or ‖J‖, d_k). One draw serves all of them, unlike sweep."""
    Q, K = draw(min(ROWS, WEIGHTS // L) // L, L, STOPS[-1])
    bands = []
    for d_k in STOPS:
        dots = attention.scores(Q[..., :d_k], K[..., :d_k], attention.UNSCALED).float()
        A = attention.softmax(torch.stack([dots / attention.divisor(d_k, p) for p in P_GRID]))
        measures = torch.stack([A.amax(dim=-1), jacobian_norm(A)], dim=1).flatten(2)
        bands.append(measures.quantile(measures.new_tensor(QUANTILES), dim=-1))
    return torch.stack(bands, dim=-1)
