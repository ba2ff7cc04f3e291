"""Wrong answers of lesson 01."""

import torch

FUNCTIONS = [
    ("1.1", "lambda onehot, E: E @ onehot", "embedding_first"),
    ("1.1", "lambda onehot, E: onehot @ E.T", "embedding_transposed"),
    ("1.1", "lambda onehot, E: E.T @ onehot.T", "tokens_as_columns"),
    ("1.1", "lambda onehot, E: torch.stack([row @ E for row in onehot]).sum(dim=0)", "summed_tokens"),
    ("1.1", "lambda onehot, E: onehot[0] @ E", "one_row"),
    ("1.1", "lambda onehot, E: onehot[:1] @ E", "one_row"),
    ("1.1", "lambda onehot, E: E[:4]", "hard_coded"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in tokens]).float().T", "tokens_as_columns"),
    ("1.2", "lambda tokens, vocabulary: sum(torch.tensor(vocabulary[t]).float() for t in tokens)", "summed_tokens"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor(list(vocabulary.values())).float()", "whole_vocabulary"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in sorted(tokens)]).float()", "sorted_tokens"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in dict.fromkeys(tokens)]).float()", "unique_tokens"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor(vocabulary[tokens[-1]]).float()", "one_row"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in tokens])", "dtype"),
    ("1.2", "lambda tokens, vocabulary: [vocabulary[t] for t in tokens]", "list"),
    ("1.2", "lambda tokens, vocabulary: vocabulary.clear()", "none"),
]  # fmt: skip

VALUES = [
    ("1.3", (512, 6), "行和列反了"),
    ("1.3", torch.Size([6, 6]), "得分表的形状"),
    ("1.3", 6 * 512, "问的是形状"),
    ("1.3", (6, 511), "每一行有几个数"),
    ("1.3", "(6, 512)", "要的是两个数"),
    ("1.3", (True, 512), "要的是两个数"),
]
