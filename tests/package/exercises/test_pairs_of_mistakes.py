"""Every known mistake, alone and with every other: named, told apart, and in a table of wrong answers."""

import pkgutil
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from support.wrong_answers import FUNCTIONS, LAYERS

from course_utils import mistakes
from course_utils.exercises.catalogue import EXERCISES, find
from course_utils.exercises.exercise import Function
from course_utils.exercises.judge import judge
from course_utils.exercises.judge.known_mistakes import wrong_steps
from course_utils.mistakes.steps import Mistake, with_mistakes

# Pairs that are another known pair by algebra: (Q Qᵀ) with W_K for W_V leaves W_V out altogether, and
# where B is made without weights, scores returned are scores without softmax.
SAME_BY_ALGEBRA = {
    ("v_and_k_mixed", "q_with_q"): "k_used_for_v",
    ("value_ignored", "scores_returned"): "no_softmax",
    ("unweighted_mean", "scores_returned"): "no_softmax",
    ("uniform_weights", "scores_returned"): "no_softmax",
    ("unweighted_mean", "dots_returned"): "uniform_weights",
}
WRITTEN = [exercise for exercise in EXERCISES if isinstance(exercise.asks, Function)]


@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda exercise: exercise.id)
def test_of_two_mistakes_the_more_basic_is_named(exercise):
    """Every mistake of the exercise and every pair; one that the other hides altogether can't be named."""
    asks = replace(exercise.asks, adapt=lambda function: function)
    for made, steps in wrong_steps(asks.mistakes):
        verdict = judge(
            replace(exercise, asks=asks), lambda *inputs, steps=steps: asks.answer(steps, *inputs)
        )
        if verdict.name == "nan":
            # A row without a positive score can't be divided by its sum.
            assert made[-1].name == "not_exponential" and "nan" in str(outcomes(asks, steps))
            continue
        names = tuple(mistake.name for mistake in made)
        wanted = SAME_BY_ALGEBRA.get(names, names[0])
        if len(made) > 1 and hides(asks, made[1], steps):
            wanted = names[1]
        assert (verdict.passed, verdict.name) == (False, wanted), names


def hides(asks, mistake, steps):
    """Does this mistake alone give the same as the pair's steps, in every case?"""
    return outcomes(asks, with_mistakes(mistake)) == outcomes(asks, steps)


def outcomes(asks, steps):
    return [outcome(asks, case, steps) for case in asks.cases if case.kind == "plain"]


def outcome(asks, case, steps):
    try:
        return [
            [round(number, 3) for number in part.flatten().tolist()] for part in asks.expected(case, steps)
        ]
    except RuntimeError as error:
        return str(error)


@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda exercise: exercise.id)
def test_every_mistake_changes_the_answer_a_lot_on_some_input(exercise):
    asks = exercise.asks
    for made, steps in wrong_steps(asks.mistakes):
        if len(made) == 1:
            assert any(distance(asks, case, steps) > 0.05 for case in asks.cases if case.kind == "plain"), (
                made[0].name
            )


def distance(asks, case, steps):
    right = asks.right[case]
    try:
        wrong = asks.expected(case, steps)
    except RuntimeError:
        return float("inf")
    return max(
        float(abs(a - b).max()) if a.shape == b.shape else float("inf")
        for a, b in zip(right, wrong, strict=True)
    )


def test_inputs_have_sizes_that_all_differ_and_rows_that_are_not_saturated():
    case_sizes = []
    for case in find("6.2").asks.cases:
        if case.kind == "large":
            continue
        X, W_Q, _, W_V = case.inputs.values()
        case_sizes.append((*X.shape, W_Q.shape[1], W_V.shape[1]))
        assert len(set(case_sizes[-1])) == len(case_sizes[-1])
        _, A = find("6.2").asks.right[case]
        assert A.max() < 0.9
        S = np.log(A)
        assert abs(S - S.mT).max() > 0.3
    assert len(set(case_sizes)) == len(case_sizes) == 4


def test_every_described_mistake_belongs_to_an_exercise_and_is_in_a_table():
    names = [found.name for found in pkgutil.iter_modules(mistakes.__path__, f"{mistakes.__name__}.")]
    described = [
        mistake
        for name in names
        for value in vars(import_module(name)).values()
        for mistake in (value if isinstance(value, tuple) else (value,))
        if isinstance(mistake, Mistake)
    ]
    assert len(described) > 50
    used = [
        mistake
        for exercise in WRITTEN
        for mistake in (*exercise.asks.mistakes, *exercise.asks.batch_mistakes)
    ]
    assert [mistake.name for mistake in described if mistake not in used] == []
    tested = {name for _, _, name in FUNCTIONS + LAYERS}
    assert {mistake.name for mistake in described} <= tested
    for exercise in WRITTEN:
        if exercise.id != "6.2":
            own = {name for id, _, name in FUNCTIONS if id == exercise.id}
            missing = {mistake.name for mistake in exercise.asks.mistakes} - own
            assert missing <= INHERITED.get(exercise.id, set()), (exercise.id, missing)


# Shown in the table of the exercise where the step is practised; the sweep over all pairs covers them here.
INHERITED = {
    "2.3": {"tokens_as_columns"},
    "4.2": {
        "q_transposed_instead",
        "k_with_k",
        "divided_without_exp",
        "power_before_division",
        "no_keepdim",
    },
    "5.3": {"divided_without_exp", "no_keepdim", "values_first", "value_ignored"},
    "6.1": {
        "q_transposed_instead",
        "divided_without_exp",
        "power_before_division",
        "no_keepdim",
        "values_first",
        "value_ignored",
        "unweighted_mean",
    },
}
