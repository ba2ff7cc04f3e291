"""One picture per step: each looks as it did when somebody looked at it, says the right numbers, and refuses nonsense."""

import inspect
import re

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from matplotlib.image import AxesImage
from matplotlib.text import Annotation
from support.gallery import BALL, GALLERY, LENGTHS, MAIN, PHONE, SECONDS, TOKENS, contrast, pixels, real_size
from support.seen import assert_labels_are_clear, cells, said, texts

from course_utils import figures, style
from course_utils.attention import Trace
from course_utils.example import CHANNELS, CONTENTS, W_Q, running_trace
from course_utils.sentence import FEATURES

pytestmark = pytest.mark.pictures
NUMBER = re.compile(r"−?\d+(\.\d+)?")


@pytest.fixture
def lecture_mode(monkeypatch):
    monkeypatch.setattr(style, "_lecture", True)


def thick_arrows(figure):
    """Where arrows end, thickest first."""
    arrows = [a for a in figure.findobj(Annotation) if a.arrow_patch is not None]
    return [tuple(a.xy) for a in sorted(arrows, key=lambda a: -a.arrow_patch.get_linewidth())]


# How they look: the baselines were looked at one by one.


@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("name", GALLERY)
def test_looks(name):
    return GALLERY[name]()


@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("name", MAIN)
def test_looks_in_a_lecture(name, lecture_mode):
    return GALLERY[name]()


def test_the_gallery_has_every_figure_function():
    own = {
        name
        for name, thing in vars(figures).items()
        if inspect.isfunction(thing) and thing.__module__ == figures.__name__ and not name.startswith("_")
    }
    shown = {max((f for f in own if name.startswith(f)), key=len, default=None) for name in GALLERY}
    assert own == shown


@pytest.mark.parametrize("name", GALLERY)
def test_no_glyph_is_missing(name, glyph_troubles, monkeypatch):
    for on in (False, True):
        monkeypatch.setattr(style, "_lecture", on)
        pixels(GALLERY[name]())
    assert glyph_troubles == []


@pytest.mark.parametrize("lecture", [False, True], ids=["page", "lecture"])
@pytest.mark.parametrize("name", MAIN)
def test_no_label_is_cut_off_or_covered_by_another(name, lecture, monkeypatch):
    monkeypatch.setattr(style, "_lecture", lecture)
    figure = GALLERY[name]()
    assert_labels_are_clear(figure, [text for text in texts(figure) if text.get_rotation() == 0])


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


@pytest.mark.parametrize("name", MAIN)
def test_a_lecture_figure_fits_the_projector_and_its_numbers_can_be_read(name, lecture_mode):
    figure = GALLERY[name]()
    width, height = figure.get_size_inches() * figure.dpi
    assert width <= 1280 and height <= 720
    for text in texts(figure):
        pixels_high = text.get_fontsize() * figure.dpi / 72
        assert pixels_high >= (24 if text in dict(cells(figure)) else 16), text


# What they say.


def test_matrix_names_its_size_rows_and_columns():
    figure = figures.matrix(BALL.X, TOKENS, FEATURES)
    words = said(figure)
    assert {"X", "4×5", *TOKENS, *FEATURES} <= set(words)
    assert [text.get_text() for text, _ in cells(figure)] == [str(int(v)) for v in BALL.X.flatten()]


def test_numbers_are_whole_where_the_matrix_is_and_minus_is_a_minus():
    assert [t.get_text() for t, _ in cells(figures.matrix([[3.0, -2.0]]))] == ["3", "−2"]
    assert [t.get_text() for t, _ in cells(figures.matrix([[3.0, -2.346]]))] == ["3.00", "−2.35"]


def test_lists_arrays_and_tensors_that_need_gradients_are_the_same_picture():
    M = [[1.0, -2.5], [0.0, 3.0]]
    tensor = torch.tensor(M, requires_grad=True)
    assert pixels(figures.matrix(M)) == pixels(figures.matrix(np.array(M))) == pixels(figures.matrix(tensor))


def test_a_large_matrix_shows_colours_and_says_so():
    figure = figures.matrix(real_size().X, TOKENS)
    assert figure.findobj(AxesImage) and not cells(figure)
    assert any("不写数字" in text for text in said(figure))
    assert not any(NUMBER.fullmatch(text) for text in said(figure))


def test_product_computes_and_marks_the_shared_size():
    figure = figures.product(BALL.X, W_Q, rows=TOKENS, shared=FEATURES, columns=CHANNELS)
    numbers = [text.get_text() for text, _ in cells(figure)]
    assert numbers[-12:] == ["0", "1", "0", "4", "0", "2", "0", "0", "2", "0", "2", "0"]
    assert {"D = 5", "4×5", "5×3", "4×3"} <= set(said(figure))


def test_qkv_labels_channels_only_where_they_mean_something():
    assert set(CHANNELS) <= set(said(figures.qkv(BALL)))
    X, *W = torch.rand(4, 5), torch.rand(5, 3), torch.rand(5, 3), torch.rand(5, 2)
    other = set(said(figures.qkv(Trace.of(X, *W, tokens=TOKENS))))
    assert not other & {*CHANNELS, *CONTENTS}


@pytest.mark.parametrize("draw", [figures.scores_heatmap, figures.weights_heatmap])
def test_heatmaps_say_who_looks_at_whom(draw):
    words = said(draw(BALL.A, TOKENS))
    assert "查询：谁在看 ↓" in words and "键：看谁 →" in words
    assert all(words.count(token) == 2 for token in TOKENS)


def test_colours_of_weights_are_fixed():
    def colour_of(text, figure):
        return next(colour for t, colour in cells(figure) if t.get_text() == text)

    low = figures.weights_heatmap([[0.5, 0.5], [0.5, 0.5]], ("我", "打"))
    high = figures.weights_heatmap([[0.5, 0.5], [0.0, 1.0]], ("我", "打"))
    assert colour_of("0.50", low) == colour_of("0.50", high)
    assert colour_of("1.00", high) == pytest.approx(to_rgb(style.WEIGHT))


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


def test_zeros_are_quieter_than_other_numbers():
    inks = {text.get_text(): text.get_color() for text, _ in cells(figures.matrix(BALL.X))}
    assert contrast(inks["0"], "white") < contrast(inks["1"], "white")


def test_softmax_axes_shows_the_sum_of_each_row():
    words = said(figures.softmax_axes(BALL.S, TOKENS))
    sums = torch.exp(BALL.S) / torch.exp(BALL.S).sum(dim=0)
    assert words.count("1.00") == 4
    assert all(f"{row:.2f}" in words for row in sums.sum(dim=1).tolist())


def test_divisors_show_the_weight_of_the_design():
    figure = figures.divisors(BALL.Q, BALL.K, TOKENS)
    numbers = [text.get_text() for text, _ in cells(figure)]
    # 打 looks at 篮球: row 2, column 3 of each of the three.
    assert [numbers[16 * panel + 11] for panel in range(3)] == ["0.95", "0.77", "0.56"]


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


def test_plane_joins_the_labels_of_tokens_at_one_point():
    words = said(figures.plane(BALL))
    assert {"v 我、打", "v 喜欢", "v 篮球", "b 打"} <= set(words)
    assert "← 通讯        运动 →" in words and CONTENTS[0] == "通讯↔运动"


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


@pytest.mark.parametrize("tokens", [6, 7, 12])
def test_panels_of_many_tokens_stand_one_below_the_other(tokens):
    torch.manual_seed(0)
    Q, words = torch.randn(tokens, 3), ["喜欢"] * tokens
    alone = figures.weights_heatmap(torch.rand(tokens, tokens), words)
    for figure in (figures.divisors(Q, Q, words), figures.softmax_axes(Q @ Q.T, words)):
        width, height = figure.get_size_inches()
        assert (height > width) == (tokens > 6)
        assert figure.cell > 0.7 * alone.cell if tokens > 6 else figure.cell > 30
        assert said(figure).count("喜欢") % tokens == 0


def test_long_names_and_labels_are_cut():
    words = said(figures.matrix([[1.0]], rows=["标" * 80], columns=["签" * 80], name="M" * 80))
    assert {"M" * 23 + "…", "标" * 23 + "…", "签" * 23 + "…"} <= set(words)


def test_labels_may_be_empty_and_numbers():
    assert {"1", "2", "3", "4"} <= set(said(figures.matrix(BALL.X, rows=[1, 2, 3, 4], columns=[""] * 5)))
    assert said(figures.timing((1, 2), {1: (0.5, 0.25)})).count("1") == 2


def test_bfloat16_sparse_and_numpy_integers_are_fine():
    M = torch.tensor([[1.5, 0.0]])
    same = pixels(figures.matrix(M))
    assert pixels(figures.matrix(M.bfloat16())) == pixels(figures.matrix(M.to_sparse())) == same
    assert pixels(figures.fusion(BALL, np.int64(2))) == pixels(figures.fusion(BALL, 2))


def test_weights_may_miss_the_sum_but_only_a_little_the_range():
    figures.weights_heatmap([[1.00001, 0.9], [-0.00001, 0.0]], ("我", "打"))
    with pytest.raises(ValueError, match=r"这不像权重：A 里的数从 −1.00 到 2\.31，"):
        figures.weights_heatmap([[2.31, 0.5], [0.0, -1.0]], ("我", "打"))


def test_two_sentences_without_a_common_token_are_drawn_alike():
    other = Trace.of(BALL.X, W_Q, W_Q, BALL.W_V, tokens=("一", "二", "三", "四"))
    figure = figures.plane(BALL, other)
    widths = {a.arrow_patch.get_linewidth() for a in figure.findobj(Annotation) if a.arrow_patch is not None}
    assert len(widths) == 1


def test_flow_names_every_size():
    words = said(figures.flow(real_size()))
    assert words.count("512×64") == 3 and words.count("4×64") == 4 and words.count("4×4") == 2
    assert "4×512" in words


def test_timing_uses_the_units_of_a_person():
    words = said(figures.timing(LENGTHS, SECONDS))
    assert {"1 毫秒", "100 微秒", "1024", "逐词元循环", "矩阵形式"} <= set(words)
    assert "10 秒" in said(figures.timing((1, 10), {"慢": (1, 20)}))


# What they refuse.

THREE = Trace.of(BALL.X, W_Q, W_Q, W_Q, tokens=TOKENS)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.matrix(BALL.X, rows=TOKENS[:3]), "X 有 4 行，却给了 3 个标签"),
        (lambda: figures.matrix(BALL.X, columns=TOKENS), "X 有 5 列，却给了 4 个标签"),
        (lambda: figures.matrix(BALL.X, rows="我喜欢打"), "应当是一组词"),
        (lambda: figures.matrix(torch.ones(2, 3, 4)), r"现在的形状是 \(2, 3, 4\)"),
        (lambda: figures.matrix(torch.ones(3)), r"现在的形状是 \(3,\)"),
        (lambda: figures.matrix([]), "非空"),
        (lambda: figures.matrix([[1.0, float("nan")]]), "NaN"),
        (lambda: figures.matrix([[1, 2], [3]]), "每行一样长"),
        (lambda: figures.matrix("我喜欢"), "应当是由数组成的矩阵"),
        (lambda: figures.product(BALL.X, BALL.K, ("X", "K", "?")), "X 的列数 5 必须等于 K 的行数 4"),
        (lambda: figures.product(BALL.X, W_Q, names=("X", "Q")), "三个名字"),
        (lambda: figures.product(BALL.X, W_Q, names="XWQ"), "三个名字"),
        (lambda: figures.weights_heatmap(BALL.Q, TOKENS), "方阵"),
        (lambda: figures.scores_heatmap(BALL.S, TOKENS[:2]), "却给了 2 个标签"),
        (lambda: figures.weights_heatmap([[1.0, -0.1], [0.5, 0.5]], ("我", "打")), "忘了 softmax 吗"),
        (lambda: figures.weights_heatmap([[0.0]], None), "A 有 1 行，却给了 0 个标签"),
        (lambda: figures.matrix(BALL.X, rows=4), "行标签应当是一组词"),
        (lambda: figures.matrix([[1 + 2j]]), "X 里有复数"),
        (lambda: figures.matrix(torch.ones(2, 2, dtype=torch.complex64).conj()), "X 里有复数"),
        (lambda: figures.matrix([[10**400]]), "应当是由数组成的矩阵"),
        (lambda: figures.product(BALL.X, W_Q, names=None), "三个名字"),
        (lambda: figures.product(BALL.X, W_Q, names=(1, 2, 3)), "三个名字"),
        (lambda: figures.softmax_axes([[float("inf")]], ("我",)), "NaN 或 inf"),
        (lambda: figures.softmax_axes(BALL.X, TOKENS), "^S 的行和列都是词元"),
        (lambda: figures.softmax_axes(BALL.S, TOKENS[:2]), "^S 有 4 行，却给了 2 个标签"),
        (lambda: figures.divisors(BALL.Q, BALL.K[:3], TOKENS), "Q 有 4 行，K 有 3 行"),
        (lambda: figures.divisors(BALL.Q, BALL.K, TOKENS[:2]), "^Q 有 4 行，却给了 2 个标签"),
        (lambda: figures.divisors(BALL.Q, BALL.V, TOKENS), "必须等于 K 的列数 2"),
        (lambda: figures.fusion(BALL, 4), "0 到 3"),
        (lambda: figures.fusion(BALL, -1), "0 到 3"),
        (lambda: figures.fusion(BALL, "打"), "0 到 3"),
        (lambda: figures.fusion(THREE, 0), "dᵥ=2"),
        (lambda: figures.plane(THREE), "dᵥ=2"),
        (lambda: figures.plane(), "一个或两个"),
        (lambda: figures.plane(BALL, BALL, BALL), "一个或两个"),
        (lambda: figures.timing((1, 2), {"循环": (1.0,)}), "每个长度要有一个时间"),
        (lambda: figures.timing((1, 2), {"循环": (1.0, 0.0)}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, 2), {"循环": (1.0, float("nan"))}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, 2), {"循环": ["a", "b"]}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, 2), {"循环": 1.0}), "「循环」应当是一组正数"),
        (lambda: figures.timing((1, float("inf")), {"循环": (1.0, 2.0)}), "长度 L 应当是一组正数"),
        (lambda: figures.timing(5, {"循环": (1.0, 2.0)}), "长度 L 应当是一组正数"),
        (lambda: figures.timing((), {"循环": ()}), "长度 L 应当是一组正数"),
        (lambda: figures.timing((1, 2), [1.0, 2.0]), "没有可画的时间"),
        (lambda: figures.timing((1, 2), {}), "没有可画的时间"),
    ],
)
def test_bad_input_is_answered_in_chinese(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.parametrize("draw", [figures.qkv, figures.flow, figures.plane, lambda t: figures.fusion(t, 0)])
def test_what_is_no_trace_is_answered_in_chinese(draw):
    with pytest.raises(TypeError, match="这里要一个 Trace"):
        draw(BALL.X)


@pytest.mark.parametrize("name", [None, 3])
def test_a_name_that_is_no_text_is_answered_in_chinese(name):
    with pytest.raises(TypeError, match="name 是矩阵的名字，应当是一个字符串"):
        figures.matrix(BALL.X, name=name)
