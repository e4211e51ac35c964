"""Limits among similar cases: gaps are averages over strata by their people, and other people are only learned from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.errors import GroupError, InputError
from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.constraints.constrained_rows import AVERAGED, ConstrainedRows

EVENTS = {
    "demographic_parity": (lambda y, h: y >= 0, lambda y, h: h == 1),
    "error_rate": (lambda y, h: y >= 0, lambda y, h: h != y),
    "fpr": (lambda y, h: y == 0, lambda y, h: h == 1),
    "fnr": (lambda y, h: y == 1, lambda y, h: h == 0),
}
"""Of which rows each metric is a share, and which of them it counts."""


def drawn(seed: int, n: int = 600, groups: str = "ab"):
    """Rows whose group goes with the stratum, their labels, predictions and scores."""
    random = np.random.default_rng(seed)
    strata = random.integers(0, 4, n)
    group = np.where(random.random(n) < 0.15 + 0.2 * strata, groups[0], random.choice([*groups[1:]], n))
    score = random.random(n) + 0.15 * strata
    y = (random.random(n) < 0.3 + 0.1 * strata).astype(np.int64)
    return strata, pd.DataFrame({"group": group}), y, (score > 0.8).astype(np.int64), score


def average_gap(metric: str, strata, group, y, h, first: str, second: str, among=("a", "b")) -> float:
    """The same by hand: the gap in each stratum where all groups have people, by how many of them there are."""
    among_whom, event = EVENTS[metric]
    base = among_whom(y, h)
    gaps, people = [], []
    for stratum in np.unique(strata):
        here = base & (strata == stratum)
        own = {name: here & (group == name).to_numpy() for name in among}
        if all(rows.any() for rows in own.values()):
            gaps.append(event(y, h)[own[first]].mean() - event(y, h)[own[second]].mean())
            people.append(sum(rows.sum() for rows in own.values()))
    return float(np.average(gaps, weights=people))


@pytest.mark.parametrize("metric", AVERAGED)
@pytest.mark.parametrize("groups", ["ab", "abc"])
def test_a_gap_is_the_average_of_those_of_the_strata_by_their_people(metric, groups):
    for seed in range(5):
        strata, sensitive, y, h, score = drawn(seed, groups=groups)
        strata[sensitive["group"] == "a"] = np.maximum(strata[sensitive["group"] == "a"], 1)
        rows = ConstrainedRows.of((FairnessSpec(metric, "group", 0.1),), y, sensitive, strata=strata)
        expected = [
            average_gap(metric, strata, sensitive["group"], y, h, each.first, each.second, tuple(groups))
            for each in rows.constraints
        ]
        assert rows.gaps(h) == pytest.approx(expected), seed
        part = np.flatnonzero(np.random.default_rng(seed).random(len(y)) < 0.5)
        taken = ConstrainedRows.of(rows.specs, y[part], sensitive.iloc[part], strata=strata[part])
        assert rows.take(part).gaps(h[part]) == pytest.approx(taken.gaps(h[part]))
        cuts = CommonCuts.of(score, y)
        for place in (50, 300):
            found = rows.gaps((score >= cuts.thresholds[place]).astype(np.int64))
            assert rows.ratios_of_cuts(cuts)[0, place] == pytest.approx(np.abs(found).max() / 0.1)


@pytest.mark.parametrize("metric", AVERAGED)
def test_weights_are_by_how_much_a_right_prediction_moves_the_average(metric):
    strata, sensitive, y, h, _ = drawn(3, n=80)
    rows = ConstrainedRows.of((FairnessSpec(metric, "group", 0.1),), y, sensitive, strata=strata)
    weights = (rows.weights(np.array([1.0])) - 1) / len(y)
    for row in range(len(y)):
        right, wrong = h.copy(), h.copy()
        right[row], wrong[row] = y[row], 1 - y[row]
        assert weights[row] == pytest.approx(rows.gaps(right)[0] - rows.gaps(wrong)[0], abs=1e-12)


def test_one_stratum_is_no_stratum():
    _, sensitive, y, h, _ = drawn(1)
    specs = tuple(FairnessSpec(metric, "group", 0.1) for metric in AVERAGED)
    alone, whole = (ConstrainedRows.of(specs, y, sensitive, strata=each) for each in (np.zeros(len(y), int), None))
    assert alone.gaps(h) == pytest.approx(whole.gaps(h))
    multipliers = np.arange(1.0, 5.0)
    assert alone.weights(multipliers) == pytest.approx(whole.weights(multipliers))


@pytest.mark.parametrize("spec", ["fdr by group <= 0.1", "tpr by group >= 0.8", "aec(1, 5) by group <= 0.1"])
def test_what_has_no_average_among_similar_cases_is_refused(spec):
    strata, sensitive, y, _, score = drawn(0)
    model = ConstrainedClassifier(specs=spec, random_state=0)
    with pytest.raises(InputError, match="no average among similar cases"):
        model.fit(score[:, None], y, sensitive_features=sensitive, strata=strata)


def test_a_certificate_is_about_the_average_gap_over_the_strata():
    strata, sensitive, y, _, score = drawn(0, n=4_000)
    model = ConstrainedClassifier(specs="demographic_parity by group <= 0.1", certify_fraction=0.4, random_state=0)
    model.fit(np.column_stack([score, strata]), y, sensitive_features=sensitive, strata=strata)
    assert model.certified_.is_certified and model.status_ == "met"
    h = model.predict(np.column_stack([score, strata]))
    whole = ConstrainedRows.of((FairnessSpec("demographic_parity", "group", 0.1),), y, sensitive)
    among = ConstrainedRows.of(whole.specs, y, sensitive, strata=strata)
    assert abs(among.gaps(h)[0]) < 0.1 < abs(whole.gaps(h)[0])


def test_strata_without_people_of_all_groups_are_refused():
    strata, sensitive, y, _, score = drawn(0)
    rows = {"sensitive_features": sensitive, "strata": strata}
    rows["strata"] = sensitive["group"]
    with pytest.raises(GroupError, match="No similar cases of all groups"):
        ConstrainedClassifier(specs="demographic_parity by group <= 0.1").fit(score[:, None], y, **rows)


def test_a_model_keeps_a_limit_among_similar_cases_and_need_not_over_all_rows():
    random = np.random.default_rng(0)
    strata, sensitive, y, _, score = drawn(0, n=3000)
    # What makes cases similar makes groups differ; beside that one group is favoured within each stratum.
    favoured = (sensitive["group"] == "b").to_numpy()
    y = (score + 0.3 * favoured + 0.2 * random.normal(size=len(y)) > 0.9).astype(np.int64)
    X = np.column_stack([score, strata, favoured])
    fitted = {
        name: ConstrainedClassifier(specs="demographic_parity by group <= 0.03", random_state=0).fit(
            X, y, sensitive_features=sensitive, strata=each
        )
        for name, each in (("similar", strata), ("all", None))
    }
    whole = ConstrainedRows.of((FairnessSpec("demographic_parity", "group", 0.03),), y, sensitive)
    among = ConstrainedRows.of(whole.specs, y, sensitive, strata=strata)
    h = {name: model.predict(X) for name, model in fitted.items()}
    assert fitted["similar"].status_ == fitted["all"].status_ == "met"
    assert abs(among.gaps(h["similar"])[0]) < 0.06 < abs(among.gaps(h["all"])[0])
    assert abs(whole.gaps(h["all"])[0]) < 0.06 < abs(whole.gaps(h["similar"])[0])


def test_limits_are_about_the_population_and_other_rows_are_learned_from():
    strata, sensitive, y, _, score = drawn(2, n=2000, groups="abc")
    people = sensitive["group"].isin(["a", "b"]).to_numpy()
    X = np.column_stack([score, strata])
    rows = {"sensitive_features": sensitive, "population": people}
    for fraction in (0.0, 0.4):
        model = ConstrainedClassifier(
            specs="demographic_parity by group <= 0.2", certify_fraction=fraction, random_state=0
        )
        model.fit(X, y, **rows)
        assert [(each.first, each.second) for each in model.constraints_] == [("a", "b")]
        # Only the population is chosen by, and certifies; all others are learned from.
        assert model.n_learned_ > (~people).sum() and model.n_chosen_on_ < people.sum()
    assert model.certified_.n_rows < 0.41 * people.sum()
    # What others are like beside their features and labels means nothing to the limit.
    other = sensitive.assign(group=sensitive["group"].where(people, "a"))
    again = ConstrainedClassifier(specs="demographic_parity by group <= 0.2", random_state=0).fit(
        X, y, sensitive_features=other, population=people, validation=np.arange(len(y)) % 4 == 0
    )
    first = ConstrainedClassifier(specs="demographic_parity by group <= 0.2", random_state=0).fit(
        X, y, **rows, validation=np.arange(len(y)) % 4 == 0
    )
    assert np.array_equal(again.gaps_, first.gaps_)
