"""Tests of limits against exact counts, direct maximisation and simulation."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats

from fairaudit.errors import InputError
from fairaudit.estimators.certified import (
    STARTS,
    UNSEEN,
    Comparison,
    LeastRate,
    MeanComparison,
    certified_in_order,
    certify,
    dependent_p_values,
    difference_p_values,
    gap_p_values,
    score_statistic,
)


def likelihood(difference, ratio, hits, sizes, second):
    first = difference + ratio * second
    return sum(
        h * math.log(rate) + (n - h) * math.log(1 - rate)
        for h, n, rate in zip(hits, sizes, (first, second), strict=True)
    )


@pytest.mark.parametrize("difference", [-0.2, -0.05, 0.05, 0.3])
@pytest.mark.parametrize("ratio", [1.0, 0.8])
def test_the_score_statistic_has_the_most_likely_rates_at_the_limit(difference, ratio):
    for hits, sizes in (((7, 30), (20, 90)), ((3, 3), (40, 15)), ((50, 20), (60, 100))):
        low, high = max(0.0, -difference / ratio), min(1.0, (1 - difference) / ratio)
        found = optimize.minimize_scalar(
            lambda second, hits=hits, sizes=sizes: -likelihood(difference, ratio, hits, sizes, second),
            bounds=(low + 1e-9, high - 1e-9),
            method="bounded",
            options={"xatol": 1e-12},
        )
        second, first = found.x, difference + ratio * found.x
        n = sum(sizes)
        variance = (first * (1 - first) / sizes[0] + ratio**2 * second * (1 - second) / sizes[1]) * n / (n - 1)
        expected = (hits[0] / sizes[0] - ratio * hits[1] / sizes[1] - difference) / math.sqrt(variance)
        assert score_statistic(difference, ratio, [hits], [sizes])[0] == pytest.approx(expected, abs=1e-5)


def every_table(n_first, n_second):
    first, second = np.meshgrid(np.arange(n_first + 1.0), np.arange(n_second + 1.0), indexing="ij")
    hits = np.stack([first.ravel(), second.ravel()], axis=1)
    return hits, np.broadcast_to([float(n_first), float(n_second)], hits.shape)


def largest_size(p_values, hits, sizes, difference, ratio, alpha):
    """Return the largest chance of a p-value of at most alpha where the difference is just too large."""
    worst = 0.0
    for second in np.linspace(0, 1, 101):
        first = difference + ratio * second
        if 0 <= first <= 1:
            chances = stats.binom.pmf(hits[:, 0], sizes[0, 0], first) * stats.binom.pmf(hits[:, 1], sizes[0, 1], second)
            worst = max(worst, chances[p_values <= alpha].sum())
    return worst


@pytest.mark.parametrize(("n_first", "n_second"), [(8, 8), (6, 15), (14, 5)])
@pytest.mark.parametrize(("difference", "ratio"), [(0.1, 1.0), (0.0, 0.8), (-0.2, 1.0)])
def test_the_test_of_small_groups_keeps_its_size_over_all_tables(n_first, n_second, difference, ratio):
    hits, sizes = every_table(n_first, n_second)
    p_values = difference_p_values(difference, ratio, hits, sizes)
    for alpha in (0.05, 0.1, 0.25):
        assert largest_size(p_values, hits, sizes, difference, ratio, alpha) <= alpha


def test_an_exact_p_value_is_the_largest_chance_of_a_statistic_that_small():
    hits, sizes = every_table(7, 11)
    statistics = score_statistic(0.1, 1.0, hits, sizes)
    for place in np.flatnonzero(statistics < -0.5)[::5]:
        expected = largest_size(statistics, hits, sizes, 0.1, 1.0, statistics[place] + 1e-9)
        assert difference_p_values(0.1, 1.0, hits[[place]], sizes[[place]])[0] <= expected + 0.0011


@pytest.mark.parametrize(("n_first", "n_second", "limit"), [(8, 8, 0.3), (6, 15, 0.4), (14, 5, 0.5)])
def test_a_gap_at_either_side_of_its_limit_is_missed_as_seldom_as_is_said(n_first, n_second, limit):
    hits, sizes = every_table(n_first, n_second)
    p_values = gap_p_values(limit, hits, sizes)
    for alpha in (0.05, 0.1, 0.25):
        for difference in (limit, -limit, min(1.3 * limit, 1.0)):
            assert largest_size(p_values, hits, sizes, difference, 1.0, alpha) <= alpha


def test_a_gap_with_a_large_error_is_certified_more_often_than_by_two_tests_and_never_by_luck():
    hits, sizes = np.array([[900.0, 600.0], [913.0, 600.0], [930.0, 600.0]]), np.array([[1_500.0, 1_000.0]] * 3)
    error = math.sqrt(0.24 / 1_500 + 0.24 / 1_000)
    for limit in (1.2 * error, 2 * error, 6 * error):
        found = gap_p_values(limit, hits, sizes)
        gaps = hits[:, 0] / 1_500 - 0.6
        expected = stats.norm.cdf((gaps - limit) / error) - stats.norm.cdf((-gaps - limit) / error)
        assert found == pytest.approx(expected, abs=0.01)
        assert (found <= difference_p_values(limit, 1.0, hits, sizes)).all()
    # With an error above the limit, even no gap at all is no evidence.
    assert gap_p_values(0.9 * error, hits, sizes)[0] > 0.1


@pytest.mark.thorough
@pytest.mark.parametrize(("n_first", "n_second", "limit"), [(20, 100, 0.03), (60, 20, 0.05), (30, 30, 0.2)])
def test_the_test_of_a_limit_keeps_its_size(n_first, n_second, limit):
    hits, sizes = every_table(n_first, n_second)
    statistics = score_statistic(limit, 1.0, hits, sizes)
    near = np.abs(statistics + 1.4) < 0.6
    p_values = np.where(statistics < -1, 0.0, 1.0)
    p_values[near] = difference_p_values(limit, 1.0, hits[near], sizes[near])
    assert largest_size(p_values, hits, sizes, limit, 1.0, 0.1) <= 0.1


def test_large_groups_have_the_normal_p_value():
    hits, sizes = np.array([[300.0, 900.0]]), np.array([[1_000.0, 3_200.0]])
    statistic = score_statistic(0.05, 1.0, hits, sizes)
    assert difference_p_values(0.05, 1.0, hits, sizes) == pytest.approx(stats.norm.cdf(statistic))


def test_groups_that_share_rows_need_no_independence():
    rng = np.random.default_rng(0)
    missed = 0
    for _ in range(100):
        # One event for all, so that the two rates are as dependent as they can be; the gap is at its limit.
        drawn = rng.random(200)
        hits = np.array([[(drawn < 0.5).sum(), (drawn > 0.6).sum()]], dtype=float)
        missed += bool(dependent_p_values(0.1, 1.0, hits, np.array([[200.0, 200.0]]))[0] <= 0.1)
    assert missed / 100 < 0.1


def test_a_gap_is_tested_at_both_its_sides_and_a_floor_at_one():
    hits, sizes = np.array([[30.0, 50.0], [50.0, 50.0], [70.0, 50.0]]), np.full((3, 2), 100.0)
    p_values = Comparison("a", "b", hits, sizes, 0.25).p_values()
    assert p_values[0] == pytest.approx(p_values[2], abs=1e-9)
    assert p_values[1] < 0.01
    floor = Comparison("a", "b", hits, sizes, 0.25, is_floor=True).p_values()
    # From so far beyond the other side of the limit nothing comes.
    assert floor[0] == pytest.approx(p_values[0], abs=1e-6)
    assert floor[2] < floor[1]
    four_fifths = Comparison("a", "b", hits, sizes, 0.0, ratio=0.8, is_floor=True)
    assert four_fifths.p_values()[0] > 0.5 > four_fifths.p_values()[1]
    # 30 % is 40 % below 50 %, where 20 % are allowed.
    assert four_fifths.ratios() == pytest.approx([2.0, 0.0, 0.0])


def test_a_group_without_rows_is_never_certified():
    nothing = np.zeros((1, 2))
    assert Comparison("a", "b", nothing, nothing, 0.1).p_values()[0] == 1
    assert Comparison("a", "b", nothing, nothing, 0.1, overlap=True).p_values()[0] == 1
    assert LeastRate("a", nothing[0, :1], nothing[0, :1], 0.8).p_values()[0] == 1


def test_where_all_or_none_have_the_event_chance_cannot_be_ruled_out_by_rounding():
    for hits, difference in (((304.0, 165.0), 0.2), ((0.0, 0.0), 0.0)):
        assert difference_p_values(difference, 0.8, [hits], [[304.0, 165.0]])[0] > 0.4


def test_a_floor_of_one_rate_has_the_binomial_test():
    found = LeastRate("a", np.array([90.0, 80.0]), np.array([100.0, 100.0]), 0.8).p_values()
    expected = [stats.binomtest(k, 100, 0.8, alternative="greater").pvalue for k in (90, 80)]
    assert found == pytest.approx(expected)


def test_means_have_the_test_of_welch_with_rows_that_are_not_seen():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.0, 1, 40), rng.normal(0.1, 3, 60)
    found = MeanComparison.of(("a", "b"), (first[None], second[None]), (np.ones(40), np.ones(60)), 1.5).p_values()[0]
    ends = UNSEEN * [min(first.min(), second.min()), max(first.max(), second.max())]
    spread = [np.std([*values, *ends], ddof=1) for values in (first, second)]

    def one_sided(shift, alternative):
        both = (first.mean(), spread[0], 40, second.mean() + shift, spread[1], 60)
        return stats.ttest_ind_from_stats(*both, equal_var=False, alternative=alternative).pvalue

    assert found == pytest.approx(max(one_sided(1.5, "less"), one_sided(-1.5, "greater")))


@pytest.mark.parametrize(("n", "rate"), [(15, 0.04), (25, 0.06), (40, 0.06), (100, 0.04)])
def test_rare_errors_of_a_small_group_do_not_pass_for_none(n, rate):
    # The rates are apart by exactly the limit, so that about a tenth may pass; all numbers of errors are tried.
    hits, others = np.arange(n + 1), np.arange(31)
    chance = np.outer(stats.binom.pmf(hits, n, rate), stats.binom.pmf(others, 300, 0.01))
    first = (np.arange(n)[None] < np.repeat(hits, len(others))[:, None]).astype(float)
    second = (np.arange(300)[None] < np.tile(others, len(hits))[:, None]).astype(float)
    found = MeanComparison.of(("a", "b"), (first, second), (np.ones(n), np.ones(300)), rate - 0.01).p_values()
    assert chance.ravel()[found <= 0.1].sum() < 0.15


def test_the_rows_needed_are_those_of_a_first_test_as_none_comes_before_it():
    seen = np.array([0.2, 0.001, 0.3, 0.4])
    requirement = SimpleNamespace(p_values=lambda exact: seen, one_sided=lambda: seen, ratios=lambda: np.ones(4))
    _, certificate = certify([requirement], [0.5] * 4, confidence=0.9, n_rows=1_000)
    assert certificate.p_value == 0.001
    # The first candidate is tested at 8 %, which takes (1.405 + 0.842)^2 / 0.842^2 times the rows.
    assert certificate.n_needed == pytest.approx(7_128, abs=2)


def test_tests_end_at_the_first_that_fails_after_each_start():
    n = 10
    second = math.ceil(STARTS[1][0] * n)
    p_values = np.full(n, 0.01)
    assert certified_in_order(p_values, 0.9).all()
    p_values[0] = 0.5
    assert np.flatnonzero(certified_in_order(p_values, 0.9))[0] == second
    p_values[5] = 0.5
    assert not certified_in_order(p_values, 0.9)[5:].any()


@pytest.mark.thorough
def test_the_chance_that_a_wrong_candidate_is_certified_is_what_is_allowed():
    rng = np.random.default_rng(0)
    missed = 0
    n_draws = 4_000
    for _ in range(n_draws):
        # Half of the candidates are wrong, at random places, and all are tested on the same rows.
        wrong = rng.random(12) < 0.5
        p_values = np.where(wrong, stats.norm.cdf(0.7 * rng.normal() + math.sqrt(0.51) * rng.normal(size=12)), 1e-4)
        missed += bool((certified_in_order(p_values, 0.9) & wrong).any())
    assert missed / n_draws <= 0.1 + 2 * math.sqrt(0.09 / n_draws)


def test_the_most_accurate_certified_candidate_is_chosen_and_without_one_the_most_accurate():
    hits = np.array([[500.0, 500.0], [510.0, 500.0], [640.0, 500.0]])
    comparison = Comparison("a", "b", hits, np.full((3, 2), 1_000.0), 0.1)
    place, certificate = certify([comparison], [0.7, 0.8, 0.9], confidence=0.9, n_rows=2_000)
    assert (place, certificate.is_certified, certificate.n_certified, certificate.n_needed) == (1, True, 2, None)
    strict = Comparison("a", "b", hits, np.full((3, 2), 1_000.0), 0.012)
    place, certificate = certify([strict], [0.7, 0.8, 0.9], confidence=0.9, n_rows=2_000)
    assert place == 2
    assert not certificate.is_certified
    # With so many rows, and the same rates, the first would be, with room to spare for the stated power.
    times = certificate.n_needed / 2_000
    more = Comparison("a", "b", hits[:1] * times, np.full((1, 2), 1_000.0 * times), 0.012)
    assert certify([more], [0.7], confidence=0.9, n_rows=certificate.n_needed)[1].p_value < 0.08


def test_nothing_to_compare_is_refused():
    with pytest.raises(InputError, match="certified"):
        certify([], [0.5], confidence=0.9, n_rows=10)
