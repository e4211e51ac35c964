"""The smallest gap of a rule set for accuracy lost, beside all rule sets of tiny problems."""

import numpy as np
import pytest
from every_rule import every_rule
from small_problems import all_outcomes
from sweeps import seeds

from fairaudit.errors import InputError
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.rules.problem import Problem, RuleRows
from fairaudit.estimators.rules.smallest_gap import iter_smallest_gap
from fairaudit.events import STOP
from fairaudit.work import Budget


def drawn(seed, fairness, objective):
    """Draw a problem with so few rules that all sets of them can be tried."""
    random = np.random.default_rng(seed)
    literals = random.random((80, 4)) < 0.5
    groups = random.integers(0, 2, 80)
    labels = (literals[:, 0] | (literals[:, 1] & literals[:, 2])) ^ (random.random(80) < 0.1 + 0.15 * groups)
    rows = RuleRows.merge(literals, labels, groups, ["a", "b"])
    return Problem(rows, max_complexity=6, fairness=fairness, objective=objective, max_rule_length=2)


def run(problem, max_loss, work=30.0, *, stopped=False):
    """Run a search to its end."""
    events = iter_smallest_gap(problem, max_loss, budget=Budget(work), pricing_limit=5, seed=0, stopped=stopped)
    try:
        while True:
            next(events)
    except StopIteration as end:
        return end.value


def losses_and_gaps(problem):
    """Return the loss, as a share of the rows, and the gap of all rule sets, as the integer program holds them."""
    outcomes = list(all_outcomes(problem, every_rule(problem)).values())
    losses = np.array([outcome.loss(problem) for outcome in outcomes]) / problem.rows.n_rows
    is_hamming = problem.objective == "hamming"
    return losses, np.array([outcome.proxy_gap if is_hamming else outcome.gap for outcome in outcomes])


@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
@pytest.mark.parametrize("fairness", ["demographic_parity", "equal_opportunity", "equalized_odds"])
@pytest.mark.parametrize("seed", seeds(4, 1, rest="thorough"))
def test_gaps_and_bounds_hold_beside_all_rule_sets(seed, fairness, objective):
    problem = drawn(seed, fairness, objective)
    losses, gaps = losses_and_gaps(problem)
    max_loss = (0.0, 0.025, 0.05, 0.1)[seed % 4]
    end = run(problem, max_loss)
    assert end.least_loss / problem.rows.n_rows == pytest.approx(losses.min())
    least = gaps[losses <= losses.min() + max_loss + 1e-9].min()
    assert end.status == "optimal"
    assert end.gap == pytest.approx(least, abs=1e-6)
    assert end.bound == pytest.approx(least, abs=1e-6)
    for point in end.curve:
        smallest = gaps[losses <= losses.min() + point.lost + 1e-9].min()
        assert point.bound - 1e-6 <= smallest <= point.gap + 1e-9
    outcome = end.found.chosen.outcome
    assert outcome.loss(problem) / problem.rows.n_rows <= losses.min() + max_loss + 1e-9


def test_a_search_that_is_stopped_at_once_keeps_a_bound_of_nothing():
    end = run(drawn(0, "demographic_parity", "hamming"), 0.02, stopped=True)
    assert (end.status, end.bound) == ("stopped", 0.0)


def test_the_classifier_holds_the_gap_the_bound_and_the_curve():
    random = np.random.default_rng(2)
    group = random.choice(["a", "b"], 200)
    X = random.integers(0, 3, (200, 3))
    y = X[:, 0] + X[:, 1] + (group == "a") + random.normal(scale=0.5, size=200) > 2.5
    model = RuleSetClassifier(6, fairness="demographic_parity", max_loss=0.05, max_rule_length=2, time_limit=30)
    model.fit(X, y, sensitive_features=group)
    h = model.predict(X)
    assert abs(h[group == "a"].mean() - h[group == "b"].mean()) == pytest.approx(model.fairness_gap_, abs=1e-9)
    assert model.bound_ <= model.objective_
    assert (h != y).mean() <= model.least_loss_ + 0.05 + 1e-9
    asked = model.gap_curve_[np.isclose(model.gap_curve_["lost"], 0.05)]
    assert asked[["gap", "bound"]].to_numpy().tolist() == [[model.objective_, model.bound_]]
    free = RuleSetClassifier(6, fairness=None, max_rule_length=2, time_limit=30).fit(X, y)
    assert np.isnan(free.least_loss_)
    assert not len(free.gap_curve_)


@pytest.mark.parametrize("settings", [{"fairness": None}, {"certify_fraction": 0.2}], ids=str)
def test_accuracy_can_be_given_up_for_a_gap_alone(settings):
    X = np.arange(20).reshape(-1, 1)
    with pytest.raises(InputError, match="'max_loss' makes a gap small"):
        RuleSetClassifier(max_loss=0.1, **settings).fit(X, X[:, 0] > 9, sensitive_features=X[:, 0] % 2)


def test_an_early_stop_keeps_a_rule_set():
    X = np.arange(40).reshape(-1, 1)
    model = RuleSetClassifier(max_loss=0.1, fairness="demographic_parity")
    events = model.iter_fit(X, X[:, 0] > 25, sensitive_features=X[:, 0] % 2)
    next(events)
    while True:
        try:
            events.send(STOP)
        except StopIteration:
            break
    assert model.status_ == "stopped"
