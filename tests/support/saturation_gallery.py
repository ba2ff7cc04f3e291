"""Every figure of lesson 04 by name, on few draws, and what is measured for them."""

import torch
from matplotlib.colors import to_rgb

from course_utils import figures, style
from course_utils.attention import FULL, ROOT, UNSCALED, scores, softmax
from course_utils.learning import Training
from course_utils.saturation import draw, gradients, sweep

from .gallery import TOKENS

DIVISORS = (UNSCALED, ROOT, FULL)
D_KS = (1, 8, 64, 512)
Q, K = (M[0] for M in draw(1))
A = softmax(scores(Q, K, ROOT))
STDS = {d_k: d_k**0.5 * torch.linspace(0.95, 1.05, 11) for d_k in D_KS}
SWEEPS = {p: sweep(p, D_KS, count=20) for p in DIVISORS}
GRADIENTS = {p: [gradients(d_k, p, draws=2) for d_k in D_KS] for p in DIVISORS}
# Three seeds each, from 5 down to its end in 60 steps.
RUNS = {
    p: [
        Training(torch.logspace(0.7, end + seed / 4, 60), answered, found, avoided=0.0, on_asked=0.5)
        for seed in range(3)
    ]
    for p, end, answered, found in zip(
        DIVISORS, (-0.1, -2.5, -1.5), (0.25, 1.0, 0.875), (0.125, 1.0, 0.75), strict=True
    )
}

SATURATION = {
    "spread": lambda: figures.spread(STDS),
    "overview": lambda: figures.overview(Q, K, TOKENS),
    "overview_all": lambda: figures.overview(Q, K, TOKENS, (3, 64, 512), DIVISORS),
    "sweeps": lambda: figures.sweeps(*SWEEPS.values()),
    "jacobians": lambda: figures.jacobians(
        {"÷ √dₖ": A[2], "÷ 1": softmax(scores(Q, K, UNSCALED))[2]}, TOKENS
    ),
    "query_gradients": lambda: figures.query_gradients(D_KS, GRADIENTS),
    "projection_gradients": lambda: figures.projection_gradients(D_KS, GRADIENTS),
    "learning": lambda: figures.learning(RUNS),
}


def colour(p):
    """The colour of the divisor d_k^p."""
    return to_rgb({UNSCALED: style.MARK, ROOT: style.VALUE, FULL: style.KEY}[p])
