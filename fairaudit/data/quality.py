"""What is remarkable about a table before it is judged by, and what to do about each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import pandas as pd

from fairaudit.columns import Column, Kind, count_columns
from fairaudit.conditions.correcting import TypingError, typing_errors
from fairaudit.conditions.evaluation import to_lower
from fairaudit.conditions.names import MONEY, is_money
from fairaudit.data.case_counts import count_column, count_warnings, counts_cases, proposed_counts, weight_columns
from fairaudit.data.code_columns import may_be_codes
from fairaudit.data.engine import literal, quoted
from fairaudit.data.kinds import WRITTEN_NUMBER
from fairaudit.data.roles import is_identifier
from fairaudit.data.same_spelling import other_spellings
from fairaudit.data.table import Table
from fairaudit.data.unknown_values import (
    LONGEST_WORD,
    NUMBER_CODES,
    OddCode,
    codes_standing_out,
    number_codes,
    text_codes,
    unknown_meaning,
)
from fairaudit.data.writing import SqlWriter
from fairaudit.disclosure.fields import figure
from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase, Share, Word
from fairaudit.messages import say

# What the quality report wants to know of each column.

FEW_VALUES = 200
"""Texts with more values are not looked through for typing errors: they make no groups by single values."""


@dataclass(frozen=True)
class ColumnFacts:
    """Counts about one column.

    Parameters
    ----------
    column : Column
        Its name and kind.
    known : int
        Rows with a value.
    distinct : int
        Different values.
    numeric : int
        Of a text: rows whose text is a number.
    money : int
        Of a text: rows whose text is an amount with a sign or a code of money.
    fractions : int
        Of a number: rows whose number is not whole.
    half_span : float or None
        Of a number: half of the largest less half of the smallest; None without one.
    folded : int
        Of a text: different values, letter case and blanks aside.
    typing_errors : tuple of TypingError
        Of a text with at most :data:`FEW_VALUES` values: those that may be a more frequent one with a typing error.
    """

    column: Column
    known: int
    distinct: int
    numeric: int = 0
    money: int = 0
    fractions: int = 0
    half_span: float | None = None
    folded: int = 0
    typing_errors: tuple[TypingError, ...] = ()


@dataclass(frozen=True)
class TableFacts:
    """What was found in a table.

    Parameters
    ----------
    facts : tuple of ColumnFacts
        One for each column, in order.
    codes : dict of str to tuple of OddCode
        Values that often stand for "unknown", by column.
    duplicates : int or None
        Repeated rows; None where they were not looked for.
    unseen : tuple of str
        Text columns of many values that were not looked through, as the rows stay in an engine.
    """

    facts: tuple[ColumnFacts, ...]
    codes: dict[str, tuple[OddCode, ...]]
    duplicates: int | None
    unseen: tuple[str, ...]


def different_sql(writer: SqlWriter, name: str) -> str:
    """Return an aggregate that counts the different values of a column in an engine."""
    column = writer.quoted(name)
    inner = f"SELECT DISTINCT {column} FROM {writer.source([name])} WHERE {column} IS NOT NULL"
    return f"(SELECT count(*) FROM ({inner}) AS different)"


def fractions_sql(writer: SqlWriter, name: str) -> str:
    """Return an aggregate that counts the numbers of a column that are not whole, in an engine."""
    number = writer.number(writer.quoted(name))
    return f"count(CASE WHEN {number} <> round({number}) THEN 1 END)"


def half_span_sql(writer: SqlWriter, name: str) -> str:
    """Return an aggregate of half of the range of a column of numbers: the largest numbers have no difference."""
    number = writer.number(writer.quoted(name))
    return f"max({number}) / 2 - min({number}) / 2"


# What the quality report finds in a table that stays in its engine: from counts by value, never from rows.
#
# Columns with many values are not looked through value by value; ``TableFacts.unseen`` names those of texts.

LEVELS = 1_000
"""Columns with more values are not looked through value by value."""

DUPLICATE_ROWS_IN_ENGINE = 1_000_000
"""Above this number of rows, repeated rows are not looked for."""

_NUMBER = re.compile(WRITTEN_NUMBER)
# As the regular expressions of the embedded database have them.
_BLANKS = re.compile(r"[\t\n\f\r ]+")


def look_in_engine(table: Table) -> TableFacts:
    """Look at every column of a connected table.

    Notes
    -----
    One GROUP BY for each column, one statement for all columns of many values, one for repeated rows.
    """
    columns = list(table.columns.values())
    values = {column.name: table.values(column.name, limit=LEVELS + 2) for column in columns}
    # One of the values may be "missing".
    many = [column for column in columns if values[column.name]["value"].notna().sum() > LEVELS]
    wide = _facts_of_many(table, many)
    facts, codes = [], {}
    for column in columns:
        if column.name in wide:
            facts.append(wide[column.name])
            found = number_codes(table, [column.name]).get(column.name, ()) if column.kind == "number" else ()
        else:
            known = values[column.name].dropna(subset="value")
            facts.append(_column_facts(column, known))
            found = _codes(column, known)
        if found:
            codes[column.name] = found
    unseen = tuple(column.name for column in many if column.kind == "text")
    return TableFacts(tuple(facts), codes, _duplicates(table), unseen)


def _column_facts(column: Column, known: pd.DataFrame) -> ColumnFacts:
    n, values = known["n"], known["value"]
    numeric = money = fractions = 0
    half: float | None = None
    folded = len(known)
    errors: tuple[TypingError, ...] = ()
    if column.kind == "text":
        numeric = int(n[[_NUMBER.fullmatch(value) is not None for value in values]].sum())
        money = int(n[[is_money(value) for value in values]].sum())
        folded = len({to_lower(_BLANKS.sub("", value)) for value in values})
        if len(known) <= FEW_VALUES:
            errors = typing_errors(dict(zip(values, map(int, n), strict=True)))
    elif column.kind == "number":
        fractions = int(n[(values % 1 != 0).to_numpy(dtype=bool)].sum())
        half = float(values.max() / 2 - values.min() / 2) if len(values) else None
    return ColumnFacts(column, int(n.sum()), len(known), numeric, money, fractions, half, folded, errors)


def _facts_of_many(table: Table, columns: Sequence[Column]) -> dict[str, ColumnFacts]:
    """Return facts on columns with many values, all with one statement."""
    if not columns:
        return {}
    writer = table.writer
    parts = []
    for column in columns:
        of_numbers = [fractions_sql(writer, column.name), half_span_sql(writer, column.name)]
        parts += [f"count({writer.quoted(column.name)})", different_sql(writer, column.name)]
        parts += of_numbers if column.kind == "number" else ["0", "0"]
    values = iter(table.aggregate(parts))
    facts = {}
    for column in columns:
        known, distinct, fractions = (int(next(values)) for _ in range(3))
        half = next(values)
        facts[column.name] = ColumnFacts(column, known, distinct, fractions=fractions, half_span=half, folded=distinct)
    return facts


def _codes(column: Column, known: pd.DataFrame) -> tuple[OddCode, ...]:
    pairs = list(zip(known["value"], known["n"], strict=True))
    if column.kind == "text":
        odd = {v: int(n) for v, n in pairs if unknown_meaning(v)}
        return tuple(OddCode(text, n) for text, n in sorted(odd.items()))
    if column.kind != "number" or len(pairs) <= 3:
        return ()
    others = known.loc[~known["value"].isin(NUMBER_CODES)].sort_values("value")
    if others.empty:
        return ()
    reached = others["n"].cumsum().searchsorted(0.99 * others["n"].sum())
    high = float(others["value"].iloc[min(int(reached), len(others) - 1)])
    return codes_standing_out(dict(pairs), float(others["value"].iloc[0]), high)


def _duplicates(table: Table) -> int | None:
    if table.n_rows > DUPLICATE_ROWS_IN_ENGINE:
        return None
    writer = table.writer
    names = ", ".join(writer.quoted(name) for name in table.columns)
    inner = f"SELECT DISTINCT {names} FROM {writer.relation}"
    return int(table.aggregate([f"count(*) - (SELECT count(*) FROM ({inner}) AS different)"])[0])


Args: TypeAlias = dict[str, Argument]
# Above this number of rows, distinct values are estimated (within a few percent).
_EXACT_ROWS = 1_000_000
# Above this number of rows, repeated rows are not looked for.
_DUPLICATE_ROWS = 20_000_000
_WIDE = 25
_FEW_ROWS = 50
_MANY_LEVELS = 50
_FOLDABLE_LEVELS = 20_000
_MOST_NAMED = 5
# So many values of a text are looked at to see what they look like.
_SOME_VALUES = 20
_PART = r"(0?[1-9]|[12]\d|3[01])"
DAY = re.compile(rf"\s*{_PART}[/-]{_PART}[/-]((?:1[89]|20)\d\d)( .*)?")
"""A day such as 31/12/2024: its groups are its three numbers, and what comes after them."""


@dataclass(frozen=True)
class ColumnQuality:
    """What a column holds."""

    name: str = figure("The column.")
    kind: Kind = figure("What its values are.")
    n_missing: int = figure("Rows without a value.")
    n_distinct: int = figure("Different values; estimated above a million rows.")


@dataclass(frozen=True)
class QualityIssue:
    """One thing to look at before trusting a figure."""

    column: str | None = figure(
        "The column, None for the whole table.", label="column", brief="The column; empty for the whole table."
    )
    code: str = figure(
        "A short fixed name of the kind of issue.", label="kind", kind="code", brief="What kind of issue."
    )
    message: str = figure("What was found.", label="what was found", brief="The issue in words.")
    advice: str = figure("What to do about it.", label="what to do", brief="What can be done about it.")
    n: int = figure("Rows or values concerned.", label="rows", kind="count", brief="How many rows or cells.")


@dataclass(frozen=True)
class QualityReport:
    """What is remarkable about a table."""

    n_rows: int = figure("Rows.")
    n_columns: int = figure("Columns.")
    duplicate_rows: int | None = figure(
        "Rows that repeat an earlier row; None where they were not looked for, which `issues` then says."
    )
    columns: tuple[ColumnQuality, ...] = figure("One for each column, in order.")
    issues: tuple[QualityIssue, ...] = figure("The table's first, then by column.")


def quality_report(table: Table, *, amount: str | None = None, decision: str | None = None) -> QualityReport:
    """Look at every column for what can mislead an audit.

    Looked for are missing values, constant and near-unique columns, numbers kept among texts, repeated rows, codes and
    words that may mean "not known", values that differ only in letter case, blanks or by a typing error, and columns
    with many values.

    Notes
    -----
    A few passes over the data, each for many columns at once. Distinct values are estimated above one million rows, and
    repeated rows are not looked for above twenty million. A table that stays in its engine is looked at by counts, see
    :func:`~fairaudit.data.quality.look_in_engine`; an issue says what is not looked at.
    """
    doubted, table = count_warnings(table), table.as_printed
    look = look_in_engine(table) if table.is_connected else _look(table)
    issues = [QualityIssue(None, "counts_named", said, say(Message("quality-counts-named-advice")), table.n_rows)
              for said in doubted]  # fmt: skip
    issues += [*_count_issues(table), *_table_issues(table, look.duplicates), *_unseen_issues(look)]
    for fact in look.facts:
        issues += _column_issues(table, fact)
        issues += _code_issues(table, fact, look.codes.get(fact.column.name, ()))
    issues = [issue for issue in issues if (issue.column, issue.code) != (amount, "near_unique")]
    issues = [issue for issue in issues if concerns(issue, decision)]
    # What stands in the place of a number of cases is asked about with the counts.
    counting = count_columns(table.source.options.counts or (proposed_counts(table) if counts_cases(table) else None))
    issues = [issue for issue in issues if issue.code != "mixed" or issue.column not in counting]
    columns = tuple(ColumnQuality(f.column.name, f.column.kind, table.n_rows - f.known, f.distinct) for f in look.facts)
    return QualityReport(table.n_rows, len(columns), look.duplicates, columns, tuple(issues))


def concerns(issue: QualityIssue, decision: str | None) -> bool:
    """Say whether an issue matters to an audit of a decision."""
    return issue.code != "not_decided" or decision in (None, issue.column)


def _look(table: Table) -> TableFacts:
    facts = [fact for chunk in _chunks(list(table.columns.values())) for fact in _facts(table, chunk)]
    codes = number_codes(table, [f.column.name for f in facts if f.column.kind == "number" and f.distinct > 3])
    odd = text_codes(table, [f.column.name for f in facts if f.column.kind == "text" and f.known])
    return TableFacts(tuple(facts), codes | odd, _duplicate_rows(table), ())


def _issue(column: str | None, code: str, n: int, said: Args | None = None, advice: Args | None = None) -> QualityIssue:
    """Return what stands out, said by the messages of its code."""
    key = f"quality-{code.replace('_', '-')}"
    return QualityIssue(column, code, say(Message(key, said or {})), say(Message(f"{key}-advice", advice or {})), n)


def _as_missing(table: Table, value: str | None) -> Message:
    """Say how a value, or several without their names, are read as missing."""
    if value is None:
        return Message("quality-them-to-null" if table.is_connected else "quality-missing-texts")
    return Message("quality-to-null" if table.is_connected else "quality-missing-text", {"value": Phrase(value)})


def _code_issues(table: Table, fact: ColumnFacts, codes: Sequence[OddCode]) -> Iterator[QualityIssue]:
    for code in codes:
        meaning = unknown_meaning(code.text) if fact.column.kind == "text" else None
        found = "code" if meaning is None else meaning.replace(" ", "_")
        text = quote(code.text, limit=LONGEST_WORD)
        said: Args = {"rows": _rows(code.n), "n": Count(code.n), "value": Phrase(text)}
        said = said | {"meaning": Word(found.replace("_", "-"))}
        made = _issue(fact.column.name, "code", code.n, said, {"as_missing": _as_missing(table, text)})
        yield replace(made, code=found)


def _chunks(columns: Sequence[Column]) -> Iterator[Sequence[Column]]:
    for start in range(0, len(columns), _WIDE):
        yield columns[start : start + _WIDE]


def _facts(table: Table, columns: Sequence[Column]) -> list[ColumnFacts]:
    exact = table.n_rows <= _EXACT_ROWS
    parts: list[str] = []
    for column in columns:
        name = quoted(column.name)
        is_text, is_number = column.kind == "text", column.kind == "number"
        parts += [
            f"count({name})",
            f"count(DISTINCT {name})" if exact else f"approx_count_distinct({name})",
            f"count(*) FILTER (regexp_full_match({name}, {literal(WRITTEN_NUMBER)}))" if is_text else "0",
            f"count(*) FILTER (regexp_full_match({name}, {literal(MONEY)}))" if is_text else "0",
            f"count(*) FILTER ({name} <> trunc({name}))" if is_number else "0",
            f"max({name}) / 2 - min({name}) / 2" if is_number else "NULL",
            f"approx_count_distinct({name})" if is_text else "0",
        ]
    values = iter(table.aggregate(parts))
    facts = []
    for column in columns:
        known, distinct, numeric, money, fractions, half, levels = (next(values) for _ in range(7))
        facts.append(ColumnFacts(column, known, min(distinct, known), numeric, money, fractions, half, levels))
    foldable = [f.column.name for f in facts if f.column.kind == "text" and 1 < f.distinct <= _FOLDABLE_LEVELS]
    folded = _folded_levels(table, foldable) if exact and foldable else {}
    return [
        replace(fact, folded=folded.get(fact.column.name, fact.distinct), typing_errors=_typing_errors(table, fact))
        for fact in facts
    ]


def _typing_errors(table: Table, fact: ColumnFacts) -> tuple[TypingError, ...]:
    if fact.column.kind != "text" or not 1 < fact.distinct <= FEW_VALUES:
        return ()
    counts = table.values(fact.column.name, limit=FEW_VALUES + 2).dropna(subset="value")
    return typing_errors(dict(zip(counts["value"], map(int, counts["n"]), strict=True)))


def _folded_levels(table: Table, names: Sequence[str]) -> dict[str, int]:
    # Letter case and blanks are taken from the different values only, which are far fewer than the rows.
    parts = [
        f"len(list_distinct(list_transform(list(DISTINCT {quoted(n)}), "
        "lambda v: lower(regexp_replace(v, '\\s+', '', 'g')))))"
        for n in names
    ]
    return dict(zip(names, table.aggregate(parts), strict=True))


def _duplicate_rows(table: Table) -> int | None:
    if table.n_rows > _DUPLICATE_ROWS:
        return None
    row = ", ".join(f"coalesce({quoted(c.name)}::VARCHAR, chr(0))" for c in table.columns.values())
    return table.n_rows - int(table.aggregate([f"count(DISTINCT hash({row}))"])[0])


def _table_issues(table: Table, duplicates: int | None) -> Iterator[QualityIssue]:
    if duplicates is None:
        yield _issue(None, "duplicates_unknown", 0, {"rows": _rows(table.n_rows)})
    # Where most rows repeat another, they are people who are alike in the few columns that there are, or cases that
    # were counted.
    elif 0 < duplicates <= table.n_rows / 2 and table.source.options.counts is None:
        said: Args = {"rows": _rows(duplicates), "n": Count(duplicates), "all": Count(table.n_rows)}
        yield _issue(None, "duplicate_rows", duplicates, said)


def _count_issues(table: Table) -> Iterator[QualityIssue]:
    all_rows: Args = {"rows": _rows(table.n_rows)}
    if counts_cases(table):
        yield _issue(count_column(table), "counts_cases", table.n_rows, all_rows)
    for name in weight_columns(table):
        yield _issue(name, "weights", table.n_rows, all_rows)


def _unseen_issues(look: TableFacts) -> Iterator[QualityIssue]:
    for name in look.unseen:
        yield _issue(name, "not_looked_through", 0, {"n": Count(LEVELS)})


def _column_issues(table: Table, fact: ColumnFacts) -> Iterator[QualityIssue]:
    name, kind, known, distinct = fact.column.name, fact.column.kind, fact.known, fact.distinct
    n_rows = table.n_rows
    missing = n_rows - known
    if not known:
        yield _issue(name, "empty", n_rows)
        return
    if missing > 0:
        share = Share(missing / n_rows, 1)
        yield _issue(name, "missing", missing, {"n": Count(missing), "all": Count(n_rows), "share": share})
    if distinct == 1:
        yield _issue(name, "constant", known)
    others = known - fact.numeric
    # Of what is no plain number, most are amounts of money.
    is_money_column = 2 * fact.money > others
    names_rows = is_identifier(fact.column, known, distinct, fractions=fact.fractions, half_span=fact.half_span)
    unique = known >= _FEW_ROWS and not fact.column.is_day and names_rows and not is_money_column
    if unique:
        yield _issue(name, "near_unique", distinct, {"n": Count(distinct), "all": Count(known)})
    if may_be_codes(table, fact.column, distinct=distinct, fractions=fact.fractions):
        yield _issue(name, "few_numbers", known, {"n": Count(distinct)})
    if kind != "text":
        return
    mixed = fact.numeric > others > 0
    if is_money_column:
        yield _money_issue(table, fact)
    elif mixed:
        texts: Args = {"n": Count(others), "all": Count(known)}
        yield _issue(name, "mixed", others, texts, {"as_missing": _as_missing(table, None)})
    if (folds := distinct - fact.folded) > 0:
        can_join: Args = {"can_join": Word("yes" if other_spellings(table, name) else "no")}
        yield _issue(name, "same_but_case", folds, {"n": Count(folds), "all": Count(distinct)}, can_join)
    if fact.typing_errors:
        yield _typing_error_issue(name, fact.typing_errors)
    if distinct <= _MANY_LEVELS or mixed or is_money_column:
        return
    # Where rows stay in a database, one more question a column would be asked of it.
    values = [] if table.is_connected else _some_values(table, name)
    if _are_days(values):
        yield _issue(name, "days_as_text", known, {"value": Phrase(values[0])})
    elif not unique:
        yield _issue(name, "many_values", distinct, {"n": Count(distinct)})


def days_as_text(table: Table) -> dict[str, str]:
    """Return the columns of text whose values look like days, each with one of its values; none of a database."""
    names = [] if table.is_connected else [name for name, column in table.columns.items() if column.kind == "text"]
    values = {name: _some_values(table, name) for name in names}
    return {name: some[0] for name, some in values.items() if _are_days(some)}


def _some_values(table: Table, name: str) -> list[str]:
    return [str(each) for each in table.common_values(name) if each is not None][:_SOME_VALUES]


def _are_days(values: list[str]) -> bool:
    return bool(values) and all(map(DAY.fullmatch, values))


def _money_issue(table: Table, fact: ColumnFacts) -> QualityIssue:
    # Where rows stay in a database, one more question a column would be asked of it.
    values = () if table.is_connected else table.common_values(fact.column.name)
    example = next((str(value) for value in values if is_money(value)), None)
    said: Args = {
        "n": Count(fact.money),
        "all": Count(fact.known),
        "is_all": Word("yes" if fact.money == fact.known else "no"),
        "example": Phrase(example or ""),
        "has_example": Word("no" if example is None else "yes"),
    }
    return _issue(fact.column.name, "money_as_text", fact.money, said)


def _typing_error_issue(name: str, found: Sequence[TypingError]) -> QualityIssue:
    names = [_named(each) for each in found]
    said = [
        Message("quality-typing-error", args | {"rows": _rows(each.n)})
        for args, each in zip(names[:_MOST_NAMED], found, strict=False)
    ]
    if len(found) > _MOST_NAMED:
        said.append(Message("quality-typing-errors-more", {"n": Count(len(found) - _MOST_NAMED)}))
    errors: Args = {"errors": Phrase("; ".join(map(say, said)))}
    return _issue(name, "typing_errors", sum(each.n for each in found), errors, names[0])


def _named(error: TypingError) -> Args:
    return {"value": Phrase(quote(error.value, limit=40)), "named": Phrase(quote(error.meant, limit=40))}


def _rows(n: int) -> Message:
    return Message("rows-n", {"n": Count(n)})
