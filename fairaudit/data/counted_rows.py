"""Tables of counts: each row is counted as often as one column says, or two columns of which a decision is made."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, Self, TypeVar

from fairaudit.columns import (
    ByGroup,
    Column,
    Counts,
    HiddenCells,
    Means,
    PartialReading,
    Source,
    WideCounts,
    count_columns,
    mean_columns,
)
from fairaudit.data.engine import unused_name
from fairaudit.data.printed_counts import check_cells, refuse_unsaid, unsaid_reading
from fairaudit.data.writing import CasesOfValue, CountedRows, SqlWriter
from fairaudit.disclosure.said import remark, remarks
from fairaudit.errors import InputError, LimitError, near_names, quote, require
from fairaudit.findings import Count, Message, Phrase


class Countable(Protocol):
    """What a table needs so that its rows can stand for several cases."""

    n_rows: int
    notes: tuple[str, ...]
    source: Source

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns by name."""

    @property
    def writer(self) -> SqlWriter:
        """How questions are written."""

    def column(self, name: str) -> Column:
        """Return a column by name."""

    def aggregate(self, expressions: Sequence[str]) -> tuple[Any, ...]:
        """Answer aggregate expressions over all rows; their SQL gives the types."""

    def different_values(self, column: str, limit: int) -> list[Any]:
        """Return the different values of a column, at most so many; None is missing."""

    def counting(
        self, writer: SqlWriter, *, columns: Sequence[Column], n_rows: int, source: Source, notes: Sequence[str]
    ) -> Self:
        """Return this table with rows that each stand for several cases."""


SomeTable = TypeVar("SomeTable", bound=Countable)

SaidMeans = str | ByGroup | Mapping[str, str] | Iterable[str | ByGroup | Mapping[str, str]]
"""How a caller names columns of means: one, several, or those of each group."""

MOST_CASES = 10_000_000
"""The most cases that are handed out as rows; counting them needs no rows."""

_MOST_COUNTED = 2**53


def as_counts(counts: str | WideCounts | ByGroup | Mapping[str, str]) -> Counts:
    """Return which columns hold numbers of cases, from what a caller wrote."""
    if isinstance(counts, str | WideCounts | ByGroup):
        return counts
    known = [each.name for each in fields(WideCounts)]
    if isinstance(counts, Mapping) and len(counts) > 1 and set(known).isdisjoint(counts):
        return ByGroup(tuple(counts.items()))
    if not isinstance(counts, Mapping) or not set(known).issuperset(counts):
        raise InputError(
            f"'counts' must name a column, two of {', '.join(known)}, or one for each group, got {quote(counts)}.",
            hint='Write counts="n", or counts={"favorable": "selected", "all": "applicants"}.',
        )
    return WideCounts(**counts)


def as_means(means: SaidMeans) -> Means:
    """Return which columns hold means of several people, from what a caller wrote; none, if there are none."""
    if isinstance(means, str | ByGroup | Mapping):
        means = (means,)
    return tuple(ByGroup(tuple(each.items())) if isinstance(each, Mapping) else each for each in means)


def is_median_name(name: str) -> bool:
    """Say whether a column's name says that it holds medians of several people.

    Examples
    --------
    >>> [name for name in ("median_pay", "Medianlohn", "salaire médian", "comedian") if is_median_name(name)]
    ['median_pay', 'Medianlohn', 'salaire médian']
    """
    return re.search("(?<!co)m[eé]dian", unicodedata.normalize("NFC", name.casefold())) is not None


def count_cases(
    table: SomeTable,
    counts: Counts,
    means: Means | None = None,
    *,
    rounded_to: int | None = None,
    hidden: HiddenCells = (),
    as_printed: bool = False,
) -> SomeTable:
    """Return a table each row of which is counted as often as its column of counts says, without this column.

    Of two columns, cases with a favourable result and all or the others, a column of decisions is made; of a column for
    each group, one of groups and one for each kind of means. Numbers that seem to be rounded or `hidden` are refused
    until it is said; where some are, or where all are to be taken `as_printed`, each row is counted as one.
    """
    named, averaged = count_columns(counts), mean_columns(means)
    for name in named:
        if name not in table.columns:
            raise InputError(
                f"'counts' must name a column of the table, got {quote(name)}.", hint=near_names(name, table.columns)
            )
    for name in averaged:
        if name not in table.columns or table.column(name).kind != "number":
            raise InputError(
                f"'means' must name columns of numbers, got {quote(name)}.", hint=near_names(name, table.columns)
            )
        if is_median_name(name):
            raise InputError(
                f"Column {quote(name)} holds medians by its name, and those of several people cannot be averaged.",
                hint="Leave it out of 'means', or give it another name if it holds means.",
            )
    others = [each for each in table.columns.values() if each.name not in named]
    if isinstance(counts, ByGroup):
        others = [each for each in others if each.name not in averaged]
    if not others and not averaged:
        raise InputError("A table of counts must have another column beside the counts.")
    if (unsaid := unsaid_reading(table, named, rounded_to, hidden)) is not None:
        refuse_unsaid(named, unsaid)
    said = PartialReading(1 if rounded_to is None else rounded_to, hidden)
    is_partial = as_printed or not said.is_exact
    if is_partial:
        check_cells(table, named, said)
    n_cases = table.n_rows if is_partial else _checked_cases(table, counts)
    decision = None
    parts: tuple[CasesOfValue, ...]
    made: dict[str, ByGroup] = {}
    if isinstance(counts, str):
        parts = (CasesOfValue(None if is_partial else counts),)
    elif isinstance(counts, ByGroup):
        decision = unused_name(" or ".join(counts.groups), [each.name for each in others])
        made = _means_made([each for each in means or () if isinstance(each, ByGroup)], [decision, *map(_name, others)])
        parts = tuple(
            CasesOfValue(column, value=group, means=tuple((name, dict(by.pairs)[group]) for name, by in made.items()))
            for group, column in counts.pairs
        )
    else:
        decided = decided_by(counts, [each.name for each in others])
        decision = decided.column
        parts = (
            _cases_of(counts.favorable, counts.others, counts.all, decided.favorable),
            _cases_of(counts.others, counts.favorable, counts.all, decided.other),
        )
    if is_partial and decision is not None:
        parts = tuple(CasesOfValue(None, value=part.value) for part in parts)
    kept = tuple(each.name for each in others)
    counted = CountedRows(kept, unused_name("cases", table.columns), parts, decision)
    columns = [replace(each, is_mean=each.name in averaged) for each in others]
    columns += [] if decision is None else [Column(decision, "text")]
    columns += [Column(name, "number", is_mean=True) for name in made]
    options = replace(
        table.source.options,
        counts=counts,
        means=means,
        rows_are_cases=False,
        counts_confirmed=False,
        rounded_to=rounded_to,
        hidden=said.hidden,
    )
    notes = [_said(counts, decision)]
    if averaged:
        notes.append(means_said(each.name for each in columns if each.is_mean))
    return table.counting(
        replace(table.writer, counted=counted),
        columns=columns,
        n_rows=n_cases,
        source=replace(table.source, options=options),
        notes=(*table.notes, *(remark(each, "setting") for each in notes), *_say_partial(said)),
    )


def groups_as_rows(table: SomeTable, counts: ByGroup) -> SomeTable:
    """Return a table as it was brought with a row for each group; its columns of counts stay as they are printed."""
    made = unused_name(" or ".join(counts.groups), [name for name in table.columns if name not in counts.columns])
    parts = tuple(CasesOfValue(None, value=group) for group in counts.groups)
    written = CountedRows(tuple(table.columns), unused_name("cases", [*table.columns, made]), parts, made)
    return table.counting(
        replace(table.writer, counted=written),
        columns=[*table.columns.values(), Column(made, "text")],
        n_rows=table.n_rows * len(parts),
        source=table.source,
        notes=table.notes,
    )


def means_said(names: Iterable[str]) -> Message:
    """Say that columns hold means of several people, as a note of the table does."""
    named = list(names)
    return Message("read-means", {"columns": Phrase(_listed(named)), "n": Count(len(named))})


def counts_said(table: Countable) -> Message | None:
    """Say which columns count cases, and which column they make, as a note of the table does; None where none do."""
    counts, counted = table.source.options.counts, table.writer.counted
    return None if counts is None or counted is None else _said(counts, counted.decision)


def _said(counts: Counts, decision: str | None) -> Message:
    first, *more = (Phrase(quote(name, limit=40)) for name in count_columns(counts))
    if decision is None:
        return Message("read-counted", {"column": first})
    made = Phrase(quote(decision, limit=40))
    if isinstance(counts, ByGroup):
        return Message("read-counted-groups", {"columns": Phrase(_listed(counts.columns)), "groups": made})
    return Message("read-counted-wide", {"column": first, "second": more[0], "decision": made})


def _listed(names: Iterable[str]) -> str:
    return ", ".join(quote(name, limit=40) for name in names)


def _name(column: Column) -> str:
    return column.name


def _means_made(means: Iterable[ByGroup], others: Iterable[str]) -> dict[str, ByGroup]:
    """Return the columns of means that are made, each of columns by group, named by what their names have in common."""
    made: dict[str, ByGroup] = {}
    for each in means:
        made[unused_name(common_name(each.columns) or "mean", [*others, *made])] = each
    return made


def common_name(names: Sequence[str]) -> str:
    """Return the words that some names begin and end with alike.

    Examples
    --------
    >>> [common_name(names) for names in (["mean pay women (€)", "mean pay men (€)"], ["w_pay", "m_pay"], ["a", "b"])]
    ['mean pay (€)', 'pay', '']
    """
    split = [_WORDS.findall(name) for name in names]
    first = _alike(split)
    last = _alike([words[len(first) :][::-1] for words in split])[::-1]
    return "".join([*first, *last]).strip(" _.-/,")


_WORDS = re.compile(r"[^\s_./,-]+[\s_./,-]*")


def _alike(split: Sequence[Sequence[str]]) -> list[str]:
    """Return what some lists begin with alike."""
    return [words[0] for words in itertools.takewhile(lambda each: len(set(each)) == 1, zip(*split, strict=False))]


@dataclass(frozen=True)
class DecidedBy:
    """The decision that two columns of counts make: its column, the favourable result, and the other."""

    column: str
    favorable: str
    other: str


def decision_made(table: Countable) -> DecidedBy | None:
    """Return the decision that two columns of counts made of a table; None where they made none."""
    counts, counted = table.source.options.counts, table.writer.counted
    return decided_by(counts, counted.kept) if isinstance(counts, WideCounts) and counted is not None else None


_NUMBER_OF = re.compile(
    r"^(#|no\.? of|nr\.? of|number of|num of|count of|n)[\s_.]+|^#|[\s_.]+(count|n)$", re.IGNORECASE
)


def decided_by(counts: WideCounts, others: Iterable[str] = ()) -> DecidedBy:
    """Return the decision that two columns of counts make, named after them.

    Examples
    --------
    >>> decided_by(WideCounts("# Selected", all="# Applicants"))
    DecidedBy(column='selected', favorable='selected', other='not selected')
    >>> decided_by(WideCounts("n_admitted", others="n_rejected"), ["admitted or rejected"])
    DecidedBy(column='admitted or rejected_', favorable='admitted', other='rejected')
    >>> decided_by(WideCounts(others="searches", all="stops"))
    DecidedBy(column='searches', favorable='not searches', other='searches')
    """
    favorable, other = (None if name is None else _plain_name(name) for name in (counts.favorable, counts.others))
    if favorable is not None and other is not None:
        if other == favorable:
            favorable, other = counts.columns
        return DecidedBy(unused_name(f"{favorable} or {other}", others), favorable, other)
    named = require(favorable or other)
    values = (named, f"not {named}") if other is None else (f"not {named}", named)
    return DecidedBy(unused_name(named, others), *values)


def _cases_of(column: str | None, rest: str | None, every: str | None, value: str) -> CasesOfValue:
    """Return how many cases have a decision: what a column says, or what is left of all."""
    if column is not None:
        return CasesOfValue(column, value=value)
    return CasesOfValue(require(every), require(rest), value)


def _plain_name(column: str) -> str:
    """Return what a column counts, in the words of its name."""
    words = " ".join(_NUMBER_OF.sub("", column.strip()).replace("_", " ").split())
    return " ".join(word.lower() if word.istitle() else word for word in words.split()) or column


def _checked_cases(table: Countable, counts: Counts) -> int:
    """Return the sum of a column of counts; refuse one that holds anything but whole numbers from 0."""
    found = {name: _checked_column(table, name) for name in count_columns(counts)}
    cases = sum(found.values())
    if isinstance(counts, WideCounts) and counts.all is not None:
        cases = found[counts.all]
        [part] = (name for name in counts.columns if name != counts.all)
        larger = f"sum(CASE WHEN {table.writer.quoted(part)} > {table.writer.quoted(counts.all)} THEN 1 ELSE 0 END)"
        if n := table.aggregate([larger])[0]:
            raise InputError(
                f"Column {quote(counts.all)} must count all cases, got {n:,} {'row' if n == 1 else 'rows'} in which "
                f"{quote(part)} is larger.",
                hint=f"Correct {'this row' if n == 1 else 'these rows'}, name the columns the other way round, or say "
                f"that {quote(counts.all)} counts the others.",
            )
    if not cases:
        raise _no_counts(count_columns(counts)[-1], "no case at all")
    if cases > _MOST_COUNTED:
        raise LimitError(
            f"{quote(count_columns(counts)[-1])} counts {cases:,.0f} cases; at most {_MOST_COUNTED:,} can be counted.",
            hint=_OTHER_COUNTS,
        )
    return int(cases)


_OTHER_COUNTS = "Correct or remove these rows, or name another column."
_HIDING = (
    'Where a text hides a number, say which: --hidden "TEXT=1-4", or hidden={"TEXT": (1, 4)} in Python, or the same '
    "under [data.hidden] of a plan."
)


def _checked_column(table: Countable, column: str) -> float:
    if table.column(column).kind != "number":
        raise _no_counts(column, f"{table.column(column).kind} values", _HIDING)
    name = table.writer.quoted(column)
    known, below, fractions, cases = table.aggregate(
        [
            f"count({name})",
            f"sum(CASE WHEN {name} < 0 THEN 1 ELSE 0 END)",
            f"sum(CASE WHEN {name} <> floor({name}) THEN 1 ELSE 0 END)",
            f"sum({table.writer.number(name)})",
        ]
    )
    broken = {"without a number": table.n_rows - known, "below 0": below or 0, "with a fraction": fractions or 0}
    got = [f"{n:,} {'row' if n == 1 else 'rows'} {what}" for what, n in broken.items() if n]
    if got:
        empty = f'Leave rows without a number out: --leave-out "{column}="; correct others, or name another column.'
        raise _no_counts(column, " and ".join(got), empty if known < table.n_rows else _OTHER_COUNTS)
    return float(cases or 0)


def _say_partial(said: PartialReading) -> tuple[str, ...]:
    """Say how numbers of cases are read that are rounded or hidden."""
    notes = [Message("read-rounded", {"base": Count(said.rounded_to)})] if said.rounded_to > 1 else []
    notes += [
        Message("read-hidden-count", {"text": Phrase(quote(text)), "low": Count(low), "high": Count(high)})
        for text, (low, high) in said.hidden
    ]
    return remarks(notes, "setting")


def _no_counts(column: str, got: str, hint: str = _OTHER_COUNTS) -> InputError:
    return InputError(
        f"Column {quote(column)} must hold whole numbers from 0 to say how many cases each row stands for, got {got}.",
        hint=hint,
    )
