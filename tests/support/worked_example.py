"""The running example worked out by hand, typed in from the design: what the code must agree with.

Integers are exact; A and B are rounded to four places.
"""

import torch

TOKENS = ("我", "喜欢", "打", "篮球")

X = torch.tensor([[1, 0, 0, 0, 0], [0, 2, 0, 0, 0], [0, 0, 1, 1, 1], [0, 0, 0, 2, 0]]).float()
W_Q = torch.tensor([[0, 1, 0], [2, 0, 1], [0, -2, 2], [0, 1, 0], [0, 1, 0]]).float()
W_K = torch.tensor([[1, 0, 0], [0, 1, 0], [0, 3, -2], [0, 0, 1], [0, 0, 1]]).float()
W_V = torch.tensor([[0, 0], [0, 1], [0, 0], [1, 0], [-1, 0]]).float()

Q = torch.tensor([[0, 1, 0], [4, 0, 2], [0, 0, 2], [0, 2, 0]]).float()
K = torch.tensor([[1, 0, 0], [0, 2, 0], [0, 3, 0], [0, 0, 2]]).float()
V = torch.tensor([[0, 0], [0, 2], [0, 0], [2, 0]]).float()
QKT = torch.tensor([[0, 2, 3, 0], [4, 0, 0, 4], [0, 0, 0, 4], [0, 4, 6, 0]]).float()

A = torch.tensor(
    [
        [0.0924, 0.2931, 0.5221, 0.0924],
        [0.4548, 0.0452, 0.0452, 0.4548],
        [0.0765, 0.0765, 0.0765, 0.7704],
        [0.0227, 0.2287, 0.7258, 0.0227],
    ]
)
B = torch.tensor([[0.1848, 0.5862], [0.9097, 0.0903], [1.5409, 0.1530], [0.0454, 0.4575]])
