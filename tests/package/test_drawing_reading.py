"""What figures are given is read once, and becomes an array or a tuple."""

import numpy as np
import pytest
import torch
from support.gallery import BALL, GALLERY, MAIN

from course_utils.drawing import reading
from course_utils.drawing.reading import as_matrix, labels, matrices_of
from course_utils.figures import matrices, weights


@pytest.mark.parametrize("name", [name for name in MAIN if name != "timing"])
def test_a_figure_reads_each_matrix_once(name, monkeypatch):
    seen = []

    def reads(M, name, **how):
        assert not any(M is earlier for earlier in seen), f"{name} is read again"
        seen.extend([M, values := as_matrix(M, name, **how)])
        return values

    for module in (reading, matrices, weights):
        monkeypatch.setattr(module, "as_matrix", reads)
    GALLERY[name]()
    assert seen


@pytest.mark.parametrize(
    "M",
    [
        [[1, 2.5]],
        np.array([[1, 2.5]], dtype=np.float32),
        torch.tensor([[1, 2.5]], requires_grad=True),
        torch.tensor([[1, 2.5]], dtype=torch.bfloat16),
        torch.tensor([[1, 2.5]]).to_sparse(),
    ],
    ids=["list", "array", "grad", "bfloat16", "sparse"],
)
def test_a_matrix_becomes_an_array_of_float64(M):
    values = as_matrix(M, "M")
    assert values.dtype == np.float64 and values.tolist() == [[1, 2.5]]


def test_matrices_of_a_trace_come_in_the_order_they_are_asked_for():
    B, Q = matrices_of(BALL, "B", "Q")
    assert np.array_equal(B, BALL.B.double()) and np.array_equal(Q, BALL.Q.double())


def test_labels_are_strings_and_may_be_missing():
    assert labels((1, "二"), 2, "行", "X") == ("1", "二")
    assert labels(None, 2, "行", "X") is None
