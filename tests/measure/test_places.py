"""What chance leaves of places in lists, against SciPy, and all orders of small lists."""

from __future__ import annotations

import math
from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats

from fairaudit.measure.places import (
    FEW_CASES,
    Places,
    by_chance,
    common_gap,
    exact_first_p_value,
    exact_tied_p_value,
    fails_by_chance,
    fewest_protected,
    lot_p_value,
    prefix_p_values,
    prefix_test,
    stands_higher,
)


def orders(values):
    """Return all orders in which cases may stand, the best first, where a lot decides between those alike."""
    return [order for order in permutations(range(len(values))) if all(np.diff([values[i] for i in order]) >= 0)]


@pytest.mark.parametrize("seed", range(6))
def test_a_lot_between_those_alike_is_what_all_orders_come_to(seed):
    values = np.random.default_rng(seed).integers(1, 4, 6).astype(float)
    places, possible = Places.of(np.zeros(6, dtype=int), values, high_is_first=False), orders(values)
    at = np.array([np.argsort(order) for order in possible]) + 1
    assert places.middle == pytest.approx(stats.rankdata(values))
    for k in range(1, 7):
        assert places.in_first(k) == pytest.approx((at <= k).mean(axis=0)), (seed, k)
    assert places.exposure == pytest.approx((1 / np.log2(1 + at)).mean(axis=0)), seed
    turned = Places.of(np.zeros(6, dtype=int), -values, high_is_first=True)
    assert turned.ahead.tolist() == places.ahead.tolist()


def test_places_of_several_lists_are_those_of_each_by_itself():
    rng = np.random.default_rng(3)
    lists, values = rng.integers(0, 5, 60), rng.integers(0, 6, 60).astype(float)
    places = Places.of(lists, values, high_is_first=True)
    for each in range(5):
        here = lists == each
        assert places.middle[here] == pytest.approx(stats.rankdata(-values[here]))


@pytest.mark.parametrize("seed", range(4))
def test_mean_and_spread_by_lot_are_those_of_all_permutations(seed):
    rng = np.random.default_rng(seed)
    values, protected = rng.normal(size=6), np.arange(6) < 2
    sums = [sum(values[i] for i in order[:2]) for order in permutations(range(6))]
    found = by_chance(np.zeros(6, dtype=int), protected, values)
    assert (found.expected, found.variance) == pytest.approx((np.mean(sums), np.var(sums)))
    assert found.found == pytest.approx(values[:2].sum())


@pytest.mark.parametrize("cells", [(1, 6, 5, 14), (0, 3, 4, 9), (3, 3, 1, 9)])
def test_one_list_is_fishers_test(cells):
    a, m, b, n = cells
    p = exact_first_p_value(np.array([m]), np.array([m + n]), np.array([a + b]), a)
    assert p == pytest.approx(stats.fisher_exact([[a, m - a], [b, n - b]]).pvalue)


def test_several_lists_are_all_draws_of_each():
    own, size, chosen, found = np.array([1, 2, 2]), np.array([4, 3, 5]), np.array([2, 1, 2]), 1
    each = [stats.hypergeom(n, m, k) for m, n, k in zip(own, size, chosen, strict=True)]
    chances: dict[int, float] = {}
    for draws in product(range(3), repeat=3):
        chance = math.prod(one.pmf(x) for one, x in zip(each, draws, strict=True))
        chances[sum(draws)] = chances.get(sum(draws), 0.0) + chance
    expected = sum(chance for chance in chances.values() if chance <= chances[found] * (1 + 1e-9))
    assert exact_first_p_value(own, size, chosen, found) == pytest.approx(expected)


TIED = [([1.0, 1, 1, 2, 2, 3], 2, 2), ([1.0, 2, 2, 2, 2, 3, 4], 3, 3), ([1.0, 1, 1, 1, 1, 2], 1, 4)]


@pytest.mark.parametrize(("values", "m", "k"), TIED)
def test_ties_across_the_last_place_are_all_permutations_of_a_list(values, m, k):
    n = len(values)
    places = Places.of(np.zeros(n, dtype=int), np.array(values), high_is_first=False)
    chance = places.in_first(k)
    sums = np.array([chance[list(order[:m])].sum() for order in permutations(range(n))])
    for order in permutations(range(n), m):
        protected = np.isin(np.arange(n), order)
        far = abs(chance[protected].sum() - sums.mean())
        expected = (np.abs(sums - sums.mean()) >= far - 1e-9).mean()
        assert exact_tied_p_value(places.lists, protected, chance, places.tied) == pytest.approx(expected)


def drawn_from_two_lists():
    """Return two lists with ties of 3 and 4 across the last place, and the sums of all who may be protected."""
    lists = np.repeat([0, 1], [5, 6])
    places = Places.of(lists, np.array([1.0, 2, 2, 2, 3, 1, 1, 1, 1, 2, 3]), high_is_first=False)
    chance = places.in_first(2)
    one, other = list(combinations(range(5), 2)), list(combinations(range(5, 11), 3))
    return places, chance, [np.isin(np.arange(11), a + b) for a, b in product(one, other)]


def test_ties_of_several_lists_are_all_draws_of_each():
    places, chance, draws = drawn_from_two_lists()
    away = np.abs(np.array([chance[each].sum() for each in draws]) - np.mean([chance[each].sum() for each in draws]))
    for each, far in zip(draws[::7], away[::7], strict=True):
        expected = (away >= far - 1e-9).mean()
        assert exact_tied_p_value(places.lists, each, chance, places.tied) == pytest.approx(expected)


def test_chances_that_are_rounded_make_no_p_value_smaller(monkeypatch):
    places, chance, draws = drawn_from_two_lists()
    exact = [exact_tied_p_value(places.lists, each, chance, places.tied) for each in draws[::7]]
    monkeypatch.setattr("fairaudit.measure.places.FINEST_UNIT", 11)
    monkeypatch.setattr("fairaudit.measure.places.ROUNDED_BY", 0.25)
    rounded = [exact_tied_p_value(places.lists, each, chance, places.tied) for each in draws[::7]]
    assert all(one >= other - 1e-9 for one, other in zip(rounded, exact, strict=True))
    assert rounded != exact


def test_a_tie_across_the_last_place_is_seldom_a_gap_by_chance():
    # 17 of 20 share the first place, and 16 stand among the first: by the normal distribution 15 % would be gaps.
    chance, tied = np.r_[np.full(17, 16 / 17), np.zeros(3)], np.r_[np.full(17, 17), np.ones(3, dtype=int)]
    for m in range(1, 20):
        rejected = 0.0
        for shared in range(max(0, m - 3), min(17, m) + 1):
            protected = np.r_[np.arange(17) < shared, np.arange(3) < m - shared]
            p = exact_tied_p_value(np.zeros(20, dtype=int), protected, chance, tied)
            rejected += stats.hypergeom(20, 17, m).pmf(shared) * (p <= 0.05)
        assert rejected <= 0.05 + 1e-9, m


def test_too_long_a_sum_is_left_to_the_normal_distribution():
    many = np.full(20_000, 10)
    assert exact_first_p_value(many, 2 * many, many, 100_000) is None


@pytest.mark.parametrize("seed", range(5))
def test_who_stands_higher_in_one_list_is_the_test_of_mann_and_whitney(seed):
    rng = np.random.default_rng(seed)
    n = FEW_CASES + 40
    ranks, protected = rng.integers(1, 90, n).astype(float), rng.random(n) < 0.4
    found = stands_higher(Places.of(np.zeros(n, dtype=int), ranks, high_is_first=False), protected, 0.95)
    own, others = -ranks[protected], -ranks[~protected]
    expected = stats.mannwhitneyu(own, others, method="asymptotic", use_continuity=False)
    assert found.chance == pytest.approx(expected.statistic / (len(own) * len(others)))
    assert found.p_value == pytest.approx(expected.pvalue)
    assert 0 < found.interval.low < found.chance < found.interval.high < 1


@pytest.mark.parametrize("seed", range(6))
def test_of_few_cases_the_p_value_is_that_of_all_ways_to_deal_places(seed):
    rng = np.random.default_rng([3, seed])
    lists = np.sort(rng.integers(0, 3, 11))
    values, protected, weights = rng.integers(0, 5, 11) / 3.0, rng.random(11) < 0.4, rng.random(3) + 0.5
    by_lot = by_chance(lists, protected, values, weights)
    if by_lot.variance <= 0:
        assert math.isnan(lot_p_value(lists, protected, values, weights))
        return
    ways = []
    for each in np.unique(lists):
        worth = values[lists == each] * weights[each]
        ways.append([sum(chosen) for chosen in combinations(worth, int(protected[lists == each].sum()))])
    sums = np.array([sum(way) for way in product(*ways)])
    far = abs(by_lot.found - by_lot.expected)
    exact = (np.abs(sums - by_lot.expected) >= far - 1e-9).mean()
    # Nine thousand deals are so near to all of them.
    assert lot_p_value(lists, protected, values, weights) == pytest.approx(exact, abs=0.025)


def test_the_p_value_of_few_cases_hangs_on_no_order_of_rows_and_no_name_of_a_list():
    rng = np.random.default_rng(8)
    lists, values, protected = rng.integers(0, 5, 60), rng.random(60), rng.random(60) < 0.4
    found, mixed = lot_p_value(lists, protected, values), rng.permutation(60)
    assert lot_p_value(4 - lists[mixed], protected[mixed], values[mixed]) == found
    assert lot_p_value(lists, ~protected, values) == pytest.approx(found, abs=0.02)


def test_who_stands_higher_in_several_lists_has_the_weights_of_van_elteren():
    rng = np.random.default_rng(1)
    lists, ranks, protected = rng.integers(0, 4, 60), rng.permutation(60).astype(float), rng.random(60) < 0.5
    found = stands_higher(Places.of(lists, ranks, high_is_first=False), protected, 0.95)
    weights, chances = [], []
    for each in range(4):
        own, others = (ranks[(lists == each) & side] for side in (protected, ~protected))
        weights.append(len(own) * len(others) / (len(own) + len(others) + 1))
        chances.append(np.mean([x < y for x, y in product(own, others)]))
    assert found.chance == pytest.approx(np.average(chances, weights=weights)) and found.n_lists == 4


def test_a_group_that_always_stands_higher_has_a_range_that_is_no_point():
    ranks, protected = np.arange(1.0, 21), np.arange(20) < 8
    found = stands_higher(Places.of(np.zeros(20, dtype=int), ranks, high_is_first=False), protected, 0.95)
    assert found.chance == 1 and 0.5 < found.interval.low < 1 and found.interval.high == pytest.approx(1)


def test_the_gap_of_many_lists_reaches_as_far_as_the_spread_between_them():
    alike = np.tile([[1.5, 5, 2.5, 5]], (20, 1))
    unlike = alike + np.where(np.arange(20) % 2, 1.5, -1.5)[:, None] * np.array([1.0, 0, -1, 0])
    (gap, near), (other, far) = (common_gap(cells, 0.95) for cells in (alike, unlike))
    assert gap == other == pytest.approx(-0.2)
    assert far.low < near.low and near.high < far.high


# The prefix test, against all lists of draws.


@pytest.mark.parametrize(("k", "share"), [(6, 0.3), (8, 0.5), (9, 0.2)])
def test_the_chance_to_fail_is_that_of_all_lists(k, share):
    fewest = fewest_protected(k, share, 0.1)
    failing = 0.0
    for draws in product((0, 1), repeat=k):
        if (np.cumsum(draws) < fewest).any():
            failing += share ** sum(draws) * (1 - share) ** (k - sum(draws))
    assert fails_by_chance(fewest, share) == pytest.approx(failing)


@pytest.mark.parametrize(("k", "share"), [(20, 0.3), (40, 0.5), (100, 0.4), (10, 0.1)])
def test_the_adjusted_level_is_the_largest_that_keeps_the_level(k, share):
    test = prefix_test(k, share, 0.1)
    assert test.fails_by_chance <= 0.1 and test.adjusted_level <= 0.1
    if test.adjusted_level < 0.1:
        more = fewest_protected(k, share, test.adjusted_level * (1 + 1e-6))
        assert fails_by_chance(more, share) > 0.1


def test_fewest_are_those_of_the_published_table():
    # Zehlike and others (2017), table 2: k from 1 to 12 at a level of 0.1, not adjusted.
    published = {0.3: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2], 0.5: [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4]}
    for share, fewest in published.items():
        assert fewest_protected(12, share, 0.1).tolist() == fewest


def test_the_p_value_of_prefixes_is_the_chance_of_a_list_that_is_as_short():
    k, share = 7, 0.4
    lists = np.array([np.cumsum(draws) for draws in product((0, 1), repeat=k)])
    chances = np.prod(np.where(np.diff(lists, axis=1, prepend=0), share, 1 - share), axis=1)
    least = stats.binom.cdf(lists, np.arange(1, k + 1), share).min(axis=1)
    expected = [chances[least <= own * (1 + 1e-12)].sum() for own in least]
    assert prefix_p_values(lists, share) == pytest.approx(expected)


@pytest.mark.parametrize(("k", "share"), [(12, 0.4), (9, 0.5)])
def test_a_list_fails_where_its_p_value_is_below_the_level(k, share):
    rng, test = np.random.default_rng(5), prefix_test(k, share, 0.1)
    drawn = rng.random((300, k)) < share * rng.random((300, 1))
    fails = [test.first_failure(own) is not None for own in drawn]
    p_values = prefix_p_values(np.cumsum(drawn, axis=1), share)
    assert any(fails) and not all(fails)
    assert fails == (p_values <= 0.1).tolist()
