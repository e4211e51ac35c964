"""What a person has said of a table, carried out in one order when it is read."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TypeVar

from fairaudit.columns import SAID_OF_VALUES, ColumnValues, Labels, ReadOptions
from fairaudit.data.answers import Answers
from fairaudit.data.counted_rows import count_cases
from fairaudit.data.derived import write_derived
from fairaudit.data.engine import RELATION, connect, reading
from fairaudit.data.labels import check_numbers, codes_as_labels, write_as_text, write_labels
from fairaudit.data.said_values import SaidValues, notes_of, says_values
from fairaudit.data.same_spelling import with_one_spelling
from fairaudit.data.table_base import TableBase
from fairaudit.errors import DataError, InputError, expect, near_names, quote
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say

SomeTable = TypeVar("SomeTable", bound=TableBase)


def prepare(table: SomeTable, options: ReadOptions) -> SomeTable:
    """Return a table that was just read, as a person has said that it is to be read.

    Cells that say "not known" and rows that are left out come first, then spellings, labels of codes, columns made of
    several, repetitions, and what rows stand for.
    """
    if options.filled_down and table.source.options.filled_down != options.filled_down:
        raise InputError(
            "'filled_down' is for text files and sheets; other files have no empty cells in place of merged ones.",
            hint="Leave it out.",
        )
    table = with_said_values(table, options)
    table = with_one_spelling(table, options.same_spelling) if options.same_spelling else table
    if any(table.columns[name].kind == "number" for name in options.as_text if name in table.columns):
        # Only a file that says itself what a number is has such columns still.
        columns = write_as_text(expect(Answers, table._answers), tuple(table.columns.values()), options.as_text)
        table = table.reread(replace(table.source.options, as_text=options.as_text), columns=columns)
    table = with_numbers(table, options.numbers) if options.numbers else table
    table = with_codes(table, options.codes) if options.codes else table
    table = with_labels(table, options.labels) if options.labels else table
    table = with_derived(table, options.derived) if options.derived else table
    table = without_repetitions(table) if options.distinct else table
    table = with_one_row_per(table, options.one_row_per) if options.one_row_per is not None else table
    return with_what_rows_are(table, options)


def with_what_rows_are(table: SomeTable, options: ReadOptions) -> SomeTable:
    """Return a table with what options say that its rows stand for: one case each, several, or people of a sample."""
    if options.counts is not None and table.source.options.counts is None:
        table = count_cases(table, options.counts, options.means, rounded_to=options.rounded_to, hidden=options.hidden)
    if options.rows_are_cases > table.rows_are_cases:
        table = copy(table)
        table.say_rows_are_cases()
    if options.unweighted and table.design is None:
        table = copy(table)
        table.say_unweighted()
    if options.counts_confirmed and not table.source.options.counts_confirmed:
        table = copy(table)
        table.say_counts_confirmed()
    if options.all_closed and not table.source.options.all_closed:
        table = copy(table)
        table.say_all_closed()
    return table if options.design is None else table.with_design(options.design)


def as_planned(table: SomeTable, options: ReadOptions) -> SomeTable:
    """Return a table with what a plan says of it; it stays as it is where that was said when it was read."""
    had = table.source.options
    said = {name: getattr(options, name) for name in SAID_OF_VALUES}
    if said != {name: getattr(had, name) for name in SAID_OF_VALUES}:
        table = with_said_values(_own(table, "things of values", was_said=says_values(had)), options)
    if options.numbers and options.numbers != had.numbers:
        table = with_numbers(table, options.numbers)
    if options.codes and options.codes != had.codes:
        table = with_codes(_own(table, "columns of codes", was_said=bool(had.codes)), options.codes)
    if options.labels and options.labels != had.labels:
        table = with_labels(_own(table, "labels of codes", was_said=bool(had.labels)), options.labels)
    if options.derived and options.derived != had.derived:
        table = with_derived(_own(table, "columns made of several", was_said=bool(had.derived)), options.derived)
    if None not in (options.counts, had.counts) and options.said_of_counts != had.said_of_counts:
        raise _said_otherwise("things of rounded and hidden counts")
    return with_what_rows_are(table, options)


def _own(table: SomeTable, what: str, *, was_said: bool) -> SomeTable:
    """Return a table with rows of its own, of which a plan says something; refuse where other things were said."""
    if was_said or table.is_connected:
        raise _said_otherwise(what)
    connection = connect()
    with expect(Answers, table._answers).batches() as rows, reading("The table", "Bring a smaller table."):
        connection.register("copied_rows", rows)
        connection.execute(f"CREATE TABLE {RELATION} AS SELECT * FROM copied_rows")
        connection.unregister("copied_rows")
    own = table.reread(table.source.options)
    own._answers, own.source = Answers(connection), replace(table.source, in_place=False)
    return own


def _said_otherwise(what: str) -> InputError:
    return InputError(
        f"The plan says other {what} than were said when the table was read.",
        hint="Read the table as the plan says: options=plan.data.options.",
    )


def with_said_values(table: SomeTable, options: ReadOptions) -> SomeTable:
    """Return a table that was just read, with some values read as missing and the rows with others left out."""
    if not says_values(options):
        return table
    said = SaidValues.of(table.columns.values(), options)
    n_rows = table.n_rows
    if said.not_known or said.left_out:
        kept = None if said.kept is None else table.writer.condition(said.kept)
        n_rows = expect(Answers, table._answers).reread(said.read(table.writer), kept)
    if not n_rows:
        raise DataError("No row is left: every row has a value that is left out.", hint="Leave out fewer values.")
    how = {name: getattr(options, name) for name in SAID_OF_VALUES}
    return table.reread(replace(table.source.options, **how), n_rows=n_rows, notes=notes_of(options))


def with_numbers(table: SomeTable, numbers: tuple[str, ...]) -> SomeTable:
    """Return a table of some of whose columns is said that their numbers are no codes."""
    check_numbers("numbers", numbers, table.columns)
    return table.reread(replace(table.source.options, numbers=numbers))


def with_codes(table: SomeTable, codes: tuple[str, ...]) -> SomeTable:
    """Return a table that was just read, with texts in place of numbers that are codes."""
    found = write_labels(
        expect(Answers, table._answers),
        tuple(table.columns.values()),
        codes_as_labels(table._answers, table.columns, codes),
    )
    return table.reread(replace(table.source.options, codes=codes), columns=found.columns)


def with_labels(table: SomeTable, labels: Labels, *, said: Labels | None = None) -> SomeTable:
    """Return a table that was just read, with the labels of codes in place of them.

    `said` is what its options say of that: all the labels, if it is not given.
    """
    found = write_labels(expect(Answers, table._answers), tuple(table.columns.values()), labels)
    how = replace(table.source.options, labels=labels if said is None else said)
    return table.reread(how, columns=found.columns, notes=found.notes)


def with_derived(table: SomeTable, derived: ColumnValues) -> SomeTable:
    """Return a table that was just read, with columns made of several others."""
    columns = write_derived(expect(Answers, table._answers), tuple(table.columns.values()), derived)
    return table.reread(replace(table.source.options, derived=derived), columns=columns)


def without_repetitions(table: SomeTable) -> SomeTable:
    """Return a table that was just read with the first of equal rows alone, in their order; missing cells are equal."""
    n_rows = _own_rows(table, "Repeated rows").keep_first_of_equal(tuple(table.columns))
    said = say(Message("read-repeated", {"n": Count(table.n_rows - n_rows)}))
    return table.reread(replace(table.source.options, distinct=True), n_rows=n_rows, notes=(said,))


def with_one_row_per(table: SomeTable, column: str) -> SomeTable:
    """Return a table that was just read with the first row of each case alone, which a column names."""
    if column not in table.columns:
        raise InputError(
            f"'one_row_per' must name a column of the table, got {quote(column)}.",
            hint=near_names(column, table.columns),
        )
    n_rows = _own_rows(table, "Further rows of a case").keep_first_of_each(column, tuple(table.columns))
    args: dict[str, Argument] = {"n": Count(table.n_rows - n_rows), "column": Phrase(quote(column, limit=40))}
    said = say(Message("read-further-rows", args))
    return table.reread(replace(table.source.options, one_row_per=column), n_rows=n_rows, notes=(said,))


def _own_rows(table: TableBase, what: str) -> Answers:
    answers = table._answers
    if table.source.in_place or not isinstance(answers, Answers):
        raise DataError(
            f"{what} cannot be left out of a file that is read where it lies.",
            hint="Remove them in the file, or bring it as an upload.",
        )
    return answers
