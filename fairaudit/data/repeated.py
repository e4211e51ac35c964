"""Rows that repeat an earlier one, left out where a person says so."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.data.answers import Answers
from fairaudit.data.table import Table
from fairaudit.errors import DataError
from fairaudit.findings import Count, Message
from fairaudit.messages import say


def without_repetitions(table: Table) -> Table:
    """Return a table that was just read with the first of equal rows alone, in their order; missing cells are equal."""
    answers = table._answers
    if table.source.in_place or not isinstance(answers, Answers):
        raise DataError(
            "Repeated rows cannot be left out of a file that is read where it lies.",
            hint="Remove them in the file, or bring it as an upload.",
        )
    n_rows = answers.keep_first_of_equal(tuple(table.columns))
    n_left_out = table.n_rows - n_rows
    said = say(Message("read-repeated", {"n": Count(n_left_out)}))
    return Table(
        answers,
        columns=tuple(table.columns.values()),
        n_rows=n_rows,
        name=table.name,
        source=replace(table.source, options=replace(table.source.options, distinct=True)),
        notes=(*table.notes, said),
    )
