"""One small table that everything is counted from: how many rows have which levels and which outcome."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.subgroups.levels import Levels
from fairaudit.subgroups.measures import values_of

Floats = NDArray[np.float64]

MOST_EXACT: Final = 2.0**52
"""Sums of whole numbers below this are exact in double precision."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows by their levels and their outcome.

    Parameters
    ----------
    codes : ndarray of int16, shape (n_cells, n_columns)
        The level of each column.
    value : ndarray of float, shape (n_cells,)
        The outcome: 0 or 1, or an amount.
    n : ndarray of int64, shape (n_cells,)
        Rows.
    """

    codes: NDArray[np.int16]
    value: Floats
    n: NDArray[np.int64]

    @property
    def n_rows(self) -> int:
        """All rows."""
        return int(self.n.sum())

    def taken(self, n: NDArray[np.int64]) -> Cells:
        """Return the cells with other numbers of rows, without those that have none."""
        kept = n > 0
        return Cells(self.codes[kept], self.value[kept], n[kept])

    def split(self, share: float, rng: np.random.Generator) -> tuple[Cells, Cells]:
        """Divide the rows at random; which rows of a cell go where makes no difference, so their number is drawn."""
        first = rng.multivariate_hypergeometric(self.n, round(share * self.n_rows), method="marginals")
        return self.taken(first), self.taken(self.n - first)

    def sample(self, n_rows: int, rng: np.random.Generator) -> Cells:
        """Draw rows at random."""
        return self.split(n_rows / self.n_rows, rng)[0]

    def by_levels(self) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Return the different codes and the cell of each of ours; cells are in the order of their codes."""
        new = np.ones(len(self.codes), dtype=bool)
        new[1:] = (self.codes[1:] != self.codes[:-1]).any(axis=1)
        return self.codes[new], np.cumsum(new) - 1

    def in_whole_numbers(self) -> tuple[Cells, float]:
        """Return amounts as multiples of so small a unit that sums are exact on each machine, and the unit."""
        if self.of_shares:
            return self, 1.0
        # A power of two: whole numbers stay whole, and all sums stay below 2^52.
        unit = 2.0 ** math.ceil(math.log2(float(np.abs(self.value).max()) * self.n_rows / MOST_EXACT))
        return replace(self, value=np.rint(self.value / unit)), unit

    @property
    def of_shares(self) -> bool:
        """Whether each value is 0 or 1."""
        return bool(np.isin(self.value, (0.0, 1.0)).all())


def read_cells(
    table: Table,
    columns: Sequence[Levels],
    outcome: dict[str, str | Condition],
    measure: str,
    where: Condition | None,
) -> Cells:
    """Count the rows that a measure looks at by levels and outcome, with one question to the table."""
    digits = {f"{place}.{i}": key for place, levels in enumerate(columns) for i, key in enumerate(levels.digits)}
    counted = table.counts(digits | outcome, where=where)
    value, known = values_of(measure, counted)
    codes = np.stack(
        [
            levels.codes(counted[[f"{place}.{i}" for i in range(len(levels.digits))]])
            for place, levels in enumerate(columns)
        ],
        axis=1,
    )[known]
    value, n = value[known], counted["n"].to_numpy(dtype=np.int64)[known]
    # In an order of their own, so that neither the order of rows nor the engine makes a difference.
    order = np.lexsort((value, *_as_few_numbers(codes, columns)[::-1]))
    codes, value, n = codes[order], value[order], n[order]
    new = np.ones(len(codes), dtype=bool)
    new[1:] = (codes[1:] != codes[:-1]).any(axis=1) | (value[1:] != value[:-1])
    starts = np.flatnonzero(new)
    return Cells(codes[new], value[new], np.add.reduceat(n, starts) if len(starts) else n)


def _as_few_numbers(codes: NDArray[np.int16], columns: Sequence[Levels]) -> list[NDArray[np.int64]]:
    """Return numbers that order rows as their codes do: several columns as the digits of one number."""
    numbers, size = [np.zeros(len(codes), dtype=np.int64)], 1
    for place, levels in enumerate(columns):
        if size * levels.n_levels >= 2**62:
            numbers.append(np.zeros(len(codes), dtype=np.int64))
            size = 1
        numbers[-1] = numbers[-1] * levels.n_levels + codes[:, place]
        size *= levels.n_levels
    return numbers
