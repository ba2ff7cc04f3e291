"""S to A: the softmax."""

from __future__ import annotations

from .steps import Mistake


def _divided(E, keepdim=True):
    return E / E.sum(-1, keepdim=keepdim)


WEIGH = (
    Mistake(
        "no_softmax",
        "忘了 softmax：拿来当权重的还是得分，可以是负数，每行的和也不是 1。",
        {"weigh": lambda S: S},
    ),
    Mistake(
        "softmax_over_columns",
        "softmax 的轴错了：你让每一列的和为 1，应当是每一行。行是“谁在看”，它的注意力总量是 1；用 dim=-1。",
        {"weigh": lambda S: S.softmax(dim=-2)},
    ),
    Mistake(
        "softmax_over_everything",
        "softmax 做在了整个矩阵上：所有格子加起来才是 1。应当每一行各做各的，用 dim=-1。",
        {"weigh": lambda S: S.flatten().softmax(dim=0).reshape(S.shape)},
    ),
    Mistake(
        "softmax_twice",
        "softmax 做了两次：权重又被当成得分归一化了一遍，差距几乎被抹平。做一次就够了。",
        {"weigh": lambda S: S.softmax(dim=-1).softmax(dim=-1)},
    ),
    Mistake(
        "not_normalised",
        "只取了指数，没有除以这一行的和，所以每行的权重加起来不是 1。",
        {"weigh": lambda S: S.exp()},
    ),
    Mistake(
        "divided_without_exp",
        "只除以了这一行的和，没有先取指数 exp：负的得分会变成负的权重。",
        {"weigh": _divided},
    ),
    *(
        Mistake(
            "not_exponential",
            "每一行的和是 1，可得分没有先取指数 exp。绝对值、平方、截掉负数都会改变谁大谁小的关系，"
            "减去最小值又让最小的那个永远得 0；softmax 是 exp(s_ij) 除以这一行的和。",
            {"weigh": weigh},
        )
        for weigh in (
            lambda S: _divided(S.abs()),
            lambda S: _divided(S.relu()),
            lambda S: _divided(S * S),
            lambda S: _divided(S - S.amin(-1, keepdim=True)),
        )
    ),
    *(
        Mistake(
            "no_keepdim",
            "少了 keepdim=True：沿 dim=-1 求和（或取最大值）得到 (L,)，广播把它当成一行，第 i 行的数就用到了第 i 列上。"
            "写成 .sum(-1, keepdim=True)，得到 (L, 1)，每一行才用自己的那个数。",
            {"weigh": weigh},
        )
        for weigh in (
            lambda S: _divided(S.exp(), keepdim=False),
            lambda S: _divided((S - S.amax(-1, keepdim=True)).exp(), keepdim=False),
            lambda S: _divided((S - S.amax(-1)).exp(), keepdim=True),
            lambda S: _divided((S - S.amax(-1)).exp(), keepdim=False),
        )
    ),
)
SCORES_TRANSPOSED = Mistake(
    "scores_transposed",
    "softmax 之前 S 被转置了：行和列对调，“谁在看”变成了“谁被看”。直接对 S 做，用 dim=-1。",
    {"weigh": lambda S: S.mT.softmax(dim=-1)},
)
UNIFORM = Mistake(
    "uniform_weights",
    "每个词元分到的权重都一样，是 1/L：得分没有用上，看谁都一样多。权重要由得分经过 softmax 算出来。",
    {"weigh": lambda S: S.new_full(S.shape, 1 / S.shape[-1])},
)
