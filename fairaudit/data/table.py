"""One interface to a table of rows: counts, values and rows by condition, answered by an embedded database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import pandas as pd

from fairaudit import conditions
from fairaudit.columns import (
    ORDERED_KINDS,
    ByGroup,
    Kind,
    LabelsByCode,
    ReadOptions,
    WideCounts,
    column_values,
    hidden_cells,
    labels_of,
)
from fairaudit.data.answers import Answers
from fairaudit.data.counted_rows import MOST_CASES, SaidMeans, as_counts, as_means
from fairaudit.data.frames import load_frame
from fairaudit.data.prepare import prepare
from fairaudit.data.table_base import TableBase
from fairaudit.errors import InputError, LimitError, quote

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
        frame: object,
        *,
        name: str = "table",
        rows_are_cases: bool = False,
        counts: str | WideCounts | ByGroup | Mapping[str, str] | None = None,
        means: SaidMeans | None = None,
        rounded_to: int | None = None,
        hidden: Mapping[str, tuple[int, int]] | None = None,
        weights: str | None = None,
        design_strata: str | None = None,
        design_clusters: str | None = None,
        unweighted: bool = False,
        all_closed: bool = False,
        one_row_per: str | None = None,
        not_known: Mapping[str, Iterable[object]] | None = None,
        left_out: Mapping[str, Iterable[object]] | None = None,
        real_values: Mapping[str, Iterable[object]] | None = None,
        labels: Mapping[str, LabelsByCode] | None = None,
        numbers: Iterable[str] = (),
        codes: Iterable[str] = (),
        derived: Mapping[str, Iterable[str]] | None = None,
    ) -> Table:
        """Make a table from a frame of pandas, without its index, or of any other library that narwhals reads.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table, duckdb.DuckDBPyRelation or another
            Columns of numbers, texts, booleans, categories, dates or timestamps; anything else becomes text.
        name : str
            What to call it.
        rows_are_cases : bool
            Each row is one case, also where a column looks like numbers of cases.
        counts : str or mapping, optional
            The column that says how many cases each row stands for; or two of ``{"favorable": ..., "others": ...,
            "all": ...}``, of which a column of decisions is made; or one for each group, such as ``{"women": ...,
            "men": ...}``.
        means : str, mapping or sequence of them, optional
            Columns whose number is the mean of the people that a row stands for, such as their pay; of counts by group
            those of each group. An empty one says that there are none. Only forms on pay take such columns.
        rounded_to : int, optional
            The number to whose multiples these counts were rounded; 1 says that they are exact, although they seem not.
        hidden : mapping of str to pair of int, optional
            What a text in the place of a count may stand for, such as ``{"<5": (1, 4)}``. A check of two groups then
            gives bounds; nothing else is defined.
        weights : str, optional
            The column of sampling weights: how many people each row speaks for.
        design_strata : str, optional
            The column of the strata that the sample was drawn from.
        design_clusters : str, optional
            The column of what was drawn first, such as schools.
        unweighted : bool
            Each row counts once, also where a column looks like the weights of a survey.
        all_closed : bool
            No case waits any more, also where a column looks as if some did: each time is final.
        one_row_per : str, optional
            The column that names cases of which some have several rows: the first of each is kept.
        not_known, left_out, real_values : mapping of str to values, optional
            By column, values that say that something is not known, which become missing; values whose rows are left
            out, such as totals; and values that look like one of these and are values like others.
        labels : mapping of str to mapping, optional
            By column, what its codes stand for: ``{"sex": {1: "man", 2: "woman"}}``. The column becomes text.
        numbers, codes : iterable of str, optional
            Columns of few whole numbers of which more is more; and those whose numbers are codes, which become text.
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
            If `frame` is no frame; if `counts` names no column of whole numbers from 0 with at least one case, or one
            in which some are rounded or hidden of which nothing is said; if `weights` names none of numbers from 0 with
            at least one above, or another option no column; or if `labels` are of other codes, or name two alike.

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
        connection, columns, source, notes, n_rows = load_frame(frame)
        table = cls(Answers(connection), columns=columns, n_rows=n_rows, name=name, source=source, notes=notes)
        options = ReadOptions(
            rows_are_cases=rows_are_cases and counts is None,
            counts=None if counts is None else as_counts(counts),
            means=None if means is None else as_means(means),
            rounded_to=rounded_to,
            hidden=hidden_cells(hidden),
            weights=weights,
            design_strata=design_strata,
            design_clusters=design_clusters,
            unweighted=unweighted,
            all_closed=all_closed,
            one_row_per=one_row_per,
            not_known=column_values(not_known or {}),
            left_out=column_values(left_out or {}),
            real_values=column_values(real_values or {}),
            labels=labels_of(labels or {}),
            numbers=tuple(numbers),
            codes=tuple(codes),
            derived=column_values(derived or {}),
        )
        return prepare(table, options)

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
        self.refuse_mean(column)
        names = ["n", "missing", "mean", "variance", "quarter", "median", "three_quarters"]
        kinds: list[Kind] = [self._term(part)[1] for part in by.values()]
        kinds.extend(["number"] * len(names))
        return self._answers.frame(self.moments_sql(column, by.values(), where=where), [*by, *names], kinds)

    def means(
        self,
        column: str,
        by: Mapping[str, str | conditions.Condition],
        *,
        where: conditions.Condition | str | None = None,
    ) -> pd.DataFrame:
        """Return the mean of a column of numbers within groups; also of one that holds means of several people.

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
            One row for each combination that occurs: the columns of `by`, ``n`` (people with a number), ``missing`` and
            ``mean``.

        Raises
        ------
        MissingColumnError
            If a column is not there.
        InputError
            If the column does not hold numbers.
        """
        self._require_number(column)
        names = ["n", "missing", "mean"]
        kinds: list[Kind] = [self._term(part)[1] for part in by.values()]
        kinds.extend(["number"] * len(names))
        return self._answers.frame(self.means_sql(column, by.values(), where=where), [*by, *names], kinds)

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

        def find() -> tuple[Any, ...]:
            found = self.values(column, limit=COMMON_VALUES)["value"]
            return tuple(None if pd.isna(value) else value for value in found)

        return self.remember(("common values", column), find)

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
        for column in () if columns is None else chosen:
            self.refuse_mean(column.name)
        frame_names = [c.name for c in chosen]
        select = ", ".join(map(self._answers.writer.quoted, frame_names)) or "1"
        query = f"SELECT {select}{self._rows_of(frame_names, where)}{tail}"
        return self._answers.frame(query, frame_names, [c.kind for c in chosen])


def table_of_read_rows(frame: pd.DataFrame) -> Table:
    """Return a table of cases whose values were asked about when they were read, or were computed since."""
    table = Table.from_pandas(frame, rows_are_cases=True)
    table.values_are_said = True
    return table


def _sequence(names: Sequence[Part]) -> Sequence[Part]:
    if isinstance(names, (str, conditions.Condition)):
        raise InputError("Columns must be given as a list, got a single text.", hint=f"Write [{str(names)!r}].")
    return names
