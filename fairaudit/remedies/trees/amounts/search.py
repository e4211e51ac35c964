"""What a search for a tree of amounts learns from, and how the plan's words become an estimator's settings."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import GroupError
from fairaudit.estimators.trees.optimal_tree import OptimalTreeRegressor
from fairaudit.estimators.trees.tree import Tree
from fairaudit.events import Command, Event
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import new_optimal, tree_columns
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.group_checks import known_groups, learned_rows


@dataclass(frozen=True, eq=False)
class AmountTreeModel:
    """A tree of amounts that was searched for.

    Parameters
    ----------
    search : OptimalTreeRegressor
        Fitted.
    """

    search: OptimalTreeRegressor

    @property
    def tree(self) -> Tree:
        """The tree; it reads the columns that it needs by their names."""
        return self.search.tree_

    def predict(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return what is predicted for each row, as ndarray, shape (n,)."""
        return np.asarray(self.tree.predict(X), dtype=np.float64)


def allowed_difference(study: AmountStudy, remedy: TreesPlan) -> float:
    """Return how far mean predictions may be apart on the training rows; NaN where nothing must be alike."""
    if remedy.constraint is None:
        return float("nan")
    return study.judge.tolerance if remedy.amount_difference is None else remedy.amount_difference


def check_two_groups(study: AmountStudy, remedy: TreesPlan) -> None:
    """Refuse a tree that must keep groups alike where the training rows have fewer than two."""
    if not remedy.is_free and len(np.unique(study.groups[learned_rows(study)])) < 2:
        text = "The training rows are of one group only, so there is nothing to keep alike."
        raise GroupError(text, uncounted=text, hint="Choose other columns that make the groups, or bring more rows.")


def iter_amount_search(study: AmountStudy, remedy: TreesPlan) -> Generator[Event, Command | None, None]:
    """Search for a tree on the training rows of known groups."""
    rows = learned_rows(study)
    limit = allowed_difference(study, remedy)
    search = new_optimal(OptimalTreeRegressor, study, remedy, limit, leaves=remedy.leaves)
    X = study.X[tree_columns(study, remedy)].iloc[rows]
    return (yield from search.iter_fit(X, study.y[rows], sensitive_features=study.groups[rows]))


def gap_of(study: AmountStudy, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> float:
    """Return how far the largest mean prediction of a group is above the smallest; NaN with fewer than two groups.

    Shapes: `predicted` (n,).
    """
    means = [mean_of(predicted[rows[study.groups[rows] == name]]) for name in known_groups(study)]
    known = [mean for mean in means if np.isfinite(mean)]
    return max(known) - min(known) if len(known) > 1 else float("nan")


def mae_of(study: AmountStudy, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> float:
    """Return the mean absolute error of predictions for all rows of the study, among some of them; NaN of none."""
    return mean_of(np.abs(predicted[rows] - study.y[rows]))


def mean_of(values: NDArray[np.float64]) -> float:
    """Return a mean; NaN of nothing."""
    return float(values.mean()) if len(values) else float("nan")
