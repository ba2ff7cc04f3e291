"""The whole chain as a diagram of small matrices and arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..drawing.colour import accent
from ..drawing.grid import Grid, draw_small
from ..drawing.reading import matrices_of
from ..drawing.sheet import NOTE, say, sheet
from ..style import INK, QUIET, CourseFigure, course_style

if TYPE_CHECKING:
    from ..attention import Trace

# What each matrix holds and where its middle stands; which arrow leads where, and what happens there.
_PLACES = {
    "X": ("词向量", 1.5, 4.6),
    "W_Q": ("", 4.9, 1.9),
    "W_K": ("", 4.9, 4.6),
    "W_V": ("", 4.9, 7.3),
    "Q": ("查询", 8.1, 1.9),
    "K": ("键", 8.1, 4.6),
    "V": ("值", 8.1, 7.3),
    "S": ("得分：点积，再缩放", 12.0, 3.25),
    "A": ("权重", 15.9, 3.25),
    "B": ("融合后", 18.4, 6.0),
}
_LINKS = (
    ("X", "W_Q", ""),
    ("X", "W_K", ""),
    ("X", "W_V", ""),
    ("W_Q", "Q", "投影"),
    ("W_K", "K", "投影"),
    ("W_V", "V", "投影"),
    ("Q", "S", ""),
    ("K", "S", ""),
    ("S", "A", "按行 softmax"),
    ("A", "B", ""),
    ("V", "B", "按权重相加"),
)


@course_style()
def flow(trace: Trace) -> CourseFigure:
    """The whole chain X -> Q, K, V -> S -> A -> B with the size of every matrix."""
    matrices = dict(zip(_PLACES, matrices_of(trace, *_PLACES), strict=True))
    figure, ax = sheet(19.8, 8.9, "自注意力的全过程：X → Q、K、V → S → A → B")
    edges = {}
    for step, (caption, x, y) in _PLACES.items():
        grid = Grid(
            matrices[step], step, accent=accent(step), strength=0.8, limit=1.0 if step == "A" else None
        )
        edges[step] = (*draw_small(ax, grid, x, y, caption), y)
    line = {"arrowstyle": "-|>", "color": QUIET, "linewidth": figure.points(0.04), "shrinkA": 0, "shrinkB": 0}
    for start, end, text in _LINKS:
        (_, x, y), (x2, _, y2) = edges[start], edges[end]
        arrowprops = {**line, "mutation_scale": figure.points(0.3)}
        ax.annotate("", (x2 - 0.2, y2), (x + 0.2, y), arrowprops=arrowprops)
        say(ax, (x + x2) / 2, (y + y2) / 2 - 0.35, text, NOTE, INK, ha="center")
    return figure
