"""Spark answers as a table in memory does, sends back counts only, and can be stopped."""

from __future__ import annotations

import datetime
import math
import threading

import duckdb
import numpy as np
import pandas as pd
import pytest
from asked import NAMES, as_frame, conditions, expected, rows
from shown import shows

from fairaudit import Condition, check_controlled_fairness
from fairaudit.conditions.engines.spark import to_spark
from fairaudit.data import Table
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.engines.spark import SparkDoor
from fairaudit.errors import ConnectError, InputError, StoppedError

TYPES = ("bigint", "bigint", "double", "string", "string", "boolean", "date", "timestamp_ntz")
SCHEMA = ", ".join(f"`{name}` {kind}" for name, kind in zip(NAMES, TYPES, strict=True))


@pytest.fixture(scope="module")
def random_rows(spark):
    """The rows that all engines are asked about, of which every other missing number is NaN in Spark."""
    cells = rows(250)
    held = [(*row[:2], math.nan if row[2] is None and row[0] % 2 else row[2], *row[3:]) for row in cells]
    spark.createDataFrame(held, SCHEMA).createOrReplaceTempView("random_rows")
    return connect_table(spark, table="random_rows"), as_frame(cells)


@pytest.fixture
def changed(spark):
    """Return a function that changes settings of the session until the test ends."""
    before = {}

    def change(name, value):
        before.setdefault(name, spark.conf.get(name))
        spark.conf.set(name, value)

    yield change
    for name, value in before.items():
        spark.conf.set(name, value)


@pytest.mark.parametrize(("ansi", "n"), [("true", 500), ("false", 50)])
def test_conditions_are_true_and_false_for_the_rows_of_the_mask(random_rows, changed, ansi, n):
    table, frame = random_rows
    changed("spark.sql.ansi.enabled", ansi)
    # Compiling a statement of so many conditions would take longer than running it.
    changed("spark.sql.codegen.wholeStage", "false")
    changed("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    wrong = []
    for start in range(0, n, 100):
        part = conditions(500)[start : min(start + 100, n)]
        inner = ", ".join(f"({table.writer.condition(one)}) AS c{place}" for place, one in enumerate(part))
        outer = ", ".join(
            f"count_if(c{place}), count_if(NOT c{place}), coalesce(sum(IF(c{place}, id, 0)), 0), "
            f"coalesce(sum(IF(NOT c{place}, id, 0)), 0)"
            for place in range(len(part))
        )
        [row] = table._engine.door.ask(f"SELECT {outer} FROM (SELECT id, {inner} FROM {table.writer.relation})")
        for place, one in enumerate(part):
            got = row[4 * place : 4 * place + 4]
            if got != expected(one, frame):
                wrong.append(f"{one}\n  got {got}, expected {expected(one, frame)}\n  {to_spark(one.tree)}")
    assert not wrong, f"{len(wrong)} of {n}:\n" + "\n".join(wrong[:5])


def test_compiled_code_agrees_where_spark_has_its_own_ways(random_rows):
    table, frame = random_rows
    texts = [
        "seen = TIMESTAMP '2014-01-31 10:30:00' OR née_le < DATE '1900-01-01'", "race LIKE '%\\%' OR race LIKE '_'",
        "race ILIKE 'ß%' OR upper(race) = 'WHITE'", "trim(race) <> race", "length(race) > 1 AND NOT race >= 'a'",
        "age / 0 > 1 OR age % 0 = 0", '"capital gain" % 2 >= 0 OR "capital gain" * 0 = 0', '"capital gain" > 1e300',
        'round("capital gain", 2) = 1.01 OR round(age / 2) = 3', "age + 0.5 > 9007199254740993", "race = '${x}'",
        'age IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0.5) OR "capital gain" IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)',
    ]  # fmt: skip
    asked = {f"c{place}": table.condition(text) for place, text in enumerate(texts)}
    pd.testing.assert_frame_equal(table.counts(asked), Table.from_pandas(frame).counts(asked))


@pytest.fixture
def decisions(spark):
    """Made-up decisions with what Spark and DuckDB hold differently, and the same in memory."""
    spark.sql("""
        SELECT CAST(id AS INT) AS number, IF(id % 7 = 0, double('NaN'), id / 4) AS merit, CAST(id AS DECIMAL(10, 2)) / 4
        AS amount, CAST(id AS DECIMAL(12, 0)) AS whole, float(0.1) AS single, IF(id % 3 = 0, 'woman', 'man') AS sex,
        IF(id % 5 < 2, 'yes', IF(id % 11 = 0, NULL, 'no')) AS `granted.``x`, id % 2 = 0 AS member,
        DATE'2024-02-28' + CAST(id % 3 AS INT) AS day, timestamp_micros(1710038400000000 + id * 1800000000) AS seen,
        array(id) AS many, collate('Z', 'UTF8_LCASE') AS region FROM range(200)
    """).createOrReplaceTempView("decisions")
    numbers = np.arange(200)
    held = pd.DataFrame(
        {
            "number": numbers,
            "merit": np.where(numbers % 7 == 0, np.nan, numbers / 4),
            "amount": numbers / 4,
            "whole": numbers,
            "single": 0.1,
            "sex": np.where(numbers % 3 == 0, "woman", "man"),
            "granted.`x": pd.Series(np.where(numbers % 5 < 2, "yes", "no"), dtype="object").where(
                (numbers % 5 < 2) | (numbers % 11 != 0)
            ),
            "member": numbers % 2 == 0,
            "day": [datetime.date(2024, 2, 28) + datetime.timedelta(int(n % 3)) for n in numbers],
            "seen": pd.to_datetime(1710038400000000 + numbers * 1800000000, unit="us"),
            "region": "Z",
        }
    )
    return connect_table(spark, table="decisions"), Table.from_pandas(held)


def test_questions_have_the_answers_of_a_table_in_memory(decisions):
    table, held = decisions
    assert {name: column.kind for name, column in table.columns.items()} == {
        name: column.kind for name, column in held.columns.items()
    }
    [note] = table.notes
    assert shows(note, "read-type", column="'many'", type="array<bigint>")
    assert table.is_connected and table.connection.engine == "Spark" and table.n_rows == 200
    for by in (["sex", "granted.`x"], ["day"], ["seen"], ["single", "region", "member"], ["merit"]):
        pd.testing.assert_frame_equal(table.counts(by), held.counts(by))
    where = "merit > 3 AND day <> DATE '2024-02-29' OR seen >= TIMESTAMP '2024-03-12'"
    assert 0 < table.count(where) == held.count(where) < 200
    for column in ("merit", "amount", "whole"):
        pd.testing.assert_frame_equal(table.moments(column, {"s": "sex"}), held.moments(column, {"s": "sex"}))
    pd.testing.assert_frame_equal(table.to_pandas(where="sex = 'woman'"), held.to_pandas(where="sex = 'woman'"))
    pd.testing.assert_frame_equal(table.values("sex"), held.values("sex"))
    for column in ("merit", "day", "seen"):
        assert table.column_range(column) == held.column_range(column)


def test_a_check_brings_back_one_row_a_group_and_spark_counts_them(spark, decisions, monkeypatch):
    from pyspark.sql.classic.dataframe import DataFrame

    table, held = decisions
    plans, brought = [], []
    collect = DataFrame.collect

    def spied(frame):
        rows = collect(frame)
        plans.append(frame._jdf.queryExecution().executedPlan().toString())
        brought.append(len(rows))
        return rows

    monkeypatch.setattr(DataFrame, "collect", spied)
    question = {"decision": "sex", "favorable": "woman", "protected": "amount < 20", "where": "merit IS NOT NULL"}
    found = check_controlled_fairness(table, **question)
    expected = check_controlled_fairness(held, **question)
    assert (found.protected, found.reference) == (expected.protected, expected.reference)
    groups = len(held.counts([Condition.parse(text, held.columns) for text in ("sex = 'woman'", "amount < 20")]))
    counting = [(plan, n) for plan, n in zip(plans, brought, strict=True) if "Limit 1" not in plan]
    assert counting and all("Aggregate" in plan and n <= groups for plan, n in counting)
    final = counting[0][0].split("Initial Plan")[0]
    # Rows are read below the aggregate, in the same plan.
    assert final.index("Aggregate") < final.index("Range (0, 200")
    assert all(n == 1 for plan, n in zip(plans, brought, strict=True) if "Limit 1" in plan)


def test_the_session_is_left_as_it_was(spark, decisions):
    context = spark.sparkContext
    context.setJobGroup("theirs", "their work")
    settings_before = dict(spark.conf.getAll)
    decisions[0].counts(["sex"])
    assert context.getLocalProperty("spark.jobGroup.id") == "theirs"
    assert context.getLocalProperty("spark.job.description") == "their work"
    assert dict(spark.conf.getAll) == settings_before
    for name in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
        context.setLocalProperty(name, None)


@pytest.fixture
def endless(spark):
    """A view whose count takes an hour."""
    spark.sql(
        "SELECT (a.id * b.id) % 7 AS x FROM range(100000000) a CROSS JOIN range(100000) b"
    ).createOrReplaceTempView("endless")
    return "SELECT x, count(*) FROM endless GROUP BY 1"


def test_a_question_is_cancelled_in_spark(spark, endless):
    door = SparkDoor(spark, timeout=60)
    began = threading.Event()
    tracker = spark.sparkContext.statusTracker()

    def cancel_once_it_runs():
        while not tracker.getActiveJobsIds() and not began.wait(0.05):
            pass
        door.cancel()

    canceller = threading.Thread(target=cancel_once_it_runs)
    canceller.start()
    try:
        with pytest.raises(StoppedError, match="The question was cancelled") as caught:
            door.ask(endless)
    finally:
        began.set()
        canceller.join()
    assert caught.value.__context__ is None and not tracker.getActiveJobsIds()


@pytest.mark.parametrize("seconds", [0.001, 0.5], ids=["before anything runs", "meanwhile"])
def test_a_question_that_takes_too_long_is_stopped(spark, endless, seconds):
    with pytest.raises(ConnectError, match=f"took longer than {seconds} seconds and was stopped in Spark"):
        SparkDoor(spark, timeout=seconds).ask(endless)
    assert not spark.sparkContext.statusTracker().getActiveJobsIds()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"table": "nowhere.people"}, "The table is not there"),
        ({"table": "people'; DROP TABLE x"}, "The table is not there"),
        ({"query": "SELECT 1 AS a; SELECT 2 AS b"}, "must be one statement"),
        ({"query": "INSERT INTO decisions VALUES (1)"}, "must be a SELECT"),
        ({"query": "DROP VIEW decisions"}, "must be a SELECT"),
        ({"query": "SELECT java_method('java.lang.System', 'getenv', 'HOME') AS x"}, "may not use the function"),
        ({"query": "SELECT '${env:HOME}' AS x"}, "may not hold"),
        ({"query": "SELECT * FROM csv.`/etc/passwd`"}, "would read a file"),
        ({"table": 'text."/etc/passwd"'}, "would read a file"),
        (
            {"query": "SELECT * FROM `org.apache.spark.sql.execution.datasources.text.TextFileFormat`.`/etc/passwd`"},
            "would read a file",
        ),
        (
            {"query": "SELECT 1 AS a FROM people JOIN `com.databricks.spark.csv`.`/etc/passwd`"},
            "would read a file",
        ),
        ({"table": '"com.databricks.spark.csv"."/etc/passwd"'}, "would read a file"),
        ({"table": 'libsvm."/etc/passwd"'}, "not there"),
        ({"query": "SELECT * FROM spark_catalog.libsvm.`/etc/passwd`"}, "not there"),
        ({"query": "SELECT user AS who"}, "may not use 'user'"),
        ({"query": "SELECT id AS a, id AS a FROM range(3)"}, "two columns named 'a'|may not use"),
        ({"query": "SELECT nothing FROM endless_one"}, "not there"),
        ({"query": "SELECT day FROM decisions_of_secrets WHERE 1 = 0"}, "not there"),
        ({"query": "SELECT CAST(secret AS INT) AS x FROM secrets"}, "computes something that has no result"),
        ({"query": "SELECT 1 / (length(secret) - 9) AS x FROM secrets"}, "computes something that has no result"),
        ({"query": "SELECT secret FROM secrets WHERE secret = ''"}, "The query has no rows"),
        ({"query": "SELECT array(1) AS x"}, "has no column of numbers|may not use the function"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_a_sentence_without_sparks_words(spark, capfd, caplog, source, message):
    spark.sql("SELECT concat('secret-', id) AS secret FROM range(10, 13)").createOrReplaceTempView("secrets")

    def opened_and_asked():
        table = connect_table(spark, **source)
        table.counts([next(iter(table.columns))])

    with pytest.raises(ConnectError, match=message) as caught:
        opened_and_asked()
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    shown = f"{caught.value}{caplog.text}{''.join(capfd.readouterr())}"
    assert "secret-" not in shown and "SQLSTATE" not in shown and "Exception" not in shown


def test_tables_of_a_database_and_global_views_are_read_by_their_full_names(spark):
    spark.sql("CREATE DATABASE IF NOT EXISTS `staff_2024`")
    spark.sql("CREATE OR REPLACE VIEW `staff_2024`.good AS SELECT id AS merit FROM range(3)")
    spark.sql("SELECT id AS merit FROM range(4)").createOrReplaceGlobalTempView("everywhere")
    try:
        found = [connect_table(spark, table=f"{before}staff_2024.good").n_rows for before in ("", "spark_catalog.")]
        query = "SELECT merit FROM spark_catalog.`staff_2024`.good WHERE merit > 0"
        found += [connect_table(spark, query=query).n_rows, connect_table(spark, table="global_temp.everywhere").n_rows]
    finally:
        spark.catalog.dropGlobalTempView("everywhere")
        spark.sql("DROP DATABASE `staff_2024` CASCADE")
    assert found == [3, 3, 2, 4]


def test_a_column_that_was_renamed_and_a_table_that_is_gone_are_shown(spark):
    spark.sql("SELECT id AS merit FROM range(5)").createOrReplaceTempView("changing")
    table = connect_table(spark, table="changing")
    spark.sql("SELECT id AS worth FROM range(5)").createOrReplaceTempView("changing")
    with pytest.raises(ConnectError, match="renamed or removed"):
        table.counts(["merit"])
    spark.catalog.dropTempView("changing")
    with pytest.raises(ConnectError, match="was removed since it was opened"):
        table.counts(["merit"])


def test_names_that_spark_cannot_distinguish_are_left_out(spark):
    spark.sql("SELECT id AS worth, id AS merit, id AS Merit FROM range(5)").createOrReplaceTempView("alike")
    table = connect_table(spark, table="alike")
    assert list(table.columns) == ["worth"] and len(table.notes) == 2


def test_what_is_no_session_is_refused():
    class Remote:
        sql = None

    with pytest.raises(InputError, match="must be a classic Spark session, got Remote"):
        connect_table(Remote(), table="people")


def test_the_fingerprint_is_that_of_the_same_rows_elsewhere_and_follows_the_data(spark, duckdb_url):
    read = "CAST(id % 7 AS BIGINT) AS number, id / 4 AS merit, id % 3 = 0 AS member, DATE '2024-01-31' AS day"
    spark.sql(f"SELECT {read} FROM range(90)").createOrReplaceTempView("printed")
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.execute(f"CREATE TABLE printed AS SELECT {read} FROM range(90) AS numbers(id)")
    first = connect_table(spark, table="printed").fingerprint
    assert first == connect_table(duckdb_url, table="printed").fingerprint
    spark.sql(f"SELECT {read} FROM range(1, 91)").createOrReplaceTempView("printed")
    assert connect_table(spark, table="printed").fingerprint != first
