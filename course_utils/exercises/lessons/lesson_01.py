"""The exercises and the quiz of lesson 01: build X."""

from __future__ import annotations

import torch

from ...mistakes.look_up import LOOK_UP, STACK
from ...sentence import VOCABULARY, tokenize
from ..exercise import Case, Exercise, Function, Value
from ..question import question

_SENTENCES = tuple(tokenize(text) for text in ("我喜欢打篮球", "打电话", "我喜欢篮球喜欢我"))
_EMBEDDING = torch.tensor(list(VOCABULARY.values()), dtype=torch.float32)


def _one_hot(tokens: tuple[str, ...]) -> torch.Tensor:
    return torch.eye(len(VOCABULARY), dtype=torch.float32)[
        [list(VOCABULARY).index(token) for token in tokens]
    ]


EXERCISES = (
    Exercise(
        id="1.1",
        title="查表就是一次矩阵乘法",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="`onehot` 的每一行是一个词元的独热向量，`E` 的每一行是词表里一个词的向量。"
        "用一次矩阵乘法取出每个词元的向量。形状：`onehot` 是 (L, 词数)，`E` 是 (词数, D)，结果 X 是 (L, D)。",
        code="def my_lookup(onehot, E):\n    return «onehot @ E»",
        hints=(
            "独热向量只有一个 1。用它去乘 E，会挑出 E 的哪一行？",
            "矩阵相乘时里面的两个维数要相等：(L, 词数) 和 (词数, D)，谁在左？",
            "矩阵乘法写作 `@`：`onehot @ …`。",
        ),
        asks=Function(
            cases=tuple(
                Case({"onehot": _one_hot(tokens), "E": _EMBEDDING}, tokens=tokens) for tokens in _SENTENCES
            ),
            outputs=("X",),
            answer=lambda steps, onehot, E: steps.look_up(onehot, E),
            mistakes=LOOK_UP,
        ),
    ),
    Exercise(
        id="1.2",
        title="自己摞一个 X",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="`tokens` 是一句话的词元，`vocabulary` 是词表：词 → 一组数。按句子的顺序把词向量一行一行摞成 X，"
        "形状 (L, D)，类型是浮点数。不用管词表里没有的词。",
        code="def my_X(tokens, vocabulary):\n"
        "    «rows = [vocabulary[token] for token in tokens]\n"
        "    return torch.tensor(rows, dtype=torch.float32)»",
        hints=(
            "先想一个词元：`vocabulary[token]` 是什么？",
            "用列表推导，按 tokens 的顺序查出每个词元的那一组数。",
            "`torch.tensor(...)` 把一个“列表的列表”变成矩阵；别忘了 `dtype=torch.float32`。",
        ),
        asks=Function(
            cases=tuple(
                Case({"tokens": tokens, "vocabulary": VOCABULARY}, tokens=tokens) for tokens in _SENTENCES
            ),
            outputs=("X",),
            answer=lambda steps, tokens, vocabulary: steps.stack(tokens, vocabulary),
            mistakes=STACK,
        ),
    ),
    Exercise(
        id="1.3",
        title="X 有多大",
        kind="心算",
        minutes=1,
        difficulty=1,
        task="一句话有 6 个词元，每个词向量 512 维。X 的形状是什么？写成 (行数, 列数)。",
        code="my_shape = «(6, 512)»",
        hints=("一个词元占一行还是一列？", "行数是词元个数 L，列数是词向量的维数 D。"),
        asks=Value(
            right=(6, 512),
            wrong={
                (512, 6): "行和列反了：这门课里每个词元占一行，所以行数是词元个数。",
                (6, 6): "(L, L) 是得分表的形状，X 的列数是词向量的维数。",
                (1, 512): "这只是一个词元。六个词元要摞成六行。",
                3072: "这是 X 里一共有多少个数；题目问的是形状，写成 (行数, 列数)。",
            },
            otherwise="数一数：一个词元占一行，一共有几行？每一行有几个数？",
        ),
    ),
)

QUESTIONS = (
    question(
        "“我喜欢打篮球”的 X 是 4×5。其中的 4 是什么？",
        ("词元的个数 L", True, "对。一个词元占一行，四个词元四行。"),
        ("句子里汉字的个数", False, "汉字有 6 个。行数由词元决定，“喜欢”“篮球”各是一个词元。"),
        ("词向量的维数 D", False, "D = 5 是列数。行是词元，列是特征。"),
        ("词表里词的个数", False, "词表里的词数是嵌入矩阵 E 的行数，X 只有这句话里的词元。"),
    ),
    question(
        "独热向量乘嵌入矩阵 E，得到的是什么？",
        ("E 的一行，也就是那个词的向量", True, "对。1 在第几个位置，就取出第几行，所以叫查表。"),
        ("E 的一列", False, "独热向量在左边，挑的是行。E 的一列是所有词在同一个特征上的值。"),
        ("E 的所有行的和", False, "要挑出一行，别的行都乘了 0，没有留下。"),
    ),
    question(
        "把句子里的两个词元对调，X 会怎样？",
        ("对应的两行对调，其余不变", True, "对。X 的每一行只取决于那个词元自己。"),
        ("完全不变", False, "行的内容没有变，但行的次序变了，X 是另一个矩阵。"),
        (
            "每一行都会变，因为上下文变了",
            False,
            "查表不看上下文。让一行受别的行影响，正是后面自注意力要做的事。",
        ),
    ),
    question(
        "“打篮球”和“打电话”里的“打”，在 X 里的那一行相同吗？",
        ("相同", True, "对。查表只看词本身。要靠注意力，两个“打”才会变得不同。"),
        ("不同，因为意思不同", False, "意思不同是读完整句话才知道的，查表的时候还没有看别的词元。"),
    ),
)
