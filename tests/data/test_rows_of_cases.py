"""Cases of which some have several rows with one decision are asked about, and counted once where that is said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sweeps import seeds

from fairaudit import check_controlled_fairness
from fairaudit.data import ReadOptions, Table, read_table
from fairaudit.data.roles import case_of_rows
from fairaudit.errors import InputError

ASKED = {"decision": "searched", "favorable": "no", "protected": "race = 'b'"}


def stops(seed: int = 0, n: int = 120) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"stop_id": [f"s{i}" for i in range(n)], "race": random.choice(["a", "b"], n)})
    return frame.assign(searched=random.choice(["yes", "no"], n))


def by_violation(frame: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Return a row for each violation, more of them where a search was made."""
    random = np.random.default_rng(seed)
    n_rows = 1 + random.integers(0, 3, len(frame)) + (frame["searched"] == "yes")
    rows = frame.loc[frame.index.repeat(n_rows)].reset_index(drop=True)
    rows["violation_number"] = rows.groupby("stop_id").cumcount() + 1
    return rows.assign(violation=random.choice(["speed", "light", "belt"], len(rows)))


@pytest.mark.parametrize("seed", seeds(100, 3, "thorough"))
def test_one_row_a_case_is_the_table_of_cases(seed):
    cases = stops(seed)
    rows = by_violation(cases, seed)
    # Missing names are no case: their rows stay.
    extra = cases.head(5).assign(stop_id=None)
    once = Table.from_pandas(pd.concat([rows, extra]), one_row_per="stop_id")
    alone = check_controlled_fairness(Table.from_pandas(pd.concat([cases, extra]), rows_are_cases=True), **ASKED)
    found = check_controlled_fairness(once, **ASKED)
    assert (found.protected, found.reference) == (alone.protected, alone.reference)


def test_rows_of_one_case_are_refused_until_it_is_said_what_counts():
    rows = by_violation(stops())
    with pytest.raises(InputError, match="120 of 'stop_id'") as raised:
        check_controlled_fairness(Table.from_pandas(rows), **ASKED)
    assert "--one-row-per 'stop_id'" in (raised.value.hint or "")
    every = check_controlled_fairness(Table.from_pandas(rows, rows_are_cases=True), **ASKED)
    assert every.protected.n + every.reference.n == len(rows)


@pytest.mark.parametrize("changed", ["decision", "year", "once"])
def test_nothing_is_asked_where_rows_of_one_name_are_told_apart(changed):
    rows = by_violation(stops())
    if changed == "decision":
        rows["searched"] = ["yes", "no", "no"] * (len(rows) // 3) + ["no"] * (len(rows) % 3)
    elif changed == "year":
        rows = rows.rename(columns={"violation_number": "year"}).assign(year=lambda frame: frame["year"] + 2020)
    else:
        rows = rows.drop_duplicates("stop_id")
    assert case_of_rows(Table.from_pandas(rows), "searched") is None


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(InputError, match="'one_row_per'") as raised:
        read_table(stops().to_csv(index=False).encode(), options=ReadOptions(one_row_per="stopid"))
    assert "stop_id" in (raised.value.hint or "")
