"""What a person has said of a table, carried out in one order when it is read."""

from __future__ import annotations

from fairaudit.columns import ReadOptions
from fairaudit.data.counted_rows import count_cases
from fairaudit.data.same_spelling import with_one_spelling
from fairaudit.data.table import Table, with_said_values, without_repetitions


def prepare(table: Table, options: ReadOptions) -> Table:
    """Return a table that was just read, as a person has said that it is to be read.

    Cells that say "not known" and rows that are left out come first, then spellings, repetitions and counts of cases.
    """
    table = with_said_values(table, options)
    table = with_one_spelling(table, options.same_spelling) if options.same_spelling else table
    table = without_repetitions(table) if options.distinct else table
    table = count_cases(table, options.counts) if options.counts is not None else table
    if options.rows_are_cases:
        table.say_rows_are_cases()
    return table
