"""What a table knows of itself: its columns, where it came from, and how conditions and names become SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, overload

from fairaudit import conditions
from fairaudit.columns import Column, ConnectionFacts, Kind, Source
from fairaudit.data.answers import Answering
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import MissingColumnError


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
        self._answers = answers
        self._fingerprint: str | None = None
        self._common_values: dict[str, tuple[object, ...]] = {}
        self.found_counts: tuple[str | None] | None = None

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

    @property
    def rows_are_cases(self) -> bool:
        """Whether somebody has said that each row is one case, or each case was written out as a row."""
        return self.source.options.rows_are_cases or self.source.options.counts is not None

    def say_rows_are_cases(self, said: bool = True) -> None:
        """Take each row for one case, or no longer."""
        self.source = replace(self.source, options=replace(self.source.options, rows_are_cases=said))

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
        return f"SELECT {', '.join([*select, 'count(*) AS n'])}{self._rows_of(by, where)}{group}"

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

    def _rows_of(self, parts: Iterable[str | conditions.Condition], where: conditions.Condition | str | None) -> str:
        """Return FROM and WHERE of a question that uses some columns and conditions."""
        writer, condition = self._answers.writer, self.condition(where)
        used = {name for part in parts for name in ([part] if isinstance(part, str) else part.columns)}
        if condition is None:
            return f"\nFROM {writer.source(used)}"
        return f"\nFROM {writer.source(used.union(condition.columns))}\nWHERE {writer.condition(condition)}"

    def _grouping(self, parts: Iterable[str | conditions.Condition]) -> tuple[list[tuple[str, Kind]], str]:
        """Return SQL and kind of each part, and GROUP BY with ORDER BY."""
        terms = [self._term(part) for part in parts]
        # By position: a name would mean a column of the data that happens to have it.
        places = [str(place) for place in range(1, len(terms) + 1)]
        order = f"\nGROUP BY {', '.join(places)}\nORDER BY {self._answers.writer.order(places)}" if places else ""
        return terms, order
