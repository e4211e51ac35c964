"""A table read once, from which each node of a growing tree takes the splits that part its own rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.rules.column_literals import ColumnLiterals, LiteralChoice, find_literals
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.category_splits import category_splits
from fairaudit.estimators.trees.split_candidates import MAX_LEVELS, MIN_LEVEL_COUNT

FINEST: Final = 256
"""Parts that numbers and dates are cut into: nodes take their thresholds from these cuts."""


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The columns of a table as codes, see :mod:`fairaudit.estimators.rules.column_literals`.

    Parameters
    ----------
    columns : tuple of ColumnLiterals
        Cuts or levels of each column.
    codes : tuple of ndarray of int, shape (n_rows,)
        For each column, the code of each row.
    """

    columns: tuple[ColumnLiterals, ...]
    codes: tuple[NDArray[np.int64], ...]

    @classmethod
    def read(cls, frame: pd.DataFrame, names: list[str]) -> CodedTable:
        """Read columns.

        Shapes: `frame` (n_rows, n_features).
        """
        columns, codes = [], []
        for name in names:
            few = LiteralChoice(FINEST, MIN_LEVEL_COUNT, MAX_LEVELS, add_negations=False)
            column = find_literals(frame, name, few)
            if column.has_levels and not len(column.points):
                column = find_literals(frame, name, LiteralChoice(FINEST, 1, MAX_LEVELS, add_negations=False))
            own = column.codes(frame)
            if (own != own[0]).any():
                columns.append(column)
                codes.append(own)
        return cls(tuple(columns), tuple(codes))

    def holds(self, literal: Literal, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether a split that was made from this table holds for some of its rows."""
        place = next(place for place, column in enumerate(self.columns) if column.column == literal.column)
        column, codes = self.columns[place], self.codes[place][rows]
        if literal.kind == "missing":
            return codes == len(column.points) + 1
        if not column.has_levels:
            return column.table[:, column.literals.index(literal)][codes]
        levels = literal.values
        return np.array([*(point in levels for point in column.points.tolist()), False, False])[codes]

    def leaves(self, splits: Mapping[int, Literal], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the node without a split that some rows come to, in a tree of splits by number."""
        found = np.ones(len(rows), dtype=np.int64)
        for number in sorted(splits):
            places = np.flatnonzero(found == number)
            found[places] = 2 * number + ~self.holds(splits[number], rows[places])
        return found

    def splits(
        self, rows: NDArray[np.int64], targets: NDArray[np.float64], most: int
    ) -> tuple[tuple[Literal, ...], NDArray[np.bool_]]:
        """Return splits that part some rows.

        Shapes: `rows` (n,), `targets` (n,); returns `holds` (n, n_splits).
        """
        codes = [own[rows] for own in self.codes]
        n_splits = max(2 * most // max(len(self.columns), 1), 1)
        while True:
            found = [
                category_splits(column, own, targets, n_splits) if column.has_levels else _cuts(column, own, n_splits)
                for column, own in zip(self.columns, codes, strict=True)
            ]
            if n_splits == 1 or sum(len(column.literals) for column in found) <= most:
                break
            n_splits = n_splits * 3 // 4
        splits, blocks = [], []
        for column, own in zip(found, codes, strict=True):
            held = column.table[own]
            parts = np.flatnonzero(held.any(axis=0) & ~held.all(axis=0))
            splits += [column.literals[place] for place in parts]
            blocks.append(held[:, parts])
        return tuple(splits), np.hstack(blocks) if blocks else np.zeros((len(rows), 0), dtype=bool)


def _cuts(column: ColumnLiterals, codes: NDArray[np.int64], n_splits: int) -> ColumnLiterals:
    """Return the cuts that lie nearest to the quantiles of some rows, and the split on missing values."""
    n_cuts = len(column.points)
    below = np.cumsum(np.bincount(codes, minlength=n_cuts + 2)[: n_cuts + 1])
    known = int(below[-1])
    # Of cuts that part these rows alike, the first.
    sizes, places = np.unique(below[:n_cuts], return_index=True)
    inside = (sizes > 0) & (sizes < known)
    sizes, places = sizes[inside], places[inside]
    if len(sizes) > n_splits:
        ends = np.arange(1, n_splits + 1) * known / (n_splits + 1)
        near = np.clip(np.searchsorted(sizes, ends), 1, len(sizes) - 1)
        places = places[np.unique(near - (ends - sizes[near - 1] < sizes[near] - ends))]
    missing = [place for place, literal in enumerate(column.literals) if literal.kind == "missing"]
    return column.take([*places.tolist(), *(missing if 0 < known < len(codes) else [])])
