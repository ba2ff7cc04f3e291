"""Matrices for tests of the mathematics, and how close a result must come to its reference."""

import pytest
import torch
from hypothesis import strategies as st

from course_utils.attention import ROOT, Trace

from . import worked_example

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}

sizes = st.integers(1, 6)
batches = st.lists(st.integers(1, 3), max_size=2)
exponents = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(-1, 2)


def close(actual, expected):
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    tolerance = TOLERANCE[actual.dtype]
    return torch.allclose(
        actual, expected, rtol=tolerance, atol=tolerance * max(1, expected.abs().max().item())
    )


@st.composite
def qkv(draw, batch=batches, same_length=False):
    """Random Q (*batch, L_q, d_k), K (*batch, L, d_k) and V (*batch, L, d_v) of either precision."""
    batch, L, d_k, d_v = draw(batch), draw(sizes), draw(sizes), draw(sizes)
    L_q = L if same_length else draw(sizes)
    dtype = draw(st.sampled_from(list(TOLERANCE)))
    size = draw(st.sampled_from([0.1, 1.0, 5.0]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32)))
    shapes = ((L_q, d_k), (L, d_k), (L, d_v))
    return tuple(size * torch.randn(*batch, *shape, generator=generator, dtype=dtype) for shape in shapes)


def trace_of(p=ROOT, dtype=torch.float32):
    t = worked_example
    return Trace.of(*(M.to(dtype) for M in (t.X, t.W_Q, t.W_K, t.W_V)), tokens=t.TOKENS, p=p)


def ones(*shape):
    return torch.ones(shape)


def check_told(call, kind, message):
    """The call raises an error of this very kind, and this is in what it says."""
    with pytest.raises(kind) as caught:
        call()
    assert caught.type is kind
    assert message in str(caught.value)
