"""Sizes: what L, D, d_k and d_v do to every matrix of the chain, and the combination that can't be multiplied."""

from __future__ import annotations

import anywidget
import ipywidgets as widgets
import torch
import traitlets
from torch import Tensor

from .. import attention, figures
from ..style import CourseFigure
from .shared.bundle import script, styles
from .shared.panel import Panel, identities, row

# Up to here the whole chain fits the screen of a class, every cell as large as any other.
LARGEST = 8


class SizesView(anywidget.AnyWidget):
    """The picture. d_other is the number of columns of W_K while different is on; alike is the opposite of different."""

    _esm = script("sizes.js")
    _css = styles("sizes.css")
    L = traitlets.Int(4).tag(sync=True)
    D = traitlets.Int(5).tag(sync=True)
    d_k = traitlets.Int(3).tag(sync=True)
    d_v = traitlets.Int(2).tag(sync=True)
    d_other = traitlets.Int(4).tag(sync=True)
    different = traitlets.Bool().tag(sync=True)
    alike = traitlets.Bool(True).tag(sync=True)
    controls = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Sizes(Panel):
    """Sliders for L, D, d_k and d_v over the chain X -> Q, K, V -> S -> A -> B, its parameters and multiplications.

    Shown by naming it in the last line of a cell.
    """

    def __init__(self):
        starts = {"L": (4, "L"), "D": (5, "D"), "d_k": (3, "dₖ"), "d_v": (2, "dᵥ"), "d_other": (4, "K 的 dₖ")}
        sliders = {
            name: widgets.IntSlider(value, min=1, max=LARGEST, description=description)
            for name, (value, description) in starts.items()
        }
        sliders["d_other"].disabled = True
        different = widgets.Checkbox(description="Q 与 K 的 dₖ 不同", indent=False)
        self.view = SizesView(**identities(*sliders.values(), different))
        for name, slider in sliders.items():
            widgets.jslink((slider, "value"), (self.view, name))
        widgets.jslink((different, "value"), (self.view, "different"))
        widgets.jsdlink((self.view, "alike"), (sliders["d_other"], "disabled"))
        *sizes, other = sliders.values()
        super().__init__([row(*sizes), row(different, other), self.view])

    def trace(self) -> attention.Trace:
        """The chain with random numbers in the present sizes. Raises ValueError (in Chinese) where it breaks."""
        view = self.view
        how = {"generator": torch.Generator().manual_seed(0), "dtype": torch.float32}
        d_other = view.d_other if view.different else view.d_k
        X = torch.randn(view.L, view.D, **how)
        W_Q, W_K, W_V = (
            torch.randn(view.D, columns, **how) / view.D**0.5 for columns in (view.d_k, d_other, view.d_v)
        )
        tokens = tuple(f"词{i + 1}" for i in range(view.L))
        return attention.Trace.of(X, W_Q, W_K, W_V, tokens)

    def weights(self) -> Tensor:
        """The weights A of that chain, (L, L). Raises ValueError where it breaks."""
        return self.trace().A

    def parameters(self) -> int:
        """The number of entries of W_Q, W_K and W_V."""
        d_other = self.view.d_other if self.view.different else self.view.d_k
        return self.view.D * (self.view.d_k + d_other + self.view.d_v)

    def twin(self) -> CourseFigure:
        """The whole chain as a figure. Raises ValueError where it breaks, as the chain itself does."""
        return figures.flow(self.trace())
