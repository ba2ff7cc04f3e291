"""What the figures of measurements are given, checked once at their doors; messages are Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral


def require_mapping(given, name: str, example: str) -> None:
    """Raise ValueError unless given is a mapping that isn't empty."""
    if not isinstance(given, Mapping) or not given:
        raise ValueError(f"{name} 应当是一个非空的字典，例如 {example}，现在是 {given!r:.60}。")


def require_measured(given, kind: type, name: str, count: int | None = None) -> None:
    """Raise ValueError unless each value of the mapping is a sequence of kind, with count entries where that is given."""
    require_mapping(given, name, f"{{0.5: [{kind.__name__}, …]}}")
    for p, each in given.items():
        if not isinstance(each, Sequence) or not each or not all(isinstance(one, kind) for one in each):
            raise ValueError(f"{name}[{p!r}] 应当是一列 {kind.__name__}，现在是 {each!r:.60}。")
        if count not in (None, len(each)):
            raise ValueError(
                f"{name}[{p!r}] 有 {len(each)} 个测量，d_k 有 {count} 个：每个 d_k 要有一个测量。"
            )


def require_d_ks(d_ks) -> None:
    """Raise ValueError unless d_ks is a sequence of positive integers that isn't empty."""
    good = isinstance(d_ks, Sequence) and not isinstance(d_ks, str) and len(d_ks) > 0
    if not good or not all(
        isinstance(d_k, Integral) and not isinstance(d_k, bool) and d_k > 0 for d_k in d_ks
    ):
        raise ValueError(f"d_ks 应当是一列正整数，例如 (4, 64, 512)，现在是 {d_ks!r:.60}。")
