"""The tree of a depth with the least absolute error, under discrimination indices and a constraint on groups."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_array, check_consistent_length

from fairaudit.errors import InputError
from fairaudit.estimators.base import read_rows
from fairaudit.estimators.trees.estimator_base import OptimalTree
from fairaudit.events import Command, Event


class OptimalTreeRegressor(OptimalTree, RegressorMixin, BaseEstimator):
    """Find the tree of a depth with the least mean absolute error, with discrimination priced or bounded.

    As ``OptimalTreeClassifier``, for decisions that are a number, such as an amount or a rate::

        minimise    mean absolute error + fairness_weight * (DIDI + DTDI / (rows * groups))
        subject to  each index <= max_discrimination
                    |mean prediction of group g - that of group h| <= max_difference     for all groups g, h

    Parameters
    ----------
    max_depth : int
        Splits on the way to a leaf, at most: 1 to 8.
    discrimination : {"didi", "dtdi", "both"} or None
        The indices of the predictions that count: disparate impact, and disparate treatment of near rows.
    fairness_weight : float
        The price of the indices, at least 0.
    max_discrimination : float, optional
        What each index may be at most, in units of the target; that of DTDI is divided by rows times groups.
    constraint : {"demographic_parity"} or None
        Whether the mean predictions of groups must be alike.
    max_difference : float, optional
        How far they may be apart, in units of the target; goes with `constraint`.
    branching : {"single", "linear"}
        Whether a split compares one column, or may weigh all columns of numbers.
    leaves : {"constant", "linear"}
        Whether a leaf predicts one number, or may weigh all columns of numbers.
    max_uses_per_feature, max_features : int, optional
        In how many nodes a column may be asked for, and how many columns in all.
    max_splits : int, optional
        Of how many splits trees are made, at most. None means 1,000 at depth 1, 240 at 2, 80 at 3, else 40.
    min_leaf_size : int
        Rows of each leaf, at least.
    n_neighbors : int
        Near rows of each row, for DTDI.
    use_sensitive : bool
        Whether splits may use columns with the name of a sensitive feature, or from whose values the groups follow.
    method : {"auto", "frontier", "scip"}
        Which search runs.
    time_limit : float
        About so many seconds of work, counted and not timed: a slower machine takes longer, and finds the same.
    random_state : int, RandomState or None
        The seed.

    Attributes
    ----------
    tree_ : Tree
        The tree, with the rows and the mean target of each group in every node.
    status_ : {"optimal", "gap", "work_limit", "stopped"}
        Whether no tree over these splits is better, and if that is not known, why the search ended.
    objective_, bound_ : float
        What is minimised, and what no tree of this depth over these splits can be better than.
    gap_ : float
        How far these are apart, as a share of the objective.
    history_ : DataFrame
        "share" (of the work), "primal" (objective) and "dual" (bound) whenever one of them changed.
    discrimination_ : Discrimination
        Indices and differences of the predictions for the rows that were learned from.
    method_ : {"frontier", "scip"}
        Which search ran last.
    n_splits_considered_ : int
        Splits that the tree was chosen from.
    notes_ : tuple of str
        What should be known, as sentences.

    References
    ----------
    Aghaei, Azizi and Vayanos (2019), "Learning optimal and fair decision trees for non-discriminative decision-making",
    problem 7 with the absolute error.

    Examples
    --------
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> model = OptimalTreeRegressor(1).fit(X, [5.0, 5.0, 9.0, 9.0])
    >>> model.objective_, model.predict([[0.0], [8.0]]).tolist()
    (0.0, [5.0, 9.0])
    """

    def __init__(
        self,
        max_depth: int = 2,
        *,
        discrimination: str | None = None,
        fairness_weight: float = 0.0,
        max_discrimination: float | None = None,
        constraint: str | None = None,
        max_difference: float | None = None,
        branching: str = "single",
        leaves: str = "constant",
        max_uses_per_feature: int | None = None,
        max_features: int | None = None,
        max_splits: int | None = None,
        min_leaf_size: int = 1,
        n_neighbors: int = 10,
        use_sensitive: bool = False,
        method: str = "auto",
        time_limit: float = 300,
        random_state: Any = None,
    ):
        self.max_depth = max_depth
        self.discrimination = discrimination
        self.fairness_weight = fairness_weight
        self.max_discrimination = max_discrimination
        self.constraint = constraint
        self.max_difference = max_difference
        self.branching = branching
        self.leaves = leaves
        self.max_uses_per_feature = max_uses_per_feature
        self.max_features = max_features
        self.max_splits = max_splits
        self.min_leaf_size = min_leaf_size
        self.n_neighbors = n_neighbors
        self.use_sensitive = use_sensitive
        self.method = method
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None) -> Self:
        """Fit in one go; `iter_fit` shows how far it is.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.
        y : array_like of float, shape (n,)
            The numbers to predict.
        sensitive_features : Series, DataFrame, array or list, optional
            The group of each row; crossings of several columns are groups of their own. None means one group.

        Returns
        -------
        OptimalTreeRegressor
            Itself.
        """
        for _ in self.iter_fit(X, y, sensitive_features=sensitive_features):
            pass
        return self

    def iter_fit(self, X: Any, y: Any, *, sensitive_features: Any = None) -> Generator[Event, Command | None, None]:
        """Search for the tree, yielding events; a stop keeps the best so far.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.
        y : array_like of float, shape (n,)
            The numbers to predict.
        sensitive_features : Series, DataFrame, array or list, optional
            The group of each row. None: one group, which `discrimination` does not take.

        Yields
        ------
        Started, Progress, Incumbent or Finished
            As in ``OptimalTreeClassifier``; ``Finished.result`` is the regressor.

        Raises
        ------
        InputError
            If an argument breaks a rule.
        """
        asked = self._asked("regression", self.leaves)
        frame, targets = self._read(X, y)
        grouping = self._grouping(sensitive_features, len(targets), asked)
        yield from self._iter_tree(frame, targets, grouping, asked, ("low", "high"))

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return what the leaf of each row predicts.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.

        Returns
        -------
        ndarray of float, shape (n,)
            In units of the target.
        """
        return self._predicted(X)

    def __sklearn_tags__(self) -> Any:
        """Say that categories and missing values are taken."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags

    def _read(self, X: Any, y: Any) -> tuple[pd.DataFrame, NDArray[np.float64]]:
        """Check features and targets; return a frame and numbers."""
        frame, targets = read_rows(self, X, y, "a number")
        if targets.dtype.kind in "OSU" and pd.to_numeric(pd.Series(targets), errors="coerce").isna().any():
            raise InputError(
                "'y' must hold numbers, got a text among them.", hint="Use OptimalTreeClassifier for labels."
            )
        targets = check_array(targets, ensure_2d=False, dtype=np.float64)
        check_consistent_length(frame, targets)
        return frame, targets
