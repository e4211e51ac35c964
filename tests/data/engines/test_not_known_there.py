"""People of unknown groups are found where the rows stay, with as few questions as it takes."""

from __future__ import annotations

import sqlite3

import duckdb
import pandas as pd
import pytest

from fairaudit.data import Table
from fairaudit.data.engines.connect import connect_table
from fairaudit.errors import OpenValues, OpenValuesError
from fairaudit.measure.not_known import find_not_known, groups_not_known, odd_values, open_values
from fairaudit.measure.strata import check_strata
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.plan.roles import outcome_of
from fairaudit.sections.check.answering import answer_check

N = 110
FRAME = pd.DataFrame(
    {
        "race": ["Black"] * 40 + ["White"] * 50 + ["Decline to state"] * 12 + ["UNKNOWN", " ", ""] + [None] * 5,
        "sex": ["F", "M"] * (N // 2),
        "hired": ["yes", "no", "no", "yes", "pending"] * (N // 5),
        "age": [8888, 20, 35, 50, 65] * (N // 5),
    }
)


class Counted:
    """An engine that remembers what it was asked."""

    def __init__(self, engine) -> None:
        self.engine, self.asked = engine, []

    def __getattr__(self, name: str):
        return getattr(self.engine, name)

    def frame(self, query: str, names, kinds):
        self.asked.append(query)
        return self.engine.frame(query, names, kinds)


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def connected(request, tmp_path):
    """The rows in an engine, and what it was asked."""
    path, address = tmp_path / "rows.db", f"{request.param}:///{tmp_path / 'rows.db'}"
    if request.param == "sqlite":
        with sqlite3.connect(path) as connection:
            FRAME.to_sql("people", connection, index=False)
        connection.close()
    elif request.param == "duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.register("given", FRAME)
            connection.execute("CREATE TABLE people AS SELECT * FROM given")
    else:
        server = request.getfixturevalue("postgres")
        cells = ", ".join(
            "(" + ", ".join("NULL" if pd.isna(cell) else f"'{cell}'" for cell in row) + ")"
            for row in FRAME.itertuples(index=False)
        )
        server.execute(
            "DROP TABLE IF EXISTS people",
            "CREATE TABLE people (race text, sex text, hired text, age integer)",
            f"INSERT INTO people VALUES {cells}",
        )
        address = server.url
    counted: list[Counted] = []
    table = connect_table(address, table="people").through(lambda engine: counted.append(Counted(engine)) or counted[0])
    return table, counted[0]


def check(table: Table, protected: str, where: str | None = None):
    plan = AuditPlan(data=DataPlan(source="people"), decision=OutcomePlan(column="hired", favorable=("yes",)))
    within, condition = table.condition(where), table.condition(protected)
    sizes = (table.count(condition), table.count(~condition))
    parts = find_not_known(table, outcome_of(table, plan.decision), where=within, protected=condition, sizes=sizes)
    if open_values(parts):
        with pytest.raises(OpenValuesError):
            answer_check(table, plan, CheckPlan(protected=protected, where=where))
    return parts


def test_the_same_is_found_as_in_memory(connected):
    table, near = connected[0], Table.from_pandas(FRAME)
    for protected in ("race = 'Black'", "race <> 'White'", "race = 'Black' OR sex = 'F'"):
        for where in (None, "sex = 'M'", "race <> 'Decline to state'"):
            there, here = check(table, protected, where), check(near, protected, where)
            assert there == here and [part.column for part in here] == ["race", "hired"], (protected, where)
            assert table.count(here[0].leave_out) == near.count(here[0].leave_out), (protected, where)


def test_values_are_asked_for_once_and_rows_are_counted_only_where_some_say_not_known(connected):
    table, engine = connected

    def passes(protected: str) -> int:
        engine.asked.clear()
        outcome = outcome_of(table, OutcomePlan(column="sex", favorable=("F",)))
        find_not_known(table, outcome, protected=table.condition(protected), sizes=(40, 65))
        return sum("GROUP BY" in query for query in engine.asked)

    assert [passes("hired = 'yes'") for _ in range(2)] == [2, 0]
    assert [passes("race = 'Black'") for _ in range(2)] == [2, 1]


def test_numbers_that_stand_for_not_known_are_found_there(connected):
    table, near = connected[0], Table.from_pandas(FRAME)
    assert odd_values(table, "age", "group") == odd_values(near, "age", "group") == {8888: "perhaps"}
    there, here = (groups_not_known(each, each.condition("age < 40"), sizes=(44, 66)) for each in (table, near))
    assert there == here and [(part.column, part.n) for part in here] == [("age", 22)]
    asked = {
        "decision": "hired",
        "favorable": "yes",
        "protected": "sex = 'F'",
        "strata": "age",
        "where": "hired <> 'pending'",
    }
    with pytest.raises(OpenValuesError) as refused:
        check_strata(table, **asked, strata_cuts={"age": [40]})
    assert refused.value.questions == (OpenValues("age", ("8888",), "value", "not_known"),)
