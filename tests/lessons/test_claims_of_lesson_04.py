"""What lesson 04 says of scaling holds where it says so: L = 4, 200 draws, and the training of section 9."""

import pytest
import torch

from course_utils.attention import FULL, ROOT, UNSCALED, scores, softmax
from course_utils.learning import train_retrieval
from course_utils.saturation import (
    D_KS,
    band,
    dead_share,
    dot_product_stds,
    draw,
    gradients,
    row_states,
    sweep,
)

pytestmark = pytest.mark.notebooks
LARGEST = D_KS[-1]


@pytest.fixture(scope="module")
def sweeps():
    return {p: sweep(p) for p in (UNSCALED, ROOT, FULL)}


@pytest.fixture(scope="module")
def measured():
    return {p: gradients(LARGEST, p) for p in (UNSCALED, ROOT, FULL)}


def test_the_spread_of_dot_products_is_the_root_of_d_k_within_3_percent():
    for d_k in D_KS:
        low, middle, high = band(dot_product_stds(d_k)) / d_k**0.5
        assert abs(middle - 1) < 0.03 and 0.9 < low < high < 1.1


def test_states_of_the_one_draw_that_is_shown():
    Q, K = (drawn[0] for drawn in draw(8, seed=1))
    states = {p: row_states(softmax(scores(Q, K, p))) for p in (UNSCALED, ROOT, FULL)}
    assert states[UNSCALED] == ("饱和", "饱和", "饱和", "适中")
    assert "饱和" not in states[ROOT]
    assert states[FULL] == ("均匀",) * 4


def test_saturated_shares_at_four_tokens_and_fewer_of_them_at_64(sweeps):
    raw = dict(zip(D_KS, sweeps[UNSCALED].saturated.tolist(), strict=True))
    assert 0.45 < raw[64] < 0.55 and raw[512] > 0.8
    assert all(share == 0 for share in sweeps[ROOT].saturated[1:])
    longer = sweep(UNSCALED, (64, 512), L=64, count=50).saturated
    assert longer[0] < 0.25 and longer[1] < 0.65


def test_largest_weights_and_jacobians(sweeps):
    raw, root, full = sweeps.values()
    assert raw.largest[1, -1] > 0.999 and full.largest[1, -1] < 0.28
    assert all(0.4 < root.largest[1, n] < 0.55 for n, d_k in enumerate(D_KS) if d_k >= 4)
    assert 0.35 < raw.jacobian[1, D_KS.index(4)] < 0.45 and raw.jacobian[1, -1] < 1e-5
    assert ((root.jacobian[1] - 0.43).abs() < 0.02).all()


def test_who_gets_no_gradient(measured):
    raw, root, full = measured.values()
    assert [round(dead_share(rows), 2) for rows in (raw.q, raw.k, raw.v)] == [0.52, 0.29, 0.17]
    assert dead_share(root.q) == dead_share(full.q) == 0
    assert raw.q.median() < 1e-3 and 1 < root.q.median() < 1.3
    low, _, high = band(root.q)
    assert low == pytest.approx(0.40, abs=0.01) and high == pytest.approx(2.39, abs=0.01)
    assert 1.7 < gradients(128, FULL).q.median() / full.q.median() < 2.3


def test_whole_matrices_keep_their_gradients(measured):
    raw, root, _ = measured.values()
    assert round((raw.W_Q.median() / root.W_Q.median()).item()) == 6
    assert raw.W_V.median() / root.W_V.median() == pytest.approx(1.95, abs=0.01)
    for rows, enough in ((raw.q, 0.9), (root.q, 0.4)):
        squares = rows.square().sort(descending=True).values
        assert squares[: len(squares) // 10].sum() / squares.sum() > enough
    assert raw.q.mean() > root.q.mean() and raw.v.median() > root.v.median() > 1


def test_with_the_root_every_seed_learns_and_without_a_divisor_none():
    for seed in range(4):
        root, raw = train_retrieval(ROOT, seed), train_retrieval(UNSCALED, seed)
        assert root.losses[-10:].median() < 0.05 and root.found == root.answered == 1
        assert raw.losses[-10:].median() > 0.4 and raw.found < 0.9


def test_a_head_may_answer_by_looking_away():
    """With torch's own start most seeds are right, and the token asked for has the smallest weight of its row."""
    runs = [train_retrieval(ROOT, seed, start="nn.Linear") for seed in range(4)]
    away = [run for run in runs if run.answered > 0.99 and run.found < 0.05 and run.avoided > 0.95]
    assert len(away) >= 2, [(run.answered, run.found, run.on_asked) for run in runs]


def test_the_start_of_the_weights_is_one_that_is_known():
    with pytest.raises(
        ValueError, match=r"start 是 W 的初始值怎样抽，可以是 '1/D'、'nn.Linear'，现在是 'zeros'"
    ):
        train_retrieval(start="zeros", steps=1)
    assert not torch.equal(
        train_retrieval(steps=1).losses, train_retrieval(steps=1, start="nn.Linear").losses
    )
