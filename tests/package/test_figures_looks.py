"""Every figure looks as it did when somebody looked at it, and can be read: glyphs, labels, contrast, on a projector."""

import inspect

import pytest
import torch
from support.gallery import BALL, GALLERY, MAIN, contrast, pixels
from support.saturation_gallery import SATURATION
from support.seen import assert_labels_are_clear, cells, said, texts

from course_utils import figures, style
from course_utils.example import running_trace

pytestmark = pytest.mark.pictures
EVERY = GALLERY | SATURATION


@pytest.fixture
def lecture_mode(monkeypatch):
    monkeypatch.setattr(style, "_lecture", True)


@pytest.fixture(params=[False, True], ids=["page", "lecture"])
def lecture(request, monkeypatch):
    monkeypatch.setattr(style, "_lecture", request.param)
    return request.param


# The baselines were looked at one by one.


@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("name", GALLERY)
def test_looks(name):
    return GALLERY[name]()


@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("name", MAIN)
def test_looks_in_a_lecture(name, lecture_mode):
    return GALLERY[name]()


@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("name", SATURATION)
def test_looks_at_saturation(name):
    return SATURATION[name]()


def test_the_galleries_have_every_figure_function():
    made = {
        name
        for name, thing in vars(figures).items()
        if inspect.isfunction(thing) and thing.__module__.startswith(figures.__name__)
    }
    shown = {max((f for f in made if name.startswith(f)), key=len, default=None) for name in EVERY}
    assert made == set(figures.__all__) == shown


@pytest.mark.parametrize("name", EVERY)
def test_no_glyph_is_missing(name, glyph_troubles, lecture):
    pixels(EVERY[name]())
    assert glyph_troubles == []


@pytest.mark.parametrize("lecture", [False, True], ids=["page", "lecture"])
@pytest.mark.parametrize("name", MAIN)
def test_no_label_is_cut_off_or_covered_by_another(name, lecture, monkeypatch):
    monkeypatch.setattr(style, "_lecture", lecture)
    figure = GALLERY[name]()
    assert_labels_are_clear(figure, [text for text in texts(figure) if text.get_rotation() == 0])


@pytest.mark.parametrize("name", SATURATION)
def test_no_label_at_saturation_is_cut_off_or_covered_by_another(name, lecture):
    figure = SATURATION[name]()
    assert_labels_are_clear(figure, texts(figure))


@pytest.mark.parametrize("name", [*MAIN, *(name for name in SATURATION if not name.endswith("_all"))])
def test_a_lecture_figure_fits_the_projector_and_what_it_says_can_be_read(name, lecture_mode):
    figure = EVERY[name]()
    width, height = figure.get_size_inches() * figure.dpi
    assert width <= 1280 and height <= 720
    for text in texts(figure):
        pixels_high = text.get_fontsize() * figure.dpi / 72
        assert pixels_high >= (24 if text in dict(cells(figure)) else 16), text


@pytest.mark.parametrize(
    "draw",
    [
        lambda: figures.weights_heatmap(torch.linspace(0, 1, 256).reshape(16, 16), ["我"] * 16),
        lambda: figures.scores_heatmap(torch.linspace(-1, 1, 256).reshape(16, 16), ["我"] * 16),
        lambda: figures.scores_heatmap(torch.linspace(-9, 0, 256).reshape(16, 16), ["我"] * 16),
        lambda: figures.matrix(torch.linspace(-1, 1, 256).reshape(16, 16), name="X"),
        lambda: figures.matrix(torch.linspace(-1, 1, 256).reshape(16, 16), name="Q"),
        lambda: figures.matrix(torch.linspace(-1, 1, 256).reshape(16, 16), name="K"),
        lambda: figures.matrix(torch.linspace(-1, 1, 256).reshape(16, 16), name="V"),
        lambda: figures.matrix(torch.linspace(-1, 1, 256).reshape(16, 16), name="B"),
    ],
)
def test_every_number_can_be_read_on_its_cell(draw):
    found = cells(draw())
    assert len(found) == 256
    assert min(contrast(text.get_color(), colour) for text, colour in found) >= 4.5


@pytest.mark.parametrize("name", SATURATION)
def test_every_word_stands_out_from_what_is_behind_it(name):
    figure = SATURATION[name]()
    behind = {text: box for text, box in cells(figure)}
    for text in texts(figure):
        assert contrast(text.get_color(), behind.get(text, "white")) >= 4.5, text


@pytest.mark.parametrize("text", ["我 喜歡 打 籃球", "我 \U00020bb7 打", "나는 농구 좋아해"])
def test_a_character_without_a_glyph_is_a_box(text, glyph_troubles):
    trace = running_trace(text)
    draws = (
        figures.qkv,
        figures.plane,
        lambda t: figures.fusion(t, 0),
        lambda t: figures.scores_heatmap(t.S, t.tokens),
    )
    for draw in draws:
        words = said(draw(trace))
        assert any("□" in word for word in words)
        assert not any(set(word) & set("歡籃\U00020bb7나는농구좋아해") for word in words)
    assert glyph_troubles == []


@pytest.mark.parametrize("draw", [figures.qkv, figures.flow, figures.plane, lambda t: figures.fusion(t, 0)])
def test_what_is_no_trace_is_answered_in_chinese(draw):
    with pytest.raises(TypeError, match="这里要一个 Trace"):
        draw(BALL.X)
