"""The gradients against formulas worked by hand, and what they find against the course's claims."""

import re

import pytest
import torch

from course_utils import saturation as module
from course_utils.attention import FULL, ROOT, UNSCALED
from course_utils.saturation import dead_share, gradients, loss_gradients

CHINESE = re.compile("[\u4e00-\u9fff]")
DIVISORS = (UNSCALED, ROOT, FULL)


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize("p", DIVISORS)
def test_gradients_against_the_formulas_row_by_row(p):
    L, D, d_k, d_v = 4, 5, 3, 2
    X, T = normal(L, D, seed=1), normal(L, d_v, seed=2)
    W_Q, W_K, W_V = (normal(D, d, seed=3 + d) for d in (d_k, d_k, d_v))
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = torch.softmax(Q @ K.T / d_k**p, dim=-1)
    dB = A @ V - T
    dS = torch.stack([(torch.diag(a) - torch.outer(a, a)) @ V @ db for a, db in zip(A, dB, strict=True)])
    dQ, dK, dV = dS @ K / d_k**p, dS.T @ Q / d_k**p, A.T @ dB
    expected = (dQ, dK, dV, X.T @ dQ, X.T @ dK, X.T @ dV)
    found = loss_gradients(X, (W_Q, W_K, W_V), T, p)
    assert len(found) == len(expected)
    for G, formula in zip(found, expected, strict=True):
        assert torch.allclose(G, formula, atol=1e-12)
    assert not W_Q.requires_grad and W_Q.grad is None


def test_a_batch_adds_up_in_the_projections_and_stays_apart_in_the_rows():
    X, T = normal(3, 4, 5, seed=1), normal(3, 4, 2, seed=2)
    Ws = [normal(5, d, seed=3 + d) for d in (3, 3, 2)]
    together = loss_gradients(X, Ws, T)
    alone = [loss_gradients(x, Ws, t) for x, t in zip(X, T, strict=True)]
    for n in range(3):
        assert torch.allclose(together[n], torch.stack([each[n] for each in alone]))
        assert torch.allclose(together[3 + n], sum(each[3 + n] for each in alone))


def test_gradients_are_measured_row_by_row_and_for_whole_matrices():
    found = gradients(8, draws=3)
    assert found.q.shape == found.k.shape == found.v.shape == (3 * 16 * 4,)
    assert found.W_Q.shape == found.W_K.shape == found.W_V.shape == (3,)
    # X has 64 columns of N(0, 1): the squared length of Xᵀ G is about 64 times that of G.
    ratio = found.W_Q.square().sum() / found.q.square().sum()
    assert 30 < ratio < 130


def test_most_rows_of_Q_lose_their_gradient_without_scaling_while_that_of_W_Q_grows():
    raw, root, full = (gradients(512, p) for p in DIVISORS)
    small = gradients(4, UNSCALED)
    assert root.q.median() == pytest.approx(1.1, abs=0.2)
    assert raw.q.median() < 0.01 * small.q.median() and raw.q.mean() > small.q.mean()
    assert dead_share(raw.q) > 0.4 and dead_share(root.q) < 0.01 and dead_share(full.q) < 0.01
    assert dead_share(raw.k) > 0.15
    assert raw.W_Q.median() > 3 * root.W_Q.median() and raw.W_K.median() > 3 * root.W_K.median()
    assert full.q.median() < 0.1 * root.q.median()


def test_W_V_keeps_its_gradient():
    raw, root = gradients(512, UNSCALED), gradients(512, ROOT)
    assert raw.v.median() > root.v.median() > 1
    assert raw.W_V.min() > 0.5 * root.W_V.median()


def test_dead_is_shorter_than_a_thousandth():
    assert dead_share(torch.tensor([0.0, 0.0009, 0.0011, 5.0])) == 0.5


def test_measuring_leaves_torch_as_it_was():
    torch.manual_seed(5)
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    gradients(2, draws=1)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    with pytest.raises(ValueError):
        gradients(2, p=float("nan"))
    assert torch.get_num_threads() == threads


def test_shapes_are_what_the_annotations_say(check_shapes):
    check_shapes(module)
    assert 0 <= module.dead_share(module.gradients(2, draws=1).q) <= 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gradients(-1), "-1"),
        (lambda: loss_gradients(normal(4, 5), [normal(5, 2)] * 3, normal(3, 2)), "(3, 2)"),
        (lambda: loss_gradients(normal(4, 5), [normal(5, 2)] * 2, normal(4, 2)), "W_V"),
    ],
)
def test_a_mistake_is_named_in_chinese(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value) and CHINESE.search(str(caught.value))
