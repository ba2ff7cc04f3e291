"""The kernel's side of the live views: every state against torch, every twin, what is sent and how often."""

import math
import warnings

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import explorers, style
from course_utils import saturation as measures
from course_utils.explorers import saturation

VIEWS = [explorers.Saturation, explorers.Scores, explorers.Fusion, explorers.Sizes, explorers.OwnSentence]


def draw(figure):
    """Draws a twin: a missing glyph, any other warning, or a figure left open fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()
    assert plt.get_fignums() == []


@pytest.mark.parametrize("view", VIEWS)
def test_shown_in_one_line_as_controls_over_the_view(view):
    shown = view()
    assert isinstance(shown, ipywidgets.VBox)
    assert shown.children[-1] is shown.view
    assert shown._dom_classes == ("sa-panel",)


@pytest.fixture
def displayed(monkeypatch):
    """The arguments of each call of display."""
    calls = []
    monkeypatch.setattr("IPython.display.display", lambda data, **how: calls.append((data, how)))
    return calls


@pytest.mark.parametrize("view", VIEWS)
def test_shown_in_one_output_that_holds_the_view_and_its_picture(view, displayed):
    shown = view()
    shown._ipython_display_()
    ((data, how),) = displayed
    assert data.pop("application/vnd.jupyter.widget-view+json")["model_id"] == shown.model_id
    assert (data, how["metadata"]) == shown.twin().bundle()
    assert {"image/png", "text/plain"} == data.keys() and how["raw"]


def test_a_sentence_that_cannot_be_read_is_shown_without_a_picture(displayed):
    explorers.OwnSentence("")._ipython_display_()
    ((data, _),) = displayed
    assert data.keys() == {"application/vnd.jupyter.widget-view+json", "text/plain"}
    assert "运行这个单元" in data["text/plain"]


@pytest.mark.parametrize("view", VIEWS[:-1])
def test_view_knows_the_models_to_hold_back(view):
    shown = view()
    controls = [control for row in shown.children[:-1] for control in row.children]
    assert set(shown.view.controls[:-1]) == {control.model_id for control in controls}
    assert shown.view.controls[-1] == shown.view.model_id


def test_lecture_mode_reaches_the_views():
    style.lecture()
    try:
        assert "sa-lecture" in explorers.Scores()._dom_classes
    finally:
        style.lecture(False)
    assert "sa-lecture" not in explorers.Scores()._dom_classes


# Saturation


def test_saturation_stops():
    assert {1, 3, 4, 16, 64, 256, 512} <= set(saturation.STOPS)
    ratios = [b / a for a, b in zip(saturation.STOPS, saturation.STOPS[1:], strict=False)]
    assert all(1.3 < ratio <= 2 for ratio in ratios)


def test_saturation_every_state_equals_torch():
    shown = explorers.Saturation()
    view = shown.view
    assert view.lengths == [4, 16, 64]
    for stop, d_k in enumerate(view.stops):
        for p in np.linspace(0, 1, 21):
            # Each stop and each p meets every draw and every length.
            number = (stop + round(20 * p)) % saturation.DRAWS
            view.stop, view.p, view.draw, view.length = stop, float(p), number + 1, (stop + number) % 3
            Q, K = shown.query_key()
            L = view.lengths[view.length]
            assert Q.shape == (4, d_k) and K.shape == (L, d_k)
            S = torch.einsum("id,jd->ij", Q, K) / d_k ** float(p)
            expected = S.exp() / S.exp().sum(1, keepdim=True)
            torch.testing.assert_close(shown.weights().double(), expected, atol=1e-5, rtol=0)
            torch.testing.assert_close(shown.scores().double(), S, atol=1e-4, rtol=1e-6)
            entropy = -(expected * expected.log()).nansum(1) / math.log(L)
            words = [
                "饱和" if a > 0.99 else "均匀" if h > 0.95 else "适中"
                for a, h in zip(expected.amax(1), entropy, strict=True)
            ]
            assert list(shown.states()) == words


def test_saturation_sends_little_and_all_lengths_share_it():
    """One array of dot products holds every length: the first columns are the shorter ones'."""
    view = explorers.Saturation().view
    dots = np.frombuffer(view.dots, np.float32).reshape(saturation.DRAWS, len(view.stops), 4, 64)
    assert np.isfinite(dots).all()
    assert len(view.dots) + len(view.sweep) < 200_000


def test_saturation_of_a_longer_sentence():
    shown = explorers.Saturation("我喜欢打篮球喜欢我")
    assert shown.view.lengths == [6, 16, 64]
    assert shown.weights().shape == (6, 6)
    shown.view.length = 1
    assert shown.weights().shape == (6, 16)
    draw(shown.twin())


def test_saturation_twins():
    shown = explorers.Saturation()
    shown.view.length = 2
    draw(shown.twin())
    shown.view.length = 0
    for stop in range(len(saturation.STOPS)):
        for p in (0.0, 0.35, 1.0):
            shown.view.stop, shown.view.p = stop, p
            draw(shown.twin())


def test_saturation_band_in_kind():
    """The figures of the design page: scaled rows stay open, rows without a divisor shut as d_k grows, fewer with more keys."""
    sweeps = np.frombuffer(explorers.Saturation().view.sweep, np.float32).reshape(
        3, 3, 21, 2, len(saturation.STOPS)
    )
    assert np.isfinite(sweeps).all()
    assert (np.diff(sweeps, axis=1) >= 0).all()
    # The median largest weight shrinks with L, whatever the divisor; without one ‖J‖ dies later.
    assert (np.diff(sweeps[:, 1, :, 0, 3:], axis=0) < 0).all()
    assert (np.diff(sweeps[:, 1, 0, 1, 11:], axis=0) > 0).all()
    sweep = sweeps[0]
    at = {d_k: n for n, d_k in enumerate(saturation.STOPS)}
    scaled, raw = sweep[1, 10], sweep[1, 0]
    assert scaled[0, at[64]] == pytest.approx(0.45, abs=0.05) and scaled[1, at[64]] == pytest.approx(
        0.42, abs=0.03
    )
    assert raw[0, at[64]] == pytest.approx(0.97, abs=0.03)
    assert 1e-3 < raw[1, at[64]] < 2e-2
    assert 1e-7 < raw[1, at[512]] < 1e-4


# Scores


def test_scores_every_state():
    shown = explorers.Scores()
    dots = torch.tensor([[0.0, 2, 3, 0], [4, 0, 0, 4], [0, 0, 0, 4], [0, 4, 6, 0]])
    by_rows = torch.nn.functional.softmax(dots / math.sqrt(3), dim=1)
    by_columns = torch.nn.functional.softmax(dots / math.sqrt(3), dim=0)
    for stage in range(3):
        for wrong_axis in (False, True):
            shown.view.stage, shown.view.wrong_axis = stage, wrong_axis
            torch.testing.assert_close(shown.scores(), dots if stage == 0 else dots / math.sqrt(3))
            torch.testing.assert_close(shown.weights(), by_columns if wrong_axis else by_rows)
            draw(shown.twin())


# Fusion


def test_fusion_every_token_of_both_sentences():
    shown = explorers.Fusion()
    for sentence, sign in ((0, 1), (1, -1)):
        for token in range(4):
            shown.view.sentence, shown.view.token = sentence, token
            assert shown.weights().sum() == pytest.approx(1)
            draw(shown.twin())
        shown.view.token = 2
        assert shown.fused().tolist() == pytest.approx([sign * 1.5409, 0.1530], abs=5e-5)


@given(st.lists(st.floats(0.01, 1), min_size=4, max_size=4))
@settings(max_examples=20, deadline=None)
def test_fusion_with_weights_set_by_hand(raw):
    weights = [w / sum(raw) for w in raw]
    shown = explorers.Fusion()
    shown.view.weights, shown.view.dragged = weights, True
    assert shown.weights().tolist() == pytest.approx(weights)
    assert shown.fused().tolist() == pytest.approx([2 * weights[3], 2 * weights[1]], abs=1e-6)
    draw(shown.twin())


def test_fusion_leaves_the_traces_alone():
    shown = explorers.Fusion()
    before = shown.traces[0].A.clone()
    shown.view.weights, shown.view.dragged = [0.0, 0.0, 0.0, 1.0], True
    shown.twin()
    assert torch.equal(shown.traces[0].A, before)


# Sizes


def test_sizes_every_slider_state():
    shown = explorers.Sizes()
    sliders = {slider.description: slider for slider in shown.children[0].children}
    for name, slider in zip(("L", "D", "d_k", "d_v"), sliders.values(), strict=True):
        for value in range(slider.min, slider.max + 1):
            setattr(shown.view, name, value)
            trace = shown.trace()
            L, D, d_k, d_v = (getattr(shown.view, size) for size in ("L", "D", "d_k", "d_v"))
            assert trace.X.shape == (L, D) and trace.Q.shape == trace.K.shape == (L, d_k)
            assert trace.B.shape == (L, d_v)
            assert torch.isfinite(trace.B).all()
            assert shown.weights().sum(1).tolist() == pytest.approx([1] * L)
            assert shown.parameters() == sum(W.numel() for W in (trace.W_Q, trace.W_K, trace.W_V))
            draw(shown.twin())


def test_sizes_say_where_the_chain_breaks():
    shown = explorers.Sizes()
    shown.view.different, shown.view.d_other = True, 6
    for broken in (shown.trace, shown.weights, shown.twin):
        with pytest.raises(ValueError, match=r"d_k=3.*6.*4×3.*4×6"):
            broken()
    shown.view.d_other = 3
    assert shown.weights().shape == (4, 4)


@pytest.mark.parametrize("L", [4, 64])
def test_saturation_bands_are_the_quantiles_of_single_rows(L):
    """One place of each band, row by row and with the Jacobian itself."""
    count = {4: 200, 64: 6}[L]
    Q, K = measures.draw(count, L, 512)
    rows = torch.softmax(Q[..., :48] @ K[..., :48].mT / 48**0.25, -1).flatten(0, 1)
    norms = torch.stack([(row.diag() - torch.outer(row, row)).norm() for row in rows])
    found = saturation._bands(L)[:, 5, :, saturation.STOPS.index(48)]
    quantiles = torch.tensor([0.1, 0.5, 0.9], dtype=torch.float64)
    expected = torch.stack([values.quantile(quantiles) for values in (rows.amax(-1), norms)], dim=1)
    torch.testing.assert_close(found.double(), expected, atol=1e-5, rtol=1e-4)


# Own sentence


@pytest.mark.parametrize("text", ["我喜欢打篮球", "我 喜欢 打 羽毛球", "我/爱/你", "我"])
def test_own_sentence(text):
    shown = explorers.OwnSentence()
    shown.text.value = text
    trace = shown.trace()
    assert shown.view.tokens == list(trace.tokens)
    torch.testing.assert_close(torch.tensor(shown.view.A), shown.weights())
    draw(shown.twin())
    assert f"「{text}」" in shown.view.message
    assert shown.view.unknown == [i for i, token in enumerate(trace.tokens) if token.endswith("*")]
    assert shown.view.divided == ""


@pytest.mark.parametrize(
    ("text", "message"), [("", "空"), ("！？", "标点"), ("我喜欢打羽毛球", "分开"), ("词 " * 13, "13 个词元")]
)
def test_own_sentence_that_cannot_be_read(text, message):
    shown = explorers.OwnSentence()
    shown.text.value = text
    assert message in shown.view.message
    assert shown.view.tokens == [] and shown.view.A == []
    with pytest.raises(ValueError, match=message):
        shown.weights()
    shown.text.value = "我喜欢打电话"
    assert shown.view.tokens == ["我", "喜欢", "打", "电话"]


def test_own_sentence_divided_by_the_browser():
    """What the browser's segmenter sends is used when it spells the text, and known words are parted within it."""
    shown = explorers.OwnSentence()
    shown.text.value = "今天天气真好，我们去打电话！"
    assert shown.view.tokens == []
    shown.view.words = ["今天", "天气", "真好", "我们", "去", "打电话"]
    assert shown.view.tokens == ["今天*", "天气*", "真好*", "我们*", "去*", "打", "电话"]
    assert shown.view.unknown == [0, 1, 2, 3, 4]
    assert shown.view.divided == "今天/天气/真好/我们/去/打/电话"
    assert "由浏览器切成 7 个词元" in shown.view.message
    assert shown.weights().shape == (7, 7)
    draw(shown.twin())
    shown.text.value = "别的句子"
    assert shown.view.tokens == [] and "分开" in shown.view.message
    shown.text.value = "我喜欢打电话"
    assert shown.view.tokens == ["我", "喜欢", "打", "电话"] and shown.view.divided == ""


def test_own_sentence_keeps_markup_as_text():
    shown = explorers.OwnSentence("<img src=x onerror=alert(1)>")
    assert "「<img src=x onerror=alert(1)>」" in shown.view.message
