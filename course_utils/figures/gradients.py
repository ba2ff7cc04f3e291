"""Where the gradients go: to the rows of Q, to the whole of W_Q, to the rows of V."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch

from ..drawing.panel import panel
from ..drawing.sheet import sheet
from ..saturation import Gradients, band, dead_share
from ..style import CourseFigure, course_style
from .divisor_curves import LEFT, RIGHT, SIZE, band_of, legend, line_of, over_d_k
from .doors import require_d_ks, require_measured

if TYPE_CHECKING:
    from torch import Tensor


@course_style()
def query_gradients(d_ks: Sequence[int], measured: Mapping[float, Sequence[Gradients]]) -> CourseFigure:
    """Gradients of the rows of Q over d_k, and the share of rows that get none. measured: p -> one for each d_k."""
    _require(d_ks, measured)
    figure, ax = sheet(14.6, 7.2, "查询每一行的梯度，和收不到梯度的行所占的份额，随 dₖ 的变化")
    legend(ax, LEFT, 0.5, measured)
    rows = over_d_k(
        ax, LEFT, 1.8, *SIZE, "Q 每一行的梯度长度（对数刻度）", d_ks, limits=(1e-8, 100), log=True
    )
    dead = over_d_k(ax, RIGHT, 1.8, *SIZE, "收不到梯度的行占多少", d_ks, limits=(0, 1), percent=True)
    for p, each in measured.items():
        band_of(rows, d_ks, _bands(each, "q"), p)
        line_of(dead, d_ks, [dead_share(found.q) for found in each], p)
    return figure


@course_style()
def projection_gradients(d_ks: Sequence[int], measured: Mapping[float, Sequence[Gradients]]) -> CourseFigure:
    """The gradient of the whole W_Q over d_k, and all rows of Q at the largest d_k in order of their gradients."""
    _require(d_ks, measured)
    figure, ax = sheet(14.6, 7.2, "整个 W_Q 的梯度随 dₖ 的变化，和 Q 各行的梯度从小到大排好")
    legend(ax, LEFT, 0.5, measured)
    whole = over_d_k(
        ax, LEFT, 1.8, *SIZE, "整个 W_Q 的梯度长度（对数刻度）", d_ks, limits=(1, 3000), log=True
    )
    title = f"dₖ = {d_ks[-1]}：Q 各行从小到大"
    ordered = panel(ax, RIGHT, 1.8, *SIZE, title, (1e-8, 100), log=True)
    ordered.set_xlim(0, 1)
    ordered.set_xticks([0, 0.5, 1], ["0", "一半的行", "全部"])
    for p, each in measured.items():
        band_of(whole, d_ks, _bands(each, "W_Q"), p)
        lengths = each[-1].q.sort().values
        line_of(ordered, torch.linspace(0, 1, len(lengths)), lengths, p)
    return figure


def _require(d_ks, measured) -> None:
    require_d_ks(d_ks)
    require_measured(measured, Gradients, "measured", len(d_ks))


def _bands(measured: Sequence[Gradients], name: str) -> Tensor:
    """The bands, (3, n), of the lengths with this name, one for each of n values of d_k."""
    return torch.stack([band(getattr(found, name)) for found in measured], dim=1)
