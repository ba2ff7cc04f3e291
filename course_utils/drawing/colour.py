"""Colours: which one a matrix has, how strong a number makes it, and what can be read on it."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb

from ..style import INPUT, KEY, MARK, NEGATIVE, OUTPUT, QUERY, VALUE, WEIGHT, ZERO

# Colours for series that have none of their own.
SERIES = (QUERY, KEY, VALUE, MARK, OUTPUT, INPUT)
_ACCENTS = {"QKᵀ": WEIGHT, "Q": QUERY, "K": KEY, "V": VALUE, "S": WEIGHT, "A": WEIGHT, "B": OUTPUT}


def accent(name: str) -> str:
    """The colour of a matrix by its letter; W_Q and a row q have that of Q."""
    return _ACCENTS.get(name) or _ACCENTS.get(name.removeprefix("W_")[:1].upper(), INPUT)


def tint(shares, accent: str, strength: float = 1.0) -> np.ndarray:
    """Colours, (..., 3), of cells: pale where a share is 0, the accent at 1, grey at -1, all as far as strength."""
    shares = np.clip(shares, -1.0, 1.0)[..., np.newaxis]
    pale, full = np.array(to_rgb(ZERO)), np.where(shares > 0, to_rgb(accent), to_rgb(NEGATIVE))
    return pale + strength * abs(shares) * (full - pale)


def contrast(a, b) -> float:
    """Contrast ratio of two colours, 1 to 21, as WCAG 2.1 defines it."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(background) -> str:
    """White where that gives a contrast of 4.5, else black, which then gives more than that."""
    return "white" if contrast("white", background) >= 4.5 else "black"


def _luminance(colour) -> float:
    c = np.array(to_rgb(colour))
    return float(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722))
