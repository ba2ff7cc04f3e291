"""X to Q, K and V: the projection, and which matrix is for whom."""

from __future__ import annotations

from dataclasses import replace

from .look_up import TOKENS_AS_COLUMNS
from .steps import Mistake

WEIGHT_NOT_TRANSPOSED = Mistake(
    "weight_not_transposed",
    "nn.Linear 的 weight 存的是 Wᵀ，形状是 (d_k, D)。要乘 weight.T，X 的列数 D 才对得上它的行数。",
    {"project": lambda X, W: X @ W.mT},
)
PROJECT = (
    Mistake(
        "weights_first",
        "乘的顺序反了：词元是 X 的行，所以 X 在左、W 在右，Q = X W_Q。",
        {"project": lambda X, W: W @ X},
    ),
    replace(TOKENS_AS_COLUMNS, change={"project": lambda X, W: W.mT @ X.mT}),
)
K_FOR_V = Mistake(
    "k_used_for_v",
    "V 的位置上用的是 K（或者 W_K）。键只用来打分，被加起来的值要用 W_V 算。",
    {"choose": lambda W_Q, W_K, W_V: (W_Q, W_K, W_K)},
)
V_AND_K_MIXED = Mistake(
    "v_and_k_mixed",
    "W_V 和 W_K 弄混了：键 K 用 W_K 算，值 V 用 W_V 算。",
    {"choose": lambda W_Q, W_K, W_V: (W_Q, W_V, W_K)},
)
CHOOSE = (
    K_FOR_V,
    V_AND_K_MIXED,
    Mistake(
        "q_and_k_swapped",
        "Q 和 K 对调了：查询 Q 用 W_Q 算，键 K 用 W_K 算。",
        {"choose": lambda W_Q, W_K, W_V: (W_K, W_Q, W_V)},
    ),
    Mistake(
        "one_weight_for_q_and_k",
        "Q 和 K 用了同一个矩阵 W_Q：这样得分表是对称的，“我看你”和“你看我”得分相同。K 要用 W_K。",
        {"choose": lambda W_Q, W_K, W_V: (W_Q, W_Q, W_V)},
    ),
)
