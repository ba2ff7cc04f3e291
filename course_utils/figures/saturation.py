"""What saturation.py measures: how large dot products are, what becomes of the weights and of softmax's Jacobian."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch

from ..attention import ROOT, UNSCALED, scores, softmax
from ..drawing.grid import Grid
from ..drawing.layout import side_by_side
from ..drawing.panel import beside
from ..drawing.reading import as_matrix, labels
from ..drawing.sheet import LABEL, MARGIN, NAME, NOTE, say, sheet
from ..drawing.text import spell_small
from ..saturation import STATES, Sweep, band, jacobian, jacobian_norm, state_keys
from ..style import KEY, MARK, QUIET, VALUE, WEIGHT, CourseFigure, course_style
from .divisor_curves import LEFT, RIGHT, SIZE, band_of, legend, look_of, over_d_k
from .doors import require_d_ks, require_mapping

if TYPE_CHECKING:
    from torch import Tensor

_STATE_COLOURS = dict(zip(STATES, (KEY, VALUE, MARK), strict=True))


@course_style()
def spread(stds: Mapping[int, Tensor]) -> CourseFigure:
    """Standard deviation of q·k over d_k beside √d_k. stds: d_k -> standard deviations, one for each group."""
    require_mapping(stds, "stds", "{4: torch.tensor([2.0, 2.1])}")
    require_d_ks(tuple(stds))
    for d_k, each in stds.items():
        if not isinstance(each, torch.Tensor) or each.ndim != 1 or not each.numel():
            raise ValueError(f"stds[{d_k}] 应当是一列标准差，一个一维的张量，现在是 {each!r:.60}。")
    figure, ax = sheet(14.6, 6.4, "点积的标准差随 dₖ 的变化：测得的值落在 √dₖ 上")
    d_ks = tuple(stds)
    root = np.sqrt(d_ks)
    low, middle, high = torch.stack([band(each) for each in stds.values()], dim=1).numpy()
    measured = over_d_k(ax, LEFT, 0.9, *SIZE, "q·k 的标准差（对数刻度）", d_ks)
    measured.set_yscale("log", base=2)
    measured.set_yticks([1, 4, 16, 64, 256], ["1", "4", "16", "64", "256"])
    ratio = over_d_k(ax, RIGHT, 0.9, *SIZE, "测得的标准差 ÷ √dₖ", d_ks, limits=(0.8, 1.2))
    thin, thick = figure.points(0.05), figure.points(0.08)
    for panel, scale in ((measured, 1), (ratio, root)):
        panel.plot(d_ks, root / scale, color=QUIET, linewidth=thin)
        panel.vlines(d_ks, low / scale, high / scale, color=WEIGHT, linewidth=thick, clip_on=False)
        panel.plot(d_ks, middle / scale, "o", color=WEIGHT, markersize=figure.points(0.2), clip_on=False)
    measured.plot(d_ks, d_ks, ":", color=QUIET, linewidth=thin)
    beside(measured, "dₖ", (d_ks[-1], d_ks[-1]), QUIET)
    beside(measured, "√dₖ", (d_ks[-1], root[-1]), WEIGHT)
    return figure


@course_style()
def overview(
    Q: Tensor,
    K: Tensor,
    tokens: Sequence[str],
    d_ks: Sequence[int] = (4, 512),
    ps: Sequence[float] = (UNSCALED, ROOT),
) -> CourseFigure:
    """Weights for a few d_k (columns) and divisors d_k^p (rows), and the state of every row in a word.

    Q, K: (L, d_k) with at least max(d_ks) columns, of which the first d_k are used.
    """
    Q, K = (torch.from_numpy(as_matrix(M, name)) for M, name in ((Q, "Q"), (K, "K")))
    if Q.shape != K.shape:
        raise ValueError(f"Q 和 K 应当一样大：Q 是 {tuple(Q.shape)}，K 是 {tuple(K.shape)}。")
    tokens = labels(() if tokens is None else tokens, len(Q), "行", "Q")
    require_d_ks(d_ks)
    if Q.shape[1] < max(d_ks):
        raise ValueError(
            f"Q 只有 {Q.shape[1]} 列，画不出 dₖ={max(d_ks)}。请给列数更多的 Q 和 K，或者减小 d_ks。"
        )
    L, top, left = len(tokens), 1.55, 2.9
    step_x, step_y = L + 1.6, L + 0.25
    alt = f"dₖ 为 {'、'.join(map(str, d_ks))} 时，用不同的除数得到的权重，和每一行的状态"
    figure, ax = sheet(left + len(d_ks) * step_x + MARGIN, top + len(ps) * step_y + MARGIN, alt)
    for m, p in enumerate(ps):
        y = top + m * step_y
        name, colour = look_of(p)[:2]
        for line, part in enumerate(name.replace("）", "").split("（")):
            say(ax, MARGIN, y + L / 2 + 0.55 * line, part, NAME if line == 0 else NOTE, colour)
        for n, d_k in enumerate(d_ks):
            x = left + n * step_x
            A = softmax(scores(Q[:, :d_k], K[:, :d_k], p))
            rows, columns = tokens if n == 0 else None, tokens if m == 0 else None
            heading = f"dₖ = {d_k}" if m == 0 else ""
            Grid(A.numpy(), heading, rows, columns, WEIGHT, limit=1.0, strength=1.0, note="").draw(
                ax, x, y, top - 0.3
            )
            for i, state in enumerate(state_keys(A)):
                say(ax, x + L + 0.15, y + i + 0.5, STATES[state], LABEL, _STATE_COLOURS[state])
    return figure


@course_style()
def sweeps(*measured: Sweep) -> CourseFigure:
    """The largest weight and ‖J‖ of each row over d_k, one line for each Sweep."""
    if not measured or not all(isinstance(each, Sweep) for each in measured):
        raise ValueError(f"sweeps 要一个或几个 Sweep，例如 saturation.sweep(0.5)，现在是 {measured!r:.60}。")
    if len({each.d_ks for each in measured}) > 1:
        raise ValueError("几个 Sweep 的 d_ks 不同，画不到一张图上。请用同样的 d_ks 各测一遍。")
    figure, ax = sheet(14.6, 7.2, "每行最大的权重和雅可比矩阵的大小，随 dₖ 的变化")
    legend(ax, LEFT, 0.5, [each.p for each in measured])
    d_ks = measured[0].d_ks
    largest = over_d_k(ax, LEFT, 1.8, *SIZE, "每行最大的权重", d_ks, limits=(0, 1))
    jacobians = over_d_k(ax, RIGHT, 1.8, *SIZE, "每行的 ‖J‖（对数刻度）", d_ks, limits=(1e-10, 2), log=True)
    for each in measured:
        band_of(largest, d_ks, each.largest, each.p)
        band_of(jacobians, d_ks, each.jacobian, each.p)
    return figure


@course_style()
def jacobians(rows: Mapping[str, Tensor], tokens: Sequence[str]) -> CourseFigure:
    """Softmax's Jacobian J = diag(a) - a aᵀ for a few rows of weights side by side, with ‖J‖.

    rows: name -> a, (L,).
    """
    require_mapping(rows, "rows", "{'÷ 1': torch.tensor([0.9, 0.1])}")
    for name, a in rows.items():
        if not isinstance(a, torch.Tensor) or a.ndim != 1:
            raise ValueError(f"rows[{name!r}] 应当是一行权重，一个一维的张量，现在是 {a!r:.60}。")
    if len({len(a) for a in rows.values()}) > 1:
        raise ValueError("每一行权重应当一样长：它们是同一句话里的权重。")
    tokens = labels(() if tokens is None else tokens, len(next(iter(rows.values()))), "列", "a")
    grids = [
        Grid(
            jacobian(a).numpy(),
            name,
            tokens,
            tokens,
            WEIGHT,
            limit=0.25,
            strength=0.8,
            note=f"‖J‖ = {spell_small(jacobian_norm(a).item())}",
            row_title="权重 a",
            column_title="得分 s",
        )
        for name, a in rows.items()
    ]
    return side_by_side(grids, [""] * (len(grids) - 1), "softmax 的雅可比矩阵：" + "、".join(rows))[0]
