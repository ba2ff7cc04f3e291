"""The exercises and the quiz of lesson 05: weighted fusion."""

from __future__ import annotations

from ...mistakes.fuse import FUSE, FUSE_ONE, V_BEFORE_SOFTMAX
from ...mistakes.weigh import WEIGH
from .. import cases
from ..exercise import Case, Exercise, Function
from ..question import question

EXERCISES = (
    Exercise(
        id="5.1",
        title="一个词元的融合",
        kind="写一个函数",
        minutes=4,
        difficulty=1,
        task="算出第 `i` 个词元的 b_i = Σ_j a_ij v_j。用循环或一次乘法都行。`A` 是 (L, L)，`V` 是 (L, d_v)，b_i 是 (d_v,)。",
        code="def my_fuse_one(A, V, i):\n    return «A[i] @ V»",
        hints=(
            "先写一项：词元 i 给词元 j 的权重是 `A[i, j]`，词元 j 的值是 `V[j]`。",
            "对每个 j，把 `A[i, j] * V[j]` 加起来。",
            "不用循环的写法：A 的第 i 行乘 V。",
        ),
        asks=Function(
            cases=tuple(
                Case({**case.inputs, "i": i}, tokens=case.tokens)
                for case, i in zip(cases.plain("A", "V"), (2, 0, 3), strict=True)
            ),
            outputs=("b_i",),
            answer=lambda steps, A, V, i: steps.fuse_one(A, V, i),
            mistakes=FUSE_ONE,
        ),
    ),
    Exercise(
        id="5.2",
        title="所有词元一起融合",
        kind="补一行",
        minutes=2,
        difficulty=1,
        task="用一次矩阵乘法算出 B，第 i 行是 b_i。`A` 是 (L, L)，`V` 是 (L, d_v)，B 是 (L, d_v)。",
        code="def my_fuse(A, V):\n    return «A @ V»",
        hints=("b_i 是 A 的第 i 行乘 V。把所有的行摞起来……", "权重在左，值在右。"),
        asks=Function(
            cases=cases.plain("A", "V"),
            outputs=("B",),
            answer=lambda steps, A, V: steps.fuse(A, V, None),
            mistakes=FUSE,
        ),
    ),
    Exercise(
        id="5.3",
        title="从得分到 B",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="`S` 是缩放过的得分 (L, L)，`V` 是 (L, d_v)。先变成权重，再融合，返回 B。想一想：这两步能不能换顺序？",
        code="def my_B(S, V):\n    «A = torch.softmax(S, dim=-1)\n    return A @ V»",
        hints=(
            "两步：得分 → 权重，权重 → B。",
            "权重的每一行的和是 1；只有变成权重之后，“按份加起来”才有意义。",
            "第一步 `torch.softmax(S, dim=-1)`，第二步 `A @ V`。",
        ),
        asks=Function(
            cases=(*cases.plain("S", "V"), cases.large("S", "V")),
            outputs=("B",),
            answer=lambda steps, S, V: steps.fuse(steps.weigh(S), V, None),
            mistakes=(*WEIGH, V_BEFORE_SOFTMAX, *FUSE),
        ),
    ),
)

QUESTIONS = (
    question(
        "b_i 是怎么来的？",
        ("所有 v_j 按权重 a_ij 加起来", True, "对。A 的第 i 行是配方，V 的各行是材料。"),
        (
            "权重最大的那个 v_j",
            False,
            "每个 v_j 都有一份，只是多少不同。只取最大的那个，Q 和 K 就收不到梯度了，V 还收得到。",
        ),
        ("所有 v_j 的平均", False, "只有当第 i 行的权重全相等时才是平均。"),
        ("v_i 乘上 a_ii", False, "那只是其中的一项：词元 i 看自己的那一份。"),
    ),
    question(
        "在平面上，b_i 会落在哪里？",
        ("各个 v_j 围成的凸包里（含边界）", True, "对。权重不是负数，和为 1，这样的和出不了凸包。"),
        ("平面上任何地方", False, "要走出凸包，需要负的权重或者和不为 1 的权重。"),
        ("总在某一个 v_j 上", False, "只有当这一行的权重是独热的时候才这样。"),
    ),
    question(
        "“打”的值 v 是原点 (0, 0)，它的 b 却是 (1.54, 0.15)。为什么？",
        ("它的权重大多给了“篮球”，b 里大多是“篮球”的值", True, "对。一个词元的 b 由它看的词元决定。"),
        ("它的 v 在训练中变了", False, "V = X W_V 没有变。变的是 B，它是 V 的各行混出来的。"),
        ("softmax 把 0 变成了正数", False, "softmax 只作用在得分上，不作用在 V 上。"),
    ),
    question(
        "B 的形状和谁相同？",
        ("V", True, "对。(L, L) 乘 (L, dᵥ) 得 (L, dᵥ)。"),
        ("A", False, "A 是 L×L。乘上 V 之后，列数变成 dᵥ。"),
        (
            "X，总是这样",
            False,
            "只有 dᵥ = D 时才相同，例子里是 2 和 5。常见的做法是 h 个头，每个 dᵥ = D/h，拼起来是 D 列，好让一层接一层。",
        ),
    ),
)
