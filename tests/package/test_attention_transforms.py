"""Under torch.vmap, torch.compile and torch.export each step, the chain and the layer do what they do without."""

import math

import pytest
import torch
from support import worked_example
from support.matrices import check_told, ones
from torch.utils._python_dispatch import TorchDispatchMode

from course_utils.attention import SelfAttention, Trace, attention, fuse, project, scores, softmax

torch.manual_seed(0)
BATCH, L_Q, L, D, D_K, D_V = 3, 7, 4, 5, 3, 2
X, Q = torch.randn(BATCH, L, D), torch.randn(BATCH, L_Q, D_K)
K, V = torch.randn(BATCH, L, D_K), torch.randn(BATCH, L, D_V)
W, A = torch.randn(D, D_K), torch.randn(BATCH, L_Q, L).softmax(dim=-1)
LAYER = SelfAttention(D, D_K, D_V)

# What is called, with what, and which inputs have an axis for vmap to go along.
CASES = {
    "project": (lambda X, W: project(X, W), (X, W), (0, None)),
    "scores": (scores, (Q, K), 0),
    "softmax": (softmax, (A.log(),), 0),
    "fuse": (fuse, (A, V), 0),
    "attention": (attention, (Q, K, V), 0),
    "attention without a divisor": (lambda Q, K, V: attention(Q, K, V, 0), (Q, K, V), 0),
    "SelfAttention": (LAYER, (X,), 0),
}
EITHER_WAY_OF_TRACING = pytest.mark.parametrize("strict", [False, True])


def agree(actual, expected):
    torch.testing.assert_close(actual, expected, rtol=1e-5, atol=1e-6)


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


@pytest.fixture
def compiled():
    """compiled(call): torch.compile without a break and without a C++ compiler; nothing is left of earlier tests."""
    torch.compiler.reset()
    return lambda call, backend="eager": torch.compile(call, backend=backend, fullgraph=True)


def one_by_one(call, inputs, axes):
    """The call's results for each sentence of the batch, stacked."""
    axes = axes if isinstance(axes, tuple) else (axes,) * len(inputs)
    rows = [[M if axis is None else M[i] for M, axis in zip(inputs, axes, strict=True)] for i in range(BATCH)]
    results = [call(*row) for row in rows]
    if isinstance(results[0], tuple):
        return tuple(map(torch.stack, zip(*results, strict=True)))
    return torch.stack(results)


def test_vmap_is_the_sentences_one_by_one(case):
    call, inputs, axes = case
    agree(torch.vmap(call, in_dims=axes)(*inputs), one_by_one(call, inputs, axes))


def test_vmap_of_a_layer_is_its_batch():
    agree(torch.vmap(LAYER)(X), LAYER(X))
    agree(torch.vmap(torch.vmap(LAYER))(X[None]), LAYER(X[None]))


def test_vmap_over_queries_alone():
    agree(torch.vmap(scores, in_dims=(0, None))(Q, K[0]), scores(Q, K[:1].expand(BATCH, L, D_K)))


def test_vmap_of_gradients_is_the_gradients_one_by_one():
    def gradient(X):
        return torch.func.grad(lambda X: LAYER(X)[0].square().sum())(X)

    agree(torch.vmap(gradient)(X), one_by_one(gradient, (X,), 0))


def test_vmap_still_names_a_wrong_shape_and_carries_nan_on():
    check_told(lambda: torch.vmap(LAYER)(ones(2, 4, 6)), ValueError, "X 的列数 D=6 必须等于 W_Q 的行数 5")
    output, weights = torch.vmap(LAYER)(torch.full((2, 4, D), math.nan))
    assert output.isnan().all() and weights.isnan().all()


def test_compiled_without_a_break(compiled, case):
    call, inputs, _ = case
    agree(compiled(call)(*inputs), call(*inputs))


def test_compiled_trace(compiled):
    t = worked_example

    def chain(X):
        trace = Trace.of(X, t.W_Q, t.W_K, t.W_V, t.TOKENS)
        return trace.A, trace.B

    agree(compiled(chain)(t.X), chain(t.X))


def test_compiled_for_sizes_to_come(compiled):
    compiled_attention = compiled(attention)
    for length in (2, 3, 4, 9):
        for width in (2, 3, 8):
            QKV = torch.randn(3, length, width)
            agree(compiled_attention(*QKV), attention(*QKV))


def test_compiled_layer_learns_the_same(compiled):
    layer = compiled(LAYER, "aot_eager")
    agree(layer(X), LAYER(X))
    weights = tuple(LAYER.parameters())
    expected = torch.autograd.grad(LAYER(X)[0].square().sum(), weights)
    agree(torch.autograd.grad(layer(X)[0].square().sum(), weights), expected)


@EITHER_WAY_OF_TRACING
def test_exported_layer(strict):
    exported = torch.export.export(LAYER, (X,), strict=strict).module()
    agree(exported(X), LAYER(X))
    agree(exported(X + 1), LAYER(X + 1))


@EITHER_WAY_OF_TRACING
def test_exported_layer_takes_sentences_of_any_length(strict):
    sizes = {"X": {0: torch.export.Dim("batch"), 1: torch.export.Dim("L")}}
    exported = torch.export.export(LAYER, (X,), dynamic_shapes=sizes, strict=strict).module()
    for batch, length in ((2, 2), (5, 9)):
        other = torch.randn(batch, length, D)
        agree(exported(other), LAYER(other))


class Looks(TorchDispatchMode):
    """How many times numbers are brought out of tensors."""

    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func is torch.ops.aten._local_scalar_dense.default
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize(
    ("name", "steps"), [("project", 1), ("scores", 1), ("softmax", 1), ("fuse", 1), ("SelfAttention", 6)]
)
def test_each_step_looks_at_numbers_once(name, steps):
    call, inputs, _ = CASES[name]
    with Looks() as looks:
        call(*inputs)
    assert looks.count == steps
