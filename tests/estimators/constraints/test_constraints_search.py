from __future__ import annotations

import math
from itertools import count

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.estimators.constraints import METRICS, ConstrainedRows, read_specs
from fairaudit.estimators.constraints.constrained_rows import (
    JudgedFit,
    choose_fit,
    frontier_of,
    levels_of,
    multipliers_of,
    nets_of,
)
from fairaudit.estimators.constraints.search import (
    LARGEST,
    Climb,
    MetricResponse,
    center,
    flattest_directions,
    joint_step,
    search_single,
)

TOLERANCE = 1e-3


def fit(multipliers, gaps, limits, accuracy=0.5):
    return JudgedFit.of(
        np.asarray(multipliers, dtype=float), accuracy, np.asarray(gaps, dtype=float), np.asarray(limits)
    )


def drive(search, answer):
    """Answer what a search asks for; return all fits that were made, and what it said at the end."""
    made, fits = [], None
    try:
        while True:
            asks = search.send(fits)
            fits = [answer(ask.multipliers) for ask in asks]
            made += fits
    except StopIteration as end:
        return made, end.value


def along(curve, limit=0.1, **settings):
    """Search where `curve` gives the gap for a multiplier; return the fits, the first among them, and the ending."""

    def answer(multipliers):
        return fit(multipliers, [curve(multipliers[0])], [limit])

    first = answer(np.zeros(1))
    made, ending = drive(search_single(first, limit, tolerance=TOLERANCE, **settings), answer)
    return [first, *made], ending


CURVES = {
    "line": lambda x: 0.9 * x - 0.4,
    "falling to the other side": lambda x: 0.4 + 0.9 * x,
    "sigmoid": lambda x: math.tanh(3 * x) - 0.9,
    "far away": lambda x: math.tanh(x / 100) - 0.6,
    "steps": lambda x: math.floor(40 * x) / 40 - 0.7,
    "steep": lambda x: math.tanh(80 * (x - 0.3)),
    "cubic": lambda x: (x - 1) ** 3 - 0.05,
}


@pytest.mark.parametrize("width", [1, 2, 3, 7])
@pytest.mark.parametrize("name", CURVES)
def test_the_smallest_multiplier_that_does_is_found_to_the_tolerance(name, width):
    fits, ending = along(CURVES[name], width=width)
    assert ending is None
    sign = -math.copysign(1, fits[0].gaps[0])
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sign * CURVES[name](sign * middle) < -0.1 else (low, middle)
    found = min(abs(one.multipliers[0]) for one in fits if one.is_met)
    assert high - 1e-9 <= found <= high + TOLERANCE


@pytest.mark.parametrize("name", CURVES)
def test_no_more_fits_are_needed_than_by_bisection_and_two(name):
    fits, _ = along(CURVES[name])
    sizes = [abs(one.multipliers[0]) for one in fits]
    end = next(i for i, one in enumerate(fits) if math.copysign(1, fits[0].gaps[0]) * one.gaps[0] <= 0.1)
    n_bisect = math.ceil(math.log2((sizes[end] - max(sizes[:end])) / TOLERANCE))
    assert len(fits) - 1 - end <= n_bisect + 2


def test_a_smooth_gap_takes_few_fits():
    fits, _ = along(CURVES["sigmoid"])
    assert len(fits) <= 9


def test_more_fits_at_once_take_fewer_rounds_and_are_the_same_each_time():
    rounds, sizes = {}, {}
    for width in (1, 3, 3):
        n_rounds = 0

        def answer(multipliers):
            return fit(multipliers, [CURVES["sigmoid"](multipliers[0])], [0.1])

        search, fits = search_single(answer(np.zeros(1)), 0.1, tolerance=1e-6, width=width), None
        made = []
        try:
            while True:
                asks = search.send(fits)
                n_rounds += 1
                assert len(asks) <= width
                fits = [answer(ask.multipliers) for ask in asks]
                made += [ask.multipliers[0] for ask in asks]
        except StopIteration:
            assert sizes.setdefault(width, made) == made
            rounds[width] = n_rounds
    assert rounds[3] < rounds[1]


def test_a_gap_that_jumps_is_said_to():
    fits, ending = along(lambda x: -0.5 if x < 0.3 else 0.5)
    assert "jumps from one side to the other" in ending and "0.29" in ending
    assert not any(one.is_met for one in fits)


def test_a_gap_that_stays_ends_the_search():
    fits, ending = along(lambda x: -0.5)
    assert "stayed too large" in ending
    assert max(abs(one.multipliers[0]) for one in fits) <= LARGEST and len(fits) < 25


@pytest.mark.parametrize("settings", [{"linear": True}, {"width": 7}])
def test_no_search_goes_beyond_the_largest_multiplier(settings):
    fits, ending = along(lambda x: -0.5 - 1e-4 * math.tanh(x), **settings)
    assert "stayed too large" in ending
    assert max(abs(one.multipliers[0]) for one in fits) <= LARGEST and len(fits) < 80


def test_small_steps_go_on_where_any_step_changes_the_gap_by_much():
    gaps = count(-0.7, -0.05)
    fits, _ = along(lambda x: next(gaps), limit=0.01, linear=True)
    last = [abs(one.multipliers[0]) for one in fits[-10:]]
    assert max(last) - min(last) >= TOLERANCE


def test_a_metric_that_is_not_defined_any_more_is_no_jump():
    _, ending = along(lambda x: -0.5 if x < 0.3 else math.nan)
    assert "not defined any more" in ending and "jumps" not in ending


def test_an_undefined_gap_has_no_side():
    fits, ending = along(lambda x: math.nan)
    assert len(fits) == 1 and "not defined" in ending


def test_small_steps_avoid_where_the_gap_is_undefined_and_take_weights_from_the_step_before():
    def answer(multipliers):
        x = multipliers[0]
        return fit(multipliers, [30 * x - 0.5 if x < 0.018 else math.nan], [0.1])

    first = answer(np.zeros(1))
    search, fits, made = search_single(first, 0.1, tolerance=1e-4, linear=True), None, [first]
    try:
        while True:
            (ask,) = search.send(fits)
            # Weights come from a fit that is no farther from 0, and whose gap is defined.
            before = made[ask.after]
            assert 0 <= before.multipliers[0] < ask.multipliers[0] and before.ratio < math.inf
            fits = [answer(ask.multipliers)]
            made += fits
    except StopIteration:
        pass
    found = min(one.multipliers[0] for one in made if one.is_met)
    assert found == pytest.approx(0.4 / 30, abs=2e-4)


def people(seed, n=20):
    """Return one feature, labels and two groups that differ in both."""
    random = np.random.default_rng(seed)
    group = np.repeat([0, 1], n // 2)
    x = np.round(random.normal(size=n) + group, 1)
    y = (x + random.normal(size=n) > 0.5).astype(int)
    y[:2], y[-2:] = (0, 1), (0, 1)
    return x, y, pd.DataFrame({"g": np.array(["a", "b"])[group]})


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6), metric=st.sampled_from(["demographic_parity", "fpr", "fnr", "error_rate", "aec(1, 3)"])
)
def test_with_an_exact_learner_gaps_rise_with_the_multiplier(seed, metric):
    x, y, frame = people(seed)
    rows = ConstrainedRows.of(read_specs(f"{metric} by g <= 0.2"), y, frame)
    gaps, accuracies = [], []
    for multiplier in np.linspace(-0.6, 0.6, 13):
        _, _, h = oracles.constrained_thresholds(x, y, rows.weights(np.array([multiplier])))
        gaps.append(rows.gaps(np.array(h))[0])
        accuracies.append(np.mean(np.array(h) == y))
    assert (np.diff(gaps) >= -1e-9).all(), (seed, gaps)
    away = np.array(accuracies)
    assert (np.diff(away[6:]) <= 1e-9).all() and (np.diff(away[:7]) >= -1e-9).all(), (seed, accuracies)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    metric=st.sampled_from(["demographic_parity", "fpr", "fnr", "aec(1, 3)"]),
    width=st.integers(1, 3),
)
def test_with_an_exact_learner_the_smallest_multiplier_that_does_is_found(seed, metric, width):
    x, y, frame = people(seed)
    limit = 0.2
    rows = ConstrainedRows.of(read_specs(f"{metric} by g <= {limit}"), y, frame)

    def answer(multipliers):
        _, _, h = oracles.constrained_thresholds(x, y, rows.weights(multipliers))
        return fit(multipliers, rows.gaps(np.array(h)), [limit], np.mean(np.array(h) == y))

    first = answer(np.zeros(1))
    made, ending = ([], None) if first.is_met else drive(
        search_single(first, limit, tolerance=TOLERANCE, width=width), answer
    )  # fmt: skip
    fits = [first, *made]
    chosen = fits[choose_fit(fits)]
    sign = -math.copysign(1, first.gaps[0])
    below = [answer(np.array([sign * t])) for t in np.linspace(0, abs(chosen.multipliers[0]), 20)]
    if ending is None:
        assert chosen.is_met
        true = next(one for one in [*below, chosen] if one.is_met)
        assert chosen.accuracy >= true.accuracy - 1e-12, (seed, metric)
        too_small = abs(min((one.multipliers[0] for one in fits if one.is_met), key=abs)) - TOLERANCE
        assert too_small <= 0 or not answer(np.array([sign * (too_small - 1e-9)])).is_met, (seed, metric)
    else:
        # The gap jumps over what is allowed, so no multiplier does.
        assert not any(one.is_met for one in below), (seed, metric, ending)


def linear_world(J, levels, limits, parts):
    """Return a function that answers multipliers with metrics that answer to nets by J, and the first fit."""
    pairs = np.repeat(limits, [n * (n - 1) // 2 for n in parts])

    def answer(multipliers):
        nets = np.concatenate(nets_of(multipliers, parts))
        values = np.split(levels + J @ nets, np.cumsum(parts)[:-1])
        gaps = np.concatenate([[a - b for i, a in enumerate(part) for b in part[i + 1 :]] for part in values])
        return fit(multipliers, gaps, pairs, 0.9 - 0.1 * np.abs(nets).sum())

    return answer


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize(("parts", "seed"), [((3,), 0), ((3,), 1), ((2, 2), 2), ((2, 2), 3), ((5, 3), 4), ((30,), 5)])
def test_joint_steps_meet_many_constraints_in_few_fits(parts, seed, width):
    random = np.random.default_rng(seed)
    m = sum(parts)
    mixed = random.normal(size=(m, m)) * 0.15
    J = np.diag(random.uniform(0.5, 2, m)) + mixed @ mixed.T
    limits = np.full(len(parts), 0.03)
    answer = linear_world(J, random.normal(0, 0.15, m), limits, parts)
    first = answer(np.zeros(sum(n * (n - 1) // 2 for n in parts)))
    assert not first.is_met
    climb = Climb(first, parts, limits, np.full(m, 0.3), tolerance=1e-4, width=width)
    made, ending = drive(climb.search(100), answer)
    assert ending is None and any(one.is_met for one in made), (parts, seed)
    assert len(made) <= 25 * width


def test_a_climb_that_cannot_get_there_ends_and_says_so():
    limits = np.array([0.03, 0.03])

    def answer(multipliers):
        # Both metrics hang on one quantity, which they want on different sides.
        t = float(np.tanh(multipliers.sum()))
        return fit(multipliers, [t - 0.3, t + 0.3], limits)

    first = answer(np.zeros(2))
    made, ending = drive(Climb(first, (2, 2), limits, np.full(4, 0.5), tolerance=1e-3).search(10), answer)
    assert "search ended" in ending and len(made) < 300
    assert not any(one.is_met for one in made)


def test_a_joint_step_is_the_optimum_of_its_model():
    random = np.random.default_rng(0)
    parts = (3, 2)
    J = np.diag([1.0, 2.0, 0.5, 1.5, 1.0])
    levels = random.normal(0, 0.3, 5)
    limits = np.array([0.05, 0.1])
    best = joint_step(np.zeros(5), levels, J, limits, parts, np.full(5, 10.0))

    def cost(nets):
        return levels @ nets + nets @ J @ nets / 2 + np.repeat(limits / 2, parts) @ np.abs(nets)

    for _ in range(300):
        other = best + center(random.normal(0, 10.0 ** random.uniform(-4, 0), 5), parts)
        assert cost(best) <= cost(other) + 1e-9
    np.testing.assert_allclose([best[:3].sum(), best[3:].sum()], 0, atol=1e-9)
    assert np.abs(joint_step(np.zeros(5), levels, J, limits, parts, np.full(5, 0.01))).max() <= 0.01 + 1e-9


def test_the_answer_learns_what_it_saw():
    answer = MetricResponse((2, 2), np.array([0.6, 0.4, 0.5, 0.5]))
    step, change = np.array([0.1, -0.1, 0.05, -0.05]), np.array([0.06, -0.06, 0.01, -0.01])
    answer.learn(step, change)
    shown = answer.matrix @ step
    # Only differences between the groups of a specification matter.
    np.testing.assert_allclose([shown[0] - shown[1], shown[2] - shown[3]], [0.12, 0.02], rtol=0.1)
    answer.learn(step, -change)
    assert len(answer.steps) == 1, "metrics that go against the multipliers say nothing"
    assert np.linalg.eigvalsh(answer.matrix)[0] > 0


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_multipliers_and_nets_say_the_same(seed):
    random = np.random.default_rng(seed)
    parts = tuple(random.integers(2, 7, size=random.integers(1, 4)))
    multipliers = random.normal(size=sum(n * (n - 1) // 2 for n in parts))
    nets = nets_of(multipliers, parts)
    fewest = multipliers_of(nets)
    np.testing.assert_allclose(np.concatenate(nets_of(fewest, parts)), np.concatenate(nets), atol=1e-9)
    assert (np.abs(fewest) > 1e-9).sum() <= sum(n - 1 for n in parts)
    assert np.abs(fewest).sum() == pytest.approx(sum(np.abs(part).sum() for part in nets) / 2)


def test_levels_are_gaps_to_the_first_group():
    values = [np.array([0.2, 0.5, 0.1]), np.array([0.3, 0.9])]
    gaps = np.concatenate([[a - b for i, a in enumerate(part) for b in part[i + 1 :]] for part in values])
    for part, levels in zip(values, levels_of(gaps, (3, 2)), strict=True):
        np.testing.assert_allclose(levels, part - part[0])


def test_the_most_accurate_fit_that_does_is_chosen_and_else_the_closest():
    limits = [0.1]
    fits = [fit([0], [0.4], limits, 0.9), fit([1], [0.1], limits, 0.7), fit([2], [0.05], limits, 0.7),
            fit([3], [0.01], limits, 0.6), fit([4], [math.nan], limits, 0.99)]  # fmt: skip
    assert [one.is_met for one in fits] == [False, True, True, True, False]
    assert choose_fit(fits) == 2
    assert choose_fit(fits, 5.0) == 0
    assert choose_fit(fits, 0.05) == 3
    assert frontier_of(fits) == (3, 2, 0, 4)
    assert frontier_of([]) == ()


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([0.3, 1.0, 2.5]))
def test_the_chosen_fit_is_never_beaten(seed, scale):
    random = np.random.default_rng(seed)
    fits = [fit([i], [random.integers(0, 6) / 10], [0.1], random.integers(0, 6) / 10) for i in range(12)]
    chosen = fits[choose_fit(fits, scale)]
    assert any(fits[i].ratio == chosen.ratio and fits[i].accuracy == chosen.accuracy for i in frontier_of(fits))
    for other in fits:
        assert not (other.ratio <= scale and chosen.ratio <= scale and other.accuracy > chosen.accuracy)
        assert not (chosen.ratio > scale and other.ratio < chosen.ratio)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(sorted(METRICS)))
def test_margins_say_how_a_metric_answers_to_one_more_right_prediction(seed, name):
    random = np.random.default_rng(seed)
    y, h = random.integers(0, 2, (2, 40))
    metric, margins = METRICS[name], METRICS[name].margins(y, h)
    for label in (0, 1):
        wrong = np.flatnonzero((y == label) & (h != label))
        if len(wrong):
            better = h.copy()
            better[wrong[0]] = label
            change = metric.value(y, better) - metric.value(y, h)
            assert margins[y == label] == pytest.approx(change, abs=0.02 if metric.needs_predictions else 1e-12)


def test_more_positive_predictions_that_are_as_often_right_do_not_lower_the_false_discovery_rate():
    y, h = np.repeat([0, 1, 0, 1], [10, 30, 100, 100]), np.repeat([1, 1, 0, 0], [10, 30, 100, 100])
    c, m = METRICS["fdr"].coefficients(y, h)[0], METRICS["fdr"].margins(y, h)
    # Ten more of 40 positive predictions, a quarter of them wrong.
    false, true = np.flatnonzero(y == 0)[0], np.flatnonzero(y == 1)[0]
    assert 7.5 * m[true] - 2.5 * m[false] == pytest.approx(0, abs=0.01)
    assert 7.5 * c[true] - 2.5 * c[false] < -0.15


@pytest.mark.parametrize("seed", range(5))
def test_flattest_directions_do_not_depend_on_how_a_processor_adds_up(seed):
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(2, 6))
    J = np.eye(6) + steps.T @ steps
    directions = flattest_directions(J)
    noise = 1e-14 * rng.normal(size=(6, 6))
    # Four directions are as flat as one another, of which a processor may return any basis.
    assert flattest_directions(J + noise + noise.T) == pytest.approx(directions, abs=1e-6)
    flat = directions[:4]
    assert steps @ flat.T == pytest.approx(0, abs=1e-9) and np.linalg.matrix_rank(flat, tol=1e-6) == 4
