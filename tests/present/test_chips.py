"""Chips: each says in words what its colour says, and none claims more than the interval does."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairaudit.audit.running import run
from fairaudit.data import read_table
from fairaudit.plan import AuditPlan
from fairaudit.present.explain_words import alike_sentence

PLAN = """schema_version = 1
[data]
source = "t.csv"
[decision]
column = "good"
favorable = ["yes"]
[[explanations]]
protected = "sex = 'f'"
controls = [{column = "grade", reason = "set by others"}]
"""


def rows(shares: dict[tuple[int, str], float], n: int = 400) -> pd.DataFrame:
    """Return n rows for each year and sex, of which a share is good; both grades alike."""
    parts = [
        pd.DataFrame(
            {
                "year": year,
                "sex": sex,
                "grade": np.where(np.arange(n) % 2, "a", "b"),
                "good": np.where(np.arange(n) // 2 < share * n / 2, "yes", "no"),
            }
        )
        for (year, sex), share in shares.items()
    ]
    return pd.concat(parts, ignore_index=True)


def result(shares: dict[tuple[int, str], float]):
    """Return what a plan finds on these rows."""
    table = read_table(rows(shares).to_csv(index=False).encode(), name="t.csv")
    return run(AuditPlan.from_toml(PLAN), table=table)


def test_what_is_left_is_alike_where_all_of_its_interval_is_within_the_tolerance():
    [gap] = result({(1, "f"): 0.5, (3, "f"): 0.5, (1, "m"): 0.8, (3, "m"): 0.8}).explanations
    assert alike_sentence(gap, 0.05) == ""
    assert alike_sentence(gap, 0.4) == "All of that interval is within the tolerance of 40 points."
