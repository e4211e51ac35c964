from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.measure.intervals import newcombe
from fairaudit.measure.ranking import auc_interval
from fairaudit.measure.results import Interval
from fairaudit.study.judging.paired import auc_difference, mean_interval, share_difference
from fairaudit.study.judging.resampling import (
    GAPS,
    OUTSIDE,
    PROTECTED,
    REST,
    JointCounts,
    both_gaps,
    change_intervals,
)

COUNT = st.integers(0, 40)


def test_the_paired_interval_equals_published_ones():
    # Fagerland, Lydersen and Laake (2014), airway hyper-responsiveness before and after transplantation.
    assert share_difference(1, 1, 7, 12, 0.95) == pytest.approx((-0.507, -0.026), abs=5e-4)


@given(COUNT, COUNT, COUNT, COUNT)
def test_the_paired_interval_holds_the_difference_and_turns_with_it(a, b, c, d):
    low, high = share_difference(a, b, c, d, 0.95)
    if a + b + c + d == 0:
        assert np.isnan(low) and np.isnan(high)
        return
    difference = (b - c) / (a + b + c + d)
    assert -1 <= low <= difference + 1e-12 and difference - 1e-12 <= high <= 1
    assert share_difference(a, c, b, d, 0.95) == pytest.approx((-high, -low), abs=1e-12)
    assert share_difference(d, c, b, a, 0.95) == pytest.approx((-high, -low), abs=1e-12)
    assert (low == high) == (b == c == 0)


def test_rows_that_go_together_make_the_interval_narrower():
    low, high = share_difference(480, 30, 10, 480, 0.95)
    apart_low, apart_high = newcombe(510, 1000, 490, 1000)
    assert high - low < 0.5 * (apart_high - apart_low)


def test_the_paired_interval_covers_the_true_difference():
    rng = np.random.default_rng(0)
    p = np.array([0.6, 0.1, 0.04, 0.26])
    draws = rng.multinomial(200, p, size=1000)
    intervals = [share_difference(*cells, 0.95) for cells in draws.tolist()]
    covered = np.mean([low <= p[1] - p[2] <= high for low, high in intervals])
    assert 0.93 < covered < 0.98


def test_a_mean_of_two_is_as_uncertain_as_both_together():
    low, high = mean_interval((0.5, Interval(0.47, 0.53)), (0.7, Interval(0.66, 0.74)))
    assert (low, high) == pytest.approx((0.575, 0.625))
    assert np.isnan(mean_interval((np.nan, Interval(np.nan, np.nan)), (0.7, Interval(0.6, 0.8)))).all()


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 4)), min_size=4, max_size=25))
def test_the_difference_of_areas_equals_all_pairs(rows):
    y, before, after = (np.array(column) for column in zip(*rows, strict=True))
    good, bad = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    found = auc_difference(y, before.astype(float), after.astype(float), 0.95)
    if len(good) < 2 or len(bad) < 2:
        assert np.isnan(found).all()
        return

    def wins(score):
        return np.array([[(score[i] > score[j]) + 0.5 * (score[i] == score[j]) for j in bad] for i in good])

    more = wins(after) - wins(before)
    variance = more.mean(axis=1).var(ddof=1) / len(good) + more.mean(axis=0).var(ddof=1) / len(bad)
    if variance < 1e-14:
        assert np.isnan(found).all() or found == (0, 0)
        assert found != (0, 0) or not more.mean()
        return
    spread = 1.959963984540054 * np.sqrt(variance)
    assert found == pytest.approx((max(more.mean() - spread, -1), min(more.mean() + spread, 1)), abs=1e-9)


def test_paired_areas_are_compared_more_sharply_than_single_ones():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 300)
    before = rng.normal(y, 1)
    after = before + rng.normal(0, 0.1, 600)
    low, high = auc_difference(y, before, after, 0.95)
    counts = [(y[np.argsort(before)] == label).astype(int) for label in (1, 0)]
    single = auc_interval(*counts)[1]
    assert high - low < 0.3 * (single.high - single.low)


def simulated(rng, rates_before, rates_after, n_each, kept=0.7):
    """Draw rows of groups with given shares of predicted good outcomes; the first group is protected."""
    group = np.repeat(np.arange(len(rates_before)), n_each)
    first = rng.random(len(group))
    second = np.where(rng.random(len(group)) < kept, first, rng.random(len(group)))
    before, after = first < np.array(rates_before)[group], second < np.array(rates_after)[group]
    standing = np.where(group == 0, PROTECTED, REST)
    return JointCounts.of(group, standing, rng.integers(0, 2, len(group)), before.astype(int), after.astype(int))


@pytest.mark.parametrize(
    ("before", "after", "least"),
    [((0.3, 0.5), (0.45, 0.5), 0.9), ((0.3, 0.5), (0.5, 0.5), 0.87), ((0.3, 0.5, 0.5, 0.5, 0.5), (0.5,) * 5, 0.84)],
)
def test_intervals_of_changed_gaps_cover_the_true_change(before, after, least, monkeypatch):
    monkeypatch.setattr("fairaudit.study.judging.resampling.REPLICATES", 300)
    rng = np.random.default_rng(0)
    truth = np.ptp(after) - np.ptp(before)
    found = [change_intervals(simulated(rng, before, after, 400), 0.95, seed) for seed in range(200)]
    for gap in ("gap", "selection_gap"):
        covered = np.mean([i[gap].low <= truth <= i[gap].high for i in found])
        assert least <= covered <= 0.995, (gap, covered)


def test_intervals_narrow_with_the_rows_and_widen_with_the_confidence():
    cells = simulated(np.random.default_rng(0), (0.3, 0.5, 0.6), (0.4, 0.5, 0.55), 300).cells
    few, many = (change_intervals(JointCounts(cells * times), 0.95, 0) for times in (1, 16))
    wide = change_intervals(JointCounts(cells), 0.99, 0)
    for gap in GAPS:
        width = few[gap].high - few[gap].low
        assert (many[gap].high - many[gap].low) / width == pytest.approx(0.25, abs=0.1), gap
        assert wide[gap].high - wide[gap].low > width


def test_rows_outside_the_population_count_for_groups_only():
    rng = np.random.default_rng(0)
    counts = simulated(rng, (0.3, 0.5), (0.4, 0.5), 100)
    cells = counts.cells.copy()
    cells[:, OUTSIDE] += rng.integers(0, 20, cells[:, OUTSIDE].shape)
    (gap, gap_after), (with_outside, _) = (
        (before["gap"], after["gap"]) for before, after in (both_gaps(counts), both_gaps(JointCounts(cells)))
    )
    assert gap == with_outside != gap_after
    assert both_gaps(counts)[0]["tpr_gap"] != both_gaps(JointCounts(cells))[0]["tpr_gap"]


def test_many_groups_are_drawn_in_parts(monkeypatch):
    counts = simulated(np.random.default_rng(0), (0.3, 0.5), (0.4, 0.5), 100)
    whole = change_intervals(counts, 0.95, 0)
    monkeypatch.setattr("fairaudit.study.judging.resampling.MOST_DRAWN", 700)
    assert np.array_equal(list(change_intervals(counts, 0.95, 0).values()), list(whole.values()), equal_nan=True)
