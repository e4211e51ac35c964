"""What chance leaves of places in lists: first places, exposure, who stands higher, and the prefix test of FA*IR."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from fairaudit.measure.intervals import Floats, newcombe, two_sided_z
from fairaudit.measure.results import Interval
from fairaudit.measure.strata import UNDEFINED, common_difference

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

EXACT_STEPS = 50_000_000
"""The most products of probabilities that an exact distribution over several lists may take."""
FINEST_UNIT = 100_000
"""Chances of cases that are alike are cut into at most so many parts."""
ROUNDED_BY = 0.05
"""How much of its spread a sum may be off where its chances have no small common denominator."""

FEW_CASES = 500
"""Up to so many cases in all lists, a sum over the protected is held against random deals of places."""
DEALS = 9_999
"""How many."""

MANY_LISTS = 10
"""From so many lists on, the spread between them says how sure their average is."""


@dataclass(frozen=True)
class Places:
    """Where each case stands in its list; cases that are alike share their places.

    Parameters
    ----------
    lists : ndarray of int, shape (n,)
        The list of each case, 0 to n_lists - 1.
    ahead : ndarray of int, shape (n,)
        How many of its list stand before it.
    tied : ndarray of int, shape (n,)
        How many of its list share its place, itself among them.
    """

    lists: Ints
    ahead: Ints
    tied: Ints

    @classmethod
    def of(cls, lists: Ints, values: Floats, *, high_is_first: bool) -> Places:
        """Return the places by ranks or scores."""
        order = np.lexsort((-values if high_is_first else values, lists))
        own, value = lists[order], values[order]
        n = len(order)
        new_list = np.r_[True, own[1:] != own[:-1]]
        new_value = new_list | np.r_[True, value[1:] != value[:-1]]
        starts = np.flatnonzero(new_value)
        run = np.cumsum(new_value) - 1
        first_of_list = np.flatnonzero(new_list)[np.cumsum(new_list) - 1]
        ahead, tied = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
        ahead[order] = starts[run] - first_of_list
        tied[order] = np.diff(np.r_[starts, n])[run]
        return cls(lists, ahead, tied)

    @property
    def middle(self) -> Floats:
        """The place of each case, from 1; the middle one of those that it shares."""
        return self.ahead + (self.tied + 1) / 2

    def in_first(self, k: int) -> Floats:
        """Return the chance of each case to be among the first k, where a lot decides between those that are alike."""
        return np.clip((k - self.ahead) / self.tied, 0.0, 1.0)

    @property
    def exposure(self) -> Floats:
        """The discounted exposure of each case, 1 / log2(1 + place), on average over the places that it shares."""
        most = int((self.ahead + self.tied).max(initial=0))
        summed = np.r_[0.0, np.cumsum(1 / np.log2(np.arange(2, most + 2)))]
        return (summed[self.ahead + self.tied] - summed[self.ahead]) / self.tied


@dataclass(frozen=True)
class ByChance:
    """A sum over the protected, and what it would be if places in each list were drawn by lot."""

    found: float
    expected: float
    variance: float

    @property
    def p_value(self) -> float:
        """Two-sided, by the normal distribution; NaN where chance leaves one value only."""
        if self.variance <= 0:
            return math.nan
        return float(2 * special.ndtr(-abs(self.found - self.expected) / math.sqrt(self.variance)))


def by_chance(lists: Ints, protected: Bools, values: Floats, weights: Floats | None = None) -> ByChance:
    """Compare the sum of the protected with that of places drawn by lot in each list.

    Parameters
    ----------
    lists : ndarray of int, shape (n,)
        The list of each case.
    protected : ndarray of bool, shape (n,)
        Who is protected.
    values : ndarray, shape (n,)
        What a place is worth.
    weights : ndarray, shape (n_lists,), optional
        What each list counts for.
    """
    n_lists = int(lists.max(initial=-1)) + 1
    # A list that nobody is left of adds nothing.
    size = np.maximum(np.bincount(lists, minlength=n_lists), 1)
    own = np.bincount(lists, weights=protected, minlength=n_lists)
    total = np.bincount(lists, weights=values, minlength=n_lists)
    squares = np.bincount(lists, weights=values**2, minlength=n_lists)
    summed = np.bincount(lists, weights=values * protected, minlength=n_lists)
    spread = np.maximum(squares - total**2 / size, 0.0)
    variance = own * (size - own) / size * spread / np.maximum(size - 1, 1)
    weight = np.ones(n_lists) if weights is None else weights
    expected = float(weight @ (own * total / size))
    return ByChance(float(weight @ summed), expected, float(weight**2 @ variance))


def lot_p_value(lists: Ints, protected: Bools, values: Floats, weights: Floats | None = None) -> float:
    """Return the two-sided p-value of the sum of the protected, if places in each list were drawn by lot.

    Of up to 500 cases it is the share of random deals, what was found being one of them, whose sum is as far from the
    expected one: it is valid however few there are. Of more it is that of the normal distribution.

    Parameters
    ----------
    lists, protected, values, weights
        As :func:`by_chance` takes them.
    """
    by_lot = by_chance(lists, protected, values, weights)
    if len(lists) > FEW_CASES or by_lot.variance <= 0:
        return by_lot.p_value
    worth = values if weights is None else values * weights[lists]
    kinds = []
    for each in np.unique(lists):
        inside = lists == each
        own, n = int(protected[inside].sum()), int(inside.sum())
        # The fewer of both groups are drawn; what the others have less, the protected have more.
        kinds.append((tuple(np.sort(worth[inside]).tolist()), min(own, n - own), 1 if 2 * own <= n else -1))
    random, moved = np.random.default_rng(0), np.zeros(DEALS)
    for held, n_drawn, sign in sorted(kinds):
        if n_drawn:
            scores = np.array(held)
            chosen = np.argpartition(random.random((DEALS, len(held))), n_drawn - 1, axis=1)[:, :n_drawn]
            moved += sign * (scores[chosen].sum(axis=1) - n_drawn * float(scores.mean()))
    far = abs(by_lot.found - by_lot.expected)
    return float((1 + (np.abs(moved) >= far * (1 - 1e-9)).sum()) / (DEALS + 1))


def exact_first_p_value(own: Ints, size: Ints, chosen: Ints, found: int, *, most: int = EXACT_STEPS) -> float | None:
    """Return the exact two-sided p-value of how many protected cases are among those chosen of several lists.

    Given how many are protected and how many are chosen in each list, the number is a sum of hypergeometric ones. All
    numbers that are no likelier than the one found count against chance.

    Parameters
    ----------
    own, size, chosen : ndarray of int, shape (n_lists,)
        Protected, all, and chosen cases of each list.
    found : int
        The protected among the chosen of all lists.
    most : int
        The most products of probabilities that may be taken.

    Returns
    -------
    float or None
        None where the lists are too many or too long to be added up.
    """
    from scipy import stats  # here, because it takes longer to import than to use

    low = np.maximum(chosen + own - size, 0)
    ways = np.minimum(chosen, own) - low + 1
    if int(ways.max(initial=1)) * int(ways.sum()) * len(own) > most:
        return None
    chances = np.ones(1)
    kinds, how_many = np.unique(np.column_stack([own, size, chosen, low, ways]), axis=0, return_counts=True)
    for (m, n, k, least, n_ways), repeats in zip(kinds, how_many, strict=True):
        each = stats.hypergeom.pmf(np.arange(least, least + n_ways), n, m, k)
        for _ in range(repeats):
            chances = np.convolve(chances, each)
    at = found - int(low.sum())
    if not 0 <= at < len(chances):
        raise ValueError(f"{found} protected cases cannot be among those chosen")
    return float(min(1.0, chances[chances <= chances[at] * (1 + 1e-9)].sum()))


def exact_tied_p_value(
    lists: Ints, protected: Bools, chance: Floats, tied: Ints, *, most: int = EXACT_STEPS
) -> float | None:
    """Return the exact two-sided p-value of the protected among the first, where ties lie across the last place.

    Given who is in each list and which places are shared, the protected cases that are surely among the first, that
    share the last place, and that are behind it are multivariate hypergeometric. Those that share it count by their
    chance. All sums that are as far from the expected one as the one found count against chance.

    Parameters
    ----------
    lists : ndarray of int, shape (n,)
        The list of each case.
    protected : ndarray of bool, shape (n,)
        Who is protected.
    chance : ndarray, shape (n,)
        The chance of each to be among the first; of a list, one value at most is neither 0 nor 1.
    tied : ndarray of int, shape (n,)
        How many of its list share its place; times `chance`, that is a whole number.
    most : int
        The most products of probabilities that may be taken.

    Returns
    -------
    float or None
        None where the lists are too many or too long to be added up. Where chances of many lists have no small common
        denominator, they are rounded, and the p-value is at least the exact one.
    """
    n_lists = int(lists.max(initial=-1)) + 1
    split = (chance > 0) & (chance < 1)
    share, among = np.zeros(n_lists), np.ones(n_lists, dtype=np.int64)
    share[lists[split]], among[lists[split]] = chance[split], tied[split]
    sizes = (np.bincount(lists[of], minlength=n_lists) for of in (protected, chance == 1, split, chance == 0))
    counts = np.column_stack([*sizes, among, np.rint(share * among).astype(np.int64)])
    by_lot = by_chance(lists, protected, chance)
    far = abs(by_lot.found - by_lot.expected)
    common = math.lcm(*map(int, among))
    if by_lot.variance <= 0:
        return None
    n_split, spread = int((among > 1).sum()), math.sqrt(by_lot.variance)
    rounded = math.ceil(n_split / (2 * ROUNDED_BY * spread))
    for unit, steps in ((common, most // 10), (rounded, most)):
        if unit <= FINEST_UNIT and (drawn := _sum_by_lot(counts, unit, steps)) is not None:
            least, chances = drawn
            slack = 1e-9 + (0.0 if unit == common else n_split / (2 * unit))
            away = np.abs((least + np.arange(len(chances))) / unit - by_lot.expected)
            return float(min(1.0, chances[away >= far - slack].sum()))
    return None


def _sum_by_lot(counts: Ints, unit: int, most: int) -> tuple[int, Floats] | None:
    """Return the least sum of all lists in parts of a unit, and the chances of it and those after; None if too long."""
    least, chances, steps = 0, np.ones(1), 0
    kinds, how_many = np.unique(counts, axis=0, return_counts=True)
    for (m, ahead, alike, behind, among, got), repeats in zip(kinds, how_many, strict=True):
        sure = np.arange(max(0, m - alike - behind), min(m, ahead) + 1)
        shared = np.arange(max(0, m - ahead - behind), min(m, alike) + 1)
        if len(sure) * len(shared) > EXACT_STEPS // 10:
            return None
        x, y = sure[:, None], shared[None, :]
        z = m - x - y
        possible = (z >= 0) & (z <= behind)
        x, y, z = (np.broadcast_to(of, possible.shape)[possible] for of in (x, y, z))
        ways = _log_ways(ahead, x) + _log_ways(alike, y) + _log_ways(behind, z)
        each = np.exp(ways - _log_ways(ahead + alike + behind, m))
        # A half is rounded up: what is rounded is off by half a part at most.
        worth = x * unit + (2 * y * got * unit + among) // (2 * among)
        values, which = np.unique(worth, return_inverse=True)
        each, low = np.bincount(which, weights=each), int(values[0])
        reach = int(values[-1]) - low + 1
        for _ in range(repeats):
            steps += (len(chances) + reach) * (1 if len(chances) == 1 else len(values))
            if steps > most:
                return None
            summed = np.zeros(len(chances) + reach - 1)
            if len(chances) == 1:
                summed[values - low] = each * chances[0]
            else:
                for value, one in zip(values - low, each, strict=True):
                    summed[value : value + len(chances)] += one * chances
            # Sums of no weight at either end are let go.
            held = np.flatnonzero(summed > 1e-25)
            chances = summed[held[0] : held[-1] + 1]
            least += low + int(held[0])
    return least, chances


def _log_ways(n: Ints, k: Ints) -> Floats:
    """Return the logarithm of the ways to choose k of n."""
    return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)


def common_gap(cells: Floats, confidence: float) -> tuple[float, Interval]:
    """Return Mantel-Haenszel's common gap of lists with its interval.

    Of one list, the interval is Newcombe's. Of several it is Sato's; from 10 lists on it also reaches as far as the
    spread between lists says, with the quantile of t: lists may differ more than cases drawn one by one.

    Shapes: `cells` (n_lists, 4): protected cases among the first and in all, then the same of the others.
    """
    difference, interval = common_difference(cells, confidence)
    if len(cells) == 1:
        [(a, n1, b, n0)] = cells
        low, high = newcombe(a, n1, b, n0, confidence)
        return difference, Interval(float(low), float(high))
    if len(cells) < MANY_LISTS:
        return difference, interval
    first_own, own, first_others, others = cells.T
    part = own * others / (own + others)
    part /= part.sum()
    half = float(special.stdtrit(len(cells) - 1, (1 + confidence) / 2))
    half *= _spread(part, first_own / own - first_others / others)
    least, most = min(difference - half, interval.low), max(difference + half, interval.high)
    return difference, Interval(float(max(least, -1.0)), float(min(most, 1.0)))


def _spread(part: Floats, figures: Floats) -> float:
    """Return the standard error of a weighted mean of independent lists; the weights add up to 1."""
    left = 1 - float(part @ part)
    return math.sqrt(float(part**2 @ (figures - part @ figures) ** 2) / left) if left > 0 else math.nan


# Who stands higher, of two of the same list.


@dataclass(frozen=True)
class Higher:
    """How often a protected case stands higher than another of its list; cases that are alike count half."""

    chance: float
    interval: Interval
    p_value: float
    n_lists: int


def stands_higher(places: Places, protected: Bools, confidence: float) -> Higher:
    """Return the chance of a protected case to stand higher, on average over lists, with van Elteren's weights.

    A list of ``m`` protected among ``n`` counts for ``m (n - m) / (n + 1)``. The test is van Elteren's, by random deals
    of up to 500 cases. From 10 lists
    on the interval is that of a weighted mean of independent lists, on the logistic scale, with the quantile of t. Of
    fewer it is Newcombe's score interval: all chances at most z times the spread away that they would have themselves.

    References
    ----------
    van Elteren (1960), "On the combination of independent two-sample tests of Wilcoxon"; Newcombe (2006), "Confidence
    intervals for an effect size measure based on the Mann-Whitney statistic", part 2, method 5.
    """
    lists, n_lists = places.lists, int(places.lists.max(initial=-1)) + 1
    size = np.bincount(lists, minlength=n_lists)
    own = np.bincount(lists, weights=protected, minlength=n_lists)
    weight = own * (size - own) / (size + 1)
    held = weight > 0
    if not held.any():
        return Higher(math.nan, UNDEFINED, math.nan, 0)
    # The protected cases that stand ahead of each, itself counted half, say how many pairs they lose among themselves.
    middle = places.middle
    inside = np.zeros(len(lists))
    inside[protected] = Places.of(lists[protected], middle[protected], high_is_first=False).middle
    # A protected case at place r that is the i-th of its own has r - i others ahead.
    behind = np.bincount(lists, weights=np.where(protected, middle - inside, 0.0), minlength=n_lists)
    m, rest = own[held].astype(float), (size - own)[held].astype(float)
    chances = 1 - behind[held] / (m * rest)
    part = weight[held] / weight.sum()
    chance = float(part @ chances)
    p_value = lot_p_value(lists, protected, -middle, 1 / (size + 1.0))
    return Higher(chance, _interval_of_chance(chance, chances, part, m, rest, confidence), p_value, len(m))


def _interval_of_chance(
    chance: float, chances: Floats, part: Floats, m: Floats, rest: Floats, confidence: float
) -> Interval:
    if len(part) >= MANY_LISTS and 0 < chance < 1 and (spread := _spread(part, chances)) > 0:
        t = float(special.stdtrit(len(part) - 1, (1 + confidence) / 2))
        center, half = special.logit(chance), t * spread / (chance * (1 - chance))
        return Interval(float(special.expit(center - half)), float(special.expit(center + half)))
    z = two_sided_z(confidence)

    def end(outer: float) -> float:
        inner = chance
        for _ in range(60):
            tried = (inner + outer) / 2
            fits = abs(tried - chance) <= z * math.sqrt(float(part**2 @ _variance(tried, m, rest)))
            inner, outer = (tried, outer) if fits else (inner, tried)
        return inner

    return Interval(end(0.0), end(1.0))


def _variance(chance: float, m: Floats, rest: Floats) -> Floats:
    """Return the variance of the share of pairs won in each list, as Hanley and McNeil have it, with equal halves."""
    more = (m + rest) / 2 - 1
    return chance * (1 - chance) / (m * rest) * (1 + more * ((1 - chance) / (2 - chance) + chance / (1 + chance)))


# The prefix test of FA*IR.


@dataclass(frozen=True)
class PrefixTest:
    """How few protected cases each beginning of a list may hold.

    Parameters
    ----------
    share : float
        The share of protected cases that the list is held against.
    level : float
        The chance that a list drawn by lot fails at some place.
    adjusted_level : float
        The level at each place that comes to that.
    fewest : ndarray of int, shape (k,)
        The fewest protected cases among the first 1, 2, ..., k.
    fails_by_chance : float
        The exact chance that a list drawn by lot fails; at most `level`.
    """

    share: float
    level: float
    adjusted_level: float
    fewest: Ints
    fails_by_chance: float

    def first_failure(self, protected: Bools) -> int | None:
        """Return the first place up to which a list, in its order, has too few; None if there is none."""
        counted = np.cumsum(protected)[: len(self.fewest)]
        short = counted < self.fewest[: len(counted)]
        return int(np.argmax(short)) + 1 if short.any() else None


def fewest_protected(k: int, share: float, level: float) -> Ints:
    """Return the fewest protected cases that each beginning may hold: the level's quantile of the binomial."""
    from scipy import stats  # here, because it takes longer to import than to use

    return stats.binom.ppf(level, np.arange(1, k + 1), share).astype(np.int64)


def fails_by_chance(fewest: Ints, share: float) -> float:
    """Return the chance that a list of independent draws has too few protected cases at some place, exactly."""
    chances = np.zeros(int(fewest.max(initial=0)) + 2)
    # The last entry holds all who have as many as will ever be asked for.
    chances[0], failed = 1.0, 0.0
    for least in fewest:
        moved = chances * share
        chances = chances * (1 - share)
        chances[1:] += moved[:-1]
        chances[-1] += moved[-1]
        failed += float(chances[:least].sum())
        chances[:least] = 0.0
    return failed


def prefix_p_values(counted: Ints, share: float) -> Floats:
    """Return the chance that a list of independent draws is as short of protected cases somewhere as each of these.

    The place where so few are least likely decides; a list by chance counts that is as unlikely at any place.

    Shapes: `counted` (n_lists, k), the protected cases among the first 1, 2, ..., k of each list; returns (n_lists,).
    """
    from scipy import stats  # here, because it takes longer to import than to use

    n = np.arange(1, counted.shape[1] + 1)
    least, which = np.unique(stats.binom.cdf(counted, n, share).min(axis=1), return_inverse=True)
    found = np.empty(len(least))
    for number, level in enumerate(np.minimum(least * (1 + 1e-12), 1.0)):
        # The numbers at each place that are as unlikely are those below this one.
        fewest = stats.binom.ppf(level, n, share).astype(np.int64)
        fewest += stats.binom.cdf(fewest, n, share) <= level
        found[number] = min(1.0, fails_by_chance(fewest, share))
    return found[which]


def prefix_test(k: int, share: float, level: float) -> PrefixTest:
    """Return the test of FA*IR for the first k places, with the adjusted level found exactly.

    The numbers asked for change at finitely many levels; the largest level is found at which a list of independent
    draws fails with a chance of at most `level`.

    References
    ----------
    Zehlike, Bonchi, Castillo, Hajian, Megahed and Baeza-Yates (2017), "FA*IR: A Fair Top-k Ranking Algorithm"; Zehlike,
    Sühr and Castillo (2020), "A Note on the Significance Adjustment for FA*IR with Two Protected Groups".
    """
    low, high = 0.0, level
    at_level = fewest_protected(k, share, level)
    if (chance := fails_by_chance(at_level, share)) <= level:
        return PrefixTest(share, level, level, at_level, chance)
    fewest, chance = np.zeros(k, dtype=np.int64), 0.0
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        tried = fewest_protected(k, share, middle)
        found = fails_by_chance(tried, share)
        if found <= level:
            low, fewest, chance = middle, tried, found
        else:
            high = middle
    return PrefixTest(share, level, low, fewest, chance)
