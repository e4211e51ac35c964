"""What a person has said of a table, carried out in one order when it is read."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.columns import ReadOptions
from fairaudit.data.answers import Answers
from fairaudit.data.counted_rows import count_cases
from fairaudit.data.labels import write_as_text
from fairaudit.data.same_spelling import with_one_spelling
from fairaudit.data.table import Table, with_derived, with_labels, with_said_values, without_repetitions
from fairaudit.errors import InputError, expect, near_names, quote


def prepare(table: Table, options: ReadOptions) -> Table:
    """Return a table that was just read, as a person has said that it is to be read.

    Cells that say "not known" and rows that are left out come first, then spellings, labels of codes, columns made of
    several, repetitions and counts of cases.
    """
    if options.filled_down and table.source.options.filled_down != options.filled_down:
        raise InputError(
            "'filled_down' is for text files and sheets; other files have no empty cells in place of merged ones.",
            hint="Leave it out.",
        )
    first_rows = table.first_rows
    table = with_said_values(table, options)
    table = with_one_spelling(table, options.same_spelling) if options.same_spelling else table
    if any(table.columns[name].kind == "number" for name in options.as_text if name in table.columns):
        # Only a file that says itself what a number is has such columns still.
        table = _with_texts(table, options)
    if options.numbers:
        _check_numbers(table, options)
        table.source = replace(table.source, options=replace(table.source.options, numbers=options.numbers))
    table = with_labels(table, options.labels) if options.labels else table
    table = with_derived(table, options.derived) if options.derived else table
    table = without_repetitions(table) if options.distinct else table
    table = count_cases(table, options.counts) if options.counts is not None else table
    if options.rows_are_cases:
        table.say_rows_are_cases()
    if options.unweighted:
        table.say_unweighted()
    table.first_rows = first_rows
    return table


def _with_texts(table: Table, options: ReadOptions) -> Table:
    answers = expect(Answers, table._answers)
    columns = write_as_text(answers, tuple(table.columns.values()), options.as_text)
    return Table(
        answers,
        columns=columns,
        n_rows=table.n_rows,
        name=table.name,
        source=replace(table.source, options=replace(table.source.options, as_text=options.as_text)),
        notes=table.notes,
    )


def _check_numbers(table: Table, options: ReadOptions) -> None:
    """Refuse columns that are not there or hold no numbers, and those that have labels beside."""
    labelled = {name for name, _ in options.labels}
    for name in options.numbers:
        if name not in table.columns or table.columns[name].kind != "number":
            raise InputError(
                f"'numbers' must name columns of numbers, got {quote(name)}.", hint=near_names(name, table.columns)
            )
        if name in labelled:
            raise InputError(f"Column {quote(name)} stands in 'labels' and in 'numbers'; one is possible.")
