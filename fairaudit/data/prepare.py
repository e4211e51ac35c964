"""What a person has said of a table, carried out in one order when it is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairaudit.columns import SAID_OF_VALUES, Column, ReadOptions, number_text
from fairaudit.conditions import Condition
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


def as_it_stands(options: ReadOptions) -> ReadOptions:
    """Return options that read the same rows before anything is said of their values."""
    return replace(
        options.without_design,
        not_known=(), left_out=(), real_values=(), same_spelling=(), labels=(), derived=(), distinct=False, counts=None,
    )  # fmt: skip


def check_values_occur(table: Table, options: ReadOptions) -> None:
    """Refuse values of which something is said and that a table, as it stands, does not have; by code or label."""
    for said in (getattr(options, name) for name in SAID_OF_VALUES):
        for column, values in said:
            described = table.columns.get(column)
            if described is None or described.kind not in ("text", "number"):
                continue
            codes = dict(options.labels).get(column, ())
            for value in filter(None, values):
                alike = {value, str(described.labelled(value)), *(code for code, label in codes if label == value)}
                if not _occurs(table, described, alike):
                    there = [str(each) for each in table.common_values(column) if each is not None]
                    raise InputError(
                        f"Column {quote(column)} has no value {quote(value)}.", hint=near_names(value, there)
                    )


def _occurs(table: Table, column: Column, texts: Iterable[str]) -> bool:
    """Say whether a column has one of some values; numbers in any spelling."""
    numbers = {number for text in texts if (number := number_text(text)) is not None}
    values: list[float] | list[str] = list(map(float, numbers)) if column.kind == "number" else list(texts)
    if values and table.count(Condition.one_of(column.name, values, table.columns)):
        return True
    return any(number_text(each) in numbers for each in table.common_values(column.name) if isinstance(each, str))


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
