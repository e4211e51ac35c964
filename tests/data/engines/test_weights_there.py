"""Every engine adds sampling weights up as a DataFrame does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from asked import as_frame, fill_duckdb, fill_postgres, fill_sqlite, rows

from fairaudit import Condition, Table
from fairaudit.columns import SurveyDesign
from fairaudit.data.engines.connect import connect_table

N_ROWS = 250


@pytest.fixture(params=["embedded", "duckdb", "sqlite", "postgres"])
def table(request, tmp_path: Path) -> Table:
    cells = rows(N_ROWS)
    match request.param:
        case "embedded":
            return Table.from_pandas(as_frame(cells))
        case "duckdb":
            fill_duckdb(tmp_path / "a.duckdb", cells)
            return connect_table(f"duckdb:///{tmp_path / 'a.duckdb'}", table="rows")
        case "sqlite":
            fill_sqlite(tmp_path / "a.sqlite", cells)
            return connect_table(f"sqlite:///{tmp_path / 'a.sqlite'}", table="rows")
    url = request.getfixturevalue("postgres_url")
    fill_postgres(url, cells, "weights_there")
    return connect_table(url, table="weights_there")


def test_weights_are_added_up_by_columns_and_conditions(table):
    frame = as_frame(rows(N_ROWS))
    even = Condition.parse("id > 100", table)
    got = table.with_design(SurveyDesign("id")).weighted_counts({"race": "race", "late": even}, where="id > 20")
    kept = frame[frame["id"] > 20].assign(late=lambda rows: rows["id"] > 100, w2=lambda rows: rows["id"] ** 2)
    expected = kept.groupby(["race", "late"], dropna=False).agg(n=("id", "size"), w=("id", "sum"), w2=("w2", "sum"))
    assert len(got) == len(expected)
    pd.testing.assert_frame_equal(
        got[["n", "w", "w2"]].sort_values(["n", "w"]).reset_index(drop=True).astype(float),
        expected.sort_values(["n", "w"]).reset_index(drop=True).astype(float),
    )


def test_rows_without_a_weight_above_0_are_left_out(table):
    frame = as_frame(rows(N_ROWS))
    weighted = table.with_design(SurveyDesign("id"))
    assert weighted.n_rows == len(frame)
    holes = Table.from_pandas(frame) if not table.is_connected else table
    some = replace(weighted._answers.writer, weights="age")
    assert some.source(["id"]).rpartition(" WHERE ")[2].count("> 0") == 1
    answered = holes._answers.frame(f"SELECT count(*) FROM {some.source(['id'])}", ["n"], ["number"])
    assert answered.loc[0, "n"] == (frame["age"] > 0).sum()
    answered = holes._answers.frame(f"SELECT count(*) FROM {some.source([])}", ["n"], ["number"])
    assert answered.loc[0, "n"] == (frame["age"] > 0).sum()
