"""QKᵀ to S: the divisor."""

from __future__ import annotations

from .steps import Mistake

SCALE = (
    Mistake(
        "no_divisor",
        "忘了除以 √d_k。点积的标准差会随 d_k 长大，不除的话 softmax 容易饱和。",
        {"scale": lambda M, sizes: M},
    ),
    Mistake(
        "divided_by_d_k",
        "除数用成了 d_k，应当是它的平方根 √d_k：点积的标准差是 √d_k，除多了权重会变得太平坦。",
        {"scale": lambda M, sizes: M / sizes.d_k},
    ),
    Mistake(
        "multiplied",
        "你乘了 √d_k，应当是除以 √d_k：缩放是为了让得分变小，不是变大。",
        {"scale": lambda M, sizes: M * sizes.d_k**0.5},
    ),
    Mistake(
        "root_of_L",
        "开平方的是词元个数 L，应当是 d_k。d_k 是 Q 的列数：Q.shape[-1]，不是 Q.shape[0]，也不是 len(Q)。",
        {"scale": lambda M, sizes: M / sizes.L**0.5},
    ),
    *(
        Mistake(
            "power_before_division",
            "Python 先算乘方，再算除法：d_k ** 1/2 是 (d_k ** 1) / 2，不是平方根。写成 d_k ** 0.5 或 d_k ** (1/2)。",
            {"scale": scale},
        )
        for scale in (lambda M, sizes: M / sizes.d_k / 2, lambda M, sizes: M / (sizes.d_k / 2))
    ),
)
ROOT_OF_D_V = Mistake(
    "root_of_d_v",
    "开平方的是 V 的列数 d_v，应当是 d_k：得分是查询和键的点积，和值的长度无关。",
    {"scale": lambda M, sizes: M / sizes.d_v**0.5},
)
ROOT_OF_D = Mistake(
    "root_of_D",
    "开平方的是词向量的维数 D，应当是 d_k：点积是在 Q、K 的 d_k 个通道上做的，不是在 X 上。",
    {"scale": lambda M, sizes: M / sizes.D**0.5},
)
