"""The running example worked out by hand, as tensors: what the code must agree with."""

import torch

from .known_values import KNOWN

_EXAMPLE = KNOWN["example"]
TOKENS = tuple(_EXAMPLE["TOKENS"])

X, W_Q, W_K, W_V, Q, K, V, QKT, A, B = (
    torch.tensor(_EXAMPLE[name], dtype=torch.float32)
    for name in ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "QKT", "A", "B")
)
