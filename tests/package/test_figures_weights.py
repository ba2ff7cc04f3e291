"""Heatmaps of scores and weights: who looks at whom, the sums, the divisors, and tokens that look at other ones."""

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from support.gallery import ASKING, BALL, GALLERY, TOKENS, other_sentence
from support.seen import assert_labels_are_clear, cells, said, texts

from course_utils import figures, style


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


def test_weights_may_miss_the_sum_but_only_a_little_the_range():
    figures.weights_heatmap([[1.00001, 0.9], [-0.00001, 0.0]], ("我", "打"))
    with pytest.raises(ValueError, match=r"这不像权重：A 里的数从 −1.00 到 2\.31，"):
        figures.weights_heatmap([[2.31, 0.5], [0.0, -1.0]], ("我", "打"))


# Six tokens that look at four others.


@pytest.mark.parametrize("lecture", [False, True], ids=["page", "lecture"])
@pytest.mark.parametrize("name", ["weights_heatmap_6x4", "softmax_axes_6x4", "divisors_6x4"])
def test_no_label_of_six_tokens_and_four_keys_is_cut_off_or_covered(name, lecture, monkeypatch):
    monkeypatch.setattr(style, "_lecture", lecture)
    figure = GALLERY[name]()
    assert_labels_are_clear(figure, [text for text in texts(figure) if text.get_rotation() == 0])


@pytest.mark.parametrize("draw", [figures.scores_heatmap, figures.weights_heatmap])
def test_six_tokens_stand_beside_and_four_keys_above_the_numbers(draw):
    A = torch.softmax(torch.arange(24.0).reshape(6, 4) % 5, dim=-1)
    figure = draw(A, ASKING, keys=TOKENS)
    assert "6×4" in said(figure)
    place = {text.get_text(): text.get_position() for text in texts(figure)}
    down, across = [place[token][1] for token in ASKING], [place[key][0] for key in TOKENS]
    for (text, _), number in zip(cells(figure), A.flatten(), strict=True):
        assert text.get_text() == f"{number:.2f}"
    where = [text.get_position() for text, _ in cells(figure)]
    np.testing.assert_allclose(where, [(x, y) for y in down for x in across])


def test_softmax_axes_of_six_tokens_and_four_keys():
    S = torch.arange(24.0).reshape(6, 4) % 5
    words = said(figures.softmax_axes(S, ASKING, TOKENS))
    assert words.count("1.00") == 6
    sums = torch.softmax(S, dim=0).sum(dim=1)
    assert all(f"{total:.2f}" in words for total in sums.tolist())


def test_divisors_of_six_tokens_and_four_keys():
    Q, K = other_sentence()
    numbers = [text.get_text() for text, _ in cells(figures.divisors(Q, K, ASKING, TOKENS))]
    expected = [torch.softmax(Q @ K.T / divisor, dim=-1) for divisor in (1, 3**0.5, 3)]
    assert numbers == [f"{a:.2f}" for A in expected for a in A.flatten().tolist()]


@pytest.mark.parametrize(("tokens", "keys"), [(12, 4), (4, 12)])
def test_panels_stand_one_below_the_other_when_there_are_many_keys(tokens, keys):
    torch.manual_seed(0)
    Q, K = torch.randn(tokens, 3), torch.randn(keys, 3)
    asking, answering = ["我"] * tokens, ["喜欢"] * keys
    for figure, panels in (
        (figures.divisors(Q, K, asking, answering), 3),
        (figures.softmax_axes(Q @ K.T, asking, answering), 2),
    ):
        assert said(figure).count("喜欢") == panels * keys
        ax = figure.axes[0]
        names = [text for text in ax.texts if text.get_text().startswith(("÷", "✓", "✗"))]
        heights = {round(text.get_position()[1], 3) for text in names}
        assert len(names) == panels and len(heights) == (panels if keys > 6 else 1)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.weights_heatmap(BALL.Q, TOKENS), "方阵"),
        (lambda: figures.scores_heatmap(BALL.S, TOKENS[:2]), "却给了 2 个标签"),
        (lambda: figures.weights_heatmap([[1.0, -0.1], [0.5, 0.5]], ("我", "打")), "忘了 softmax 吗"),
        (lambda: figures.weights_heatmap([[0.0]], None), "A 有 1 行，却给了 0 个标签"),
        (
            lambda: figures.weights_heatmap(BALL.V, TOKENS),
            "现在是 4×2。如果答的是另一组词元，用 keys 给出它们",
        ),
        (lambda: figures.divisors(BALL.Q[:2], BALL.K, TOKENS[:2]), "行数应当相同.*用 keys 给出它们"),
        (lambda: figures.scores_heatmap(BALL.V, TOKENS, keys=TOKENS), "S 有 2 列，却给了 4 个标签"),
        (lambda: figures.weights_heatmap(BALL.A[:2], TOKENS, keys=TOKENS), "A 有 2 行，却给了 4 个标签"),
        (lambda: figures.softmax_axes(BALL.S[:2], TOKENS[:2], "我喜欢打篮"), "列标签应当是一组词"),
        (lambda: figures.divisors(BALL.Q[:2], BALL.K, TOKENS[:2], TOKENS[:3]), "K 有 4 行，却给了 3 个标签"),
        (lambda: figures.softmax_axes([[float("inf")]], ("我",)), "NaN 或 inf"),
        (lambda: figures.softmax_axes(BALL.X, TOKENS), "^S 的行和列都是词元"),
        (lambda: figures.softmax_axes(BALL.S, TOKENS[:2]), "^S 有 4 行，却给了 2 个标签"),
        (lambda: figures.divisors(BALL.Q, BALL.K[:3], TOKENS), "Q 有 4 行，K 有 3 行"),
        (lambda: figures.divisors(BALL.Q, BALL.K, TOKENS[:2]), "^Q 有 4 行，却给了 2 个标签"),
        (lambda: figures.divisors(BALL.Q, BALL.V, TOKENS), "必须等于 K 的列数 2"),
    ],
)
def test_bad_input_is_answered_in_chinese(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
