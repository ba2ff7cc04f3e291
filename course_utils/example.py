"""The running example: the hand-made projections, and the whole chain for 我喜欢打篮球.

All sizes differ (L=4, D=5, d_k=3, d_v=2), so a wrong transpose or axis shows as a wrong shape.
"""

from __future__ import annotations

import torch

from .attention import ROOT, Trace
from .sentence import FEATURES, SENTENCE, read

# Rows are the features 人, 情感, 动作, 运动, 通讯; columns the channels 人, 动作, 事物.
W_Q = torch.tensor([[0, 1, 0], [2, 0, 1], [0, -2, 2], [0, 1, 0], [0, 1, 0]], dtype=torch.float32)
W_K = torch.tensor([[1, 0, 0], [0, 1, 0], [0, 3, -2], [0, 0, 1], [0, 0, 1]], dtype=torch.float32)
# Columns are the contents 通讯 (−) to 运动 (+) and 情感.
W_V = torch.tensor([[0, 0], [0, 1], [0, 0], [1, 0], [-1, 0]], dtype=torch.float32)

CHANNELS = ("人", "动作", "事物")
CONTENTS = ("通讯↔运动", "情感")


def running_trace(text: str = SENTENCE, p: float = ROOT) -> Trace:
    """The chain for a sentence with the hand-made projections; p is the exponent of the divisor d_k^p."""
    sentence = read(text)
    names = {"features": FEATURES, "channels": CHANNELS, "contents": CONTENTS}
    return Trace.of(sentence.X, W_Q, W_K, W_V, tokens=sentence.labels, p=p, **names)
