"""From columns to literals, and which columns and literals reveal the groups."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar, Final
from typing import Literal as OneOf

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import check_is_fitted

from fairaudit.columns import DAY_KINDS, HELD, ORDERED_KINDS, Kind
from fairaudit.conditions.evaluation import Data, column_data
from fairaudit.conditions.names import frame_kind
from fairaudit.conditions.tree import MAX_ITEMS, plain_value
from fairaudit.errors import InputError, MissingColumnError, quote, require
from fairaudit.estimators.base import TakesCategories, read_features
from fairaudit.estimators.parameters import COUNT, Constraints, Features, Labels, check_parameters
from fairaudit.estimators.rules.literals import Literal, Value, as_frame, as_moment
from fairaudit.measure.bands import roundest_number
from fairaudit.measure.grouping import Grouping

# From a table to literals: which comparisons rules may be made of, and where each holds.

# The values of one column as rules compare them: just as conditions do.


def read_column(frame: pd.DataFrame, column: str) -> tuple[Data, Kind | None]:
    """Return the values of a column and what they are."""
    series = frame[column]
    if pd.api.types.is_complex_dtype(series.dtype):
        raise InputError(f"Column {quote(column)} holds complex numbers, which have no order.")
    kind = frame_kind(frame, column) if series.notna().any() else None
    data = column_data(series, kind)
    if kind == "number" and data.values.dtype.kind == "f" and np.isinf(data.values[data.known]).any():
        raise InputError(f"Column {quote(column)} has an infinite number.", hint="Replace or remove it.")
    if kind == "text":
        held = pd.api.types.infer_dtype(data.values[data.known], skipna=False)
        if held != "string":
            raise InputError(
                f"Column {quote(column)} holds values of the kind {held!r}, which rules cannot compare.",
                hint="Turn them into texts or numbers.",
            )
    return data, kind


def comparable(
    values: NDArray[np.generic], points: NDArray[np.generic]
) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Return values and points as one type, as conditions compare them."""
    kinds = {values.dtype.kind, points.dtype.kind}
    if kinds <= set("iuf") and "f" in kinds:
        return values.astype(np.float64), points.astype(np.float64)
    if values.dtype.kind == "u":
        return np.minimum(values, np.iinfo(np.int64).max).astype(np.int64), points
    return values, points


# Where numbers and dates are cut, so that a person can read the cut.
#
# Any number from the largest value below a cut up to, but not including, the next value divides the rows alike. The
# roundest of them is taken: between 37,250 and 37,338 that is 37,300.

_UNITS: Final = ("Y", "M", "D", "h", "m", "s")


def quantile_cuts(
    values: NDArray[np.generic],
    n_bins: int,
    *,
    min_count: int = 1,
    spread: bool = True,
    weights: NDArray[np.float64] | None = None,
) -> tuple[Any, ...]:
    """Return readable cuts that divide values into parts of about equal size, or weight.

    Shapes: `values` (n,), `weights` (n,).

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> quantile_cuts(np.array([12.25, 13.5, 29.75, 40.125]), 2)
    (20.0,)
    """
    is_date = values.dtype.kind == "M"
    distinct, counts = np.unique(values.astype(np.int64) if is_date else values, return_counts=True)
    if weights is not None:
        places = np.searchsorted(distinct, values.astype(np.int64) if is_date else values)
        counts = np.bincount(places, weights=weights, minlength=len(distinct))
    if len(distinct) <= n_bins:
        places = np.arange(len(distinct) - 1)
    else:
        places = _quantile_places(distinct, counts, n_bins)
        if spread:
            places = np.union1d(places, _spread(distinct, counts, n_bins, n_bins - 1 - len(places), min_count))
    if is_date:
        distinct = distinct.astype(values.dtype)
        moments = (_readable_moment(distinct[place], distinct[place + 1]) for place in places)
        return tuple(moment for moment in moments if moment is not None)
    return tuple(roundest_number(distinct[place].item(), distinct[place + 1].item()) for place in places)


def _quantile_places(distinct: NDArray[np.generic], counts: NDArray[Any], n_bins: int) -> NDArray[np.int64]:
    """Return the places of the largest values within each quantile; the largest of all divides nothing."""
    shares = np.arange(1, n_bins) / n_bins
    if counts.dtype.kind == "f":
        places = np.unique(np.searchsorted(np.cumsum(counts), shares * counts.sum()))
        return places[places < len(distinct) - 1]
    values = np.repeat(distinct, counts)
    with np.errstate(over="ignore", invalid="ignore"):
        quantiles = np.quantile(values, shares)
    # Halfway between two huge numbers of different sign lies nothing that can be computed.
    quantiles = np.where(np.isfinite(quantiles), quantiles, np.quantile(values, shares, method="lower"))
    places = np.unique(np.searchsorted(distinct, quantiles, side="right") - 1)
    return places[(places >= 0) & (places < len(distinct) - 1)]


def _spread(
    distinct: NDArray[np.generic], counts: NDArray[Any], n_bins: int, n_cuts: int, min_count: int
) -> NDArray[np.int64]:
    """Return the places of cuts at quantiles of the values that are not so frequent as to fill a part alone."""
    rare = np.flatnonzero(counts < counts.sum() / n_bins)
    n_rare = int(counts[rare].sum())
    n_cuts = min(n_cuts, n_rare // min_count - 1)
    if n_cuts < 1:
        return np.zeros(0, dtype=np.int64)
    ends = np.arange(1, n_cuts + 1) * n_rare / (n_cuts + 1)
    places = rare[np.searchsorted(np.cumsum(counts[rare]), ends)]
    return places[places < len(distinct) - 1]


def _readable_moment(low: np.datetime64, high: np.datetime64) -> datetime.datetime | None:
    """Return the start of a year, month, day, ... that is at least `low` and less than `high`."""
    last = high - np.timedelta64(1, "us")
    starts = (last.astype(f"datetime64[{unit}]").astype("datetime64[us]") for unit in _UNITS)
    start = next((start for start in starts if start >= low), low)
    moment = start.item()
    # Years after 9999 cannot be written.
    return moment if isinstance(moment, datetime.datetime) else None


# The literals of one column, and which of them hold for each of its values.
#
# A column is read as codes, one for each part between cuts or for each level, and one for "missing". A literal is a row
# of a small table over codes, so that a million rows are looked up at once.

_Pairs = list[tuple[Literal, NDArray[np.bool_]]]


@dataclass(frozen=True)
class LiteralChoice:
    """Which literals columns get."""

    # Parts that numbers and dates are cut into, at most.
    n_bins: int = 10
    # The fewest rows that give a category a literal of its own.
    min_level_count: int = 10
    # The most categories of a column that have one.
    max_levels: int = 50
    # Whether the opposite of each literal is one too.
    add_negations: bool = True
    # Whether cuts that would fall on the same frequent value go to the other values instead.
    spread_cuts: bool = True


@dataclass(frozen=True, eq=False)
class ColumnLiterals:
    """The literals of one column."""

    column: str
    # What it holds; None where it never had a value.
    kind: Kind | None
    points: NDArray[np.generic]
    has_levels: bool
    literals: tuple[Literal, ...]
    # (n_points + 2, n_literals) Whether each literal holds for each code: the part up to each cut and the one above
    # all, or each level and any other value; then "missing".
    table: NDArray[np.bool_]

    def codes(self, frame: pd.DataFrame) -> NDArray[np.int64]:
        """Return the code of each row. Shapes: returns (n,)."""
        data, kind = read_column(frame, self.column)
        if kind is not None and self.kind not in (None, kind) and not {kind, self.kind} <= DAY_KINDS:
            raise InputError(
                f"Column {quote(self.column)} held {HELD[require(self.kind)]} in fitting and holds {HELD[kind]} now.",
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
        """Return whether each literal holds for each row. Shapes: returns (n, n_literals)."""
        return self.table[self.codes(frame)]

    def take(self, places: Sequence[int]) -> ColumnLiterals:
        """Return the same column with some of its literals."""
        literals = tuple(self.literals[place] for place in places)
        return ColumnLiterals(
            self.column, self.kind, self.points, self.has_levels, literals, self.table[:, list(places)]
        )

    def _places(self, values: NDArray[np.generic]) -> NDArray[np.int64]:
        values, points = comparable(values, self.points)
        if not self.has_levels:
            return np.searchsorted(points, values, side="left")
        found, distinct = pd.factorize(values)
        index = pd.Index(points, dtype=object if points.dtype == object else None)
        places = index.get_indexer(pd.Index(distinct, dtype=index.dtype))
        return np.where(places < 0, len(points), places)[found]


def find_literals(
    frame: pd.DataFrame,
    column: str,
    choice: LiteralChoice,
    cuts: Sequence[Value] | None = None,
    *,
    weights: NDArray[np.float64] | None = None,
) -> ColumnLiterals:
    """Return the literals that a column gives. Shapes: `weights` (n,), how much each row counts."""
    data, kind = read_column(frame, column)
    if cuts is not None and kind is not None and kind not in ORDERED_KINDS:
        raise InputError(
            f"'cuts' names the column {quote(column)}, which holds {HELD[kind]}.",
            hint="Only numbers and dates are cut.",
        )
    values = data.values[data.known]
    known = None if weights is None else weights[data.known]
    levels = None if cuts is not None else _own_levels(values, kind, frame[column].dtype, choice, known)
    if levels is not None:
        points = np.array(levels, dtype=values.dtype)
        pairs = _level_literals(column, levels, not pd.Series(values).isin(points).all(), choice)
    else:
        if cuts is not None:
            places = _checked_cuts(column, cuts, kind)
        else:
            found = quantile_cuts(
                values, choice.n_bins, min_count=choice.min_level_count, spread=choice.spread_cuts, weights=known
            )
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


def _own_levels(
    values: NDArray[np.generic],
    kind: Kind | None,
    dtype: object,
    choice: LiteralChoice,
    weights: NDArray[np.float64] | None,
) -> list[Value] | None:
    """Return the values that a column is compared with one by one; None where it is cut."""
    if kind == "boolean":
        return [False, True]
    if kind == "text" or (kind == "number" and isinstance(dtype, pd.CategoricalDtype)):
        return _levels(values, choice, weights)
    return _two_codes(values) if kind == "number" else None


def _levels(values: NDArray[np.generic], choice: LiteralChoice, weights: NDArray[np.float64] | None) -> list[Value]:
    """Return the values that are frequent enough for a literal of their own, sorted."""
    found, distinct = pd.factorize(values)
    counts = np.bincount(found, weights=weights, minlength=len(distinct))
    frequent: list[tuple[float, Any]] = [
        (-counts[place].item(), plain_value(distinct[place]))
        for place in np.flatnonzero(counts >= choice.min_level_count)
        if _can_be_written(distinct[place])
    ]
    return sorted(value for _, value in sorted(frequent)[: choice.max_levels])


def _can_be_written(value: object) -> bool:
    """Say whether a condition can hold the value: it cannot hold a zero byte or half a character."""
    return not isinstance(value, str) or not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in value)


def _two_codes(values: NDArray[np.generic]) -> list[Value] | None:
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


def _checked_cuts(column: str, cuts: Sequence[Value], kind: Kind | None) -> tuple[Value, ...]:
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


def _points(cuts: Sequence[Value]) -> NDArray[np.generic]:
    return np.array(cuts, dtype="datetime64[us]" if cuts and isinstance(cuts[0], datetime.date) else None)


@dataclass(frozen=True)
class DroppedLiteral:
    """A literal, or all of a column, that rules cannot use."""

    column: str
    # It is the same for all training rows, or for each of them the same as another literal.
    reason: OneOf["constant", "duplicate"]
    # The literal; None for all of the column.
    literal: Literal | None = None
    # The literal that is kept for it.
    same_as: Literal | None = None


class Binarizer(TakesCategories, TransformerMixin, BaseEstimator):
    """Turn a table into literals: comparisons that hold or do not hold for a row.

    Numbers and dates are cut at quantiles of the training rows, each written as the roundest number that divides these
    rows alike. With up to `n_bins` different values, each is separated; columns of two codes such as 0 and 1 are
    compared with the codes. Categories (texts, true and false, numbers of the dtype "category") are compared with each
    frequent value; all others, and values never seen, are "none of" these. A missing value meets "is missing" and no
    other literal.

    Parameters
    ----------
    n_bins : int
        Parts that numbers and dates are cut into, at most: 10 cuts at the deciles.
    cuts : dict of str to sequence, optional
        Where to cut a column instead.
    min_level_count : int
        The fewest training rows that give a category a literal of its own.
    max_levels : int
        The most categories of a column that have one; the most frequent are taken.
    add_negations : bool
        Whether the opposite of each literal is one too.
    spread_cuts : bool
        Where many rows have the same value, several quantiles fall on it: nine of ten people have no capital gain.
        True spreads the cuts that are spared by that over the other values, at least `min_level_count` rows apart;
        False takes the plain quantiles.
    columns : sequence of str, optional
        The columns to use; all without it.

    Attributes
    ----------
    literals_ : tuple of Literal
        What the columns of the result stand for. Literals that hold for the same training rows are kept once: the
        first.
    dropped_ : tuple of DroppedLiteral
        What was left out.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [20, 31, 47, 52], "job": ["a", "b", "a", "b"]})
    >>> binarizer = Binarizer(n_bins=2, min_level_count=1).fit(table)
    >>> [literal.words() for literal in binarizer.literals_]
    ['age is at most 40', 'age is more than 40', 'job is a', 'job is b']
    >>> binarizer.transform(table.iloc[:1])
    array([[ True, False,  True, False]])
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "n_bins": [Interval(Integral, 2, 1_000, closed="both")],
        "cuts": [HasMethods(["keys"]), None],
        "min_level_count": [COUNT],
        "max_levels": [Interval(Integral, 1, MAX_ITEMS, closed="both")],
        "add_negations": ["boolean"],
        "spread_cuts": ["boolean"],
    }

    def __init__(
        self,
        *,
        n_bins: int = 10,
        cuts: dict[str, Sequence[Value]] | None = None,
        min_level_count: int = 10,
        max_levels: int = 50,
        add_negations: bool = True,
        spread_cuts: bool = True,
        columns: Sequence[str] | None = None,
    ):
        self.n_bins = n_bins
        self.cuts = cuts
        self.min_level_count = min_level_count
        self.max_levels = max_levels
        self.add_negations = add_negations
        self.spread_cuts = spread_cuts
        self.columns = columns

    def fit(self, X: Features, y: Labels | None = None) -> Binarizer:
        """Choose the literals. Shapes: `X` (n, n_features)."""
        for _ in self.iter_fit(X):
            pass
        return self

    def iter_fit(
        self, X: Features, weights: NDArray[np.float64] | None = None
    ) -> Generator[tuple[int, int], None, None]:
        """Choose the literals, yielding after each column how many have been read, and of how many.

        Who ends here leaves out the columns that have not been read.

        Shapes: `X` (n, n_features), `weights` (n,), what each row counts.
        """
        choice = self._checked_choice()
        frame = _named(read_features(self, X, reset=True))
        cuts = {} if self.cuts is None else dict(self.cuts)
        used = [str(name) for name in frame.columns] if self.columns is None else list(self.columns)
        lacking = next((name for name in (*used, *cuts) if name not in frame.columns), None)
        if lacking is not None:
            raise MissingColumnError(lacking, frame.columns)
        if len(set(used)) < len(used):
            raise InputError("'columns' must name each column once.")
        seen: dict[bytes, Literal] = {}
        kept: list[ColumnLiterals] = []
        dropped: list[DroppedLiteral] = []
        self._take(kept, dropped)
        for number, name in enumerate(used, 1):
            found = find_literals(frame, name, choice, cuts.get(name), weights=weights)
            own, left_out = _distinct(found, found.codes(frame), seen)
            kept.append(own)
            dropped += left_out
            self._take(kept, dropped)
            yield number, len(used)

    def _take(self, kept: list[ColumnLiterals], dropped: list[DroppedLiteral]) -> None:
        self._columns = tuple(column for column in kept if column.literals)
        self.literals_ = tuple(literal for column in kept for literal in column.literals)
        self.dropped_ = tuple(dropped)

    def transform(self, X: Features) -> NDArray[np.bool_]:
        """Return whether each literal holds for each row. Shapes: `X` (n, n_features); returns (n, n_literals)."""
        check_is_fitted(self)
        frame = _named(read_features(self, X, reset=False))
        held = np.empty((len(frame), len(self.literals_)), dtype=bool)
        start = 0
        for column in self._columns:
            end = start + len(column.literals)
            held[:, start:end] = column.block(frame)
            start = end
        return held

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the literals as conditions write them."""
        check_is_fitted(self)
        return np.array([literal.to_condition_text() for literal in self.literals_], dtype=object)

    def __sklearn_tags__(self) -> Tags:
        """Say that the result is true or false, too."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _checked_choice(self) -> LiteralChoice:
        check_parameters(self, {"cuts": "It maps columns to numbers."})
        if isinstance(self.columns, str):
            raise InputError("'columns' must be a list of names, got one text.", hint=f"Write [{self.columns!r}].")
        return LiteralChoice(
            self.n_bins, self.min_level_count, self.max_levels, bool(self.add_negations), bool(self.spread_cuts)
        )


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    named = as_frame(frame)
    if not named.columns.is_unique:
        raise InputError("'X' has two columns with the same name as text.", hint="Rename one of them.")
    return named


def _distinct(
    found: ColumnLiterals, codes: NDArray[np.int64], seen: dict[bytes, Literal]
) -> tuple[ColumnLiterals, list[DroppedLiteral]]:
    """Return the literals of a column that divide the rows as none before does, and add them to those seen."""
    counts = np.bincount(codes, minlength=len(found.table))
    kept: list[int] = []
    dropped: list[DroppedLiteral] = []
    for place, literal in enumerate(found.literals):
        holds = found.table[:, place]
        if counts[holds].sum() in (0, len(codes)):
            dropped.append(DroppedLiteral(found.column, "constant", literal))
            continue
        # A digest, for the rows of 2,000 literals would not fit into memory.
        digest = hashlib.blake2b(np.packbits(holds[codes]).tobytes(), digest_size=20).digest()
        same_as = seen.setdefault(digest, literal)
        if same_as is literal:
            kept.append(place)
        else:
            dropped.append(DroppedLiteral(found.column, "duplicate", literal, same_as))
    if np.count_nonzero(counts) < 2 or (not kept and all(part.reason == "constant" for part in dropped)):
        dropped = [DroppedLiteral(found.column, "constant")]
    return found.take(kept), dropped


# Which columns reveal the groups, so that rules made without them do not name a group.

FEWEST_ROWS_A_VALUE = 10
"""Rows that a value has on average, at least: otherwise groups may follow from a column by chance."""


def columns_that_reveal_groups(X: pd.DataFrame, grouping: Grouping) -> tuple[str, ...]:
    """Return the columns that have the name of a sensitive feature, or from whose values the groups follow.

    Shapes: `X` (n, n_features).

    Notes
    -----
    O(n) a column. A close proxy is not found: a column that reveals the group of nearly all rows.

    Examples
    --------
    >>> from fairaudit.measure.grouping import group_rows
    >>> X = pd.DataFrame({"female": [1, 0, 1, 0], "age": [30, 30, 40, 40]})
    >>> columns_that_reveal_groups(X, group_rows(["F", "M", "F", "M"], 4))
    ('female',)
    """
    if not grouping.inside.all():
        X, grouping = X[grouping.inside], replace(grouping, codes=grouping.codes[grouping.inside])
    partitions = list(_partitions(grouping))
    found = []
    for place, name in enumerate(X.columns):
        codes, values = pd.factorize(X.iloc[:, place], use_na_sentinel=False)
        if str(name) in grouping.names or any(_follows(codes, len(values), groups) for groups in partitions):
            found.append(str(name))
    return tuple(found)


def _partitions(grouping: Grouping) -> Iterator[NDArray[np.int64]]:
    """Yield the groups of the rows, and those by each sensitive feature alone; none if all rows are alike."""
    if len(grouping.names) > 1 and grouping.n_groups > 1:
        yield grouping.codes
    for place in range(len(grouping.names)):
        codes, values = pd.factorize(pd.Series([label[place] for label in grouping.labels], dtype=object))
        if len(values) > 1:
            yield codes[grouping.codes]


def _follows(codes: NDArray[np.int64], n_values: int, groups: NDArray[np.int64]) -> bool:
    """Say whether the group follows from the value, other than by chance."""
    n_groups = int(groups.max()) + 1
    if n_values > n_groups and n_values * FEWEST_ROWS_A_VALUE > len(codes):
        return False
    return len(np.unique(codes * n_groups + groups)) == n_values >= n_groups


# How close columns and literals come to revealing the groups, so that a rule that uses them can be marked.

LEAST_CLOSENESS: Final = 0.5
"""Half of the way from guessing groups blindly to knowing them."""


def close_proxies(
    frame: pd.DataFrame, groups: ArrayLike, columns: Iterable[str], *, minimum: float = LEAST_CLOSENESS
) -> dict[str, float]:
    """Return the columns that come close to revealing the groups, and how close.

    With k groups and the parts v that rules divide a column into, a missing value being one of them::

        closeness = (sum_v max_g P(v | g) - 1) / (k - 1)

    If all groups were equally large, this is how far guessing the group from the column is on the way from a blind
    guess (0) to knowing it (1). For two groups it is the total variation distance between their values.

    Shapes: `groups` (n,).

    Notes
    -----
    Categories in fewer than 10 rows are one part, so that a name of its own for each row is not close. O(n log n) a
    column.

    Examples
    --------
    >>> frame = pd.DataFrame({"role": ["wife", "husband"] * 20, "age": [20, 20, 40, 40] * 10})
    >>> close_proxies(frame, ["f", "m"] * 20, ["role", "age"])
    {'role': 1.0}
    """
    codes, n_groups = _group_codes(frame, groups)
    found = {}
    for column in columns:
        if column not in frame.columns:
            raise MissingColumnError(column, frame.columns)
        divided = find_literals(frame, column, LiteralChoice())
        shares = _shares(divided.codes(frame), len(divided.table), codes, n_groups)
        found[column] = float((shares.max(axis=1).sum() - 1) / (n_groups - 1)) if n_groups > 1 else float("nan")
    close = {column: closeness for column, closeness in found.items() if closeness >= minimum}
    return dict(sorted(close.items(), key=lambda item: -item[1]))


def _group_codes(rows: pd.DataFrame, groups: ArrayLike) -> tuple[NDArray[np.int64], int]:
    codes, names = pd.factorize(np.asarray(groups), use_na_sentinel=False)
    if len(codes) != len(rows):
        raise InputError(f"'groups' must have {len(rows):,} rows, got {len(codes):,}.")
    return codes, len(names)


def _shares(parts: NDArray[np.int64], n_parts: int, groups: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Return the share of each group that is in each part, shape (n_parts, n_groups)."""
    counts = np.bincount(parts * n_groups + groups, minlength=n_parts * n_groups).reshape(n_parts, n_groups)
    return counts / counts.sum(axis=0)
