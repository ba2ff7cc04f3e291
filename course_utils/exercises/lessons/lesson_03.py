"""The exercises and the quiz of lesson 03: the heatmap of scores."""

from __future__ import annotations

from ...mistakes.dot import DOT, TOO_EARLY
from ...mistakes.weigh import SCORES_TRANSPOSED, UNIFORM, WEIGH
from .. import cases
from ..exercise import Exercise, Function, Value
from ..question import question
from . import chains

EXERCISES = (
    Exercise(
        id="3.1",
        title="所有点积",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="用一次矩阵乘法算出每个查询和每个键的点积 QKᵀ（先不缩放）。形状：`Q`、`K` 都是 (L, d_k)，结果是 (L, L)，"
        "行是查询（谁在看），列是键（看谁）。",
        code="def my_dots(Q, K):\n    return «Q @ K.T»",
        hints=(
            "第 (i, j) 格是 Q 的第 i 行和 K 的第 j 行的点积。",
            "矩阵乘法是“左边的行”乘“右边的列”，所以要让每个键站成一列。",
            "转置写作 `K.T`。",
        ),
        asks=Function(
            cases=cases.plain("Q", "K"),
            outputs=("QKᵀ",),
            answer=chains.dots,
            mistakes=(*DOT, *TOO_EARLY),
        ),
    ),
    Exercise(
        id="3.2",
        title="按行 softmax",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="把得分 `S` 变成权重 A：每一行的和是 1。用 torch.softmax，或者自己从 exp 写起（得分可能很大，小心溢出）。"
        "`S` 和 A 都是 (L, L)。",
        code="def my_softmax(S):\n    return «torch.softmax(S, dim=-1)»",
        hints=(
            "行是“谁在看”。一个词元的注意力总量是 1，所以哪个方向的和是 1？",
            "`dim` 说的是沿着哪一维求和：最后一维（列号 j）是 -1。",
            "自己写的话：先减去每行的最大值 `S.max(dim=-1, keepdim=True).values`，再 exp，再除以每行的和。",
        ),
        asks=Function(
            cases=(*cases.plain("S"), cases.large("S")),
            outputs=("A",),
            answer=lambda steps, S: steps.weigh(S),
            mistakes=(*WEIGH, UNIFORM, SCORES_TRANSPOSED),
            weights_from=("S",),
        ),
    ),
    Exercise(
        id="3.3",
        title="读热力图",
        kind="读图",
        minutes=2,
        difficulty=1,
        task='看“我喜欢打篮球”的权重热力图：“我”最看重哪个词元？写成字符串，例如 `"我"`。',
        code='my_token = «"打"»',
        hints=("行是“谁在看”，列是“看谁”。", "找到“我”的那一行，横着看最大的数在哪一列。"),
        asks=Value(
            right="打",
            wrong={
                "喜欢": "你读的是“我”那一列：最看重“我”的是“喜欢”。题目问“我”看谁，要横着读“我”那一行。",
                "我": "一个词元不一定最看重自己。横着读“我”那一行，最大的数不在对角线上。",
                "篮球": "最看重“篮球”的是“打”。请横着读“我”那一行。",
            },
            otherwise="横着读“我”那一行，找到最大的数，它所在的列就是答案：一定是这句话里的一个词元。",
        ),
    ),
)

QUESTIONS = (
    question(
        "热力图第 2 行第 4 列的格子说的是什么？",
        ("第 2 个词元给第 4 个词元的注意力", True, "对。行是查询（谁在看），列是键（看谁）。"),
        ("第 4 个词元给第 2 个词元的注意力", False, "反了。先行后列：行是谁在看，列是看谁。"),
        (
            "两个词元互相的注意力",
            False,
            "只是一个方向。Q 和 K 用了不同的矩阵，所以 (2, 4) 和 (4, 2) 是两个不同的数。",
        ),
    ),
    question(
        "为什么是 Q Kᵀ，而不是 Q K？",
        (
            "要让 Q 的每一行和 K 的每一行做点积",
            True,
            "对。矩阵乘法是左边的行乘右边的列，转置让每个键站成一列。",
        ),
        ("为了让得分表对称", False, "得分表一般不对称：Q 和 K 来自不同的矩阵。"),
        ("为了让每一行的和为 1", False, "那是 softmax 的事，和转置无关。"),
    ),
    question(
        "softmax 之后，哪些数加起来一定是 1？",
        ("每一行", True, "对。一行是一个词元分出去的注意力，总量是 1。"),
        ("每一列", False, "一列是一个词元收到的注意力，有的词元收到的多，有的少，不必是 1。"),
        ("整个矩阵", False, "整个矩阵加起来是 L，因为 L 行每行是 1。"),
        ("对角线", False, "对角线是每个词元看自己的权重，没有这样的规定。"),
    ),
    question(
        "一行得分全部加上 100，这一行的权重怎样？",
        ("不变", True, "对。exp 里多出来的因子上下约掉了。所以可以放心减去最大值来防止溢出。"),
        ("全部变大", False, "每行的和始终是 1，不可能全部变大。"),
        ("变得更尖锐", False, "变尖锐的是乘一个大于 1 的数；加同一个数，差距没有变。"),
    ),
)
