"""Values that are not known become missing at reading, rows that are left out are gone, wherever the rows are."""

from __future__ import annotations

import sqlite3

import pandas as pd
import pytest

from fairaudit import connect_table, read_table, run
from fairaudit.columns import column_values, labels_of
from fairaudit.data import ReadOptions, Table
from fairaudit.errors import DataError, InputError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

ROWS = pd.DataFrame(
    {
        "sex": ["F", "M", "All", "NA", "F", "M"] * 5,
        "age": [25, 31, 99, 8888, 8888, 42] * 5,
        "ok": ["yes", "no", "yes", "no", "yes", "yes"] * 5,
    }
)
SAID = ReadOptions(not_known=column_values({"age": [8888], "sex": ["NA"]}), left_out=column_values({"sex": ["All"]}))
KEPT = [("F", 10), ("M", 10), (None, 5)]


def csv() -> bytes:
    return ROWS.to_csv(index=False).encode()


@pytest.fixture(params=["csv", "parquet", "parquet in place", "frame", "sqlite", "duckdb"])
def table(request, tmp_path) -> Table:
    if request.param == "csv":
        return read_table(csv(), options=SAID)
    if request.param == "frame":
        return Table.from_pandas(ROWS, not_known={"age": [8888], "sex": ["NA"]}, left_out={"sex": ["All"]})
    if request.param == "sqlite":
        with sqlite3.connect(tmp_path / "rows.db") as connection:
            ROWS.to_sql("cases", connection, index=False)
        connection.close()
        return connect_table(f"sqlite:///{tmp_path / 'rows.db'}", table="cases", options=SAID)
    ROWS.to_parquet(tmp_path / "rows.parquet")
    if request.param == "duckdb":
        import duckdb

        with duckdb.connect(str(tmp_path / "rows.duckdb")) as connection:
            connection.execute(f"CREATE TABLE cases AS SELECT * FROM '{tmp_path / 'rows.parquet'}'")
        return connect_table(f"duckdb:///{tmp_path / 'rows.duckdb'}", table="cases", options=SAID)
    path = tmp_path / "rows.parquet"
    return read_table(path if request.param == "parquet in place" else path.read_bytes(), options=SAID)


def test_wherever_rows_are_they_are_read_alike(table):
    counts = table.counts(["sex"])
    assert [(None if pd.isna(sex) else sex, n) for sex, n in counts.values] == KEPT
    assert table.n_rows == 25
    assert table.count("age IS NULL") == 10
    assert table.column_range("age") == (25, 42)
    assert (table.source.options.not_known, table.source.options.left_out) == (SAID.not_known, SAID.left_out)
    assert len(table.notes) >= 3


def test_what_stands_among_numbers_alone_makes_no_texts_of_them():
    rows = b"sex,age\nF,25\nM,NA\nAll,All ages\nM,31\n"
    how = ReadOptions(not_known=column_values({"age": ["NA"]}), left_out=column_values({"age": ["All ages"]}))
    table = read_table(rows, options=how)
    assert table.column("age").kind == "number"
    assert table.to_pandas(["age"])["age"].sum() == 56


def test_a_plan_holds_what_is_said_and_reads_it_again(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_bytes(csv())
    plan = AuditPlan(
        data=DataPlan(source="cases.csv"),
        decision=OutcomePlan(column="ok", favorable=("yes",)),
        checks=(CheckPlan(protected="sex = 'F'"),),
    )
    plan = record_data(plan, read_table(path, options=SAID))
    assert AuditPlan.from_toml(plan.to_toml()) == plan
    assert plan.data.not_known == {"age": ("8888",), "sex": ("NA",)}
    [check] = run(plan, base=tmp_path).checks
    assert (check.result.protected.n, check.result.reference.n, check.result.unknown) == (10, 10, 5)
    [given] = run(plan, table=Table.from_pandas(ROWS)).checks
    assert given.result.protected == check.result.protected


def test_a_table_that_is_given_stays_as_it_was():
    table = Table.from_pandas(ROWS)
    plan = AuditPlan(
        data=DataPlan(source="x", left_out={"sex": ("All",)}, not_known={"sex": ("NA",)}),
        decision=OutcomePlan(column="ok", favorable=("yes",)),
        checks=(CheckPlan(protected="sex = 'F'"),),
    )
    run(plan, table=table)
    assert table.n_rows == len(ROWS)


@pytest.mark.parametrize("option", ["not_known", "left_out", "real_values"])
def test_a_column_that_is_not_there_is_refused(option):
    with pytest.raises(InputError, match=option):
        read_table(csv(), options=ReadOptions(**{option: column_values({"gender": ["x"]})}))


def test_something_must_be_left():
    with pytest.raises(DataError):
        Table.from_pandas(ROWS, left_out={"sex": ["F", "M", "All", "NA"]})


def test_a_label_says_the_same_of_values_as_its_code(tmp_path):
    import duckdb

    rows = pd.DataFrame({"sex": [1, 2, 9, 9, 8] * 4, "ok": ["yes", "no"] * 10})
    labels = {"sex": {"1": "man", "2": "woman", "9": "other", "8": "refused"}}
    said = ReadOptions(
        labels=labels_of(labels),
        left_out=column_values({"sex": ["other"]}),
        not_known=column_values({"sex": ["refused"]}),
        real_values=column_values({"sex": ["woman"]}),
    )
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as connection:
        connection.register("given", rows)
        connection.execute("CREATE TABLE cases AS SELECT * FROM given")
    there = connect_table(f"duckdb:///{tmp_path / 'rows.duckdb'}", table="cases", options=said)
    here = read_table(rows.to_csv(index=False).encode(), options=said)
    for table in (there, here):
        assert [table.count(f"sex {is_value}") for is_value in ("= 'man'", "= 'woman'", "IS NULL")] == [4, 4, 4]
        assert table.n_rows == 12
        options = table.source.options
        assert (options.left_out, options.not_known) == (said.left_out, said.not_known)
        assert options.real_values == said.real_values
    assert there.notes == here.notes
