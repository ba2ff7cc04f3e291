"""The package against known values; tests/js holds the views' scripts to the same ones."""

import pytest
import torch
from support.known_values import KNOWN

from course_utils.attention import softmax
from course_utils.drawing.colour import ink_on
from course_utils.drawing.plane import hull
from course_utils.saturation import SATURATED, STATES, UNIFORM, entropy, jacobian_norm, row_states, state_keys


def known(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["why"])


def tensor(numbers):
    return torch.tensor(numbers, dtype=torch.float64)


@known(KNOWN["softmax"])
def test_softmax(case):
    assert softmax(tensor(case["scores"])).tolist() == pytest.approx(case["weights"], abs=1e-12)


@known(KNOWN["entropy"])
def test_entropy(case):
    assert entropy(tensor(case["weights"])).item() == pytest.approx(case["entropy"], abs=1e-12)


@known(KNOWN["jacobian_norm"])
def test_jacobian_norm(case):
    assert jacobian_norm(tensor(case["weights"])).item() == pytest.approx(case["norm"], abs=1e-12)


def test_limits_of_the_states():
    assert KNOWN["states"]["limits"] == {"uniform": UNIFORM, "saturated": SATURATED}
    assert {case["state"] for case in KNOWN["states"]["rows"]} == set(STATES)


@known(KNOWN["states"]["rows"])
def test_states(case):
    A = tensor([case["weights"]])
    assert state_keys(A) == (case["state"],)
    words = {"uniform": "均匀", "moderate": "适中", "saturated": "饱和"}
    assert row_states(A) == (words[case["state"]],)


@known(KNOWN["hull"])
def test_hull(case):
    assert hull(tensor(case["points"]).numpy()).tolist() == case["corners"]


@known(KNOWN["ink"])
def test_ink(case):
    assert ink_on(case["colour"]) == case["ink"]
