"""What a table knows of itself: its columns, where it came from, and how conditions and names become SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import duckdb

from fairaudit import conditions
from fairaudit.data.answers import Answers
from fairaudit.data.columns import Column, Kind, Source
from fairaudit.data.engine import quoted
from fairaudit.data.stamp import FileStamp
from fairaudit.errors import MissingColumnError


class TableBase:
    """Columns, source and notes of a table, over a database of its own.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        A database of its own, with the relation ``data``.
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
    stamp : FileStamp, optional
        Of the file, where the rows stay in it.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        *,
        columns: Sequence[Column],
        n_rows: int,
        name: str,
        source: Source,
        notes: Sequence[str] = (),
        stamp: FileStamp | None = None,
    ):
        self.name = name
        self.n_rows = n_rows
        self.source = source
        self.notes = tuple(notes)
        self._columns = MappingProxyType({column.name: column for column in columns})
        self._answers = Answers(connection, stamp)
        self._fingerprint: str | None = None

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns by name, in order."""
        return self._columns

    def condition(self, condition: conditions.Condition | str | None) -> conditions.Condition | None:
        """Read a condition against this table's columns.

        Parameters
        ----------
        condition : Condition, str or None
            None and blank text mean no condition.

        Returns
        -------
        Condition or None
            Checked against names and kinds.

        Raises
        ------
        ConditionError
            If it cannot be read, or names a column that is not there.
        """
        if condition is None or (isinstance(condition, str) and not condition.strip()):
            return None
        return conditions.Condition.parse(str(condition), self._columns)

    def column(self, name: str) -> Column:
        """Return a column by name.

        Parameters
        ----------
        name : str
            The name, letter case included.

        Returns
        -------
        Column
            Its name and kind.

        Raises
        ------
        MissingColumnError
            If it is not there.
        """
        if name not in self._columns:
            raise MissingColumnError(name, self._columns)
        return self._columns[name]

    def aggregate(self, expressions: Sequence[str]) -> tuple[object, ...]:
        """Answer aggregate SQL expressions over all rows, for the modules of this package.

        Parameters
        ----------
        expressions : sequence of str
            SQL built from quoted names and literals, never from what a person typed.

        Returns
        -------
        tuple
            One value for each.
        """
        return self._answers.row(expressions)

    def __repr__(self) -> str:
        return f"<Table {self.name!r}: {self.n_rows:,} rows, {len(self._columns):,} columns>"

    def _term(self, part: str | conditions.Condition) -> tuple[str, Kind]:
        if isinstance(part, conditions.Condition):
            return f"({self.condition(part).to_sql('duckdb')})", "boolean"
        return quoted(part), self.column(part).kind

    def _filter(self, where: conditions.Condition | str | None) -> str:
        condition = self.condition(where)
        return "" if condition is None else f" WHERE {condition.to_sql('duckdb')}"
