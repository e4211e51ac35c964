"""Changes of errors and of differences of mean amounts, and how often their intervals hold."""

from __future__ import annotations

import numpy as np
import pytest

from fairaudit.study.amounts.judging import amount_changes

MEASURES = ("mae", "r2", "gap", "error_gap")


def by_measure(y, women, before, after, confidence=0.95):
    found = amount_changes(y, (women, ~women), before, after, confidence)
    assert tuple(change.measure for change in found) == MEASURES
    return {change.measure: change for change in found}


def people(rng, n):
    """Draw amounts, who is a woman, and what is predicted for them."""
    women = np.arange(n) % 5 < 2
    level = rng.choice([2_000.0, 2_500.0, 3_500.0], n) - 300 * women
    return level * np.exp(rng.normal(0, 0.3, n)), women, level


def test_a_difference_that_turns_round_changes_by_both_sizes():
    rows = np.arange(200)
    women, y = rows % 2 == 0, 100.0 * (rows % 10)
    level = np.full(200, 500.0)
    gap = by_measure(y, women, level - 40 * women, level + 30 * women)["gap"]
    assert (gap.before, gap.after, gap.difference) == pytest.approx((-40, 30, 70))
    assert 0 < gap.interval.low < 70 < gap.interval.high


def test_the_interval_of_a_difference_is_the_normal_one_with_two_moved_rows_added_to_each_group():
    rng = np.random.default_rng(0)
    y, women, level = people(rng, 200)
    moved = np.where(rng.random(200) < 0.4, rng.normal(100, 30, 200), 0)
    gap = by_measure(y, women, level, level + moved, 0.9)["gap"]
    step = (moved[moved != 0] ** 2).mean()
    assert all(np.median(moved[own]) == 0 for own in (women, ~women))
    variance = sum(moved[own].var(ddof=1) / own.sum() + 2 * step / own.sum() ** 2 for own in (women, ~women))
    spread = 1.6448536269514722 * np.sqrt(variance)
    assert gap.interval == pytest.approx((gap.difference - spread, gap.difference + spread))


def test_changes_turn_with_the_models_and_the_groups_and_go_with_the_unit():
    rng = np.random.default_rng(1)
    y, women, before = people(rng, 300)
    after = before + rng.normal(50, 200, 300)
    found, groups = by_measure(y, women, before, after), by_measure(y, ~women, before, after)
    cents = by_measure(100 * y, women, 100 * before, 100 * after)
    for measure in ("gap", "error_gap"):
        one, other = found[measure], groups[measure]
        assert other.difference == pytest.approx(-one.difference)
        assert other.interval == pytest.approx((-one.interval.high, -one.interval.low))
    for measure in MEASURES:
        unit = 1 if measure == "r2" else 100
        assert cents[measure].interval == pytest.approx(tuple(unit * end for end in found[measure].interval))
    back = by_measure(y, women, after, before)["gap"]
    assert back.interval == pytest.approx((-found["gap"].interval[1], -found["gap"].interval[0]))


def test_where_no_prediction_differs_the_intervals_have_a_width():
    y, women, level = people(np.random.default_rng(2), 200)
    for change in by_measure(y, women, level, level).values():
        assert change.difference == 0 and change.interval.low == -change.interval.high < 0
    for move, step in ((0.0, y.std()), (40.0, 40.0)):
        gap = by_measure(y, women, level, level + move * women)["gap"]
        half = 1.959963984540054 * step * np.sqrt(2 * sum(1 / own.sum() ** 2 for own in (women, ~women)))
        assert gap.interval == pytest.approx((move - half, move + half))


def test_r2_of_one_amount_has_no_change():
    rows = np.arange(100)
    found = by_measure(np.full(100, 7.0), rows < 50, rows * 1.0, rows + 1.0)
    assert np.isnan(found["r2"].interval).all() and np.isfinite(found["mae"].interval).all()


@pytest.mark.parametrize(
    ("moves", "least", "most"),
    [
        # Share of the women and of the men that move, and their mean move: about 350 makes the groups alike.
        ((1.0, 350, 0.2, -50), 0.93, 0.97),
        ((0.5, 900, 0.5, -200), 0.93, 0.97),
        ((0.02, 500, 0.0, 0), 0.93, 1.0),
        ((0.005, 500, 0.0, 0), 0.93, 1.0),
    ],
)
def test_intervals_cover_the_true_change_of_the_signed_difference(moves, least, most):
    rng = np.random.default_rng(0)
    of_women, up, of_men, down = moves
    exact, held = of_women * up - of_men * down, []
    for _ in range(800):
        y, women, level = people(rng, 300)
        moved = (rng.random(300) < np.where(women, of_women, of_men)) * rng.normal(np.where(women, up, down), 80)
        low, high = by_measure(y, women, level, level + moved)["gap"].interval
        held.append(low <= exact <= high)
    assert least < np.mean(held) <= most
