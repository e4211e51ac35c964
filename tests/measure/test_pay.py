"""Gaps in pay, who receives a component, and quarters, against numbers worked out by hand and by enumeration."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from fairaudit.measure.pay import PaySide, gap_interval, pay_gaps, pay_quarters, receiving, relative_gap


def quarters(pays: list[tuple[float, bool]]):
    frame = pd.DataFrame(pays, columns=["pay", "protected"])
    counts = frame.groupby(["pay", "protected"]).size().rename("n").reset_index()
    return pay_quarters(counts, column="pay", columns=["sex"], missing=0).rows


def test_a_gap_is_a_share_of_what_the_reference_has_and_undefined_without_it():
    assert relative_gap(14.0, 19.0) == pytest.approx(5 / 19)
    assert relative_gap(22.0, 20.0) == pytest.approx(-0.1)
    assert math.isnan(relative_gap(5.0, 0.0)) and math.isnan(relative_gap(math.nan, 3.0))


def test_the_interval_of_a_gap_is_that_of_the_logarithm_of_the_ratio():
    # Two sides of 4: parts 0.01 and 0.04 of 4 each, so Var = 0.0125, and by Welch and Satterthwaite
    # f = 0.0125^2 / (0.0025^2 / 3 + 0.01^2 / 3) = 4.412; t = 2.679; half = 0.2995.
    low, high = gap_interval(PaySide(4, 10.0, 1.0), PaySide(4, 20.0, 4.0))
    assert low == pytest.approx(1 - 0.5 * math.exp(0.2995), abs=1e-3)
    assert high == pytest.approx(1 - 0.5 * math.exp(-0.2995), abs=1e-3)
    assert all(map(math.isnan, gap_interval(PaySide(1, 10.0, math.nan), PaySide(4, 20.0, 4.0))))
    assert all(map(math.isnan, gap_interval(PaySide(4, 0.0, 1.0), PaySide(4, 20.0, 4.0))))


def test_a_category_of_one_side_has_no_gap_and_one_of_nobody_no_row():
    frame = pd.DataFrame(
        {
            "protected": [True, False, False, True],
            "cat": ["a", "a", "b", "c"],
            "n": [2, 3, 1, 0],
            "missing": [0, 0, 0, 4],
            "mean": [9.0, 10.0, 7.0, np.nan],
            "variance": [1.0, 1.0, np.nan, np.nan],
            "median": [9.0, 10.0, 7.0, np.nan],
        }
    )
    made = pay_gaps(frame, "mean", column="pay", columns=["sex", "grade"], category="cat")
    assert [(row.name, row.protected.n, row.reference.n) for row in made.rows] == [("a", 2, 3), ("b", 0, 1)]
    assert made.rows[0].gap == pytest.approx(0.1) and math.isnan(made.rows[1].gap)
    assert (made.n, made.missing) == (6, 4)


def test_who_has_no_number_neither_receives_a_component_nor_goes_without():
    frame = pd.DataFrame(
        {"protected": [True, True, True, False], "receives": [True, False, None, True], "n": [1, 1, 7, 2]}
    )
    made = receiving(frame, column="bonus", columns=["sex"])
    assert made.rows[0].protected == PaySide(2, 0.5, pytest.approx(math.nan, nan_ok=True))
    assert made.rows[0].gap == 0.5 and (made.n, made.missing) == (4, 7)


@pytest.mark.parametrize(("n", "sizes"), [(4, [1] * 4), (5, [2, 1, 1, 1]), (6, [2, 1, 2, 1]), (7, [2, 2, 2, 1])])
def test_quarters_are_as_equal_as_they_can_be(n, sizes):
    rows = quarters([(float(i), i % 2 == 0) for i in range(n)])
    assert [row.protected.n + row.reference.n for row in rows] == sizes


def test_people_with_the_same_pay_are_spread_over_quarters_in_proportion():
    # Sixteen people: two at 9, eight women and four men at 10, two at 11. Of the twelve, places 3 to 14: two in the
    # lower quarter, four in each middle one, two in the upper: women 8 x 2/12 = 1.33, 2.67, 2.67, 1.33 -> 1, 3, 3, 1.
    people = [(9.0, True), (9.0, False), *[(10.0, True)] * 8, *[(10.0, False)] * 4, (11.0, True), (11.0, False)]
    assert [row.protected.n for row in quarters(people)] == [2, 3, 3, 2]
    assert [row.reference.n for row in quarters(people)] == [2, 1, 1, 2]


@pytest.mark.parametrize("seed", range(40))
def test_quarters_agree_with_ranking_people_one_by_one(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    people = [(float(pay), bool(side)) for pay, side in zip(rng.integers(0, 5, n), rng.random(n) < 0.4, strict=True)]
    rows = quarters(people)
    ranked = sorted(pay for pay, _ in people)
    ends = [-(-k * n // 4) for k in range(5)]
    exact = [Fraction(0)] * 4
    for k in range(4):
        for pay in ranked[ends[k] : ends[k + 1]]:
            same = [side for each, side in people if each == pay]
            exact[k] += Fraction(sum(same), len(same))
    found = [row.protected.n for row in rows]
    sizes = [row.protected.n + row.reference.n for row in rows]
    assert sizes == [ends[k + 1] - ends[k] for k in range(4)], (seed, people)
    assert sum(found) == sum(side for _, side in people)
    # Both bounds of a quarter may divide people of the same pay: each rounds by less than one person.
    assert all(abs(own - share) < 2 for own, share in zip(found, exact, strict=True)), (seed, found, exact)
    assert all(row.protected.n >= 0 and row.reference.n >= 0 for row in rows)


def test_neither_order_nor_the_unit_of_pay_matters_to_quarters():
    people = [(1.0, True), (1.0, False), (2.0, True), (3.0, False), (3.0, True), (5.0, False)]
    first = [row.protected.n for row in quarters(people)]
    assert first == [row.protected.n for row in quarters([(100 * pay, side) for pay, side in reversed(people)])]
