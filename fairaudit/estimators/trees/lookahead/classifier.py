"""A tree for large tables and greater depth, grown by looking a few levels ahead."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from fairaudit.errors import quote
from fairaudit.estimators.base import GroupAwareClassifier
from fairaudit.estimators.preparation import read_features
from fairaudit.estimators.progress import TOTAL
from fairaudit.estimators.rules.literals import as_frame
from fairaudit.estimators.rules.proxies import columns_that_reveal_groups, names_of_groups
from fairaudit.estimators.rules.settings import check_seconds
from fairaudit.estimators.trees.inputs import (
    CONSTRAINTS,
    USUAL_DIFFERENCE,
    check_choice,
    check_count,
    check_depth,
    check_difference,
    check_look_ahead,
    check_weight,
)
from fairaudit.estimators.trees.learned import learned_tree
from fairaudit.estimators.trees.lookahead.growing import FARTHEST, Repaired
from fairaudit.estimators.trees.lookahead.growing_rows import CodedTable, Growing, GrowingRows
from fairaudit.estimators.trees.lookahead.search import (
    SHARE_OF_CHOICE,
    Pass,
    Trial,
    iter_choice,
    iter_passes,
    notes_on_choice,
)
from fairaudit.estimators.trees.measures import discrimination_of, notes_on_groups
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import Grouping, group_rows, value_text
from fairaudit.messages import say
from fairaudit.work import Budget

WHAT: Final = "Growing a tree"


class LookaheadTreeClassifier(GroupAwareClassifier):
    """Grow a tree from the root, each split the first of the best subtree of a few levels, under a constraint.

    At each node all subtrees of K levels are compared by::

        share of wrong rows + a * splits - fairness_weight * F,      a = 1 / (2^(K+1) - 2) rows

    where F is by how much the rates of groups keep within what is allowed in the worst pair. The constraint must hold
    for the whole tree all the time, and at the end the labels of all leaves are chosen together. For tables of any
    size, and deeper trees than ``OptimalTreeClassifier`` can find; how far from the best one it is, is not known.

    Parameters
    ----------
    max_depth : int
        Splits on the way to a leaf, at most: 1 to 8.
    look_ahead : int or "adaptive"
        K, from 1 to 4. "adaptive" begins with 2 and goes on while work is left and the tree gets better. Where
        `fairness_weight` is "cv", held-out rows say what is better, and splits taken one by one, by Gini impurity, are
        among the ways that are tried.
    constraint : {"four_fifths", "demographic_parity", "equal_opportunity", "equalized_odds"}
        What must be alike: no share of positive predictions below 80 % of another; these shares; those among rows
        whose label is positive; those for either label.
    max_difference : float, optional
        How far these shares may be apart on the rows that are learned from, from 0 to 1. None means 0.05. For
        "four_fifths" it must be None.
    fairness_weight : float or "cv"
        beta, at least 0: what a larger F is worth. "cv" chooses it by cross-validation, with by how much stricter than
        asked the constraint is held, and what a split must be worth: what is most accurate in held-out rows, less 4
        points for each 10 points by which the constraint is less than 95 % likely to hold on a new table of a quarter
        of the rows. With fewer than 10 rows of a group there, its rates are mostly chance and do not count.
    sample_size : int
        Rows of a node that are searched over, at most; nodes below see all of theirs again. Where K reaches
        `max_depth`, so that nothing is below, all rows are searched over once more while work is left.
    min_leaf_size : int
        Rows of each leaf, at least.
    time_limit : float
        Seconds of work, counted and not timed, see the Notes; nodes that were not looked at then stay as they are.
    random_state : int, RandomState or None
        The seed, of samples and folds.

    Attributes
    ----------
    tree_ : Tree
        The tree, with the rows and rates of each group in every node.
    status_ : {"gap", "work_limit", "stopped", "infeasible"}
        "gap": all nodes were looked at, which proves nothing about other trees; "infeasible": no labels were found
        with which the constraint holds.
    objective_ : float
        Share of wrong rows and the prices above, of the whole tree.
    bound_, gap_ : float
        NaN: nothing is proven.
    history_ : DataFrame
        "share" (of the work), "primal" (objective), "dual" (NaN) and "look_ahead" of each tree that was grown; 1 also
        where splits were taken by impurity.
    discrimination_ : Discrimination
        Indices and differences of the predictions for the rows that were learned from.
    fairness_weight_, margin_ : float
        beta as it was given or chosen, and by how much stricter than asked the constraint was held.
    trials_ : tuple of Trial
        What was tried to choose it: with accuracy in held-out rows, and how likely the constraint is to hold.
    method_ : "frontier"
        What searches the subtrees.
    n_splits_considered_ : int
        Cuts and levels that nodes choose from.
    notes_ : tuple of str
        What should be known, as sentences.
    classes_ : ndarray, shape (2,)
        The classes in order; shares are those of predicting the second.

    Notes
    -----
    The time limit is kept by counting work, whose unit takes about a second: a slower machine takes longer, and finds
    the same tree. Missing values and values never seen go right in every split. Columns that reveal the groups are not
    used. What holds on the rows that are learned from holds on others only roughly.

    References
    ----------
    Wang, Li and Wang (2022), "Synthesizing fair decision trees via iterative constraint solving", algorithm 4 and
    section 4. Errors and splits are counted in shares of rows; the rest of the tree counts
    in each node's constraint, which in the paper sees only the node's rows; and the whole tree is checked at the end.

    Examples
    --------
    >>> X = np.array([[1, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1], [7, 0], [8, 1]])
    >>> model = LookaheadTreeClassifier(2, random_state=0).fit(X, X[:, 0] > 4)
    >>> model.tree_.path(2), model.tree_.n_leaves
    ('x0 is at most 4', 2)
    """

    def __init__(
        self,
        max_depth: int = 6,
        *,
        look_ahead: int | str = "adaptive",
        constraint: str = "four_fifths",
        max_difference: float | None = None,
        fairness_weight: float | str = "cv",
        sample_size: int = 8000,
        min_leaf_size: int = 1,
        time_limit: float = 600,
        random_state: Any = None,
    ):
        self.max_depth = max_depth
        self.look_ahead = look_ahead
        self.constraint = constraint
        self.max_difference = max_difference
        self.fairness_weight = fairness_weight
        self.sample_size = sample_size
        self.min_leaf_size = min_leaf_size
        self.time_limit = time_limit
        self.random_state = random_state

    def iter_fit(self, X: Any, y: Any, *, sensitive_features: Any = None) -> Generator[Event, Command | None, None]:
        """Grow the tree, yielding events; a stop keeps the best so far.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.
        y : array_like, shape (n,)
            Labels of two classes.
        sensitive_features : Series, DataFrame, array or list, optional
            The group of each row; crossings of several columns are groups of their own. None: one group.

        Yields
        ------
        Started, Progress, Incumbent or Finished
            ``Incumbent("weight")`` with ``weight, margin, accuracy`` and ``chance`` for all that was tried, and
            ``Incumbent("tree")`` with ``objective, bound`` (NaN) and ``share`` for each tree.
            ``Finished.result`` is the classifier.

        Raises
        ------
        InputError
            If an argument breaks a rule.
        """
        self._check_parameters()
        frame, labels = self._read(X, y)
        grouping = group_rows(sensitive_features, len(labels))
        budget = Budget(self.time_limit)
        stopped = (yield Started(WHAT, TOTAL)) is STOP
        stopped = (yield Progress("Reading columns", 0, TOTAL)) is STOP or stopped
        rows, notes = self._rows(as_frame(frame), labels.astype(np.float64), grouping)
        growing = Growing(
            max_depth=self.max_depth,
            look_ahead=min(2 if isinstance(self.look_ahead, str) else self.look_ahead, self.max_depth),
            weight=0.1 if self.fairness_weight == "cv" else float(self.fairness_weight),
            margin=0.0,
            sample_size=self.sample_size,
            min_leaf_size=self.min_leaf_size,
            seed=int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max)),
        )
        self.trials_: tuple[Trial, ...] = ()
        if self.fairness_weight == "cv" and not stopped:
            choosing = iter_choice(rows, growing, self._farthest(growing), budget.part(SHARE_OF_CHOICE * budget.left))
            growing, self.trials_, stopped = yield from choosing
        farthest = growing.look_ahead if self.trials_ else self._farthest(growing)
        best, passes, ended = yield from iter_passes(rows, growing, farthest, budget, stopped)
        self._keep(as_frame(frame), labels.astype(np.float64), grouping, best, passes, ended, growing, rows, notes)
        yield Finished(self)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class that the leaf of each row predicts.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.

        Returns
        -------
        ndarray, shape (n,)
            Values of `classes_`.
        """
        check_is_fitted(self)
        return self.classes_[self.tree_.predict(read_features(self, X, reset=False)).astype(np.int64)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class in the leaf of each row.

        Under a constraint, a leaf may predict the class that is rarer in it.

        Parameters
        ----------
        X : DataFrame or array_like, shape (n, n_features)
            The features.

        Returns
        -------
        ndarray of float, shape (n, 2)
            Of the rows that were learned from.
        """
        check_is_fitted(self)
        rates = self.tree_.rates(read_features(self, X, reset=False))
        return np.column_stack([1 - rates, rates])

    def __sklearn_tags__(self) -> Any:
        """Say that categories are taken."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def _check_parameters(self) -> None:
        check_depth(self.max_depth)
        check_look_ahead(self.look_ahead, FARTHEST)
        check_choice(self.constraint, "constraint", CONSTRAINTS)
        check_difference(self.constraint, self.max_difference)
        check_weight(self.fairness_weight)
        check_count(self.sample_size, "sample_size", least=2)
        check_count(self.min_leaf_size, "min_leaf_size")
        check_seconds(self.time_limit, "time_limit")

    def _rows(
        self, frame: pd.DataFrame, labels: NDArray[np.float64], grouping: Grouping
    ) -> tuple[GrowingRows, list[str]]:
        revealing = columns_that_reveal_groups(frame, grouping)
        notes = list(notes_on_groups(grouping, self.constraint, labels))
        if revealing:
            columns = Phrase(", ".join(map(quote, revealing)))
            notes.append(say(Message("tree-note-revealing", {"columns": columns})))
        table = CodedTable.read(frame, [name for name in frame.columns if name not in set(revealing)])
        difference = USUAL_DIFFERENCE if self.max_difference is None else float(self.max_difference)
        groups = grouping.codes.astype(np.int64)
        names = names_of_groups(grouping)
        return GrowingRows(table, labels, groups, names, self.constraint, difference), notes

    def _farthest(self, growing: Growing) -> int:
        return min(FARTHEST, self.max_depth) if self.look_ahead == "adaptive" else growing.look_ahead

    def _keep(
        self,
        frame: pd.DataFrame,
        labels: NDArray[np.float64],
        grouping: Grouping,
        best: Repaired,
        passes: list[Pass],
        ended: str,
        growing: Growing,
        rows: GrowingRows,
        notes: list[str],
    ) -> None:
        outcomes = [value_text(value) for value in self.classes_]
        self.tree_ = learned_tree(
            best.splits, best.values, frame, labels, rows.groups, group_names=rows.group_names, outcomes=outcomes
        )
        predicted = self.tree_.predict(frame)
        self.discrimination_ = discrimination_of(predicted, labels, grouping, "classification")
        self.objective_, self.bound_, self.gap_ = best.objective, float("nan"), float("nan")
        self.status_, self.method_ = ended if best.keeps else "infeasible", "frontier"
        self.fairness_weight_, self.margin_ = growing.weight, growing.margin
        self.history_ = pd.DataFrame(
            [(each.share, each.objective, float("nan"), each.look_ahead) for each in passes],
            columns=["share", "primal", "dual", "look_ahead"],
        )
        self.n_splits_considered_ = sum(len(column.points) for column in rows.table.columns)
        chosen = max(self.trials_, key=lambda trial: trial.rank, default=None)
        notes += notes_on_choice(chosen, len(frame)) if len(rows.bounds) else []
        self.notes_ = tuple(notes)
