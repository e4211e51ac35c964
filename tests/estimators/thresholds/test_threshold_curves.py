from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import seeds

from fairaudit.errors import GroupError, InputError
from fairaudit.estimators.thresholds import OperatingPoints, ThresholdProblem
from fairaudit.estimators.thresholds.search import nearest_indices


def choices(y, scores):
    """Return, for each threshold of one group, right predictions, TPR and FPR, counted row by row."""
    found = []
    for threshold in [np.inf, *sorted(set(scores), reverse=True)]:
        h = [int(s >= threshold) for s in scores]
        pairs = list(zip(y, h, strict=True))
        tpr = pairs.count((1, 1)) / list(y).count(1)
        found.append((sum(a == b for a, b in pairs), tpr, pairs.count((0, 1)) / list(y).count(0)))
    return found


def best_by_enumeration(y, scores, groups, reference, weight):
    """Return objective and gap of the best of all combinations of thresholds; of equally good ones the least gap."""
    options = []
    for name in sorted(set(groups)):
        rows = [i for i, g in enumerate(groups) if g == name]
        options.append(choices([y[i] for i in rows], [scores[i] for i in rows]))
    best = None
    for combination in itertools.product(*options):
        accuracy = sum(correct for correct, _, _ in combination) / len(y)
        _, tpr, fpr = combination[reference]
        gap = sum(abs(tpr - t) + abs(fpr - f) for _, t, f in combination)
        key = (round(accuracy - weight * gap, 10), -round(gap, 10))
        best = key if best is None or key > best else best
    return best[0], -best[1]


def instance(seed):
    """Return a small random problem with 2 to 4 groups, tied scores, and groups of as few as 2 rows."""
    random = np.random.default_rng(seed)
    k = int(random.integers(2, 5))
    n = int(random.integers(2 * k, 26 if k == 4 else 40))
    groups = np.array(list("abcd"))[np.append(np.repeat(np.arange(k), 2), random.integers(0, k, n - 2 * k))]
    y = np.append(np.tile([0, 1], k), random.integers(0, 2, n - 2 * k))
    scores = random.random(n).round(int(random.integers(1, 3)))
    return y.tolist(), scores.tolist(), groups.tolist(), float(random.choice([0, 0.05, 0.3, 1, 4]))


@pytest.mark.parametrize("seed", seeds(200, usual=40))
def test_the_exact_optimum_matches_enumeration(seed):
    y, scores, groups, weight = instance(seed)
    problem = ThresholdProblem.from_rows(y, scores, groups)
    best = problem.best(weight)
    expected = best_by_enumeration(y, scores, groups, problem.reference, weight)
    got = (best.objective(weight), best.gap)
    assert got == pytest.approx(expected, abs=1e-9), f"seed {seed}, weight {weight}: {y} {scores} {groups}"


@pytest.mark.parametrize("seed", range(20))
def test_an_outcome_is_what_its_thresholds_do_row_by_row(seed):
    y, scores, groups, weight = instance(seed)
    best = ThresholdProblem.from_rows(y, scores, groups).best(weight)
    h = np.array([s >= best.by_group[g] for s, g in zip(scores, groups, strict=True)])
    assert best.accuracy == np.mean(h == np.array(y))
    for k, name in enumerate(best.groups):
        mine = np.array(groups) == name
        assert best.tpr[k] == h[mine & (np.array(y) == 1)].mean()
        assert best.fpr[k] == h[mine & (np.array(y) == 0)].mean()
        assert best.selection[k] == h[mine].mean()


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_point_is_the_nearest(seed):
    y, scores, groups, _ = instance(seed)
    a, b = ThresholdProblem.from_rows(y, scores, groups).points[:2]
    distance = np.abs(a.tpr[:, None] - b.tpr) + np.abs(a.fpr[:, None] - b.fpr)
    assert (distance[np.arange(len(a.tp)), nearest_indices(a, b)] <= distance.min(axis=1) + 1e-12).all()


rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(0, 2)), max_size=24)
FIXED = [(label, 3 * label, group) for label in (0, 1) for group in (0, 1, 2)]


@given(rows, st.permutations(range(30)), st.sampled_from([0.0, 0.2, 1.0]))
def test_the_order_of_rows_does_not_matter(extra, order, weight):
    table = np.array([*FIXED, *extra])
    shuffled = table[[i for i in order if i < len(table)]]
    first, second = (ThresholdProblem.from_rows(t[:, 0], t[:, 1], t[:, 2]).best(weight) for t in (table, shuffled))
    assert first == second


@given(rows, st.sampled_from([0.0, 0.2, 1.0]))
def test_names_of_groups_do_not_matter(extra, weight):
    table = np.array([*FIXED, *extra, (1, 5, 1)])
    sizes = np.bincount(table[:, 2])
    table = np.vstack([table, [(0, 2, 1)] * int(sizes.max() - sizes[1] + 1)])  # the second is the largest
    renamed = np.array(["z", "m", "a"])[table[:, 2]]
    first = ThresholdProblem.from_rows(table[:, 0], table[:, 1], table[:, 2]).best(weight)
    second = ThresholdProblem.from_rows(table[:, 0], table[:, 1], renamed).best(weight)
    assert (first.objective(weight), first.gap) == pytest.approx((second.objective(weight), second.gap))


@given(rows, st.floats(0, 3), st.floats(0, 3))
def test_a_higher_weight_never_widens_the_gap(extra, one, other):
    table = np.array([*FIXED, *extra])
    problem = ThresholdProblem.from_rows(table[:, 0], table[:, 1], table[:, 2])
    low, high = problem.best(min(one, other)), problem.best(max(one, other))
    assert high.gap <= low.gap + 1e-9 or abs(one - other) < 1e-6


def test_one_group_gets_its_most_accurate_threshold():
    problem = ThresholdProblem.from_rows([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9], None)
    assert problem.best(1.0).thresholds == (0.9,)
    assert problem.best(1.0).accuracy == 0.75 and problem.best(1.0).gap == 0
    assert problem.at([0.5]).selection == (0.5,)


@pytest.mark.parametrize("n, n_groups", [(10_000, 2), (100_000, 50)])
def test_the_exact_optimum_takes_less_than_a_second(n, n_groups):
    random = np.random.default_rng(0)
    scores = random.random(n)
    problem = ThresholdProblem.from_rows(random.random(n) < scores, scores, random.integers(0, n_groups, n))
    start = time.perf_counter()
    assert problem.best(1.0).gap < 0.05
    assert time.perf_counter() - start < 1


def test_any_threshold_can_be_asked_for():
    problem = ThresholdProblem.from_rows([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9], list("aabb"))
    assert problem.at({"b": 0.95, "a": -3}).selection == (1.0, 0.0)
    assert problem.at([0.4, 0.5]).selection == (0.5, 1.0)
    assert problem.at([0.4, 0.5]).objective(0.5) == 0.75 - 0.5 * 1
    assert problem.at([0.4, 0.5]).thresholds == (0.4, 0.5)


def test_nobody_is_selected_above_all_scores_and_everybody_at_the_lowest():
    points = OperatingPoints.of([0, 1, 1], [-2.0, -1.0, 3.0])
    assert np.isfinite(points.thresholds).all() and points.thresholds[0] > 3.0
    assert points.selection[[0, -1]].tolist() == [0.0, 1.0]
    assert [points.index_of(t) for t in points.thresholds] == [0, 1, 2, 3]


def test_the_sweep_and_the_curves_for_drawing():
    random = np.random.default_rng(0)
    y, scores, groups = random.integers(0, 2, 3000), random.random(3000), random.integers(0, 2, 3000)
    problem = ThresholdProblem.from_rows(y, scores, groups)
    sweep = problem.sweep([0, 0.1, 1])
    assert list(sweep.columns) == ["fairness_weight", "accuracy", "gap"]
    assert sweep["gap"].is_monotonic_decreasing and sweep["accuracy"].is_monotonic_decreasing
    roc = problem.roc(max_points=50)
    assert list(roc.columns) == ["group", "threshold", "fpr", "tpr"]
    for _, curve in roc.groupby("group"):
        assert 10 < len(curve) <= 50
        assert curve[["fpr", "tpr"]].iloc[[0, -1]].to_numpy().tolist() == [[0, 0], [1, 1]]
        assert curve["tpr"].is_monotonic_increasing and curve["threshold"].is_monotonic_decreasing


def test_a_group_without_both_labels_is_named_with_its_counts():
    with pytest.raises(GroupError, match=r"'b' has 0 positive and 2 negative labels.*\n.*Merge the group") as caught:
        ThresholdProblem.from_rows([0, 1, 0, 0], [0.1, 0.2, 0.3, 0.4], list("aabb"))
    assert "2" not in caught.value.uncounted


@pytest.mark.parametrize(
    "y, scores, message",
    [
        ([0, 1], [0.1, np.nan], "'scores' must be finite numbers, got 1"),
        ([0, 1], [[0.1], [0.2]], "'scores' must have one dimension"),
        ([], [], "at least one row"),
        ([0, 2], [0.1, 0.2], "'y' must be true or false"),
        ([0, 1, 1], [0.1, 0.2], "'y' must have one value for each of the 2 rows"),
    ],
)
def test_rows_that_cannot_be_used_are_named(y, scores, message):
    with pytest.raises(InputError, match=message):
        ThresholdProblem.from_rows(y, scores, None)


def test_thresholds_that_do_not_fit_are_named():
    problem = ThresholdProblem.from_rows([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9], list("aabb"))
    with pytest.raises(InputError, match="names the group 'c', but there are 'a', 'b'"):
        problem.at({"a": 0.5, "b": 0.5, "c": 0.5})
    with pytest.raises(InputError, match="has none for 'b'"):
        problem.at({"a": 0.5})
    for wrong in ([0.5], [0.5, np.nan], [0.5, 0.5, 0.5]):
        with pytest.raises(InputError, match="one finite number for each of 2 groups"):
            problem.at(wrong)
    for weight in (-1, np.nan, np.inf):
        with pytest.raises(InputError, match="'fairness_weight' must be a number of at least 0"):
            problem.best(weight)
