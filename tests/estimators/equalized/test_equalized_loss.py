from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize

from fairaudit.errors import GroupError
from fairaudit.estimators.equalized import loss as loss_module
from fairaudit.estimators.equalized.loss import (
    COLLAPSED,
    DISTANCES,
    RANKS_FACTOR,
    ROWS_A_BLOCK,
    DistributionLoss,
    gaussians,
    log_loss,
)


def rows(n=60, n_groups=2, n_features=3, seed=0):
    """Rows in which every group has both labels."""
    random = np.random.default_rng(seed)
    codes = random.permutation(np.arange(n) % n_groups)
    y = np.zeros(n, dtype=np.int64)
    for group in range(n_groups):
        place = np.flatnonzero(codes == group)
        y[place[: max(1, int(len(place) * random.uniform(0.2, 0.8)))]] = 1
    return random.normal(size=(n, n_features)), y, codes


def loss_of(X, y, codes, *, accuracy_weight=0.3, distance="histogram", **settings):
    names = [f"group {k}" for k in range(codes.max() + 1)]
    return DistributionLoss.of(X, y, codes, names, accuracy_weight=accuracy_weight, distance=distance, **settings)


def by_loops(X, y, codes, weights, *, accuracy_weight, bin_width, smoothing):
    """The loss written out from the formulas, one row and one bin at a time."""
    n_bins = round(1 / bin_width)
    centres = [(c + 0.5) * bin_width for c in range(n_bins)]
    scores = [1 / (1 + math.exp(-(sum(w * x for w, x in zip(weights, row, strict=False)) + weights[-1]))) for row in X]
    e_a = -sum(math.log(p) if label else math.log(1 - p) for p, label in zip(scores, y, strict=True)) / len(y)

    def histogram(group, label):
        own = [p for p, g, t in zip(scores, codes, y, strict=True) if g == group and t == label]
        return [sum(math.exp(-((p - c) ** 2) / (2 * smoothing**2)) for p in own) / len(own) for c in centres]

    e_f = 0.0
    for label in (0, 1):
        first = histogram(0, label)
        for group in range(1, max(codes) + 1):
            e_f += sum((a - b) ** 2 for a, b in zip(first, histogram(group, label), strict=True))
    return accuracy_weight * e_a + (1 - accuracy_weight) * e_f


@pytest.mark.parametrize("n_groups", [1, 2, 3, 5])
@pytest.mark.parametrize(
    ("accuracy_weight", "bin_width", "smoothing"),
    [(0.0, 0.02, 0.02), (0.15, 0.1, 0.03), (0.7, 0.02, 0.2), (1.0, 0.05, 0.05)],
)
def test_loss_matches_the_formulas_written_out(n_groups, accuracy_weight, bin_width, smoothing):
    for seed in range(5):
        X, y, codes = rows(40, n_groups, seed=seed)
        weights = np.random.default_rng(seed).normal(size=4)
        given_settings = {"accuracy_weight": accuracy_weight, "bin_width": bin_width, "smoothing": smoothing}
        expected = by_loops(X, y, codes, weights, **given_settings)
        found = loss_of(X, y, codes, **given_settings).value(weights)
        assert found == pytest.approx(expected, rel=1e-10, abs=1e-14), (seed, found, expected)


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "made twice"])
@pytest.mark.parametrize("n_groups", [1, 2, 4])
@pytest.mark.parametrize("smoothing", [0.01, 0.02, 0.2])
@pytest.mark.parametrize("accuracy_weight", [0.0, 0.15, 1.0])
@pytest.mark.parametrize("distance", DISTANCES)
def test_gradient_matches_finite_differences(monkeypatch, distance, kept, n_groups, smoothing, accuracy_weight):
    monkeypatch.setattr(loss_module, "MAX_KEPT", loss_module.MAX_KEPT if kept else 0)
    X, y, codes = rows(80, n_groups)
    loss = loss_of(X, y, codes, accuracy_weight=accuracy_weight, distance=distance, smoothing=smoothing)
    weights = np.array([0.8, -0.5, 0.2, 0.1])
    step = 1e-6
    central = [
        (loss.value(weights + step * unit) - loss.value(weights - step * unit)) / (2 * step) for unit in np.eye(4)
    ]
    _, gradient = loss.value_and_gradient(weights)
    assert np.allclose(gradient, central, rtol=1e-6, atol=1e-9), (gradient, central)


def test_derivative_by_the_scores_matches_finite_differences():
    X, y, codes = rows(30, 3)
    loss = loss_of(X, y, codes)
    p = np.random.default_rng(1).uniform(0.05, 0.95, 30)
    expected = approx_fprime(p, lambda q: loss.unlikeness(q)[0], 1e-7)
    assert np.allclose(loss.unlikeness(p)[1], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("distance", DISTANCES)
def test_blocks_of_rows_do_not_change_the_result(monkeypatch, distance):
    X, y, codes = rows(3 * ROWS_A_BLOCK + 7, 2)
    weights = np.array([0.8, -0.5, 0.2, 0.1])
    value, gradient = loss_of(X, y, codes, distance=distance).value_and_gradient(weights)
    monkeypatch.setattr(loss_module, "MAX_KEPT", 0)
    again, same = loss_of(X, y, codes, distance=distance).value_and_gradient(weights)
    assert again == pytest.approx(value, rel=1e-12) and np.allclose(same, gradient, rtol=1e-10)


@pytest.mark.parametrize("distance", DISTANCES)
def test_distributions_that_are_the_same_are_not_apart(distance):
    X, y, _ = rows(30, 1)
    X, y, codes = np.tile(X, (3, 1)), np.tile(y, 3), np.repeat([0, 1, 2], 30)
    loss = loss_of(X, y, codes, accuracy_weight=0.0, distance=distance)
    for weights in np.random.default_rng(0).normal(size=(5, 4)):
        assert loss.value(weights) == pytest.approx(0, abs=1e-20)
    moved = X.copy()
    moved[(codes == 2) & (y == 1)] += 0.5
    assert loss_of(moved, y, codes, accuracy_weight=0.0, distance=distance).value(weights) > 1e-4


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_constant_score_has_no_distance_and_no_slope_of_it(distance):
    X, y, codes = rows()
    value, gradient = loss_of(X, y, codes, accuracy_weight=0.0, distance=distance).value_and_gradient(np.zeros(4))
    assert value < 1e-25 and np.abs(gradient).max() < 1e-12


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4), st.sampled_from(sorted(DISTANCES)))
def test_the_order_of_rows_and_of_the_other_groups_does_not_matter(seed, n_groups, distance):
    X, y, codes = rows(50, n_groups, seed=seed)
    random = np.random.default_rng(seed)
    weights = random.normal(size=4)
    value, gradient = loss_of(X, y, codes, distance=distance).value_and_gradient(weights)
    order = random.permutation(len(y))
    others = np.append(0, 1 + random.permutation(n_groups - 1))
    again, same = loss_of(X[order], y[order], others[codes][order], distance=distance).value_and_gradient(weights)
    assert again == pytest.approx(value, rel=1e-12)
    assert np.allclose(same, gradient, rtol=1e-9, atol=1e-12)


def test_which_group_is_first_matters_to_histograms_from_three_groups_on():
    weights = np.array([0.8, -0.5, 0.2, 0.1])
    X, y, codes = rows(60, 2)
    assert loss_of(X, y, 1 - codes).value(weights) == pytest.approx(loss_of(X, y, codes).value(weights), rel=1e-12)
    X, y, codes = rows(60, 3)
    turned = (codes + 1) % 3
    assert abs(loss_of(X, y, turned).value(weights) - loss_of(X, y, codes).value(weights)) > 1e-4
    ranks = [loss_of(X, y, given_codes, distance="ranks").value(weights) for given_codes in (codes, turned)]
    assert ranks[0] == pytest.approx(ranks[1], rel=1e-12)


def ranks_alone(X, y, codes, weights, **settings):
    return loss_of(X, y, codes, accuracy_weight=0.0, distance="ranks", **settings).value(weights)


@pytest.mark.parametrize("n_groups", [2, 3])
def test_ranks_are_the_mean_squared_gap_over_the_thresholds(n_groups):
    """Counted at the score of each row, half of the rows there being above; smooth bins come near it."""
    X, y, codes = rows(900, n_groups)
    weights = np.array([0.8, -0.5, 0.2, 0.1])
    z = X @ weights[:-1]
    expected = 0.0
    for label in (0, 1):
        below = [
            np.array([np.mean((own < c) + 0.5 * (own == c)) for c in z])
            for own in (z[(codes == group) & (y == label)] for group in range(n_groups))
        ]
        expected += np.mean([(a - b) ** 2 for a, b in combinations(below, 2)])
    assert ranks_alone(X, y, codes, weights, bin_width=0.002) == pytest.approx(RANKS_FACTOR * expected, rel=0.02)
    assert ranks_alone(X, y, codes, weights) == pytest.approx(RANKS_FACTOR * expected, rel=0.25)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1e-6, 0.01, -1.0, 30.0, 1e6]), st.floats(-5, 5))
def test_ranks_do_not_reward_scores_that_shrink(seed, scale, shift):
    X, y, codes = rows(60, 3, seed=seed)
    weights = np.random.default_rng(seed).normal(size=4)
    moved = scale * weights
    moved[-1] += scale * shift
    assert ranks_alone(X, y, codes, moved) == pytest.approx(ranks_alone(X, y, codes, weights), rel=1e-3)
    # the histograms do
    small = loss_of(X, y, codes, accuracy_weight=0.0).value(1e-6 * weights)
    assert small < 1e-6 < loss_of(X, y, codes, accuracy_weight=0.0).value(weights)


def test_the_first_weights_of_ranks_are_near_plain_logistic_regression():
    X, y, codes = rows(600, seed=2)
    y = (X @ [0.8, -0.5, 0.2] + np.random.default_rng(3).logistic(size=600) > 0).astype(np.int64)
    loss = loss_of(X, y, codes, accuracy_weight=1.0, distance="ranks")
    start = loss.least_squares()
    z = loss.X @ start
    expected = np.polynomial.Polynomial.fit(z, 4 * loss.y - 2, 1).convert().coef
    assert expected == pytest.approx([0, 1], abs=1e-9)
    best = minimize(loss.value_and_gradient, np.zeros(4), jac=True).fun
    assert loss.value(start) < best + 0.1 * (math.log(2) - best)


def test_scores_have_collapsed_where_they_are_spread_far_less_than_a_line_of_least_squares():
    X, y, codes = rows(200, seed=4)
    loss = loss_of(X, y, codes)
    plain = loss.least_squares()
    line = np.column_stack([X, np.ones(200)])
    fitted = line @ np.linalg.lstsq(line, y)[0]
    for share in (0.9, 0.3, 0.2, 0.01):
        spread = (1 / (1 + np.exp(-loss.X @ (share * plain)))).std() / fitted.std()
        assert loss.has_collapsed(share * plain) == (spread < COLLAPSED), (share, spread)
    assert loss.has_collapsed(0 * plain) and not loss.has_collapsed(plain)
    alike = loss_of(np.ones((200, 1)), y, codes)
    assert not alike.has_collapsed(np.zeros(2))


def test_whitening_changes_the_coordinates_only():
    X, y, codes = rows()
    X = np.column_stack([X * [1e2, 1.0, 1e-2], X[:, 0] - X[:, 1], np.zeros(len(y))])  # two directions too many
    loss = loss_of(X, y, codes)
    turned, turn = loss.whitened()
    assert turn.shape == (6, 4)
    assert np.allclose(turned.X.T @ turned.X / len(y), np.eye(4), atol=1e-6)
    v = np.random.default_rng(0).normal(size=4)
    assert turned.value(v) == pytest.approx(loss.value(turn @ v), rel=1e-9)


def test_scores_at_the_ends_do_not_overflow():
    X, y, codes = rows()
    for smoothing, distance in product((1e-3, 0.02, 10.0), DISTANCES):
        loss = loss_of(1e6 * X, y, codes, distance=distance, smoothing=smoothing)
        value, gradient = loss.value_and_gradient(np.full(4, 1e3))
        assert np.isfinite(value) and np.isfinite(gradient).all()


def test_each_score_counts_in_the_bins_by_a_gaussian():
    centres = np.arange(0.01, 1, 0.02)
    p = np.array([0.2, 0.2, 0.9])
    expected = [[math.exp(-((score - c) ** 2) / (2 * 0.02**2)) for c in centres] for score in (0.2, 0.2, 0.9)]
    assert np.allclose(gaussians(p, centres, 0.02), expected)
    assert np.allclose(gaussians(np.full(3, 0.01), centres, 0.02)[:, 0], 1)


def test_bins_are_those_of_the_paper():
    centres = loss_of(*rows()).centres
    assert len(centres) == 50 and np.allclose(centres[[0, 1, -1]], [0.01, 0.03, 0.99])


def test_log_loss_is_the_mean_and_stays_finite():
    assert log_loss(np.array([0.0, 0.0]), np.array([0.0, 1.0])) == pytest.approx(math.log(2))
    assert log_loss(np.array([800.0, -800.0]), np.array([1.0, 0.0])) == pytest.approx(0)
    assert log_loss(np.array([-800.0]), np.array([1.0])) == pytest.approx(800)


def test_a_group_that_lacks_a_label_is_named_with_counts():
    X = np.zeros((6, 1))
    with pytest.raises(GroupError, match=r"The group 'blue' has 0 positive and 2 negative labels.*\n.*Merge") as caught:
        DistributionLoss.of(
            X,
            np.array([0, 1, 1, 0, 0, 0]),
            np.array([0, 0, 0, 0, 1, 1]),
            ["amber", "blue"],
            accuracy_weight=0.5,
            distance="ranks",
        )
    assert caught.value.uncounted == (
        "The group 'blue' has no positive label among the rows that the model learns from."
    )
    y, codes = np.array([0, 1, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 2, 2])
    with pytest.raises(GroupError, match=r"'b' has 2 positive and 0 negative.* 1 more of 3 groups"):
        DistributionLoss.of(X, y, codes, ["a", "b", "c"], accuracy_weight=0.5, distance="ranks")
