"""The literals of one column, and which of them hold for each of its values.

A column is read as codes, one for each part between cuts or for each level, and one for "missing". A literal is a row
of a small table over codes, so that a million rows are looked up at once.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.columns import DAY_KINDS, HELD, ORDERED_KINDS, Kind
from fairaudit.conditions.literals import plain_value
from fairaudit.errors import InputError, quote, sure
from fairaudit.estimators.rules.column_values import comparable, read_column
from fairaudit.estimators.rules.cuts import quantile_cuts
from fairaudit.estimators.rules.literals import Literal, Value, as_moment

_Pairs = list[tuple[Literal, NDArray[np.bool_]]]


@dataclass(frozen=True)
class LiteralChoice:
    """Which literals columns get.

    Parameters
    ----------
    n_bins : int
        Parts that numbers and dates are cut into, at most.
    min_level_count : int
        The fewest rows that give a category a literal of its own.
    max_levels : int
        The most categories of a column that have one.
    add_negations : bool
        Whether the opposite of each literal is one too.
    spread_cuts : bool
        Whether cuts that would fall on the same frequent value go to the other values instead.
    """

    n_bins: int = 10
    min_level_count: int = 10
    max_levels: int = 50
    add_negations: bool = True
    spread_cuts: bool = True


@dataclass(frozen=True, eq=False)
class ColumnLiterals:
    """The literals of one column.

    Parameters
    ----------
    column : str
        Its name.
    kind : str or None
        What it holds; None where it never had a value.
    points : ndarray
        Increasing cuts, or levels.
    has_levels : bool
        Whether `points` are levels.
    literals : tuple of Literal
        The literals.
    table : ndarray of bool, shape (n_points + 2, n_literals)
        Whether each literal holds for each code: the part up to each cut and the one above all, or each level and any
        other value; then "missing".
    """

    column: str
    kind: Kind | None
    points: NDArray[Any]
    has_levels: bool
    literals: tuple[Literal, ...]
    table: NDArray[np.bool_]

    def codes(self, frame: pd.DataFrame) -> NDArray[np.int64]:
        """Return the code of each row.

        Shapes: returns (n,).
        """
        data, kind = read_column(frame, self.column)
        if kind is not None and self.kind not in (None, kind) and not {kind, self.kind} <= DAY_KINDS:
            raise InputError(
                f"Column {quote(self.column)} held {HELD[sure(self.kind)]} in fitting and holds {HELD[kind]} now.",
                hint="Read it the same way both times.",
            )
        codes = np.full(len(frame), len(self.points) + 1)
        if self.kind is None:
            # Never seen with a value: no literal asks for one.
            codes[data.known] = 0
        elif kind is not None:
            values = data.values if data.known.all() else data.values[data.known]
            codes[data.known] = self._places(values)
        return codes

    def block(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Return whether each literal holds for each row.

        Shapes: returns (n, n_literals).
        """
        return self.table[self.codes(frame)]

    def take(self, places: Sequence[int]) -> ColumnLiterals:
        """Return the same column with some of its literals."""
        literals = tuple(self.literals[place] for place in places)
        return ColumnLiterals(
            self.column, self.kind, self.points, self.has_levels, literals, self.table[:, list(places)]
        )

    def _places(self, values: NDArray[Any]) -> NDArray[np.int64]:
        values, points = comparable(values, self.points)
        if not self.has_levels:
            return np.searchsorted(points, values, side="left")
        found, distinct = pd.factorize(values)
        index = pd.Index(points, dtype=object if points.dtype == object else None)
        places = index.get_indexer(pd.Index(distinct, dtype=index.dtype))
        return np.where(places < 0, len(points), places)[found]


def find_literals(
    frame: pd.DataFrame, column: str, choice: LiteralChoice, cuts: Sequence[Any] | None = None
) -> ColumnLiterals:
    """Return the literals that a column gives."""
    data, kind = read_column(frame, column)
    if cuts is not None and kind is not None and kind not in ORDERED_KINDS:
        raise InputError(
            f"'cuts' names the column {quote(column)}, which holds {HELD[kind]}.",
            hint="Only numbers and dates are cut.",
        )
    values = data.values[data.known]
    levels = None if cuts is not None else _own_levels(values, kind, frame[column].dtype, choice)
    if levels is not None:
        points = np.array(levels, dtype=values.dtype)
        pairs = _level_literals(column, levels, not pd.Series(values).isin(points).all(), choice)
    else:
        if cuts is not None:
            places = _checked_cuts(column, cuts, kind)
        else:
            found = quantile_cuts(values, choice.n_bins, min_count=choice.min_level_count, spread=choice.spread_cuts)
            # Days lie apart by whole days, so that the readable moment between two is a midnight.
            places = tuple(place.date() for place in found) if kind == "date" else found
        points, pairs = _points(places), _cut_literals(column, places, choice)
    n_codes = len(points) + 2
    if data.known.any() and not data.known.all():
        pairs.append((Literal(column, "missing"), np.arange(n_codes) == n_codes - 1))
        if choice.add_negations:
            pairs.append((Literal(column, "not_missing"), np.arange(n_codes) < n_codes - 1))
    table = np.column_stack([holds for _, holds in pairs]) if pairs else np.zeros((n_codes, 0), dtype=bool)
    return ColumnLiterals(column, kind, points, levels is not None, tuple(literal for literal, _ in pairs), table)


def _own_levels(values: NDArray[Any], kind: Kind | None, dtype: Any, choice: LiteralChoice) -> list[Value] | None:
    """Return the values that a column is compared with one by one; None where it is cut."""
    if kind == "boolean":
        return [False, True]
    if kind == "text" or (kind == "number" and isinstance(dtype, pd.CategoricalDtype)):
        return _levels(values, choice)
    return _two_codes(values) if kind == "number" else None


def _levels(values: NDArray[Any], choice: LiteralChoice) -> list[Value]:
    """Return the values that are frequent enough for a literal of their own, sorted."""
    found, distinct = pd.factorize(values)
    counts = np.bincount(found, minlength=len(distinct))
    frequent: list[tuple[int, Any]] = [
        (-int(counts[place]), plain_value(distinct[place]))
        for place in np.flatnonzero(counts >= choice.min_level_count)
        if _can_be_written(distinct[place])
    ]
    return sorted(value for _, value in sorted(frequent)[: choice.max_levels])


def _can_be_written(value: Any) -> bool:
    """Say whether a condition can hold the value: it cannot hold a zero byte or half a character."""
    return not isinstance(value, str) or not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in value)


def _two_codes(values: NDArray[Any]) -> list[Value] | None:
    """Return both values of a column of two whole numbers that follow each other: codes, such as 0 and 1."""
    if not len(values):
        return None
    low, high = values.min().item(), values.max().item()
    if high - low != 1 or low != int(low) or not np.isin(values, [low, high]).all():
        return None
    return [int(low), int(high)]


def _level_literals(column: str, levels: list[Value], has_rest: bool, choice: LiteralChoice) -> _Pairs:
    codes = np.arange(len(levels) + 2)
    rest, missing = len(levels), len(levels) + 1
    pairs = [(Literal(column, "equals", level), codes == place) for place, level in enumerate(levels)]
    if choice.add_negations and (len(levels) > 2 or has_rest):
        pairs += [
            (Literal(column, "not_equals", level), (codes != place) & (codes < missing))
            for place, level in enumerate(levels)
        ]
    if has_rest and len(levels) > 1:
        # Rare values and those never seen: the literal names the values that they are not.
        pairs.append((Literal(column, "not_among", tuple(levels)), codes == rest))
        if choice.add_negations:
            pairs.append((Literal(column, "among", tuple(levels)), codes < rest))
    return pairs


def _cut_literals(column: str, cuts: Sequence[Value], choice: LiteralChoice) -> _Pairs:
    codes = np.arange(len(cuts) + 2)
    pairs: _Pairs = []
    for place, cut in enumerate(cuts):
        pairs.append((Literal(column, "at_most", cut), codes <= place))
        if choice.add_negations:
            pairs.append((Literal(column, "above", cut), (codes > place) & (codes <= len(cuts))))
    return pairs


def _checked_cuts(column: str, cuts: Sequence[Any], kind: Kind | None) -> tuple[Value, ...]:
    """Return given cuts as values that the column can be compared with, increasing."""
    plain: set[Any] = {Literal(column, "at_most", cut).value for cut in cuts}
    if any(isinstance(cut, float) for cut in plain):
        # A column is compared with all of them in the same precision.
        plain = {Literal(column, "at_most", float(cut)).value for cut in plain}
    wanted = datetime.date if kind in DAY_KINDS else (int, float)
    wrong = next((cut for cut in plain if not isinstance(cut, wanted)), None)
    if kind is not None and wrong is not None:
        raise InputError(
            f"'cuts' of column {quote(column)} must be {HELD[kind]} as the column is, got {type(wrong).__name__}."
        )
    return tuple(sorted(plain, key=as_moment))


def _points(cuts: Sequence[Value]) -> NDArray[Any]:
    return np.array(cuts, dtype="datetime64[us]" if cuts and isinstance(cuts[0], datetime.date) else None)
