"""SQLite and DuckDB files: dynamic types, dates as texts, letters of any language, and what goes wrong."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from shown import shows

from fairaudit import Table, read_table
from fairaudit.data.engines.answers import rows_frame
from fairaudit.data.engines.connect import connect_table, open_door
from fairaudit.errors import ConnectError, InputError, StoppedError

SETUP = r'''
CREATE TABLE people (
  id INTEGER, sex TEXT COLLATE NOCASE, pay REAL, ok BOOLEAN, flag BOOLEAN, born DATE, seen DATETIME, day DATETIME,
  mixed INTEGER, odd DATE, bytes BLOB, untyped, blank NUMERIC, code VARCHAR(5), whole NUMERIC(10,2), zoned TIMESTAMP
);
INSERT INTO people VALUES
 (1, 'F', 1.5, 1, 1, '2014-01-31', '2014-01-31 10:30:00', '2014-01-31', 3, '2014-02-30', x'00', 'a',
  NULL, 1, 2, '2014-01-31 10:30:00Z'),
 (2, 'f', NULL, 0, 2, NULL, '2014-01-31T10:30', NULL, 'x', '2014-01-31', NULL, 'b', NULL, '01', 3, NULL),
 (3, 'É', 2, NULL, NULL, '2015-02-28', '2014-01-31 10:30:00.5', '2015-01-01 00:00:00', 4, NULL,
  NULL, NULL, NULL, NULL, 4, NULL);
CREATE VIEW ladies AS SELECT id, pay FROM people WHERE sex = 'F';
CREATE VIEW broken AS SELECT id FROM people_of_old;
CREATE TABLE "odd name;" ("a ""b""" TEXT, "income" TEXT);
INSERT INTO "odd name;" VALUES ('x', 'y');
CREATE TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n;
'''


@pytest.fixture
def people(sqlite_url) -> Table:
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.executescript(SETUP)
    connection.close()
    return connect_table(sqlite_url, table="people")


def test_kinds_come_from_declared_types_and_all_values(people):
    assert {name: column.kind for name, column in people.columns.items()} == {
        "id": "number", "sex": "text", "pay": "number", "ok": "boolean", "flag": "number", "born": "date",
        "seen": "timestamp", "day": "timestamp", "mixed": "text", "odd": "text", "untyped": "text",
        "blank": "number", "code": "text", "whole": "number", "zoned": "text",
    }  # fmt: skip
    mixed, left_out = people.notes
    assert shows(mixed, "read-mixed", column="'mixed'")
    assert shows(left_out, "read-type", column="'bytes'", type="binary")


def test_dates_that_are_kept_as_texts_compare_as_dates(people):
    assert people.to_pandas(["seen"])["seen"].astype(str).tolist() == [
        "2014-01-31 10:30:00.000", "2014-01-31 10:30:00.000", "2014-01-31 10:30:00.500"]  # fmt: skip
    assert people.count("seen = TIMESTAMP '2014-01-31 10:30:00'") == 2
    assert people.count("born < seen") == 1
    assert people.count("born = day") == 1
    assert people.count("extract(month from born) = 2") == 1
    assert people.column_range("born") == (pd.Timestamp("2014-01-31"), pd.Timestamp("2015-02-28"))


def test_days_in_columns_of_texts_are_days_as_in_a_file(sqlite_url):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("CREATE TABLE cases (got TEXT, seen TEXT, note TEXT, any)")
        connection.executemany(
            "INSERT INTO cases VALUES (?, ?, ?, ?)",
            [("2014-01-31", "2014-01-31 10:30", "2014-02-30", "2015-01-01"), ("2014-02-01", None, "2014-01-31", None)],
        )
    connection.close()
    table = connect_table(sqlite_url, table="cases")
    read = read_table(
        b"got,seen,note,any\n2014-01-31,2014-01-31 10:30,2014-02-30,2015-01-01\n2014-02-01,,2014-01-31,\n"
    )
    assert table.columns == read.columns and table.columns["got"].kind == "date"
    assert table.count("got < DATE '2014-02-01'") == 1 and table.count("seen >= TIMESTAMP '2014-01-31 10:00:00'") == 1


@pytest.mark.parametrize("name", ['Entscheide "2023" für', '"decisions"x', 'a"b', '"decisions', "decisions.", '""'])
def test_a_name_with_quotes_in_it_opens_no_other_table(sqlite_url, name):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        for other in ("Entscheide 2023 für", 'Entscheide "2023" für', "decisions", "decisionsx", "ab"):
            connection.execute("CREATE TABLE " + '"' + other.replace('"', '""') + '" (a INTEGER)')
            connection.execute("INSERT INTO " + '"' + other.replace('"', '""') + '" VALUES (1)')
    connection.close()
    with pytest.raises(ConnectError, match="is not the name of a table"):
        connect_table(sqlite_url, table=name)
    assert connect_table(sqlite_url, table='"Entscheide ""2023"" für"').name == 'Entscheide "2023" für'
    assert 'Entscheide ""2023"" für' in " ".join(open_door(sqlite_url).tables())


def test_letters_are_distinguished_whatever_the_collation_and_changed_in_any_language(people):
    assert people.counts(["sex"])["sex"].tolist() == ["F", "f", "É"]
    assert people.count("sex = 'F'") == 1
    assert people.count("sex LIKE 'f'") == 1
    assert people.count("sex ILIKE 'é'") == 1
    assert people.count("lower(sex) = 'é'") == 1
    assert people.count("code LIKE '0_' AND NOT sex LIKE '%*%' AND sex NOT LIKE '[f]'") == 1


def test_means_and_quantiles_are_those_of_numpy(people, sqlite_url):
    numbers = connect_table(sqlite_url, table="numbers").moments("i", {}).iloc[0]
    right = np.arange(1.0, 3001)
    assert numbers[["n", "missing"]].tolist() == [3000, 0]
    assert numbers["mean"] == right.mean()
    assert numbers["variance"] == pytest.approx(right.var(ddof=1), rel=1e-12)
    quarters = numbers[["quarter", "median", "three_quarters"]].tolist()
    assert quarters == np.quantile(right, [0.25, 0.5, 0.75]).tolist()
    assert people.moments("pay", {"sex": "sex"})["n"].tolist() == [1, 0, 1]
    beyond = connect_table(
        sqlite_url, query="SELECT i, CASE WHEN i = 3 THEN 9e999 ELSE i END AS x FROM numbers WHERE i < 4"
    )
    assert beyond.moments("x", {})["median"].tolist() == [2]


def test_a_column_that_is_renamed_is_not_taken_for_a_text(people, sqlite_url):
    table = connect_table(sqlite_url, table="odd name;")
    assert table.counts(["income"])["income"].tolist() == ["y"]
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("DROP VIEW broken")
        connection.execute('ALTER TABLE "odd name;" RENAME income TO pay')
    connection.close()
    with pytest.raises(ConnectError, match="renamed or removed"):
        table.counts(["income"])


def test_a_view_and_a_query_can_be_read(people, sqlite_url):
    assert connect_table(sqlite_url, table="ladies").columns["pay"].kind == "number"
    asked = connect_table(sqlite_url, query="SELECT sex, born FROM people WHERE id < 3")
    assert (asked.n_rows, asked.columns["born"].kind) == (2, "date")
    alike = "SELECT sex FROM people WHERE sex LIKE 'F' AND upper(sex) <> 'É' AND lower('É') = 'É'"
    assert connect_table(sqlite_url, query=alike).n_rows == 2, "a query means what it means in SQLite"
    assert open_door(sqlite_url).tables() == ("broken", "ladies", "numbers", "odd name;", "people")


def test_a_column_of_sqlite_with_a_nul_in_a_text_is_left_out_with_a_note(sqlite_url):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("CREATE TABLE cut AS SELECT 'a' || char(0) || 'b' AS sex, 'a' AS race, 1 AS number")
        assert connection.execute("SELECT length(sex), sex LIKE 'a' FROM cut").fetchall() == [(1, 1)]
    connection.close()
    table = connect_table(sqlite_url, table="cut")
    assert list(table.columns) == ["race", "number"]
    [note] = table.notes
    assert shows(note, "read-nul", column="'sex'")


@pytest.mark.parametrize(
    ("column", "cell", "condition"),
    [("age", "'n/a'", "age = 0"), ("pay", "'n/a'", "pay = 0"), ("ok", "2", "ok"), ("age", "x'00'", "age = 0"),
     ("born", "'soon'", "born > DATE '2014-01-01'"), ("seen", "'soon'", "seen > DATE '2014-01-01'")],
)  # fmt: skip
def test_a_cell_of_another_kind_that_comes_later_is_shown_and_never_counted(sqlite_url, column, cell, condition):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("CREATE TABLE later (age INTEGER, pay REAL, ok BOOLEAN, born DATE, seen DATETIME)")
        connection.execute("INSERT INTO later VALUES (1, 2.5, 1, '2014-01-31', '2014-01-31 10:30:00')")
    table = connect_table(sqlite_url, table="later")
    assert [kind.kind for kind in table.columns.values()] == ["number", "number", "boolean", "date", "timestamp"]
    with connection:
        connection.execute(f"INSERT INTO later ({column}) VALUES ({cell})")
    connection.close()
    for ask in (lambda: table.count(condition), lambda: table.to_pandas([column]), lambda: table.values(column)):
        with pytest.raises(ConnectError, match="kinds of a column changed since the table was opened") as caught:
            ask()
        assert "soon" not in str(caught.value) and caught.value.__cause__ is None and caught.value.__context__ is None


def test_a_number_that_is_not_whole_and_comes_later_is_itself(sqlite_url):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("CREATE TABLE later AS SELECT 12 AS age")
    table = connect_table(sqlite_url, table="later")
    with connection:
        connection.execute("INSERT INTO later VALUES (12.5)")
    connection.close()
    assert (table.count("age = 12"), table.count("age = 12.5")) == (1, 1)
    assert table.to_pandas()["age"].tolist() == [12, 12.5]


def test_the_smallest_whole_number_leaves_its_column_whole(sqlite_url):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("CREATE TABLE small AS VALUES (-9223372036854775807 - 1), (9007199254740993)")
    connection.close()
    assert sorted(connect_table(sqlite_url, table="small").to_pandas()["column1"].tolist()) == [-(2**63), 2**53 + 1]


def test_rows_whose_dates_cannot_be_read_are_refused_without_showing_them():
    with pytest.raises(ConnectError, match="kinds of a column changed") as caught:
        rows_frame([("secret cell",)], ["born"], ["date"])
    assert "secret" not in str(caught.value) and caught.value.__context__ is None


def test_a_name_in_an_sqlite_file_that_is_not_utf8_is_refused(tmp_path):
    path = tmp_path / "people.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE people (gender TEXT)")
    connection.execute("INSERT INTO people VALUES ('F')")
    connection.commit()
    connection.close()
    path.write_bytes(path.read_bytes().replace(b"gender", b"gen\xffer"))
    with pytest.raises(ConnectError, match="not UTF-8"):
        connect_table(f"sqlite:///{path}", table="people")


def test_a_table_in_an_sqlite_file_whose_name_is_no_text_is_not_named(tmp_path):
    path = tmp_path / "people.db"
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE people (gender TEXT)")
        connection.execute("CREATE TABLE odd (gender TEXT)")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET name = CAST('odd' AS BLOB) WHERE name = 'odd'")
    assert open_door(f"sqlite:///{path}").tables() == ("people",)


@pytest.mark.parametrize("table", ["broken", "no_such_table"])
def test_what_is_not_there_is_refused(people, sqlite_url, table):
    with pytest.raises(ConnectError, match="is not there") as caught:
        connect_table(sqlite_url, table=table)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_nothing_can_be_written_or_attached(people, sqlite_url):
    door = open_door(sqlite_url)
    for query in ("DELETE FROM people", "ATTACH ':memory:' AS other", "PRAGMA user_version = 3", "CREATE TABLE x (a)"):
        with pytest.raises(ConnectError, match="more than read"):
            door.ask(query)
    assert people.counts(())["n"].tolist() == [3]


def test_a_question_to_sqlite_stops_in_time_or_when_cancelled(people, sqlite_url):
    slow = "SELECT count(*) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c"
    _stops(open_door(sqlite_url, timeout=0.2), open_door(sqlite_url), slow, "SQLite")


def test_a_question_to_duckdb_stops_in_time_or_when_cancelled(duckdb_url):
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.execute("CREATE TABLE numbers AS SELECT range AS i FROM range(100000)")
    slow = "SELECT sum(a.i % 7 + b.i % 5 + c.i) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c"
    _stops(open_door(duckdb_url, timeout=0.2), open_door(duckdb_url), slow, "DuckDB")


def _stops(hasty, patient, slow: str, engine: str) -> None:
    start = time.monotonic()
    with pytest.raises(ConnectError, match=f"longer than 0.2 seconds and was stopped in {engine}"):
        hasty.ask(slow)
    assert time.monotonic() - start < 10
    failures = []

    def ask() -> None:
        try:
            patient.ask(slow)
        except StoppedError as error:
            failures.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    waited = time.monotonic() + 30
    while thread.is_alive() and time.monotonic() < waited:
        patient.cancel()
        thread.join(0.05)
    assert failures == ["The question was cancelled."]


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_a_file_that_is_missing_or_of_another_kind_is_refused(tmp_path: Path, scheme):
    with pytest.raises(ConnectError, match="There is no"):
        connect_table(f"{scheme}:///{tmp_path / 'none'}", table="a")
    with pytest.raises(ConnectError, match="There is no"):
        connect_table(f"{scheme}://", table="a")
    (tmp_path / "text").write_text("not a database, " * 500)
    with pytest.raises(ConnectError, match="damaged"):
        connect_table(f"{scheme}:///{tmp_path / 'text'}", table="a")


@pytest.mark.parametrize("at", [20_000, 40_000, 60_000])
def test_a_duckdb_file_whose_rows_are_damaged_is_called_so(tmp_path: Path, at):
    path = tmp_path / "file"
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{path}' AS made (BLOCK_SIZE 16384)")
        connection.execute("CREATE TABLE made.t AS SELECT range AS a, md5(range::VARCHAR) AS b FROM range(3000)")
    content = bytearray(path.read_bytes())
    content[at : at + 8] = bytes(byte ^ 255 for byte in content[at : at + 8])
    path.write_bytes(content)
    with pytest.raises(ConnectError, match="DuckDB file is damaged"):
        connect_table(f"duckdb:///{path}", table="t").to_pandas()


def test_a_duckdb_file_gives_what_a_parquet_file_gives(duckdb_url):
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.execute(
            "CREATE SCHEMA s; CREATE TABLE s.t AS SELECT 'NaN'::DOUBLE AS a, 0.1::FLOAT AS b, 1.5::DECIMAL(9,2) AS c,"
            " TIMESTAMPTZ '2014-01-31 10:30:00+02' AS d, 'x'::ENUM('x', 'y') AS e, [1] AS f, 'k'::BLOB AS g, 'h' AS h"
        )
    table = connect_table(duckdb_url, table="s.t")
    assert [column.kind for column in table.columns.values()] == [
        "number", "number", "number", "timestamp", "text", "text"]  # fmt: skip
    assert [note.split("'")[1] for note in table.notes] == ["f", "g"]
    row = table.to_pandas().iloc[0]
    assert np.isnan(row["a"]) and (row["b"], row["c"], str(row["d"])) == (0.1, 1.5, "2014-01-31 08:30:00")
    assert open_door(duckdb_url).tables() == ("s.t",)
    with pytest.raises(ConnectError, match="is not there"):
        connect_table(duckdb_url, table="t")
    with pytest.raises(ConnectError, match="cannot answer"):
        open_door(duckdb_url).ask("DELETE FROM s.t")


def test_a_query_on_a_file_reaches_no_other_file(duckdb_url, tmp_path: Path):
    (tmp_path / "other.csv").write_text("a\n1\n")
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.execute(f"CREATE VIEW outside AS SELECT * FROM read_csv('{tmp_path / 'other.csv'}')")
    with pytest.raises(ConnectError, match="outside the database"):
        connect_table(duckdb_url, table="outside")
    with pytest.raises(ConnectError, match="outside the database"):
        connect_table(duckdb_url, query=f"SELECT * FROM '{tmp_path / 'other.csv'}'")


def test_the_fingerprint_does_not_hang_on_the_engine(sqlite_url, duckdb_url, postgres, postgres_url):
    rows = "SELECT 1 AS a, 'x' AS b, 2.5 AS c UNION ALL SELECT 2, NULL, -1e3 UNION ALL SELECT NULL, 'Ä', 0.1"
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute(f"CREATE TABLE same AS {rows}")
    connection.close()
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.execute(f"CREATE TABLE same AS {rows}")
    postgres.execute(f"CREATE TABLE same AS {rows}")
    found = {connect_table(url, table="same").fingerprint for url in (sqlite_url, duckdb_url, postgres_url)}
    assert len(found) == 1


def test_a_sum_that_leaves_the_range_is_refused(sqlite_url):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("CREATE TABLE large AS SELECT 9223372036854775807 AS a UNION ALL SELECT 1")
    connection.close()
    with pytest.raises(InputError, match="leaves the range"):
        connect_table(sqlite_url, table="large").aggregate(["sum(a)"])


@pytest.mark.parametrize(
    "change",
    ["sex = 'M'", "granted = NOT granted", "pay = pay + 1", "born = born + INTERVAL 1 DAY", "sex = 'FF'", "sex = NULL"],
)
def test_the_fingerprint_shows_a_single_changed_value(duckdb_url, change):
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.execute(
            "CREATE TABLE people AS SELECT range AS id, CASE WHEN range % 2 = 0 THEN 'F' ELSE 'M' END AS sex,"
            " range % 3 = 0 AS granted, range % 7 AS pay, DATE '2000-01-01' + (range % 9)::INT AS born FROM range(100)"
        )
    first = connect_table(duckdb_url, table="people").fingerprint
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.execute(f"UPDATE people SET {change} WHERE id = 50")
    assert connect_table(duckdb_url, table="people").fingerprint != first


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_file_that_is_replaced_gives_no_answer(tmp_path, dialect):
    path, other = tmp_path / "people.db", tmp_path / "other.db"
    for file, n in ((path, 2), (other, 3)):
        database = sqlite3.connect(file) if dialect == "sqlite" else duckdb.connect(str(file))
        database.execute("CREATE TABLE people (id INTEGER)")
        database.execute(f"INSERT INTO people VALUES {', '.join(['(1)'] * n)}")
        if dialect == "sqlite":
            database.commit()
        database.close()
    table = connect_table(f"{dialect}:///{path}", table="people")
    assert table.count("id = 1") == 2
    other.replace(path)
    with pytest.raises(ConnectError, match="was replaced"):
        table.count("id = 1")


def test_a_locked_file_is_called_that_and_not_slow(tmp_path):
    path = tmp_path / "people.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("CREATE TABLE people (id INTEGER)")
    writer.execute("INSERT INTO people VALUES (1)")
    table = connect_table(f"sqlite:///{path}", table="people", timeout=2)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ConnectError, match="Another program is writing"):
        table.count("id = 1")
    writer.close()


def test_a_duckdb_file_has_a_limit_on_memory_and_no_place_on_the_disk(tmp_path):
    path = tmp_path / "people.duckdb"
    duckdb.connect(str(path)).execute("CREATE TABLE people (id INTEGER)").close()
    with open_door(f"duckdb:///{path}").session() as connection:
        ask = "SELECT current_setting('temp_directory'), current_setting('memory_limit')"
        assert connection.execute(ask).fetchall()[0][0] == ""
        with pytest.raises(duckdb.Error, match="locked"):
            connection.execute("SET memory_limit = '100GB'")


def test_a_text_of_a_duckdb_file_that_is_not_utf8_is_damage(tmp_path: Path):
    duckdb.connect(str(tmp_path / "file")).close()
    error = UnicodeDecodeError("utf-8", b"\xa8", 0, 1, "invalid start byte")
    assert "The DuckDB file is damaged" in str(open_door(f"duckdb:///{tmp_path / 'file'}").translate(error))
