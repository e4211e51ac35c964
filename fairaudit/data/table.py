"""One interface to a table of rows: counts, values and rows by condition, answered by an embedded database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import pandas as pd

from fairaudit import conditions
from fairaudit.columns import ORDERED_KINDS, Kind
from fairaudit.data.answers import Answers
from fairaudit.data.base import TableBase
from fairaudit.data.frames import load_frame
from fairaudit.data.written_out import write_cases_out
from fairaudit.errors import InputError, quote

Part = TypeVar("Part", bound=str | conditions.Condition)

COMMON_VALUES = 1_000
"""How many values of a column are remembered."""


class Table(TableBase):
    """A table of rows that answers counts, held in memory or read in place.

    Made by :func:`fairaudit.read_table` or :meth:`from_pandas`. Several threads may ask at once.
    """

    @classmethod
    def from_pandas(
        cls, frame: pd.DataFrame, *, name: str = "table", rows_are_cases: bool = False, counts: str | None = None
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
        counts : str, optional
            The column that says how many cases each row stands for; they are written out as rows, without this column.

        Returns
        -------
        Table
            A copy.

        Raises
        ------
        DataError
            If there is no column.
        InputError
            If `counts` names no column of whole numbers from 0 with at least one case.

        Examples
        --------
        >>> Table.from_pandas(pd.DataFrame({"sex": ["F", "M", "M"]})).counts(["sex"])
          sex  n
        0   F  1
        1   M  2
        """
        connection, columns, source, notes = load_frame(frame)
        table = cls(Answers(connection), columns=columns, n_rows=len(frame), name=name, source=source, notes=notes)
        if counts is not None:
            return write_cases_out(table, counts)
        if rows_are_cases:
            table.say_rows_are_cases()
        return table

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the content in row order, 64 hexadecimal digits; computed once, when first asked for."""
        if self._fingerprint is None:
            self._fingerprint = self._answers.fingerprint(self._columns.values())
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
        return len(self._answers.frame(f"SELECT 1 AS k{self._rows_of((), where)} LIMIT 1", ["k"], ["number"])) > 0

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
        if (kind := self.column(column).kind) != "number":
            raise InputError(
                f"Column {quote(column)} must hold numbers, got {kind} values.", hint="Choose a column of amounts."
            )
        names = ["n", "missing", "mean", "variance", "quarter", "median", "three_quarters"]
        kinds: list[Kind] = [self._term(part)[1] for part in by.values()]
        kinds.extend(["number"] * len(names))
        return self._answers.frame(self.moments_sql(column, by.values(), where=where), [*by, *names], kinds)

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
            f"SELECT {self._answers.writer.quoted(column)} AS k, count(*) AS n{self._rows_of([column], where)}"
            f" GROUP BY 1 ORDER BY 2 DESC, {self._answers.writer.order(['1'])} LIMIT {int(limit)}"
        )
        return self._answers.frame(query, ["value", "n"], [kind, "number"])

    def common_values(self, column: str) -> tuple[object, ...]:
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
        query = f"SELECT min({name}), max({name}){self._rows_of([column], where)}"
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
