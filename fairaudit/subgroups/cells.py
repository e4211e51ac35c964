"""One small table that everything is counted from: how many rows have which levels and which outcome."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, Final, Literal, TypeVar, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.columns import Column
from fairaudit.conditions import Condition
from fairaudit.data.code_columns import holds_codes
from fairaudit.data.engine import quoted
from fairaudit.data.table import Table
from fairaudit.errors import InputError
from fairaudit.measure.bands import quantile_bins
from fairaudit.measure.vocabulary import hint_on
from fairaudit.measure.weighted import CLUSTER, STRATUM, drawn_by
from fairaudit.subgroups.kinds import Measure

T = TypeVar("T")

# Columns cut into levels, and the conditions on them that subgroups are made of.
#
# Levels depend on the values of a column and on how often they occur, never on an outcome.

MOST_LEVELS: Final = 20
"""Of a column of texts, this many of the most frequent values can be asked for; all others only count as the rest."""

FEW_LEVELS: Final = 6
"""Values of a column of texts with at most this many are joined, too."""

FEW_NUMBERS: Final = 10
"""Numbers with at most this many different values are asked for one by one, as well as cut."""

N_BINS: Final = 8
"""Parts that other numbers and dates are cut into, of about equal size."""

MOST_VALUES: Final = 100_000
"""Different values that are read of a column; numbers with more are cut at their quartiles."""


@dataclass(frozen=True, eq=False)
class ColumnLevels:
    """A column cut into levels: 0 is any other value, the last one is missing.

    Parameters
    ----------
    name : str
        The column.
    digits : tuple of Condition
        The binary digits of the level: what the table is counted by, so that the level of each row is known.
    literals : tuple of Condition
        The conditions on the column that a subgroup may name.
    holds : ndarray of bool, shape (n_literals, n_levels)
        In which levels each of them holds.
    """

    name: str
    digits: tuple[Condition, ...]
    literals: tuple[Condition, ...]
    holds: NDArray[np.bool_]

    @property
    def n_levels(self) -> int:
        """How many levels there are."""
        return self.holds.shape[1]

    def codes(self, counted: pd.DataFrame) -> NDArray[np.int16]:
        """Return the level of each row, from the columns of its digits."""
        codes = np.zeros(len(counted), dtype=np.int16)
        for place, (_, digit) in enumerate(counted.items()):
            codes += digit.fillna(False).to_numpy(dtype=np.int16) << place
        codes[counted.iloc[:, 0].isna().to_numpy()] = self.n_levels - 1
        return codes


def cut_into_levels(
    table: Table, column: str, found: pd.DataFrame, *, where: Condition | None, min_rows: int, joined: int
) -> ColumnLevels | str:
    """Cut a column into levels; where that cannot be done, return why.

    Parameters
    ----------
    table : Table
        The data.
    column : str
        The column.
    found : DataFrame
        Its most frequent values and how often each occurs, one more than `MOST_VALUES`.
    where : Condition, optional
        The filter.
    min_rows : int
        The fewest rows that a value needs.
    joined : int
        The most values that one condition names.
    """
    known = found[found["value"].notna()]
    has_missing = len(known) < len(found)
    if len(known) + has_missing < 2:
        return "it has one value only"
    of = table.column(column)
    if not of.is_ordered or (holds_codes(of) and column not in table.source.options.numbers):
        if len(known) > MOST_LEVELS and int(known["n"].max()) < min_rows:
            many = f"more than {MOST_VALUES:,}" if len(known) > MOST_VALUES else f"{len(known):,}"
            return f"it has {many} values, and none of them has {min_rows:,} rows"
        return _of_values(table, of, known["value"].tolist(), has_missing, joined)
    known = known.sort_values("value", kind="stable")
    values = known["value"].tolist()
    if len(values) <= FEW_NUMBERS:
        return _of_few_numbers(table, of, values, has_missing)
    cuts = _cuts(table, of, values, known["n"].to_numpy(), where)
    return _of_cuts(table, of, cuts, has_missing) if cuts else "nearly all its rows have one value"


def _of_values(table: Table, column: Column, values: list[object], has_missing: bool, joined: int) -> ColumnLevels:
    # Sorted, so that the order of levels depends on no count.
    own = sorted(values[:MOST_LEVELS], key=str)
    sets: list[Sequence[int]] = [(place,) for place in range(len(own))]
    if len(values) <= FEW_LEVELS:
        most = min(joined, len(own) - 1)
        sets += [each for size in range(2, most + 1) for each in combinations(range(len(own)), size)]
    literals = [Condition.one_of(column.name, [own[place] for place in each], table.columns) for each in sets]
    digits = [Condition.one_of(column.name, part, table.columns) for part in _by_digit(own)]
    return _levels(table, column, digits, literals, sets, len(own), has_missing)


def _of_few_numbers(table: Table, column: Column, values: list[object], has_missing: bool) -> ColumnLevels:
    name, texts = quoted(column.name), [_text(value, column) for value in values]
    sets: list[Sequence[int]] = [(place,) for place in range(len(values))]
    wanted = [f"{name} = {text}" for text in texts]
    last = len(values) - 1
    for cut in range(last):
        # Up to the first and above the last but one there is one value, which is asked for already.
        for sign, own in (("<=", range(cut + 1)), (">", range(cut + 1, last + 1))):
            if len(own) > 1:
                sets.append(own)
                wanted.append(f"{name} {sign} {texts[cut]}")
    literals = [Condition.parse(text, table.columns) for text in wanted]
    digits = [Condition.parse(f"{name} IN ({', '.join(part)})", table.columns) for part in _by_digit(texts)]
    return _levels(table, column, digits, literals, sets, len(values), has_missing)


def _of_cuts(table: Table, column: Column, cuts: list[object], has_missing: bool) -> ColumnLevels:
    name, texts = quoted(column.name), [_text(value, column) for value in cuts]
    sets: list[Sequence[int]] = []
    for cut in range(len(cuts)):
        sets += [range(cut + 1), range(cut + 1, len(cuts) + 1)]
    literals = [Condition.parse(f"{name} {sign} {text}", table.columns) for text in texts for sign in ("<=", ">")]
    parts = [f"{name} <= {texts[0]}"]
    parts += [f"{name} > {low} AND {name} <= {high}" for low, high in pairwise(texts)]
    parts += [f"{name} > {texts[-1]}"]
    digits = [Condition.parse(" OR ".join(part), table.columns) for part in _by_digit(parts)]
    return _levels(table, column, digits, literals, sets, len(parts), has_missing)


def _by_digit(parts: Sequence[T]) -> list[list[T]]:
    """Return the parts, counted from 1, in whose number each binary digit is set, lowest digit first."""
    numbered = list(enumerate(parts, start=1))
    return [[part for number, part in numbered if number >> digit & 1] for digit in range(len(parts).bit_length())]


def _levels(
    table: Table,
    column: Column,
    digits: list[Condition],
    literals: list[Condition],
    sets: Sequence[Sequence[int]],
    n_own: int,
    has_missing: bool,
) -> ColumnLevels:
    """Put a column together; `sets` count its own values from 0."""
    holds = np.zeros((len(sets) + has_missing, n_own + 2), dtype=bool)
    for row, own in enumerate(sets):
        holds[row, [place + 1 for place in own]] = True
    if has_missing:
        holds[-1, -1] = True
        literals = [*literals, Condition.parse(f"{quoted(column.name)} IS NULL", table.columns)]
    return ColumnLevels(column.name, tuple(digits), tuple(literals), holds)


def _cuts(
    table: Table, column: Column, values: list[object], sizes: NDArray[np.int64], where: Condition | None
) -> list[object]:
    """Return the largest value of each part but the last."""
    if len(values) <= MOST_VALUES:
        return [values[end] for end in np.flatnonzero(np.diff(quantile_bins(sizes, N_BINS)))]
    low, high = table.column_range(column.name, where)
    if column.kind == "number":
        [row] = table.moments(column.name, {}, where=where).to_dict("records")
        return sorted({row["quarter"], row["median"], row["three_quarters"]} - {high})
    return sorted({low + part * (high - low) / 4 for part in (1, 2, 3)})


def _text(value: Any, column: Column) -> str:
    """Write a number or date as conditions do."""
    if column.kind == "date":
        return f"DATE '{pd.Timestamp(value).date()}'"
    if column.kind == "timestamp":
        return f"TIMESTAMP '{pd.Timestamp(value).isoformat(sep=' ')}'"
    number = float(value)
    return str(int(value)) if number.is_integer() and abs(number) < 2**53 else repr(number)


# What is compared: which rows a measure looks at, and what it counts or averages in them.


@dataclass(frozen=True)
class RateOf:
    """A share that takes the decision and its prediction.

    Parameters
    ----------
    among : {"decision", "prediction"} or None
        What says which rows are looked at; None for all rows.
    being : bool
        What it must be there.
    """

    among: Literal["decision", "prediction"] | None
    being: bool = True


RATES: Final[dict[Measure, RateOf]] = {
    "fpr": RateOf("decision", False),
    "fnr": RateOf("decision", True),
    "fdr": RateOf("prediction", True),
    "for_": RateOf("prediction", False),
    "accuracy": RateOf(None),
}
"""The shares that need a prediction; the outcome that counts as good is "positive". All but accuracy count errors."""

KNOWN: Final = get_args(Measure)


def check_measure(measure: str, *, has_prediction: bool, has_good_outcome: bool) -> None:
    """Refuse a measure that is not known, or that lacks what it needs."""
    if measure not in KNOWN:
        rule = f"'measure' must be one of {', '.join(map(repr, KNOWN))}, got {measure!r}."
        raise InputError(rule, hint=hint_on(measure, KNOWN))
    if measure in RATES and not has_prediction:
        raise InputError(
            f"The measure {measure!r} needs 'prediction', got none.",
            hint="Write a condition such as: score >= 5; or choose measure='selection'.",
        )
    if (measure == "mean") == has_good_outcome:
        wanted = "none: it compares amounts" if has_good_outcome else "at least one value or a condition"
        raise InputError(
            f"'favorable' must be {wanted} for the measure {measure!r}, got {'one' if has_good_outcome else 'none'}.",
            hint="Choose measure='mean' for a decision that is an amount, and no favourable result.",
        )


def values_of(measure: Measure, counted: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return what each row of a table of counts is worth to a measure, and which rows it looks at.

    `counted` has the column ``good`` or ``amount``, and ``predicted`` where there is a prediction.
    """
    if measure == "mean":
        amount = counted["amount"].to_numpy(dtype=float, na_value=np.nan)
        return amount, np.isfinite(amount)
    good, known = _truth(counted["good"])
    if measure == "selection":
        return good.astype(float), known
    predicted, foretold = _truth(counted["predicted"])
    rate, known = RATES[measure], known & foretold
    if rate.among is None:
        return (good == predicted).astype(float), known
    side = good if rate.among == "decision" else predicted
    return (good != predicted).astype(float), known & (side == rate.being)


def _truth(answers: pd.Series) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    return answers.fillna(False).to_numpy(dtype=bool), answers.notna().to_numpy()


Floats = NDArray[np.float64]

WEIGHT: Final = "weight"
"""The column of counts that says what each row of a sample counts for."""

MOST_EXACT: Final = 2.0**52
"""Sums of whole numbers below this are exact in double precision."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """How the rows of cells were drawn: all rows of a cell have the same weight, stratum and cluster.

    Parameters
    ----------
    weight : ndarray of float, shape (n_cells,)
        What each row counts for.
    stratum, cluster : ndarray of int, shape (n_cells,)
        Where it was drawn; 0 for all where the sample has no strata, -1 where each row is a cluster of its own.
    worth : ndarray of float, shape (n_cells,), optional
        Weight times value, where this is rounded.
    """

    weight: Floats
    stratum: NDArray[np.int64]
    cluster: NDArray[np.int64]
    worth: Floats | None = None

    @property
    def has_clusters(self) -> bool:
        """Whether rows were drawn in clusters."""
        return bool((self.cluster >= 0).any())

    def kept(self, which: NDArray[np.bool_]) -> Sampled:
        """Return some of the cells."""
        worth = None if self.worth is None else self.worth[which]
        return Sampled(self.weight[which], self.stratum[which], self.cluster[which], worth)


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
    sampled : Sampled, optional
        How they were drawn, where rows have sampling weights.
    """

    codes: NDArray[np.int16]
    value: Floats
    n: NDArray[np.int64]
    sampled: Sampled | None = None

    @property
    def n_rows(self) -> int:
        """All rows."""
        return int(self.n.sum())

    @property
    def mass(self) -> Floats:
        """What the rows of each cell count for."""
        return self.n.astype(float) if self.sampled is None else self.n * self.sampled.weight

    @property
    def total(self) -> Floats:
        """What they count for times their outcome."""
        if self.sampled is None or self.sampled.worth is None:
            return self.mass * self.value
        return self.n * self.sampled.worth

    def taken(self, n: NDArray[np.int64]) -> Cells:
        """Return the cells with other numbers of rows, without those that have none."""
        kept = n > 0
        sampled = None if self.sampled is None else self.sampled.kept(kept)
        return Cells(self.codes[kept], self.value[kept], n[kept], sampled)

    def split(self, share: float, rng: np.random.Generator) -> tuple[Cells, Cells]:
        """Divide the rows, or the clusters in which they were drawn, at random."""
        if self.sampled is not None and self.sampled.has_clusters:
            first = np.where(_dealt(self.sampled, share, rng), self.n, 0)
            return self.taken(first), self.taken(self.n - first)
        return self._split_rows(share, rng)

    def _split_rows(self, share: float, rng: np.random.Generator) -> tuple[Cells, Cells]:
        """Divide the rows; which rows of a cell go where makes no difference, so their number is drawn."""
        first = rng.multivariate_hypergeometric(self.n, round(share * self.n_rows), method="marginals")
        return self.taken(first), self.taken(self.n - first)

    def sample(self, n_rows: int, rng: np.random.Generator) -> Cells:
        """Draw rows at random."""
        return self._split_rows(n_rows / self.n_rows, rng)[0]

    def by_levels(self) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Return the different codes and the cell of each of ours; cells are in the order of their codes."""
        new = np.ones(len(self.codes), dtype=bool)
        new[1:] = (self.codes[1:] != self.codes[:-1]).any(axis=1)
        return self.codes[new], np.cumsum(new) - 1

    def in_whole_numbers(self) -> tuple[Cells, float]:
        """Return amounts as multiples of so small a unit that sums are exact on each machine, and the unit.

        Weights become such multiples, too, and so do they times their outcome.
        """
        if self.sampled is not None:
            weight = np.maximum(*_rounded(self.sampled.weight, self.n_rows))
            worth = weight * self.value if self.of_shares else _rounded(weight * self.value, self.n_rows)[0]
            return replace(self, sampled=replace(self.sampled, weight=weight, worth=worth)), 1.0
        if self.of_shares:
            return self, 1.0
        # A power of two: whole numbers stay whole, and all sums stay below 2^52.
        unit = 2.0 ** math.ceil(math.log2(float(np.abs(self.value).max()) * self.n_rows / MOST_EXACT))
        return replace(self, value=np.rint(self.value / unit)), unit

    @property
    def of_shares(self) -> bool:
        """Whether each value is 0 or 1."""
        return bool(np.isin(self.value, (0.0, 1.0)).all())


def _rounded(values: Floats, n_rows: int) -> tuple[Floats, float]:
    """Return multiples of so small a power of two that sums over rows are exact on each machine, and that power."""
    unit = 2.0 ** math.ceil(math.log2(max(float(np.abs(values).max()), 1e-300) * n_rows / MOST_EXACT))
    return np.rint(values / unit) * unit, unit


def _dealt(sampled: Sampled, share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Say in which cells are the clusters that go to the first part: in each stratum about this share of them."""
    place, pairs = pd.factorize(pd.MultiIndex.from_arrays([sampled.stratum, sampled.cluster]))
    strata = pairs.get_level_values(0).to_numpy()
    order = np.argsort(rng.random(len(pairs)))
    # Along this order each cluster gets its rank within its stratum, and strata begin at chances of their own.
    ranks = pd.Series(strata[order]).groupby(strata[order]).cumcount().to_numpy()
    begins = rng.random(int(strata.max()) + 1)[strata[order]]
    first = np.zeros(len(pairs), dtype=bool)
    first[order] = np.floor(begins + share * (ranks + 1)) > np.floor(begins + share * ranks)
    return first[place]


def read_cells(
    table: Table,
    columns: Sequence[ColumnLevels],
    outcome: dict[str, str | Condition],
    measure: Measure,
    where: Condition | None,
) -> Cells:
    """Count the rows that a measure looks at by levels and outcome, with one question to the table."""
    digits = {f"{place}.{i}": key for place, levels in enumerate(columns) for i, key in enumerate(levels.digits)}
    drawn = _drawn_by(table)
    counted = table.counts(digits | outcome | drawn, where=where)
    value, known = values_of(measure, counted)
    codes = np.stack(
        [
            levels.codes(counted[[f"{place}.{i}" for i in range(len(levels.digits))]])
            for place, levels in enumerate(columns)
        ],
        axis=1,
    )[known]
    value, n = value[known], counted["n"].to_numpy(dtype=np.int64)[known]
    sampled = _sampled(counted[known]) if drawn else None
    ties = [] if sampled is None else [sampled.cluster, sampled.stratum, sampled.weight]
    # In an order of their own, so that neither the order of rows nor the engine makes a difference.
    order = np.lexsort((*ties, value, *_as_few_numbers(codes, columns)[::-1]))
    codes, value, n = codes[order], value[order], n[order]
    if sampled is not None:
        return Cells(codes, value, n, Sampled(sampled.weight[order], sampled.stratum[order], sampled.cluster[order]))
    new = np.ones(len(codes), dtype=bool)
    new[1:] = (codes[1:] != codes[:-1]).any(axis=1) | (value[1:] != value[:-1])
    starts = np.flatnonzero(new)
    return Cells(codes[new], value[new], np.add.reduceat(n, starts) if len(starts) else n)


def _drawn_by(table: Table) -> dict[str, str | Condition]:
    """Return the columns that say how rows were drawn, by name; none where rows have no weights."""
    if table.design is None:
        return {}
    return {WEIGHT: table.design.weights, **drawn_by(table.design)}


def _sampled(counted: pd.DataFrame) -> Sampled:
    """Return how rows were drawn; rows without a stratum or cluster are one together."""
    stratum, cluster = (
        pd.factorize(counted[name], sort=True, use_na_sentinel=False)[0].astype(np.int64)
        if name in counted
        else np.full(len(counted), other, dtype=np.int64)
        for name, other in ((STRATUM, 0), (CLUSTER, -1))
    )
    return Sampled(counted[WEIGHT].to_numpy(dtype=float), stratum, cluster)


def _as_few_numbers(codes: NDArray[np.int16], columns: Sequence[ColumnLevels]) -> list[NDArray[np.int64]]:
    """Return numbers that order rows as their codes do: several columns as the digits of one number."""
    numbers, size = [np.zeros(len(codes), dtype=np.int64)], 1
    for place, levels in enumerate(columns):
        if size * levels.n_levels >= 2**62:
            numbers.append(np.zeros(len(codes), dtype=np.int64))
            size = 1
        numbers[-1] = numbers[-1] * levels.n_levels + codes[:, place]
        size *= levels.n_levels
    return numbers
