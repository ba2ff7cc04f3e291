"""One picture for each step of self-attention; every function returns a figure that shows itself.

Matrices may be tensors, arrays or nested lists. Bad input raises ValueError or TypeError with a Chinese sentence.
Characters beyond the bundled font (GB 2312) are drawn as □.
"""

from .diagram import flow
from .fusing import fusion, plane
from .gradients import projection_gradients, query_gradients
from .matrices import matrix, product, qkv
from .one_token import one_token
from .saturation import jacobians, overview, spread, sweeps
from .speed import timing
from .training import learning
from .weights import divisors, scores_heatmap, softmax_axes, weights_heatmap

__all__ = [
    "divisors",
    "flow",
    "fusion",
    "jacobians",
    "learning",
    "matrix",
    "one_token",
    "overview",
    "plane",
    "product",
    "projection_gradients",
    "qkv",
    "query_gradients",
    "scores_heatmap",
    "softmax_axes",
    "spread",
    "sweeps",
    "timing",
    "weights_heatmap",
]
