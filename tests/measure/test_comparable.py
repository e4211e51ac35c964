"""What makes cases comparable: the columns first on which decisions depend most, over all rows and both groups."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.data.table import Table
from fairaudit.measure.comparable import comparable_columns


def found(rows, columns, *, amount=False, follow=False, **options):
    table = Table.from_pandas(pd.DataFrame(rows))
    good = None if amount else table.condition("ok = 'y'")
    decision = "pay" if amount else "ok"
    protected = table.condition("sex = 'F'")
    compared = comparable_columns(table, columns, decision=decision, favorable=good, protected=protected, **options)
    return compared.found if not follow else compared.follow


def people(counts):
    """Return rows from (job, sex, granted, refused)."""
    return [{"job": j, "sex": s, "ok": ok} for j, s, y, n in counts for ok, k in (("y", y), ("n", n)) for _ in range(k)]


def test_values_that_hold_one_group_alone_count_for_range_and_order():
    rows = people([("nurse", "F", 200, 800), ("driver", "M", 800, 200), ("mixed", "F", 49, 51), ("mixed", "M", 49, 51)])
    for i, row in enumerate(rows):
        row["shift"] = "early" if i % 2 else "late"
    first, last = found(rows, ["shift", "job"])
    assert (first.column, round(first.low, 2), round(first.high, 2), first.groups_differ) == ("job", 0.2, 0.8, True)
    assert last.column == "shift" and last.explained < 0.01 and not last.groups_differ


def test_the_share_explained_is_that_of_the_variance_between_values():
    rows = people([("a", "F", 20, 80), ("a", "M", 20, 80), ("b", "F", 60, 40), ("b", "M", 60, 40)])
    [one] = found(rows, ["job"])
    p = np.repeat([0.2, 0.6], 200)
    assert one.explained == pytest.approx(p.var() / (0.4 * 0.6))


def test_numbers_are_compared_in_bands():
    rng = np.random.default_rng(0)
    age, sex = rng.integers(18, 70, 4_000), rng.choice(["F", "M"], 4_000)
    ok = np.where(rng.random(4_000) < age / 80, "y", "n")
    [one] = found({"age": age, "sex": sex, "ok": ok}, ["age"], cuts={"age": (30, 45, 60)})
    assert one.column == "age" and one.low < 0.35 < 0.7 < one.high


def test_columns_come_in_the_order_in_which_decisions_and_groups_vary_with_them():
    rng = np.random.default_rng(3)
    sex, grade = rng.choice(["F", "M"], 4_000), rng.integers(0, 4, 4_000)
    job = np.where(rng.random(4_000) < 0.9, np.where(sex == "F", "nurse", "driver"), "other")
    ok = np.where(rng.random(4_000) < 0.2 + 0.2 * grade, "y", "n")
    first, second, last = found(
        {"sex": sex, "grade": grade, "job": job, "ok": ok, "day": rng.integers(0, 5, 4_000)}, ["day", "grade", "job"]
    )
    assert (first.column, second.column, last.column) == ("job", "grade", "day")
    assert first.spread > 0.5 > first.explained and second.explained > 0.1 > second.spread


def test_of_amounts_what_is_made_of_them_is_not_proposed():
    rng = np.random.default_rng(0)
    grade, sex = rng.integers(1, 6, 3_000), rng.choice(["F", "M"], 3_000)
    pay = 1_000 + 100.0 * grade + rng.normal(0, 200, 3_000)
    rows = {"grade": grade, "sex": sex, "pay": pay, "hourly": (pay / 160).round(0)}
    assert [one.column for one in found(rows, ["hourly", "grade"], amount=True)] == ["grade"]
    assert found(rows, ["hourly", "grade"], amount=True, follow=True) == ("hourly",)


def test_a_grade_is_proposed_first_although_it_explains_nearly_all_of_the_pay():
    rng = np.random.default_rng(1)
    n = 2_800
    grade, sex = rng.choice(list("ABCD"), n, p=[0.3, 0.35, 0.25, 0.1]), rng.choice(["F", "M"], n)
    pay = pd.Series(grade).map({"A": 31_000, "B": 39_500, "C": 49_500, "D": 68_000}) + rng.normal(0, 4_000, n)
    first, *others = found({"grade": grade, "sex": sex, "pay": pay, "year": rng.integers(2023, 2025, n)},
                           ["year", "grade"], amount=True)  # fmt: skip
    assert first.column == "grade" and first.explained > 0.8
    assert [one.column for one in others] == ["year"]
