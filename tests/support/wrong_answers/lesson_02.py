"""Wrong answers of lesson 02."""

FUNCTIONS = [
    ("2.1", "lambda X, W_Q: W_Q @ X", "weights_first"),
    ("2.1", "lambda X, W_Q: (X @ W_Q).T", "tokens_as_columns"),
    ("2.1", "lambda X, W_Q: X[1] @ W_Q", "one_row"),
    ("2.1", "lambda X, W_Q: X.mul_(2) @ W_Q / 2", "changed_input"),
    ("2.1", "lambda X, W_Q: (X @ W_Q).int()", "dtype"),
    ("2.2", "lambda X, weight: X @ weight", "weight_not_transposed"),
    ("2.2", "lambda X, weight: weight @ X.T", "tokens_as_columns"),
    ("2.2", "lambda X, weight: weight.T @ X", "weights_first"),
    ("2.2", "lambda X, weight: X[0] @ weight.T", "one_row"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_V, X @ W_K)", "v_and_k_mixed"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_K, X @ W_Q, X @ W_V)", "q_and_k_swapped"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q, X @ W_V)", "one_weight_for_q_and_k"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_K)", "k_used_for_v"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (W_Q @ X, W_K @ X, W_V @ X)", "weights_first"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X[0] @ W_Q, X[0] @ W_K, X[0] @ W_V)", "one_row"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_V, X @ W_K, X @ W_Q)", "outputs_swapped"),
    ("2.3", "lambda X, W_Q, W_K, W_V: X @ W_Q", "count"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K)", "count"),
]  # fmt: skip

VALUES = [
    ("2.4", 7, "再相加"),
    ("2.4", "81920", "不要加引号"),
    ("2.4", 512 * 64 * 3, "d_v = 32"),
    ("2.4", 512 * 64, "还有 W_K 和 W_V"),
    ("2.4", 512 * 64 * 2 + 512 * 32 + 160, "没有偏置"),
]
