"""One picture for each step of self-attention; every function returns a figure that shows itself."""

from .fusing import (
    divisors,
    flow,
    fusion,
    matrix,
    plane,
    product,
    qkv,
    scores_heatmap,
    softmax_axes,
    timing,
    weights_heatmap,
)

__all__ = [
    "divisors",
    "flow",
    "fusion",
    "matrix",
    "plane",
    "product",
    "qkv",
    "scores_heatmap",
    "softmax_axes",
    "timing",
    "weights_heatmap",
]
