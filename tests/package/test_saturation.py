"""Rows of weights against loops and autograd, and what many draws find against the course's claims."""

import inspect
import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Bool

from course_utils import saturation as module
from course_utils.attention import FULL, ROOT, UNSCALED
from course_utils.saturation import (
    D_KS,
    QUANTILES,
    band,
    dot_product_stds,
    draw,
    entropy,
    is_saturated,
    is_uniform,
    jacobian,
    jacobian_norm,
    row_states,
    sweep,
)

CHINESE = re.compile("[\u4e00-\u9fff]")
DIVISORS = (UNSCALED, ROOT, FULL)


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@st.composite
def weights(draw, max_rows=4):
    """Rows of weights from nearly uniform to one-hot, as softmax makes them."""
    rows, L = draw(st.integers(1, max_rows)), draw(st.integers(1, 12))
    size = draw(st.sampled_from([0.0, 0.1, 1.0, 10.0, 100.0]))
    return torch.softmax(size * normal(rows, L, seed=draw(st.integers(0, 2**32))), dim=-1)


# One row of weights


@given(A=weights())
def test_entropy_against_a_loop(A):
    expected = [-sum(a * math.log(a) for a in row if a > 0) for row in A.tolist()]
    assert torch.allclose(entropy(A), torch.tensor(expected, dtype=A.dtype), atol=1e-12)


@given(seed=st.integers(0, 2**32), L=st.integers(1, 6), size=st.sampled_from([0.1, 1.0, 10.0]))
def test_jacobian_is_the_derivative_of_softmax(seed, L, size):
    s = size * normal(L, seed=seed)
    expected = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=0), s)
    assert torch.allclose(jacobian(torch.softmax(s, dim=0)), expected, atol=1e-12)


@given(A=weights())
def test_jacobian_norm_against_a_loop_and_its_bounds(A):
    for row, norm in zip(A.tolist(), jacobian_norm(A).tolist(), strict=True):
        squares = [
            ((row[j] if j == m else 0.0) - row[j] * row[m]) ** 2
            for j in range(len(row))
            for m in range(len(row))
        ]
        assert norm == pytest.approx(math.sqrt(sum(squares)), abs=1e-12)
        assert 0 <= norm <= 0.5 + 1e-12


def test_a_batch_of_rows_is_every_row_by_itself():
    A = torch.softmax(normal(2, 3, 4), dim=-1)
    assert jacobian(A).shape == (2, 3, 4, 4)
    for measure in (entropy, jacobian, jacobian_norm, is_saturated, is_uniform):
        alone = torch.stack([torch.stack([measure(row) for row in sentence]) for sentence in A])
        assert torch.equal(measure(A), alone)


def with_entropy_share(share, L=4):
    """A row of L weights, one large and the others equal, whose entropy is this share of ln L."""
    low, high = 1 / L, 1.0
    for _ in range(60):
        large = (low + high) / 2
        rest = (1 - large) / (L - 1)
        present = -(large * math.log(large) + (1 - large) * math.log(rest)) / math.log(L)
        low, high = (large, high) if present > share else (low, large)
    return [large] + [rest] * (L - 1)


@pytest.mark.parametrize(("share", "state"), [(0.951, "均匀"), (0.949, "适中")])
def test_states_on_both_sides_of_the_limit_of_entropy(share, state):
    assert row_states(torch.tensor([with_entropy_share(share)])) == (state,)


@given(A=weights())
def test_every_row_has_one_state(A):
    assert not (is_saturated(A) & is_uniform(A)).any()
    states = row_states(A)
    assert [state == "饱和" for state in states] == is_saturated(A).tolist()
    assert [state == "均匀" for state in states] == is_uniform(A).tolist()


# Many draws over d_k


def test_draws_are_independent_standard_normal_numbers_of_their_own():
    Q, K = draw(50, L=4, d_k=64)
    assert Q.shape == K.shape == (50, 4, 64)
    for M in (Q, K):
        assert M.mean().abs() < 0.05 and abs(M.std() - 1) < 0.02
    assert abs((Q * K).mean()) < 0.03
    assert torch.equal(draw(50, L=4, d_k=64)[0], Q)
    assert not torch.equal(draw(50, L=4, d_k=64, seed=1)[0], Q)


@pytest.mark.parametrize("d_k", [1, 3, 64, 512])
def test_the_spread_of_dot_products_is_the_root_of_d_k(d_k):
    low, middle, high = band(dot_product_stds(d_k)) / d_k**0.5
    assert 0.9 < low < middle < high < 1.1
    assert abs(middle - 1) < 0.03


def test_dot_products_are_at_least_ten_thousand_by_default():
    defaults = {name: value.default for name, value in inspect.signature(dot_product_stds).parameters.items()}
    assert defaults["groups"] * defaults["size"] >= 10_000
    assert dot_product_stds(2).shape == (defaults["groups"],)


def test_band_holds_the_quantiles_in_order():
    assert band(torch.arange(101.0).reshape(1, 101)).tolist() == [10.0, 50.0, 90.0]


@pytest.mark.parametrize("p", DIVISORS)
def test_sweep_against_a_loop(p):
    measured = sweep(p, d_ks=(3, 16), L=5, count=7)
    for n, d_k in enumerate((3, 16)):
        rows = []
        for Q, K in zip(*draw(7, L=5, d_k=16), strict=True):
            rows += torch.softmax(Q[:, :d_k] @ K[:, :d_k].T / d_k**p, dim=-1).tolist()
        largest = torch.tensor([max(row) for row in rows], dtype=torch.float64)
        entropies = torch.tensor([-sum(a * math.log(a) for a in row) for row in rows], dtype=torch.float64)
        for found, expected in ((measured.largest, largest), (measured.entropy, entropies)):
            quantiles = torch.tensor([expected.quantile(q) for q in QUANTILES], dtype=torch.float64)
            assert torch.allclose(found[:, n], quantiles)
        assert measured.saturated[n] == (largest > 0.99).double().mean()
        norms = jacobian_norm(torch.tensor(rows, dtype=torch.float64))
        assert torch.allclose(measured.jacobian[:, n], band(norms))
    assert (measured.p, measured.L, measured.d_ks) == (p, 5, (3, 16))


def test_without_scaling_rows_saturate_with_the_root_they_stay_and_with_d_k_they_go_flat():
    """The table of the course's design: medians of the largest weight and of ‖J‖, share of saturated rows."""
    raw, root, full = (sweep(p, d_ks=(4, 64, 512)) for p in DIVISORS)
    assert raw.largest[1].tolist() == pytest.approx([0.6, 0.98, 1.0], abs=0.1)
    assert raw.saturated.tolist() == pytest.approx([0.03, 0.52, 0.82], abs=0.05)
    assert raw.jacobian[1, 0] > 0.3 and raw.jacobian[1, 1] < 0.05 and raw.jacobian[1, 2] < 1e-4
    assert root.largest[1].tolist() == pytest.approx([0.45] * 3, abs=0.08)
    assert root.jacobian[1].tolist() == pytest.approx([0.42] * 3, abs=0.03)
    assert root.saturated.max() == 0
    assert full.largest[1, 2] < 0.3 and full.entropy[1, 2] > 0.99 * math.log(4)


def test_all_divisors_agree_where_d_k_is_1():
    bands = [sweep(p, d_ks=(1,), count=20) for p in DIVISORS]
    assert torch.equal(bands[0].largest, bands[1].largest) and torch.equal(bands[1].largest, bands[2].largest)


# Everything


def test_measuring_leaves_torch_as_it_was():
    torch.manual_seed(5)
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    draw(2), dot_product_stds(2), sweep(d_ks=(2,), count=2)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    with pytest.raises(ValueError):
        sweep(p=float("nan"), d_ks=(2,), count=2)
    assert torch.get_num_threads() == threads


def test_shapes_are_what_the_annotations_say(check_shapes, monkeypatch):
    monkeypatch.setattr(module, "Bool", Bool, raising=False)
    check_shapes(module)
    A = torch.softmax(normal(2, 3, 4), dim=-1)
    for measure in (
        module.entropy,
        module.jacobian,
        module.jacobian_norm,
        module.is_saturated,
        module.is_uniform,
    ):
        measure(A)
    module.row_states(A[0])
    module.sweep(d_ks=(2, 4), count=2)
    assert module.dot_product_stds(2, groups=3, size=5).shape == (3,)


GOOD = torch.tensor([[0.5, 0.5]])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: entropy([0.5, 0.5]), TypeError, "list"),
        (lambda: entropy(torch.tensor([[2.0, 1.0]])), ValueError, "softmax"),
        (lambda: jacobian(torch.tensor([[1.5, -0.5]])), ValueError, "不小于 0"),
        (lambda: jacobian_norm(torch.tensor([1, 0])), ValueError, "torch.int64"),
        (lambda: is_saturated(torch.tensor([float("nan"), 1.0])), ValueError, "加起来等于 1"),
        (lambda: is_uniform(torch.tensor(1.0)), ValueError, "()"),
        (lambda: row_states(GOOD[0]), ValueError, "(2,)"),
        (lambda: draw(0), ValueError, "count"),
        (lambda: draw(1, d_k=2.5), ValueError, "2.5"),
        (lambda: dot_product_stds(True), ValueError, "d_k"),
        (lambda: sweep(d_ks=(4, 0)), ValueError, "d_k"),
        (lambda: sweep(d_ks=()), ValueError, "d_ks"),
        (lambda: sweep("0.5"), ValueError, "'0.5'"),
    ],
)
def test_a_mistake_is_named_in_chinese(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value) and CHINESE.search(str(caught.value))


def test_d_ks_run_from_1_to_512():
    assert D_KS[0] == 1 and D_KS[-1] == 512 and list(D_KS) == sorted(set(D_KS))
