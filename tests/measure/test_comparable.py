"""What makes cases comparable: the columns first on which decisions depend most, over all rows and both groups."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.data.table import Table
from fairaudit.measure.comparable import comparable_columns


def found(rows, columns, *, amount=False, **options):
    table = Table.from_pandas(pd.DataFrame(rows))
    good = None if amount else table.condition("ok = 'y'")
    decision = "pay" if amount else "ok"
    protected = table.condition("sex = 'F'")
    return comparable_columns(table, columns, decision=decision, favorable=good, protected=protected, **options)


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


def test_numbers_are_compared_in_bands_and_case_numbers_never():
    rng = np.random.default_rng(0)
    age, sex = rng.integers(18, 70, 4_000), rng.choice(["F", "M"], 4_000)
    ok = np.where(rng.random(4_000) < age / 80, "y", "n")
    rows = {"age": age, "sex": sex, "ok": ok, "case_no": np.arange(4_000)}
    [one] = found(rows, ["age", "case_no"], cuts={"age": (30, 45, 60), "case_no": (1_000, 2_000)})
    assert one.column == "age" and one.low < 0.35 < 0.7 < one.high


def test_of_amounts_what_is_made_of_them_is_not_proposed():
    rng = np.random.default_rng(0)
    grade, sex = rng.integers(1, 6, 3_000), rng.choice(["F", "M"], 3_000)
    pay = 1_000 + 100.0 * grade + rng.normal(0, 200, 3_000)
    rows = {"grade": grade, "sex": sex, "pay": pay, "hourly": (pay / 160).round(0)}
    assert [one.column for one in found(rows, ["hourly", "grade"], amount=True)] == ["grade"]
