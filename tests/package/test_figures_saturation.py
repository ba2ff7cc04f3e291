"""The figures of what scaling does to the weights show what was measured and refuse nonsense."""

import numpy as np
import pytest
import torch
from support.gallery import TOKENS
from support.saturation_gallery import D_KS, DIVISORS, SATURATION, STDS, SWEEPS, A, K, Q, colour
from support.seen import cells, curves, panel, said

from course_utils import figures
from course_utils.attention import FULL, UNSCALED, scores, softmax
from course_utils.saturation import jacobian_norm, sweep


def test_spread_shows_the_medians_beside_the_root():
    figure = SATURATION["spread"]()
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
    ("title", "name"),
    [("每行最大的权重", "largest"), ("每行的 ‖J‖", "jacobian")],
    ids=["largest", "jacobian"],
)
def test_lines_are_medians_and_bands_are_quantiles(title, name):
    lines, areas = curves(panel(SATURATION["sweeps"](), title))
    for p in DIVISORS:
        low, middle, high = getattr(SWEEPS[p], name)
        assert np.allclose(lines[colour(p)], middle)
        corners = [*zip(D_KS, low, strict=True), *zip(D_KS, high, strict=True)]
        assert np.allclose(np.unique(areas[colour(p)], axis=0), np.unique(corners, axis=0))


def test_jacobians_show_each_matrix_and_its_norm():
    figure = SATURATION["jacobians"]()
    a = A[2]
    J = torch.diag(a) - torch.outer(a, a)
    numbers = [text.get_text().replace("−", "-") for text, _ in cells(figure)][:16]
    assert [float(number) for number in numbers] == pytest.approx(J.flatten().tolist(), abs=0.005)
    assert f"‖J‖ = {jacobian_norm(a):.2f}" in said(figure)


@pytest.mark.parametrize(("rest", "norm"), [(0.0, "0"), (1e-5, "2.0×10⁻⁵"), (0.1, "0.18")])
def test_a_small_norm_is_written_as_a_power_of_ten(rest, norm):
    a = torch.tensor([1 - rest, rest, 0.0, 0.0], dtype=torch.float64)
    assert f"‖J‖ = {norm}" in said(figures.jacobians({"a": a}, TOKENS))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.overview(Q, K, TOKENS[:3]), "却给了 3 个标签"),
        (lambda: figures.overview(Q[:, :8], K[:, :8], TOKENS), "Q 只有 8 列，画不出 dₖ=512"),
        (lambda: figures.overview(Q, K, TOKENS, ps=(0.3,)), "p = 0.3"),
        (lambda: figures.sweeps(sweep(0.3, D_KS, count=2)), "p = 0.3"),
        (lambda: figures.jacobians({"a": A[0]}, TOKENS[:2]), "却给了 2 个标签"),
    ],
)
def test_bad_input_is_answered_in_chinese(call, message):
    with pytest.raises(ValueError, match=message):
        call()
