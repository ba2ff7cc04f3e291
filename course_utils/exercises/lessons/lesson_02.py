"""The exercises and the quiz of lesson 02: X to Q, K, V."""

from __future__ import annotations

from ...mistakes.project import CHOOSE, PROJECT, WEIGHT_NOT_TRANSPOSED
from .. import cases
from ..exercise import Case, Exercise, Function, Value
from ..question import question
from . import chains

EXERCISES = (
    Exercise(
        id="2.1",
        title="所有词元一次投影",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="用一次矩阵乘法算出每个词元的查询。形状：`X` 是 (L, D)，`W_Q` 是 (D, d_k)，结果 Q 是 (L, d_k)。",
        code="def my_project(X, W_Q):\n    return «X @ W_Q»",
        hints=(
            "一个词元的查询是 x_i W_Q。把每个 x_i 摞成行，就是 X。",
            "里面的两个维数要相等：(L, D) 和 (D, d_k)，谁在左？",
            "`X @ …`",
        ),
        asks=Function(
            cases=cases.plain("X", "W_Q"),
            outputs=("Q",),
            answer=lambda steps, X, W_Q: steps.project(X, W_Q),
            mistakes=PROJECT,
        ),
    ),
    Exercise(
        id="2.2",
        title="nn.Linear 里的那个转置",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="`weight` 就是 `nn.Linear(D, d_k, bias=False).weight`，形状是 (d_k, D)。"
        "不调用 nn.Linear，自己写出它对 `X` 做的事。结果是 (L, d_k)。",
        code="def my_linear(X, weight):\n    return «X @ weight.T»",
        hints=(
            "把 weight 的形状写在 X 的形状旁边，直接相乘行不行？",
            "nn.Linear 存的是公式里 W 的转置。再转置一次就回到 W。",
            "`X @ weight.…`",
        ),
        asks=Function(
            cases=tuple(
                Case({"X": case.inputs["X"], "weight": case.inputs["W_Q"].T.clone()}, tokens=case.tokens)
                for case in cases.plain("X", "W_Q")
            ),
            outputs=("Q",),
            answer=lambda steps, X, weight: steps.project(X, weight.mT),
            mistakes=(WEIGHT_NOT_TRANSPOSED, *PROJECT),
        ),
    ),
    Exercise(
        id="2.3",
        title="三份投影",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="同一个 `X`，三个矩阵，三个身份。依次返回 Q、K、V，形状 (L, d_k)、(L, d_k)、(L, d_v)。",
        code="def my_qkv(X, W_Q, W_K, W_V):\n    «Q = X @ W_Q\n    K = X @ W_K\n    V = X @ W_V\n    return Q, K, V»",
        hints=(
            "三行几乎一样，只换一个矩阵。",
            "Q 用 W_Q，K 用 W_K，V 用 W_V，左边都是 X。",
            "最后一行是 `return Q, K, V`，顺序不能换。",
        ),
        asks=Function(
            cases=cases.plain("X", "W_Q", "W_K", "W_V"),
            outputs=("Q", "K", "V"),
            answer=chains.project_all,
            mistakes=(*PROJECT, *CHOOSE),
        ),
    ),
    Exercise(
        id="2.4",
        title="一共多少个参数",
        kind="心算",
        minutes=2,
        difficulty=1,
        task="D = 512，d_k = 64，d_v = 32。W_Q、W_K、W_V 一共有多少个数？可以让 Python 替你算。",
        code="my_count = «512 * 64 + 512 * 64 + 512 * 32»",
        hints=("一个 (行数, 列数) 的矩阵有 行数 × 列数 个数。", "W_Q 和 W_K 是 (D, d_k)，W_V 是 (D, d_v)。"),
        asks=Value(
            right=81920,
            wrong={
                98304: "W_V 的列数是 d_v = 32，不是 d_k = 64。",
                65536: "少了 W_V。",
                49152: "W_Q 和 W_K 是两个矩阵，要各算一次。",
                32768: "这只是一个 W_Q，还有 W_K 和 W_V。",
                82080: "这里的投影没有偏置（bias=False），公式里只有矩阵。",
                160: "这是三个矩阵的列数之和；每一列还有 D = 512 个数。",
            },
            otherwise="三个矩阵各有 行数 × 列数 个数，分别算出来再相加。",
        ),
    ),
)

QUESTIONS = (
    question(
        "X 是 4×5，W_Q 至少要满足什么才能算 X W_Q？",
        ("有 5 行", True, "对。X 的列数 D 要等于 W_Q 的行数；列数 dₖ 可以自己定。"),
        ("有 4 行", False, "4 是词元个数 L。W_Q 和句子长短无关，否则换一句话就不能用了。"),
        ("有 5 列", False, "列数是 dₖ，可以自己定。要对上的是 W_Q 的行数。"),
        ("是 5×5 的方阵", False, "不必是方阵。例子里的 W_Q 是 5×3。"),
    ),
    question(
        "句子从 4 个词元变成 100 个，W_Q、W_K、W_V 的参数个数怎样？",
        ("不变", True, "对。所有词元共用同样的三个矩阵，参数只和 D、dₖ、dᵥ 有关。"),
        (
            "变成 25 倍",
            False,
            "变多的是 Q、K、V 的行数。每个词元并没有自己的 W。",
        ),
        ("变成 625 倍", False, "625 倍的是得分表 L×L，它是算出来的，不是参数。"),
    ),
    question(
        "nn.Linear(5, 3, bias=False).weight 的形状是什么？",
        ("3×5", True, "对。它存的是公式里 W 的转置，先出后进。"),
        ("5×3", False, "括号里是先进后出，但存的 weight 是先出后进：公式里 W 的转置。"),
    ),
    question(
        "哪些维数必须相等？（不止一个）",
        ("Q 和 K 的列数", True, "对。查询和键要做点积，必须一样长。"),
        ("K 和 V 的行数", True, "对。每个词元既有键又有值，都是 L 行。"),
        ("K 和 V 的列数", False, "值不参加点积，dᵥ 可以和 dₖ 不同，例子里就是 2 和 3。"),
        ("Q 的列数和 X 的列数", False, "投影可以改变宽度：例子里 D = 5，dₖ = 3。"),
    ),
)
