"""Amounts inside strata: against least squares, by hand, and how often the interval holds the truth."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fairaudit.errors import InputError
from fairaudit.measure import check_mean_strata, check_means
from fairaudit.measure.mean_strata import common_mean_difference


def drawn(seed: int, n: int = 300, effect: float = -2.0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    grade = random.integers(0, 5, n)
    sex = np.where(random.random(n) < 0.15 + 0.15 * grade, "F", "M")
    pay = 20 + 4 * grade + effect * (sex == "F") + random.normal(0, np.where(sex == "F", 1, 3), n)
    return pd.DataFrame({"sex": sex, "grade": grade, "pay": pay})


@pytest.mark.parametrize("seed", range(5))
def test_common_difference_is_that_of_least_squares_with_a_level_for_each_stratum(seed):
    data = drawn(seed)
    levels = pd.get_dummies(data["grade"]).to_numpy(dtype=float)
    design = np.column_stack([data["sex"] == "F", levels])
    coefficients = np.linalg.lstsq(design, data["pay"].to_numpy(), rcond=None)[0]
    result = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="grade")
    assert result.common_difference == pytest.approx(coefficients[0])


def test_one_stratum_gives_welchs_answer():
    data = drawn(1).assign(area="a")
    whole = check_means(data, decision="pay", protected="sex = 'F'")
    result = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="area")
    assert result.common_difference == pytest.approx(whole.difference)
    assert tuple(result.common_difference_interval) == pytest.approx(tuple(whole.difference_interval))
    assert result.p_value == pytest.approx(whole.p_value)


def test_interval_holds_the_true_difference_about_as_often_as_it_says():
    held = 0
    for seed in range(200):
        data = drawn(seed, n=80)
        parts = {key: part["pay"] for key, part in data.groupby(["grade", "sex"])}
        moments = {key: {"n": len(p), "mean": p.mean(), "variance": p.var()} for key, p in parts.items()}
        pairs = [(moments.get((grade, "F")), moments.get((grade, "M"))) for grade in range(5)]
        _, (low, high), _ = common_mean_difference([pair for pair in pairs if None not in pair], 0.95)
        held += low <= -2.0 <= high
    # Of 200 draws, 190 are expected; fewer than 179 or all of them would happen less than once in a thousand times.
    assert 179 <= held < 200


def test_a_cell_of_one_row_takes_the_spread_of_the_other_cells():
    data = pd.DataFrame(
        {
            "area": ["a"] * 4 + ["b"] * 3,
            "sex": ["F", "F", "M", "M", "F", "M", "M"],
            "pay": [1.0, 3.0, 2.0, 6.0, 5.0, 8.0, 10.0],
        }
    )
    result = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="area")
    # weights 2 2 / 4 = 1 and 1 2 / 3; variances: women 2 (a; b takes it), men 8 (a) and 2 (b)
    weights = np.array([1, 2 / 3]) / (5 / 3)
    assert result.common_difference == pytest.approx(weights @ [-2, -4])
    parts = np.array(
        [weights[0] ** 2 * 2 / 2, weights[1] ** 2 * 2 / 1, weights[0] ** 2 * 8 / 2, weights[1] ** 2 * 2 / 2]
    )
    low, high = result.common_difference_interval
    freedom = parts.sum() ** 2 / (parts**2).sum()
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, freedom) * math.sqrt(parts.sum()))


def test_reversal_is_seen_where_the_groups_are_in_different_strata():
    rows = [("low", "F", 10 + i % 3) for i in range(40)] + [("low", "M", 9 + i % 3) for i in range(10)]
    rows += [("high", "F", 30 + i % 3) for i in range(10)] + [("high", "M", 29 + i % 3) for i in range(40)]
    data = pd.DataFrame(rows, columns=["grade", "sex", "pay"])
    result = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="grade")
    assert result.pooled.difference < 0 < result.common_difference
    assert result.reversal


def test_strata_with_one_group_are_named_and_do_not_count():
    data = pd.concat([drawn(2), pd.DataFrame({"sex": ["F"] * 3, "grade": [9] * 3, "pay": [950.0] * 3})])
    with_them = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="grade")
    without = check_mean_strata(drawn(2), decision="pay", protected="sex = 'F'", strata="grade")
    assert with_them.left_out == ("9",)
    assert with_them.common_difference == pytest.approx(without.common_difference)


def test_all_strata_have_the_tolerance_of_all_rows():
    result = check_mean_strata(drawn(3), decision="pay", protected="sex = 'F'", strata="grade")
    assert {row.comparison.tolerance for row in result.strata} == {result.pooled.tolerance}


def test_rows_of_a_stratum_without_a_group_are_counted_there():
    data = drawn(4)
    data.loc[data.index[:7], "sex"] = None
    result = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="grade")
    assert sum(row.unknown for row in result.strata) == result.pooled.unknown == 7


def test_without_a_stratum_that_holds_both_groups_nothing_is_claimed():
    data = pd.DataFrame({"sex": ["F", "F", "M", "M"], "grade": [1, 1, 2, 2], "pay": [1, 2, 3, 4]})
    result = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="grade")
    assert result.strata == () and math.isnan(result.common_difference) and not result.reversal


def test_the_decision_is_no_stratum():
    with pytest.raises(InputError, match="must not name the decision"):
        check_mean_strata(drawn(1), decision="pay", protected="sex = 'F'", strata=["grade", "pay"])
