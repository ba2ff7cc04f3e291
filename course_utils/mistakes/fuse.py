"""A and V to B: for one token, and for all."""

from __future__ import annotations

from .steps import Mistake

FUSE_ONE = (
    Mistake(
        "column_of_A",
        "你取的是 A 的第 i 列，应当是第 i 行：行是“谁在看”，b_i 用的是词元 i 自己分出去的权重。",
        {"fuse_one": lambda A, V, i: A[:, i] @ V},
    ),
    Mistake(
        "own_value_only",
        "你只拿了 v_i 自己，没有看别的词元。b_i 是所有 v_j 按权重 a_ij 加起来。",
        {"fuse_one": lambda A, V, i: V[i]},
    ),
    Mistake(
        "own_term_only",
        "你只算了 j = i 的那一项。b_i 要把每个 j 的 a_ij · v_j 都加起来。",
        {"fuse_one": lambda A, V, i: A[i, i] * V[i]},
    ),
    Mistake(
        "unweighted_mean",
        "你算的是所有 v_j 的平均，权重没有用上。每个 v_j 要先乘上 a_ij。",
        {"fuse_one": lambda A, V, i: V.mean(0)},
    ),
    Mistake(
        "unweighted_sum",
        "v_j 直接相加了，权重没有用上。每个 v_j 要先乘上 a_ij。",
        {"fuse_one": lambda A, V, i: V.sum(0)},
    ),
    Mistake(
        "averaged_again",
        "加权之后又除以了 L。权重的和已经是 1，不用再平均。",
        {"fuse_one": lambda A, V, i: A[i] @ V / len(V)},
    ),
    Mistake(
        "all_tokens_at_once",
        "你算的是全部词元的 B，这一题只要第 i 个词元的 b_i，一个长度为 d_v 的向量。",
        {"fuse_one": lambda A, V, i: A @ V},
    ),
)
FUSE = (
    Mistake(
        "values_first",
        "乘的顺序反了：权重 A 在左，值 V 在右，(L, L) @ (L, d_v)。",
        {"fuse": lambda A, V, K: V @ A},
    ),
    Mistake(
        "A_transposed",
        "你算的是 AᵀV，A 多转置了一次：这样 b_i 用的是“谁看我”，应当是“我看谁”，也就是 A 的第 i 行。",
        {"fuse": lambda A, V, K: A.mT @ V},
    ),
    Mistake(
        "value_ignored",
        "V 原样返回了，权重没有用上。B 的每一行是 V 的各行按权重加起来。",
        {"fuse": lambda A, V, K: V},
    ),
    Mistake(
        "unweighted_mean",
        "每个词元得到的都是 V 的平均，权重没有用上。请用 A 的第 i 行给 V 的各行加权。",
        {"fuse": lambda A, V, K: V.mean(-2, keepdim=True).expand(*A.shape[:-1], V.shape[-1])},
    ),
)
V_BEFORE_SOFTMAX = Mistake(
    "v_before_softmax",
    "先乘了 V，再做 softmax，顺序反了。先把得分变成每行和为 1 的权重，再用权重去加 V。",
    {"weigh": lambda S: S, "fuse": lambda S, V, K: (S @ V).softmax(dim=-1)},
)
FUSED_WITH_K = Mistake(
    "k_used_for_v",
    "最后一步乘的是 K，不是 V。键只用来打分，被加起来的是值 V。",
    {"fuse": lambda A, V, K: A @ K},
)
