"""The figure of the training shows medians, the range of the seeds and what was found."""

import numpy as np
import pytest
import torch
from support.saturation_gallery import DIVISORS, RUNS, SATURATION, colour
from support.seen import curves, panel, said

from course_utils import figures
from course_utils.attention import ROOT


def test_learning_shows_medians_of_five_steps_from_best_to_worst_seed():
    figure = SATURATION["learning"]()
    lines, areas = curves(panel(figure, "损失"))
    for p in DIVISORS:
        fives = torch.stack([run.losses.reshape(12, 5).median(dim=1).values for run in RUNS[p]])
        assert np.allclose(lines[colour(p)], fives.median(dim=0).values, rtol=1e-5)
        heights = areas[colour(p)][:, 1]
        assert heights.min() == pytest.approx(fives.min().item(), rel=1e-5)
        assert heights.max() == pytest.approx(fives.max().item(), rel=1e-5)
    assert {"答对 25%\n找对 12%", "答对 100%\n找对 100%", "答对 88%\n找对 75%"} <= set(said(figure))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.learning({2.0: RUNS[ROOT]}), "p = 2.0"),
    ],
)
def test_bad_input_is_answered_in_chinese(call, message):
    with pytest.raises(ValueError, match=message):
        call()
