"""Tables of counts, written out with one row for each case."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from fairaudit.data.answers import Answers
from fairaudit.data.base import TableBase
from fairaudit.data.engine import RELATION, connect, quoted, reading, unused_name
from fairaudit.disclosure.said import remark
from fairaudit.errors import InputError, LimitError, near_names, quote
from fairaudit.findings import Message, Phrase

SomeTable = TypeVar("SomeTable", bound=TableBase)

MOST_CASES = 10_000_000
"""The most rows that a table of counts is written out as."""


def write_cases_out(table: SomeTable, column: str) -> SomeTable:
    """Return a table with one row for each case: each row as often as a column of counts says, without this column."""
    answers = table._answers
    if table.is_connected or not isinstance(answers, Answers):
        raise InputError(
            "'counts' cannot be given for rows that stay in a database.",
            hint="Let a query of the database give one row for each case, or bring the table as a file.",
        )
    if column not in table.columns:
        raise InputError(
            f"'counts' must name a column of the table, got {quote(column)}.", hint=near_names(column, table.columns)
        )
    others = [each for each in table.columns.values() if each.name != column]
    if not others:
        raise InputError("A table of counts must have another column beside the counts.")
    n_cases = _checked_cases(table, column)
    names = ", ".join(quoted(each.name) for each in others)
    time = quoted(unused_name("time", table.columns))
    repeated = f"SELECT {names}, unnest(range(CAST({quoted(column)} AS BIGINT))) AS {time} FROM counted_rows"
    connection = connect()
    with answers.batches() as rows, reading("The table", "Bring a table with fewer cases."):
        connection.register("counted_rows", rows)
        connection.execute(f"CREATE TABLE {RELATION} AS SELECT {names} FROM ({repeated})")
        connection.unregister("counted_rows")
    options = replace(table.source.options, counts=column, rows_are_cases=False)
    said = remark(Message("read-written-out", {"column": Phrase(quote(column, limit=40))}), "setting")
    return type(table)(
        Answers(connection),
        columns=others,
        n_rows=n_cases,
        name=table.name,
        source=replace(table.source, options=options, in_place=False),
        notes=(*table.notes, said),
    )


def _checked_cases(table: TableBase, column: str) -> int:
    """Return the sum of a column of counts; refuse one that holds anything but whole numbers from 0."""
    rule = f"Column {quote(column)} must hold whole numbers from 0 to say how many cases each row stands for"
    hint = "Correct or remove these rows, or name another column."
    if table.column(column).kind != "number":
        raise InputError(f"{rule}, got {table.column(column).kind} values.", hint=hint)
    name = table.writer.quoted(column)
    known, below, fractions, cases = table.aggregate(
        [
            f"count({name})",
            f"sum(CASE WHEN {name} < 0 THEN 1 ELSE 0 END)",
            f"sum(CASE WHEN {name} <> floor({name}) THEN 1 ELSE 0 END)",
            f"sum(CAST({name} AS DOUBLE))",
        ]
    )
    broken = {"without a number": table.n_rows - known, "below 0": below or 0, "with a fraction": fractions or 0}
    got = [f"{n:,} {'row' if n == 1 else 'rows'} {what}" for what, n in broken.items() if n]
    if got or not cases:
        raise InputError(f"{rule}, got {' and '.join(got) if got else 'no case at all'}.", hint=hint)
    if cases > MOST_CASES:
        raise LimitError(
            f"Column {quote(column)} counts {cases:,.0f} cases in all; at most {MOST_CASES:,} are written out as rows.",
            hint="Bring a part of the table, or fewer columns and rows.",
        )
    return int(cases)
