"""One interface to a table of rows: counts, values and rows by condition, answered by an embedded database."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Self, TypeVar, overload

import pandas as pd

from fairaudit import conditions
from fairaudit.columns import (
    ORDERED_KINDS,
    SAID_OF_VALUES,
    Column,
    ColumnValues,
    ConnectionFacts,
    Counts,
    FirstRows,
    Kind,
    Labels,
    LabelsByCode,
    ReadOptions,
    Source,
    SurveyDesign,
    WideCounts,
    column_values,
    labels_of,
)
from fairaudit.data.answers import Answering, Answers
from fairaudit.data.counted_rows import MOST_CASES, as_counts, count_cases
from fairaudit.data.derived import any_of_these, write_derived
from fairaudit.data.engine import RELATION, connect, reading
from fairaudit.data.frames import load_frame
from fairaudit.data.labels import write_labels
from fairaudit.data.said_values import SaidValues, notes_of, says_values
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import DataError, InputError, LimitError, MissingColumnError, expect, near_names, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say

# What a table knows of itself: its columns, where it came from, and how conditions and names become SQL.


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
        self._common_values: dict[str, tuple[Any, ...]] = {}
        self.first_rows = FirstRows()
        self.found_counts: tuple[Counts | None] | None = None
        self.values_are_said = False

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
        return conditions.Condition.parse(str(condition), self)

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

    @property
    def design(self) -> SurveyDesign | None:
        """How the sample was drawn; None where rows have no weights."""
        return self.source.options.design

    @property
    def without_design(self) -> Self:
        """The table with all its rows, each of which counts once."""
        return self if self._unweighted is None else self._unweighted

    def with_design(self, design: SurveyDesign | None) -> Self:
        """Return this table with other sampling weights, or with none; refuse weights that cannot be such.

        Rows without a weight are left out, and a note says how many.
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
            found._answers = whole._answers.with_writer(replace(whole._answers.writer, known=design.weights))
            found._common_values, found.found_counts = {}, None
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

    def __repr__(self) -> str:
        return f"<Table {self.name!r}: {self.n_rows:,} rows, {len(self._columns):,} columns>"

    def _term(self, part: str | conditions.Condition) -> tuple[str, Kind]:
        if isinstance(part, conditions.Condition):
            return f"({self._answers.writer.condition(self.condition(part))})", "boolean"
        return self._answers.writer.quoted(part), self.column(part).kind

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
        table._common_values, table.found_counts = {}, None
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
    """Return how many rows have a weight; refuse columns that cannot say how a sample was drawn."""
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
    known, most, below = table.aggregate(
        [f"count({name})", f"max({name})", f"sum(CASE WHEN {name} < 0 THEN 1 ELSE 0 END)"]
    )
    if below:
        raise InputError(f"{rule}, got {below:,} {'row' if below == 1 else 'rows'} below 0.", hint=hint)
    if most == math.inf:
        raise InputError(f"{rule}, got one without end.", hint=hint)
    if not most:
        raise InputError(f"{rule}, got {'no number' if most is None else 'none above'}.", hint=hint)
    return int(known)


SomeTable = TypeVar("SomeTable", bound=TableBase)

# What is said of values, carried out on a table that was read.


def with_said_values(table: SomeTable, options: ReadOptions) -> SomeTable:
    """Return a table that was just read, with some values read as missing and the rows with others left out."""
    if not says_values(options):
        return table
    said = SaidValues.of(table.columns.values(), options)
    answers, n_rows = table._answers, table.n_rows
    if said.not_known or said.left_out:
        kept = None if said.kept is None else table.writer.condition(said.kept)
        n_rows = expect(Answers, answers).reread(said.read(table.writer), kept)
    if not n_rows:
        raise DataError("No row is left: every row has a value that is left out.", hint="Leave out fewer values.")
    how = replace(
        table.source.options,
        not_known=options.not_known,
        left_out=options.left_out,
        real_values=options.real_values,
    )
    return type(table)(
        answers,
        columns=tuple(table.columns.values()),
        n_rows=n_rows,
        name=table.name,
        source=replace(table.source, options=how),
        notes=(*table.notes, *notes_of(options)),
    )


def as_said(table: Table, options: ReadOptions) -> Table:
    """Return a table with what is said of its values; it stays as it is where that was said when it was read."""
    if all(getattr(options, name) == getattr(table.source.options, name) for name in SAID_OF_VALUES):
        return table
    if says_values(table.source.options) or table.is_connected:
        raise InputError(
            "The plan says other things of values than were said when the table was read.",
            hint="Read the table as the plan says: options=plan.data.options.",
        )
    return with_said_values(_copied(table), options)


def with_labels(table: SomeTable, labels: Labels, *, said: Labels | None = None) -> SomeTable:
    """Return a table that was just read, with the labels of codes in place of them.

    `said` is what its options say of that: all the labels, if it is not given.
    """
    answers = expect(Answers, table._answers)
    found = write_labels(answers, tuple(table.columns.values()), labels)
    options = replace(table.source.options, labels=labels if said is None else said)
    return type(table)(
        answers,
        columns=found.columns,
        n_rows=table.n_rows,
        name=table.name,
        source=replace(table.source, options=options),
        notes=(*table.notes, *found.notes),
    )


def with_derived(table: SomeTable, derived: ColumnValues) -> SomeTable:
    """Return a table that was just read, with columns made of several others."""
    answers = expect(Answers, table._answers)
    return type(table)(
        answers,
        columns=write_derived(answers, tuple(table.columns.values()), derived),
        n_rows=table.n_rows,
        name=table.name,
        source=replace(table.source, options=replace(table.source.options, derived=derived)),
        notes=table.notes,
    )


def as_derived(table: Table, options: ReadOptions) -> Table:
    """Return a table with columns made of several; it stays as it is where they were made when it was read."""
    if not options.derived or options.derived == table.source.options.derived:
        return table
    if table.source.options.derived or table.is_connected:
        raise InputError(
            "The plan makes other columns of several than were made when the table was read.",
            hint="Read the table as the plan says: options=plan.data.options.",
        )
    return with_derived(_copied(table), options.derived)


def as_labelled(table: Table, options: ReadOptions) -> Table:
    """Return a table with labels of codes; it stays as it is where they were said when it was read."""
    if not options.labels or options.labels == table.source.options.labels:
        return table
    if table.source.options.labels or table.is_connected:
        raise InputError(
            "The plan says other labels of codes than were said when the table was read.",
            hint="Read the table as the plan says: options=plan.data.options.",
        )
    return with_labels(_copied(table), options.labels)


def _copied(table: Table) -> Table:
    """Return a table with rows of its own."""
    connection = connect()
    with expect(Answers, table._answers).batches() as rows, reading("The table", "Bring a smaller table."):
        connection.register("copied_rows", rows)
        connection.execute(f"CREATE TABLE {RELATION} AS SELECT * FROM copied_rows")
        connection.unregister("copied_rows")
    return Table(
        Answers(connection),
        columns=tuple(table.columns.values()),
        n_rows=table.n_rows,
        name=table.name,
        source=replace(table.source, in_place=False),
        notes=table.notes,
    )


Part = TypeVar("Part", bound=str | conditions.Condition)

COMMON_VALUES = 1_000
"""How many values of a column are remembered."""


class Table(TableBase):
    """A table of rows that answers counts, held in memory or read in place.

    Made by :func:`fairaudit.read_table` or :meth:`from_pandas`. Several threads may ask at once.
    """

    @classmethod
    def from_pandas(
        cls,
        frame: pd.DataFrame,
        *,
        name: str = "table",
        rows_are_cases: bool = False,
        counts: str | WideCounts | Mapping[str, str] | None = None,
        weights: str | None = None,
        design_strata: str | None = None,
        design_clusters: str | None = None,
        unweighted: bool = False,
        not_known: Mapping[str, Iterable[object]] | None = None,
        left_out: Mapping[str, Iterable[object]] | None = None,
        real_values: Mapping[str, Iterable[object]] | None = None,
        labels: Mapping[str, LabelsByCode] | None = None,
        derived: Mapping[str, Iterable[str]] | None = None,
    ) -> Table:
        """Make a table from a DataFrame, without its index.

        Parameters
        ----------
        frame : pandas.DataFrame
            Columns of numbers, texts, booleans, categories, dates or timestamps; anything else becomes text.
        name : str
            What to call it.
        rows_are_cases : bool
            Each row is one case, also where a column looks like numbers of cases.
        counts : str or mapping, optional
            The column that says how many cases each row stands for; or two of ``{"favorable": ..., "others": ...,
            "all": ...}``, of which a column of decisions is made.
        weights : str, optional
            The column of sampling weights: how many people each row speaks for.
        design_strata : str, optional
            The column of the strata that the sample was drawn from.
        design_clusters : str, optional
            The column of what was drawn first, such as schools.
        unweighted : bool
            Each row counts once, also where a column looks like the weights of a survey.
        not_known, left_out, real_values : mapping of str to values, optional
            By column, values that say that something is not known, which become missing; values whose rows are left
            out, such as totals; and values that look like one of these and are values like others.
        labels : mapping of str to mapping, optional
            By column, what its codes stand for: ``{"sex": {1: "man", 2: "woman"}}``. The column becomes text.
        derived : mapping of str to sequence of str, optional
            New columns, each made of several that hold one answer: ``{"race": ["race-1", "race-2"]}``. Where a person
            ticked one box, the value is that one, such as ``"Black only"``, and where several, ``"several"``.

        Returns
        -------
        Table
            A copy.

        Raises
        ------
        DataError
            If there is no column.
        InputError
            If `counts` names no column of whole numbers from 0 with at least one case, `weights` none of numbers from 0
            with at least one above, or another option no column; or if `labels` are of other codes, or name two alike.

        Examples
        --------
        >>> Table.from_pandas(pd.DataFrame({"sex": ["F", "M", "M"]})).counts(["sex"])
          sex  n
        0   F  1
        1   M  2
        >>> people = Table.from_pandas(pd.DataFrame({"sex": [1, 2, 2]}), labels={"sex": {1: "man", 2: "woman"}})
        >>> people.count("sex = 'woman'"), people.count("sex = 2")
        (2, 2)
        """
        connection, columns, source, notes = load_frame(frame)
        table = cls(Answers(connection), columns=columns, n_rows=len(frame), name=name, source=source, notes=notes)
        options = ReadOptions(
            not_known=column_values(not_known or {}),
            left_out=column_values(left_out or {}),
            real_values=column_values(real_values or {}),
        )
        table = with_said_values(table, options)
        table = table if labels is None else with_labels(table, labels_of(labels))
        table = with_derived(table, column_values(derived)) if derived else table
        if counts is not None:
            table = count_cases(table, as_counts(counts))
        elif rows_are_cases:
            table.say_rows_are_cases()
        table.say_unweighted(unweighted)
        design = named_design(weights, design_strata, design_clusters, unweighted=unweighted)
        return table if design is None else table.with_design(design)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the content in row order, 64 hexadecimal digits; computed once, when first asked for.

        Of a table of counts, it is that of the rows as they were brought.
        """
        if self._fingerprint is None:
            self._fingerprint = self.without_design._answers.fingerprint(self.brought)
        return self._fingerprint

    def counts(
        self,
        by: Sequence[str | conditions.Condition] | Mapping[str, str | conditions.Condition],
        *,
        where: conditions.Condition | str | None = None,
    ) -> pd.DataFrame:
        """Count rows by columns and conditions, with one pass over the data.

        Parameters
        ----------
        by : sequence or mapping
            Column names and conditions; with a mapping, its keys name the result's columns.
        where : Condition or str, optional
            Count only rows for which this is true.

        Returns
        -------
        pandas.DataFrame
            One row for each combination that occurs, in ascending order with missing last: the columns of `by`, where a
            condition is ``boolean`` with NA for unknown, and ``n``.

        Raises
        ------
        MissingColumnError
            If a column is not there.
        ConditionError
            If a condition does not suit this table.
        """
        named = dict(by) if isinstance(by, Mapping) else {str(part): part for part in _sequence(by)}
        kinds: list[Kind] = [self._term(part)[1] for part in named.values()]
        return self._answers.frame(self.counts_sql(named.values(), where=where), [*named, "n"], [*kinds, "number"])

    def weighted_counts(
        self,
        by: Sequence[str | conditions.Condition] | Mapping[str, str | conditions.Condition],
        *,
        where: conditions.Condition | str | None = None,
    ) -> pd.DataFrame:
        """Count rows and add up their sampling weights by columns and conditions, with one pass over the data.

        Parameters
        ----------
        by : sequence or mapping
            As for :meth:`counts`.
        where : Condition or str, optional
            Count only rows for which this is true.

        Returns
        -------
        pandas.DataFrame
            As :meth:`counts` gives, with ``n`` (rows), ``w`` (the sum of their weights) and ``w2`` (of the squares).

        Raises
        ------
        InputError
            If the table has no sampling weights.
        MissingColumnError
            If a column is not there.
        ConditionError
            If a condition does not suit this table.
        """
        named = dict(by) if isinstance(by, Mapping) else {str(part): part for part in _sequence(by)}
        figures = ["n", "w", "w2"]
        kinds: list[Kind] = [self._term(part)[1] for part in named.values()]
        kinds.extend(["number"] * len(figures))
        query = self.weighted_counts_sql(named.values(), where=where)
        found = self._answers.frame(query, [*named, *figures], kinds)
        return found.fillna({"w": 0.0, "w2": 0.0})

    def count(self, where: conditions.Condition | str | None = None) -> int:
        """Count the rows for which a condition is true.

        Parameters
        ----------
        where : Condition or str, optional
            Without it all rows are counted.

        Returns
        -------
        int
            Rows.
        """
        condition = self.condition(where)
        if condition is None:
            return self.n_rows
        return int(self.counts((), where=condition)["n"].iloc[0])

    def occurs(self, where: conditions.Condition | str) -> bool:
        """Say whether there is a row for which a condition is true; the engine stops at the first.

        Parameters
        ----------
        where : Condition or str
            The condition.

        Returns
        -------
        bool
            Whether there is one.
        """
        return (
            len(
                self._answers.frame(
                    f"SELECT 1 AS k{self._rows_of((), where, counting=True)} LIMIT 1", ["k"], ["number"]
                )
            )
            > 0
        )

    def moments(
        self,
        column: str,
        by: Mapping[str, str | conditions.Condition],
        *,
        where: conditions.Condition | str | None = None,
    ) -> pd.DataFrame:
        """Sum a column of numbers up within groups, with one pass over the data.

        Parameters
        ----------
        column : str
            The numbers.
        by : mapping of str to str or Condition
            Column names and conditions that make the groups; the keys name the result's columns.
        where : Condition or str, optional
            Use only rows for which this is true.

        Returns
        -------
        pandas.DataFrame
            One row for each combination that occurs, in ascending order with missing last: the columns of `by`, ``n``
            (rows with a number), ``missing``, ``mean``, ``variance`` (of a sample, missing below two rows),
            ``quarter``, ``median`` and ``three_quarters``.

        Raises
        ------
        MissingColumnError
            If a column is not there.
        InputError
            If the column does not hold numbers.
        """
        self._require_number(column)
        names = ["n", "missing", "mean", "variance", "quarter", "median", "three_quarters"]
        kinds: list[Kind] = [self._term(part)[1] for part in by.values()]
        kinds.extend(["number"] * len(names))
        return self._answers.frame(self.moments_sql(column, by.values(), where=where), [*by, *names], kinds)

    def weighted_moments(
        self,
        column: str,
        by: Mapping[str, str | conditions.Condition],
        *,
        center: float = 0.0,
        where: conditions.Condition | str | None = None,
    ) -> pd.DataFrame:
        """Sum a column of numbers up within groups by sampling weights, with one pass over the data.

        Parameters
        ----------
        column : str
            The numbers.
        by : mapping of str to str or Condition
            As for :meth:`moments`.
        center : float
            What is taken from each number, so that sums of squares keep their digits.
        where : Condition or str, optional
            Use only rows for which this is true.

        Returns
        -------
        pandas.DataFrame
            One row for each combination that occurs: the columns of `by`, ``n`` (rows with a number), ``missing``, and
            with ``y`` the number less `center`, the sums ``w``, ``wy``, ``wyy``, ``w2``, ``w2y`` and ``w2yy`` of the
            weights and of their products with ``y``, of rows with a number.

        Raises
        ------
        MissingColumnError
            If a column is not there.
        InputError
            If the column does not hold numbers, or the table has no sampling weights.
        """
        self._require_number(column)
        names = ["n", "missing", "w", "wy", "wyy", "w2", "w2y", "w2yy"]
        kinds: list[Kind] = [self._term(part)[1] for part in by.values()]
        kinds.extend(["number"] * len(names))
        query = self.weighted_moments_sql(column, by.values(), center=center, where=where)
        return self._answers.frame(query, [*by, *names], kinds).fillna(dict.fromkeys(names, 0.0))

    def weighted_quartiles(
        self,
        column: str,
        by: Mapping[str, str | conditions.Condition],
        *,
        where: conditions.Condition | str | None = None,
    ) -> pd.DataFrame:
        """Return the quartiles of a column of numbers by sampling weights, within groups.

        Parameters
        ----------
        column : str
            The numbers.
        by : mapping of str to str or Condition
            As for :meth:`moments`.
        where : Condition or str, optional
            Use only rows for which this is true.

        Returns
        -------
        pandas.DataFrame
            One row for each combination that has a number: the columns of `by`, ``quarter``, ``median`` and
            ``three_quarters``, each the smallest number up to which that share of the weights lies.

        Raises
        ------
        MissingColumnError
            If a column is not there.
        InputError
            If the column does not hold numbers, or the table has no sampling weights.
        """
        self._require_number(column)
        names = ["quarter", "median", "three_quarters"]
        kinds: list[Kind] = [self._term(part)[1] for part in by.values()]
        kinds.extend(["number"] * len(names))
        query = self.weighted_quartiles_sql(column, by.values(), where=where)
        return self._answers.frame(query, [*by, *names], kinds)

    def _require_number(self, column: str) -> None:
        """Refuse a column that does not hold numbers."""
        if (kind := self.column(column).kind) != "number":
            raise InputError(
                f"Column {quote(column)} must hold numbers, got {kind} values.", hint="Choose a column of amounts."
            )

    def to_pandas(
        self, columns: Sequence[str] | None = None, *, where: conditions.Condition | str | None = None
    ) -> pd.DataFrame:
        """Return rows as a DataFrame, in their order.

        Parameters
        ----------
        columns : sequence of str, optional
            Without it all columns.
        where : Condition or str, optional
            Only rows for which this is true.

        Returns
        -------
        pandas.DataFrame
            Text as ``str``; numbers as ``int64``, as ``Int64`` where whole numbers are missing, else ``float64``;
            booleans as ``boolean``; dates and timestamps as ``datetime64[us]``.

        Raises
        ------
        MissingColumnError
            If a column is not there.
        """
        if self._answers.writer.counted is not None and self.n_rows > MOST_CASES:
            n_cases = self.count(where)
            if n_cases > MOST_CASES:
                raise LimitError(
                    f"This needs a row for each of {n_cases:,} cases; at most {MOST_CASES:,} are written out.",
                    hint="Ask about fewer cases by a filter. What only counts them has no such limit.",
                )
        return self._rows(columns, where, "")

    def head(self, n: int = 100, where: conditions.Condition | str | None = None) -> pd.DataFrame:
        """Return the first rows as a DataFrame.

        Parameters
        ----------
        n : int
            The most rows.
        where : Condition or str, optional
            Only rows for which this is true.

        Returns
        -------
        pandas.DataFrame
            As :meth:`to_pandas`.
        """
        return self._rows(None, where, f" LIMIT {int(n)}")

    def values(self, column: str, *, where: conditions.Condition | str | None = None, limit: int = 200) -> pd.DataFrame:
        """Return the values of a column and how often each occurs.

        Parameters
        ----------
        column : str
            The column.
        where : Condition or str, optional
            Only rows for which this is true.
        limit : int
            The most values.

        Returns
        -------
        pandas.DataFrame
            Columns ``value`` and ``n``, most frequent first, then by value; missing is a value.

        Raises
        ------
        MissingColumnError
            If the column is not there.
        """
        kind = self.column(column).kind
        query = (
            f"SELECT {self._answers.writer.quoted(column)} AS k, {self._answers.writer.n_cases} AS n"
            f"{self._rows_of([column], where, counting=True)}"
            f" GROUP BY 1 ORDER BY 2 DESC, {self._answers.writer.order(['1'])} LIMIT {int(limit)}"
        )
        return self._answers.frame(query, ["value", "n"], [kind, "number"])

    def common_values(self, column: str) -> tuple[Any, ...]:
        """Return the most frequent values of a column; asked for once, and then remembered.

        Parameters
        ----------
        column : str
            The column.

        Returns
        -------
        tuple
            At most 1,000 values, most frequent first; None for missing, where it is among them.

        Raises
        ------
        MissingColumnError
            If the column is not there.
        """
        if column not in self._common_values:
            found = self.values(column, limit=COMMON_VALUES)["value"]
            self._common_values[column] = tuple(None if pd.isna(value) else value for value in found)
        return self._common_values[column]

    def column_range(self, column: str, where: conditions.Condition | str | None = None) -> tuple[Any, Any]:
        """Return the smallest and largest value of a column of numbers or dates.

        Parameters
        ----------
        column : str
            The column.
        where : Condition or str, optional
            Only rows for which this is true.

        Returns
        -------
        tuple
            Two numbers or two ``pandas.Timestamp``; both None if no value is known.

        Raises
        ------
        MissingColumnError
            If the column is not there.
        InputError
            If it holds text or booleans.
        """
        kind = self.column(column).kind
        if kind not in ORDERED_KINDS:
            raise InputError(f"Column {quote(column)} holds {kind} values, which have no smallest and largest.")
        name = self._answers.writer.quoted(column)
        query = f"SELECT min({name}), max({name}){self._rows_of([column], where, counting=True)}"
        frame = self._answers.frame(query, ["low", "high"], [kind, kind])
        low, high = frame.loc[0, "low"], frame.loc[0, "high"]
        if pd.isna(low):
            return None, None
        return (low, high) if kind != "number" else (low.item(), high.item())

    def _rows(self, columns: Sequence[str] | None, where: conditions.Condition | str | None, tail: str) -> pd.DataFrame:
        chosen = list(self._columns.values()) if columns is None else [self.column(c) for c in _sequence(columns)]
        frame_names = [c.name for c in chosen]
        select = ", ".join(map(self._answers.writer.quoted, frame_names)) or "1"
        query = f"SELECT {select}{self._rows_of(frame_names, where)}{tail}"
        return self._answers.frame(query, frame_names, [c.kind for c in chosen])


def named_design(
    weights: str | None, strata: str | None, clusters: str | None, *, unweighted: bool = False
) -> SurveyDesign | None:
    """Return the design that columns are named of; refuse strata and clusters without weights, and weights with none.

    `unweighted` says that each row counts once.
    """
    if weights is not None:
        if unweighted:
            raise InputError(
                f"'unweighted' says that each row counts once, and 'weights' names column {quote(weights)}.",
                hint="Keep one of both.",
            )
        return SurveyDesign(weights, strata, clusters)
    if strata is not None or clusters is not None:
        raise InputError(
            "'design_strata' and 'design_clusters' say how a weighted sample was drawn, got no 'weights'.",
            hint="Name the column of weights, too; one of ones where all rows weigh alike.",
        )
    return None


def as_table(data: Table | pd.DataFrame) -> Table:
    """Return a table, made from a DataFrame if need be."""
    if isinstance(data, Table):
        return data
    if isinstance(data, pd.DataFrame):
        return Table.from_pandas(data)
    raise InputError(
        f"'data' must be a Table or a DataFrame, got {type(data).__name__}.", hint="Open a file with read_table."
    )


def _sequence(names: Sequence[Part]) -> Sequence[Part]:
    if isinstance(names, (str, conditions.Condition)):
        raise InputError("Columns must be given as a list, got a single text.", hint=f"Write [{str(names)!r}].")
    return names


# Rows that repeat an earlier one, left out where a person says so.


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
