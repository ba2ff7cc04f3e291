"""The figures of lesson 04: each looks as it did when somebody looked at it, shows what was measured, refuses nonsense."""

import inspect

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from support.gallery import TOKENS, contrast, pixels
from support.seen import assert_labels_are_clear, cells, said, texts

from course_utils import saturation_figures as figures
from course_utils import style
from course_utils.attention import FULL, ROOT, UNSCALED, scores, softmax
from course_utils.saturation import Training, dead_share, draw, gradients, jacobian_norm, sweep

pytestmark = pytest.mark.pictures
DIVISORS = (UNSCALED, ROOT, FULL)
D_KS = (1, 8, 64, 512)
Q, K = (M[0] for M in draw(1))
A = softmax(scores(Q, K, ROOT))
STDS = {d_k: d_k**0.5 * torch.linspace(0.95, 1.05, 11) for d_k in D_KS}
SWEEPS = {p: sweep(p, D_KS, count=20) for p in DIVISORS}
GRADIENTS = {p: [gradients(d_k, p, draws=2) for d_k in D_KS] for p in DIVISORS}
# Three seeds each, from 5 down to its end in 60 steps.
RUNS = {
    p: [Training(torch.logspace(0.7, end + seed / 4, 60), found) for seed in range(3)]
    for p, end, found in zip(DIVISORS, (-0.1, -2.5, -1.5), (0.125, 1.0, 0.75), strict=True)
}

GALLERY = {
    "spread": lambda: figures.spread(STDS),
    "overview": lambda: figures.overview(Q, K, TOKENS),
    "overview_all": lambda: figures.overview(Q, K, TOKENS, (3, 64, 512), DIVISORS),
    "sweeps": lambda: figures.sweeps(*SWEEPS.values()),
    "jacobians": lambda: figures.jacobians(
        {"÷ √dₖ": A[2], "÷ 1": softmax(scores(Q, K, UNSCALED))[2]}, TOKENS
    ),
    "query_gradients": lambda: figures.query_gradients(D_KS, GRADIENTS),
    "projection_gradients": lambda: figures.projection_gradients(D_KS, GRADIENTS),
    "value_gradients": lambda: figures.value_gradients(D_KS, GRADIENTS),
    "learning": lambda: figures.learning(RUNS),
}


@pytest.fixture(params=[False, True], ids=["page", "lecture"])
def lecture(request, monkeypatch):
    monkeypatch.setattr(style, "_lecture", request.param)
    return request.param


def panel(figure, title):
    """The axes whose title, written on the sheet above them, begins like this."""
    place = next(text for text in texts(figure) if text.get_text().startswith(title)).get_window_extent()
    return min(
        figure.axes[1:],
        key=lambda ax: np.hypot(ax.get_window_extent().x0 - place.x0, ax.get_window_extent().y1 - place.y0),
    )


def curves(ax):
    """Colour -> heights of each line that has one for every d_k, and of the band around it."""
    lines = {to_rgb(line.get_color()): np.asarray(line.get_ydata()) for line in ax.get_lines()}
    bands = {
        tuple(band.get_facecolor()[0, :3]): np.unique(band.get_paths()[0].vertices, axis=0)
        for band in ax.collections
    }
    return lines, bands


def colour(p):
    return to_rgb({UNSCALED: style.MARK, ROOT: style.VALUE, FULL: style.KEY}[p])


# How they look: the baselines were looked at one by one.


@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("name", GALLERY)
def test_looks_at_saturation(name):
    return GALLERY[name]()


def test_the_gallery_has_every_figure_function():
    own = {
        name
        for name, thing in vars(figures).items()
        if inspect.isfunction(thing) and not name.startswith("_")
    }
    own = {name for name in own if getattr(figures, name).__module__ == figures.__name__}
    assert own == {name.removesuffix("_all") for name in GALLERY}


@pytest.mark.parametrize("name", GALLERY)
def test_no_glyph_is_missing(name, glyph_troubles, lecture):
    pixels(GALLERY[name]())
    assert glyph_troubles == []


@pytest.mark.parametrize("name", GALLERY)
def test_no_label_is_cut_off_or_covered_by_another(name, lecture):
    figure = GALLERY[name]()
    assert_labels_are_clear(figure, texts(figure))


@pytest.mark.parametrize("name", [name for name in GALLERY if not name.endswith("_all")])
def test_a_lecture_figure_fits_the_projector_and_its_words_can_be_read(name, monkeypatch):
    monkeypatch.setattr(style, "_lecture", True)
    figure = GALLERY[name]()
    width, height = figure.get_size_inches() * figure.dpi
    assert width <= 1280 and height <= 720
    for text in texts(figure):
        pixels_high = text.get_fontsize() * figure.dpi / 72
        assert pixels_high >= (24 if text in dict(cells(figure)) else 16), text


@pytest.mark.parametrize("name", GALLERY)
def test_every_word_stands_out_from_what_is_behind_it(name):
    figure = GALLERY[name]()
    behind = {text: box for text, box in cells(figure)}
    for text in texts(figure):
        assert contrast(text.get_color(), behind.get(text, "white")) >= 4.5, text


# What they show.


def test_spread_shows_the_medians_beside_the_root():
    figure = GALLERY["spread"]()
    measured = panel(figure, "q·k 的标准差")
    heights = [line.get_ydata() for line in measured.get_lines()]
    assert any(np.allclose(y, np.sqrt(D_KS)) for y in heights)
    assert any(np.allclose(y, D_KS) for y in heights)
    dots = next(line for line in measured.get_lines() if line.get_marker() == "o")
    assert np.allclose(dots.get_ydata(), [STDS[d_k].median() for d_k in D_KS])
    ratio = next(line for line in panel(figure, "测得的").get_lines() if line.get_marker() == "o")
    assert np.allclose(ratio.get_ydata(), 1)
    (bars,) = panel(figure, "测得的").collections
    ends = [segment[:, 1] for segment in bars.get_segments()]
    assert np.allclose(ends, [[0.96, 1.04]] * len(D_KS))


def test_overview_shows_the_weights_and_states_of_torch():
    figure = figures.overview(Q, K, TOKENS, (3, 512), (UNSCALED, FULL))
    expected = [softmax(scores(Q[:, :d], K[:, :d], p)) for p in (UNSCALED, FULL) for d in (3, 512)]
    assert [text.get_text() for text, _ in cells(figure)] == [
        f"{a:.2f}" for M in expected for a in M.flatten().tolist()
    ]
    words = said(figure)
    assert {"÷ 1", "不缩放", "÷ dₖ", "dₖ = 3", "dₖ = 512"} <= set(words)
    largest = torch.cat([M.amax(dim=-1) for M in expected])
    entropies = torch.cat([torch.special.entr(M).sum(dim=-1) for M in expected]) / np.log(4)
    assert words.count("饱和") == (largest > 0.99).sum() > 0
    assert words.count("均匀") == (entropies > 0.95).sum() > 0
    assert words.count("饱和") + words.count("均匀") + words.count("适中") == 16


@pytest.mark.parametrize(
    ("name", "title", "bands"),
    [
        ("sweeps", "每行最大的权重", {p: SWEEPS[p].largest for p in DIVISORS}),
        ("sweeps", "每行的 ‖J‖", {p: SWEEPS[p].jacobian for p in DIVISORS}),
        *(
            (name, title, {p: [getattr(found, what) for found in GRADIENTS[p]] for p in DIVISORS})
            for name, title, what in (
                ("query_gradients", "Q 每一行", "q"),
                ("projection_gradients", "整个 W_Q", "W_Q"),
                ("value_gradients", "V 每一行", "v"),
            )
        ),
    ],
    ids=["largest", "jacobian", "q", "W_Q", "v"],
)
def test_lines_are_medians_and_bands_are_quantiles(name, title, bands):
    lines, areas = curves(panel(GALLERY[name](), title))
    for p in DIVISORS:
        values = bands[p]
        if not isinstance(values, torch.Tensor):
            values = torch.stack(
                [torch.tensor([v.quantile(q) for q in (0.1, 0.5, 0.9)]) for v in values], dim=1
            )
        assert np.allclose(lines[colour(p)], values[1])
        corners = {
            (d_k, end)
            for d_k, low, _, high in zip(D_KS, *values.tolist(), strict=True)
            for end in (low, high)
        }
        assert np.allclose(np.unique(areas[colour(p)], axis=0), sorted(corners))


def test_query_gradients_shows_the_share_of_dead_rows():
    lines, _ = curves(panel(GALLERY["query_gradients"](), "收不到"))
    for p in DIVISORS:
        assert lines[colour(p)].tolist() == [dead_share(found.q) for found in GRADIENTS[p]]


def test_projection_gradients_orders_the_rows_of_the_largest_d_k():
    lines, _ = curves(panel(GALLERY["projection_gradients"](), "dₖ = 512"))
    for p in DIVISORS:
        assert lines[colour(p)].tolist() == sorted(GRADIENTS[p][-1].q.tolist())


def test_jacobians_show_each_matrix_and_its_norm():
    figure = GALLERY["jacobians"]()
    a = A[2]
    J = torch.diag(a) - torch.outer(a, a)
    numbers = [text.get_text().replace("−", "-") for text, _ in cells(figure)][:16]
    assert [float(number) for number in numbers] == pytest.approx(J.flatten().tolist(), abs=0.005)
    assert f"‖J‖ = {jacobian_norm(a):.2f}" in said(figure)


@pytest.mark.parametrize(("rest", "norm"), [(0.0, "0"), (1e-5, "2.0×10⁻⁵"), (0.1, "0.18")])
def test_a_small_norm_is_written_as_a_power_of_ten(rest, norm):
    a = torch.tensor([1 - rest, rest, 0.0, 0.0], dtype=torch.float64)
    assert f"‖J‖ = {norm}" in said(figures.jacobians({"a": a}, TOKENS))


def test_learning_shows_medians_of_five_steps_from_best_to_worst_seed():
    figure = GALLERY["learning"]()
    lines, areas = curves(panel(figure, "损失"))
    for p in DIVISORS:
        fives = torch.stack([run.losses.reshape(12, 5).median(dim=1).values for run in RUNS[p]])
        assert np.allclose(lines[colour(p)], fives.median(dim=0).values, rtol=1e-5)
        heights = areas[colour(p)][:, 1]
        assert heights.min() == pytest.approx(fives.min().item(), rel=1e-5)
        assert heights.max() == pytest.approx(fives.max().item(), rel=1e-5)
    assert {"找对 12%", "找对 100%", "找对 75%"} <= set(said(figure))


def test_axes_write_powers_of_ten_like_people():
    words = said(GALLERY["query_gradients"]())
    assert {"1", "0.01", "100", "10⁻⁸", "100%", "0%", "512"} <= set(words)


# What they refuse.


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.overview(Q, K, TOKENS[:3]), "却给了 3 个标签"),
        (lambda: figures.overview(Q[:, :8], K[:, :8], TOKENS), "Q 只有 8 列，画不出 dₖ=512"),
        (lambda: figures.overview(Q, K, TOKENS, ps=(0.3,)), "p = 0.3"),
        (lambda: figures.sweeps(sweep(0.3, D_KS, count=2)), "p = 0.3"),
        (lambda: figures.jacobians({"a": A[0]}, TOKENS[:2]), "却给了 2 个标签"),
        (lambda: figures.learning({2.0: RUNS[ROOT]}), "p = 2.0"),
    ],
)
def test_bad_input_is_answered_in_chinese(call, message):
    with pytest.raises(ValueError, match=message):
        call()
