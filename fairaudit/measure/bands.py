"""Columns of numbers cut into bands: each band is then a stratum, and not each value."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.conditions import Condition
from fairaudit.conditions.tree import read_number
from fairaudit.data.engine import quoted
from fairaudit.data.table import Table
from fairaudit.errors import InputError, in_brief, quote
from fairaudit.measure.comparison import is_number
from fairaudit.measure.grouping import plain_value, value_text

# Few bins from many values, without cutting a value in two.

_DIGITS: Final = 18
"""More digits than double precision can distinguish."""

FEW_WHOLE_NUMBERS = 20
"""Whole numbers with at most this many different values are their own bins."""


def quantile_bins(n: ArrayLike, n_bins: int) -> NDArray[np.int64]:
    """Put ascending values into bins of about equal size.

    Shapes: `n` (n_values,); returns (n_values,).

    Examples
    --------
    >>> quantile_bins([5, 5, 5, 5, 20], 4)
    array([0, 0, 1, 1, 2])
    """
    n = np.asarray(n, dtype=float)
    middle = n.cumsum() - n / 2
    wanted = np.minimum((middle * n_bins / n.sum()).astype(np.int64), n_bins - 1)
    return np.unique(wanted, return_inverse=True)[1].astype(np.int64)


def sums_by_code(codes: NDArray[np.integer], weights: NDArray[np.number], size: int = 0) -> NDArray[np.float64]:
    """Add weights up by code; shape (size,), or longer where a code is larger."""
    # The stubs of NumPy forget that weights need not be whole numbers.
    return np.bincount(codes, weights, size)  # type: ignore[return-value]


def own_bins(values: NDArray[np.float64], n_bins: int) -> bool:
    """Say whether the values are few enough to be bins of their own, such as deciles."""
    return len(values) <= n_bins or (len(values) <= FEW_WHOLE_NUMBERS and bool((values == np.round(values)).all()))


def edges_between(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return edges halfway between ascending values, and as far outside at both ends.

    Shapes: `values` (n,); returns (n + 1,).

    Examples
    --------
    >>> edges_between(np.array([1.0, 2.0, 4.0]))
    array([0.5, 1.5, 3. , 5. ])
    """
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])


def roundest_number(low: float, high: float) -> int | float:
    """Return the roundest number from `low` to below `high`, nearest to their middle; 0 where it lies there.

    Examples
    --------
    >>> roundest_number(37_250, 37_338), roundest_number(0.125, 0.75)
    (37300, 0.4)
    """
    if low <= 0 < high:
        return 0
    exact_low, exact_high = Fraction(low), Fraction(high)
    middle = (exact_low + exact_high) / 2
    largest = math.floor(math.log10(max(abs(exact_low), abs(exact_high))))
    for power in range(largest, largest - _DIGITS, -1):
        step = Fraction(10) ** power
        first, last = math.ceil(exact_low / step), math.ceil(exact_high / step) - 1
        if first <= last:
            times = min(max(math.floor(middle / step), first), last)
            whole = power >= 0 and isinstance(low, int)
            number = times * 10**power if whole else float(f"{times}e{power}")
            if low <= number < high:
                return number
    return low


MOST_CUTS: Final = 19
"""A column can be cut at so many numbers, into twenty bands."""

SLACK: Final = 0.025
"""A proposed cut may move this share of the rows into the next band, so that it is a round number."""

MOST_READ: Final = 100_000
"""Different values that are read to propose cuts; a column with more is cut near its quartiles."""

HINT: Final = "Write numbers in ascending order, such as 30, 45, 60."


@dataclass(frozen=True)
class Bands:
    """A column of numbers cut into bands, each from one cut on and below the next.

    Parameters
    ----------
    column : str
        The column.
    cuts : tuple of float
        Where a band ends and the next begins, ascending.
    below : tuple of Condition
        For each cut the condition that a value is below it.
    """

    column: str
    cuts: tuple[float, ...]
    below: tuple[Condition, ...]

    @classmethod
    def of(cls, table: Table, column: str, cuts: Sequence[float]) -> Bands:
        """Cut a column of a table.

        Examples
        --------
        >>> table = Table.from_pandas(pd.DataFrame({"age": [20, 50]}))
        >>> Bands.of(table, "age", (30, 45)).names
        ('age under 30', 'age 30 to under 45', 'age 45 and over')
        """
        if (kind := table.column(column).kind) != "number":
            raise InputError(
                f"Bands need a column of numbers; {quote(column)} holds {kind} values.",
                hint="Leave out its cuts: then each value is a stratum.",
            )
        if (called := bands_name(column, cuts)) in table.columns:
            raise InputError(
                f"Bands of {quote(column)} would be called like the column {quote(called)}.", hint="Change a cut."
            )
        name = quoted(column)
        below = tuple(Condition.parse(f"{name} < {cut!r}", table.columns) for cut in cuts)
        return cls(column, tuple(cuts), below)

    @property
    def columns(self) -> tuple[str, ...]:
        """The column, as of a condition."""
        return (self.column,)

    @property
    def name(self) -> str:
        """What the column is called as one that holds bands."""
        return bands_name(self.column, self.cuts)

    @property
    def names(self) -> tuple[str, ...]:
        """What each band is called, in ascending order."""
        return band_names(self.column, self.cuts)

    def places(self, below: pd.DataFrame) -> pd.Series:
        """Return the band of each row, counted from 0, from the answers to `below`; missing where there is none."""
        known = below.iloc[:, 0].notna()
        reached = (~below.fillna(True).astype(bool)).sum(axis=1)
        return reached.astype("Int64").where(known)

    def texts(self, places: pd.Series) -> pd.Series:
        """Return the name of each band; None is missing."""
        names = dict(enumerate(self.names))
        return pd.Series([names.get(plain_value(place)) for place in places], index=places.index, dtype=object)


def band_names(column: str, cuts: Sequence[float]) -> tuple[str, ...]:
    """Return what each band of a column is called, in ascending order."""
    texts = [value_text(cut) for cut in cuts]
    between = [f"{low} to under {high}" for low, high in pairwise(texts)]
    return tuple(f"{column} {text}" for text in (f"under {texts[0]}", *between, f"{texts[-1]} and over"))


def bands_name(column: str, cuts: Sequence[float]) -> str:
    """Return what a column is called as one that holds bands.

    Examples
    --------
    >>> bands_name("age", (30, 45))
    'age cut at 30, 45'
    """
    return f"{column} cut at {', '.join(map(value_text, cuts))}"


Part = str | Condition | Bands
"""What rows are counted by."""


def counted(count: Callable[[Mapping[str, str | Condition]], pd.DataFrame], by: Mapping[str, Part]) -> pd.DataFrame:
    """Count rows by columns, conditions and bands, where `count` knows columns and conditions."""
    asked: dict[str, str | Condition] = {}
    answers: dict[str, list[str]] = {}
    for name, part in by.items():
        if isinstance(part, Bands):
            own = {f"{name} below {place}": condition for place, condition in enumerate(part.below)}
            answers[name] = list(own)
            asked |= own
        else:
            asked[name] = part
    found = count(asked)
    for name, part in by.items():
        if isinstance(part, Bands):
            found[name] = part.places(found[answers[name]])
    return found[[*by, *(name for name in found if name not in asked and name not in by)]]


def stratum_values(parts: Sequence[str | Bands], key: Sequence[object]) -> tuple[tuple[str, object], ...]:
    """Return the columns of a stratum and what it has in them, a band by its name; None is missing."""
    values = []
    for part, value in zip(parts, map(plain_value, key), strict=True):
        if isinstance(part, Bands):
            values.append((part.column, None if value is None else part.names[value]))
        else:
            values.append((part, value))
    return tuple(values)


def stratum_filter(values: Sequence[tuple[str, object]], cuts: Mapping[str, Sequence[float]]) -> str:
    """Return the condition that keeps the rows of one stratum; `cuts` says which columns it has bands of.

    Examples
    --------
    >>> stratum_filter([("office", "Harbour"), ("age", "age 30 to under 45")], {"age": (30, 45)})
    "office = 'Harbour' AND age >= 30 AND age < 45"
    """
    conditions: list[str] = []
    for column, value in values:
        if value is None or column not in cuts:
            conditions.append(str(Condition.equals(column, value, [column])))
            continue
        own, name = cuts[column], quoted(column)
        place = band_names(column, own).index(value)
        conditions += [f"{name} >= {low!r}" for low in own[max(place - 1, 0) : place]]
        conditions += [f"{name} < {high!r}" for high in own[place : place + 1]]
    # As the language prints it: names that need no quotes have none.
    return str(Condition.parse(" AND ".join(conditions), [column for column, _ in values]))


def strata_parts(table: Table, names: Sequence[str], cuts: Mapping[str, Sequence[object]] | None) -> list[str | Bands]:
    """Return what strata are made of: columns, and the bands of those that are cut."""
    checked = checked_cuts(cuts or {}, names)
    return [Bands.of(table, name, checked[name]) if name in checked else name for name in names]


def checked_cuts(
    cuts: Mapping[str, Sequence[object]], strata: Collection[str], *, name: str = "'strata_cuts'"
) -> dict[str, tuple[float, ...]]:
    """Return the cuts of each column as plain numbers; `name` begins the sentence that refuses them.

    Examples
    --------
    >>> checked_cuts({"age": [30.0, 45.5]}, ["age", "area"])
    {'age': (30, 45.5)}
    """
    if not isinstance(cuts, Mapping):
        raise InputError(f"{name} must hold the cuts of each column, got {cuts!r}.", hint='Such as {"age": [30, 45]}.')
    for column in cuts:
        if column not in strata:
            raise InputError(
                f"{name} must only cut columns that make strata, got {quote(column)}.".lstrip(),
                hint=f"Name {quote(column)} among the strata, too, or leave out its cuts.",
            )
    return {column: _checked(column, own, name) for column, own in cuts.items()}


def _checked(column: str, cuts: object, name: str) -> tuple[float, ...]:
    given = tuple(cuts) if isinstance(cuts, (list, tuple, np.ndarray, pd.Series)) else (cuts,)
    odd = [cut for cut in given if not is_number(cut)]
    texts = in_brief(", ".join(map(str, given)))
    wrong = None
    if odd:
        wrong = f"cut {quote(column)} at finite numbers, got {in_brief(repr(odd[0]))}"
    elif not 1 <= len(given) <= MOST_CUTS:
        wrong = f"cut {quote(column)} at 1 to {MOST_CUTS} numbers, got {len(given)}"
    elif any(low >= high for low, high in pairwise(given)):
        wrong = f"cut {quote(column)} in ascending order, got {texts}"
    if wrong is not None:
        raise InputError(f"{name} must {wrong}.".lstrip(), hint=HINT)
    return tuple(_plain(cut) for cut in given)


def _plain(cut: object) -> float:
    number = plain_value(cut)
    return int(number) if float(number).is_integer() and abs(number) < 2**53 else number


def read_cuts(text: str) -> tuple[float, ...]:
    """Read cuts that are written with commas between them.

    Examples
    --------
    >>> read_cuts("30, 45.5")
    (30, 45.5)
    """
    cuts: list[float] = []
    for part in text.replace(";", ",").split(","):
        number = read_number(part.strip().removeprefix("-"))
        if number is None or number < 0:
            raise InputError(f"Each cut must be a number, got {quote(part.strip())}.", hint=HINT)
        cuts.append(-number if part.strip().startswith("-") else number)
    return tuple(cuts)


def each_of(columns: Sequence[str], cut: Collection[str], *, between: str = " and ") -> str:
    """Say of which columns it is each value, and of which each band.

    Examples
    --------
    >>> each_of(["area", "sex"], ()), each_of(["area", "age"], ["age"])
    ('value of area and sex', 'value of area and band of age')
    """
    values = between.join(name for name in columns if name not in cut)
    bands = between.join(name for name in columns if name in cut)
    return between.join(f"{what} of {names}" for what, names in (("value", values), ("band", bands)) if names)


def named_strata(columns: Sequence[str], cut: Collection[str], bands: str = "bands of") -> list[str]:
    """Return what strata are made of, in words.

    Examples
    --------
    >>> named_strata(["area", "age"], ["age"])
    ['area', 'bands of age']
    """
    return [f"{bands} {name}" if name in cut else name for name in columns]


def proposed_cuts(
    table: Table,
    column: str,
    *,
    where: Condition | str | None = None,
    n_bins: int = 4,
    slack: float = SLACK,
) -> tuple[float, ...]:
    """Return round numbers that cut a column into bands of about equal size; none where it has one value.

    Without `slack` the bands hold the rows of :func:`quantile_bins`, but for a column of so many values that not all
    are read: it is cut near its quartiles.

    Examples
    --------
    >>> table = Table.from_pandas(pd.DataFrame({"pay": range(1_003, 2_003)}))
    >>> proposed_cuts(table, "pay")
    (1260, 1500, 1760)
    """
    found = table.values(column, where=where, limit=MOST_READ)
    if len(found) == MOST_READ:
        [row] = table.moments(column, {}, where=where).to_dict("records")
        quartiles = (row["quarter"], row["median"], row["three_quarters"])
        near = SLACK * (quartiles[2] - quartiles[0])
        return _ascending(_cut_between(quartile - near, quartile + near) for quartile in quartiles)
    values = found["value"].astype("float64")
    found = found[np.isfinite(values.to_numpy())].sort_values("value", kind="stable")
    if len(found) < 2:
        return ()
    bins, own = quantile_bins(found["n"], n_bins), found["value"].tolist()
    below = found["n"].to_numpy().cumsum()[:-1] / found["n"].sum()
    cuts = []
    for end in np.flatnonzero(np.diff(bins)):
        near_ends = np.flatnonzero(abs(below - below[end]) <= slack)
        cuts.append(_cut_between(own[near_ends[0]], own[near_ends[-1] + 1]))
    return _ascending(cuts)


def _cut_between(low: float, high: float) -> float:
    """Return the roundest number above `low` and up to `high`: values below it are those up to `low`."""
    return -roundest_number(-high, -low) if low < high else high


def _ascending(cuts: Iterable[float]) -> tuple[float, ...]:
    return tuple(sorted({_plain(cut) for cut in cuts}))
