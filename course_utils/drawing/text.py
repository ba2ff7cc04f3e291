"""How numbers, names and labels are written, and how much room they take."""

from __future__ import annotations

from math import inf, log10

# Names and labels beyond this many characters are shortened.
LONGEST = 24
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def spell(value: float, whole: bool = False) -> str:
    """A number as cells show it: zero and whole numbers short, others with two or three digits, a true minus."""
    size = abs(value)
    if size == inf:
        return "∞" if value > 0 else "−∞"
    if size >= 1e5:
        text = f"{value:.1e}".replace(".0e", "e").replace("e+0", "e").replace("e+", "e")
    elif whole or value == 0 or size >= 100:
        text = f"{value:.0f}"
    else:
        text = f"{value:.2f}" if size < 9.995 else f"{value:.1f}"
    return text.removeprefix("-") if not text.strip("-0.") else text.replace("-", "−")


def spell_small(value: float) -> str:
    """A number with two digits, a small one as 3.1×10⁻⁷."""
    if value >= 0.01 or value == 0:
        return spell(value)
    head, exponent = f"{value:.1e}".split("e")
    return f"{head}×10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def spell_power(value: float) -> str:
    """A power of ten as an axis shows it."""
    exponent = round(log10(value))
    return f"{value:g}" if -3 < exponent < 5 else "10" + str(exponent).translate(_SUPERSCRIPTS)


def shorten(text: str) -> str:
    """A name or label that would push everything else aside, cut."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def text_width(text: str, size: float) -> float:
    """Width of the longest line in cells, near enough for a layout: CJK a full em, the rest 0.57 of it."""
    return size * max(
        sum(1.0 if ord(c) > 0x2E7F or c in "×→↔" else 0.57 for c in line) for line in text.split("\n")
    )
