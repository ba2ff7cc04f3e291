"""The pictures of lesson 04: weights, Jacobians, gradients and training, as saturation.py measures them.

Each divisor d_k^p has its colour and line style everywhere. A line is a median; the pale band around it goes from
the 10 % to the 90 % quantile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from .attention import FULL, ROOT, UNSCALED, scores, softmax
from .cells import LABEL, MARGIN, NAME, NOTE, Grid, labels, say, sheet, side_by_side, spell, text_width
from .plane_axes import inset
from .saturation import (
    STATES,
    Gradients,
    Sweep,
    Training,
    band,
    dead_share,
    jacobian,
    jacobian_norm,
    state_keys,
)
from .style import KEY, MARK, QUIET, RULE, VALUE, WEIGHT, CourseFigure, course_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from torch import Tensor

# Name, colour and line style of each divisor d_k^p.
_DIVISORS = {
    UNSCALED: ("÷ 1（不缩放）", MARK, "-"),
    ROOT: ("÷ √dₖ", VALUE, "--"),
    FULL: ("÷ dₖ", KEY, ":"),
}
_STATE_COLOURS = dict(zip(STATES, (KEY, VALUE, MARK), strict=True))
_D_K_TICKS = (1, 8, 64, 512)
# Where the left and the right panel of a figure begin, and their size, in cells.
_LEFT, _RIGHT, _SIZE = 1.4, 9.0, (5.2, 4.2)
# The loss of a single batch jumps; a curve shows the median of so many steps.
_STEPS = 5
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@course_style()
def spread(stds: Mapping[int, Tensor]) -> CourseFigure:
    """Standard deviation of q·k over d_k beside √d_k. stds: d_k -> standard deviations, one for each group."""
    figure, ax = sheet(14.6, 6.4, "点积的标准差随 dₖ 的变化：测得的值落在 √dₖ 上")
    d_ks = tuple(stds)
    root = np.sqrt(d_ks)
    low, middle, high = torch.stack([band(each) for each in stds.values()], dim=1).numpy()
    measured = _panel(ax, _LEFT, 0.9, *_SIZE, "q·k 的标准差（对数刻度）", d_ks)
    measured.set_yscale("log", base=2)
    measured.set_yticks([1, 4, 16, 64, 256], ["1", "4", "16", "64", "256"])
    ratio = _panel(ax, _RIGHT, 0.9, *_SIZE, "测得的标准差 ÷ √dₖ", d_ks, (0.8, 1.2))
    thin, thick = figure.points(0.05), figure.points(0.08)
    for panel, scale in ((measured, 1), (ratio, root)):
        panel.plot(d_ks, root / scale, color=QUIET, linewidth=thin)
        panel.vlines(d_ks, low / scale, high / scale, color=WEIGHT, linewidth=thick, clip_on=False)
        panel.plot(d_ks, middle / scale, "o", color=WEIGHT, markersize=figure.points(0.2), clip_on=False)
    measured.plot(d_ks, d_ks, ":", color=QUIET, linewidth=thin)
    _beside(measured, "dₖ", (d_ks[-1], d_ks[-1]), QUIET)
    _beside(measured, "√dₖ", (d_ks[-1], root[-1]), WEIGHT)
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
    tokens = labels(tokens, len(Q), "行", "Q")
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
        name, colour = _divisor(p)[:2]
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
    figure, ax = sheet(14.6, 7.2, "每行最大的权重和雅可比矩阵的大小，随 dₖ 的变化")
    _legend(ax, _LEFT, 0.5, [each.p for each in measured])
    d_ks = measured[0].d_ks
    largest = _panel(ax, _LEFT, 1.8, *_SIZE, "每行最大的权重", d_ks, (0, 1))
    jacobians = _panel(ax, _RIGHT, 1.8, *_SIZE, "每行的 ‖J‖（对数刻度）", d_ks, (1e-10, 2), log=True)
    for each in measured:
        _band(largest, d_ks, each.largest, each.p)
        _band(jacobians, d_ks, each.jacobian, each.p)
    return figure


@course_style()
def jacobians(rows: Mapping[str, Tensor], tokens: Sequence[str]) -> CourseFigure:
    """Softmax's Jacobian J = diag(a) - a aᵀ for a few rows of weights side by side, with ‖J‖.

    rows: name -> a, (L,).
    """
    tokens = labels(tokens, len(next(iter(rows.values()))), "列", "a")
    grids = [
        Grid(
            jacobian(a).numpy(),
            name,
            tokens,
            tokens,
            WEIGHT,
            limit=0.25,
            strength=0.8,
            note=f"‖J‖ = {_short(jacobian_norm(a).item())}",
            row_title="权重 a",
            column_title="得分 s",
        )
        for name, a in rows.items()
    ]
    return side_by_side(grids, [""] * (len(grids) - 1), "softmax 的雅可比矩阵：" + "、".join(rows))[0]


@course_style()
def query_gradients(d_ks: Sequence[int], measured: Mapping[float, Sequence[Gradients]]) -> CourseFigure:
    """Gradients of the rows of Q over d_k, and the share of rows that get none. measured: p -> one for each d_k."""
    figure, ax = sheet(14.6, 7.2, "查询每一行的梯度，和收不到梯度的行所占的份额，随 dₖ 的变化")
    _legend(ax, _LEFT, 0.5, measured)
    rows = _panel(ax, _LEFT, 1.8, *_SIZE, "Q 每一行的梯度长度（对数刻度）", d_ks, (1e-8, 100), log=True)
    dead = _panel(ax, _RIGHT, 1.8, *_SIZE, "收不到梯度的行占多少", d_ks, (0, 1), percent=True)
    for p, each in measured.items():
        _band(rows, d_ks, torch.stack([band(found.q) for found in each], dim=1), p)
        _line(dead, d_ks, [dead_share(found.q) for found in each], p)
    return figure


@course_style()
def projection_gradients(d_ks: Sequence[int], measured: Mapping[float, Sequence[Gradients]]) -> CourseFigure:
    """The gradient of the whole W_Q over d_k, and all rows of Q at the largest d_k in order of their gradients."""
    figure, ax = sheet(14.6, 7.2, "整个 W_Q 的梯度随 dₖ 的变化，和 Q 各行的梯度从小到大排好")
    _legend(ax, _LEFT, 0.5, measured)
    whole = _panel(ax, _LEFT, 1.8, *_SIZE, "整个 W_Q 的梯度长度（对数刻度）", d_ks, (1, 3000), log=True)
    title = f"dₖ = {d_ks[-1]}：Q 各行从小到大"
    ordered = _panel(ax, _RIGHT, 1.8, *_SIZE, title, None, (1e-8, 100), log=True)
    ordered.set_xlim(0, 1)
    ordered.set_xticks([0, 0.5, 1], ["0", "一半的行", "全部"])
    for p, each in measured.items():
        _band(whole, d_ks, torch.stack([band(found.W_Q) for found in each], dim=1), p)
        lengths = each[-1].q.sort().values
        _line(ordered, torch.linspace(0, 1, len(lengths)), lengths, p)
    return figure


@course_style()
def value_gradients(d_ks: Sequence[int], measured: Mapping[float, Sequence[Gradients]]) -> CourseFigure:
    """Gradients of the rows of V over d_k, on the scale of those of Q in query_gradients."""
    figure, ax = sheet(11.4, 7.2, "值每一行的梯度，随 dₖ 的变化")
    _legend(ax, _LEFT, 0.5, measured)
    rows = _panel(
        ax, _LEFT, 1.8, 9.4, _SIZE[1], "V 每一行的梯度长度（对数刻度）", d_ks, (1e-8, 100), log=True
    )
    for p, each in measured.items():
        _band(rows, d_ks, torch.stack([band(found.v) for found in each], dim=1), p)
    return figure


@course_style()
def learning(runs: Mapping[float, Sequence[Training]]) -> CourseFigure:
    """Loss over training steps: medians of 5 steps. The band goes from the best seed to the worst one.

    On the right the share of questions that look at the right token in the end.
    """
    figure, ax = sheet(14.6, 8.4, "训练中的损失：" + "、".join(_divisor(p)[0] for p in runs))
    _legend(ax, _LEFT, 0.5, runs)
    panel = _panel(ax, _LEFT, 1.8, 10.2, 5.4, "损失（对数刻度）", None, (1e-3, 20), log=True)
    panel.set_xlabel("训练步数", fontsize=figure.points(LABEL))
    for p, each in runs.items():
        losses = torch.stack([run.losses for run in each])
        losses = losses.unfold(1, _STEPS, _STEPS).quantile(0.5, dim=-1)
        steps = [_STEPS * (n + 0.5) for n in range(losses.shape[1])]
        middle = losses.quantile(0.5, dim=0)
        _band(panel, steps, (losses.amin(dim=0), middle, losses.amax(dim=0)), p)
        found = sum(run.found for run in each) / len(each)
        _beside(panel, f"找对 {found:.0%}", (steps[-1], middle[-1]), _divisor(p)[1])
    panel.set_xlim(0, steps[-1])
    return figure


def _divisor(p: float) -> tuple[str, str, str]:
    if p not in _DIVISORS:
        raise ValueError(f"这里只画三种除数：p = 0（不缩放）、0.5（√dₖ）、1（dₖ），现在是 p = {p!r}。")
    return _DIVISORS[p]


def _legend(ax: Axes, x: float, y: float, ps) -> None:
    """One row on the sheet: a piece of line and the name of each divisor."""
    for p in ps:
        name, colour, style = _divisor(p)
        ax.plot([x, x + 0.9], [y, y], style, color=colour, linewidth=ax.figure.points(0.08))
        say(ax, x + 1.1, y, name, LABEL, colour)
        x += 1.9 + text_width(name, LABEL)


def _panel(
    ax: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    title: str,
    d_ks,
    limits=None,
    log=False,
    percent=False,
) -> Axes:
    """Axes on a sheet with a title above; d_ks on the x axis unless they are None."""
    figure = ax.figure
    say(ax, x, y - 0.4, title, LABEL)
    panel = inset(figure, x, y, width, height)
    if d_ks is not None:
        panel.set_xscale("log", base=2)
        panel.set_xlim(d_ks[0], d_ks[-1])
        panel.set_xticks(_D_K_TICKS, map(str, _D_K_TICKS))
        panel.set_xlabel("dₖ", fontsize=figure.points(LABEL), labelpad=figure.points(0.05))
    if log:
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(LogLocator(numticks=6))
        panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _power(value)))
    if percent:
        panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
    if limits:
        panel.set_ylim(*limits)
    panel.xaxis.set_minor_locator(NullLocator())
    panel.yaxis.set_minor_locator(NullLocator())
    panel.tick_params(labelsize=figure.points(NOTE), length=figure.points(0.08))
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", color=RULE, linewidth=figure.points(0.02))
    return panel


def _band(panel: Axes, xs, values, p: float) -> None:
    low, middle, high = values
    panel.fill_between(xs, low, high, color=_divisor(p)[1], alpha=0.16, linewidth=0)
    _line(panel, xs, middle, p)


def _line(panel: Axes, xs, values, p: float) -> None:
    _, colour, style = _divisor(p)
    panel.plot(xs, values, style, color=colour, linewidth=panel.figure.points(0.08))


def _beside(panel: Axes, text: str, point, colour: str) -> None:
    """Text to the right of a point."""
    points = panel.figure.points
    how = {"fontsize": points(LABEL), "color": colour, "va": "center", "annotation_clip": False}
    panel.annotate(text, point, xytext=(points(0.25), 0), textcoords="offset points", **how)


def _power(value: float) -> str:
    """A power of ten as an axis shows it."""
    exponent = round(np.log10(value))
    return f"{value:g}" if -3 < exponent < 5 else "10" + str(exponent).translate(_SUPERSCRIPTS)


def _short(value: float) -> str:
    """A number with two digits, a small one as 3.1×10⁻⁷."""
    if value >= 0.01 or value == 0:
        return spell(value)
    head, exponent = f"{value:.1e}".split("e")
    return f"{head}×10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
