"""Shapes and checks as a lesson shows them."""

import pytest
import torch

from course_utils.show import same, shape


def test_shapes_are_written_as_in_formulas():
    assert (
        repr((shape(torch.zeros(4, 5)), shape(torch.zeros(3)), shape(torch.zeros(2, 4, 5))))
        == "(4×5, 1×3, 2×4×5)"
    )
    assert shape(torch.tensor(1.0)) == "一个数"
    with pytest.raises(TypeError, match="要一个张量，现在是 list"):
        shape([1, 2])


def test_two_ways_to_one_matrix_agree():
    X = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert repr(same(X, X.clone())) == "✓ 2×2，每一格都对得上"
    assert same(X, X + 1e-6) == same(X, X), "a machine that rounds otherwise shows the same line"


def test_what_differs_is_said_with_its_place():
    X = torch.zeros(2, 3)
    Y = X.clone()
    Y[1, 2] = 0.5
    with pytest.raises(AssertionError, match=r"第 2、3 格.*一个是 0.0000，另一个是 0.5000"):
        same(X, Y)
    with pytest.raises(ValueError, match="形状不同：2×3 和 3×2"):
        same(X, X.T)
