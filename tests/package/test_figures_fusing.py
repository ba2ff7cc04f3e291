"""The weighted fusion as a table and in the plane: terms, sums, labels, what stands out."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from matplotlib.text import Annotation
from support.gallery import BALL, GALLERY, PHONE, TOKENS, pixels
from support.seen import said, texts

from course_utils import figures
from course_utils.attention import Trace
from course_utils.example import CONTENTS, W_Q, running_trace

THREE = Trace.of(BALL.X, W_Q, W_Q, W_Q, tokens=TOKENS)


def thick_arrows(figure):
    """Where arrows end, thickest first."""
    arrows = [a for a in figure.findobj(Annotation) if a.arrow_patch is not None]
    return [tuple(a.xy) for a in sorted(arrows, key=lambda a: -a.arrow_patch.get_linewidth())]


@pytest.mark.parametrize("name", ["fusion", "fusion_phone", "plane", "plane_two"])
def test_labels_in_the_plane_cover_no_arrow(name):
    figure = GALLERY[name]()
    words = [text for text in texts(figure) if text.axes is figure.axes[-1] and text in text.axes.texts]
    assert len(words) >= 3
    for arrow in (a for a in figure.findobj(Annotation) if a.arrow_patch is not None):
        shaft = arrow.axes.transData.transform(np.linspace(arrow.xyann, arrow.xy, 200))
        for word in words:
            box = word.get_window_extent().padded(-2)
            assert not any(box.contains(x, y) for x, y in shaft), (word, arrow)


def test_fusion_writes_every_term_and_the_sum():
    words = said(figures.fusion(BALL, 2))
    assert {"(0, 0.15)", "(1.54, 0)", "b 打 = (1.54, 0.15)", "0.77"} <= set(words)


def test_fusion_stacks_the_terms_tip_to_tail():
    arrows = [a for a in figures.fusion(BALL, 2).findobj(Annotation) if a.arrow_patch is not None]
    a, V = BALL.A[2].numpy(), BALL.V.numpy()
    starts_and_ends = [(tuple(arrow.xyann), tuple(arrow.xy)) for arrow in arrows]
    first, second = a[1] * V[1], a[1] * V[1] + a[3] * V[3]
    for start, end in (((0, 0), second), ((0, 0), first), (first, second)):
        assert any(np.allclose(start, s) and np.allclose(end, e) for s, e in starts_and_ends)
    assert len(arrows) == 3  # the terms of 我 and 打 are zero


def test_the_token_may_be_given_by_a_numpy_integer():
    assert pixels(figures.fusion(BALL, np.int64(2))) == pixels(figures.fusion(BALL, 2))


def test_plane_joins_the_labels_of_tokens_at_one_point():
    words = said(figures.plane(BALL))
    assert {"v 我、打", "v 喜欢", "v 篮球", "b 打"} <= set(words)
    assert "← 通讯        运动 →" in words and CONTENTS[0] == "通讯↔运动"


def test_the_axes_of_the_plane_have_the_names_of_the_contents():
    W_Q, W_V = torch.eye(3), torch.eye(3)[:, :2]
    named = Trace.of(torch.eye(3), W_Q, W_Q, W_V, tokens=("甲", "乙", "丙"), contents=("大小", "颜色"))
    for draw in (figures.plane, lambda trace: figures.fusion(trace, 0)):
        assert {"大小 →", "↑ 颜色"} <= set(said(draw(named)))
        assert not any("大小" in text for text in said(draw(replace(named, contents=None))))


def test_two_sentences_make_their_difference_stand_out():
    figure = figures.plane(BALL, PHONE)
    ends = thick_arrows(figure)
    np.testing.assert_allclose(sorted(ends[:2]), [PHONE.B[2], BALL.B[2]], rtol=1e-6)
    words = said(figure)
    assert "我喜欢打篮球\nb 打 = (1.54, 0.15)" in words and "我喜欢打电话\nb 打 = (−1.54, 0.15)" in words


def test_plane_joins_the_labels_of_tokens_that_end_at_one_point():
    words = said(figures.plane(running_trace("打打打打")))
    assert words.count("b 打") == words.count("v 打") == 1


def test_the_same_sentence_twice_shows_no_difference():
    figure = figures.plane(BALL, running_trace())
    assert len({a.arrow_patch.get_linewidth() for a in figure.findobj(Annotation) if a.arrow_patch}) == 1
    words = said(figure)
    assert words.count("b 打") == 1 and not any("细箭头" in text for text in words)


@pytest.mark.parametrize("factor", [0.0, 1e-10, 1e20])
def test_values_of_any_size_are_drawn(factor, glyph_troubles):
    trace = Trace.of(BALL.X, W_Q, W_Q, factor * BALL.W_V, tokens=TOKENS)
    for figure in (figures.plane(trace), figures.plane(trace, trace), figures.fusion(trace, 0)):
        assert len(said(figure)) > 5
    assert glyph_troubles == []


def test_two_sentences_without_a_common_token_are_drawn_alike():
    other = Trace.of(BALL.X, W_Q, W_Q, BALL.W_V, tokens=("一", "二", "三", "四"))
    figure = figures.plane(BALL, other)
    widths = {a.arrow_patch.get_linewidth() for a in figure.findobj(Annotation) if a.arrow_patch is not None}
    assert len(widths) == 1


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.fusion(BALL, 4), "0 到 3"),
        (lambda: figures.fusion(BALL, -1), "0 到 3"),
        (lambda: figures.fusion(BALL, "打"), "0 到 3"),
        (lambda: figures.fusion(THREE, 0), "dᵥ=2"),
        (lambda: figures.plane(THREE), "dᵥ=2"),
        (lambda: figures.plane(), "一个或两个"),
        (lambda: figures.plane(BALL, BALL, BALL), "一个或两个"),
    ],
)
def test_bad_input_is_answered_in_chinese(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
