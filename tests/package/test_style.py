"""The look of the figures: font, colours, lecture mode, and that no other style gets at them."""

import io
import itertools
import logging
import warnings

import matplotlib
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont
from nbclient import NotebookClient
from PIL import Image
from support.gallery import GALLERY, MAIN, ONE_OF_EACH, contrast, pixels
from support.glyphs import LOGGERS, recorded_glyph_troubles

from course_utils import style
from course_utils.page import page
from course_utils.style import FAMILY, CourseFigure, course_style, lecture

pytestmark = pytest.mark.pictures
FOREIGN_STYLES = ("default", "dark_background")
FOREIGN_SETTINGS = {
    "font.family": "monospace",
    "text.usetex": True,
    "text.hinting": "none",
    "savefig.facecolor": "black",
    "savefig.bbox": "tight",
    "savefig.dpi": 50,
}


def printed(figure):
    """The figure drawn past savefig, as a front end may do."""
    buffer = io.BytesIO()
    whole = figure.bbox_inches
    figure.canvas.print_figure(buffer, format="rgba", dpi=figure.dpi, facecolor="white", bbox_inches=whole)
    return buffer.getvalue()


def seen_without_red_or_green(colour, matrix):
    """A colour as a colour-blind eye sees it, in CIE Lab (Viénot, Brettel and Mollon 1999; sRGB white)."""
    c = np.array(to_rgb(colour))
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    linear = np.clip(matrix @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    f = np.cbrt(np.maximum(to_xyz @ linear / (0.9505, 1.0, 1.089), 0.008856))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


PROTAN = np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]])
DEUTAN = np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]])


def test_the_bundled_font_answers_to_its_name():
    assert findfont(FAMILY, fallback_to_default=False).endswith("course_utils/fonts/NotoSansSC-Course.otf")


@pytest.mark.parametrize(
    "name", ["INK", "QUIET", "INPUT", "QUERY", "KEY", "VALUE", "WEIGHT", "OUTPUT", "MARK"]
)
def test_type_is_readable_on_paper(name):
    assert contrast(getattr(style, name), style.PAPER) >= 4.5


@pytest.mark.parametrize("matrix", [PROTAN, DEUTAN], ids=["protan", "deutan"])
@pytest.mark.parametrize(
    "together",
    [
        ("QUERY", "KEY", "VALUE"),
        ("OUTPUT", "MARK"),
        ("VALUE", "INK"),
        *((accent, "NEGATIVE", "ZERO") for accent in ("INPUT", "QUERY", "KEY", "VALUE", "WEIGHT", "OUTPUT")),
    ],
)
def test_colours_that_stand_together_differ_for_the_colour_blind(together, matrix):
    seen = [seen_without_red_or_green(getattr(style, name), matrix) for name in together]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 15


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_foreign_style_before_or_after_changes_nothing(name):
    plain = pixels(GALLERY[name]())
    for foreign in FOREIGN_STYLES:
        made_before = GALLERY[name]()
        with plt.style.context([foreign, FOREIGN_SETTINGS]):
            assert pixels(made_before) == plain, f"drawn under {foreign}"
            assert pixels(GALLERY[name]()) == plain, f"made and drawn under {foreign}"
            assert printed(GALLERY[name]()) == plain, f"printed by a canvas under {foreign}"


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_nothing_is_left_behind(name):
    before = dict(matplotlib.rcParams)
    GALLERY[name]()._repr_png_()
    assert plt.get_fignums() == []
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("name", MAIN)
def test_png_is_twice_as_fine_as_shown_small_and_always_the_same(name):
    png, metadata = GALLERY[name]()._repr_png_()
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    assert image.width == 2 * metadata["width"]
    assert metadata["width"] <= 1000
    assert len(png) < 40_000  # 35 kB with matplotlib 3.10, 44 kB with 3.11
    assert GALLERY[name]()._repr_png_() == (png, metadata)


@pytest.mark.parametrize("name", ["weights_heatmap", "plane_two", "flow_512"])
def test_few_colours_look_like_all(name):
    figure = GALLERY[name]()
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=2 * figure.dpi)
    full = np.asarray(Image.open(buffer).convert("RGB")).astype(int)
    few = np.asarray(Image.open(io.BytesIO(figure._repr_png_()[0])).convert("RGB")).astype(int)
    apart = abs(full - few).max(axis=2)
    assert apart.max() <= 16
    assert (apart <= 8).mean() > 0.98


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_the_alternative_text_is_a_chinese_sentence(name):
    figure = GALLERY[name]()
    assert figure._repr_png_()[1]["alt"] == figure.alt
    assert any("\u4e00" <= char <= "\u9fff" for char in figure.alt)


def test_a_notebook_shows_each_figure_once_with_or_without_the_inline_backend():
    shown = "figures.matrix([[1, 2]], name='M')"
    cells = [
        "from course_utils import figures",
        shown,
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.style.use('dark_background')",
        shown,
        "assert plt.get_fignums() == []",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    _, without, _, within, _ = (cell.outputs for cell in notebook.cells)
    for outputs in (without, within):
        assert [set(output.data) for output in outputs] == [{"image/png", "text/plain"}]
        assert outputs[0].metadata["image/png"]["width"] > 0
        assert outputs[0].data["text/plain"] == "矩阵 M，1×2"
    assert without[0].data["image/png"] == within[0].data["image/png"]


def test_lecture_mode_enlarges_later_figures_only(monkeypatch):
    monkeypatch.setattr(style, "_lecture", False)
    before = CourseFigure(8, 5, "图")
    lecture()
    large = CourseFigure(8, 5, "图")
    lecture(False)
    after = CourseFigure(8, 5, "图")
    assert tuple(before.get_size_inches()) == tuple(after.get_size_inches())
    assert large.cell > 1.5 * before.cell
    assert large.points(0.5) == pytest.approx(0.5 * large.cell * 72 / large.dpi)


def test_lecture_mode_enlarges_the_page_and_gives_it_back(monkeypatch):
    monkeypatch.setattr(style, "_lecture", False)
    lecture()
    assert set(page().sizes.values()) == {"20px"}
    names = page().sizes.keys()
    lecture(False)
    assert page().sizes == dict.fromkeys(names, "")


def test_the_style_ends_with_its_block():
    family = list(matplotlib.rcParams["font.family"])
    with course_style():
        assert matplotlib.rcParams["font.family"][0] == FAMILY
    assert matplotlib.rcParams["font.family"] == family


# The recorder itself: a boxed glyph must be noticed whichever way matplotlib reports it.


def draw(text, **how):
    figure = Figure()
    figure.text(0.5, 0.5, text, **how)
    figure.savefig(io.BytesIO(), format="rgba")


def test_recorder_notices_a_missing_glyph_in_plain_text(glyph_troubles):
    with course_style():
        draw("我\U00020bb7")
    assert any("134071" in trouble for trouble in glyph_troubles)


def test_recorder_notices_a_missing_glyph_in_mathtext(glyph_troubles):
    draw("$\\mathrm{篮}$", parse_math=True)
    assert any("7bee" in trouble.lower() for trouble in glyph_troubles)


def test_recorder_notices_a_missing_family(glyph_troubles):
    draw("我", family="No Such Family 1")
    assert any("No Such Family 1" in trouble for trouble in glyph_troubles)


def test_recorder_keeps_quiet_about_good_text_and_leaves_no_handler(glyph_troubles):
    with course_style():
        draw("我喜欢打篮球 QKᵀ √dₖ dᵥ aᵢⱼ −1 ✓ ✗")
    assert glyph_troubles == []


def test_recorder_leaves_warnings_and_loggers_as_they_were():
    handlers = {name: list(logging.getLogger(name).handlers) for name in LOGGERS}
    show = warnings.showwarning
    with recorded_glyph_troubles():
        pass
    assert {name: list(logging.getLogger(name).handlers) for name in LOGGERS} == handlers
    assert warnings.showwarning is show
