"""All trees, or short lists, that are nearly as accurate as the best: how many, how unequal, whom they decide how."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from typing import Any, Final, Literal, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval

from fairaudit.errors import InputError
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.gap_points import GapPoint
from fairaudit.estimators.parameters import (
    COUNT,
    POSITIVE,
    SHARE,
    Constraints,
    Features,
    Groups,
    Labels,
    Seed,
    check_values,
    measures,
    one_of,
)
from fairaudit.estimators.rules.literals import Literal as RowLiteral
from fairaudit.estimators.rules.literals import as_frame
from fairaudit.estimators.trees.frontier.conjunctions import MOST_BYTES, distinct_splits, n_bytes, patterns_of
from fairaudit.estimators.trees.frontier.gap_curve import iter_gap_curve
from fairaudit.estimators.trees.frontier.near_optimal_listing import Draws, ListedTree, Listing, TooManyStepsError
from fairaudit.estimators.trees.frontier.near_optimal_tables import (
    Form,
    LeafValues,
    NearOptimalTables,
    Staircases,
    Subtree,
    shape_of,
)
from fairaudit.estimators.trees.inputs import GAP_CONSTRAINTS, PreparedProblem, read_problem
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier
from fairaudit.estimators.trees.problem import FoundTree, TreeShape
from fairaudit.estimators.trees.search import TreeSearchEnd, found_tree
from fairaudit.estimators.trees.tree import Tree
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import (
    STOP,
    Command,
    Event,
    Finished,
    Progress,
    Searching,
    Started,
    iter_relay,
    result_of,
    returned,
)
from fairaudit.measure.grouping import group_rows, value_text
from fairaudit.measure.vocabulary import read_word
from fairaudit.work import Budget

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
EndStatus = Literal["complete", "work_limit", "stopped"]
Returned = TypeVar("Returned")

FORMS: Final = ("tree", "list")
DEEPEST_SET: Final = 4
"""Splits on the way to a leaf, at most: deeper sets of literals do not fit into memory."""
MOST_LISTED: Final = 20_000
"""Trees that are all listed; of more, those with the smallest gaps are."""
LISTED_AT_ONCE: Final = 2_000
"""Trees that a limit on the gap may let through while those with the smallest gaps are listed."""
MOST_STEPS: Final = 40_000
"""Steps of all listings that look for small gaps."""
MOST_LIMITS: Final = 16
"""Limits on the gap that are tried until few enough trees keep to one."""
FIRST_LIMIT: Final = 1e-4
"""How far the first limit on the gap lies above the smallest gap."""
FINGERPRINTS: Final = 2
"""Sums of random numbers by which decisions differ."""
BITS: Final = 36
"""Bits of a random number: sums over all cells are exact in double precision."""
EQUAL: Final = 1e-9
"""Gaps that differ by less are equal."""
NEARLY_CLOSED: Final = 5e-4
"""Between the smallest gap and its bound no more is looked for where they are so near: a twentieth of a point."""
SHARE_CLOSING: Final = 0.5
"""The share of the work that is left for the search along the curve, at most."""
FIRST_LEAVES: Final = 64
"""Leaves that are gone through at once at first, where most rows are still open."""
MASK_BYTES: Final = 1 << 25
"""Bytes of row masks that are made at once."""
PROGRESS_EVERY: Final = 0.2
"""Seconds of work between two events."""
CURVE: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Losses of the curve, as shares of the one that is allowed."""
TASK: Final = "Counting nearly optimal trees"

PARAMETERS: Final[Constraints] = {
    "max_depth": [Interval(Integral, 1, DEEPEST_SET, closed="both")],
    "form": [one_of(FORMS)],
    "within": [SHARE],
    "constraint": [measures(GAP_CONSTRAINTS)],
    "max_splits": [COUNT, None],
    "min_leaf_size": [COUNT],
    "use_sensitive": ["boolean"],
    "n_listed": [Interval(Integral, 0, 1_000, closed="both")],
    "n_drawn": [Interval(Integral, 0, 100_000, closed="both")],
    "time_limit": [POSITIVE],
    "random_state": ["random_state"],
}


@dataclass(frozen=True, eq=False)
class NearOptimalTree:
    """One tree of the set, with its figures on the rows that were learned from."""

    tree: Tree
    # The share of wrong rows.
    loss: float
    # The largest difference of rates of two groups.
    gap: float
    # The share of rows that it decides otherwise than the best tree does.
    differs: float


@dataclass(frozen=True, eq=False)
class LeafSets:
    """All leaves of trees of the set, by the wrong rows of the best tree that has each, fewest first."""

    splits: tuple[RowLiteral, ...]
    # (n, length) 2 v where split v holds, 2 v + 1 where it does not; twice the number of splits where there is none.
    literals: NDArray[np.int32]
    # (n,) What each predicts.
    labels: NDArray[np.int8]
    # (n,) The fewest wrong rows.
    wrong: Floats

    def iter_fewest(self, holds: NDArray[np.bool_], budget: Budget | None = None) -> Generator[None, None, Floats]:
        """Return the fewest wrong rows of a tree that decides a row 0, and 1; infinite where no tree of the set does.

        Shapes: `holds` (n_rows, n_splits); returns (n_rows, 2).
        """
        codes, first = (
            patterns_of(holds) if holds.shape[1] else (np.zeros(len(holds), dtype=np.int64), np.zeros(1, int))
        )
        patterns = holds[first].T
        masks = np.packbits(np.vstack([np.stack([patterns, ~patterns], axis=1).reshape(-1, len(first)),
                                       np.ones((1, len(first)), dtype=bool)]), axis=1)  # fmt: skip
        found = np.full((len(first), 2), np.inf)
        most = max(MASK_BYTES // masks.shape[1], 1)
        for label in (0, 1):
            leaves = np.flatnonzero(self.labels == label)
            covered = np.zeros(masks.shape[1], dtype=np.uint8)
            start, size = 0, min(FIRST_LEAVES, most)
            while start < len(leaves):
                part = leaves[start : start + size]
                inside = np.bitwise_and.reduce(masks[self.literals[part]], axis=1)
                if budget is not None:
                    budget.spend(elements=0.3 * inside.size * self.literals.shape[1])
                yield
                for row in np.flatnonzero((inside & ~covered).any(axis=1)).tolist():
                    new = inside[row] & ~covered
                    found[np.flatnonzero(np.unpackbits(new, count=len(first))), label] = self.wrong[part[row]]
                    covered |= new
                start, size = start + size, min(2 * size, most)
        return found[codes]

    def fewest(self, holds: NDArray[np.bool_]) -> Floats:
        """Return the same at once."""
        return returned(self.iter_fewest(holds))


@dataclass(frozen=True, eq=False)
class NearOptimalTrees:
    """All trees over the splits whose share of wrong rows is at most that of the best plus `within`.

    Figures are of the rows that were learned from. What the work that was allowed did not suffice for is None or NaN,
    or has bounds that say nothing.

    Parameters
    ----------
    status : {"complete", "work_limit", "stopped"}
        Whether all figures are proven, the smallest gap to a twentieth of a point, and if not, why the search ended.
    form : {"tree", "list"}
        Trees, or lists, in which one side of each split is a leaf.
    within : float
        How much larger the share of wrong rows may be than that of the best tree.
    n_trees : int or None
        How many there are: every split leaves rows on either side, and two leaves of one split differ. Trees that ask
        the same questions in another order count each, though they may decide alike.
    n_decisions : int or None
        How many of them decide some training row otherwise than each other; None where they were not all listed.
    least_loss, loss_bound : float
        The share of wrong rows of the best tree, and what no tree is below.
    best : NearOptimalTree
        A tree with the fewest wrong rows.
    smallest_gap, smallest_gap_bound : float
        The smallest gap between groups that was found in the set, and what no tree of the set is below.
    largest_gap, largest_gap_bound : float
        The largest gap that was found, and what no tree of the set is above.
    curve : tuple of GapPoint
        For losses up to `within`, the smallest gap that was found and what no tree that loses no more is below.
    trees : tuple of NearOptimalTree
        Some trees of the set that decide differently, those with the smallest gaps first.
    is_listing_exact : bool
        Whether no other decisions of the set have a smaller gap than the last of `trees`.
    drawn : DataFrame
        "loss" and "gap" of trees drawn so that each of the set is as likely as any other.
    least_losses : ndarray of float, shape (n_rows, 2)
        The share of wrong rows of the best tree that decides a row 0, and 1; NaN where no tree of the set does.
    discrepancy, discrepancy_bound : float
        The largest share of rows that was found to be decided otherwise by a tree of the set than by `best`, and what
        no tree of the set is above.
    most_different : NearOptimalTree or None
        That tree.
    leaves : LeafSets
        The leaves of all trees of the set.
    weights : ndarray of float, shape (n_rows,)
        How often each row counts.
    n_splits_considered : int
        Splits that trees are made of.
    notes : tuple of str
        What should be known, as sentences.
    """

    status: EndStatus
    form: Form
    within: float
    n_trees: int | None
    n_decisions: int | None
    least_loss: float
    loss_bound: float
    best: NearOptimalTree
    smallest_gap: float
    smallest_gap_bound: float
    largest_gap: float
    largest_gap_bound: float
    curve: tuple[GapPoint, ...]
    trees: tuple[NearOptimalTree, ...]
    is_listing_exact: bool
    drawn: pd.DataFrame
    least_losses: Floats
    discrepancy: float
    discrepancy_bound: float
    most_different: NearOptimalTree | None
    leaves: LeafSets
    weights: Floats
    n_splits_considered: int
    notes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether the search ended, so that the set holds all such trees and its figures are proven."""
        return self.status == "complete"

    @cached_property
    def can_be(self) -> NDArray[np.bool_]:
        """Whether some tree of the set decides a row 0, and 1; shape (n_rows, 2)."""
        return ~np.isnan(self.least_losses)

    @cached_property
    def ambiguous(self) -> NDArray[np.bool_]:
        """Whether trees of the set decide a row both ways, shape (n_rows,)."""
        return np.asarray(self.can_be.all(axis=1))

    @property
    def ambiguity(self) -> float:
        """The share of rows that trees of the set decide both ways."""
        return float(self.weights @ self.ambiguous / self.weights.sum())

    def decides_both(self, X: Features) -> NDArray[np.bool_]:
        """Say which rows of a table trees of the set decide both ways. Shapes: `X` (n, n_features); returns (n,)."""
        frame = as_frame(X)
        holds = [np.asarray(split.holds(frame), dtype=bool) for split in self.leaves.splits]
        table = np.column_stack(holds) if holds else np.zeros((len(frame), 0), dtype=bool)
        return np.asarray(np.isfinite(self.leaves.fewest(table)).all(axis=1))


class EndedEarly(Exception):
    """The work that is allowed is done, or the caller wants an end."""


def near_optimal_trees(X: Features, y: Labels, **asked: Any) -> NearOptimalTrees:
    """Find all trees that are nearly as accurate as the best one; `asked` is as in `iter_near_optimal_trees`.

    Examples
    --------
    >>> X = np.array([[1, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1], [7, 0], [8, 1]])
    >>> found = near_optimal_trees(X, X[:, 0] > 4, max_depth=1, within=0.125)
    >>> found.n_trees, found.complete, found.ambiguity
    (3, True, 0.25)
    """
    found: NearOptimalTrees = result_of(iter_near_optimal_trees(X, y, **asked))
    return found


def iter_near_optimal_trees(
    X: Features,
    y: Labels,
    *,
    sensitive_features: Groups = None,
    sample_weight: ArrayLike | None = None,
    max_depth: int = 2,
    form: Form = "tree",
    within: float = 0.01,
    constraint: str = "demographic_parity",
    max_splits: int | None = None,
    min_leaf_size: int = 1,
    use_sensitive: bool = False,
    n_listed: int = 10,
    n_drawn: int = 1_000,
    time_limit: float = 60,
    random_state: Seed = None,
) -> Generator[Event, Command | None, None]:
    """Find all trees that are nearly as accurate as the best one, yielding events; a stop keeps what is known.

    Parameters
    ----------
    X : DataFrame or array_like, shape (n, n_features)
        The features.
    y : array_like, shape (n,)
        Labels of two classes; rates are those of predicting the second in order.
    sensitive_features : Series, DataFrame, array or list, optional
        The group of each row; crossings of several columns are groups of their own. None: one group.
    sample_weight : array_like of int, shape (n,), optional
        How often each row counts, in whole numbers.
    max_depth : int
        Splits on the way to a leaf, or in a list, at most: 1 to 4.
    form : {"tree", "list"}
        Trees, or lists: chains of single conditions, in which one side of each split is a leaf.
    within : float
        How much larger the share of wrong rows may be than that of the best tree, from 0 to 1.
    constraint : {"demographic_parity", "equal_opportunity", "equalized_odds"}
        Of which rates the gap is the largest difference between two groups.
    max_splits : int, optional
        Of how many splits trees are made, at most. None means as ``OptimalTreeClassifier`` does.
    min_leaf_size : int
        Rows of each leaf, at least.
    use_sensitive : bool
        Whether splits may use columns with the name of a sensitive feature, or from whose values the groups follow.
    n_listed : int
        Trees that are listed, at most.
    n_drawn : int
        Trees that are drawn at random.
    time_limit : float
        About so many seconds of work, counted and not timed.
    random_state : int, RandomState or None
        For the draws.

    Yields
    ------
    Started, Progress or Finished
        ``Finished.result`` is a `NearOptimalTrees`.

    Raises
    ------
    InputError
        If an argument breaks a rule, if weights are no whole numbers, or if the sets of literals do not fit into
        memory.

    Notes
    -----
    Trees are not listed to be counted: with L splits there are O((2 L)^d / d!) sets of up to d literals, each with the
    number of its subtrees by wrong rows, and those of two sides are joined by a convolution. The smallest gap is the
    least value of a difference of rates where this has one sign throughout, and is searched near the lines of the curve
    of losses and gaps elsewhere.

    References
    ----------
    Xin, R., Zhong, C., Chen, Z., Takagi, T., Seltzer, M. and Rudin, C. (2022). Exploring the whole Rashomon set of
    sparse decision trees. NeurIPS.
    Marx, C., Calmon, F. and Ustun, B. (2020). Predictive multiplicity in classification. ICML: ambiguity and
    discrepancy, definitions 3 and 4.
    """
    given = {
        "max_depth": max_depth, "form": form, "within": within, "constraint": constraint, "max_splits": max_splits,
        "min_leaf_size": min_leaf_size, "use_sensitive": use_sensitive, "n_listed": n_listed, "n_drawn": n_drawn,
        "time_limit": time_limit, "random_state": random_state,
    }  # fmt: skip
    check_values(PARAMETERS, given)
    budget = Budget(time_limit)
    stopped = (yield Started(TASK, TOTAL)) is STOP
    stopped = (yield Progress("Choosing splits", 0, TOTAL)) is STOP or stopped
    reader = TableReader(
        max_depth,
        constraint=read_word(constraint, GAP_CONSTRAINTS, warn=False),
        max_loss=within,
        max_splits=max_splits,
        min_leaf_size=min_leaf_size,
        use_sensitive=use_sensitive,
        random_state=random_state,
    )
    read = reader.read(X, y, sensitive_features, sample_weight)
    stopped = (yield Progress(read.prepared.size_in_words, budget.steps(TOTAL), TOTAL)) is STOP or stopped
    search = Search(read, form, within, budget, check_random_state(random_state), stopped=stopped)
    yield from search.iter_run(int(n_listed), int(n_drawn))
    yield Finished(search.result())


@dataclass(frozen=True, eq=False)
class ReadTable:
    """What was given, as the problem of a tree."""

    prepared: PreparedProblem
    weights: RowWeights
    # Names of the two classes.
    outcomes: tuple[str, ...]


class TableReader(OptimalTreeClassifier):
    """Reads features, labels and groups as the classifier of optimal trees does."""

    def read(self, X: Features, y: Labels, sensitive_features: Groups, sample_weight: ArrayLike | None) -> ReadTable:
        """Return the problem, with rows that count in whole numbers."""
        settings = self._settings("classification")
        weights = RowWeights.read(sample_weight, X)
        if not weights.are_whole:
            weights.written_out("nearly optimal trees", "which are counted by their wrong rows")
        frame, labels = self._read(weights.keep("X", X), weights.keep("y", y))
        grouping = group_rows(weights.keep("sensitive_features", sensitive_features), len(labels))
        prepared = read_problem(
            frame,
            labels.astype(np.float64),
            grouping,
            settings,
            use_sensitive=bool(self.use_sensitive),
            weights=weights.values,
        )
        rows = prepared.problem.rows
        counted = replace(rows, weights=np.rint(rows.weights).astype(np.int64))
        outcomes = tuple(value_text(value) for value in self.classes_)
        return ReadTable(replace(prepared, problem=replace(prepared.problem, rows=counted)), weights, outcomes)


class Search:
    """The steps of the search, and what is known so far."""

    def __init__(
        self,
        read: ReadTable,
        form: Form,
        within: float,
        budget: Budget,
        random: np.random.RandomState,
        *,
        stopped: bool,
    ) -> None:
        self.read, self.form, self.within, self.budget, self.random = read, form, float(within), budget, random
        self.problem = read.prepared.problem
        self.rows = rows = self.problem.rows
        columns = distinct_splits(rows.holds)
        depth = self.problem.max_depth
        needed = n_bytes(len(columns), min(depth, len(columns)), 2 * rows.n_groups + 8)
        if needed > MOST_BYTES:
            raise InputError(
                f"The conjunctions of {len(columns):,} splits at depth {depth} would take {needed / 1e9:.1f} GB of "
                f"memory, at most {MOST_BYTES / 1e9:.1f} are allowed.",
                hint="Lower 'max_splits' or 'max_depth'.",
            )
        self.stopped, self.is_done = stopped, False
        self._shown_at = 0.0
        self.tables = NearOptimalTables(
            rows,
            columns,
            depth,
            form=form,
            least_rows=int(self.problem.min_leaf_size),
            within=self.within,
            budget=budget,
        )
        self.gap_forms = (
            np.zeros((0, rows.n_cells)) if self.problem.limit is None else self.problem.limit.forms.toarray()
        )
        self.forms = [self.tables.rate_form(form) for form in self.gap_forms]
        best = self._shape(self.tables.most_accurate())
        self.best = best
        self.best_h = best.predict(rows.holds)
        self.n_trees: int | None = None
        self.n_decisions: int | None = None
        self.smallest, self.largest = (self.gap(best), best), (self.gap(best), best)
        self.smallest_bound, self.largest_bound = 0.0, 1.0
        self.curve: tuple[GapPoint, ...] = ()
        self.listed: list[TreeShape] = []
        self.is_listing_exact = False
        self.drawn: list[tuple[float, float]] = []
        literals, labels, wrong = self.tables.leaf_sets()
        splits = tuple(read.prepared.candidates.splits[column] for column in columns.tolist())
        self.leaves = LeafSets(splits, literals, labels, wrong)
        self.fewest = np.full((rows.n_cells, 2), np.inf)
        self.most_different: tuple[float, TreeShape] | None = None
        self.discrepancy_bound = 1.0
        self.stairs: list[list[Staircases]] = []

    # Figures of one tree

    def _shape(self, subtree: Subtree) -> TreeShape:
        return shape_of(subtree, self.tables.columns, self.problem.max_depth)

    def gap(self, shape: TreeShape) -> float:
        """Return the largest difference of rates of two groups."""
        if not len(self.gap_forms):
            return 0.0
        return max(float((self.gap_forms @ shape.predict(self.rows.holds)).max()), 0.0)

    def _differs(self, shape: TreeShape) -> float:
        return float(self.rows.weights @ (shape.predict(self.rows.holds) != self.best_h)) / self.rows.n_rows

    # The steps

    def iter_run(self, n_listed: int, n_drawn: int) -> Searching[None]:
        """Take one step after the other until all is known or the work is done."""
        try:
            self._check()
            self.fewest = yield from self._iter_steps(
                self.leaves.iter_fewest(self.rows.holds[:, self.tables.columns], self.budget), "Looking at each person"
            )
            counts = yield from self._iter_steps(self.tables.iter_count(), "Counting trees")
            self.n_trees = sum(int(count) for count in counts.tolist())
            for form in self.forms:
                stairs = yield from self._iter_steps(self.tables.iter_least(form), "Looking for the smallest gap")
                self.stairs.append(stairs)
            self._take_extremes()
            form = self.tables.disagreement(self.best_h)
            stairs = yield from self._iter_steps(self.tables.iter_least(form), "Comparing with the best tree")
            self._take_discrepancy(form, stairs)
            self._draw(n_drawn)
            if self.n_trees <= MOST_LISTED:
                yield from self._iter_list_all(n_listed)
            else:
                yield from self._iter_close()
                yield from self._iter_list_smallest(n_listed)
            self.is_done = self._is_closed
        except EndedEarly:
            return

    def _check(self) -> None:
        if self.stopped or self.budget.is_over:
            raise EndedEarly

    def _iter_steps(self, steps: Generator[None, None, Returned], what: str) -> Searching[Returned]:
        """Take small steps, showing now and then how far they are; end where the work is done."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value
            yield from self._iter_show(what)

    def _iter_show(self, what: str) -> Searching[None]:
        if self.budget.spent - self._shown_at >= PROGRESS_EVERY:
            self._shown_at = self.budget.spent
            self.stopped |= (yield Progress(what, self.budget.steps(TOTAL), TOTAL)) is STOP
        self._check()

    def _take_extremes(self) -> None:
        """Take in what the least values of the differences of rates say; each comes with its opposite."""
        tables = self.tables
        if not self.forms:
            self.smallest_bound = self.largest_bound = 0.0
            return
        least = np.array([stairs[0].values[-1] for stairs in self.stairs])
        self.smallest_bound = max(float(least.max()), 0.0)
        self.largest_bound = max(float(-least.min()), 0.0)
        trees = [
            self._shape(tables.least_tree(form, stairs, tables.most_wrong))
            for form, stairs in zip(self.forms, self.stairs, strict=True)
        ]
        self.largest = max([self.largest, *((self.gap(tree), tree) for tree in trees)], key=lambda found: found[0])
        self._offer(trees)
        points = []
        for share in CURVE:
            wrong = int(np.floor(tables.least_wrong + share * self.within * tables.n_rows + 1e-6))
            beyond = np.array([wrong - tables.least_wrong])
            bound = max(float(max(stairs[0].least(np.array([0]), beyond)[0] for stairs in self.stairs)), 0.0)
            found = [
                self.gap(self._shape(tables.least_tree(form, stairs, wrong)))
                for form, stairs in zip(self.forms, self.stairs, strict=True)
            ]
            points.append(GapPoint(share * self.within, min(found), min(bound, min(found))))
        self.curve = tuple(points)

    def _offer(self, trees: Sequence[TreeShape]) -> None:
        self.smallest = min([self.smallest, *((self.gap(tree), tree) for tree in trees)], key=lambda found: found[0])

    def _take_discrepancy(self, form: LeafValues, stairs: list[Staircases]) -> None:
        tree = self._shape(self.tables.least_tree(form, stairs, self.tables.most_wrong))
        self.discrepancy_bound = float(-stairs[0].values[-1]) / self.rows.n_rows
        self.most_different = (self._differs(tree), tree)

    def _draw(self, n_drawn: int) -> None:
        draws = Draws(self.tables, self.forms, self.random)
        for _ in range(n_drawn):
            self._check()
            drawn = draws.draw()
            self.drawn.append((drawn.wrong / self.rows.n_rows, float(drawn.values.max(initial=0.0))))

    @property
    def _is_closed(self) -> bool:
        return self.smallest[0] <= self.smallest_bound + NEARLY_CLOSED

    def _iter_close(self) -> Searching[None]:
        """Search for the smallest gap where no difference of rates is at least as large in all trees."""
        yield from self._iter_close_listing()
        if not self._is_closed and self.form == "tree":
            budget = self.budget.part(SHARE_CLOSING * self.budget.left)
            ended, stopped = yield from iter_relay(
                iter_gap_curve(self.problem, self.within, budget=budget),
                lambda _: Progress("Looking for the smallest gap", self.budget.steps(TOTAL), TOTAL),
            )
            self.stopped |= stopped
            if ended.found.shape is not None and self._is_within(ended.found.shape):
                self._offer([ended.found.shape])
            self.smallest_bound = max(self.smallest_bound, min(ended.found.bound, self.smallest[0]))
            self.curve = tuple(point for point in ended.curve if point.lost <= self.within + EQUAL) or self.curve
        self._check()

    def _is_within(self, shape: TreeShape) -> bool:
        wrong = self.rows.weights @ (shape.predict(self.rows.holds) != self.rows.targets)
        return bool(wrong <= self.tables.most_wrong)

    def _iter_close_listing(self) -> Searching[None]:
        """Look for any tree with a smaller gap than the best so far, from the bound up, until there is none."""
        listing = Listing(self.tables, self.forms, self.stairs, MOST_STEPS)
        width = NEARLY_CLOSED
        while not self._is_closed:
            limit = min(self.smallest_bound + width, self.smallest[0] - EQUAL)
            try:
                found = next(listing.iter_trees(np.full(len(self.forms), limit)), None)
            except TooManyStepsError:
                return
            if found is None:
                self.smallest_bound, width = limit, 2 * width
            else:
                self._offer([self._shape(found.subtree)])
                width = max((self.smallest[0] - self.smallest_bound) / 2, NEARLY_CLOSED)
            yield from self._iter_show("Looking for the smallest gap")

    def _iter_list_all(self, n_listed: int) -> Searching[None]:
        """List all trees, and keep those with the smallest gaps that decide differently."""
        listed: dict[tuple[float, ...], ListedTree] = {}
        yield from self._iter_listed(self._listing(math.inf), math.inf, math.inf, listed)
        self.n_decisions, self.is_listing_exact = len(listed), True
        self._keep(listed, max(n_listed, 1))
        self._offer(self.listed)
        self.smallest_bound, self.listed = self.smallest[0], self.listed[:n_listed]

    def _iter_list_smallest(self, n_listed: int) -> Searching[None]:
        """List the trees with the smallest gaps that decide differently."""
        listed: dict[tuple[float, ...], ListedTree] = {}
        if n_listed:
            yield from self._iter_smallest(self._listing(MOST_STEPS), n_listed, listed)
            self._keep(listed, n_listed)

    def _listing(self, most_steps: float) -> Listing:
        forms = [*self.forms, *self._fingerprints()]
        return Listing(self.tables, forms, [*self.stairs, *[None] * FINGERPRINTS], most_steps)

    def _keep(self, listed: dict[tuple[float, ...], ListedTree], n_listed: int) -> None:
        best = sorted(listed.values(), key=lambda tree: (round(self._gap_of(tree), 9), tree.wrong))
        self.listed = [self._shape(tree.subtree) for tree in best[:n_listed]]

    def _iter_smallest(
        self, listing: Listing, n_listed: int, listed: dict[tuple[float, ...], ListedTree]
    ) -> Searching[None]:
        """List those within a limit on the gap that lets neither too few nor too many through."""
        low, high = self.smallest[0], np.inf
        limit, width = low, FIRST_LIMIT
        for _ in range(MOST_LIMITS):
            complete = yield from self._iter_listed(listing, limit, LISTED_AT_ONCE, listed)
            is_enough = sum(self._gap_of(tree) <= limit + EQUAL for tree in listed.values()) >= n_listed
            # All that were let through at the smallest gap have the smallest gap.
            if is_enough and (complete or limit <= self.smallest_bound + EQUAL):
                self.is_listing_exact = True
                return
            if complete:
                low, width = limit, 4 * width
            else:
                high = limit
            if high <= low + EQUAL:
                return
            limit = low + width if np.isinf(high) else (low + high) / 2

    def _iter_listed(
        self,
        listing: Listing,
        limit: float,
        most: float,
        listed: dict[tuple[float, ...], ListedTree],
    ) -> Searching[bool]:
        """List the trees with no larger gap; return whether there are no others."""
        n_forms = len(self.forms)
        limits = np.concatenate([np.full(n_forms, limit + EQUAL), np.full(FINGERPRINTS, np.inf)])
        n_seen = 0
        try:
            for tree in listing.iter_trees(limits):
                n_seen += 1
                listed.setdefault(tuple(tree.values[n_forms:].tolist()), tree)
                if n_seen > most:
                    return False
                yield from self._iter_show("Listing trees")
        except TooManyStepsError:
            return False
        return True

    def _gap_of(self, tree: ListedTree) -> float:
        return float(tree.values[: len(self.forms)].max(initial=0.0))

    def _fingerprints(self) -> Iterator[LeafValues]:
        """Iterate over random sums over the cells that are predicted 1, by which decisions differ."""
        codes, first = patterns_of(np.column_stack([self.rows.holds, np.ones(self.rows.n_cells, dtype=bool)]))
        for seed in range(FINGERPRINTS):
            drawn = np.random.default_rng(seed).integers(1, 2**BITS, len(first)).astype(np.float64)
            once = np.zeros(self.rows.n_cells)
            once[first] = drawn[codes[first]]
            ones = self.tables.summed(once)
            yield LeafValues(([np.zeros_like(each) for each in ones], ones))

    # The result

    def _tree(self, shape: TreeShape) -> NearOptimalTree:
        found = found_tree(
            self.read.prepared, TreeSearchEnd(FoundTree(shape, 0.0, 0.0, "optimal", "search")), self.read.outcomes
        )
        wrong = float(self.rows.weights @ (shape.predict(self.rows.holds) != self.rows.targets))
        return NearOptimalTree(found, wrong / self.rows.n_rows, self.gap(shape), self._differs(shape))

    def result(self) -> NearOptimalTrees:
        """Return what is known."""
        weights, n_rows = self.read.weights, self.rows.n_rows
        kept = self.read.prepared.weights
        n_kept = len(self.read.prepared.targets)
        counted = np.ones(n_kept) if kept is None else kept
        least_losses = self.fewest[self.rows.cells] / n_rows
        least_losses[~np.isfinite(least_losses)] = np.nan
        if weights.rows is not None:
            whole, all_losses = np.zeros(weights.n_given), np.full((weights.n_given, 2), np.nan)
            whole[weights.rows], all_losses[weights.rows] = counted, least_losses
            counted, least_losses = whole, all_losses
        least_loss = self.tables.least_wrong / n_rows
        different = self.most_different
        return NearOptimalTrees(
            status="complete" if self.is_done else "stopped" if self.stopped else "work_limit",
            form=self.form,
            within=self.within,
            n_trees=self.n_trees,
            n_decisions=self.n_decisions,
            least_loss=least_loss,
            loss_bound=least_loss,
            best=self._tree(self.best),
            smallest_gap=self.smallest[0],
            smallest_gap_bound=min(self.smallest_bound, self.smallest[0]),
            largest_gap=self.largest[0],
            largest_gap_bound=max(self.largest_bound, self.largest[0]),
            curve=self.curve,
            trees=tuple(self._tree(shape) for shape in self.listed),
            is_listing_exact=self.is_listing_exact,
            drawn=pd.DataFrame(self.drawn, columns=["loss", "gap"]),
            least_losses=least_losses,
            discrepancy=float("nan") if different is None else different[0],
            discrepancy_bound=self.discrepancy_bound,
            most_different=None if different is None else self._tree(different[1]),
            leaves=self.leaves,
            weights=counted,
            n_splits_considered=len(self.read.prepared.candidates.splits),
            notes=self.read.prepared.notes,
        )
