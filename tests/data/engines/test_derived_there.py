"""Columns made of several are the same where the rows stay."""

from __future__ import annotations

import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pytest

from fairaudit.columns import ReadOptions
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.table import Table

MADE = {"race": ("race-1", "race-2"), "box": ("box_white", "box_black", "box_native"), "code": ("code-1", "code-2")}


def people(n=300):
    rng = np.random.default_rng(0)
    first, second = rng.choice(["Asian", "Black", "White"], (2, n))
    further = np.arange(n) % 5 == 0
    codes = {"Asian": 2, "Black": 3, "White": 5}
    frame = pd.DataFrame({"race-1": first, "race-2": np.where(further, second, None)})
    frame.loc[:9, "race-1"] = None
    frame["box_white"] = (frame[["race-1", "race-2"]] == "White").any(axis=1).astype(int)
    frame["box_black"] = (frame[["race-1", "race-2"]] == "Black").any(axis=1).astype(int)
    # Nobody ticked it.
    frame["box_native"] = 0
    return frame.assign(**{"code-1": frame["race-1"].map(codes), "code-2": frame["race-2"].map(codes)})


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def address(request, tmp_path):
    frame, path = people(), tmp_path / "rows.db"
    if request.param == "sqlite":
        with sqlite3.connect(path) as connection:
            frame.to_sql("people", connection, index=False)
        connection.close()
    elif request.param == "duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.register("given", frame)
            connection.execute("CREATE TABLE people AS SELECT * FROM given")
    else:
        server = request.getfixturevalue("postgres")
        cells = ", ".join(
            "(" + ", ".join("NULL" if pd.isna(c) else f"'{c}'" if isinstance(c, str) else f"{c:g}" for c in row) + ")"
            for row in frame.itertuples(index=False)
        )
        kinds = ("text", "text", *["int"] * 5)
        named = ", ".join(f'"{name}" {kind}' for name, kind in zip(frame, kinds, strict=True))
        server.execute(
            "DROP TABLE IF EXISTS people", f"CREATE TABLE people ({named})", f"INSERT INTO people VALUES {cells}"
        )
        return server.url
    return f"{request.param}:///{path}"


def test_the_same_column_is_made_in_an_engine(address):
    there = connect_table(address, table="people", options=ReadOptions(derived=MADE))
    here = Table.from_pandas(people(), derived=MADE)
    assert [*there.columns] == [*here.columns] and there.source.options.derived == here.source.options.derived
    for name in MADE:
        counts = [table.counts([name]).astype({name: object}) for table in (there, here)]
        pd.testing.assert_frame_equal(*counts, check_dtype=False)
        [value] = here.values(name, where=f"{name} <> 'several'", limit=1)["value"]
        both = [table.any_of_these(name, [value]) for table in (there, here)]
        assert there.count(both[0]) == here.count(both[1]) > 0
        assert there.count(~both[0]) == here.count(~both[1]) > 0
