"""Whether a group is worse off: rates before and after, the interval of the change, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fairaudit.estimators.constraints import FLOORS, METRICS, ConstrainedRows, FairnessSpec, Metric, aec
from fairaudit.estimators.constraints.polishing import WorseOffRate, group_rates
from fairaudit.measure.results import Interval
from fairaudit.study.judging import Judged
from fairaudit.study.judging.changes import group_change
from fairaudit.study.judging.held_out import HeldOut
from fairaudit.study.judging.results import CANNOT_TELL, NOT_WORSE, TOO_FEW, WORSE, WorseOff

RATES = {
    "tpr": lambda y, h: h[y == 1].mean(),
    "fnr": lambda y, h: 1 - h[y == 1].mean(),
    "fpr": lambda y, h: h[y == 0].mean(),
    "tnr": lambda y, h: 1 - h[y == 0].mean(),
    "accuracy": lambda y, h: (h == y).mean(),
    "error_rate": lambda y, h: (h != y).mean(),
    "ppv": lambda y, h: y[h == 1].mean(),
    "fdr": lambda y, h: 1 - y[h == 1].mean(),
    "npv": lambda y, h: 1 - y[h == 0].mean(),
    "for_": lambda y, h: y[h == 0].mean(),
    "aec(1, 5)": lambda y, h: ((h > y) + 5 * (h < y)).mean(),
}
"""Each rate worked out from its words."""


def metric_of(name: str) -> Metric:
    return aec(1, 5) if name.startswith("aec") else (METRICS | FLOORS)[name]


def rate(name: str, n: int, *, more_is_better: bool) -> WorseOffRate:
    return WorseOffRate(metric_of(name), "f", np.arange(n), more_is_better)


def cells_of(y: np.ndarray, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return np.bincount(4 * y + 2 * before + after, minlength=8)


def drawn(rng: np.random.Generator, n: int, *, up: float, down: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return outcomes, and predictions before and after, of which some are turned independently of the outcome."""
    y = rng.integers(0, 2, n)
    before = np.where(rng.random(n) < 0.7, y, 1 - y)
    turned = rng.random(n) < np.where(before == 1, down, up)
    return y, before, np.where(turned, 1 - before, before)


@pytest.mark.parametrize("name", RATES)
def test_rates_are_those_worked_out_from_their_words_and_intervals_cover_the_true_change(name):
    rng = np.random.default_rng(1)
    y, before, after = drawn(rng, 400_000, up=0.05, down=0.12)
    exact = RATES[name](y, after) - RATES[name](y, before)
    covered = 0
    for _ in range(400):
        y, before, after = drawn(rng, 400, up=0.05, down=0.12)
        found = group_change(
            rate(name, 400, more_is_better=name in FLOORS), cells_of(y, before, after), 0.95, positive_is_good=True
        )
        assert found.before == pytest.approx(RATES[name](y, before))
        assert found.after == pytest.approx(RATES[name](y, after))
        covered += found.interval.low <= exact <= found.interval.high
    assert 0.925 < covered / 400 < 0.985


def good_outcomes(*, positive_is_good: bool, before: np.ndarray, after: np.ndarray, y: np.ndarray):
    held = HeldOut(
        y if positive_is_good else 1 - y,
        positive="favorable" if positive_is_good else "unfavorable",
        groups=["f"] * len(y),
    )
    rows = ConstrainedRows(
        y, (FairnessSpec("demographic_parity", "sex", 0.1),), (("f", "m"),), ((np.arange(40), np.arange(40, 80)),)
    )
    rates = group_rates(rows, positive_is_good=positive_is_good)
    turn = (lambda h: h) if positive_is_good else (lambda h: 1 - h)
    return held.group_changes(Judged(turn(before)), Judged(turn(after)), rates)


@pytest.mark.parametrize("positive_is_good", [True, False])
def test_shares_of_good_outcomes_by_hand_whichever_outcome_is_called_positive(positive_is_good):
    y, before, after = np.tile([0, 1], 40), np.zeros(80, dtype=int), np.zeros(80, dtype=int)
    before[:20], after[:10] = 1, 1
    before[40:50], after[40:60] = 1, 1
    women, men = good_outcomes(positive_is_good=positive_is_good, before=before, after=after, y=y)
    # Of 40 women 20 have it before and 10 after, of 40 men 10 and 20, where positive is good.
    shares = [(0.5, 0.25), (0.25, 0.5)] if positive_is_good else [(0.5, 0.75), (0.75, 0.5)]
    for change, (was, is_now) in zip((women, men), shares, strict=True):
        assert (change.before, change.after, change.n) == (was, is_now, 40)
        assert change.rate == "good_outcomes" and change.more_is_better
        assert (change.standing, change.n_lost) == ((WORSE, 10) if is_now < was else (NOT_WORSE, 0))
    # Wald's paired interval with half a row more in each of the four ways to differ, worked out by hand.
    n, moved = 40 + 2, 10 + 2
    size = (10 + 1 - 1) / n
    half = 1.959963984540054 * np.sqrt(moved / n - size**2) / np.sqrt(n)
    assert women.interval.high - women.interval.low == pytest.approx(2 * half, rel=1e-9)


@pytest.mark.parametrize(
    ("lost", "won", "standing"),
    [
        (0, 0, NOT_WORSE),
        (0, 3, NOT_WORSE),
        (30, 0, WORSE),
        (5, 5, CANNOT_TELL),
        (5, 30, NOT_WORSE),
        (4, 2, CANNOT_TELL),
    ],
)
def test_what_is_said_follows_from_the_interval_or_from_nobody_having_lost(lost, won, standing):
    # Label 1: before and after 0, up, down, both 1.
    cells = np.array([0, 0, 0, 0, 50, won, lost, 60])
    found = group_change(rate("tpr", 1, more_is_better=True), cells, 0.95, positive_is_good=True)
    assert (found.standing, found.n_lost, found.n) == (standing, lost, 110 + won + lost)
    mirrored = group_change(rate("fnr", 1, more_is_better=False), cells, 0.95, positive_is_good=True)
    assert (mirrored.standing, mirrored.n_lost) == (standing, lost)
    assert mirrored.difference == pytest.approx(-found.difference)


def test_few_rows_say_nothing_and_a_metric_of_a_users_own_is_left_out():
    cells = np.array([0, 0, 0, 0, 10, 0, 9, 10])
    few = group_change(rate("tpr", 29, more_is_better=True), cells, 0.95, positive_is_good=True)
    assert few.standing == TOO_FEW and np.isnan([few.before, few.after, few.difference, *few.interval]).all()
    own = Metric("own", "own", METRICS["demographic_parity"].coefficients)
    assert group_change(WorseOffRate(own, "f", np.arange(9), True), cells, 0.95, positive_is_good=True) is None


@pytest.mark.parametrize(
    ("standings", "together"),
    [
        ((NOT_WORSE, NOT_WORSE), NOT_WORSE),
        ((NOT_WORSE, CANNOT_TELL), CANNOT_TELL),
        ((NOT_WORSE, TOO_FEW), CANNOT_TELL),
        ((WORSE, CANNOT_TELL), WORSE),
        ((WORSE, None), None),
        ((), None),
    ],
)
def test_one_group_that_is_worse_off_is_enough_and_all_must_be_known_for_none(standings, together):
    change = group_change(rate("tpr", 99, more_is_better=True), np.full(8, 9), 0.95, positive_is_good=True)
    groups = tuple(replace(change, standing=standing, interval=Interval(0, 0)) for standing in standings)
    assert WorseOff(asked=False, kept=None, groups=groups).standing == together
