"""Means of amounts: against scipy on random groups, and the small cases by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fairaudit import didi
from fairaudit.errors import GroupError, InputError
from fairaudit.measure import check_group_means, check_means


@pytest.fixture
def pay() -> pd.DataFrame:
    random = np.random.default_rng(3)
    n = 400
    sex = random.choice(["F", "M"], n, p=[0.4, 0.6])
    amount = random.normal(30 + 2 * (sex == "M"), np.where(sex == "M", 6, 3))
    area = random.choice(["a", "b", "c"], n)
    return pd.DataFrame({"sex": sex, "pay": amount, "area": area})


def test_difference_interval_and_p_value_are_welchs(pay):
    result = check_means(pay, decision="pay", protected="sex = 'F'", tolerance=0.5)
    women, men = (pay.loc[pay["sex"] == sex, "pay"] for sex in "FM")
    expected = stats.ttest_ind(women, men, equal_var=False)
    interval = expected.confidence_interval(0.95)
    assert result.difference == pytest.approx(women.mean() - men.mean())
    assert result.p_value == pytest.approx(expected.pvalue)
    assert tuple(result.difference_interval) == pytest.approx((interval.low, interval.high))
    inner = expected.confidence_interval(0.90)
    assert tuple(result.equivalence_interval) == pytest.approx((inner.low, inner.high))
    assert (result.within_tolerance, result.verdict) == (False, "clear_gap")


def test_figures_of_a_group_are_those_of_its_rows(pay):
    group = check_means(pay, decision="pay", protected="sex = 'F'").protected
    women = pay.loc[pay["sex"] == "F", "pay"]
    low, high = stats.t.interval(0.95, len(women) - 1, women.mean(), stats.sem(women))
    assert (group.n, group.mean, group.deviation) == pytest.approx((len(women), women.mean(), women.std()))
    assert tuple(group.interval) == pytest.approx((low, high))
    quartiles = (group.quarter, group.median, group.three_quarters)
    assert quartiles == pytest.approx(tuple(women.quantile([0.25, 0.5, 0.75])))


def test_tolerance_without_another_is_a_tenth_of_the_spread(pay):
    result = check_means(pay, decision="pay", protected="sex = 'F'")
    assert result.tolerance == float(f"{0.1 * pay['pay'].std():.1g}"), "a round figure, near a tenth"


def test_didi_is_that_of_the_index(pay):
    result = check_means(pay, decision="pay", protected="sex = 'F'")
    assert result.didi == pytest.approx(didi(pay["pay"], sensitive_features=pay["sex"], task="regression"))


def test_standardized_difference_uses_the_pooled_spread():
    table = pd.DataFrame({"g": list("aabb"), "x": [1.0, 3.0, 5.0, 7.0]})
    result = check_means(table, decision="x", protected="g = 'a'")
    assert result.standardized_difference == pytest.approx(-4 / math.sqrt(2))
    assert result.ratio == pytest.approx(2 / 6)


def test_rows_without_an_amount_or_a_group_are_counted_and_left_out():
    table = pd.DataFrame({"g": ["a", "a", "b", None, "b"], "x": [1.0, None, 2.0, 9.0, 4.0], "keep": [1, 1, 1, 1, 0]})
    result = check_means(table, decision="x", protected="g = 'a'", where="keep = 1")
    assert (result.protected.n, result.reference.n, result.undecided, result.unknown) == (1, 1, 1, 1)
    assert (result.n_population, result.n_filtered_out) == (4, 1)
    assert (result.protected.undecided, result.reference.undecided) == (1, 0)
    assert math.isnan(result.difference_interval.low)
    assert result.verdict == "too_few_to_tell"


def test_of_equal_amounts_there_is_nothing_to_compare():
    few = pd.DataFrame({"g": list("aabb"), "x": [5.0] * 4})
    for data in (few, pd.concat([few] * 20)):
        assert check_means(data, decision="x", protected="g = 'a'").verdict == "nothing_to_compare"


def test_large_numbers_lose_no_digits():
    table = pd.DataFrame({"g": list("ab") * 50, "x": 1e12 + np.arange(100.0)})
    result = check_means(table, decision="x", protected="g = 'a'")
    assert result.difference == -1
    assert result.protected.deviation == pytest.approx(np.std(np.arange(0, 100, 2), ddof=1))


def test_each_group_is_compared_with_all_other_rows(pay):
    result = check_group_means(pay, decision="pay", by=["sex", "area"])
    row = result.rows[0]
    inside = (pay["sex"] == "F") & (pay["area"] == "a")
    expected = stats.ttest_ind(pay.loc[inside, "pay"], pay.loc[~inside, "pay"], equal_var=False)
    assert row.name == "F, a"
    assert row.comparison.p_value == pytest.approx(expected.pvalue)
    assert row.comparison.reference.deviation == pytest.approx(pay.loc[~inside, "pay"].std())
    assert row.adjusted_p_value >= row.comparison.p_value
    means = pay.groupby(["sex", "area"])["pay"].mean()
    assert result.worst_pair == (", ".join(means.idxmax()), ", ".join(means.idxmin()))
    assert len(result.to_frame()) == 6


def test_with_a_reference_it_has_no_row(pay):
    result = check_group_means(pay, decision="pay", by="area", reference="b")
    assert [row.name for row in result.rows] == ["a", "c"]
    assert result.rows[0].comparison.reference.name == "b"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"decision": "sex"}, "must hold numbers"),
        ({"protected": " "}, "'protected' must be a condition"),
        ({"tolerance": -1}, "'tolerance' must be a number of at least 0"),
        ({"tolerance": math.inf}, "'tolerance' must be a number of at least 0"),
        ({"confidence": 1}, "'confidence' must be"),
    ],
)
def test_bad_settings_are_named(pay, settings, words):
    with pytest.raises(InputError, match=words):
        check_means(pay, **({"decision": "pay", "protected": "sex = 'F'"} | settings))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"protected": "sex = 'X'"}, "has 0 rows with an amount"),
        ({"where": "sex = 'X'"}, "keeps 0 of 400 rows"),
        ({"where": "sex = 'F'"}, "sex is F: there is nobody to compare with"),
    ],
)
def test_empty_groups_are_named(pay, settings, words):
    with pytest.raises(GroupError, match=words):
        check_means(pay, **({"decision": "pay", "protected": "sex = 'F'"} | settings))


def test_a_column_with_one_group_cannot_be_compared(pay):
    with pytest.raises(GroupError, match="2 are needed"):
        check_group_means(pay.assign(one="x"), decision="pay", by="one")
    with pytest.raises(GroupError, match=r"no reference group 'z' among the rows looked at\.\nHint: There are: 'a'"):
        check_group_means(pay, decision="pay", by="area", reference="z")


@pytest.mark.parametrize("amounts", [[np.inf, 1, 2, 3], [np.inf, -np.inf, 2, 3], [1e300, -1e300, 1e300, 2e300]])
@pytest.mark.parametrize(
    ("check", "who"), [(check_means, {"protected": "sex = 'F'"}), (check_group_means, {"by": "sex"})]
)
def test_amounts_that_cannot_be_averaged_are_refused_in_words(amounts, check, who):
    data = pd.DataFrame({"sex": list("FFMM"), "pay": np.array(amounts, dtype=float)})
    with pytest.raises(InputError, match="Column 'pay' must hold finite amounts"):
        check(data, decision="pay", **who)


def test_large_amounts_are_compared(pay):
    large = check_means(pay.assign(pay=pay["pay"] * 1e60), decision="pay", protected="sex = 'F'")
    assert large.p_value == pytest.approx(check_means(pay, decision="pay", protected="sex = 'F'").p_value)
