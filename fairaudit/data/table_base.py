"""What a table knows of itself: its columns, where it came from, how it counts, and how questions become SQL."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Self, TypeVar, cast, overload

import pandas as pd

from fairaudit import conditions
from fairaudit.columns import (
    Column,
    ConnectionFacts,
    FirstRows,
    Kind,
    PartialReading,
    ReadOptions,
    Source,
    SurveyDesign,
)
from fairaudit.data.answers import Answering
from fairaudit.data.derived import any_of_these
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import InputError, MissingColumnError, near_names, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say

T = TypeVar("T")


class TableBase:
    """Columns, source and notes of a table, over the engine that holds its rows.

    Parameters
    ----------
    answers : Answering
        The engine: a database of the table's own, or one that it is connected to.
    columns : sequence of Column
        Names and kinds, in order.
    n_rows : int
        Rows.
    name : str
        What to call it.
    source : Source
        Where it came from.
    notes : sequence of str
        What was found or changed while reading, in plain sentences.

    Attributes
    ----------
    brought : tuple of Column
        The columns with those of counts, as they were brought.
    """

    def __init__(
        self,
        answers: Answering,
        *,
        columns: Sequence[Column],
        n_rows: int,
        name: str,
        source: Source,
        notes: Sequence[str] = (),
    ):
        self.name = name
        self.n_rows = n_rows
        self.source = source
        self.notes = tuple(notes)
        self._columns = MappingProxyType({column.name: column for column in columns})
        self.brought = tuple(columns)
        self._answers = answers
        self._unweighted: Self | None = None
        self._uncounted: Self | None = None
        self._fingerprint: str | None = None
        self.remembered: dict[tuple[str, ...], object] = {}
        self.first_rows = FirstRows()
        self.values_are_said = False

    def remember(self, key: tuple[str, ...], find: Callable[[], T]) -> T:
        """Return what is found in the rows; it is looked for once, and anew where rows are read otherwise."""
        if key not in self.remembered:
            self.remembered[key] = find()
        return cast(T, self.remembered[key])

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns by name, in order."""
        return self._columns

    @overload
    def condition(self, condition: conditions.Condition) -> conditions.Condition: ...

    @overload
    def condition(self, condition: conditions.Condition | str | None) -> conditions.Condition | None: ...

    def condition(self, condition: conditions.Condition | str | None) -> conditions.Condition | None:
        """Read a condition against this table's columns."""
        if condition is None or (isinstance(condition, str) and not condition.strip()):
            return None
        read = conditions.Condition.parse(str(condition), self)
        for name in read.compared:
            self.refuse_mean(name)
        return read

    def refuse_mean(self, column: str) -> None:
        """Refuse a column of means of several people, for what needs to know what each of them has."""
        if self.column(column).is_mean:
            raise InputError(
                f"Column {quote(column)} holds means of several people, and this needs what each of them has.",
                hint="Ask for a form on pay, which compares means, or name another column.",
            )

    def column(self, name: str) -> Column:
        """Return a column by name."""
        if name not in self._columns:
            raise MissingColumnError(name, self._columns)
        return self._columns[name]

    def any_of_these(self, column: str, values: Sequence[str]) -> conditions.Condition:
        """Return the condition of a row in which one of some boxes is ticked, alone or with others.

        `column` is made of these boxes, and `values` are some of its values.
        """
        made = dict(self.source.options.derived)
        return any_of_these(self._answers, self.columns, (column, made[column]), values)

    @property
    def rows_are_cases(self) -> bool:
        """Whether somebody has said that each row is one case, or each case was written out as a row."""
        return self.source.options.rows_are_cases or self.source.options.counts is not None

    def reread(
        self,
        options: ReadOptions,
        *,
        columns: Iterable[Column] | None = None,
        n_rows: int | None = None,
        notes: Iterable[str] = (),
    ) -> Self:
        """Return this table, which was just read, once its rows are as these options say."""
        table = copy(self)
        table.brought = tuple(self._columns.values() if columns is None else columns)
        table._columns = MappingProxyType({column.name: column for column in table.brought})
        table._fingerprint, table.remembered = None, {}
        table.n_rows = self.n_rows if n_rows is None else n_rows
        table.source = replace(self.source, options=options)
        table.notes = (*self.notes, *notes)
        return table

    def known_as(self, columns: Mapping[str, Column]) -> Self:
        """Take over the labels of columns which hold them already, and return this table."""
        labels = {name: column.labels for name, column in columns.items()}
        known = {name: replace(column, labels=labels.get(name, ())) for name, column in self._columns.items()}
        self._columns, self.brought = MappingProxyType(known), tuple(known.values())
        return self

    def say_rows_are_cases(self, said: bool = True) -> None:
        """Take each row for one case, or no longer."""
        self.source = replace(self.source, options=replace(self.source.options, rows_are_cases=said))

    def say_unweighted(self, said: bool = True) -> None:
        """Count each row once, although a column looks like weights, or no longer."""
        self.source = replace(self.source, options=replace(self.source.options, unweighted=said))

    def say_counts_confirmed(self) -> None:
        """Take two columns of counts for what is said of them, although they look otherwise."""
        self.source = replace(self.source, options=replace(self.source.options, counts_confirmed=True))

    def say_all_closed(self, said: bool = True) -> None:
        """Take each time for final, although a column looks as if some cases were open, or no longer."""
        self.source = replace(self.source, options=replace(self.source.options, all_closed=said))

    @property
    def design(self) -> SurveyDesign | None:
        """How the sample was drawn; None where rows have no weights."""
        design, whole = self.source.options.design, self._unweighted
        return design if design is None or whole is None else replace(design, n_without=whole.n_rows - self.n_rows)

    @property
    def without_design(self) -> Self:
        """The table with all its rows, each of which counts once."""
        return self if self._unweighted is None else self._unweighted

    def with_design(self, design: SurveyDesign | None) -> Self:
        """Return this table with other sampling weights, or with none; refuse weights that cannot be such.

        Rows without a weight above 0 speak for nobody: they are left out, and a note says how many.
        """
        if design == self.design:
            return self
        whole = self.without_design
        found = copy(whole)
        found.name, found._fingerprint = self.name, self._fingerprint
        if design is None:
            return found
        options = replace(
            whole.source.options,
            weights=design.weights,
            design_strata=design.strata,
            design_clusters=design.clusters,
            unweighted=False,
        )
        found.source, found._unweighted = replace(whole.source, options=options), whole
        if n_left_out := whole.n_rows - _checked_weights(whole, design):
            found.n_rows -= n_left_out
            found._answers = whole._answers.with_writer(replace(whole._answers.writer, weights=design.weights))
            found.remembered = {}
            column = Phrase(quote(design.weights, limit=40))
            said = Message("read-no-weight", {"n": Count(n_left_out), "column": column})
            found.notes = (*whole.notes, say(said))
        return found

    @property
    def is_connected(self) -> bool:
        """Whether the rows stay in a database or cluster that is asked, see :func:`fairaudit.connect_table`."""
        return False

    @property
    def connection(self) -> ConnectionFacts | None:
        """What the table is connected to; None where the rows are here."""
        return None

    @property
    def writer(self) -> SqlWriter:
        """How questions are written for the engine, for the modules of this package."""
        return self._answers.writer

    def aggregate(self, expressions: Sequence[str]) -> tuple[Any, ...]:
        """Answer aggregate SQL expressions over all rows, for the modules of this package."""
        return self._answers.row(expressions)

    def counts_sql(
        self, by: Iterable[str | conditions.Condition], *, where: conditions.Condition | str | None = None
    ) -> str:
        """Return the one statement that ``counts`` asks the engine."""
        by = list(by)
        terms, group = self._grouping(by)
        select = [f"{sql} AS k{place}" for place, (sql, _) in enumerate(terms)]
        select.append(f"{self._answers.writer.n_cases} AS n")
        return f"SELECT {', '.join(select)}{self._rows_of(by, where, counting=True)}{group}"

    def weighted_counts_sql(
        self, by: Iterable[str | conditions.Condition], *, where: conditions.Condition | str | None = None
    ) -> str:
        """Return the one statement that ``weighted_counts`` asks the engine."""
        by, design, writer = list(by), self._require_design(), self._answers.writer
        weight = writer.number(writer.quoted(design.weights))
        terms, group = self._grouping(by)
        select = [f"{sql} AS k{place}" for place, (sql, _) in enumerate(terms)]
        select += ["count(*)", f"sum({weight})", f"sum({weight} * {weight})"]
        return f"SELECT {', '.join(select)}{self._rows_of([design.weights, *by], where)}{group}"

    def weighted_moments_sql(
        self,
        column: str,
        by: Iterable[str | conditions.Condition],
        *,
        center: float,
        where: conditions.Condition | str | None = None,
    ) -> str:
        """Return the one statement that ``weighted_moments`` asks the engine."""
        by, design, writer = list(by), self._require_design(), self._answers.writer
        y = f"({writer.number(writer.quoted(column))} - {writer.number(repr(float(center)))})"
        w = f"(CASE WHEN {writer.quoted(column)} IS NOT NULL THEN {writer.number(writer.quoted(design.weights))} END)"
        terms, group = self._grouping(by)
        select = [f"{sql} AS k{place}" for place, (sql, _) in enumerate(terms)]
        select += [f"count({y})", f"count(*) - count({y})"]
        products = (w, f"{w} * {y}", f"{w} * {y} * {y}", f"{w} * {w}", f"{w} * {w} * {y}", f"{w} * {w} * {y} * {y}")
        select += [f"sum({product})" for product in products]
        return f"SELECT {', '.join(select)}{self._rows_of([column, design.weights, *by], where)}{group}"

    def weighted_quartiles_sql(
        self, column: str, by: Iterable[str | conditions.Condition], *, where: conditions.Condition | str | None = None
    ) -> str:
        """Return the one statement that ``weighted_quartiles`` asks the engine."""
        by, design, writer = list(by), self._require_design(), self._answers.writer
        number, weight = (writer.number(writer.quoted(name)) for name in (column, design.weights))
        terms, group = self._grouping(by)
        keys = [f"k{place}" for place in range(len(terms))]
        select = [f"{sql} AS {key}" for key, (sql, _) in zip(keys, terms, strict=True)]
        rows = f"SELECT {', '.join([*select, f'{number} AS y', f'{weight} AS w'])}"
        rows += self._rows_of([column, design.weights, *by], where)
        part = f"PARTITION BY {', '.join(keys)}" if keys else ""
        sums = [f"sum(w) OVER ({part} ORDER BY y) AS reached", f"sum(w) OVER ({part}) AS whole"]
        reached = f"SELECT {', '.join([*keys, 'y', *sums])}\nFROM ({rows}) AS weighed WHERE y IS NOT NULL"
        # What rounding may take from a sum of weights is less than this.
        ends = [f"min(CASE WHEN reached >= {share - 1e-12!r} * whole THEN y END)" for share in (0.25, 0.5, 0.75)]
        return f"SELECT {', '.join([*keys, *ends])}\nFROM ({reached}) AS placed{group}"

    def _require_design(self) -> SurveyDesign:
        """Return the design; refuse a table without weights."""
        if self.design is None:
            raise InputError("The table has no sampling weights.", hint="Name their column: weights='COLUMN'.")
        return self.design

    def moments_sql(
        self, column: str, by: Iterable[str | conditions.Condition], *, where: conditions.Condition | str | None = None
    ) -> str:
        """Return the one statement that ``moments`` asks the engine."""
        by = list(by)
        writer = self._answers.writer
        number = writer.number(writer.quoted(column))
        terms, group = self._grouping(by)
        select = [f"{sql} AS k{place}" for place, (sql, _) in enumerate(terms)]
        select += [f"count({number})", f"count(*) - count({number})", f"avg({number})", f"var_samp({number})"]
        select += [writer.quantile(number, share) for share in (0.25, 0.5, 0.75)]
        return f"SELECT {', '.join(select)}{self._rows_of([column, *by], where)}{group}"

    def means_sql(
        self, column: str, by: Iterable[str | conditions.Condition], *, where: conditions.Condition | str | None = None
    ) -> str:
        """Return the one statement that ``means`` asks the engine."""
        by, writer = list(by), self._answers.writer
        number, n = writer.number(writer.quoted(column)), writer.n_cases
        terms, group = self._grouping(by)
        select = [f"{sql} AS k{place}" for place, (sql, _) in enumerate(terms)]
        # How many people a row stands for, where it has a number.
        cases = "1" if writer.counted is None else writer.quoted(writer.counted.number)
        known = f"coalesce(CAST(sum(CASE WHEN {number} IS NOT NULL THEN {cases} ELSE 0 END) AS BIGINT), 0)"
        select += [known, f"{n} - {known}", f"sum({number} * {cases}) / nullif({writer.number(known)}, 0)"]
        return f"SELECT {', '.join(select)}{self._rows_of([column, *by], where, counting=True)}{group}"

    def __repr__(self) -> str:
        return f"<Table {self.name!r}: {self.n_rows:,} rows, {len(self._columns):,} columns>"

    def _term(self, part: str | conditions.Condition) -> tuple[str, Kind]:
        if isinstance(part, conditions.Condition):
            return f"({self._answers.writer.condition(self.condition(part))})", "boolean"
        self.refuse_mean(part)
        return self._answers.writer.quoted(part), self.column(part).kind

    @property
    def partial_counts(self) -> PartialReading | None:
        """How numbers of cases are read of which some are rounded or hidden; None where all are exact, or none are."""
        said = self.source.options.said_of_counts
        return None if said is None or said.is_exact else said

    @property
    def as_printed(self) -> Self:
        """The rows as they are printed, each of which stands for itself, where not all counts are exact; else this."""
        if self.partial_counts is None:
            return self
        printed = copy(self.without_counts)
        printed.say_rows_are_cases()
        return printed

    def different_values(self, column: str, limit: int) -> list[Any]:
        """Return the different values of a column, at most so many; None is missing."""
        name = self._answers.writer.quoted(column)
        query = f"SELECT DISTINCT {name} AS k{self._rows_of([column], None)} LIMIT {int(limit)}"
        found = self._answers.frame(query, ["value"], [self.column(column).kind])["value"]
        return [None if pd.isna(value) else value for value in found]

    @property
    def without_counts(self) -> Self:
        """The table with its rows as they were brought, each of which stands for itself."""
        return self if self._uncounted is None else self._uncounted

    def counting(
        self, writer: SqlWriter, *, columns: Sequence[Column], n_rows: int, source: Source, notes: Sequence[str]
    ) -> Self:
        """Return this table with rows that each stand for several cases, for :mod:`fairaudit.data.counted_rows`."""
        table = copy(self)
        table._uncounted = self
        table._answers = self._answers.with_writer(writer)
        table._columns = MappingProxyType({column.name: column for column in columns})
        table.remembered = {}
        table.n_rows, table.source, table.notes = n_rows, source, tuple(notes)
        return table

    def _rows_of(
        self,
        parts: Iterable[str | conditions.Condition],
        where: conditions.Condition | str | None,
        *,
        counting: bool = False,
    ) -> str:
        """Return FROM and WHERE of a question that uses some columns and conditions."""
        writer, condition = self._answers.writer, self.condition(where)
        used = {name for part in parts for name in ([part] if isinstance(part, str) else part.columns)}
        used.update(() if condition is None else condition.columns)
        rows = writer.counting_source(used) if counting else writer.source(used)
        return f"\nFROM {rows}" + ("" if condition is None else f"\nWHERE {writer.condition(condition)}")

    def _grouping(self, parts: Iterable[str | conditions.Condition]) -> tuple[list[tuple[str, Kind]], str]:
        """Return SQL and kind of each part, and GROUP BY with ORDER BY."""
        terms = [self._term(part) for part in parts]
        # By position: a name would mean a column of the data that happens to have it.
        places = [str(place) for place in range(1, len(terms) + 1)]
        order = f"\nGROUP BY {', '.join(places)}\nORDER BY {self._answers.writer.order(places)}" if places else ""
        return terms, order


def _checked_weights(table: TableBase, design: SurveyDesign) -> int:
    """Return how many rows have a weight above 0; refuse columns that cannot say how a sample was drawn."""
    for option, name in (("weights", design.weights), ("design_strata", design.strata),
                         ("design_clusters", design.clusters)):  # fmt: skip
        if name is not None and name not in table.columns:
            raise InputError(
                f"{option!r} must name a column of the table, got {quote(name)}.", hint=near_names(name, table.columns)
            )
    if len(set(design.columns)) < len(design.columns):
        raise InputError(
            f"Weights, strata and clusters must be columns of their own, got {', '.join(map(quote, design.columns))}.",
            hint="Name each column once.",
        )
    rule = f"Column {quote(design.weights)} must hold numbers from 0, some above, to be sampling weights"
    hint = "Name the column that says how many people each row speaks for, or correct these rows."
    if (kind := table.column(design.weights).kind) != "number":
        raise InputError(f"{rule}, got {kind} values.", hint=hint)
    name = table.writer.quoted(design.weights)
    above, most, below = table.aggregate(
        [f"count(CASE WHEN {name} > 0 THEN 1 END)", f"max({name})", f"count(CASE WHEN {name} < 0 THEN 1 END)"]
    )
    if below:
        raise InputError(f"{rule}, got {below:,} {'row' if below == 1 else 'rows'} below 0.", hint=hint)
    if most == math.inf:
        raise InputError(f"{rule}, got one without end.", hint=hint)
    if not most:
        raise InputError(f"{rule}, got {'no number' if most is None else 'none above'}.", hint=hint)
    return int(above)
