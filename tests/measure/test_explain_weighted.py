"""What explains a gap in a weighted sample: against other software, repeated rows, and a known population."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from fairaudit import check_strata, explain_gap
from fairaudit.errors import GroupError, InputError
from tests.support.weighted import DESIGN, Population, repeated, weighted_people

PAID = {"decision": "paid", "favorable": "yes", "protected": "sex = 'F'", "controls": ["area", "year"]}
PAY = {"decision": "pay", "protected": "sex = 'F'", "controls": ["area", "year"]}
WAYS = [
    PAID,
    PAID | {"method": "regression"},
    PAID | {"reference": "rest"},
    PAY,
    PAY | {"method": "regression", "reference": "protected"},
]


def points(found: object) -> list[float]:
    """Return the point values of an explanation."""
    values = [part.value for part in (found.gap, found.explained, found.unexplained, found.no_counterpart)]
    return [*values, found.adjusted_gap.value, found.adjusted_gap.ratio, *found.by_control["part"]]


def ends(found: object) -> list[float]:
    """Return the ends of all intervals."""
    parts = (found.gap, found.explained, found.unexplained, found.adjusted_gap)
    return [end for part in parts for end in part.interval]


@pytest.mark.parametrize("way", WAYS)
def test_whole_weights_give_what_repeated_rows_give_and_their_scale_does_not_matter(way):
    people = weighted_people(seed=1)
    found = explain_gap(people, **way, weights="weight")
    assert points(found) == pytest.approx(points(explain_gap(repeated(people), **way)), abs=1e-9, nan_ok=True)
    scaled = explain_gap(people, **way, weights="heavy")
    assert points(found) + ends(found) == pytest.approx(points(scaled) + ends(scaled), abs=1e-9, nan_ok=True)
    assert found.n_protected + found.n_reference == len(people)


@pytest.mark.parametrize("way", WAYS)
def test_weights_of_one_change_nothing(way):
    people = weighted_people(seed=2)
    plain, ones = explain_gap(people, **way), explain_gap(people, **way, weights="one")
    assert points(plain) == pytest.approx(points(ones), rel=1e-13, nan_ok=True)
    assert ends(plain) == pytest.approx(ends(ones), abs=2e-3)
    assert plain.sensitivity.robustness_value == pytest.approx(ones.sensitivity.robustness_value)


@pytest.mark.parametrize("clusters", [None, "school"])
def test_an_adjusted_difference_of_amounts_has_the_errors_of_other_software(clusters):
    people = weighted_people(seed=3)
    found = explain_gap(people, **PAY, weights="weight", design_clusters=clusters).adjusted_gap
    x = pd.get_dummies(people[["sex", "area", "year"]].astype(str), drop_first=True, dtype=float)
    x["sex_F"] = (people["sex"] == "F").astype(float)
    x = sm.add_constant(x.drop(columns="sex_M"))
    how = {"cov_type": "HC1"} if clusters is None else {"cov_type": "cluster", "cov_kwds": {"groups": people[clusters]}}
    fit = sm.WLS(people["pay"], x, weights=people["weight"]).fit(use_t=True, **how)
    assert found.value == pytest.approx(fit.params["sex_F"])
    freedom = (len(people) if clusters is None else people[clusters].nunique()) - 1
    half = sm.stats.stattools.stats.t.ppf(0.975, freedom) * fit.bse["sex_F"]
    assert found.interval.high - found.value == pytest.approx(half, rel=1e-6)


def test_an_adjusted_gap_of_shares_is_the_mean_marginal_effect_of_a_weighted_model():
    people = weighted_people(seed=4)
    found = explain_gap(people, **PAID | {"controls": "area"}, weights="weight").adjusted_gap
    x = sm.add_constant(pd.get_dummies(people["area"], drop_first=True, dtype=float))
    z = x.assign(female=(people["sex"] == "F").astype(float))
    fit = sm.GLM(
        (people["paid"] == "yes").astype(float), z, sm.families.Binomial(), freq_weights=people["weight"]
    ).fit()
    both = [np.average(fit.predict(z.assign(female=one)), weights=people["weight"]) for one in (1.0, 0.0)]
    assert found.value == pytest.approx(both[0] - both[1], abs=1e-7)
    assert found.ratio == pytest.approx(both[0] / both[1], abs=1e-6)


def test_what_is_left_by_similar_cases_is_the_gap_that_a_weighted_check_finds():
    people = weighted_people(seed=5)
    left = explain_gap(people, **PAID | {"controls": "area"}, reference="similar", **DESIGN).unexplained
    asked = {key: PAID[key] for key in ("decision", "favorable", "protected")}
    checked = check_strata(people, **asked, strata="area", **DESIGN)
    assert left.value == pytest.approx(checked.common_difference)
    assert left.interval.low == pytest.approx(checked.common_difference_interval.low, abs=2e-3)


def test_clusters_of_the_sample_are_those_of_the_answer_and_no_others():
    people = weighted_people(seed=6)
    found = explain_gap(people, **PAID, **DESIGN).adjusted_gap
    assert (found.cluster, found.n_clusters) == ("school", people.groupby(["region", "school"]).ngroups)
    with pytest.raises(InputError, match="school"):
        explain_gap(people, **PAID, **DESIGN, cluster="year")


def test_a_group_that_speaks_for_nobody_is_refused():
    people = weighted_people(seed=7)
    people["weight"] = people["weight"].where(people["sex"] == "M", 0)
    with pytest.raises(GroupError):
        explain_gap(people, **PAID, weights="weight")


@pytest.mark.thorough
def test_ranges_hold_the_truth_as_often_as_they_say():
    population = Population()
    asked = {"decision": "paid", "favorable": "yes", "protected": "sex = 'F'", "controls": "area"}
    truth = explain_gap(population.people, **asked)
    values = (truth.gap.value, truth.explained.value, truth.unexplained.value, truth.adjusted_gap.value)
    runs, held = 300, np.zeros(4)
    for seed in range(runs):
        found = explain_gap(population.sample(seed), **asked, **DESIGN)
        parts = (found.gap, found.explained, found.unexplained, found.adjusted_gap)
        held += [part.interval.low <= value <= part.interval.high for part, value in zip(parts, values, strict=True)]
    # Of 300 intervals that hold with a chance of .95, between 271 and 296 do, in 99.9 % of such runs (binomial).
    assert ((held >= 271) & (held <= 296)).all(), held
