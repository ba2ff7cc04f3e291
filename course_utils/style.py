"""The look of every figure: the bundled Chinese font, the palette, lecture mode and the figure class.

Nothing here touches the global rcParams or pyplot: a figure of the course carries its own style,
so a plt.style.use before or after it changes nothing.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from html import escape
from io import BytesIO
from pathlib import Path

import matplotlib.style
import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, fontManager, get_font
from matplotlib.text import Text
from PIL import Image

FAMILY = "Noto Sans SC Course"
# Loaded by path, so that the figures need no font installed on the machine.
fontManager.addfont(Path(__file__).parent / "fonts" / "NotoSansSC-Course.otf")

INK, QUIET, RULE, PAPER = "#1B2430", "#5C6572", "#C9CED6", "#FFFFFF"
# Blue, orange, green and purple after Okabe and Ito, darkened until they are readable as type on white.
INPUT, QUERY, KEY, VALUE = "#76680F", "#0A68B0", "#B45309", "#087A5C"
WEIGHT, OUTPUT, MARK = "#4B1F8A", "#0077A3", "#BE123C"
# Cells: pale at zero, grey below it; the minus sign says the same without colour.
ZERO, NEGATIVE = "#F3F4F6", "#64748B"

_STYLE = {
    # Concrete names: a generic "sans-serif" would be looked up again in whatever style is set later.
    # DejaVu, second, has the sub- and superscripts ₖ ᵢ ᵀ that the Chinese font lacks.
    "font.family": [FAMILY, "DejaVu Sans"],
    # A token may hold a dollar sign, and Chinese inside mathtext would turn into boxes.
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
}

# Largest width and height of a figure and largest side of a matrix cell, in css pixels.
_NOTEBOOK = (900, 640, 46)
_LECTURE = (1200, 660, 92)
_DPI = 100
# A sentence that is there for the ear and takes no room; where styles are stripped it stands as a caption.
SPOKEN = (
    '<p class="sa-spoken" style="position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; '
    'clip-path: inset(50%)">图：{}</p>'
)
_lecture = False


def lecture(on: bool = True) -> None:
    """Large type on the page, and all later figures as large as a 1280×720 projector allows; lecture(False) goes back."""
    from .page import set_type  # widgets take a moment to import, and figures need none

    global _lecture
    _lecture = bool(on)
    set_type(large=_lecture)


def lecturing() -> bool:
    """Whether lecture mode is on; the live views ask when they are made."""
    return _lecture


@contextmanager
def course_style() -> Iterator[None]:
    """The course's rcParams, for the time of a with block or of a decorated function."""
    with matplotlib.style.context(["default", _STYLE]):
        yield


class CourseFigure(Figure):
    """A figure measured in matrix cells that builds, draws, saves and shows itself in the course's style.

    width, height: size in cells. alt: a Chinese sentence for readers who can't see the picture.
    screens: how many times the usual height it may have. A character that the fonts lack is drawn as □.
    """

    def __init__(self, width: float, height: float, alt: str, screens: int = 1):
        max_width, max_height, max_cell = _LECTURE if _lecture else _NOTEBOOK
        self.cell = min(max_width / width, screens * max_height / height, max_cell)
        self.alt = alt
        with course_style():
            super().__init__(
                figsize=(round(width * self.cell) / _DPI, round(height * self.cell) / _DPI), dpi=_DPI
            )

    def points(self, size: float) -> float:
        """A length in cells as points, the unit of font sizes and line widths."""
        return size * self.cell * 72 / _DPI

    # Ticks and default text properties come into being while drawing, so drawing needs the style too.
    @course_style()
    def draw(self, renderer):
        for text in self.findobj(Text):
            text.set_text(drawable(text.get_text()))
        super().draw(renderer)

    @course_style()
    def savefig(self, fname, **kwargs):
        super().savefig(fname, **kwargs)

    def _repr_png_(self) -> tuple[bytes, dict]:
        """PNG at twice the css size with few colours, and the css width for the page."""
        large, small = BytesIO(), BytesIO()
        self.savefig(large, format="png", dpi=2 * _DPI, pil_kwargs={"compress_level": 1})
        _few_colours(Image.open(large).convert("RGB")).save(small, format="png", optimize=True)
        return small.getvalue(), {"width": round(self.get_figwidth() * _DPI), "alt": self.alt}

    def bundle(self) -> tuple[dict, dict]:
        """What a notebook shows of the figure, by MIME type, and the metadata."""
        png, metadata = self._repr_png_()
        return {"image/png": b64encode(png).decode(), "text/plain": self.alt}, {"image/png": metadata}

    def _ipython_display_(self) -> None:
        # The inline backend registers a printer for Figure that would win over _repr_png_ and crop the figure.
        from IPython.display import display

        data, metadata = self.bundle()
        display(data, metadata=metadata, raw=True)
        display(spoken(self.alt), raw=True)


def spoken(alt: str) -> dict:
    """What a screen reader is told of a picture: JupyterLab and nbconvert drop the alt text of the picture itself."""
    return {"text/html": SPOKEN.format(escape(alt)), "text/plain": f"图：{alt}"}


def drawable(text: str) -> str:
    """The text with □ for each character that the bundled font (GB 2312) and DejaVu Sans both lack."""
    known = _known_characters()
    return "".join(c if c == "\n" or ord(c) in known else "□" for c in text)


@lru_cache(maxsize=1)
def _known_characters() -> frozenset[int]:
    fonts = [get_font(findfont(family)) for family in _STYLE["font.family"]]
    return frozenset(code for font in fonts for code in font.get_charmap())


def _few_colours(image: Image.Image, common: int = 32, rest: int = 80) -> Image.Image:
    """The image with a palette, a third of the size: its commonest colours exactly, all others nearly."""
    packed = np.asarray(image, dtype=np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    colours, where, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(float)
    spread = image.quantize(rest, Image.Quantize.MAXCOVERAGE).getpalette()
    palette = np.vstack([colours[np.argsort(-counts, kind="stable")[:common]], np.reshape(spread, (-1, 3))])
    nearest = ((colours[:, np.newaxis] - palette) ** 2).sum(axis=2).argmin(axis=1)
    indexed = Image.fromarray(nearest[where].reshape(packed.shape).astype(np.uint8), mode="P")
    indexed.putpalette(palette.astype(np.uint8).tobytes())
    return indexed
