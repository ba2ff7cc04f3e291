"""Who looks at whom: scores and weights, rows the tokens that ask, columns those that answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch

from ..attention import FULL, ROOT, UNSCALED, divisor, scores, softmax
from ..drawing.grid import Grid
from ..drawing.layout import side_by_side, stack
from ..drawing.reading import as_matrix, labels
from ..drawing.sheet import LABEL, say
from ..drawing.text import spell
from ..style import MARK, QUIET, VALUE, WEIGHT, CourseFigure, course_style

if TYPE_CHECKING:
    from torch import Tensor

# Panels with more columns than this stand one below the other, as large as single ones.
_BESIDE = 6
_OTHER_KEYS = "如果答的是另一组词元，用 keys 给出它们。"


@course_style()
def scores_heatmap(
    S: Tensor, tokens: Sequence[str], name: str = "S", keys: Sequence[str] | None = None
) -> CourseFigure:
    """Scores, (L_q, L): row i asks, column j answers. The largest size gets the full colour; below 0 it is grey.

    −inf marks a key that must not be seen.

    tokens: L_q that ask. keys: L that answer, the same as tokens if not given.
    """
    S = as_matrix(S, name, hidden=True)
    grid = _token_grid(S, *_tokens_of(S, tokens, keys, name), name)
    return side_by_side([grid], [], f"得分 {name}：行是查询，列是键")[0]


@course_style()
def weights_heatmap(
    A: Tensor, tokens: Sequence[str], name: str = "A", keys: Sequence[str] | None = None
) -> CourseFigure:
    """Weights, (L_q, L), with the sum of each row; the colours run from 0 to 1 whatever the weights.

    tokens: L_q that ask. keys: L that answer, the same as tokens if not given.
    Raises ValueError for numbers outside 0 to 1; the rows may have any sum.
    """
    A = as_matrix(A, name)
    tokens, keys = _tokens_of(A, tokens, keys, name)
    if A.min() < -1e-4 or A.max() > 1 + 1e-4:
        raise ValueError(
            f"这不像权重：{name} 里的数从 {spell(A.min())} 到 {spell(A.max())}，权重应当在 0 到 1 之间。"
            f"忘了 softmax 吗？试试 softmax({name})；要看得分，试试 scores_heatmap。"
        )
    grid = _token_grid(A, tokens, keys, name, limit=1.0, sums=QUIET)
    return side_by_side([grid], [], f"权重 {name}：行是查询，列是键，每行的和在右边")[0]


@course_style()
def softmax_axes(S: Tensor, tokens: Sequence[str], keys: Sequence[str] | None = None) -> CourseFigure:
    """Softmax along the rows of S, (L_q, L), as it should be, beside softmax along the columns, with all row sums.

    tokens: L_q that ask. keys: L that answer, the same as tokens if not given.
    """
    S = as_matrix(S, "S", hidden=True)
    if np.isneginf(S).all(axis=0).any():
        raise ValueError("S 有一列全是 −inf：谁也看不到这个键，按列的 softmax 没有办法算。")
    tokens, keys = _tokens_of(S, tokens, keys, "S")
    S = torch.from_numpy(S)
    right = _token_grid(softmax(S), tokens, keys, "✓ 按行", limit=1.0, sums=VALUE, note="dim=−1")
    wrong = _token_grid(torch.softmax(S, dim=0), tokens, keys, "✗ 按列", limit=1.0, sums=MARK, note="dim=0")
    alt = "softmax 按行（对）与按列（错）：按行时每行的和是 1，按列时不是"
    if len(keys) > _BESIDE:
        return stack([right, wrong], alt)[0]
    return side_by_side([right, wrong], [""], alt)[0]


@course_style()
def divisors(Q: Tensor, K: Tensor, tokens: Sequence[str], keys: Sequence[str] | None = None) -> CourseFigure:
    """The weights of the same dot products after the divisors 1, √d_k and d_k. Q: (L_q, d_k), K: (L, d_k).

    tokens: L_q that ask. keys: L that answer, the same as tokens if not given.
    """
    Q, K = torch.from_numpy(as_matrix(Q, "Q")), torch.from_numpy(as_matrix(K, "K"))
    if keys is None and len(Q) != len(K):
        raise ValueError(
            f"Q 和 K 的每一行都是一个词元，行数应当相同：Q 有 {len(Q)} 行，K 有 {len(K)} 行。{_OTHER_KEYS}"
        )
    tokens = labels(() if tokens is None else tokens, len(Q), "行", "Q")
    keys = tokens if keys is None else labels(keys, len(K), "行", "K")
    d_k, beside = Q.shape[1], len(keys) <= _BESIDE
    notes = {UNSCALED: "（不缩放）", ROOT: f"= {divisor(d_k, ROOT):.2f}", FULL: f"= {d_k}"}
    grids = [
        _token_grid(
            softmax(scores(Q, K, p)),
            tokens if p == UNSCALED or not beside else None,
            keys,
            name,
            limit=1.0,
            note=note,
        )
        for name, (p, note) in zip(("÷ 1", "÷ √dₖ", "÷ dₖ"), notes.items(), strict=True)
    ]
    alt = f"同样的得分除以 1、√dₖ、dₖ 之后的权重（dₖ={d_k}）：除数越大，权重越平均"
    if not beside:
        figure, ax, corners = stack(grids, alt, foot=0.8)
        (x, y), last = corners[-1], grids[-1]
        below, middle = y + last.height + 0.6, x + last.width / 2
        say(ax, middle, below, "从上往下：除数越大，权重越平均", LABEL, QUIET, ha="center")
        return figure
    figure, ax, corners = side_by_side(grids, ["", ""], alt, foot=0.7)
    (start, y), end = corners[0], corners[-1][0] + grids[-1].width
    below, line = y + grids[0].height + 0.5, {"color": QUIET, "linewidth": figure.points(0.04)}
    ax.annotate("", (end, below), (start, below), arrowprops={"arrowstyle": "->", **line})
    over_line = {"ha": "center", "backgroundcolor": "white"}
    say(ax, (start + end) / 2, below, "  除数越大，权重越平均  ", LABEL, QUIET, **over_line)
    return figure


def _tokens_of(M: np.ndarray, tokens, keys, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens that ask and those that answer, of scores or weights M, (L_q, L)."""
    if keys is None and M.shape[0] != M.shape[1]:
        raise ValueError(
            f"{name} 的行和列都是词元，应当是 L×L 的方阵，现在是 {M.shape[0]}×{M.shape[1]}。{_OTHER_KEYS}"
        )
    tokens = labels(() if tokens is None else tokens, M.shape[0], "行", name)
    return tokens, tokens if keys is None else labels(keys, M.shape[1], "列", name)


def _token_grid(values, tokens, keys, name: str, limit=None, sums=None, note=None) -> Grid:
    """A grid with the keys above it and, unless tokens are None, the tokens that ask beside it."""
    titles = {"row_title": "查询：谁在看 ↓", "column_title": "键：看谁 →"} if tokens else {}
    look = {"accent": WEIGHT, "limit": limit, "strength": 1.0, "note": note, "sums": sums}
    return Grid(np.asarray(values), name, tokens, keys, **titles, **look)
