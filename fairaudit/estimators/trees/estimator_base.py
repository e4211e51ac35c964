"""The base of the estimators of optimal trees: their fit, from a table to a decoded tree."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from fairaudit.errors import InputError
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.preparation import read_features
from fairaudit.estimators.progress import TOTAL
from fairaudit.estimators.trees.decoded.learned import found_tree
from fairaudit.estimators.trees.decoded.tree import Tree
from fairaudit.estimators.trees.discrimination import discrimination_of
from fairaudit.estimators.trees.problem import Task
from fairaudit.estimators.trees.reading import Reading, read_problem
from fairaudit.estimators.trees.searching import Moment, Searched, SearchRecord, iter_search, lone_leaf
from fairaudit.estimators.trees.settings import TreeSettings
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.measure.grouping import Grouping, group_rows
from fairaudit.work import Budget

WHAT: Final = "Searching for the best tree"


class OptimalTree:
    """Fitting and predicting of optimal trees, for estimators that say what is asked and read targets."""

    tree_: Tree

    def _asked(self: Any, task: Task, leaves: str = "constant") -> TreeSettings:
        return TreeSettings(
            task=task,
            max_depth=self.max_depth,
            discrimination=self.discrimination,
            fairness_weight=self.fairness_weight,
            max_discrimination=self.max_discrimination,
            constraint=self.constraint,
            max_difference=self.max_difference,
            branching=self.branching,
            leaves=leaves,
            max_uses_per_feature=self.max_uses_per_feature,
            max_features=self.max_features,
            max_splits=self.max_splits,
            min_leaf_size=self.min_leaf_size,
            n_neighbors=self.n_neighbors,
            method=self.method,
            time_limit=self.time_limit,
        )

    def _grouping(self, sensitive_features: Any, n_rows: int, asked: TreeSettings) -> Grouping:
        if asked.discrimination is not None and sensitive_features is None:
            raise InputError(
                "'discrimination' compares groups, and 'sensitive_features' is None.",
                hint="Pass the group of each row to fit.",
            )
        return group_rows(sensitive_features, n_rows)

    def _iter_tree(
        self: Any,
        X: pd.DataFrame,
        targets: NDArray[np.float64],
        grouping: Grouping,
        asked: TreeSettings,
        outcomes: Sequence[str],
        floors: Floors | None = None,
    ) -> Generator[Event, Command | None, None]:
        """Search for the tree, yielding events, and keep what was found."""
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        budget = Budget(asked.time_limit)
        record = SearchRecord(budget)
        stopped = (yield Started(WHAT, TOTAL)) is STOP
        stopped = (yield Progress("Choosing splits", 0, TOTAL)) is STOP or stopped
        reading = read_problem(X, targets, grouping, asked, use_sensitive=bool(self.use_sensitive), floors=floors)
        stopped = (yield Progress(reading.size_in_words, budget.steps(TOTAL), TOTAL)) is STOP or stopped
        if stopped:
            searched = lone_leaf(reading.problem, "stopped")
        else:
            searched = yield from iter_search(reading, asked, record, seed)
        if searched.found.shape is None:
            searched = lone_leaf(reading.problem, searched.found.status, searched.found)
        self._keep(reading, asked, searched, record.moments, outcomes)
        yield Finished(self)

    def _keep(
        self: Any,
        reading: Reading,
        asked: TreeSettings,
        searched: Searched,
        moments: Sequence[Moment],
        outcomes: Sequence[str],
    ) -> None:
        # Before a search has a bound, it is known that nothing that is minimised is below 0.
        found = replace(searched.found, bound=max(searched.found.bound, 0.0))
        self.tree_ = found_tree(reading, searched, outcomes)
        predicted = self.tree_.predict(reading.frame)
        self.discrimination_ = discrimination_of(
            predicted,
            reading.targets,
            reading.grouping,
            asked.task,
            near=reading.near,
            n_neighbors=asked.n_neighbors,
        )
        self.status_, self.method_ = found.status, found.method
        self.objective_, self.bound_, self.gap_ = found.objective, found.bound, found.optimality_gap
        last = Moment(moments[-1].share if moments else 0.0, found.objective, found.bound)
        known = [moment for moment in moments if np.isfinite(moment.primal)]
        self.history_ = pd.DataFrame(
            [(moment.share, moment.primal, moment.dual) for moment in (*known, last)],
            columns=["share", "primal", "dual"],
        )
        self.n_splits_considered_ = len(reading.candidates.splits)
        self.notes_ = (*reading.notes, *found.notes)

    def _predicted(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return self.tree_.predict(read_features(self, X, reset=False))

    def _rates(self, X: Any) -> NDArray[np.float64]:
        """Return the share of the second class in the leaf of each row."""
        check_is_fitted(self)
        return self.tree_.rates(read_features(self, X, reset=False))
