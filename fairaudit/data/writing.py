"""How SQL is written for the engine that holds a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fairaudit.data.engine import RELATION, quoted

if TYPE_CHECKING:
    from fairaudit.conditions import Condition

Dialect = Literal["duckdb", "postgres", "sqlite", "spark"]

_QUOTES: dict[Dialect, str] = {"duckdb": '"', "postgres": '"', "sqlite": '"', "spark": "`"}
_DOUBLES: dict[Dialect, str] = {"duckdb": "DOUBLE", "postgres": "double precision", "sqlite": "REAL", "spark": "DOUBLE"}
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
    known : str, optional
        The column without a value of which a row is left out.
    kept : str
        A condition on `origin`: its other rows are left out. Empty keeps all.
    """

    dialect: Dialect = "duckdb"
    origin: str = RELATION
    columns: tuple[ReadColumn, ...] = ()
    known: str | None = None
    kept: str = ""

    @property
    def relation(self) -> str:
        """What stands after FROM, with all columns."""
        return self.source()

    def source(self, names: Iterable[str] | None = None) -> str:
        """Return what stands after FROM, with only the columns that a question needs."""
        if not self.columns:
            if self.known is None:
                return self.origin
            return f"(SELECT * FROM {self.origin} WHERE {self.quoted(self.known)} IS NOT NULL) AS data"
        kept = None if names is None else set(names)
        read = [f"{c.sql} AS {self.quoted(c.name)}" for c in self.columns if kept is None or c.name in kept]
        where = [f"({c.sql}) IS NOT NULL" for c in self.columns if c.name == self.known]
        where += [f"({self.kept})"] if self.kept else []
        if not read and not where:
            return self.origin
        rows = self.origin + (f" WHERE {' AND '.join(where)}" if where else "")
        return f"(SELECT {', '.join(read) or '1 AS k'} FROM {rows}) AS data"

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

    def quantile(self, sql: str, share: float) -> str:
        """Return the aggregate of a quantile, interpolated between neighbours."""
        return _QUANTILES[self.dialect].format(sql=sql, share=share)

    def order(self, places: Sequence[str]) -> str:
        """Return an ascending order with missing last."""
        return ", ".join(f"{place} ASC NULLS LAST" for place in places)

    def condition(self, condition: Condition) -> str:
        """Return a condition on the columns of :attr:`relation`."""
        return condition.to_sql(self.dialect)
