"""Mistakes of any step that show in a batch of sentences only, where tensors have three dimensions."""

from __future__ import annotations

from .steps import Mistake

BATCH = (
    *(
        Mistake(
            "batch_transposed",
            "一个句子算对了，一批句子（三维）却不行：K 的转置动了批次那一维。"
            ".T 会把三维全部颠倒；只换最后两维，写成 K.mT。",
            {"dot": dot},
        )
        for dot in (
            lambda Q, K: Q @ K.permute(*reversed(range(K.ndim))),
            lambda Q, K: Q @ K.transpose(0, 1),
        )
    ),
    Mistake(
        "batch_d_k",
        "一个句子算对了，一批句子（三维）却不行：除数用的是 shape[1]，三维时它是 L，不是 d_k。写成 shape[-1]，从后面数。",
        {"scale": lambda M, sizes: M / sizes.L**0.5},
    ),
    Mistake(
        "batch_softmax_axis",
        "一个句子算对了，一批句子（三维）却不行：softmax 用的是 dim=1，三维时它不再是最后一维。写成 dim=-1，从后面数。",
        {"weigh": lambda S: S.softmax(dim=1)},
    ),
)
