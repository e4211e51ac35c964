"""Open cases are found in a table that stays in a database, and their medians are those of the rows in memory."""

from __future__ import annotations

import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pytest

from fairaudit.data.engines.connect import connect_table
from fairaudit.data.table import Table
from fairaudit.errors import InputError
from fairaudit.measure.open_cases import find_open_cases, refuse_open_times
from fairaudit.measure.waiting import check_waiting

N, TEXT = 240, "text"


def made(*, filled: bool) -> pd.DataFrame:
    """Return cases some of which are open: with their time so far, or without a time."""
    rng = np.random.default_rng(3)
    until = pd.Timestamp("2024-12-31")
    received = until - pd.to_timedelta(rng.integers(1, 200, N), unit="D")
    origin = np.resize(["late", "soon"], N)
    days = np.ceil(rng.exponential(np.where(origin == "late", 120, 60)))
    is_open = received + pd.to_timedelta(days, unit="D") > until
    so_far = np.asarray((until - received).days, dtype=float)
    return pd.DataFrame(
        {
            "origin": origin,
            "days": np.where(is_open, so_far if filled else np.nan, days),
            "received": received.date,
            "decided": pd.Series((received + pd.to_timedelta(days, unit="D")).date).where(~is_open),
            "status": np.where(is_open, "Open - assigned", "Closed"),
            "closed": (~is_open).astype(int),
            "still_open": np.where(is_open, "yes", "no"),
        }
    )


def connected(request, tmp_path, frame: pd.DataFrame) -> Table:
    """Return the rows in the engine that the test asks for."""
    kind = request.node.callspec.params["engine"]
    path = tmp_path / "cases.db"
    rows = [tuple(None if pd.isna(each) else each for each in row) for row in frame.itertuples(index=False)]
    types = {"origin": "text", "days": "double precision", "received": "date", "decided": "date", "closed": "integer"}
    create = f"CREATE TABLE cases ({', '.join(f'{name} {types.get(name, TEXT)}' for name in frame)})"
    if kind == "sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute(create)
            texts = [[str(each) if hasattr(each, "isoformat") else each for each in row] for row in rows]
            connection.executemany(f"INSERT INTO cases VALUES ({', '.join('?' * frame.shape[1])})", texts)
        connection.close()
    elif kind == "duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.execute(create)
            connection.executemany(f"INSERT INTO cases VALUES ({', '.join('?' * frame.shape[1])})", rows)
    else:
        server = request.getfixturevalue("postgres")
        cells = ", ".join(
            "(" + ", ".join("NULL" if each is None else f"'{each}'" for each in row) + ")" for row in rows
        )
        server.execute("DROP TABLE IF EXISTS cases", create, f"INSERT INTO cases VALUES {cells}")
        return connect_table(server.url, table="cases")
    return connect_table(f"{kind}:///{path}", table="cases")


SAYS = {"state": ["status"], "number": ["closed"], "yes": ["still_open"], "day": ["received", "decided"]}


@pytest.mark.parametrize("filled", [True, False], ids=["so far", "missing"])
@pytest.mark.parametrize("engine", ["sqlite", "duckdb", "postgres"])
def test_open_cases_are_found_where_the_rows_stay(request, tmp_path, engine, filled):
    frame = made(filled=filled)
    there, here = connected(request, tmp_path, frame), Table.from_pandas(frame)
    found, right = (find_open_cases(each, "days") for each in (there, here))
    assert found == right and found.n == (frame["closed"] == 0).sum() and found.is_timed is filled
    assert there.count(found.closed_when) == (frame["closed"] == 1).sum()
    with pytest.raises(InputError, match="still open"):
        refuse_open_times(there, "days", None)
    how = {"open_when": found.open_when, "open_since": found.since}
    far, near = (check_waiting(each, decision="days", protected="origin = 'late'", **how) for each in (there, here))
    assert repr(far) == repr(near)


@pytest.mark.thorough
@pytest.mark.parametrize("says", SAYS.values(), ids=SAYS)
@pytest.mark.parametrize("engine", ["sqlite", "duckdb", "postgres"])
def test_each_way_to_say_it_is_found_where_the_rows_stay(request, tmp_path, engine, says):
    frame = made(filled=True)[["origin", "days", *says]]
    there, here = connected(request, tmp_path, frame), Table.from_pandas(frame)
    assert find_open_cases(there, "days") == find_open_cases(here, "days") is not None
