"""The exercises and the quiz of lesson 04: scaling and saturation."""

from __future__ import annotations

from ...mistakes.dot import DOT
from ...mistakes.jacobian import JACOBIAN
from ...mistakes.scale import SCALE
from ...mistakes.weigh import UNIFORM, WEIGH
from .. import cases
from ..exercise import Case, Exercise, Function, Value
from ..question import question
from . import chains

EXERCISES = (
    Exercise(
        id="4.1",
        title="除以什么",
        kind="补一行",
        minutes=4,
        difficulty=1,
        task="写出缩放后的得分 S = QKᵀ / √d_k。d_k 要从 `Q` 的形状里取，不要写死。`Q`、`K` 是 (L, d_k)，S 是 (L, L)。",
        code="def my_scores(Q, K):\n    return «Q @ K.T / Q.shape[-1] ** 0.5»",
        hints=(
            "上一课的 QKᵀ 再除以一个数。",
            "d_k 是 Q 的列数：`Q.shape[-1]`。",
            "开平方可以写成 `** 0.5`，也可以用 `math.sqrt`。",
        ),
        asks=Function(
            cases=cases.plain("Q", "K"),
            outputs=("S",),
            answer=chains.scores,
            mistakes=(*DOT, *SCALE),
        ),
    ),
    Exercise(
        id="4.2",
        title="从 Q、K 到权重",
        kind="写一个函数",
        minutes=6,
        difficulty=2,
        task="把点积、缩放、softmax 三步连起来，返回权重 A。`Q`、`K` 是 (L, d_k)，A 是 (L, L)，每一行的和是 1。",
        code="def my_weights(Q, K):\n    «S = Q @ K.T / Q.shape[-1] ** 0.5\n    return torch.softmax(S, dim=-1)»",
        hints=(
            "三步：点积、缩放、softmax。每一步写一行，旁边写上形状。",
            "S 就是上一题的答案。",
            "最后一步是 `torch.softmax(S, dim=…)`，每一行的和是 1。",
        ),
        asks=Function(
            cases=(*cases.plain("Q", "K"), cases.large("Q", "K")),
            outputs=("A",),
            answer=chains.weights,
            mistakes=(*DOT, *SCALE, *WEIGH, UNIFORM),
            weights_from=("Q", "K"),
        ),
    ),
    Exercise(
        id="4.3",
        title="softmax 的雅可比矩阵",
        kind="写一个函数",
        minutes=8,
        difficulty=3,
        task="`a` 是一行权重，形状 (L,)。返回 J = diag(a) − a aᵀ，形状 (L, L)：第 (i, j) 格是“得分 j 加一点，权重 i 变多少”。",
        code="def my_jacobian(a):\n    return «torch.diag(a) - torch.outer(a, a)»",
        hints=(
            "先写对角线：`torch.diag(a)` 是一个 L×L 的矩阵。",
            "a aᵀ 是一列乘一行：第 (i, j) 格是 a_i a_j。",
            "外积写作 `torch.outer(a, a)`。",
        ),
        asks=Function(
            cases=tuple(Case({"a": case.inputs["A"][0]}) for case in cases.plain("A")),
            outputs=("J",),
            answer=lambda steps, a: steps.jacobian(a),
            mistakes=JACOBIAN,
        ),
    ),
    Exercise(
        id="4.4",
        title="点积有多散",
        kind="心算",
        minutes=2,
        difficulty=1,
        task="q 和 k 的每个分量都独立地取自标准正态分布，d_k = 256。q·k 的标准差是多少？",
        code="my_std = «16»",
        hints=("方差可以相加：每一项 q_c k_c 的方差是 1，一共 256 项。", "标准差是方差的平方根。"),
        asks=Value(
            right=16,
            wrong={
                256: "256 是方差。标准差是方差的平方根，这正是除数是 √d_k 而不是 d_k 的原因。",
                1: "1 是每一项 q_c k_c 的标准差；256 项加起来，方差变成 256。",
                0: "0 是均值。问的是围着 0 散开多远。",
                8: "8 是 √64。d_k = 256。",
            },
            otherwise="先把 256 项的方差加起来，再开平方。",
        ),
    ),
)

QUESTIONS = (
    question(
        "q、k 的分量独立且服从标准正态。dₖ 从 16 变成 64，q·k 的标准差怎样？",
        ("变成 2 倍", True, "对。标准差是 √dₖ，从 4 变成 8。"),
        ("变成 4 倍", False, "变成 4 倍的是方差。标准差是它的平方根。"),
        ("不变", False, "项数变多了，和就散得更开。不变的是除以 √dₖ 之后的得分。"),
    ),
    question(
        "如果除以 dₖ 而不是 √dₖ，权重会怎样？",
        ("太平坦，接近平均", True, "对。得分的标准差变成 1/√dₖ，dₖ 越大，各行越接近 1/L。"),
        ("太尖锐，接近独热", False, "那是不缩放的后果。除多了是另一头：太平坦。"),
        (
            "一样，只要除过就行",
            False,
            "除以多少决定了得分的散开程度。用 √dₖ，它才不随 dₖ 变化。",
        ),
    ),
    question(
        "L = 4、dₖ = 512、不缩放：Q、K、V 里，谁有一半以上的行收不到梯度？",
        ("Q", True, "对。量出来是 52%：那一行饱和了，J 几乎是 0，梯度过不去。"),
        ("K", False, "K 是 29%：一个键从四个查询那里收，四份都几乎是 0 才收不到。"),
        ("V", False, "V 是 17%，只是没有人看的那些。整个 W_V 的梯度没有变小，是缩放时的将近两倍。"),
    ),
    question(
        "不缩放时，W_Q 的梯度的范数一定变小，对吗？",
        (
            "不对，它反而可能变大",
            True,
            "对。L = 4、dₖ = 512 时量出来是缩放时的 6 倍：一半以上的查询几乎收不到，没有饱和的几行却极大。"
            "所以要看中位数和分位数，不能只看一个范数。",
        ),
        (
            "对，饱和就是梯度消失",
            False,
            "饱和的行的确是这样，可是没有饱和的几行梯度大得多，范数跟着它们变大。",
        ),
    ),
    question(
        "一行权重是 (1, 0, 0, 0)。softmax 的雅可比矩阵 J = diag(a) − a aᵀ 是什么？",
        ("全是 0", True, "对。a_i(1 − a_i) 和 a_i a_j 都是 0：这一行的得分动一点点，权重不动。"),
        ("单位矩阵", False, "单位矩阵说的是得分变多少权重就变多少。饱和的行正好相反，动一点点，权重不动。"),
        ("第一个对角元是 1，其余是 0", False, "diag(a) 是这样，但 a aᵀ 也是这样，相减之后全是 0。"),
    ),
)
