"""Words to X: looked up by a product, or stacked row by row."""

from __future__ import annotations

from dataclasses import replace

import torch

from .steps import Mistake


def _stacked(tokens, vocabulary):
    return torch.tensor([vocabulary[token] for token in tokens]).float()


TOKENS_AS_COLUMNS = Mistake(
    "tokens_as_columns",
    "结果横竖颠倒了：这门课里每个词元占一行，不是一列。",
    {"look_up": lambda onehot, E: (onehot @ E).mT},
)
SUMMED_TOKENS = Mistake(
    "summed_tokens",
    "所有词元的向量被加成了一行，分不出谁是谁了。每个词元要保留自己的一行。",
    {"look_up": lambda onehot, E: onehot.sum(0) @ E},
)
LOOK_UP = (
    Mistake(
        "embedding_first",
        "乘的顺序反了：独热向量在左，嵌入矩阵在右，(L, 词数) @ (词数, D) 才能取出每个词元的那一行。",
        {"look_up": lambda onehot, E: E @ onehot},
    ),
    Mistake(
        "embedding_transposed",
        "嵌入矩阵多转置了一次。E 的一行已经是一个词的向量，不用转置。",
        {"look_up": lambda onehot, E: onehot @ E.mT},
    ),
    TOKENS_AS_COLUMNS,
    SUMMED_TOKENS,
)
STACK = (
    replace(TOKENS_AS_COLUMNS, change={"stack": lambda tokens, vocabulary: _stacked(tokens, vocabulary).T}),
    replace(SUMMED_TOKENS, change={"stack": lambda tokens, vocabulary: _stacked(tokens, vocabulary).sum(0)}),
    Mistake(
        "whole_vocabulary",
        "你摞的是整个词表，不是这句话。请按 tokens 的顺序一个一个去查。",
        {"stack": lambda tokens, vocabulary: _stacked(vocabulary, vocabulary)},
    ),
    Mistake(
        "sorted_tokens",
        "词元的顺序变了（是不是用了 set 或 sorted？）。X 的第 i 行必须是句子里的第 i 个词元。",
        {"stack": lambda tokens, vocabulary: _stacked(sorted(tokens), vocabulary)},
    ),
    Mistake(
        "unique_tokens",
        "重复出现的词元被合并了。句子里出现几次，X 里就有几行。",
        {"stack": lambda tokens, vocabulary: _stacked(dict.fromkeys(tokens), vocabulary)},
    ),
)
