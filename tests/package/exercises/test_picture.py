"""The picture of an attempt: input, expected and given, with what differs framed."""

import time

import pytest
import torch

from course_utils.exercises import picture
from course_utils.exercises.catalogue import find
from course_utils.exercises.judge import judge


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("1.1", lambda onehot, E: onehot @ E + 1),
        ("3.1", lambda Q, K: Q @ K),
        ("3.2", lambda S: torch.exp(S) / torch.exp(S).sum(-1, keepdim=True)),
        ("3.2", lambda S: torch.tensor(1.0)),
        ("3.2", lambda S: torch.ones(2, 3, 4, 5)),
        ("3.2", lambda S: torch.ones(64, 64)),
        ("5.1", lambda A, V, i: A[:, i] @ V),
        (
            "6.1",
            lambda Q, K, V: (torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, -1) @ V, torch.softmax(Q @ K.T, -1)),
        ),
    ],
)
def test_any_attempt_can_be_drawn(id, answer):
    verdict = judge(find(id), answer)
    figure = picture.attempt(find(id).asks, verdict.case, verdict.given)
    png, _ = figure._repr_png_()
    assert png.startswith(b"\x89PNG")


def test_the_picture_frames_just_the_cells_that_differ():
    def almost(S):
        A = torch.softmax(S, -1)
        A[0, 1] += 0.1
        return A

    verdict = judge(find("3.2"), almost)
    figure = picture.attempt(find("3.2").asks, verdict.case, verdict.given)
    framed = [p for ax in figure.axes for p in ax.patches if not p.get_fill()]
    assert len(framed) == 1 and "1 格不同" in figure.alt
    right = picture.attempt(find("3.2").asks, verdict.case, find("3.2").asks.right[verdict.case])
    assert [p for ax in right.axes for p in ax.patches if not p.get_fill()] == []


def test_a_very_large_answer_is_not_drawn():
    verdict = judge(find("3.2"), lambda S: torch.ones(3000, 3000))
    figure = picture.attempt(find("3.2").asks, verdict.case, verdict.given)
    assert "你的 A 有 3000×3000，太大了，没有画" in figure.alt
    start = time.monotonic()
    figure._repr_png_()
    assert time.monotonic() - start < 2
