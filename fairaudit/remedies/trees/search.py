"""What a search for a tree learns from, and how the plan's words become an estimator's settings."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, Final, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from fairaudit.errors import InputError
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.trees.lookahead.classifier import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from fairaudit.estimators.trees.tree import Tree
from fairaudit.events import Command, Event, Incumbent
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.group_checks import learned_rows
from fairaudit.study.rows import Study

Search = OptimalTreeClassifier | LookaheadTreeClassifier
Estimator = TypeVar("Estimator", OptimalTreeClassifier, OptimalTreeRegressor)

EVERYTHING: Final = 1.0
"""No difference of two shares is larger: a limit that binds nobody, for a search that knows none without."""


class TreeModel(ClassifierMixin, BaseEstimator):
    """A tree that was searched for, read as a classifier of the outcome.

    Parameters
    ----------
    search : OptimalTreeClassifier or LookaheadTreeClassifier
        Fitted.
    tree : Tree
        Its tree, with the outcome in words. It reads the columns that it needs by their names.
    """

    def __init__(self, search: Any, tree: Tree):
        self.search = search
        self.tree = tree
        self.classes_ = np.array([0, 1])

    def predict(self, X: pd.DataFrame) -> NDArray[np.int64]:
        """Return 1 for each row that is predicted to have the outcome, as ndarray, shape (n,)."""
        return self.tree.predict(X).astype(np.int64)


def trained_limit(remedy: TreesPlan) -> float:
    """Return how far apart shares may be on the training rows; NaN where no difference is bounded."""
    if remedy.constraint in (None, "four_fifths"):
        return float("nan")
    return round(remedy.max_difference - remedy.margin, 12)


def tree_columns(study: Study | AmountStudy, remedy: TreesPlan) -> list[str]:
    """Return the columns that a tree may split by: all features, or those that do not reveal who is protected."""
    left_out = () if remedy.use_sensitive else study.facts.protected_features
    columns = [name for name in study.facts.features if name not in left_out]
    if not columns:
        raise InputError(
            "Every feature reveals the group, so no tree can be built.",
            hint="Choose other features, or let the tree use columns that reveal the group.",
        )
    return columns


def new_search(study: Study, remedy: TreesPlan, floors: Floors | None = None) -> Search:
    """Return an unfitted estimator with the settings of a plan, and floors for a search of the best tree."""
    limit = trained_limit(remedy)
    if remedy.search == "look_ahead":
        free = remedy.constraint is None
        return LookaheadTreeClassifier(
            remedy.max_depth,
            constraint=remedy.constraint or "demographic_parity",
            max_difference=EVERYTHING if free else None if np.isnan(limit) else limit,
            fairness_weight="cv" if remedy.choose_weight else remedy.fairness_weight,
            min_leaf_size=remedy.min_leaf_size,
            time_limit=remedy.time_limit,
            random_state=study.seed,
        )
    return new_optimal(OptimalTreeClassifier, study, remedy, limit, floors=floors)


def new_optimal(
    estimator: type[Estimator], study: Study | AmountStudy, remedy: TreesPlan, limit: float, **more: Any
) -> Estimator:
    """Return an unfitted estimator of the best tree with the settings of a plan."""
    return estimator(
        remedy.max_depth,
        discrimination=remedy.discrimination,
        fairness_weight=remedy.fairness_weight,
        max_discrimination=remedy.max_discrimination,
        constraint=remedy.constraint,
        max_difference=None if np.isnan(limit) else limit,
        branching=remedy.branching,
        max_uses_per_feature=remedy.max_uses_per_feature,
        max_features=remedy.max_features,
        min_leaf_size=remedy.min_leaf_size,
        n_neighbors=remedy.n_neighbors,
        use_sensitive=remedy.use_sensitive,
        time_limit=remedy.time_limit,
        random_state=study.seed,
        **more,
    )


def iter_search(
    study: Study, remedy: TreesPlan, floors: Floors | None = None
) -> Generator[Event, Command | None, None]:
    """Search for a tree on the training rows of known groups."""
    rows = learned_rows(study)
    X = study.X[tree_columns(study, remedy)].iloc[rows]
    search = new_search(study, remedy, floors)
    return (yield from search.iter_fit(X, positive_labels(study)[rows], sensitive_features=study.groups[rows]))


def floors_of(search: Search) -> Floors | None:
    """Return the floors that a search kept to, so that no group is worse off; None where that was not asked."""
    return search.floors if isinstance(search, OptimalTreeClassifier) else None


def search_ending(search: Search) -> tuple[str, float, float]:
    """Return how a search ended, what it reached and what is proven."""
    if isinstance(search, OptimalTreeClassifier):
        return search.status_, float(search.objective_), float(search.bound_)
    return "grown" if search.status_ == "gap" else search.status_, float("nan"), float("nan")


def in_the_back(events: Generator[Event, Command | None, None]) -> Generator[Event, Command | None, None]:
    """Pass on the events of a search without its incumbents: those of the search that was asked for are drawn."""
    command = None
    while True:
        try:
            event = events.send(command)
        except StopIteration:
            return
        command = None
        if not isinstance(event, Incumbent):
            command = yield event


def model_of(study: Study, search: Any) -> TreeModel:
    """Return the tree of a fitted search, with the outcome in words."""
    return TreeModel(search, replace(search.tree_, outcomes=outcome_words(study)))


def outcome_words(study: Study) -> tuple[str, str]:
    """Return in words what a tree predicts by 0 and by 1, short enough for a leaf."""
    decision, positive = study.plan.decision, study.facts.positive_meaning
    if not decision.meaning or decision.other_meaning:
        return study.negative_meaning, positive
    # What is made of a meaning stands in quotation marks: a leaf has no room for them.
    words = f"not: {decision.meaning}", decision.meaning
    return words if study.models.positive == "favorable" else words[::-1]
