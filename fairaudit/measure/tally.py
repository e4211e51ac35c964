"""One query, one small table: good outcomes and rows, by group and stratum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.measure.bands import Part, counted

TALLY = ["n", "positives", "undecided"]


@dataclass(frozen=True)
class Question:
    """What is asked of which table: the good outcome and the population, checked against the columns.

    Parameters
    ----------
    table : Table
        The data.
    outcome : Outcome
        The decision column and the condition of the good outcome.
    where : Condition, optional
        The filter.
    """

    table: Table
    outcome: Outcome
    where: Condition | None

    @classmethod
    def read(cls, table: Any, *, decision: str, favorable: Any, where: Condition | str | None) -> Question:
        """Check a question against a table."""
        table = as_cases(table, decision=decision)
        return cls(table, make_outcome(table, decision, favorable), table.condition(where))

    def tally(self, by: Sequence[Part]) -> pd.DataFrame:
        """Count rows, good outcomes and missing decisions with one query.

        Columns: 0, 1, ....
        """
        named: dict[str, Part] = {str(i): part for i, part in enumerate(by)}
        count = partial(self.table.counts, where=self.where)
        counts = counted(count, named | {"good": self.outcome.condition})
        rows = counts["n"].astype("int64")
        if not rows.sum():
            raise no_rows(self.table, self.where)
        known = counts["good"].notna()
        tally = counts[list(named)].assign(
            n=rows.where(known, 0),
            positives=rows.where(counts["good"].fillna(False).astype(bool), 0),
            undecided=rows.where(~known, 0),
        )
        tally = tally.rename(columns={str(i): i for i in range(len(by))})
        if not tally["n"].sum():
            raise GroupError(
                f"Column {quote(self.outcome.column)} has no decision in any of the {int(rows.sum()):,} rows.",
                uncounted=f"Column {quote(self.outcome.column)} has no decision in any row looked at.",
                hint="Choose another decision column or a wider filter.",
            )
        return sum_by(tally, list(range(len(by))))


def sum_by(tally: pd.DataFrame, by: Sequence[Any]) -> pd.DataFrame:
    """Add a tally up over fewer columns, in the order of first occurrence; missing values are kept."""
    return tally.groupby(list(by), dropna=False, sort=False)[TALLY].sum().reset_index()


def no_rows(table: Table, where: Condition | None) -> GroupError:
    """Return the error for a question that no row is left for."""
    kept = uncounted = "The table has no rows."
    if where is not None:
        kept = f"The filter {quote(where)} keeps 0 of {table.n_rows:,} rows."
        uncounted = f"The filter {quote(where)} keeps no row."
    return GroupError(kept, uncounted=uncounted, hint="Choose a wider filter or another table.")


def column_list(columns: str | Sequence[str], name: str, table: Table) -> tuple[str, ...]:
    """Check a choice of columns."""
    if not isinstance(columns, Iterable):
        raise InputError(f"{name!r} must name columns, got {columns!r}.")
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not names:
        raise InputError(f"{name!r} must name at least one column, got none.")
    if len(set(names)) < len(names):
        raise InputError(f"{name!r} must not name a column twice, got {', '.join(map(quote, names))}.")
    for column in names:
        table.column(column)
    return names
