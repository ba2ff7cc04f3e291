"""Figures given what they can't draw answer in Chinese; what softmax admits they draw."""

import pytest
import torch
from support.gallery import BALL, TOKENS
from support.saturation_gallery import D_KS, GRADIENTS, RUNS, SWEEPS
from support.seen import said

from course_utils import figures
from course_utils.attention import ROOT
from course_utils.drawing.reading import as_matrix
from course_utils.saturation import sweep

HIDDEN = BALL.S.masked_fill(torch.ones(4, 4).triu(1).bool(), -torch.inf)
ROW = torch.tensor([0.9, 0.1])
WRONG = {
    "spread nothing": (lambda: figures.spread({}), "stds 应当是一个非空的字典"),
    "spread a list": (lambda: figures.spread([1, 2]), "stds 应当是一个非空的字典"),
    "spread of numbers": (lambda: figures.spread({4: 2.0}), r"stds\[4\] 应当是一列标准差"),
    "spread of words": (lambda: figures.spread({"x": torch.ones(3)}), "d_ks 应当是一列正整数"),
    "overview of lists": (lambda: figures.overview([[1.0]], [[1.0], [2.0]], ("我",)), "Q 和 K 应当一样大"),
    "overview without d_k": (lambda: figures.overview(BALL.Q, BALL.K, TOKENS, ()), "d_ks 应当是一列正整数"),
    "overview too wide": (lambda: figures.overview(BALL.Q, BALL.K, TOKENS), "Q 只有 3 列，画不出 dₖ=512"),
    "overview no tokens": (lambda: figures.overview(BALL.Q, BALL.K, None, (3,)), "给了 0 个标签"),
    "no sweep": (lambda: figures.sweeps(), "sweeps 要一个或几个 Sweep"),
    "a number for a sweep": (lambda: figures.sweeps(3), "sweeps 要一个或几个 Sweep"),
    "sweeps of other d_k": (
        lambda: figures.sweeps(SWEEPS[ROOT], sweep(ROOT, (4, 8), count=2)),
        "d_ks 不同，画不到一张图上",
    ),
    "no rows": (lambda: figures.jacobians({}, TOKENS), "rows 应当是一个非空的字典"),
    "rows of other lengths": (
        lambda: figures.jacobians({"a": ROW, "b": torch.tensor([1.0])}, ("我", "你")),
        "应当一样长",
    ),
    "a matrix for a row": (lambda: figures.jacobians({"a": BALL.A}, TOKENS), "应当是一行权重"),
    "gradients of nothing": (lambda: figures.query_gradients(D_KS, {}), "measured 应当是一个非空的字典"),
    "gradients of other d_k": (
        lambda: figures.query_gradients((1, 2), GRADIENTS),
        r"measured\[0.0\] 有 4 个测量，d_k 有 2 个",
    ),
    "gradients of numbers": (
        lambda: figures.projection_gradients((4,), {ROOT: [1.0]}),
        r"measured\[0.5\] 应当是一列 Gradients",
    ),
    "learning from nothing": (lambda: figures.learning({ROOT: []}), r"runs\[0.5\] 应当是一列 Training"),
    "learning from one run": (lambda: figures.learning({ROOT: RUNS[ROOT][0]}), r"runs\[0.5\] 应当是一列"),
    "softmax down a hidden column": (
        lambda: figures.softmax_axes(
            BALL.S.masked_fill(torch.tensor([False] * 3 + [True]), -torch.inf), TOKENS
        ),
        "有一列全是 −inf",
    ),
    "a score of inf": (
        lambda: figures.scores_heatmap(torch.full((4, 4), torch.inf), TOKENS),
        "S 里有 NaN 或 inf",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_odd_input_is_answered_in_chinese(name):
    call, words = WRONG[name]
    with pytest.raises(ValueError, match=words):
        call()


def test_scores_that_hide_keys_are_drawn():
    assert said(figures.scores_heatmap(HIDDEN, TOKENS)).count("−∞") == 6
    assert "1.00" in said(figures.softmax_axes(HIDDEN, TOKENS))
    assert "−∞" not in said(figures.scores_heatmap(BALL.S, TOKENS))


def test_rows_that_require_grad_are_a_matrix():
    rows = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])]
    assert as_matrix(rows, "M").tolist() == [[1.0, 2.0], [3.0, 4.0]]
