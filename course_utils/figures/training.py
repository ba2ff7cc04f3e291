"""How the loss falls in training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from ..drawing.panel import beside, panel
from ..drawing.sheet import LABEL, sheet
from ..learning import Training
from ..style import CourseFigure, course_style
from .divisor_curves import LEFT, band_of, legend, look_of

# The loss of a single batch jumps; a curve shows the median of so many steps.
_STEPS = 5


@course_style()
def learning(runs: Mapping[float, Sequence[Training]]) -> CourseFigure:
    """Loss over training steps: medians of 5 steps. The band goes from the best seed to the worst one.

    On the right the shares of questions that are answered in the end, and that look at the token asked for.
    """
    figure, ax = sheet(14.6, 8.4, "训练中的损失：" + "、".join(look_of(p)[0] for p in runs))
    legend(ax, LEFT, 0.5, runs)
    curves = panel(ax, LEFT, 1.8, 10.2, 5.4, "损失（对数刻度）", (1e-3, 20), log=True)
    curves.set_xlabel("训练步数", fontsize=figure.points(LABEL))
    for p, each in runs.items():
        losses = torch.stack([run.losses for run in each])
        losses = losses.unfold(1, _STEPS, _STEPS).quantile(0.5, dim=-1)
        steps = [_STEPS * (n + 0.5) for n in range(losses.shape[1])]
        middle = losses.quantile(0.5, dim=0)
        band_of(curves, steps, (losses.amin(dim=0), middle, losses.amax(dim=0)), p)
        answered, found = (
            sum(getattr(run, name) for run in each) / len(each) for name in ("answered", "found")
        )
        beside(curves, f"答对 {answered:.0%}\n找对 {found:.0%}", (steps[-1], middle[-1]), look_of(p)[1])
    curves.set_xlim(0, steps[-1])
    return figure
