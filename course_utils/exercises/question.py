"""What a quiz question is. Plain text without LaTeX: √dₖ, Wᵀ and the like are Unicode.

Every wrong option is something that people really believe, and its feedback says where the belief comes from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    text: str
    right: bool
    feedback: str


@dataclass(frozen=True)
class Question:
    """One question; with several right options all of them are wanted, and its text says 不止一个."""

    text: str
    options: tuple[Option, ...]

    @property
    def several(self) -> bool:
        return sum(option.right for option in self.options) > 1

    def answered_by(self, chosen: Iterable[int]) -> bool:
        """Whether these options, counted from 0, are all the right ones and no others."""
        return set(chosen) == {k for k, option in enumerate(self.options) if option.right}


def question(text: str, *options: tuple[str, bool, str]) -> Question:
    """A question from (text, right, feedback) of each option."""
    # Sorted, so that the right one, which may be written first, isn't always shown first.
    return Question(text, tuple(Option(*option) for option in sorted(options)))
