from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from fairaudit.errors import GroupError, InputError
from fairaudit.measure.impact import impact_table, one_more_person, rates_differ
from fairaudit.measure.standardized import size_word, standardized_means

PAIRS = [(12, 40, 48, 80), (3, 20, 16, 80), (60, 150, 90, 160), (500, 1000, 450, 1000), (2, 9, 7, 11), (0, 5, 3, 6)]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_test_of_two_rates_is_that_of_statsmodels_or_scipy(pair):
    a, n, b, m = pair
    result = rates_differ(*pair)
    z, p = proportions_ztest([a, b], [n, m])
    assert result.z == pytest.approx(z)
    expected = np.outer([n, m], [a + b, n + m - a - b]) / (n + m)
    if expected.min() < 5:
        p = stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue
        assert result.test == "fisher" and result.significant == (p < 0.05)
    else:
        assert result.test == "z" and result.significant == (abs(z) > 2)
    assert result.p_value == pytest.approx(p)


def test_both_tests_are_used_in_these_pairs_and_both_answers_occur():
    results = [rates_differ(*pair) for pair in PAIRS]
    assert {r.test for r in results} == {"z", "fisher"} and {r.significant for r in results} == {True, False}


def test_two_deviations_are_the_line_and_not_1_96():
    # Between 1.96 and 2 standard deviations: p is below 0.05, and the difference is not called significant.
    found = next(
        (a, b)
        for a, b in itertools.product(range(200, 301), repeat=2)
        if 1.965 < rates_differ(a, 500, b, 500).z < 1.995
    )
    result = rates_differ(found[0], 500, found[1], 500)
    assert result.p_value < 0.05 and result.significant is False


def test_an_empty_group_differs_from_nobody():
    result = rates_differ(0, 0, 3, 6)
    assert result.significant is None and math.isnan(result.z)


@pytest.mark.parametrize("seed", range(5))
def test_one_more_person_is_what_counting_again_gives(seed):
    draw = np.random.default_rng(seed)
    for _ in range(200):
        n, m = draw.integers(1, 40, 2).tolist()
        a, b = int(draw.integers(0, n + 1)), int(draw.integers(0, m + 1))
        result = one_more_person(a, n, b, m)

        def below(a, b, n=n, m=m):
            return None if not (0 <= a <= n and 0 < b <= m) else Fraction(a * m, n * b) < Fraction(4, 5)

        now, others = below(a, b), (below(a + 1, b), below(a - 1, b))
        assert result.flips == (now is not None and any(o is not None and o != now for o in others)), (a, n, b, m)
        lower = b > 0 and a * m * 5 < b * n * 4
        swapped = lower and a < n and (a + 1) * m > (b - 1) * n
        assert result.reverses == swapped, (a, n, b, m)
        if a < n and b > 0:
            assert result.ratio_one_more == pytest.approx((a + 1) / n / (b / m))


@pytest.mark.parametrize("ask", [rates_differ, one_more_person])
def test_impossible_counts_are_refused(ask):
    with pytest.raises(InputError, match="from 0 to the people"):
        ask(5, 4, 1, 2)


def frame(**groups: tuple[int, int]) -> pd.DataFrame:
    rows = [(name, n, positives) for name, (n, positives) in groups.items()]
    return pd.DataFrame(rows, columns=["group", "n", "positives"])


def test_a_ratio_of_exactly_four_fifths_is_not_below_it():
    made = impact_table(frame(a=(100, 60), b=(100, 48), c=(1000, 479)), ["group"])
    assert [row.below for row in made.rows] == [False, False, True]
    assert [row.is_reference for row in made.rows] == [True, False, False]


def test_the_reference_is_the_highest_rate_the_largest_group_or_the_one_that_is_named():
    counts = frame(a=(10, 9), b=(500, 200), c=(90, 60))
    assert impact_table(counts, ["group"]).reference == "a"
    assert impact_table(counts, ["group"], reference="largest").reference == "b"
    assert impact_table(counts, ["group"], reference="largest", chosen=["c"]).reference == "c"
    with pytest.raises(GroupError, match="no reference group 'd'"):
        impact_table(counts, ["group"], chosen=["d"])


def test_small_groups_are_marked_at_less_than_the_share_and_left_out_only_when_asked():
    counts = frame(a=(20, 18), b=(980, 490), c=(19, 10))
    shares = impact_table(counts, ["group"], smallest_share=0.02)
    assert [row.small for row in shares.rows] == [True, False, True]
    assert not any(row.left_out for row in shares.rows) and shares.reference == "a"
    out = impact_table(counts, ["group"], smallest_share=0.02, leave_out_small=True)
    assert out.reference == "b" and [row.left_out for row in out.rows] == [True, False, True]
    assert math.isnan(out.rows[0].impact_ratio) and out.rows[0].group.ratio == 0.9
    exact = impact_table(frame(a=(2, 1), b=(98, 49)), ["group"], smallest_share=0.02)
    assert not any(row.small for row in exact.rows), "2 % is not less than 2 %"


def test_nobody_selected_leaves_no_ratio_and_no_reference():
    made = impact_table(frame(a=(5, 0), b=(7, 0)), ["group"])
    assert made.reference is None and all(row.below is None for row in made.rows)


def test_nobody_at_all_is_refused():
    with pytest.raises(GroupError, match="nobody has both"):
        impact_table(frame(a=(0, 0)), ["group"])


@pytest.mark.parametrize("seed", range(4))
def test_standardised_differences_are_those_computed_from_the_rows(seed):
    draw = np.random.default_rng(seed)
    rows = pd.DataFrame({"g": draw.choice(list("abc"), 300), "x": draw.normal(50, 12, 300)})
    rows["x"] += rows["g"].map({"a": 0, "b": 4, "c": -9})
    parts = rows.groupby("g")["x"].agg(n="count", mean="mean", variance="var").reset_index()
    parts["missing"] = 0
    made = standardized_means(parts, ["g"], column="x", chosen=["a"])
    spread = rows["x"].std(ddof=1)
    assert made.deviation == pytest.approx(spread)
    for row in made.rows:
        own, base = rows.loc[rows["g"] == row.name, "x"], rows.loc[rows["g"] == "a", "x"]
        assert row.standardized == pytest.approx((own.mean() - base.mean()) / spread)
        if row.name != "a":
            assert row.p_value == pytest.approx(stats.ttest_ind(own, base, equal_var=False).pvalue)


def test_one_amount_for_everybody_has_no_standardised_difference():
    parts = pd.DataFrame({"g": ["a", "b"], "n": [3, 3], "missing": [0, 1], "mean": [2.0, 2.0], "variance": [0.0, 0.0]})
    made = standardized_means(parts, ["g"], column="x")
    assert all(math.isnan(row.standardized) for row in made.rows) and made.missing == 1
    assert size_word(math.nan) is None


def test_words_of_size_turn_where_cohen_has_them():
    assert [size_word(x) for x in (0.19, -0.2, 0.49, 0.5, 0.79, -0.8)] == [
        "negligible",
        "small",
        "small",
        "medium",
        "medium",
        "large",
    ]
