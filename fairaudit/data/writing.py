"""How SQL is written for the engine that holds a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from fairaudit.data.engine import RELATION, literal, quoted

if TYPE_CHECKING:
    from fairaudit.conditions import Condition

Dialect = Literal["duckdb", "postgres", "sqlite", "spark"]

_QUOTES: dict[Dialect, str] = {"duckdb": '"', "postgres": '"', "sqlite": '"', "spark": "`"}
_DOUBLES: dict[Dialect, str] = {"duckdb": "DOUBLE", "postgres": "double precision", "sqlite": "REAL", "spark": "DOUBLE"}
_TEXTS: dict[Dialect, str] = {"duckdb": "VARCHAR", "postgres": "text", "sqlite": "TEXT", "spark": "STRING"}
_COLLATIONS: dict[Dialect, str] = {"duckdb": "", "postgres": ' COLLATE "C"', "sqlite": " COLLATE BINARY", "spark": ""}
_QUANTILES: dict[Dialect, str] = {
    "duckdb": "quantile_cont({sql}, {share})",
    "postgres": "percentile_cont({share}) WITHIN GROUP (ORDER BY {sql})",
    "sqlite": "quantile_cont({sql}, {share})",
    "spark": "percentile({sql}, {share})",
}


@dataclass(frozen=True)
class ReadColumn:
    """A column of a connected table as questions see it.

    Parameters
    ----------
    name : str
        Its name.
    sql : str
        Its value: an expression over the alias ``t``, in which what is no number is NULL, texts compare by code point,
        and numbers, dates and time stamps are of one type each.
    """

    name: str
    sql: str


@dataclass(frozen=True)
class CasesOfValue:
    """How many cases of one decision a row stands for.

    Parameters
    ----------
    column : str, optional
        The number of cases; None where it is not known exactly, and the row is counted as one.
    less : str, optional
        A column that is subtracted from it.
    value : str, optional
        The decision, or the group; None where a column of the table holds it.
    means : tuple of pairs
        Columns that are made, each with the one that holds its means for this value.
    """

    column: str | None
    less: str | None = None
    value: str | None = None
    means: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CountedRows:
    """A table each row of which stands for several cases.

    Parameters
    ----------
    kept : tuple of str
        Its columns beside those of counts.
    number : str
        What to call the number of cases: none of its columns.
    parts : tuple of CasesOfValue
        One, or one for each decision.
    decision : str, optional
        The column that the decisions, or groups, of the parts make.
    """

    kept: tuple[str, ...]
    number: str
    parts: tuple[CasesOfValue, ...]
    decision: str | None = None

    @property
    def made(self) -> tuple[str, ...]:
        """The columns that the parts make."""
        return (*(() if self.decision is None else (self.decision,)), *(name for name, _ in self.parts[0].means))


@dataclass(frozen=True)
class SqlWriter:
    """What a table's questions are made of, in the SQL of its engine.

    Parameters
    ----------
    dialect : {"duckdb", "postgres", "sqlite", "spark"}
        The engine's SQL.
    origin : str
        What is read: a quoted table or ``(query)``, with the alias ``t`` where there are `columns`.
    columns : tuple of ReadColumn
        How each column is read from `origin`; without any, `origin` is read as it is.
    weights : str, optional
        The column of weights: a row without one above 0 is left out.
    kept : str
        A condition on `origin`: its other rows are left out. Empty keeps all.
    counted : CountedRows, optional
        How many cases each row stands for; without it, one.
    """

    dialect: Dialect = "duckdb"
    origin: str = RELATION
    columns: tuple[ReadColumn, ...] = ()
    weights: str | None = None
    kept: str = ""
    counted: CountedRows | None = None

    @property
    def relation(self) -> str:
        """What stands after FROM, with all columns."""
        return self.source()

    def source(self, names: Iterable[str] | None = None) -> str:
        """Return what stands after FROM, one row for each case, with only the columns that a question needs."""
        if self.counted is not None and self.weights is not None:
            asked = None if names is None else {*names, self.weights}
            rows = self._written_out(self.counted, asked)
            return f"(SELECT * FROM {rows} WHERE {self.quoted(self.weights)} > 0) AS data"
        if self.counted is not None:
            return self._written_out(self.counted, names)
        if not self.columns:
            if self.weights is None:
                return self.origin
            return f"(SELECT * FROM {self.origin} WHERE {self.quoted(self.weights)} > 0) AS data"
        kept = None if names is None else set(names)
        read = [f"{c.sql} AS {self.quoted(c.name)}" for c in self.columns if kept is None or c.name in kept]
        where = [f"({c.sql}) > 0" for c in self.columns if c.name == self.weights]
        where += [f"({self.kept})"] if self.kept else []
        if not read and not where:
            return self.origin
        rows = self.origin + (f" WHERE {' AND '.join(where)}" if where else "")
        return f"(SELECT {', '.join(read) or '1 AS k'} FROM {rows}) AS data"

    @property
    def n_cases(self) -> str:
        """The aggregate that counts cases in :meth:`counting_source`."""
        if self.counted is None:
            return "count(*)"
        return f"coalesce(CAST(sum({self.quoted(self.counted.number)}) AS BIGINT), 0)"

    def counting_source(self, names: Iterable[str] | None = None) -> str:
        """Return what stands after FROM where cases are counted by :attr:`n_cases`: rows are not repeated there."""
        if self.counted is None:
            return self.source(names)
        return f"({self._numbered(self.counted, self._wanted(self.counted, names))}) AS data"

    def _wanted(self, counted: CountedRows, names: Iterable[str] | None) -> list[str]:
        every = [*counted.kept, *counted.made]
        wanted = set(every if names is None else names)
        return [name for name in every if name in wanted]

    def _numbered(self, counted: CountedRows, wanted: list[str]) -> str:
        """Return a query of the rows that stand for a case at least, with the number of cases."""
        selects = []
        # Rows that are counted as one are there once, but where it is asked which decision they hold.
        once = counted.decision not in wanted and counted.parts[0].column is None
        for part in counted.parts[:1] if once else counted.parts:
            own = {name: self.quoted(column) for name, column in part.means}
            if counted.decision is not None and part.value is not None:
                own[counted.decision] = literal(part.value)
            cells = [f"{own[name]} AS {self.quoted(name)}" if name in own else self.quoted(name) for name in wanted]
            number = "1" if part.column is None else self.quoted(part.column)
            used = {name for name in wanted if name not in counted.made}
            used |= {column for name, column in part.means if name in wanted}
            used |= set() if part.column is None else {part.column}
            if part.less is not None:
                number = f"{number} - {self.quoted(part.less)}"
                used.add(part.less)
            cells.append(f"CAST({number} AS BIGINT) AS {self.quoted(counted.number)}")
            read = replace(self, counted=None).source(used)
            selects.append(f"SELECT {', '.join(cells)} FROM {read} WHERE {number} > 0")
        return " UNION ALL ".join(selects)

    def _written_out(self, counted: CountedRows, names: Iterable[str] | None) -> str:
        """Return what stands after FROM with each row as often as it stands for a case."""
        wanted = self._wanted(counted, names)
        rows = self._numbered(counted, wanted)
        number = self.quoted(counted.number)
        listed = ", ".join(map(self.quoted, wanted)) or "1 AS one"
        every = ", ".join([*map(self.quoted, wanted), number])
        again = ", ".join(map(self.quoted, wanted)) + (", " if wanted else "")
        match self.dialect:
            case "duckdb":
                repeated = f"SELECT {again}unnest(range({number})) AS {number} FROM ({rows}) AS counted"
            case "postgres":
                repeated = f"SELECT {again}generate_series(1, {number}) AS {number} FROM ({rows}) AS counted"
            case "spark":
                copies = f"explode(array_repeat(0, CAST({number} AS INT)))"
                repeated = f"SELECT {again}{copies} AS {number} FROM ({rows}) AS counted"
            case "sqlite":
                # One step a case: joined with a list of numbers, each row would look through all of them.
                further = f"SELECT {again}{number} - 1 FROM written WHERE {number} > 1"
                return (
                    f"(WITH RECURSIVE written({every}) AS ({rows} UNION ALL {further})"
                    f" SELECT {listed} FROM written) AS data"
                )
        return f"(SELECT {listed} FROM ({repeated}) AS written) AS data"

    def quoted(self, name: str) -> str:
        """Return a name as an identifier.

        Examples
        --------
        >>> SqlWriter("spark").quoted("age")
        '`age`'
        """
        return quoted(name, _QUOTES[self.dialect])

    def number(self, sql: str) -> str:
        """Return a number in double precision."""
        return f"CAST({sql} AS {_DOUBLES[self.dialect]})"

    def text(self, sql: str) -> str:
        """Return a value as text."""
        return f"CAST({sql} AS {_TEXTS[self.dialect]})"

    def by_code_point(self, sql: str) -> str:
        """Return a text that compares by code point."""
        return f"({sql}){_COLLATIONS[self.dialect]}"

    def quantile(self, sql: str, share: float) -> str:
        """Return the aggregate of a quantile, interpolated between neighbours."""
        return _QUANTILES[self.dialect].format(sql=sql, share=share)

    def order(self, places: Sequence[str]) -> str:
        """Return an ascending order with missing last."""
        return ", ".join(f"{place} ASC NULLS LAST" for place in places)

    def condition(self, condition: Condition) -> str:
        """Return a condition on the columns of :attr:`relation`."""
        return condition.to_sql(self.dialect)
