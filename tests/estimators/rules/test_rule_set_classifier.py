from __future__ import annotations

import itertools
import time

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks
from sweeps import part_of

from fairaudit.estimators.rules import search
from fairaudit.estimators.rules.binarizer import Binarizer, columns_that_reveal_groups
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.rules.problem import RATES, RuleColumns, outcome_of
from fairaudit.events import STOP, Finished, Incumbent, Progress, Started
from fairaudit.measure.grouping import group_rows, names_of_groups


@pytest.mark.thorough
@parametrize_with_checks([RuleSetClassifier(4, binarizer=Binarizer(n_bins=2), random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def people(n=300, seed=0, n_groups=2):
    """Return rows whose features and outcomes lie differently in the groups, with few different values."""
    random = np.random.default_rng(seed)
    group = random.integers(n_groups, size=n)
    X = pd.DataFrame(
        {
            "priors": np.minimum(random.poisson(1 + 0.7 * group), 4),
            "young": random.random(n) < 0.4,
            "area": random.choice(["east", "north"], n),
        }
    )
    odds = X["priors"] - 1.5 + X["young"] + random.normal(size=n)
    return X, np.where(odds > 0, "yes", "no"), pd.Series(np.array(list("abcd"))[group], name="group")


def true_gap(fairness, y, predicted, group):
    """Return the largest difference between groups in the rates that must be alike, from predictions alone."""
    shares = {
        "equalized_odds": [(y == "yes", predicted == "no"), (y == "no", predicted == "yes")],
        "equal_opportunity": [(y == "yes", predicted == "no")],
        "fpr": [(y == "no", predicted == "yes")],
        "demographic_parity": [(y == y, predicted == "yes")],
        "error_rate": [(y == y, predicted != y)],
    }[fairness]
    return max(np.ptp([wrong[base & (group == g)].mean() for g in np.unique(group)]) for base, wrong in shares)


def all_rules(rows, longest):
    """Return every rule up to a length that covers a cell."""
    rules = [rule for size in range(1, longest + 1) for rule in itertools.combinations(range(rows.n_literals), size)]
    columns = RuleColumns.of(rules, rows)
    return columns.take(np.flatnonzero(columns.covers.any(axis=1)))


def best_by_brute_force(problem, columns):
    """Return the least loss within the constraints of the master problem, and the fewest wrong rows by true rates."""
    best = fewest = np.inf
    for size in range(problem.max_complexity // 2 + 1):
        for places in itertools.combinations(range(len(columns)), size):
            if columns.costs[list(places)].sum() <= problem.max_complexity:
                outcome = outcome_of(problem, columns, places)
                if outcome.fits_master(problem):
                    best = min(best, outcome.loss(problem))
                if outcome.meets(problem):
                    fewest = min(fewest, outcome.errors)
    return best, fewest


def recomputed_loss(model, X, y):
    """Return the loss of the rules and their wrong rows, from what each rule and the model say of each row."""
    missed = (y == "yes") & (model.predict(X) == "no")
    covered = model.rule_set_.coverage(X)[y == "no"]
    once = covered.any(axis=1) if model.objective == "zero_one" else covered.sum(axis=1)
    return missed.sum() + once.sum(), (model.predict(X) != y).sum()


@pytest.mark.parametrize(
    ("fairness", "objective"),
    [
        pytest.param(*asked, marks=[pytest.mark.thorough] * (asked != ("fpr", "hamming")))
        for asked in itertools.product([*RATES, None], ["hamming", "zero_one"])
    ],
)
def test_the_optimum_over_all_rules_is_proven_and_is_that_of_brute_force(fairness, objective, monkeypatch):
    bounds, raise_bound = [], search._RuleSearch.raise_bound

    def noted(self, bound):
        raise_bound(self, bound)
        bounds.append(self.bound)

    # What is returned is cut off at the best solution, so that a bound above it would not be seen.
    monkeypatch.setattr(search._RuleSearch, "raise_bound", noted)
    X, y, group = people(120, n_groups=2)
    model = RuleSetClassifier(
        5,
        fairness=fairness,
        max_difference=0.08 if fairness != "error_rate" else 0.3,
        objective=objective,
        binarizer=Binarizer(n_bins=3),
        random_state=0,
    )
    model.fit(X[["priors", "young"]], y, sensitive_features=group)
    problem = model.problem_
    best, fewest = best_by_brute_force(problem, all_rules(problem.rows, problem.longest))
    assert model.best_objective_ == model.bound_ == pytest.approx(best)
    assert model.lp_bound_ <= best + 1e-6 and max(bounds) <= best
    assert (model.status_ == "optimal") == (model.gap_ == 0)
    assert model.errors_bound_ <= fewest <= model.errors_
    if objective == "zero_one" or fairness is None:
        assert model.status_ == "optimal" and model.objective_ == best


@pytest.mark.parametrize("objective", part_of(["hamming", "zero_one"], ["hamming"]))
@pytest.mark.parametrize("fairness", part_of([None, *RATES], [None, "fpr"]))
@pytest.mark.parametrize("seed", part_of(range(4), [1, 3]))
def test_objective_and_proof_are_about_the_rules_that_are_returned(seed, fairness, objective):
    X, y, group = people(seed=seed)
    model = RuleSetClassifier(8, fairness=fairness, max_difference=0.05, objective=objective, random_state=0)
    model.fit(X, y, sensitive_features=group)
    assert (model.objective_, model.errors_) == recomputed_loss(model, X, y)
    is_counted = model.loss_.fits_master(model.problem_)
    assert np.isnan(model.gap_) != is_counted
    if is_counted:
        assert model.gap_ == pytest.approx((model.objective_ - model.bound_) / model.objective_)
        assert model.objective_ >= model.bound_
    if model.status_ == "optimal":
        assert model.objective_ == model.bound_
    assert model.errors_bound_ <= model.errors_


def test_a_list_with_fewer_errors_than_the_best_solution_is_not_called_optimal():
    X, y, group = people(seed=1)
    model = RuleSetClassifier(8, fairness="fpr", max_difference=0.05, random_state=0)
    model.fit(X, y, sensitive_features=group)
    # Its false positives are within the limit, but not where a row counts once for each rule: the bound is not its own.
    assert model.objective_ < model.bound_ == model.best_objective_
    assert model.status_ == "gap" and np.isnan(model.gap_)
    tied = RuleSetClassifier(8, fairness="demographic_parity", max_difference=0.05, random_state=0)
    X, y, group = people(seed=0)
    assert tied.fit(X, y, sensitive_features=group).status_ == "optimal"


@pytest.mark.thorough
@pytest.mark.parametrize("fairness", [*RATES, None])
def test_what_is_shown_is_what_predictions_come_to(fairness):
    X, y, group = people(n_groups=3)
    model = RuleSetClassifier(8, fairness=fairness, max_difference=0.1, random_state=0)
    predicted = model.fit(X, y, sensitive_features=group).predict(X)
    assert set(predicted) <= {"yes", "no"}
    assert model.loss_.errors == (predicted != y).sum()
    assert model.loss_.complexity >= model.rule_set_.complexity
    if fairness is None:
        assert np.isnan(model.fairness_gap_)
    else:
        assert model.fairness_gap_ == pytest.approx(true_gap(fairness, y, predicted, group))
        assert model.fairness_gap_ <= model.problem_.max_difference + 1e-9
    assert (predicted == "yes").tolist() == (model.rule_set_.predict(X) == 1).tolist()
    assert model.bound_ <= model.best_objective_
    assert model.n_columns_ == len(model.pool_) and model.n_rounds_ == len(model.path_)


@pytest.mark.thorough
def test_a_tighter_constraint_or_less_complexity_costs_loss():
    X, y, group = people()
    losses = [
        RuleSetClassifier(8, max_difference=d, random_state=0).fit(X, y, sensitive_features=group).objective_
        for d in (0.0, 0.05, 1.0)
    ]
    assert losses == sorted(losses, reverse=True) and losses[0] > losses[-1]
    fewer = RuleSetClassifier(3, max_difference=1.0, random_state=0).fit(X, y, sensitive_features=group)
    assert fewer.rule_set_.complexity <= 3 and fewer.objective_ >= losses[-1]


def test_rules_are_no_longer_than_asked():
    X, y, _ = people()
    model = RuleSetClassifier(12, fairness=None, max_rule_length=1, random_state=0).fit(X, y)
    assert model.rule_set_.rules and max(map(len, model.rule_set_.rules)) == 1


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_rules_whatever_the_order_of_rows():
    X, y, group = people()
    first = RuleSetClassifier(8, random_state=3).fit(X, y, sensitive_features=group)
    again = clone(first).fit(X, y, sensitive_features=group)
    order = np.random.default_rng(1).permutation(len(y))
    shuffled = clone(first).fit(X.iloc[order], y[order], sensitive_features=group.iloc[order])
    assert first.rule_set_ == again.rule_set_
    assert first.objective_ == again.objective_ == shuffled.objective_


def test_columns_that_reveal_the_groups_are_left_out_unless_asked_for():
    X, y, group = people()
    y = np.where(group == "b", "yes", y)
    X = X.assign(code=np.where(group == "a", 7, 3), group=np.arange(len(y)) % 3)
    without = RuleSetClassifier(8, fairness=None, random_state=0).fit(X, y, sensitive_features=group)
    assert not {"code", "group"} & {literal.column for literal in without.literals_}
    assert any("'code', 'group'" in note for note in without.notes_)
    using = RuleSetClassifier(8, fairness=None, use_sensitive=True, random_state=0)
    using.fit(X, y, sensitive_features=group)
    assert "code" in using.rule_set_.columns
    assert using.objective_ < without.objective_


def test_groups_follow_from_finer_columns_and_from_each_feature_of_a_crossing_but_not_from_chance():
    random = np.random.default_rng(0)
    sex, race = random.choice(["f", "m"], 400), random.choice(["x", "y", "z"], 400)
    X = pd.DataFrame(
        {
            "district": np.char.add(race, random.choice(["1", "2"], 400)),
            "female": (sex == "f").astype(float),
            "row": np.arange(400),
            "age": random.integers(20, 60, 400),
        }
    )
    crossed = group_rows(pd.DataFrame({"sex": sex, "race": race}), 400)
    assert columns_that_reveal_groups(X, crossed) == ("district", "female")
    assert columns_that_reveal_groups(X, group_rows(None, 400)) == ()
    assert columns_that_reveal_groups(X.rename(columns={"age": "sex"}), crossed) == ("district", "female", "sex")
    assert names_of_groups(group_rows(["1", 1, None], 3)) == ("1", "1 (2)", "missing")


def test_rows_without_a_group_are_a_group_of_their_own():
    X, y, group = people()
    group = group.where(group == "a")
    model = RuleSetClassifier(8, fairness="demographic_parity", max_difference=0.05, random_state=0)
    model.fit(X, y, sensitive_features=group)
    assert model.problem_.rows.group_names == ("a", "missing")
    assert true_gap("demographic_parity", y, model.predict(X), group.fillna("missing")) <= 0.05


def test_events_say_what_can_be_drawn():
    X, y, group = people()
    events = list(RuleSetClassifier(8, random_state=0).iter_fit(X, y, sensitive_features=group))
    assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
    assert sum(isinstance(event, Started) for event in events) == 1
    steps = [event for event in events if isinstance(event, Progress)]
    assert {step.total for step in steps} == {events[0].total}
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    rounds = [event.figures for event in events if isinstance(event, Incumbent) and event.what == "round"]
    assert all(set(figures) == {"round", "columns", "lp", "bound", "incumbent"} for figures in rounds)
    model = events[-1].result
    assert [int(figures["columns"]) for figures in rounds] == [each.n_columns for each in model.path_]
    assert max(figures["bound"] for figures in rounds) <= model.objective_


@pytest.mark.parametrize("fairness", part_of([None, "equalized_odds", "error_rate"], ["error_rate"]))
def test_a_stop_at_any_event_keeps_the_best_so_far(fairness):
    X, y, group = people(150)
    model = RuleSetClassifier(8, fairness=fairness, max_difference=0.1, random_state=0)
    whole = sum(1 for _ in clone(model).iter_fit(X, y, sensitive_features=group))
    statuses = set()
    for stop_at in range(1, whole, max(whole // 4, 1)):
        events = clone(model).iter_fit(X, y, sensitive_features=group)
        # How often progress is shown depends on the clock, so that another run may have fewer events.
        seen = list(itertools.islice(events, stop_at))
        if isinstance(seen[-1], Finished):
            continue
        rest = [events.send(STOP), *events]
        fitted = rest[-1].result
        statuses.add(fitted.status_)
        assert fitted.bound_ <= fitted.best_objective_
        assert fitted.loss_.errors == (fitted.predict(X) != y).sum()
        assert fitted.loss_.meets(fitted.problem_) or any("limit" in note for note in fitted.notes_)
    assert statuses == {"stopped"}


def test_closing_gives_everything_up_at_once():
    X, y, group = people(2000, n_groups=4)
    model = RuleSetClassifier(30, max_difference=0.01, binarizer=Binarizer(n_bins=20), random_state=0)
    events = model.iter_fit(X, y, sensitive_features=group)
    for _ in range(4):
        next(events)
    begun = time.monotonic()
    events.close()
    assert time.monotonic() - begun < 5
    assert not hasattr(model, "rule_set_")


@pytest.mark.thorough
def test_groups_are_handed_on_by_other_estimators():
    X, y, group = people()
    with config_context(enable_metadata_routing=True):
        model = RuleSetClassifier(6, fairness="demographic_parity", max_difference=0.05, random_state=0)
        model.set_fit_request(sensitive_features=True)
        pipeline = make_pipeline(FunctionTransformer(), model).fit(X, y, sensitive_features=group)
        assert true_gap("demographic_parity", y, pipeline.predict(X), group) <= 0.05
        predicted = cross_val_predict(model, X, y, cv=3, params={"sensitive_features": group})
        assert (predicted == y).mean() > 0.5


@pytest.mark.campaign
def test_compas_is_proven_in_the_linear_relaxation_and_keeps_the_constraint(shared_data):
    frame = pd.read_csv(shared_data("compas_fairml_5278.csv"))
    X, y = frame.drop(columns="Two_yr_Recidivism"), frame["Two_yr_Recidivism"]
    model = RuleSetClassifier(15, max_difference=0.025, use_sensitive=True, time_limit=20, random_state=0)
    model.fit(X, y, sensitive_features=X["African_American"])
    assert model.fairness_gap_ <= 0.025
    assert model.lp_bound_ > 0.95 * model.best_objective_
    assert (model.predict(X) == y).mean() > 0.65


@pytest.mark.thorough
@pytest.mark.parametrize("fairness", [None, "equalized_odds"])
@pytest.mark.parametrize(("asked", "lengths"), [(1, [1]), (2, [2]), (3, [2, 3]), (None, [2, 3, 8])])
def test_bounds_by_length_are_below_what_rules_of_that_length_reach(fairness, asked, lengths):
    X, y, group = people(n=150, seed=4)
    binarizer = Binarizer(n_bins=3)
    model = RuleSetClassifier(
        9, fairness=fairness, max_difference=0.1, max_rule_length=asked, binarizer=binarizer, random_state=0
    ).fit(X, y, sensitive_features=group)
    assert [each.max_rule_length for each in model.bounds_] == lengths
    assert model.bounds_[-1].bound == model.bound_
    bounds = [each.bound for each in model.bounds_]
    assert bounds == sorted(bounds, reverse=True)
    assert all(len(rule) <= lengths[-1] for rule in model.rule_set_.rules)
    for each in model.bounds_[:-1]:
        shorter = clone(model).set_params(max_rule_length=each.max_rule_length).fit(X, y, sensitive_features=group)
        assert shorter.status_ == "optimal"
        assert each.bound <= shorter.objective_ + 1e-9
    assert RuleSetClassifier().max_rule_length == 3


def test_a_stop_while_columns_are_read_leaves_the_others_out():
    X, y, group = people()
    events = RuleSetClassifier(random_state=0).iter_fit(X, y, sensitive_features=group)
    command, read = None, []
    while True:
        event = events.send(command)
        if isinstance(event, Finished):
            break
        is_column = isinstance(event, Progress) and " of 3" in event.what
        read += [event.what] if is_column else []
        command = STOP if is_column and len(read) == 2 else None
    assert len(read) == 2
    assert {literal.column for literal in event.result.literals_} == {"priors", "young"}
    assert event.result.status_ == "stopped"
