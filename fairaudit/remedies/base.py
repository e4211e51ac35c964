"""What the classifiers of this package share: reading their input, and fitting by draining events."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from fairaudit.errors import InputError
from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress
from fairaudit.remedies.preparation import read_features


class GroupAwareClassifier(ClassifierMixin, BaseEstimator):
    """Base of binary classifiers that know about groups while they are fitted.

    A subclass writes ``iter_fit``; ``fit`` drains it. Labels may be any two values; the second in order is positive.
    """

    def iter_fit(
        self, X: Any, y: Any, *, sensitive_features: Any = None, **rows: Any
    ) -> Generator[Event, Command | None, None]:
        """Fit, yielding events; see the subclass."""
        raise NotImplementedError

    def _read(self, X: Any, y: Any) -> tuple[pd.DataFrame, NDArray[np.int64]]:
        """Check features and labels and remember the two classes; return a frame and labels 0 and 1."""
        if y is None:
            raise InputError(
                f"'y' is missing: {type(self).__name__} requires y to be passed, but the target y is None."
            )
        frame = read_features(self, X, reset=True)
        labels = column_or_1d(y, warn=True)
        if n_missing := int(pd.isna(labels).sum()):
            raise InputError(
                f"'y' must have a label in every row, got {n_missing:,} missing values (NaN).",
                hint="Leave these rows out.",
            )
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


def iter_part(
    events: Generator[Event, Command | None, None], *, start: int, end: int, total: int
) -> Generator[Event, Command | None, tuple[Any, bool]]:
    """Pass on the progress of a part of longer work, as steps of the whole, and what it finds on the way.

    Parameters
    ----------
    events : generator
        The part; its last event is `Finished`.
    start, end : int
        The steps of the whole that are complete before and after the part.
    total : int
        All steps.

    Yields
    ------
    Progress or Incumbent
        With the words of the part.

    Returns
    -------
    result : object
        The result of the part.
    stopped : bool
        Whether the caller stopped it.
    """
    result, stopped, command = None, False, None
    with closing(events):
        while True:
            try:
                event = events.send(command)
            except StopIteration:
                return result, stopped
            command = None
            if isinstance(event, Finished):
                result = event.result
            elif isinstance(event, Progress):
                done = start + (end - start) * event.done // max(event.total, 1)
                command = yield Progress(event.what, done, total)
                stopped = stopped or command is STOP
            elif isinstance(event, Incumbent):
                command = yield event
                stopped = stopped or command is STOP


def boolean_rows(values: Any, n_rows: int, name: str, *, default: bool) -> NDArray[np.bool_]:
    """Check a true/false value for each row.

    Parameters
    ----------
    values : array_like of bool or 0/1, shape (n,), or None
        None means `default` for all.
    n_rows : int
        How many there must be.
    name : str
        The argument's name, for messages.
    default : bool
        What None stands for.

    Returns
    -------
    ndarray of bool, shape (n,)
        The values.

    Raises
    ------
    InputError
        If the length differs, or a value is missing or neither true nor false.
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
