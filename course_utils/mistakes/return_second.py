"""What is returned beside B."""

from __future__ import annotations

from .steps import Mistake

RETURN_SECOND = (
    Mistake(
        "scores_returned",
        "第二个返回值是得分，不是权重：应当返回 softmax 之后的 A。",
        {"return_second": lambda A, S, M: S},
    ),
    Mistake(
        "dots_returned",
        "第二个返回值是点积 QKᵀ，不是权重：应当返回缩放、softmax 之后的 A。",
        {"return_second": lambda A, S, M: M},
    ),
)
