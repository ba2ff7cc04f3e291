"""A row of weights to its softmax Jacobian."""

from __future__ import annotations

from .steps import Mistake

JACOBIAN = (
    Mistake(
        "outer_only",
        "少了 diag(a)。对角线上是 a_i(1 − a_i)，它是正的。",
        {"jacobian": lambda a: -a.outer(a)},
    ),
    Mistake(
        "diagonal_only",
        "少了 a aᵀ 这一项。得分 j 变大会把别的权重 a_i 压小，所以不在对角线上的格子是 −a_i a_j。",
        {"jacobian": lambda a: a.diag()},
    ),
    Mistake(
        "off_diagonal_forgotten",
        "只有对角线。得分 j 变大会把别的权重 a_i 压小，所以不在对角线上的格子是 −a_i a_j，不是 0。",
        {"jacobian": lambda a: (a * (1 - a)).diag()},
    ),
    Mistake(
        "wrong_sign",
        "符号反了：是 diag(a) − a aᵀ。提高自己的得分，自己的权重会变大，所以对角线是正的。",
        {"jacobian": lambda a: a.outer(a) - a.diag()},
    ),
    Mistake(
        "sum_instead_of_difference",
        "两项之间是减号：diag(a) − a aᵀ。权重的总和不变，所以 J 的每一行加起来是 0。",
        {"jacobian": lambda a: a.diag() + a.outer(a)},
    ),
    *(
        Mistake(
            "squares_instead_of_outer",
            "a * a 是逐个平方，只有 L 个数，广播把它当成每一行（或每一列）都一样的表。这里要的是外积，"
            "第 (i, j) 格是 a_i a_j：torch.outer(a, a)。",
            {"jacobian": jacobian},
        )
        for jacobian in (lambda a: a.diag() - a * a, lambda a: a.diag() - (a * a)[:, None])
    ),
    Mistake(
        "dot_instead_of_outer",
        "a @ a 是点积，只得到一个数。这里要的是外积，L×L 的表，第 (i, j) 格是 a_i a_j：torch.outer(a, a)。",
        {"jacobian": lambda a: a.diag() - a @ a},
    ),
)
