"""What the classifiers of this package share: reading their input, and fitting by draining events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from fairaudit.errors import GroupError, InputError, quote
from fairaudit.estimators.base import read_features
from fairaudit.events import Command, Event


class GroupAwareClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base of binary classifiers that know about groups while they are fitted.

    A subclass writes ``iter_fit``; ``fit`` drains it. One with further arguments for each row names them in a ``fit``
    of its own, where scikit-learn looks for what may be routed. Labels may be any two values; the second in order is
    positive.
    """

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None) -> Self:
        """Fit in one go; `iter_fit` shows how far it is.

        Shapes: `X` (n, n_features), `y` (n,).
        """
        return self._drained(self.iter_fit(X, y, sensitive_features=sensitive_features))

    @abstractmethod
    def iter_fit(self, X: Any, y: Any, *, sensitive_features: Any = None) -> Generator[Event, Command | None, None]:
        """Fit, yielding events; see the subclass."""

    def _drained(self, events: Generator[Event, Command | None, None]) -> Self:
        for _ in events:
            pass
        return self

    def _read(self, X: Any, y: Any) -> tuple[pd.DataFrame, NDArray[np.int64]]:
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

    def __sklearn_tags__(self) -> Any:
        """Say that there are two classes, and that missing values are taken."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        return tags


def read_rows(estimator: BaseEstimator, X: Any, y: Any, what: str) -> tuple[pd.DataFrame, NDArray[Any]]:
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


def rows_of(table: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows of a frame or an array."""
    return table.iloc[rows] if isinstance(table, pd.DataFrame) else table[rows]


def check_both_labels(names: Sequence[object], counts: NDArray[np.int64], *, task: str) -> None:
    """Check that every group has rows with either label.

    Shapes: `counts` (n_groups, 2).
    """
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


def boolean_rows(values: Any, n_rows: int, name: str, *, default: bool) -> NDArray[np.bool_]:
    """Check a true/false value for each row.

    Shapes: `values` (n,); returns (n,).
    """
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
