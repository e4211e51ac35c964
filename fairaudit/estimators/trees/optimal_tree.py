"""Optimal trees: a tree of a depth with the least error, under discrimination indices and constraints on groups.

Of labels it is the most accurate tree, of numbers the one with the least absolute error.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import astuple, fields, replace
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from fairaudit.errors import InputError
from fairaudit.estimators.base import (
    TOTAL,
    GroupAwareClassifier,
    TakesCategories,
    boolean_rows,
    read_features,
    read_rows,
)
from fairaudit.estimators.certifying import CertifiesAverages, CertifiesLimits
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.parameters import (
    CERTIFYING,
    CLASSES,
    COUNT,
    DIFFERENCE_HINT,
    NOT_NEGATIVE,
    POSITIVE,
    SELF,
    SHARE,
    Constraints,
    Features,
    Groups,
    Labels,
    Seed,
    check_parameters,
    documented,
    measures,
    one_of,
)
from fairaudit.estimators.similar_cases import STRATA
from fairaudit.estimators.trees.inputs import (
    BRANCHINGS,
    CONSTRAINTS,
    DEEPEST,
    DISCRIMINATIONS,
    LEAVES,
    METHODS,
    USUAL_DIFFERENCE,
    PreparedProblem,
    TreeSettings,
    read_problem,
)
from fairaudit.estimators.trees.measures import discrimination_of
from fairaudit.estimators.trees.problem import Task
from fairaudit.estimators.trees.search import (
    BoundsInTime,
    SearchRecord,
    TreeSearchEnd,
    found_tree,
    iter_search,
    lone_leaf,
    stopped_at_once,
)
from fairaudit.estimators.trees.tree import Tree
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.measure.grouping import Grouping, group_rows, value_text
from fairaudit.work import Budget

if TYPE_CHECKING:
    from fairaudit.estimators.trees.formulation.checking import PublishedTree


class TreeClassifier(TakesCategories, GroupAwareClassifier):
    """Base of classifiers whose model is a tree: they predict what the leaf of a row says."""

    tree_: Tree

    @documented(returns=CLASSES)
    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return the class that the leaf of each row predicts."""
        check_is_fitted(self)
        return self.classes_[self.tree_.predict(read_features(self, X, reset=False)).astype(np.int64)]

    @documented(returns=("ndarray of float, shape (n, 2)", "Of the rows that were learned from."))
    def predict_proba(self, X: Features) -> NDArray[np.float64]:
        """Return the share of each class in the leaf of each row.

        Under a constraint, a leaf may predict the class that is rarer in it.
        """
        check_is_fitted(self)
        rates = self.tree_.rates(read_features(self, X, reset=False))
        return np.column_stack([1 - rates, rates])


TASK: Final = "Searching for the best tree"

SETTINGS: Final = tuple(field.name for field in fields(TreeSettings))
"""Parameters of the estimators that the search takes."""


class OptimalTreeBase(CertifiesLimits, BaseEstimator):
    """Base of the estimators of optimal trees; these read the targets."""

    _parameter_constraints: ClassVar[Constraints] = {
        "max_depth": [Interval(Integral, 1, DEEPEST, closed="both")],
        "discrimination": [one_of(DISCRIMINATIONS), None],
        "fairness_weight": [NOT_NEGATIVE],
        "max_discrimination": [NOT_NEGATIVE, None],
        "constraint": [measures(CONSTRAINTS), None],
        "max_difference": [SHARE, None],
        "branching": [one_of(BRANCHINGS)],
        "max_uses_per_feature": [COUNT, None],
        "max_features": [COUNT, None],
        "max_splits": [COUNT, None],
        "min_leaf_size": [COUNT],
        "n_neighbors": [COUNT],
        "use_sensitive": ["boolean"],
        "method": [one_of(METHODS)],
        "time_limit": [POSITIVE],
        "random_state": ["random_state"],
        **CERTIFYING,
    }

    use_sensitive: bool
    random_state: Seed
    tree_: Tree

    def _settings(self, task: Task) -> TreeSettings:
        check_parameters(self, {"max_difference": DIFFERENCE_HINT} if task == "classification" else None)
        given = self.get_params(deep=False) | {"constraint": self.must_be_alike}
        return TreeSettings(task, **{name: given[name] for name in SETTINGS if name in given})

    def _weights(self, sample_weight: ArrayLike | None, X: Features, settings: TreeSettings) -> RowWeights:
        """Read the weights of rows; whole numbers are written out."""
        weights = RowWeights.read(sample_weight, X)
        # DTDI compares each row with a number of rows, which are those that whole proportions stand for.
        weights = weights.in_lowest_terms() if "dtdi" in settings.measures else weights
        return weights.as_single(type(self).__name__)

    def _grouping(
        self, sensitive_features: Groups, n_rows: int, settings: TreeSettings, population: ArrayLike | None
    ) -> Grouping:
        if settings.discrimination is not None and sensitive_features is None:
            raise InputError(
                "'discrimination' compares groups, and 'sensitive_features' is None.",
                hint="Pass the group of each row to fit.",
            )
        return group_rows(sensitive_features, n_rows).among(
            boolean_rows(population, n_rows, "population", default=True)
        )

    def _iter_tree(
        self,
        X: pd.DataFrame,
        targets: NDArray[np.float64],
        grouping: Grouping,
        settings: TreeSettings,
        outcomes: Sequence[str],
        floors: Floors | None = None,
        weights: NDArray[np.float64] | None = None,
        strata: NDArray[np.int64] | None = None,
    ) -> Generator[Event, Command | None, None]:
        """Search for the tree, yielding events, and keep what was found."""
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        budget = Budget(settings.time_limit)
        record = SearchRecord(budget)
        stopped = (yield Started(TASK, TOTAL)) is STOP
        stopped = (yield Progress("Choosing splits", 0, TOTAL)) is STOP or stopped
        prepared = read_problem(
            X,
            targets,
            grouping,
            settings,
            use_sensitive=bool(self.use_sensitive),
            floors=floors,
            weights=weights,
            strata=strata,
        )
        stopped = (yield Progress(prepared.size_in_words, budget.steps(TOTAL), TOTAL)) is STOP or stopped
        if stopped:
            searched = stopped_at_once(prepared.problem, settings)
        else:
            searched = yield from iter_search(prepared, settings, record, seed)
        if searched.found.shape is None:
            searched = lone_leaf(prepared.problem, searched.found.status, searched.found)
        self._keep(prepared, settings, searched, record.moments, outcomes)
        yield Finished(self)

    def _keep(
        self,
        prepared: PreparedProblem,
        settings: TreeSettings,
        searched: TreeSearchEnd,
        moments: Sequence[BoundsInTime],
        outcomes: Sequence[str],
    ) -> None:
        # Before a search has a bound, it is known that nothing that is minimised is below 0.
        found = replace(searched.found, bound=max(searched.found.bound, 0.0))
        self.tree_ = found_tree(prepared, searched, outcomes)
        predicted = self.tree_.predict(prepared.frame)
        self.discrimination_ = discrimination_of(
            predicted,
            prepared.targets,
            prepared.grouping,
            settings.task,
            near=prepared.near,
            n_neighbors=settings.n_neighbors,
            weights=prepared.weights,
        )
        self.status_, self.method_ = found.status, found.method
        self.objective_, self.bound_, self.gap_ = found.objective, found.bound, found.optimality_gap
        last = BoundsInTime(moments[-1].share if moments else 0.0, found.objective, found.bound)
        known = [moment for moment in moments if np.isfinite(moment.primal)]
        self.history_ = pd.DataFrame(
            [(moment.share, moment.primal, moment.dual) for moment in (*known, last)],
            columns=["share", "primal", "dual"],
        )
        points = () if searched.gaps is None else searched.gaps.curve
        self.gap_curve_ = pd.DataFrame([astuple(point) for point in points], columns=["lost", "gap", "bound"])
        self.least_loss_ = float("nan") if searched.gaps is None else searched.gaps.least_loss
        self.n_splits_considered_ = len(prepared.candidates.splits)
        self.notes_ = (*prepared.notes, *found.notes)
        self.published_ = _published(prepared, settings, searched)

    def to_lp(self, path: str | PathLike[str]) -> tuple[Path, Path]:
        """Write the integer program as it was first published, and this tree as its solution, for any other solver.

        The model has every row that was learned from, equal ones as one with a weight: keep the file as you keep the
        data. Its first lines say what the letters stand for, and what the objective is.

        Parameters
        ----------
        path : path_like
            Where the model goes; ends in ``.lp``. The solution stands beside it and ends in ``.sol``.

        Returns
        -------
        tuple of Path
            The model, in the LP format, and the solution: a line for each variable.

        Raises
        ------
        InputError
            If the published model has no such tree, as where columns are weighed or `max_loss` is given.
        """
        check_is_fitted(self)
        if self.published_ is None:
            raise InputError(
                "The published model has no trees that weigh columns, and no smallest gap for a loss.",
                hint="Fit with branching='single', constant leaves and no 'max_loss'.",
            )
        return self.published_.write(Path(path))

    def is_confirmed(self) -> bool | None:
        """Say whether SCIP finds this tree within all rows of the published model, with the same objective.

        Returns
        -------
        bool or None
            None where that model has no such tree, or is too large to be made for this alone.
        """
        check_is_fitted(self)
        if self.published_ is None or not self.published_.is_small:
            return None
        return self.published_.is_confirmed()


def _published(prepared: PreparedProblem, settings: TreeSettings, searched: TreeSearchEnd) -> PublishedTree | None:
    """Return a tree as the published model has it; None where that has no such tree, or none keeps to the limits."""
    from fairaudit.estimators.trees.formulation.checking import published_tree

    found, problem = searched.found, prepared.problem
    if settings.is_linear or settings.max_loss is not None or found.shape is None or not problem.allows(found.shape):
        return None
    words = [split.words() for split in prepared.candidates.splits]
    levels = prepared.candidates.levels.values()
    return published_tree(problem, [*levels], found.shape, searched.subsets, found.objective, words)


class OptimalTreeClassifier(CertifiesAverages, OptimalTreeBase, TreeClassifier):
    """Find the tree of a depth that is wrong for the fewest rows, with discrimination priced or bounded.

    ::

        minimise    share of wrong rows + fairness_weight * (DIDI + DTDI / (rows * groups))
        subject to  each index <= max_discrimination
                    |rate of group g - rate of group h| <= max_difference     for all groups g, h
                    each sum of `floors` >= its floor

    where only what was asked for counts. With `max_loss` it is the other way about::

        minimise    the largest |rate of group g - rate of group h|
        subject to  share of wrong rows <= that of the most accurate tree of this depth + max_loss

    Such trees fit on a whiteboard, and it is known how far from the best one can
    be. For deeper trees on large tables take ``LookaheadTreeClassifier``.

    Parameters
    ----------
    max_depth : int
        Splits on the way to a leaf, at most: 1 to 8. Proofs are to be expected up to 3 or 4.
    discrimination : {"didi", "dtdi", "both"} or None
        The indices of the predictions that count: disparate impact, and disparate treatment of near rows.
    fairness_weight : float
        The price of the indices, at least 0.
    max_discrimination : float, optional
        What each index may be at most; that of DTDI is divided by rows times groups.
    constraint : {"demographic_parity", "four_fifths", "equal_opportunity", "equalized_odds"} or None
        What must be alike: the shares of positive predictions, none of them below 80 % of another; those among rows
        whose label is positive; those for either label.
    max_difference : float, optional
        How far these shares may be apart on the rows that are learned from, from 0 to 1. None means 0.05. For
        "four_fifths" it must be None.
    max_loss : float, optional
        How much accuracy may be lost against the most accurate tree of this depth, from 0 to 1. Then the gap is made
        as small as possible, and `max_difference` must be None.
    branching : {"single", "linear"}
        Whether a split compares one column, or may weigh all columns of numbers.
    max_uses_per_feature, max_features : int, optional
        In how many nodes a column may be asked for, and how many columns in all.
    max_splits : int, optional
        Of how many splits trees are made, at most. None means as many as are searched soon: see Notes.
    min_leaf_size : int
        Rows of each leaf, at least.
    n_neighbors : int
        Near rows of each row, for DTDI.
    use_sensitive : bool
        Whether splits may use columns with the name of a sensitive feature, or from whose values the groups follow.
    floors : Floors, optional
        Weighted sums of the predictions for the rows that are learned from, in their order, and what each must be at
        least; such as the share of a group that had the good outcome before.
    method : {"auto", "search", "scip", "published"}
        How the tree is searched for. "auto": by our own searches, which are exact and fast for all that adds up over
        leaves, and by SCIP for the rest. "search": by these alone. "scip": by SCIP, in a form of ours. "published": by
        SCIP in the form that was first published, for small tables, where all is to be as in the paper.
    time_limit : float
        About so many seconds of work, counted and not timed: a slower machine takes longer, and finds the same.
    random_state : int, RandomState or None
        The seed.
    certify_fraction : float
        Share of the rows that certify, by a test, that `constraint` holds on new people: at least 0 and below 1.
        Nothing is learned from them; trees within tighter limits share the work, and the best certified one is kept.
    confidence : float
        The chance, over the draw of the certifying rows, with which it holds on new people: above 0 and below 1.

    Attributes
    ----------
    tree_ : Tree
        The tree, with the rows and rates of each group in every node.
    status_ : {"optimal", "gap", "work_limit", "stopped"}
        Whether no tree over these splits is better, and if that is not known, why the search ended.
    objective_, bound_ : float
        What is minimised, and what no tree of this depth over these splits can be better than.
    gap_ : float
        How far these are apart, as a share of the objective.
    gap_curve_ : DataFrame
        With `max_loss`, what is possible for each loss of accuracy: "lost", the smallest "gap" that was found, and
        the "bound" that no tree of this depth over these splits is below that loses no more. Otherwise without rows.
    least_loss_ : float
        With `max_loss`, the share of wrong rows of the most accurate tree; NaN otherwise.
    history_ : DataFrame
        "share" (of the work), "primal" (objective) and "dual" (bound) whenever one of them changed.
    discrimination_ : Discrimination
        Indices and differences of the predictions for the rows that were learned from.
    method_ : {"search", "scip", "published"}
        Which search ran last.
    n_splits_considered_ : int
        Splits that the tree was chosen from.
    published_ : object or None
        The tree as the published model has it, which `to_lp` writes and `is_confirmed` checks.
    notes_ : tuple of str
        What should be known, as sentences.
    certified_ : Certificate or None
        Whether `constraint` holds on new people; None where `certify_fraction` is 0.
    max_difference_ : float or None
        Within what difference this tree was searched.
    classes_ : ndarray, shape (2,)
        The classes in order; shares are those of predicting the second.

    Notes
    -----
    Numbers are cut at all values where they are few, otherwise at as many quantiles as `max_splits` has room for: 1,000
    splits at depth 1, 240, 80 and 40 at depths 2, 3 and more, 60 at depth 4 from 10,000 rows on. "optimal" means over
    these splits. More are not always better on new rows: on five tables, 240 instead of 80 at depth 3 raised held-out
    accuracy by .000 to .004, limits on rates held less well there, and the search took up to forty times as long.
    Categories are split by subsets of levels. Missing values and values never seen go right in every split. Time grows
    with the number of splits to the power of the depth. What is bounded holds on the rows that are learned from, and
    only roughly on others.

    With `max_loss`, prices of the differences give lines below the whole curve of losses and gaps, and near these all
    trees are enumerated until the smallest gap is proven. Where there are too many conjunctions of splits for that,
    a limit on the gap is halved eight times instead, and the bound is as near as these come.

    References
    ----------
    Aghaei, Azizi and Vayanos (2019), "Learning optimal and fair decision trees for non-discriminative decision-making",
    problem 7. Beyond the paper: equal rows are merged, trees that split less are found too,
    constraints on rates, and an exact method without integer programming where all adds up over leaves.

    Examples
    --------
    >>> X = np.array([[1, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1], [7, 0], [8, 1]])
    >>> model = OptimalTreeClassifier(1).fit(X, X[:, 0] > 4)
    >>> model.status_, model.objective_, model.tree_.path(2)
    ('optimal', 0.0, 'x0 is at most 4')
    """

    _parameter_constraints: ClassVar[Constraints] = {
        **OptimalTreeBase._parameter_constraints,
        "max_loss": [SHARE, None],
    }

    def __init__(
        self,
        max_depth: int = 2,
        *,
        discrimination: str | None = None,
        fairness_weight: float = 0.0,
        max_discrimination: float | None = None,
        constraint: str | None = None,
        max_difference: float | None = None,
        max_loss: float | None = None,
        branching: str = "single",
        max_uses_per_feature: int | None = None,
        max_features: int | None = None,
        max_splits: int | None = None,
        min_leaf_size: int = 1,
        n_neighbors: int = 10,
        use_sensitive: bool = False,
        floors: Floors | None = None,
        method: str = "auto",
        time_limit: float = 300,
        random_state: Seed = None,
        certify_fraction: float = 0.0,
        confidence: float = 0.9,
    ):
        self.max_depth = max_depth
        self.discrimination = discrimination
        self.fairness_weight = fairness_weight
        self.max_discrimination = max_discrimination
        self.constraint = constraint
        self.max_difference = max_difference
        self.max_loss = max_loss
        self.branching = branching
        self.max_uses_per_feature = max_uses_per_feature
        self.max_features = max_features
        self.max_splits = max_splits
        self.min_leaf_size = min_leaf_size
        self.n_neighbors = n_neighbors
        self.use_sensitive = use_sensitive
        self.floors = floors
        self.method = method
        self.time_limit = time_limit
        self.random_state = random_state
        self.certify_fraction = certify_fraction
        self.confidence = confidence

    @documented(
        strata=STRATA,
        sensitive_features=(
            "The group of each row; crossings of several columns are groups of their own. None: one "
            "group, which `discrimination` does not take."
        ),
        yields=(
            '``Incumbent("tree")`` with the figures ``objective`` (NaN before the first), ``bound`` and '
            "``share``. ``Finished.result`` is the classifier."
        ),
        raises={InputError: "If an argument breaks a rule."},
    )
    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
        strata: Groups = None,
    ) -> Generator[Event, Command | None, None]:
        """Search for the tree, yielding events; a stop keeps the best so far."""
        settings = self._settings("classification")
        if self.max_loss is not None and (self.certify_fraction or self.floors is not None):
            raise InputError(
                "'max_loss' cannot be used with 'certify_fraction' or 'floors', which are about limits.",
                hint="Leave one of them out.",
            )
        if self.certify_fraction:
            yield from self._iter_certified(
                X,
                y,
                sensitive_features=sensitive_features,
                sample_weight=sample_weight,
                population=population,
                limit=USUAL_DIFFERENCE if self.max_difference is None else float(self.max_difference),
                task=TASK,
                strata=strata,
            )
            return
        self.certified_, self.max_difference_ = None, self.max_difference
        if sample_weight is not None and self.floors is not None:
            raise InputError(
                "'sample_weight' cannot be used with 'floors', which weigh each row themselves.",
                hint="Leave one of them out.",
            )
        weights = self._weights(sample_weight, X, settings)
        X, y = weights.keep("X", X), weights.keep("y", y)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, labels = self._read(X, y)
        population = weights.keep("population", population)
        grouping = self._grouping(sensitive_features, len(labels), settings, population)
        about = boolean_rows(population, len(labels), "population", default=True)
        similar = self._similar(strata, weights, about)
        outcomes = [value_text(value) for value in self.classes_]
        self._check_floors(len(labels))
        yield from self._iter_tree(
            frame, labels.astype(np.float64), grouping, settings, outcomes, self.floors, weights.values, similar
        )

    def _check_floors(self, n_rows: int) -> None:
        if self.floors is not None and self.floors.weights.shape[1] != n_rows:
            raise InputError(
                f"'floors' must weigh each of the {n_rows:,} rows that are learned from, got weights of "
                f"{self.floors.weights.shape[1]:,}."
            )


class OptimalTreeRegressor(TakesCategories, RegressorMixin, OptimalTreeBase):
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
    method : {"auto", "search", "scip", "published"}
        How the tree is searched for, as in ``OptimalTreeClassifier``.
    time_limit : float
        About so many seconds of work, counted and not timed: a slower machine takes longer, and finds the same.
    random_state : int, RandomState or None
        The seed.
    certify_fraction : float
        Share of the rows that certify, by a test, that `constraint` holds on new people: at least 0 and below 1.
        Nothing is learned from them; trees within tighter limits share the work, and the best certified one is kept.
    confidence : float
        The chance, over the draw of the certifying rows, with which it holds on new people: above 0 and below 1.

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
    method_ : {"search", "scip", "published"}
        Which search ran last.
    n_splits_considered_ : int
        Splits that the tree was chosen from.
    published_ : object or None
        The tree as the published model has it, which `to_lp` writes and `is_confirmed` checks.
    notes_ : tuple of str
        What should be known, as sentences.
    certified_ : Certificate or None
        Whether `constraint` holds on new people; None where `certify_fraction` is 0.
    max_difference_ : float or None
        Within what difference this tree was searched.

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

    _parameter_constraints: ClassVar[Constraints] = {
        **OptimalTreeBase._parameter_constraints,
        "constraint": [measures(["demographic_parity"]), None],
        "max_difference": [NOT_NEGATIVE, None],
        "leaves": [one_of(LEAVES)],
    }

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
        random_state: Seed = None,
        certify_fraction: float = 0.0,
        confidence: float = 0.9,
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
        self.certify_fraction = certify_fraction
        self.confidence = confidence

    @documented(
        returns=SELF,
        y=("array_like of float, shape (n,)", "The numbers to predict."),
        sensitive_features=(
            "The group of each row; crossings of several columns are groups of their own. None means one group."
        ),
    )
    def fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
    ) -> Self:
        """Fit in one go; `iter_fit` shows how far it is."""
        return super().fit(
            X, y, sensitive_features=sensitive_features, sample_weight=sample_weight, population=population
        )

    @documented(
        y=("array_like of float, shape (n,)", "The numbers to predict."),
        sensitive_features="The group of each row. None: one group, which `discrimination` does not take.",
        yields="As in ``OptimalTreeClassifier``; ``Finished.result`` is the regressor.",
        raises={InputError: "If an argument breaks a rule."},
    )
    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
    ) -> Generator[Event, Command | None, None]:
        """Search for the tree, yielding events; a stop keeps the best so far."""
        settings = self._settings("regression")
        if self.certify_fraction:
            yield from self._iter_certified(
                X,
                y,
                sensitive_features=sensitive_features,
                sample_weight=sample_weight,
                population=population,
                limit=USUAL_DIFFERENCE if self.max_difference is None else float(self.max_difference),
                task=TASK,
            )
            return
        self.certified_, self.max_difference_ = None, self.max_difference
        weights = self._weights(sample_weight, X, settings)
        X, y = weights.keep("X", X), weights.keep("y", y)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, targets = self._read(X, y)
        grouping = self._grouping(sensitive_features, len(targets), settings, weights.keep("population", population))
        yield from self._iter_tree(frame, targets, grouping, settings, ("low", "high"), weights=weights.values)

    @documented(returns=("ndarray of float, shape (n,)", "In units of the target."))
    def predict(self, X: Features) -> NDArray[np.float64]:
        """Return what the leaf of each row predicts."""
        check_is_fitted(self)
        return self.tree_.predict(read_features(self, X, reset=False))

    def _read(self, X: Features, y: Labels) -> tuple[pd.DataFrame, NDArray[np.float64]]:
        """Check features and targets; return a frame and numbers."""
        frame, targets = read_rows(self, X, y, "a number")
        if targets.dtype.kind in "OSU" and pd.to_numeric(pd.Series(targets), errors="coerce").isna().any():
            raise InputError(
                "'y' must hold numbers, got a text among them.", hint="Use OptimalTreeClassifier for labels."
            )
        targets = check_array(targets, ensure_2d=False, dtype=np.float64)
        check_consistent_length(frame, targets)
        return frame, targets
