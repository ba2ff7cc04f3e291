"""A few lines of text for the student, in a frame that follows the notebook's theme."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from ..style import lecturing

_COLOURS = {"good": "#087A5C", "bad": "#C2185B", "quiet": "#64748B"}


@dataclass(frozen=True)
class Callout:
    """Text with a coloured bar at its left. tone: "good", "bad" or "quiet"."""

    text: str
    tone: str = "quiet"

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # escape: the text may quote the student's own code.
        lines = "<br>".join(escape(line) for line in self.text.split("\n"))
        style = f"border-left: 4px solid {_COLOURS[self.tone]}; padding: 0.3em 0.8em; line-height: 1.6"
        if lecturing():
            style += "; font-size: 20px"
        return f'<div style="{style}">{lines}</div>'
