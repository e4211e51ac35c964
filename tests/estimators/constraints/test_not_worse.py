"""No group worse off than before: which rates say so, whether predictions keep to it, and a search that does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import ConstrainedRows, parse_specs
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.constraints.polishing import NoGroupWorseOff, group_rates

Y = np.array([1, 1, 1, 0, 0, 1, 1, 0, 0, 0])
FRAME = pd.DataFrame({"sex": list("fffffmmmmm")})
BEFORE = np.array([1, 1, 0, 1, 0, 1, 0, 0, 1, 0])
"""Of f: 3 of 5 predicted positive, 2 of 3 positives found, 1 of 2 negatives wrong; of m 2 of 5, 1 of 2, 1 of 3."""


def rows_of(text: str) -> ConstrainedRows:
    return ConstrainedRows.of(parse_specs(text), Y, FRAME)


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("demographic_parity by sex <= 0.1", "good_outcomes", "good_outcomes"),
        ("tpr by sex >= 0.8", "tpr", "tpr"),
        ("error_rate by sex <= 0.1", "error_rate", "error_rate"),
        ("fpr by sex <= 0.1", "fpr", "fpr"),
        # Of two errors, the one that wrongly refuses the good outcome.
        ("equalized_odds by sex <= 0.1", "fnr", "fpr"),
        ("predictive_parity by sex <= 0.1", "for_", "fdr"),
        ("tnr by sex >= 0.5; fnr by sex <= 0.1", "fnr", "tnr"),
        # The same rate twice counts once.
        ("fnr by sex <= 0.1; tpr by sex >= 0.5", "fnr", "fnr"),
    ],
)
def test_the_rates_are_those_of_the_constraints_and_of_two_errors_the_one_that_refuses(text, good, bad):
    for positive_is_good, name in ((True, good), (False, bad)):
        rates = group_rates(rows_of(text), positive_is_good=positive_is_good)
        assert [(rate.metric.name, rate.group) for rate in rates] == [(name, "f"), (name, "m")]


def test_rates_before_and_gains_are_those_worked_out_by_hand():
    after = np.array([1, 1, 1, 1, 0, 0, 0, 0, 1, 0])
    wish = NoGroupWorseOff.of(rows_of("demographic_parity by sex <= 0.1"), BEFORE, positive_is_good=True)
    assert wish.before == pytest.approx([3 / 5, 2 / 5])
    assert wish.gains(after) == pytest.approx([1 / 5, -1 / 5])
    assert not wish.holds(after) and wish.holds(BEFORE) and wish.holds(np.ones(10, dtype=int))
    turned = NoGroupWorseOff.of(rows_of("demographic_parity by sex <= 0.1"), BEFORE, positive_is_good=False)
    assert turned.before == pytest.approx([2 / 5, 3 / 5])
    assert turned.gains(after) == pytest.approx([-1 / 5, 1 / 5])
    errors = NoGroupWorseOff.of(rows_of("fpr by sex <= 0.1"), BEFORE, positive_is_good=True)
    assert errors.before == pytest.approx([1 / 2, 1 / 3])
    assert errors.gains(np.zeros(10, dtype=int)) == pytest.approx([1 / 2, 1 / 3])
    assert not errors.holds(np.ones(10, dtype=int))


def test_a_group_whose_rate_is_not_defined_before_is_left_out_and_one_that_loses_it_is_not():
    wish = NoGroupWorseOff.of(
        rows_of("fdr by sex <= 0.1"), np.where(FRAME["sex"] == "m", 0, BEFORE), positive_is_good=True
    )
    assert np.isnan(wish.before).tolist() == [False, True]
    assert wish.holds(np.where(FRAME["sex"] == "m", 1, BEFORE))
    assert not wish.holds(np.zeros(10, dtype=int))


@pytest.mark.parametrize("good", [True, False])
@pytest.mark.parametrize(
    "name", ["demographic_parity", "tpr", "tnr", "accuracy", "ppv", "npv", "fpr", "fnr", "error_rate", "fdr", "for_"]
)
def test_all_cuts_agree_with_judging_each_by_itself(name, good):
    rng = np.random.default_rng(5)
    y, score, group = rng.integers(0, 2, 40), rng.integers(0, 8, 40).astype(float), np.array(list("ab") * 20)
    limit = ">= 0.5" if name in ("tpr", "tnr", "accuracy", "ppv", "npv") else "<= 0.1"
    rows = ConstrainedRows.of(parse_specs(f"{name} by group {limit}"), y, pd.DataFrame({"group": group}))
    wish = NoGroupWorseOff.of(rows, (score >= 4).astype(int), positive_is_good=good)
    cuts = CommonCuts.of(score, y)
    found = wish.holds_at_cuts(cuts)
    assert found.tolist() == [wish.holds((score >= threshold).astype(int)) for threshold in cuts.thresholds]
    assert found.any()


def sample(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, pd.DataFrame]:
    """Return rows of which a limit on gaps is met most accurately by doing worse for b."""
    rng = np.random.default_rng(seed)
    group = np.where(rng.random(n) < 0.35, "a", "b")
    X = rng.normal(size=(n, 2)) + 0.7 * (group == "b")[:, None]
    y = (X[:, 0] + rng.normal(size=n) + 0.5 * (group == "b") > 1.0).astype(int)
    return X, y, pd.DataFrame({"group": group})


@pytest.mark.parametrize("good", [True, False])
def test_a_search_keeps_to_it_where_the_one_without_levels_down(good):
    X, y, frame = sample(1200, 2)
    validation = np.arange(1200) % 3 == 0
    text = "demographic_parity by group <= 0.05"
    rows = ConstrainedRows.of(parse_specs(text), y, frame).take(np.flatnonzero(validation))
    found = {}
    for asked in (False, True):
        model = ConstrainedClassifier(
            specs=text, random_state=0, no_group_worse_off=asked, second_is_good=good, cross_fit_below=0
        )
        model.fit(X, y, sensitive_features=frame, validation=validation)
        first, h = (np.asarray(each.predict(X[validation]), dtype=int) for each in (model.unconstrained_, model))
        found[asked] = NoGroupWorseOff.of(rows, first, positive_is_good=good).gains(h)
        assert model.feasible_ and (rows.ratios(h) <= 1).all()
        # Every model that can be picked keeps to it, whatever the limit.
        for scale in (0.5, 1.0, 2.0, 5.0):
            h = np.asarray(model.pick(scale).predict(X[validation]), dtype=int)
            assert not asked or NoGroupWorseOff.of(rows, first, positive_is_good=good).holds(h)
    assert found[False].min() < -0.05 and found[True].min() >= 0


def test_where_limits_cannot_be_met_too_nobody_is_worse_off_and_the_closest_is_taken():
    X, y, frame = sample(600, 0)
    validation = np.arange(600) % 3 == 0
    # Fewer false positives for a group mean a higher threshold, and that more of it wrongly miss the good outcome.
    text = "fpr by group <= 0.02; accuracy by group >= 0.97"
    model = ConstrainedClassifier(specs=text, random_state=0, no_group_worse_off=True)
    model.fit(X, y, sensitive_features=frame, validation=validation)
    rows = ConstrainedRows.of(parse_specs(text), y, frame).take(np.flatnonzero(validation))
    first, h = (np.asarray(each.predict(X[validation]), dtype=int) for each in (model.unconstrained_, model))
    assert NoGroupWorseOff.of(rows, first, positive_is_good=True).holds(h)
    assert not model.feasible_ and model.status_ == "not_met" and np.isfinite(model.history_[model.chosen_].ratio)
