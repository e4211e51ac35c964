from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.estimators.rules import Binarizer, RuleSetClassifier, RuleSetSearch
from fairaudit.estimators.rules.grid import iter_grid
from fairaudit.estimators.rules.passes import rounded_up
from fairaudit.estimators.rules.problem import RuleColumns, outcome_of
from fairaudit.estimators.rules.stages import TOTAL, Clock, drained, iter_stage
from fairaudit.events import STOP, Finished, Progress, Started
from fairaudit.measure.grouping import group_rows

FEW = {"max_complexities": (3, 6), "max_differences": (0.02, 0.1), "cv": 3, "binarizer": Binarizer(n_bins=3)}


@parametrize_with_checks([RuleSetSearch((2,), (0.05,), cv=2, binarizer=Binarizer(n_bins=2), random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def people(n=240, seed=0):
    """Return rows of two groups whose outcomes lie differently, with few different values."""
    random = np.random.default_rng(seed)
    group = random.choice(["a", "b"], n)
    X = pd.DataFrame({"priors": np.minimum(random.poisson(1 + (group == "b")), 4), "young": random.random(n) < 0.4})
    y = (X["priors"] - 1.5 + X["young"] + random.normal(size=n) > 0).to_numpy().astype(int)
    return X, y, pd.Series(group, name="group")


def tpr_gap(y, predicted, group):
    return abs(np.subtract(*[predicted[(y == 1) & (group == g)].mean() for g in ("a", "b")]))


def test_the_setting_is_the_most_accurate_within_the_target_on_rows_not_seen():
    X, y, group = people()
    search = RuleSetSearch(**FEW, fairness="equal_opportunity", target_difference=0.1, random_state=0)
    search.fit(X, y, sensitive_features=group)
    table = search.results_
    assert table[["max_complexity", "max_difference"]].to_numpy().tolist() == [[3, 0.02], [3, 0.1], [6, 0.02], [6, 0.1]]
    assert table["chosen"].sum() == 1 and search.n_folds_ == 3
    chosen, within = table[table["chosen"]].iloc[0], table[table["gap"] <= 0.1]
    if search.within_target_:
        assert chosen["gap"] <= 0.1 and chosen["accuracy"] == within["accuracy"].max()
    else:
        assert within.empty and chosen["gap"] == table["gap"].min()
    best = search.best_estimator_
    assert search.best_params_ == {"max_complexity": best.max_complexity, "max_difference": best.max_difference}
    assert (chosen["max_complexity"], chosen["max_difference"]) == (best.max_complexity, best.max_difference)
    assert best.fairness_gap_ == pytest.approx(tpr_gap(y, search.predict(X), group))
    assert search.rule_set_ == best.rule_set_ and best.fairness_gap_ <= best.max_difference + 1e-9


def test_where_no_setting_is_within_the_target_the_smallest_gap_is_taken_and_it_is_said():
    X, y, group = people()
    search = RuleSetSearch(**FEW, fairness="equal_opportunity", target_difference=0.0, random_state=0)
    search.fit(X, y, sensitive_features=group)
    table = search.results_
    assert table["gap"].min() > 0
    assert not search.within_target_
    assert table.loc[table["chosen"], "gap"].item() == table["gap"].min()
    assert any("No setting has a gap within 0 across folds" in note for note in search.notes_)


def test_a_pure_chance_column_is_judged_as_no_better_than_chance():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(60, 6))).add_prefix("x")
    y, group = random.integers(2, size=60), random.choice(["a", "b"], 60)
    search = RuleSetSearch((3,), (0.5,), target_difference=0.5, cv=4, time_limit=20, random_state=0)
    search.fit(X, y, sensitive_features=group)
    trained = (search.predict(X) == y).mean()
    assert trained > 0.65 > 0.62 > search.results_["accuracy"].item()


def test_folds_side_by_side_give_what_folds_one_by_one_give():
    X, y, group = people(160)
    settings = {**FEW, "target_difference": 0.1, "random_state": 3}
    alone = RuleSetSearch(**settings, n_jobs=1).fit(X, y, sensitive_features=group)
    with parallel_config(backend="threading"):
        together = RuleSetSearch(**settings, n_jobs=3).fit(X, y, sensitive_features=group)
    pd.testing.assert_frame_equal(alone.results_, together.results_)
    assert alone.rule_set_ == together.rule_set_


def test_differences_to_try_are_shares_of_the_target_by_default():
    X, y, group = people(120)
    search = RuleSetSearch((4,), target_difference=0.1, cv=2, random_state=0).fit(X, y, sensitive_features=group)
    assert search.results_["max_difference"].tolist() == pytest.approx([0.02, 0.05, 0.1])


@pytest.mark.parametrize("side_by_side", [False, True])
def test_a_stop_at_any_event_keeps_a_rule_set(side_by_side):
    X, y, group = people(80)
    few = FEW | {"cv": 2, "target_difference": 0.1}
    search = RuleSetSearch(**few, n_jobs=2 if side_by_side else 1, random_state=0)
    with parallel_config(backend="threading"):
        events = list(search.iter_fit(X, y, sensitive_features=group))
        assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
        steps = [event for event in events if isinstance(event, Progress)]
        assert {step.total for step in steps} == {events[0].total}
        assert [step.done for step in steps] == sorted(step.done for step in steps)
        for stop_at in range(1, len(events), max(len(events) // 4, 1)):
            running = search.iter_fit(X, y, sensitive_features=group)
            # How often progress is told depends on the clock, so that another run may have fewer events.
            seen = list(itertools.islice(running, stop_at))
            if not isinstance(seen[-1], Finished):
                fitted = [running.send(STOP), *running][-1].result
                assert fitted.status_ == "stopped" and not fitted.within_target_
                assert any("stopped" in note for note in fitted.notes_)
                assert fitted.predict(X).shape == y.shape


def test_a_grid_decides_each_setting_as_a_fit_over_all_rules_does():
    X, y, group = people(100)
    whole = RuleSetClassifier(6, fairness="equal_opportunity", max_difference=0.1, binarizer=Binarizer(n_bins=3))
    whole.fit(X, y, sensitive_features=group)
    rows = whole.problem_.rows
    singles = [(literal,) for literal in range(rows.n_literals)]
    pairs = [(a, b) for a in range(rows.n_literals) for b in range(a + 1, rows.n_literals)]
    pool = RuleColumns.of([*singles, *pairs], rows)
    settings = [(2, 1.0), (3, 0.05), (3, 1.0)]
    points = drained(iter_grid(whole.problem_, pool, settings, time_limit=60))
    for (complexity, difference), point in zip(settings, points, strict=True):
        alone = RuleSetClassifier(
            complexity,
            fairness="equal_opportunity",
            max_difference=difference,
            max_rule_length=2,
            binarizer=Binarizer(n_bins=3),
        ).fit(X, y, sensitive_features=group)
        assert (point.max_complexity, point.max_difference) == (complexity, difference)
        assert point.status == "optimal" and point.outcome.meets(alone.problem_)
        assert point.outcome.errors == alone.loss_.errors
        columns = RuleColumns.of(point.rules, rows)
        assert outcome_of(alone.problem_, columns, range(len(columns))) == point.outcome


def test_a_stopped_grid_gives_each_setting_the_best_that_was_seen():
    X, y, group = people(100)
    model = RuleSetClassifier(6, binarizer=Binarizer(n_bins=3)).fit(X, y, sensitive_features=group)
    events = iter_grid(model.problem_, model.pool_, [(6, 0.05), (4, 0.0), (2, 1.0)], time_limit=60)
    next(events)
    with pytest.raises(StopIteration) as ending:
        events.send(STOP)
    points = ending.value.value
    assert [point.status for point in points] == ["stopped"] * 3
    assert all(point.outcome.gap <= point.max_difference + 1e-9 for point in points)


def test_progress_of_a_stage_never_falls_and_stays_within_its_part():
    def stage():
        for done in (0, 5, 3, 12):
            yield Progress("a", done, 10)
        return "end"

    events = iter_stage(stage(), start=20, end=60)
    steps = [next(events) for _ in range(4)]
    assert [step.done for step in steps] == [20, 40, 40, 60] and {step.total for step in steps} == {TOTAL}
    assert drained(events) == ("end", False)


def test_a_clock_that_has_run_out_is_late_and_bounds_are_whole_rows():
    assert Clock(0.0).is_late and Clock(0.0).left_s == 0
    assert not Clock(60.0).is_late and 59 < Clock(60.0).left_s <= 60
    assert [rounded_up(bound) for bound in (-1.0, 0.0, 3.0000001, 3.1, 4.0)] == [0, 0, 3, 4, 4]


def test_groups_that_a_fold_lacks_are_not_compared_in_it():
    X, y, group = people(150)
    group = group.mask(np.arange(150) < 2, "rare")
    assert group_rows(group, 150).n_groups == 3
    search = RuleSetSearch(**FEW, target_difference=0.3, random_state=0).fit(X, y, sensitive_features=group)
    assert search.results_["gap"].notna().all() and search.results_["fold_gap"].notna().all()
