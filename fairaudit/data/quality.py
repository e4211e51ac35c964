"""What is remarkable about a table before it is judged by, and what to do about each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fairaudit.columns import Column, Kind
from fairaudit.conditions.names import MONEY, is_money
from fairaudit.conditions.resembling import TypingError, typing_errors
from fairaudit.data.case_counts import count_column, counts_cases, weight_columns
from fairaudit.data.column_facts import FEW_VALUES, ColumnFacts, Look
from fairaudit.data.engine import literal, quoted
from fairaudit.data.kinds import WRITTEN_NUMBER
from fairaudit.data.quality_in_engine import LEVELS, look_in_engine
from fairaudit.data.same_spelling import other_spellings
from fairaudit.data.table import Table
from fairaudit.data.unknown_codes import OddCode, number_codes, text_codes
from fairaudit.data.unknown_words import LONGEST_WORD, unknown_meaning
from fairaudit.disclosure.fields import figure
from fairaudit.errors import quote

# Above this number of rows, distinct values are estimated (within a few percent).
_EXACT_ROWS = 1_000_000
# Above this number of rows, repeated rows are not looked for.
_DUPLICATE_ROWS = 20_000_000
_WIDE = 25
_FEW_ROWS = 50
_UNIQUE_SHARE = 0.95
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
    """What a column holds.

    Parameters
    ----------
    name : str
        The column.
    kind : {"number", "text", "boolean", "date", "timestamp"}
        What its values are.
    n_missing : int
        Rows without a value.
    n_distinct : int
        Different values; estimated above a million rows.
    """

    name: str = figure()
    kind: Kind = figure()
    n_missing: int = figure()
    n_distinct: int = figure()


@dataclass(frozen=True)
class QualityIssue:
    """One thing to look at before trusting a figure.

    Parameters
    ----------
    column : str or None
        The column, None for the whole table.
    code : str
        A short fixed name of the kind of issue.
    message : str
        What was found.
    advice : str
        What to do about it.
    n : int
        Rows or values concerned.
    """

    column: str | None = figure()
    code: str = figure()
    message: str = figure()
    advice: str = figure()
    n: int = figure()


@dataclass(frozen=True)
class QualityReport:
    """What is remarkable about a table.

    Parameters
    ----------
    n_rows : int
        Rows.
    n_columns : int
        Columns.
    duplicate_rows : int or None
        Rows that repeat an earlier row; None where they were not looked for, which `issues` then says.
    columns : tuple of ColumnQuality
        One for each column, in order.
    issues : tuple of QualityIssue
        The table's first, then by column.
    """

    n_rows: int = figure()
    n_columns: int = figure()
    duplicate_rows: int | None = figure()
    columns: tuple[ColumnQuality, ...] = figure()
    issues: tuple[QualityIssue, ...] = figure()


def quality_report(table: Table, *, amount: str | None = None, decision: str | None = None) -> QualityReport:
    """Look at every column for what can mislead an audit.

    Looked for are missing values, constant and near-unique columns, numbers kept among texts, repeated rows, codes and
    words that may mean "not known", values that differ only in letter case, blanks or by a typing error, and columns
    with many values.

    Notes
    -----
    A few passes over the data, each for many columns at once. Distinct values are estimated above one million rows, and
    repeated rows are not looked for above twenty million. A table that stays in its engine is looked at by counts, see
    :func:`~fairaudit.data.quality_in_engine.look_in_engine`; an issue says what is not looked at.
    """
    look = look_in_engine(table) if table.is_connected else _look(table)
    issues = [*_count_issues(table), *_table_issues(table, look.duplicates), *_unseen_issues(look)]
    for fact in look.facts:
        issues += _column_issues(table, fact)
        issues += _code_issues(table, fact, look.codes.get(fact.column.name, ()))
    issues = [issue for issue in issues if (issue.column, issue.code) != (amount, "near_unique")]
    issues = [issue for issue in issues if concerns(issue, decision)]
    columns = tuple(ColumnQuality(f.column.name, f.column.kind, table.n_rows - f.known, f.distinct) for f in look.facts)
    return QualityReport(table.n_rows, len(columns), look.duplicates, columns, tuple(issues))


def concerns(issue: QualityIssue, decision: str | None) -> bool:
    """Say whether an issue matters to an audit of a decision."""
    return issue.code != "not_decided" or decision in (None, issue.column)


def _look(table: Table) -> Look:
    facts = [fact for chunk in _chunks(list(table.columns.values())) for fact in _facts(table, chunk)]
    codes = number_codes(table, [f.column.name for f in facts if f.column.kind == "number" and f.distinct > 3])
    odd = text_codes(table, [f.column.name for f in facts if f.column.kind == "text" and f.known])
    return Look(tuple(facts), codes | odd, _duplicate_rows(table), ())


def _as_missing(table: Table, what: str) -> str:
    if table.is_connected:
        return f"connect with a query that turns {what} into NULL"
    return f"read the file again with {what} as {'missing texts' if what == 'them' else 'a missing text'}"


def _code_issues(table: Table, fact: ColumnFacts, codes: Sequence[OddCode]) -> Iterator[QualityIssue]:
    for code in codes:
        meaning = unknown_meaning(code.text) if fact.column.kind == "text" else None
        found = "code" if meaning is None else meaning.replace(" ", "_")
        text = quote(code.text, limit=LONGEST_WORD)
        means = "often stands for unknown" if found == "code" else f'may mean "{meaning}"'
        yield QualityIssue(
            fact.column.name,
            found,
            f"{_rows(code.n)} {'has' if code.n == 1 else 'have'} the value {text}, which {means}.",
            f"If it does, {_as_missing(table, text)}, or filter these rows out.",
            code.n,
        )


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
            f"approx_count_distinct({name})" if is_text else "0",
        ]
    values = iter(table.aggregate(parts))
    facts = []
    for column in columns:
        known, distinct, numeric, money, fractions, levels = (next(values) for _ in range(6))
        facts.append(ColumnFacts(column, known, min(distinct, known), numeric, money, fractions, levels))
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
        yield QualityIssue(
            None,
            "duplicates_unknown",
            f"Repeated rows were not looked for, as there are {table.n_rows:,} rows.",
            "Make sure that each case stands in the table once.",
            0,
        )
    # Where most rows repeat another, they are people who are alike in the few columns that there are, or cases that
    # were counted.
    elif 0 < duplicates <= table.n_rows / 2 and table.source.options.counts is None:
        verb = "is a repetition" if duplicates == 1 else "are repetitions"
        yield QualityIssue(
            None,
            "duplicate_rows",
            f"{_rows(duplicates)} of {table.n_rows:,} {verb} of an earlier row.",
            "Where each row is one case, remove repetitions before the audit; where columns were left out, "
            "equal rows may be right.",
            duplicates,
        )


def _count_issues(table: Table) -> Iterator[QualityIssue]:
    if counts_cases(table):
        yield QualityIssue(
            count_column(table),
            "counts_cases",
            f"It seems to say how many cases each of the {table.n_rows:,} rows stands for.",
            "Say whether it does: the cases can be written out as rows.",
            table.n_rows,
        )
    for name in weight_columns(table):
        yield QualityIssue(
            name,
            "weights",
            f"It seems to say how many people each of the {table.n_rows:,} rows stands for, as in a survey.",
            "Weights are not used: each row counts once, so figures are those of the rows.",
            table.n_rows,
        )


def _unseen_issues(look: Look) -> Iterator[QualityIssue]:
    for name in look.unseen:
        yield QualityIssue(
            name,
            "not_looked_through",
            f"The text has more than {LEVELS:,} different values, which were not looked through for codes such as ?, "
            "for numbers and for spellings, as the rows stay in the database.",
            "Where it makes groups, look through its values in the database first.",
            0,
        )


def _column_issues(table: Table, fact: ColumnFacts) -> Iterator[QualityIssue]:
    name, kind, known, distinct = fact.column.name, fact.column.kind, fact.known, fact.distinct
    n_rows = table.n_rows
    missing = n_rows - known
    if not known:
        yield QualityIssue(name, "empty", "The column has no value at all.", "Leave it out of the audit.", n_rows)
        return
    if missing > 0:
        yield QualityIssue(
            name,
            "missing",
            f"{missing:,} of {n_rows:,} values are missing ({100 * missing / n_rows:.1f}\N{NO-BREAK SPACE}%).",
            "Rows without a value belong to no group of this column; ask whether some people miss it more often.",
            missing,
        )
    if distinct == 1:
        yield QualityIssue(
            name, "constant", "All known values are the same.", "It tells no groups apart; leave it out.", known
        )
    whole = kind == "text" or (kind == "number" and not fact.fractions)
    others = known - fact.numeric
    # Of what is no plain number, most are amounts of money.
    is_money_column = 2 * fact.money > others
    unique = whole and known >= _FEW_ROWS and distinct >= _UNIQUE_SHARE * known and not is_money_column
    if unique:
        yield QualityIssue(
            name,
            "near_unique",
            f"Nearly every row has its own value ({distinct:,} of {known:,}).",
            "It looks like an identifier: do not form groups by it, and leave it out if it points to people.",
            distinct,
        )
    if kind != "text":
        return
    mixed = fact.numeric > others > 0
    if is_money_column:
        yield _as_money(table, fact)
    elif mixed:
        yield QualityIssue(
            name,
            "mixed",
            f"{fact.numeric:,} of {known:,} values are numbers, {others:,} are other texts, so all are read as text.",
            f"If the other texts mean unknown, {_as_missing(table, 'them')}.",
            others,
        )
    if fact.folded < distinct:
        one_value = "Read them as one value, or n" if other_spellings(table, name) else "N"
        yield QualityIssue(
            name,
            "same_but_case",
            f"{distinct - fact.folded:,} of {distinct:,} different values are the same as another one "
            "but for letter case or blanks.",
            f"{one_value}ame every spelling where you choose values, or make them alike in the file.",
            distinct - fact.folded,
        )
    if fact.typing_errors:
        yield _as_typing_errors(name, fact.typing_errors)
    if distinct <= _MANY_LEVELS or mixed or is_money_column:
        return
    # Where rows stay in a database, one more question a column would be asked of it.
    values = [] if table.is_connected else _some_values(table, name)
    if _are_days(values):
        yield QualityIssue(
            name,
            "days_as_text",
            f"The values look like days, such as {values[0]}, but are read as text.",
            "Say how its days are written under “How the file was read”, or make them days in the file.",
            known,
        )
    elif not unique:
        yield QualityIssue(
            name,
            "many_values",
            f"The text has {distinct:,} different values.",
            "Groups by single values will be small; put values together with IN (…) in a condition.",
            distinct,
        )


def days_as_text(table: Table) -> dict[str, str]:
    """Return the columns of text whose values look like days, each with one of its values; none of a database."""
    names = [] if table.is_connected else [name for name, column in table.columns.items() if column.kind == "text"]
    values = {name: _some_values(table, name) for name in names}
    return {name: some[0] for name, some in values.items() if _are_days(some)}


def _some_values(table: Table, name: str) -> list[str]:
    return [str(each) for each in table.common_values(name) if each is not None][:_SOME_VALUES]


def _are_days(values: list[str]) -> bool:
    return bool(values) and all(map(DAY.fullmatch, values))


def _as_money(table: Table, fact: ColumnFacts) -> QualityIssue:
    # Where rows stay in a database, one more question a column would be asked of it.
    values = () if table.is_connected else table.common_values(fact.column.name)
    example = next((f", such as {value}" for value in values if is_money(value)), "")
    share = "The" if fact.money == fact.known else f"{fact.money:,} of {fact.known:,}"
    return QualityIssue(
        fact.column.name,
        "money_as_text",
        f"{share} values are amounts with a sign or a code of money{example}, so all are read as text.",
        "Take signs and codes out in the file, so that they are read as numbers; of several currencies, keep one.",
        fact.money,
    )


def _as_typing_errors(name: str, found: Sequence[TypingError]) -> QualityIssue:
    said = [
        f"{quote(each.value, limit=40)} ({_rows(each.n)}) resembles {quote(each.meant, limit=40)}"
        for each in found[:_MOST_NAMED]
    ]
    said += [f"{len(found) - _MOST_NAMED} more resemble another value"] if len(found) > _MOST_NAMED else []
    first = found[0]
    return QualityIssue(
        name,
        "typing_errors",
        f"{'; '.join(said)}.",
        f"If that is a typing error, correct it in the file, or choose {quote(first.value, limit=40)} wherever you "
        f"choose {quote(first.meant, limit=40)}.",
        sum(each.n for each in found),
    )


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{n:,} rows"
