"""Who looks for rules, what no classifier can do, two limits at once, and the integer program as a file."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pyscipopt
import pytest
from test_rule_set_classifier import all_rules, best_by_brute_force, people

from fairaudit import RuleSetClassifier
from fairaudit.errors import InputError
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.problem import Problem, RuleRows, largest_gap, least_errors
from fairaudit.measure.limits import SLACK


def fitted(**asked):
    """Return rules that were fitted to two columns of 120 people."""
    X, y, group = people(120, n_groups=2)
    settings = {"fairness": "equal_opportunity", "max_difference": 0.08, "time_limit": 30, "random_state": 0} | asked
    model = RuleSetClassifier(5, binarizer=Binarizer(n_bins=3), **settings)
    return model.fit(X[["priors", "young"]], y, sensitive_features=group)


@pytest.mark.parametrize("method", ["search", "scip", "published"])
def test_each_search_finds_the_least_loss(method):
    model = fitted(method=method)
    best, _ = best_by_brute_force(model.problem_, all_rules(model.problem_.rows, model.problem_.longest))
    assert model.best_objective_ == pytest.approx(best)
    assert model.bound_ <= best


def test_rules_as_published_in_zero_one_loss_are_those_of_the_pool_of_the_other():
    model = fitted(method="published", objective="zero_one")
    problem = model.problem_
    best, _ = best_by_brute_force(problem, model.pool_)
    assert model.best_objective_ == pytest.approx(best)
    assert model.bound_ == model.errors_bound_ == least_errors_up(problem)
    assert len(model.notes_) == 1


def least_errors_up(problem):
    return float(np.ceil(least_errors(problem) - 1e-6))


@pytest.mark.parametrize("fairness", ["equal_opportunity", "equalized_odds", "demographic_parity", "error_rate", None])
@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
def test_no_classifier_of_the_literals_has_fewer_errors(fairness, objective):
    rng = np.random.default_rng(2)
    literals, labels, groups = rng.random((60, 3)) < 0.5, rng.random(60) < 0.5, rng.integers(0, 2, 60)
    rows = RuleRows.merge(literals, labels, groups, ["a", "b"])
    problem = Problem(rows, 15, fairness, 0.1, objective)
    _, pattern = np.unique(rows.literals, axis=0, return_inverse=True)
    fewest = np.inf
    for answers in itertools.product([False, True], repeat=int(pattern.max()) + 1):
        said = np.array(answers)[pattern.reshape(-1)]
        missed, hits = (
            np.bincount(rows.groups, rows.weights * wrong, 2).astype(int)
            for wrong in (rows.labels & ~said, ~rows.labels & said)
        )
        if largest_gap(problem.rates, missed, hits) <= 0.1 + SLACK:
            fewest = min(fewest, int(missed.sum() + hits.sum()))
    bound = least_errors(problem)
    assert bound <= fewest + 1e-6
    if objective == "zero_one":
        assert bound >= 0.8 * fewest


def test_two_limits_are_held_each_for_its_rate():
    X, y, group = people(400, n_groups=2)

    def gaps(**limits):
        model = RuleSetClassifier(6, time_limit=20, random_state=0, **limits).fit(X, y, sensitive_features=group)
        said = model.predict(X) == model.classes_[1]
        truth = np.asarray(y) == model.classes_[1]
        rates = [[said[(group == g) & (truth == label)].mean() for g in np.unique(group)] for label in (True, False)]
        return model, [max(each) - min(each) for each in rates]

    model, (fnr, fpr) = gaps(max_difference=0.3, max_fpr_difference=0.02)
    assert fnr <= 0.3 + SLACK and fpr <= 0.02 + SLACK
    assert model.fairness_gap_ == pytest.approx(max(fnr, fpr))
    same, _ = gaps(max_difference=0.05)
    again, _ = gaps(max_difference=0.05, max_fpr_difference=0.05)
    assert again.rule_set_ == same.rule_set_
    assert model.bound_ <= same.best_objective_ or fpr > 0.02


@pytest.mark.parametrize(
    "asked",
    [
        {"fairness": "equal_opportunity", "max_fpr_difference": 0.1},
        {"fairness": "equalized_odds", "max_fpr_difference": 0.0},
        {"fairness": "equalized_odds", "max_fpr_difference": 0.1, "max_loss": 0.1},
    ],
)
def test_a_second_limit_that_says_nothing_is_refused(asked):
    with pytest.raises(InputError, match="max_fpr_difference"):
        fitted(**asked)


@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
def test_a_file_holds_the_program_and_a_solution_that_another_reading_confirms(objective, tmp_path):
    model = fitted(objective=objective)
    assert model.is_confirmed() is True
    lp, solution = model.to_lp(tmp_path / "rules.lp")
    again = pyscipopt.Model()
    again.hideOutput()
    again.readProblem(str(lp))
    start = again.readSolFile(str(solution))
    assert again.checkSol(start, printreason=True, completely=True, original=True)
    assert again.getSolObjVal(start) == pytest.approx(model.objective_)
    again.optimize()
    assert again.getObjVal() == pytest.approx(model.best_objective_)
    assert model.rule_set_.words()[0] in lp.read_text()


@pytest.mark.thorough
@pytest.mark.parametrize("fairness", ["equal_opportunity", "equalized_odds"])
def test_errors_on_compas_are_near_what_no_classifier_is_below(fairness, shared_data):
    frame = pd.read_csv(shared_data("compas_fairml_5278.csv"))
    X = frame.drop(columns=["Two_yr_Recidivism", "African_American"])
    model = RuleSetClassifier(
        15, fairness=fairness, max_difference=0.025, objective="zero_one", time_limit=60, random_state=0
    )
    model.fit(X, frame["Two_yr_Recidivism"] == 1, sensitive_features=frame["African_American"])
    assert model.fairness_gap_ <= 0.025 + SLACK
    assert model.gap_ <= 0.1
