"""The bound over all groups is that of a count group by group, and no group is beyond it more often than it says."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from statsmodels.stats.proportion import proportion_confint
from subgroups_by_hand import conditions_on, made_table

from fairaudit import find_subgroups
from fairaudit.events import STOP, Finished
from fairaudit.subgroups import bounds
from fairaudit.subgroups.finding import iter_subgroups

LEVEL = 0.95


def by_hand(frame: pd.DataFrame, *, rows: int, most: int, protected: tuple[str, ...] = ()) -> tuple[int, float, float]:
    """Return how many groups are large enough, and the largest of their one-sided bounds on either side."""
    y = frame["y"].to_numpy(dtype=float)
    shares = bool(np.isin(y, (0, 1)).all())
    columns = [name for name in frame if name != "y"]
    on = {name: [mask.to_numpy() for mask in conditions_on(frame[name], 2)] for name in columns}
    n_groups, below, above = 0, -math.inf, -math.inf
    for size in range(1, most + 1):
        for chosen in combinations(columns, size):
            if protected and not set(protected) & set(chosen):
                continue
            for masks in product(*(on[name] for name in chosen)):
                inside = np.logical_and.reduce(masks)
                if min(inside.sum(), (~inside).sum()) < rows:
                    continue
                n_groups += 1
                low, high = ends(y[inside], y[~inside], shares)
                below, above = max(below, -low), max(above, high)
    return n_groups, max(below, 0.0), max(above, 0.0)


def ends(one: np.ndarray, other: np.ndarray, shares: bool) -> tuple[float, float]:
    """Return both one-sided ends of a gap: by Clopper and Pearson of each share, or Welch's and Hall's of means."""
    gap = one.mean() - other.mean()
    if not shares:
        down, up = skewed_end(one, other), skewed_end(-one, -other)
        return gap - down, gap + up
    found = [proportion_confint(int(part.sum()), len(part), 2 * (1 - LEVEL), "beta") for part in (one, other)]
    (low, high), (other_low, other_high) = found
    down = math.hypot(one.mean() - low, other_high - other.mean())
    up = math.hypot(high - one.mean(), other.mean() - other_low)
    return gap - down, gap + up


def skewed_end(one: np.ndarray, other: np.ndarray) -> float:
    """Return how far the lower end of a difference of means is below it: the root of Hall's cubic, or Welch's t."""
    gap, error = one.mean() - other.mean(), math.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other))
    t = (gap - stats.ttest_ind(one, other, equal_var=False).confidence_interval(2 * LEVEL - 1).low) / error
    of_all = stats.skew(np.r_[one, other])
    skewness = min(stats.skew(one), of_all), max(stats.skew(other), of_all)
    parts = [k * part.std(ddof=1) ** 3 / len(part) ** 2 for k, part in zip(skewness, (one, other), strict=True)]
    a = (parts[0] - parts[1]) / error**3
    root = optimize.brentq(lambda x: x + a * x**2 / 3 + a**2 * x**3 / 27 + a / 6 - t, -50, 50)
    return error * max(t, root)


@pytest.mark.parametrize("seed", range(8))
def test_the_bound_is_the_largest_of_those_of_all_groups_counted_one_by_one(seed):
    amounts, protected = seed % 4 == 3, ("c1",) if seed % 3 == 0 else None
    frame = made_table(seed, amounts=amounts)
    asked = {"decision": "y", "measure": "mean"} if amounts else {"decision": "y", "favorable": 1}
    most = 1 + seed % 3
    found = find_subgroups(frame, **asked, min_rows=5, max_conditions=most, bound_rows=20, protected=protected).bounds
    n_groups, below, above = by_hand(frame, rows=20, most=most, protected=protected or ())
    assert found.n_groups == n_groups, seed
    assert (found.below, found.above) == pytest.approx((below, above), rel=1e-6), seed


def test_groups_in_which_nobody_or_everybody_has_the_result_have_a_bound_too():
    half = pd.DataFrame({"c": ["a"] * 30 + ["b"] * 30 + ["c"] * 60, "y": [0] * 30 + [1] * 30 + [0, 1] * 30})
    found = find_subgroups(half, decision="y", favorable=1, min_rows=5, bound_rows=30).bounds
    assert (found.n_groups, found.below, found.above) == pytest.approx(by_hand(half, rows=30, most=1), rel=1e-6)


def test_where_no_group_is_large_enough_there_is_no_bound():
    found = find_subgroups(made_table(1), decision="y", favorable=1, min_rows=5, bound_rows=200).bounds
    assert found.n_groups == 0
    assert math.isnan(found.below)
    assert math.isnan(found.above)


def test_counts_of_cases_have_the_bound_of_the_rows_written_out():
    frame = made_table(2)[["c0", "c1", "y"]]
    grouped = frame.groupby(["c0", "c1", "y"], dropna=False).size().rename("n").reset_index()
    asked = {"decision": "y", "favorable": 1, "min_rows": 5, "bound_rows": 20, "columns": ["c0", "c1"]}
    written, counted = find_subgroups(frame, **asked), find_subgroups(grouped, counts="n", **asked)
    assert written.bounds == counted.bounds


def test_a_search_that_is_stopped_claims_no_bound():
    events = iter_subgroups(made_table(5), decision="y", favorable=1, min_rows=5, bound_rows=20)
    next(events)
    while not isinstance(event := events.send(STOP), Finished):
        pass
    assert event.result.bounds is None


def test_with_weights_there_is_no_bound():
    frame = made_table(2).assign(w=np.linspace(1, 2, 300))
    assert find_subgroups(frame, decision="y", favorable=1, min_rows=5, bound_rows=20, weights="w").bounds is None


def skewed_ends(n: int, rest: int) -> tuple[np.ndarray, ...]:
    """Return both ends of differences of lognormal means, without any true difference."""
    rng, sums = np.random.default_rng(5), []
    for size in (n, rest):
        values = rng.lognormal(-0.5, 1.0, (4_000, size))
        sums.append(np.stack([(values**power).sum(axis=1) for power in range(4)]))
    return bounds._ends_of_means(*sums, LEVEL)


@pytest.mark.parametrize(("n", "rest", "least"), [(200, 5_800, 0.95), (200, 2_000, 0.945), (750, 250, 0.935)])
def test_bounds_of_skewed_amounts_hold_where_those_of_t_do_not(n, rest, least):
    """By t alone, ends hold in .91 of 200 beside 5,800, and of 250 beside 750."""
    low, high = skewed_ends(n, rest)
    held = min((low <= 0).mean(), (high >= 0).mean())
    assert held >= stats.binom.ppf(0.001, 4_000, least) / 4_000


@pytest.mark.thorough
def test_the_true_gap_of_no_group_is_beyond_the_bound_in_nineteen_of_twenty_tables():
    missed = 0
    for seed in range(200):
        rng = np.random.default_rng([7, seed])
        frame = pd.DataFrame({name: rng.choice(list("abc"), 1200) for name in ("c0", "c1")})
        hit = ((frame["c0"] == "a") & (frame["c1"] == "b")).to_numpy()
        chance = np.where(hit, 0.2, 0.5)
        frame["y"] = (rng.random(1200) < chance).astype(int)
        found = find_subgroups(frame, decision="y", favorable=1, min_rows=50, bound_rows=60, max_conditions=2).bounds
        # The planted group is the worst: what it shares with others only makes their gaps smaller.
        missed += chance[~hit].mean() - chance[hit].mean() > found.below
    assert missed <= stats.binom.isf(0.001, 200, 0.05)
