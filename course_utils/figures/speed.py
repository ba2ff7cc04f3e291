"""Measured time against the number of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator

from ..drawing.colour import SERIES
from ..drawing.panel import beside
from ..drawing.sheet import LABEL, NOTE, inset, sheet
from ..drawing.text import shorten, text_width
from ..style import RULE, CourseFigure, course_style


@course_style()
def timing(lengths: Sequence[int], seconds: Mapping[str, Sequence[float]]) -> CourseFigure:
    """Time against the number of tokens L, both on a logarithmic scale. seconds: label -> one time per length."""
    if not isinstance(seconds, Mapping) or not seconds:
        raise ValueError(
            f"没有可画的时间：seconds 应当像 {{'矩阵形式': [0.001, 0.002]}}，现在是 {seconds!r:.60}。"
        )
    lengths = _positive(lengths, "长度 L ")
    seconds = {shorten(str(label)): _positive(times, f"「{label}」") for label, times in seconds.items()}
    for label, times in seconds.items():
        if len(times) != len(lengths):
            raise ValueError(
                f"「{label}」有 {len(times)} 个时间，长度 L 有 {len(lengths)} 个：每个长度要有一个时间。"
            )
    names = max(text_width(label, LABEL) for label in seconds)
    figure, _ = sheet(13.9 + names, 9, "、".join(seconds) + "：计算时间随词元个数 L 的变化")
    ax = inset(figure, 2.2, 0.5, 11, 7)
    for (label, times), colour in zip(seconds.items(), SERIES, strict=False):
        ax.loglog(
            lengths, times, "o-", color=colour, linewidth=figure.points(0.07), markersize=figure.points(0.2)
        )
        beside(ax, label, (lengths[-1], times[-1]), colour, gap=0.3)
    ax.set_xticks(lengths, [str(length) for length in lengths])
    ax.minorticks_off()
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _duration(value)))
    ax.set_xlabel("词元个数 L", fontsize=figure.points(LABEL))
    ax.tick_params(labelsize=figure.points(NOTE))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color=RULE)
    return figure


def _duration(seconds: float) -> str:
    """A time as an axis shows it."""
    for factor, unit in ((1, "秒"), (1e3, "毫秒")):
        if seconds * factor >= 0.999:
            return f"{seconds * factor:g} {unit}"
    return f"{seconds * 1e6:g} 微秒"


def _positive(given, name: str) -> tuple[float, ...]:
    """Lengths or times as a tuple of positive finite numbers."""
    try:
        values = tuple(given)
        good = values and all(isinstance(value, Real) and 0 < value < np.inf for value in values)
    except TypeError:
        good = False
    if not good:
        raise ValueError(f"{name}应当是一组正数，例如 [1, 2, 4]，现在是 {given!r:.60}。")
    return values
