"""What estimators share: reading their input, preparing a table, parts of the rows, and fitting by draining events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import Tags, check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d, validate_data

from fairaudit.errors import GroupError, InputError, quote
from fairaudit.estimators.parameters import Features, Groups, Labels, Seed, documented
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import Command, Event, Finished, Incumbent, Progress, SearchEvent, iter_relay
from fairaudit.measure.grouping import as_pandas

# From a table of numbers and categories to the numbers that a model takes.

T = TypeVar("T")

NO_VALUE = "(no value)"

LARGEST_NUMBER = 1e150
"""Larger numbers are cut off at this: their squares could not be added up."""


class TakesCategories:
    """Say to scikit-learn that missing values and categories are taken; stands before other bases."""

    def __sklearn_tags__(self) -> Tags:
        """Say that missing values and categories are taken."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # of scikit-learn's BaseEstimator, which follows
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


class TablePreparation(TakesCategories, TransformerMixin, BaseEstimator):
    """Impute, scale and one-hot encode a table.

    Numbers: missing values become the median, and a column says where; then mean 0 and spread 1. Categories (text,
    true/false, dates as text): one column a value, values in fewer than `min_level_count` rows folded into one, which
    values not seen in fitting join. A constant column is left at 0. Where rows have weights, all of this counts them.

    Parameters
    ----------
    min_level_count : int
        The fewest rows that give a category a column of its own.
    n_components : int, optional
        Keep that many principal components; fewer where there are not as many.
    random_state : int, RandomState or None
        For the principal components.

    Attributes
    ----------
    pipeline_ : sklearn.pipeline.Pipeline
        The fitted steps.
    numeric_, categorical_ : tuple of int
        Positions of the columns of either kind.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [20, 40, None], "area": ["a", "b", "a"]})
    >>> TablePreparation(min_level_count=1).fit_transform(table).shape
    (3, 4)
    """

    def __init__(self, *, min_level_count: int = 10, n_components: int | None = None, random_state: Seed = None):
        self.min_level_count = min_level_count
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: Features, y: Labels | None = None, sample_weight: ArrayLike | None = None) -> TablePreparation:
        """Learn medians, means, spreads and categories. Shapes: `X` (n, n_features), `sample_weight` (n,)."""
        weights = RowWeights.read(sample_weight, X)
        frame = read_features(self, weights.keep("X", X), reset=True)
        numeric = [
            i for i in range(frame.shape[1]) if pd.api.types.is_numeric_dtype(_truths_as_categories(frame.iloc[:, i]))
        ]
        self.numeric_ = tuple(numeric)
        self.categorical_ = tuple(i for i in range(frame.shape[1]) if i not in set(numeric))
        if weights.values is not None:
            self.pipeline_ = self._weighted(self._split_kinds(frame), weights.values)
            return self
        numbers = Pipeline([("impute", _imputer()), ("scale", StandardScaler())])
        categories = self._encoder()
        steps: list[tuple[str, BaseEstimator]] = [
            ("columns", ColumnTransformer([("numbers", numbers, [*self.numeric_]),
                                           ("categories", categories, [*self.categorical_])])),
        ]  # fmt: skip
        table = self._split_kinds(frame)
        if self.n_components is not None:
            width = steps[0][1].fit_transform(table).shape[1]
            kept = min(self.n_components, width, len(frame))
            steps.append(("components", PCA(n_components=kept, svd_solver="full", random_state=self.random_state)))
        self.pipeline_ = Pipeline(steps).fit(table)
        return self

    def _weighted(self, table: pd.DataFrame, weights: NDArray[np.float64]) -> Pipeline:
        """Return the same steps, fitted to rows with weights.

        Those of scikit-learn that take no weights are fitted to small tables that have the weighted statistics.
        """
        parts: list[tuple[str, BaseEstimator, list[int]]] = []
        if self.numeric_:
            numbers = table.iloc[:, [*self.numeric_]]
            medians = pd.Series({name: weighted_median(numbers[name], weights) for name in numbers})
            imputer = _imputer().fit(pd.DataFrame([medians, medians.mask(numbers.isna().any())]))
            filled = imputer.transform(numbers)
            mean = np.average(filled, axis=0, weights=weights)
            spread = np.sqrt(np.average((filled - mean) ** 2, axis=0, weights=weights))
            scaler = StandardScaler().fit(np.stack([mean - spread, mean + spread]))
            steps = [("impute", FrozenEstimator(imputer)), ("scale", FrozenEstimator(scaler))]
            parts.append(("numbers", Pipeline(steps), [*self.numeric_]))
        for i in self.categorical_:
            counts = np.floor(pd.Series(weights, index=table.index).groupby(table.iloc[:, i]).sum())
            times = counts.clip(1, self.min_level_count).astype(int)
            encoder = self._encoder().fit(times.index.repeat(times).to_frame(index=False))
            parts.append((f"categories {i}", FrozenEstimator(encoder), [i]))
        columns = ColumnTransformer(parts, verbose_feature_names_out=_name_of_prepared)
        steps = [("columns", columns.fit(table))]
        if self.n_components is not None:
            prepared = columns.transform(table)
            middle = np.average(prepared, axis=0, weights=weights)
            # Around its mean, and mirrored there: so the mean stays, and rows count by their weights.
            away = (prepared - middle) * np.sqrt(weights)[:, None]
            kept = min(self.n_components, *prepared.shape)
            components = PCA(n_components=kept, svd_solver="full", random_state=self.random_state)
            steps.append(("components", FrozenEstimator(components.fit(np.vstack([middle + away, middle - away])))))
        return Pipeline(steps).fit(table)

    def _encoder(self) -> OneHotEncoder:
        return OneHotEncoder(
            min_frequency=self.min_level_count, handle_unknown="infrequent_if_exist", sparse_output=False
        )

    def transform(self, X: Features) -> NDArray[np.float64]:
        """Return the numbers for a model. Shapes: `X` (n, n_features); returns (n, n_prepared)."""
        check_is_fitted(self)
        frame = read_features(self, X, reset=False)
        return np.ascontiguousarray(self.pipeline_.transform(self._split_kinds(frame)), dtype=np.float64)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the names of the prepared columns."""
        check_is_fitted(self)
        return self.pipeline_.get_feature_names_out()

    def _split_kinds(self, frame: pd.DataFrame) -> pd.DataFrame:
        columns = {}
        for i, name in enumerate(frame.columns):
            values = _truths_as_categories(frame.iloc[:, i])
            if i in self.numeric_:
                columns[str(name)] = (
                    pd.to_numeric(values, errors="coerce").astype(float).clip(-LARGEST_NUMBER, LARGEST_NUMBER)
                )
            else:
                columns[str(name)] = values.astype(object).where(values.notna(), NO_VALUE).astype(str)
        return pd.DataFrame(columns, index=frame.index)


def _imputer() -> SimpleImputer:
    return SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)


def _name_of_prepared(part: str, name: str) -> str:
    return f"{part.partition(' ')[0]}__{name}"


def weighted_median(values: ArrayLike, weights: NDArray[np.float64]) -> float:
    """Return the median of numbers that count by their weights; NaN where all are missing.

    Shapes: `values` (n,), `weights` (n,).

    Examples
    --------
    >>> weighted_median([1.0, 2.0, 5.0], np.array([2.0, 1.0, 1.0]))
    1.5
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(numbers))
    if not len(known):
        return np.nan
    order = known[np.argsort(numbers[known], kind="stable")]
    upto = np.cumsum(weights[order])
    half = upto[-1] / 2
    last = len(order) - 1
    low, high = (min(int(np.searchsorted(upto, half, side=side)), last) for side in ("left", "right"))
    return float((numbers[order[low]] + numbers[order[high]]) / 2)


def read_features(estimator: BaseEstimator, X: Features, *, reset: bool) -> pd.DataFrame:
    """Check a table of features and return it as a frame; missing values are allowed, infinite ones are not.

    A frame keeps its names, whichever library it is of; an array gets x0, x1, ....

    Shapes: `X` (n, n_features).
    """
    X = as_pandas(X)
    if issparse(X):
        raise InputError(
            "'X' is a sparse matrix, and a dense table is needed.",
            hint="In a pipeline: OneHotEncoder(sparse_output=False), make_column_transformer(..., sparse_threshold=0).",
        )
    if not isinstance(X, pd.DataFrame):
        values = validate_data(estimator, X, reset=reset, ensure_all_finite="allow-nan", dtype="numeric")
        return pd.DataFrame(values, columns=[f"x{i}" for i in range(values.shape[1])])
    if not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()][0]
        raise InputError(f"'X' has two columns called {quote(twice)}.", hint="Rename one of them.")
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if X.shape[0] < 1 or X.shape[1] < 1:
        raise InputError(f"'X' must have at least one row and one column, got {X.shape[0]} x {X.shape[1]}.")
    for name in X.columns:
        values = _truths_as_categories(X[name])
        if pd.api.types.is_float_dtype(values) and np.isinf(values.to_numpy(dtype=float, na_value=np.nan)).any():
            raise InputError(f"'X' has an infinite number in the column {quote(name)}.", hint="Replace or remove it.")
        if values.dtype == object and values.map(lambda value: isinstance(value, list | dict | set | tuple)).any():
            raise InputError(
                f"'X' has lists in the column {quote(name)}, which cannot be compared.",
                hint="Put one value into each cell.",
            )
    return X


def _truths_as_categories(values: pd.Series) -> pd.Series:
    """Return true/false as categories: they are values, not amounts."""
    return values.astype(object) if pd.api.types.is_bool_dtype(values) else values


# Parts of the rows: to learn from, to tune on, and held out for the judgement.

TRAIN, TUNE = 0.6, 0.2
"""Shares of the rows in the first two parts; what is left is held out."""


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of the three parts, ascending. The held-out part depends on the rows and the seed only."""

    train: NDArray[np.int64]
    tune: NDArray[np.int64]
    held_out: NDArray[np.int64]
    # Held-out rows that are not judged, and that nothing is learned from either.
    others: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def learning(self) -> NDArray[np.int64]:
        """All rows that are not held out, ascending."""
        return np.sort(np.concatenate([self.train, self.tune]))

    def holding_out(self, judged: NDArray[np.bool_]) -> Split:
        """Return the same parts, but that rows which are not to be judged are trained on and not held out.

        Shapes: `judged` (n,).
        """
        moved = self.held_out[~judged[self.held_out]]
        return Split(np.sort(np.concatenate([self.train, moved])), self.tune, self.held_out[judged[self.held_out]])

    def about(self, people: NDArray[np.bool_], *, all_teach: bool) -> Split:
        """Return the same parts, but that models are chosen by some people only, and judged on them.

        The rows of all others are trained on if `all_teach`, but for those that are held out.

        Shapes: `people` (n,).
        """
        train, tune, held_out = (part[people[part]] for part in (self.train, self.tune, self.held_out))
        outside = [part[~people[part]] for part in (self.train, self.tune)] if all_teach else []
        return Split(np.sort(np.concatenate([train, *outside])), tune, held_out, self.held_out[~people[self.held_out]])


def split_rows(strata: ArrayLike, *, random_state: int | np.random.RandomState | None = None) -> Split:
    """Divide rows at random into 60 % to learn from, 20 % to tune on and 20 % held out, alike in every stratum.

    Shapes: `strata` (n,).

    Notes
    -----
    The parts of a stratum differ from its exact shares by less than one row. Rows are shuffled within each stratum;
    where a stratum has few rows, chance decides which part gets them.

    Examples
    --------
    >>> split = split_rows(["a"] * 10 + ["b"] * 5, random_state=0)
    >>> len(split.train), len(split.tune), len(split.held_out)
    (9, 3, 3)
    """
    train, tune, held_out = divide(strata, (TRAIN, TUNE, 1 - TRAIN - TUNE), random_state=random_state)
    return Split(train, tune, held_out)


def divide(
    strata: ArrayLike, shares: tuple[float, ...], *, random_state: int | np.random.RandomState | None = None
) -> tuple[NDArray[np.int64], ...]:
    """Divide rows at random into parts with given shares, alike in every stratum.

    Shapes: `strata` (n,).

    Examples
    --------
    >>> [len(part) for part in divide(["a"] * 8 + ["b"] * 2, (0.5, 0.5), random_state=0)]
    [5, 5]
    """
    if min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        raise InputError(f"The shares of the parts must be above 0 and add up to 1, got {shares}.")
    random = check_random_state(random_state)
    _, codes, sizes = np.unique(np.asarray(strata), return_inverse=True, return_counts=True)
    order = random.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    within = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # Cut each shuffled stratum at its shares, rounded up or down by chance so that no part gains from rounding.
    cuts = np.floor(np.outer(sizes, np.cumsum(shares)[:-1]) + random.random_sample((len(sizes), 1)))
    part = (within[:, None] >= np.repeat(cuts, sizes, axis=0)).sum(axis=1)
    return tuple(np.sort(order[part == p]) for p in range(len(shares)))


def within(
    population: NDArray[np.bool_], learned: NDArray[np.int64], others: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows to learn from and the other ones, of which those outside of the population are learned from, too.

    Shapes: `population` (n,).
    """
    outside = others[~population[others]]
    return np.sort(np.concatenate([learned, outside])), others[population[others]]


# The parts of longer work: their progress as steps of the whole.

TOTAL = 100
"""Steps of a search, for those who draw how far it is: how many rounds it will take is not known before."""


def iter_stage(
    events: Generator[Event, Command | None, T], *, start: int, end: int, total: int = TOTAL
) -> Generator[Event, Command | None, tuple[T, bool]]:
    """Pass on the events of a stage as steps of the whole; return what it found, and whether it was stopped."""
    done = start

    def in_the_whole(event: Event) -> SearchEvent | None:
        nonlocal done
        if isinstance(event, Progress):
            done = max(done, start + (end - start) * min(event.done, event.total) // max(event.total, 1))
            return Progress(event.what, done, total)
        return event if isinstance(event, Incumbent) else None

    return (yield from iter_relay(events, in_the_whole))


def iter_part(
    events: Generator[Event, Command | None, None], *, start: int, end: int, total: int
) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Pass on the events of a fit as steps of the whole; return its result, and whether it was stopped."""
    return (yield from iter_stage(_iter_result(events), start=start, end=end, total=total))


def _iter_result(events: Generator[Event, Command | None, None]) -> Generator[Event, Command | None, Any]:
    """Pass on all events of a fit but the last, and return its result."""
    command = None
    with closing(events):
        while not isinstance(event := events.send(command), Finished):
            command = yield event
    return event.result


# What the classifiers of this package share: reading their input, and fitting by draining events.


class GroupAwareClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base of binary classifiers that know about groups while they are fitted.

    A subclass writes ``iter_fit``; ``fit`` drains it. One with further arguments for each row names them in a ``fit``
    of its own, where scikit-learn looks for what may be routed. Labels may be any two values; the second in order is
    positive.
    """

    @documented(returns=("self", "The fitted estimator."))
    def fit(
        self, X: Features, y: Labels, *, sensitive_features: Groups = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit in one go; `iter_fit` shows how far it is."""
        return self._drained(self.iter_fit(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight))

    @abstractmethod
    def iter_fit(
        self, X: Features, y: Labels, *, sensitive_features: Groups = None, sample_weight: ArrayLike | None = None
    ) -> Generator[Event, Command | None, None]:
        """Fit, yielding events; see the subclass."""

    def _drained(self, events: Generator[Event, Command | None, None]) -> Self:
        for _ in events:
            pass
        return self

    def _read(self, X: Features, y: Labels) -> tuple[pd.DataFrame, NDArray[np.int64]]:
        """Check features and labels and remember the two classes; return a frame and labels 0 and 1."""
        frame, labels = read_rows(self, X, y, "a label")
        check_array(labels, ensure_2d=False, dtype=None)
        check_consistent_length(frame, labels)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) > 2:
            raise InputError(
                f"Only binary classification is supported. The type of the target is {type_of_target(labels)}."
            )
        if len(self.classes_) < 2:
            raise InputError(
                f"'y' must have two classes, got {len(self.classes_)} class: {self.classes_.tolist()[0]!r}.",
                hint="Use rows with both outcomes.",
            )
        return frame, codes.astype(np.int64)

    def __sklearn_tags__(self) -> Tags:
        """Say that there are two classes, and that missing values are taken."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        return tags


def read_rows(estimator: BaseEstimator, X: Features, y: Labels, what: str) -> tuple[pd.DataFrame, NDArray[np.generic]]:
    """Check features, and that no row lacks its label or number; return a frame and what was given as `y`."""
    if y is None:
        raise InputError(
            f"'y' is missing: {type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    frame = read_features(estimator, X, reset=True)
    values = column_or_1d(y, warn=True)
    if n_missing := int(pd.isna(values).sum()):
        raise InputError(
            f"'y' must have {what} in every row, got {n_missing:,} missing values (NaN).",
            hint="Leave these rows out.",
        )
    return frame, values


def rows_of(table: pd.DataFrame | NDArray[np.generic], rows: NDArray[np.int64]) -> pd.DataFrame | NDArray[np.generic]:
    """Return some rows of a frame or an array."""
    return table.iloc[rows] if isinstance(table, pd.DataFrame) else table[rows]


def check_both_labels(names: Sequence[object], counts: NDArray[np.int64], *, task: str) -> None:
    """Check that every group has rows with either label. Shapes: `counts` (n_groups, 2)."""
    lacking = np.flatnonzero((counts == 0).any(axis=1))
    if not len(lacking):
        return
    name, (n_negative, n_positive) = quote(names[lacking[0]]), counts[lacking[0]].tolist()
    others = "" if len(lacking) == 1 else f" {len(lacking) - 1} more of {len(names)} groups lack one kind, too."
    raise GroupError(
        f"The group {name} has {n_positive:,} positive and {n_negative:,} negative labels among the rows that {task}; "
        f"at least 1 of each is needed.{others}",
        uncounted=f"The group {name} has no {'negative' if n_positive else 'positive'} label among the rows that "
        f"{task}.",
        hint="Merge the group with another one, or leave its rows out.",
    )


def boolean_rows(values: ArrayLike | None, n_rows: int, name: str, *, default: bool) -> NDArray[np.bool_]:
    """Check a true/false value for each row. Shapes: `values` (n,); returns (n,)."""
    if values is None:
        return np.full(n_rows, default)
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (n_rows,):
        raise InputError(f"'{name}' must have one value for each of the {n_rows:,} rows, got the shape {array.shape}.")
    if pd.isna(array).any():
        raise InputError(
            f"'{name}' must be true or false in every row, got {int(pd.isna(array).sum()):,} missing values.",
            hint="Leave rows out of 'population' where the group is unknown.",
        )
    if not np.isin(array, (0, 1)).all():
        raise InputError(
            f"'{name}' must be true or false (or 1 and 0) in every row.",
            hint="Compare a column with a value, such as table['sex'] == 'female'.",
        )
    return array.astype(bool)
