"""A query of a person is one SELECT that reads, or it is refused before it reaches an engine."""

from __future__ import annotations

import logging
import sqlite3

import duckdb
import pytest

from fairaudit.data.engines.connect import connect_table
from fairaudit.data.engines.guard import MAX_LENGTH, checked_query
from fairaudit.errors import ConnectError, InputError

WRITES = """
DELETE FROM x
INSERT INTO x VALUES (1)
UPDATE x SET a = 1
TRUNCATE x
DROP TABLE x
CREATE TABLE y AS SELECT 1
MERGE INTO x USING y ON true WHEN MATCHED THEN DELETE
WITH gone AS (DELETE FROM x RETURNING *) SELECT * FROM gone
WITH new AS (INSERT INTO x VALUES (1) RETURNING *) SELECT * FROM new
WITH set AS (UPDATE x SET a = 1 RETURNING *) SELECT * FROM set
SELECT * FROM (WITH gone AS (DELETE FROM x RETURNING *) SELECT * FROM gone) AS t
SELECT * INTO y FROM x
SELECT * FROM x FOR UPDATE
SELECT * FROM x FOR SHARE
COPY x TO '/tmp/x'
COPY (SELECT 1) TO PROGRAM 'sh'
CALL p()
DO $$ BEGIN END $$
EXPLAIN ANALYZE DELETE FROM x
SET transaction_read_only = off
BEGIN
LOCK TABLE x
VACUUM
NOTIFY x
VALUES (1)
""".strip().splitlines()
CALLS = """
SELECT pg_sleep(10)
SELECT pg_catalog.pg_sleep(10)
SELECT "pg_sleep"(10)
SELECT (SELECT pg_sleep(10))
SELECT a FROM x WHERE pg_sleep(10) IS NULL
SELECT a FROM x ORDER BY pg_sleep(10)
SELECT count(*) OVER (ORDER BY pg_sleep(10)) FROM x
SELECT * FROM x, LATERAL pg_sleep(10)
SELECT * FROM LATERAL (SELECT pg_sleep(10)) AS t
SELECT pg_read_file('/etc/passwd')
SELECT * FROM pg_ls_dir('.')
SELECT lo_import('/etc/passwd')
SELECT lo_export(1, '/tmp/x')
SELECT * FROM dblink('host=x', 'select 1') AS t(a int)
SELECT set_config('transaction_read_only', 'off', false)
SELECT current_setting('data_directory')
SELECT query_to_xml('delete from x', true, true, '')
SELECT nextval('s')
SELECT ('/etc/passwd'::text).pg_read_file
SELECT (s).current_setting FROM (SELECT CAST('port' AS text) AS s) AS t
SELECT a FROM x ORDER BY (CAST(1 AS bigint)).pg_advisory_lock
SELECT TRANSFORM(a) USING 'sh -c id' AS (b STRING) FROM x
SELECT TRANSFORM(a) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' USING 'sh' AS (b STRING) FROM x
FROM x MAP a USING 'sh'
FROM x REDUCE a USING 'sh'
SELECT MAP(a) USING 'sh' AS b FROM x
SELECT pg_terminate_backend(1)
SELECT pg_advisory_lock(1)
SELECT public.lower(a) FROM x
SELECT * FROM generate_series(1, 10000000000)
SELECT own_function(a) FROM x
""".strip().splitlines()
SEVERAL = ["SELECT 1; SELECT 2", "SELECT 1; DROP TABLE x", "SELECT 1;; DELETE FROM x", "SELECT 1 /* ; */ ; SELECT 2"]
PARAMETERS = ["SELECT $1", "SELECT :name", "SELECT ?"]
READS = {
    "SELECT a, b AS c FROM staff.people WHERE a > 1 AND b LIKE 'x%' ORDER BY a LIMIT 10": "staff.people",
    "SELECT p.*, d.name FROM people AS p JOIN depts AS d USING (id);": "JOIN depts",
    "WITH x AS (SELECT * FROM y) SELECT sex, count(*) AS n FROM x GROUP BY sex": "WITH x AS",
    "SELECT a FROM x UNION ALL SELECT a FROM y": "UNION ALL",
    "SELECT extract(year FROM d) AS year, cast(a AS int) AS a, coalesce(b, c) AS b, lower(d) AS d FROM x": "COALESCE",
    "SELECT a || ';drop' AS b FROM x -- a remark; with a semicolon": "';drop'",
    "SELECT row_number() OVER (PARTITION BY a ORDER BY b) AS r FROM x": "ROW_NUMBER",
}


@pytest.mark.parametrize("query", [*WRITES, *CALLS, *SEVERAL, *PARAMETERS, "", " ", "SELECT (", "x" * MAX_LENGTH + "x"])
def test_what_does_more_than_read_is_refused(query, caplog):
    for dialect in ["postgres", "sqlite", "duckdb", "spark"]:
        with caplog.at_level(logging.DEBUG), pytest.raises(ConnectError) as caught:
            checked_query(query, dialect)
        assert caught.value.hint, dialect
        assert "passwd" not in str(caught.value) and not caplog.text


@pytest.mark.parametrize(
    ("query", "dialect"),
    [
        *(("SELECT " + name + " AS who FROM people", "postgres") for name in ("user", "USER", "current_role",
          "session_user", "system_user", "current_user", "current_catalog", "current_schema")),
        ("SELECT sex FROM people WHERE user = 'anna'", "postgres"),
        ("SELECT sex FROM people WHERE `user` = 'anna'", "spark"),
        *((f"SELECT * FROM {name}", "postgres") for name in ("pg_roles", "PG_STAT_ACTIVITY", '"pg_shadow"',
          "pg_catalog.pg_user", "information_schema.tables", "postgres.pg_catalog.pg_settings")),
        ("SELECT sex FROM people WHERE EXISTS (SELECT * FROM pg_authid)", "postgres"),
        *((f"SELECT * FROM {name}", "sqlite") for name in ("sqlite_master", "main.sqlite_schema", "pragma_table_list")),
        *((f"SELECT * FROM {name}", "duckdb") for name in ("duckdb_settings", "system.main.duckdb_tables",
          "sqlite_master", "information_schema.tables")),
        ("SELECT * FROM system.information_schema.tables", "spark"),
        ("SELECT CAST(10 AS regrole) AS who", "postgres"),
        ("SELECT 10::regrole::text AS who", "postgres"),
    ],
)  # fmt: skip
def test_what_the_database_says_of_itself_and_of_who_asks_is_refused(query, dialect):
    with pytest.raises(ConnectError, match="may not use"):
        checked_query(query, dialect)


def test_columns_and_tables_of_such_names_can_be_read():
    assert checked_query('SELECT "user", p.user FROM staff.pg_people AS p', "postgres")
    assert checked_query("SELECT user FROM people", "sqlite") == "SELECT user FROM people"
    assert checked_query("SELECT p.user FROM people AS p", "spark")


@pytest.mark.parametrize("engine", ["postgres", "sqlite", "duckdb"])
def test_the_tables_of_the_engine_itself_are_no_table_to_choose(engine, request, tmp_path):
    url, table = {
        "postgres": lambda: (request.getfixturevalue("postgres_url"), "pg_catalog.pg_roles"),
        "sqlite": lambda: (request.getfixturevalue("sqlite_url"), "sqlite_master"),
        "duckdb": lambda: (request.getfixturevalue("duckdb_url"), "duckdb_settings"),
    }[engine]()
    if engine != "postgres":
        module = {"sqlite": sqlite3, "duckdb": duckdb}[engine]
        module.connect(url.split(":///")[1]).close()
    with pytest.raises(ConnectError, match="the database describes itself"):
        connect_table(url, table=table)


@pytest.mark.parametrize(
    ("query", "dialect"),
    [
        ("SELECT LPAD(a, 3, '0'), RPAD(a, 3), ASCII(a), CHR(65), REPEAT(a, 2), a COLLATE \"C\" FROM x", "postgres"),
        ("SELECT a FROM x WHERE a ~* 'x' AND ISFINITE(d)", "postgres"),
        ("SELECT STRFTIME('%Y', d), DATE(d, '+1 day'), DATE(d), DATETIME(d), a COLLATE nocase FROM x", "sqlite"),
        ("SELECT ASCII(a), REPEAT(a, 3), ISFINITE(d), LPAD(a, 3, ' ') FROM x", "duckdb"),
        ("SELECT LPAD(a, 3, ' '), REPEAT(a, 3), ASCII(a), BROUND(b, 1) FROM x", "spark"),
    ],
)
def test_functions_that_only_read_are_let_through_as_they_are_written(query, dialect):
    assert checked_query(query, dialect) == query


@pytest.mark.parametrize(
    ("query", "dialect", "named"),
    [("SELECT array[a] FROM x", "postgres", "array"), ("SELECT columns('a.*') FROM x", "duckdb", "columns"),
     ("SELECT rand() FROM x", "spark", "rand"), ("SELECT Own(a) FROM x", "sqlite", "own")],
)  # fmt: skip
def test_a_function_is_refused_by_the_name_that_was_written(query, dialect, named):
    with pytest.raises(ConnectError, match=f"the function '(?i:{named})'"):
        checked_query(query, dialect)


def test_what_would_be_sent_as_something_else_is_refused():
    with pytest.raises(ConnectError, match="two texts side by side"):
        checked_query("SELECT 'a' 'b' FROM x", "sqlite")
    with pytest.raises(ConnectError, match="taken for an operator"):
        checked_query("SELECT div(a, b) FROM x", "duckdb")


@pytest.mark.parametrize("query", READS)
def test_a_plain_select_is_let_through_without_its_remarks(query):
    for dialect in ["postgres", "sqlite", "duckdb", "spark"]:
        sent = checked_query(query, dialect)
        assert READS[query] in sent, dialect
        assert "remark" not in sent and not sent.endswith(";")
        assert checked_query(sent, dialect) == sent


def test_a_query_is_asked_like_a_table(postgres, postgres_url):
    postgres.execute("CREATE TABLE asked AS SELECT i AS a, i % 2 = 0 AS even FROM generate_series(1, 10) AS i")
    query = "SELECT a * 2 AS twice, even FROM asked WHERE a > 4 -- the large ones"
    table = connect_table(postgres_url, query=query, name="large ones")
    assert (table.name, table.n_rows, table.connection.query) == ("large ones", 6, query)
    assert table.counts(["even"], where="twice >= 12")["n"].tolist() == [2, 3]


def test_the_server_refuses_a_write_that_no_parser_saw(postgres, postgres_url):
    postgres.execute(
        "CREATE TABLE kept AS SELECT 1 AS a",
        "CREATE FUNCTION emptied() RETURNS int LANGUAGE sql AS 'DELETE FROM kept; SELECT 1'",
        "CREATE VIEW sly AS SELECT emptied() AS a",
    )
    with pytest.raises(ConnectError, match="only reads"):
        connect_table(postgres_url, table="sly").counts(["a"])
    assert connect_table(postgres_url, table="kept").n_rows == 1


def test_exactly_one_of_table_and_query_is_given(postgres_url):
    for given in ({}, {"table": "a", "query": "SELECT 1 AS a"}):
        with pytest.raises(InputError, match="exactly one of 'table' and 'query'"):
            connect_table(postgres_url, **given)


@pytest.mark.parametrize("name", ["", ".", "a.", ".a", "a.b.c.d", '"a', "a\0b"])
def test_what_is_no_name_of_a_table_is_refused(postgres_url, name):
    with pytest.raises(ConnectError, match="not the name of a table"):
        connect_table(postgres_url, table=name)


@pytest.mark.parametrize("name", ["x; DROP TABLE kept", "kept WHERE 1=1", 'kept" --', "(SELECT 1)"])
def test_a_name_is_never_read_as_sql(postgres_url, name):
    with pytest.raises(ConnectError, match=r"is not there|not the name of a table"):
        connect_table(postgres_url, table=name)


@pytest.mark.parametrize("address", ["mysql://a:s3cret@b/c", "no address s3cret", "://s3cret", "oracle://s3cret@x"])
def test_an_address_of_another_kind_is_refused_without_being_shown(address):
    with pytest.raises(InputError) as caught:
        connect_table(address, table="a")
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None
