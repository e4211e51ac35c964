"""What could overturn a gap: against published figures, formulas worked out another way, and brute force."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import special

from fairaudit import explain_gap
from fairaudit.measure.explain.rows import read_rows
from fairaudit.measure.explain.sensitivity import (
    LinearGap,
    e_value,
    e_value_of_interval,
    linear_gap,
    robustness_value,
    times_as_strong,
)
from fairaudit.measure.results import Interval

DARFUR_T, DARFUR_FREEDOM = 0.09731582 / 0.02325654, 783
"""The effect of being directly harmed in sensemakr's example, its error, and its degrees of freedom."""

LOANS = {"decision": "got", "favorable": "yes", "protected": "sex = 'F'"}


def confounded(n=40_000, *, strength=1.0, seed=0, amount=False) -> pd.DataFrame:
    """Draw people whose gap comes from a column alone, with this odds ratio with group and outcome."""
    rng = np.random.default_rng(seed)
    hidden = rng.random(n) < 0.5
    female = rng.random(n) < special.expit(math.log(strength) * (hidden - 0.5))
    area = rng.choice(["a", "b"], n)
    score = -0.4 + 0.5 * (area == "a") + math.log(strength) * hidden
    got = score + rng.normal(0, 1, n) if amount else np.where(rng.random(n) < special.expit(score), "yes", "no")
    return pd.DataFrame({"sex": np.where(female, "F", "M"), "area": area, "hidden": hidden, "got": got})


def test_the_e_value_is_as_published():
    assert e_value(10.73) == pytest.approx(20.95, abs=0.005)
    assert e_value(1 / 10.73) == e_value(10.73)
    assert e_value_of_interval(Interval(8.02, 14.36)) == pytest.approx(15.53, abs=0.01)
    assert e_value_of_interval(Interval(0.9, 1.2)) == 1.0
    assert math.isnan(e_value(0.0)) and math.isnan(e_value(math.nan))


def test_the_robustness_value_of_darfur_is_as_published():
    assert robustness_value(DARFUR_T, DARFUR_FREEDOM) == pytest.approx(0.1388, abs=5e-5)
    assert robustness_value(DARFUR_T, DARFUR_FREEDOM, confidence=0.95) == pytest.approx(0.0763, abs=5e-5)
    found = LinearGap(0.09731582, 0.02325654, DARFUR_FREEDOM, ())
    assert found.partial_r2 == pytest.approx(0.0219, abs=5e-5)


def test_once_twice_and_three_times_as_strong_as_being_female_leave_what_is_published():
    # Of sensemakr's paper, table 1: being female explains 10.9 % of the outcome and 0.9 % of the treatment.
    of_outcome, of_group = 0.1090, 0.00916
    found = LinearGap(0.09731582, 0.02325654, DARFUR_FREEDOM, ())
    # Adjusted estimates .0752, .0529 and .0304 for one, two and three times as strong: 0 is near four and a third.
    assert 4 < times_as_strong(found, of_outcome, of_group) < 4.6
    # The interval's low end: .0325, .0108 above and -.0110 below 0 for one, two and three times.
    assert 2 < times_as_strong(found, of_outcome, of_group, confidence=0.95) < 3


def test_a_robustness_value_is_where_the_bias_is_the_gap():
    value = robustness_value(-3.0, 500)
    assert math.sqrt(500) * value / math.sqrt(1 - value) == pytest.approx(3.0)
    assert robustness_value(1.0, 500, confidence=0.95) == 0.0


def test_what_controls_explain_is_as_least_squares_has_it():
    data = confounded(2_000, strength=2.0)
    data["years"] = np.arange(2_000) % 37 + 5.0 * (data["sex"] == "F")
    rows, *_ = read_rows(data, **LOANS, controls=["area", "years"], where=None, cluster=None)
    found = linear_gap(rows)
    y, g = (data["got"] == "yes") * 1.0, (data["sex"] == "F") * 1.0
    full = {"area": (data["area"] == "a") * 1.0, "years": data["years"]}

    def fit(target, *columns):
        return sm.OLS(target, sm.add_constant(np.column_stack(columns))).fit()

    whole = fit(y, g, *full.values())
    assert (found.value, found.error) == pytest.approx((whole.params.iloc[1], whole.bse.iloc[1]))
    assert found.freedom == whole.df_resid
    for name, of_outcome, of_group in found.of_controls:
        others = [values for other, values in full.items() if other != name]
        assert of_outcome == pytest.approx(1 - whole.ssr / fit(y, g, *others).ssr, abs=1e-9)
        assert of_group == pytest.approx(1 - fit(g, *full.values()).ssr / fit(g, *others).ssr, abs=1e-9)


@pytest.mark.parametrize(("times", "more"), [(1.0, 1e9), (1e-9, 0.0)])
def test_what_could_overturn_a_gap_in_amounts_depends_on_neither_unit_nor_zero(times, more):
    data = confounded(2_000, strength=3.0, amount=True)
    asked = LOANS | {"favorable": None, "controls": "area"}
    one, other = (
        explain_gap(each, **asked).sensitivity for each in (data, data.assign(got=data["got"] * times + more))
    )
    assert other.robustness_value == pytest.approx(one.robustness_value, rel=1e-4)
    assert other.partial_r2 == pytest.approx(one.partial_r2, rel=1e-4)


@pytest.mark.parametrize("strength", [2.0, 4.0])
def test_the_curve_holds_no_gap_at_the_strength_of_the_column_that_makes_it(strength):
    found = explain_gap(confounded(strength=strength), **LOANS, controls="area")
    assert found.adjusted_gap.value > 0.02
    at = found.sensitivity.curve.iloc[(found.sensitivity.curve["strength"] - strength).abs().argmin() + 1]
    assert at["low"] <= 0 <= at["high"]
    assert found.sensitivity.touches_zero <= strength * 1.11
    # And with the column there is no gap left.
    held = explain_gap(confounded(strength=strength), **LOANS, controls=["area", "hidden"]).adjusted_gap
    assert held.interval.low <= 0 <= held.interval.high


@pytest.mark.parametrize(("noise", "capped"), [(1.0, True), (40.0, False)])
def test_a_column_many_times_as_strong_as_one_that_explains_nearly_all_is_capped(noise, capped):
    rng = np.random.default_rng(4)
    group = rng.random(2_000) < 0.5
    control = (rng.random(2_000) < 0.4 + 0.2 * group).astype(int)
    pay = 10 * control + 2 * group + rng.normal(0, noise, 2_000)
    data = pd.DataFrame({"sex": np.where(group, "F", "M"), "level": control, "pay": pay})
    found = explain_gap(data, decision="pay", protected="sex = 'F'", controls="level", method="regression").sensitivity
    # Of what is left of the outcome, `level` explains 96 %, or next to nothing.
    assert found.capped == capped and found.strongest == "level"


def test_the_curve_opens_from_the_gap_itself():
    found = explain_gap(confounded(5_000, strength=3.0), **LOANS, controls="area")
    curve = found.sensitivity.curve
    assert (curve["low"][0], curve["high"][0]) == pytest.approx((found.adjusted_gap.value,) * 2)
    assert (curve["interval_low"][0], curve["interval_high"][0]) == pytest.approx(tuple(found.adjusted_gap.interval))
    assert curve["low"].is_monotonic_decreasing and curve["high"].is_monotonic_increasing


def test_amounts_have_a_curve_of_what_is_explained_and_no_e_value():
    found = explain_gap(confounded(5_000, strength=3.0, amount=True), **LOANS | {"favorable": None}, controls="area")
    sensitivity = found.sensitivity
    assert math.isnan(sensitivity.e_value) and math.isnan(found.adjusted_gap.ratio)
    nearest = sensitivity.curve.iloc[(sensitivity.curve["strength"] - sensitivity.robustness_value).abs().argmin()]
    assert abs(nearest["low"]) < 0.1 * found.adjusted_gap.value
