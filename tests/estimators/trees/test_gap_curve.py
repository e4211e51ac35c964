"""The smallest gap for accuracy lost, beside all trees of small tables."""

import numpy as np
import pytest
from every_tree import drawn_rows, losses_and_gaps
from sweeps import seeds

from fairaudit.estimators.gap_points import losses_of_curve
from fairaudit.estimators.trees.frontier import gap_curve
from fairaudit.estimators.trees.frontier.gap_curve import GapCurve, iter_gap_curve
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, parity_limit
from fairaudit.events import STOP, Incumbent
from fairaudit.work import Budget

CONSTRAINTS = ("demographic_parity", "equal_opportunity", "equalized_odds")


def run(problem, max_loss, work=60.0, answer=None):
    """Run a search to its end."""
    events, shown = iter_gap_curve(problem, max_loss, budget=Budget(work)), []
    try:
        event = next(events)
        while True:
            shown += [event.figures] if isinstance(event, Incumbent) else []
            event = events.send(answer)
    except StopIteration as end:
        return end.value, shown


def drawn(seed, depth, n_splits):
    """Draw a small table, what must be alike, the least rows of a leaf, and how much accuracy may be lost."""
    rng = np.random.default_rng(seed)
    rows = drawn_rows(rng, int(rng.integers(30, 200)), n_splits, int(rng.integers(2, 4)))
    constraint = CONSTRAINTS[seed % len(CONSTRAINTS)]
    least = int(rng.choice([1, 1, 4]))
    problem = TreeProblem(rows, max_depth=depth, limit=parity_limit(rows, constraint, 1.0), min_leaf_size=least)
    return problem, constraint, float(rng.choice([0.0, 0.02, 0.05, 0.1]))


def smallest(losses, gaps, lost):
    """Return the smallest gap of the trees that lose no more than this against the best."""
    return gaps[losses <= losses.min() + lost + 1e-9].min()


@pytest.mark.parametrize(("depth", "n_splits"), [(1, 5), (2, 4), (3, 3)])
@pytest.mark.parametrize("seed", seeds(24, 6, rest="thorough"))
def test_the_curve_is_that_of_all_trees(seed, depth, n_splits):
    problem, constraint, max_loss = drawn(seed, depth, n_splits)
    losses, gaps = losses_and_gaps(problem.rows, depth, constraint, problem.min_leaf_size)
    end, shown = run(problem, max_loss)
    assert end.least_loss == pytest.approx(losses.min(), abs=1e-9)
    assert end.found.status == "optimal"
    assert end.found.objective == pytest.approx(smallest(losses, gaps, max_loss), abs=1e-9)
    assert all(figures["bound"] <= end.found.objective + 1e-9 for figures in shown)
    for point in end.curve:
        least = smallest(losses, gaps, point.lost)
        assert point.bound <= least + 1e-9
        assert least - 1e-9 <= point.gap <= point.bound + gap_curve.NEARLY_CLOSED
    h = end.found.shape.predict(problem.rows.holds)
    assert problem.loss(h) <= losses.min() + max_loss + 2e-9
    assert problem.limit.worst(h) == pytest.approx(end.found.objective, abs=1e-9)


@pytest.mark.parametrize("seed", seeds(12, 3, rest="thorough"))
def test_where_conjunctions_are_too_many_halvings_bound_the_gap(seed, monkeypatch):
    monkeypatch.setattr(gap_curve, "can_be_summed", lambda terms, n_splits, seconds: False)
    problem, constraint, max_loss = drawn(seed, 2, 4)
    losses, gaps = losses_and_gaps(problem.rows, 2, constraint, problem.min_leaf_size)
    end, _ = run(problem, max_loss)
    least = smallest(losses, gaps, max_loss)
    assert end.found.bound <= least + 1e-9
    assert least - 1e-9 <= end.found.objective <= least + smallest(losses, gaps, 0.0) / 2**8 + gap_curve.NEARLY_CLOSED
    assert all(point.bound <= smallest(losses, gaps, point.lost) + 1e-9 for point in end.curve)


@pytest.mark.parametrize("seed", range(4))
def test_weights_of_rows_that_are_no_counts_change_nothing_but_the_figures(seed):
    rng = np.random.default_rng(seed)
    holds = rng.random((60, 4)) < 0.5
    groups = rng.integers(0, 2, 60)
    targets = (holds[:, 0] + 0.5 * groups + rng.normal(size=60) > 0.7).astype(float)
    weights = rng.uniform(0.5, 1.5, 60)
    rows = TreeRows.merge(holds, groups, targets, ("a", "b"), weights=weights * 60 / weights.sum())
    problem = TreeProblem(rows, max_depth=2, limit=parity_limit(rows, "demographic_parity", 1.0))
    losses, gaps = losses_and_gaps(rows, 2, "demographic_parity")
    end, _ = run(problem, 0.05)
    assert end.found.objective == pytest.approx(smallest(losses, gaps, 0.05), abs=1e-8)
    assert end.found.status == "optimal"


def test_a_search_without_work_returns_a_tree_with_a_bound_that_holds():
    problem, constraint, _ = drawn(0, 2, 4)
    losses, gaps = losses_and_gaps(problem.rows, 2, constraint, problem.min_leaf_size)
    for work, answer in ((1e-4, None), (0.01, None), (60.0, STOP)):
        end, _ = run(problem, 0.02, work, answer)
        assert end.found.status in ("work_limit", "stopped")
        assert end.found.shape is not None
        assert end.found.bound <= smallest(losses, gaps, 0.02)


def test_of_one_group_or_no_split_the_gap_is_none():
    rng = np.random.default_rng(3)
    rows = drawn_rows(rng, 50, 3, 1)
    end, _ = run(TreeProblem(rows, max_depth=2, limit=parity_limit(rows, "demographic_parity", 1.0)), 0.01)
    assert (end.found.objective, end.found.bound, end.found.status) == (0.0, 0.0, "optimal")


def test_the_estimator_holds_the_curve_the_least_loss_and_a_tree_that_keeps_to_both():
    rng = np.random.default_rng(5)
    group = rng.choice(["a", "b"], 300)
    X = rng.integers(0, 4, (300, 3))
    y = X[:, 0] + X[:, 1] + (group == "a") + rng.normal(size=300) > 3.5
    model = OptimalTreeClassifier(2, constraint="demographic_parity", max_loss=0.04, time_limit=30)
    events = list(model.iter_fit(X, y, sensitive_features=group))
    free = OptimalTreeClassifier(2, time_limit=30).fit(X, y, sensitive_features=group)
    assert model.least_loss_ == pytest.approx(free.objective_, abs=1e-9)
    h = model.predict(X)
    assert (h != y).mean() <= model.least_loss_ + 0.04 + 1e-9
    assert abs(h[group == "a"].mean() - h[group == "b"].mean()) == pytest.approx(model.objective_, abs=1e-9)
    assert model.status_ == "optimal"
    asked = model.gap_curve_[np.isclose(model.gap_curve_["lost"], 0.04)]
    assert asked[["gap", "bound"]].to_numpy().tolist() == [[model.objective_, model.bound_]]
    shown = [event.figures["objective"] for event in events if isinstance(event, Incumbent)]
    assert shown == sorted(shown, reverse=True)
    assert shown[-1] == model.objective_
    assert not len(free.gap_curve_)
    assert np.isnan(free.least_loss_)


def test_an_estimator_stopped_at_once_keeps_a_leaf_and_a_bound_of_nothing():
    X = np.arange(40).reshape(-1, 1)
    model = OptimalTreeClassifier(2, constraint="demographic_parity", max_loss=0.1)
    events = model.iter_fit(X, X[:, 0] > 25, sensitive_features=X[:, 0] % 2)
    next(events)
    for _ in range(3):
        events.send(STOP)
    assert (model.status_, model.objective_, model.bound_) == ("stopped", 0.0, 0.0)


def test_gaps_and_bounds_never_rise_with_the_accuracy_that_may_be_lost():
    for seed in range(6):
        problem, _, _ = drawn(seed, 2, 5)
        end, _ = run(problem, 0.03)
        for less, more in zip(end.curve, end.curve[1:], strict=False):
            assert more.gap <= less.gap
            assert more.bound <= less.bound + 1e-12


def test_the_losses_of_a_curve_hold_the_one_that_was_asked_for_and_the_one_without_a_gap():
    assert losses_of_curve(0.0, 0.006).tolist() == [0.0, 0.0025, 0.005, 0.006]
    assert 0.05 in losses_of_curve(0.05, 0.02)


def test_a_curve_keeps_the_smallest_gap_and_of_equal_ones_the_most_accurate_tree():
    problem, _, _ = drawn(1, 2, 4)
    curve = GapCurve(problem, 0.05, Budget(1))
    curve.begin(0.1)
    curve.gaps[:] = 0.5
    losses, gaps = np.array([0.13, 0.12, 0.12, 0.5]), np.array([0.2, 0.2, 0.3, 0.0])
    rows = dict(curve.better(losses, gaps))
    assert rows[int(np.searchsorted(curve.losses, 0.12))] == 1
