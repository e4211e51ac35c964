"""Codes of a column and what they stand for: checked, applied when a table is read, and taken from a codebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fairaudit.columns import (
    CodeLabels,
    Column,
    Kind,
    Labels,
    checked_codes,
    code_text,
    label_is_code,
    number_text,
)
from fairaudit.conditions import tree
from fairaudit.conditions.printing import to_sql
from fairaudit.data.answers import Answering, Answers
from fairaudit.data.writing import ReadColumn, SqlWriter
from fairaudit.errors import InputError, near_names, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say

MOST_CODES = 2_000
"""The most different values of a column with labels."""
_MOST_NAMED = 8
_KINDS: frozenset[Kind] = frozenset({"number", "text", "boolean"})


@dataclass(frozen=True)
class Labelling:
    """Columns whose codes get labels.

    Parameters
    ----------
    columns : tuple of Column
        All columns of the table, as they become.
    changed : tuple of pairs
        The columns that have labels, before and after.
    notes : tuple of str
        Which values have no label.
    """

    columns: tuple[Column, ...]
    changed: tuple[tuple[Column, Column], ...]
    notes: tuple[str, ...]


def labelling(answers: Answering, columns: Sequence[Column], labels: Labels) -> Labelling:
    """Check labels against the values of a table, and return what its columns become."""
    named = {column.name: column for column in columns}
    unknown = [name for name, _ in labels if name not in named]
    if unknown:
        names = ", ".join(quote(name) for name in unknown[:_MOST_NAMED])
        raise InputError(f"'labels' must name columns of the table, got {names}.", hint=near_names(unknown[0], named))
    changed, notes = [], []
    for name, codes in labels:
        after, without = _labelled(answers, named[name], codes)
        changed.append((named[name], after))
        notes += [_without_label(name, without)] if without else []
    by_name = {after.name: after for _, after in changed}
    return Labelling(tuple(by_name.get(c.name, c) for c in columns), tuple(changed), tuple(notes))


def write_labels(answers: Answers, columns: Sequence[Column], labels: Labels) -> Labelling:
    """Put labels in place of the codes that are held or read in place, and return what the columns became."""
    found = labelling(answers, columns, labels)
    sql = {after.name: label_sql(answers.writer, before, after) for before, after in found.changed}
    read = [ReadColumn(c.name, sql.get(c.name, answers.writer.quoted(c.name))) for c in columns]
    answers.reread(read, None)
    return found


def check_numbers(option: str, names: Iterable[str], columns: Mapping[str, Column]) -> None:
    """Refuse columns of an option that are not there, or hold no numbers."""
    for name in names:
        if name not in columns or columns[name].kind != "number":
            raise InputError(
                f"{option!r} must name columns of numbers, got {quote(name)}.", hint=near_names(name, columns)
            )


def codes_as_labels(answers: Answering, columns: Mapping[str, Column], names: Iterable[str]) -> Labels:
    """Return each number of some columns as its own label: what is read so is text, and still found by its number."""
    names = tuple(names)
    check_numbers("codes", names, columns)
    return tuple((name, tuple((code, code) for code in sorted(_values(answers, columns[name])))) for name in names)


def write_as_text(answers: Answers, columns: Sequence[Column], names: Iterable[str]) -> tuple[Column, ...]:
    """Keep numbers as texts, such as codes whose order means nothing, and return what the columns became."""
    kept = {*names}
    texts = tuple(Column(c.name, "text") if c.name in kept and c.kind == "number" else c for c in columns)
    read = [
        ReadColumn(c.name, answers.writer.quoted(c.name) if c is now else label_sql(answers.writer, c, now))
        for c, now in zip(columns, texts, strict=True)
    ]
    answers.reread(read, None)
    return texts


def read_with_labels(writer: SqlWriter, found: Labelling) -> SqlWriter:
    """Return how the engine of a connected table reads its columns with labels."""
    changed = {after.name: (before, after) for before, after in found.changed}
    read = (
        replace(each, sql=label_sql(writer, *changed[each.name], each.sql)) if each.name in changed else each
        for each in writer.columns
    )
    return replace(writer, columns=tuple(read))


def label_sql(writer: SqlWriter, before: Column, after: Column, sql: str | None = None) -> str:
    """Return SQL for the label of a code, and for the code as text where it has none."""
    sql = writer.quoted(before.name) if sql is None else sql
    rest = code_sql(writer, before, sql)
    if before.kind == "number":
        codes = [(code, number_text(code)) for code, _ in after.labels]
        tests = {code: f"{sql} = {number}" for code, number in codes if number is not None}
    elif before.kind == "boolean":
        tests = {"true": sql, "false": f"NOT {sql}"}
    else:
        tests = {code: f"{sql} = {text_literal(writer, code)}" for code, _ in after.labels}
    whens = [f"WHEN {tests[code]} THEN {text_literal(writer, label)}" for code, label in after.labels if code in tests]
    return writer.by_code_point(f"CASE {' '.join(whens)} ELSE {rest} END" if whens else rest)


def code_sql(writer: SqlWriter, column: Column, sql: str) -> str:
    """Return SQL for a value as text: a whole number without a decimal point."""
    if column.kind == "number":
        whole = f"{sql} = floor({sql}) AND abs({sql}) < 1e15"
        digits = writer.text(f"CAST({sql} AS BIGINT)")
        return f"CASE WHEN {whole} THEN {digits} ELSE {writer.text(sql)} END"
    if column.kind == "boolean":
        return f"CASE WHEN {sql} THEN 'true' WHEN NOT {sql} THEN 'false' END"
    return sql


def text_literal(writer: SqlWriter, value: str) -> str:
    """Return a text as a literal of the engine's SQL."""
    return to_sql(tree.Truth(tree.Constant(value)), writer.dialect)


def _labelled(answers: Answering, column: Column, codes: CodeLabels) -> tuple[Column, list[str]]:
    """Return the column with its labels, and the values that have none."""
    if column.labels:
        raise InputError(f"The codes of column {quote(column.name)} have labels already.")
    if column.kind not in _KINDS:
        raise InputError(
            f"'labels' must name columns of numbers, texts or true and false, got {quote(column.name)}, whose values "
            f"are {column.kind}s.",
            hint="Leave that column out.",
        )
    values = _values(answers, column)
    if len(values) > MOST_CODES:
        raise InputError(
            f"Column {quote(column.name)} has more than {MOST_CODES:,} different values, too many for codes.",
            hint="Leave that column out.",
        )
    canonical: Callable[[str], str | None] = number_text if column.kind == "number" else str
    codes = checked_codes(column.name, ((canonical(code) or code, label) for code, label in codes))
    known = dict(codes)
    if values and not any(value in known for value in values):
        given, held = (", ".join(map(quote, list(each)[:_MOST_NAMED])) for each in (known, sorted(values)))
        held = held if len(values) <= _MOST_NAMED else f"{len(values):,} others"
        raise InputError(
            f"No code of 'labels' for column {quote(column.name)} occurs in it: there are labels for {given}, and its "
            f"values are {held}.",
            hint="Give the labels of the codes that the column holds, or leave it out.",
        )
    without = [value for value in values if value not in known]
    taken = {label: code for code, label in codes}
    for value in without:
        if value in taken:
            raise label_is_code(column.name, taken[value], value)
    return Column(column.name, "text", codes), without


def _values(answers: Answering, column: Column) -> list[str]:
    """Return the different values of a column as codes, the most frequent first."""
    name, writer = answers.writer.quoted(column.name), answers.writer
    query = (
        f"SELECT {name} AS k, count(*) AS n\nFROM {writer.source([column.name])}\nWHERE {name} IS NOT NULL"
        f"\nGROUP BY 1 ORDER BY 2 DESC, {writer.order(['1'])} LIMIT {MOST_CODES + 1}"
    )
    return [code_text(value) for value in answers.frame(query, ["k", "n"], [column.kind, "number"])["k"].tolist()]


def _without_label(column: str, values: list[str]) -> str:
    named = ", ".join(quote(value, limit=40) for value in values[:_MOST_NAMED])
    more = len(values) - _MOST_NAMED
    values_said = Message("names-more", {"names": Phrase(named), "n": Count(more)}) if more > 0 else Phrase(named)
    return say(
        Message(
            "read-without-label",
            {"n": Count(len(values)), "values": values_said, "column": Phrase(quote(column, limit=40))},
        )
    )
