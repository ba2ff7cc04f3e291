"""Q and K to QKᵀ."""

from __future__ import annotations

from dataclasses import replace

from .steps import Mistake

K_NOT_TRANSPOSED = Mistake(
    "k_not_transposed",
    "K 没有转置。Q 是 (L, d_k)，K 也是 (L, d_k)，左边的列数 d_k 对不上右边的行数 L；要让每个键站成一列，写成 K.T。",
    {"dot": lambda Q, K: Q @ K},
)
DOT = (
    K_NOT_TRANSPOSED,
    Mistake(
        "q_transposed_instead",
        "转置的是 Q，应当是 K。QᵀK 是 (d_k, d_k)，它比较的是通道，不是词元。",
        {"dot": lambda Q, K: Q.mT @ K},
    ),
    Mistake(
        "q_and_k_swapped",
        "Q 和 K 对调了，你算的是 K Qᵀ：行和列正好互换。行是查询（谁在看），所以 Q 在左边（也看看 W_Q、W_K 有没有用反）。",
        {"dot": lambda Q, K: K @ Q.mT},
    ),
    Mistake(
        "q_with_q",
        "你算的是 Q Qᵀ，K 没有用上（或者 K 也用了 W_Q）：这样的表永远对称。点积要在查询和键之间做。",
        {"dot": lambda Q, K: Q @ Q.mT},
    ),
    Mistake(
        "k_with_k",
        "你算的是 K Kᵀ，Q 没有用上（或者 Q 也用了 W_K）：这样的表永远对称。点积要在查询和键之间做。",
        {"dot": lambda Q, K: K @ K.mT},
    ),
)
# Where there may be a batch, .T is no longer right.
DOT_IN_BATCH = (
    replace(K_NOT_TRANSPOSED, message=K_NOT_TRANSPOSED.message.replace("K.T", "K.mT")),
    *DOT[1:],
)
# What must not be done yet where the dot products alone are asked for.
TOO_EARLY = (
    *(
        Mistake(
            "scaled_too_early",
            "这一题只要点积 QKᵀ，还不用缩放：先不要除以 √d_k 或别的数，第 04 课再来。",
            {"leave": leave},
        )
        for leave in (
            lambda M, sizes: M / sizes.d_k**0.5,
            lambda M, sizes: M / sizes.d_k,
            lambda M, sizes: M / sizes.L**0.5,
            lambda M, sizes: M * sizes.d_k**0.5,
        )
    ),
    *(
        Mistake(
            "softmax_too_early",
            "这一题只要点积 QKᵀ，还不用 softmax：得分没有归一化，可以大于 1，每行的和也不必是 1。",
            {"leave": leave},
        )
        for leave in (
            lambda M, sizes: M.softmax(dim=-1),
            lambda M, sizes: (M / sizes.d_k**0.5).softmax(dim=-1),
        )
    ),
)
