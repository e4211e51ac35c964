"""Which search looks for an optimal tree, the events on the way, and the tree in words at the end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import require
from fairaudit.estimators.base import TOTAL, weighted_median
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.inputs import (
    ALL_SUBSETS_UP_TO,
    THROUGH_SCIP,
    PreparedProblem,
    ScaledColumns,
    TreeSettings,
)
from fairaudit.estimators.trees.problem import (
    NO_SPLIT,
    FoundTree,
    Status,
    Task,
    TreeProblem,
    TreeRows,
    TreeShape,
    leaves_below,
)
from fairaudit.estimators.trees.tree import LinearForm, LinearSplit, Node, Split, Tree
from fairaudit.events import Incumbent, Progress, SearchEvent, Searching, iter_relay
from fairaudit.work import Budget

if TYPE_CHECKING:
    from fairaudit.estimators.trees.formulation.nodes import LinearCoefficients
    from fairaudit.estimators.trees.formulation.search import ScipFound
    from fairaudit.estimators.trees.frontier.gap_curve import GapSearchEnd

# The frontier method is exact and fast where costs and limits add up over leaves. SCIP is for the others: limits on
# columns, linear splits and leaves, DTDI. It begins with the best trees of the others, and with their bound.

SHARE_BEFORE_SCIP: Final = 0.4
"""The share of the work for the search that SCIP begins with."""

SHALLOW_DEPTH: Final = 3
"""Trees of this depth are found first where deeper ones are looked for."""

SHARE_SHALLOWER: Final = 0.2
"""The share of the work that is left for trees of each lesser depth."""

LEAST_LAST_S: Final = 0.1
"""Seconds of work that the last search is given, at least."""

LEAST_SCIP_S: Final = 1.0
"""Seconds of work below which SCIP is not begun to prove what another search has found."""


@dataclass(frozen=True, eq=False)
class TreeSearchEnd:
    """The end of all searches."""

    # The best tree. Splits of its shape that are at least ``rows.n_splits`` are, in this order, those of `subsets` and
    # those of `linear`.
    found: FoundTree
    # For each split on a set of levels, the splits one of which holds.
    subsets: tuple[tuple[int, ...], ...] = ()
    # Splits on weighted sums of ``rows.points``.
    linear: tuple[LinearCoefficients, ...] = ()
    # (n_leaves, 1 + n_points) With linear leaves, the constant and weights of each.
    leaves: NDArray[np.float64] | None = None
    # (n_cells, n_splits + n_subsets + n_linear) Whether splits hold, where some were made up.
    added: NDArray[np.bool_] | None = None
    # Where the gap was made small: what is possible for each loss of accuracy.
    gaps: GapSearchEnd | None = None

    def holds(self, rows: TreeRows) -> NDArray[np.bool_]:
        """Return whether each split of the shape holds for each cell."""
        return rows.holds if self.added is None else self.added


@dataclass(frozen=True)
class BoundsInTime:
    """The bounds at one moment of a search."""

    # Share of the allowed work done until then.
    share: float
    # The objective of the best tree so far; infinite before the first.
    primal: float
    # What no tree can be better than, so far.
    dual: float


Ended = TypeVar("Ended", "FoundTree", "ScipFound", "GapSearchEnd")


@dataclass
class SearchRecord:
    """The best tree and bound so far, while searches run one after the other."""

    budget: Budget
    # One for each change of the best tree or the bound.
    moments: list[BoundsInTime] = field(default_factory=list)
    stopped: bool = False
    primal: float = math.inf
    dual: float = 0.0

    def note(self, objective: float, bound: float) -> bool:
        """Take a new tree or bound in; return whether the tree is the best so far."""
        better = objective < self.primal - 1e-12
        higher = self.dual + 1e-12 < bound < math.inf
        if better:
            self.primal = objective
        if higher:
            self.dual = min(bound, self.primal)
        if better or higher:
            self.moments.append(BoundsInTime(self.budget.share, self.primal, self.dual))
        return better

    def iter_recorded(self, events: Searching[Ended]) -> Searching[Ended]:
        """Run a search to its end, passing on its events in the figures and steps of the whole."""
        ending, stopped = yield from iter_relay(events, self._recorded)
        self.stopped = self.stopped or stopped
        found = ending if isinstance(ending, FoundTree) else ending.found
        self.note(found.objective, found.bound)
        return ending

    def _recorded(self, event: SearchEvent) -> SearchEvent:
        if not isinstance(event, Incumbent):
            return Progress(event.what, self.budget.steps(TOTAL), TOTAL)
        best = self.note(event.figures.get("objective", math.nan), event.figures.get("bound", -math.inf))
        together = {
            "objective": self.primal if math.isfinite(self.primal) else math.nan,
            "bound": self.dual,
            "share": self.budget.share,
        }
        return Incumbent("tree", together, best=best)


def iter_search(
    prepared: PreparedProblem, settings: TreeSettings, record: SearchRecord, seed: int
) -> Searching[TreeSearchEnd]:
    """Look for the best tree."""
    problem = prepared.problem
    if settings.max_loss is not None:
        from fairaudit.estimators.trees.frontier.gap_curve import iter_gap_curve

        events = iter_gap_curve(problem, settings.max_loss, budget=record.budget, seed=seed)
        ended = yield from record.iter_recorded(events)
        return TreeSearchEnd(ended.found, gaps=ended)
    if settings.method in THROUGH_SCIP:
        return (yield from _iter_scip(prepared, settings, record, _starts(problem, record), 0.0, seed))
    limits_columns = problem.max_uses_per_feature is not None or problem.max_features is not None
    # SCIP has to follow where splits are limited or linear; elsewhere it only goes on where a search gave up.
    share = SHARE_BEFORE_SCIP if limits_columns or settings.is_linear else 1.0
    first_record = replace(record, moments=[]) if settings.is_linear else record
    first = yield from _iter_exact(problem, first_record, share * record.budget.left, seed)
    record.stopped = record.stopped or first_record.stopped
    # Linear splits and leaves can do better than single ones: for them this is a start and no bound.
    bound = 0.0 if settings.is_linear else max(first.bound, 0.0)
    if not settings.is_linear and (first.status in ("optimal", "infeasible") or settings.method == "search"):
        return TreeSearchEnd(first)
    if record.stopped or record.budget.left < LEAST_SCIP_S:
        status: Status = "stopped" if record.stopped else "work_limit"
        return TreeSearchEnd(replace(first, bound=bound, status=status))
    if first.shape is not None:
        record.note(problem.objective(first.shape), bound)
    start = _starts(problem, record, first.shape)
    return (yield from _iter_scip(prepared, settings, record, start, bound, seed))


def _starts(problem: TreeProblem, record: SearchRecord, found: TreeShape | None = None) -> tuple[TreeShape, ...]:
    """Return the allowed trees to begin with, the best first: a greedy one, and one that was found before."""
    from fairaudit.estimators.trees.improving import greedy_tree

    trees = [greedy_tree(problem, record.budget), found]
    allowed = [tree for tree in trees if tree is not None and problem.allows(tree)]
    for tree in allowed:
        record.note(problem.objective(tree), record.dual)
    return tuple(sorted(allowed, key=problem.objective))


def _iter_scip(
    prepared: PreparedProblem,
    settings: TreeSettings,
    record: SearchRecord,
    start: tuple[TreeShape, ...],
    bound: float,
    seed: int,
) -> Searching[TreeSearchEnd]:
    from fairaudit.estimators.trees.formulation.search import iter_scip

    budget = Budget(max(record.budget.left, LEAST_LAST_S), record.budget)
    published = settings.method == "published"
    # All subsets of many levels are more than were put among the splits.
    levels = [
        columns
        for columns in prepared.candidates.levels.values()
        if published or (len(columns) > ALL_SUBSETS_UP_TO and settings.method == "scip")
    ]
    events = iter_scip(
        prepared.problem,
        budget=budget,
        start=start,
        bound=bound,
        levels=levels,
        linear_splits=settings.branching == "linear",
        linear_leaves=settings.leaves == "linear",
        published=published,
        seed=seed,
    )
    ended = yield from record.iter_recorded(events)
    return TreeSearchEnd(ended.found, ended.subsets, ended.linear, ended.leaves, ended.holds)


def _iter_exact(problem: TreeProblem, record: SearchRecord, work: float, seed: int) -> Searching[FoundTree]:
    """Run the search by frontiers; by multipliers where numbers, DTDI or limits on columns are asked for."""
    # Frontiers hold the best subtrees, not those with few columns.
    limits_columns = problem.max_uses_per_feature is not None or problem.max_features is not None
    has_dtdi = any(measure.name == "dtdi" for measure in problem.measures)
    if problem.task == "classification" and not has_dtdi and not limits_columns:
        return (yield from _iter_deeper(problem, record, work, seed))
    from fairaudit.estimators.trees.dual import iter_dual

    return (yield from record.iter_recorded(iter_dual(problem, budget=record.budget.part(work), seed=seed)))


def _iter_deeper(problem: TreeProblem, record: SearchRecord, work: float, seed: int) -> Searching[FoundTree]:
    """Run the search by frontiers; that of a deep tree begins with the best of less depth, which are found sooner."""
    from fairaudit.estimators.trees.frontier.search import iter_frontier

    whole = record.budget.part(work)
    start: tuple[TreeShape, ...] = ()
    for depth in range(SHALLOW_DEPTH, problem.max_depth):
        less = whole.part(SHARE_SHALLOWER * whole.left)
        shallower = iter_frontier(replace(problem, max_depth=depth), budget=less, start=start, seed=seed)
        found = yield from record.iter_recorded(_iter_without_bound(shallower))
        if found.shape is not None:
            start = (found.shape.deepened(depth + 1),)
        if record.stopped:
            return replace(found, shape=start[0].deepened(problem.max_depth) if start else None, status="stopped")
    left = Budget(max(whole.left, LEAST_LAST_S), whole)
    return (yield from record.iter_recorded(iter_frontier(problem, budget=left, start=start, seed=seed)))


def _iter_without_bound(events: Searching[FoundTree]) -> Searching[FoundTree]:
    """Run a search among other trees than those asked for: what it proves does not hold for these."""
    found, _ = yield from iter_relay(events, _without_bound)
    return replace(found, bound=-math.inf)


def _without_bound(event: SearchEvent) -> SearchEvent:
    if isinstance(event, Incumbent):
        return replace(event, figures={**event.figures, "bound": -math.inf})
    return event


def stopped_at_once(problem: TreeProblem, settings: TreeSettings) -> TreeSearchEnd:
    """Return what is known where a search is stopped before it begins."""
    if settings.max_loss is None:
        return lone_leaf(problem, "stopped")
    from fairaudit.estimators.trees.frontier.gap_curve import GapCurve

    curve = GapCurve(problem, settings.max_loss, Budget())
    curve.stopped = True
    ended = curve.end()
    return TreeSearchEnd(ended.found, gaps=ended)


def lone_leaf(problem: TreeProblem, status: Status, ended: FoundTree | None = None) -> TreeSearchEnd:
    """Return the best tree that does not split; of both labels one is allowed, but for floors that no tree keeps to."""
    targets, weights = problem.rows.targets, problem.rows.weights
    if problem.task == "regression":
        order = np.argsort(targets, kind="stable")
        half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
        values = [float(targets[order[half]])]
    else:
        values = [0.0, 1.0]
    shapes = [TreeShape.stump(problem.max_depth, value) for value in values]
    best = min(shapes, key=lambda shape: (not problem.allows(shape), problem.objective(shape)))
    bound, notes = (0.0, ()) if ended is None else (max(ended.bound, 0.0), ended.notes)
    leaf = FoundTree(
        best,
        problem.objective(best),
        min(bound, problem.objective(best)),
        status,
        "search" if ended is None else ended.method,
        notes,
    )
    return TreeSearchEnd(leaf)


# Splits and leaves that a search made up, in the columns of the table.
#
# Searches weigh numbers that were scaled from 0 to 1, and name sets of levels by the splits that ask for one of them.

SMALLEST_WEIGHT = 1e-7
"""Weights of scaled numbers that are smaller are left out."""


def subset_split(splits: Sequence[Literal], columns: Sequence[int]) -> Literal:
    """Return the split that holds where one of some splits does, which ask for one level each.

    Examples
    --------
    >>> subset_split([Literal("job", "equals", "cook"), Literal("job", "equals", "clerk")], (0, 1)).words()
    'job is cook or clerk'
    """
    levels = tuple(value for column in columns for value in splits[column].values)
    return Literal(splits[columns[0]].column, "among", levels)


def linear_split(points: ScaledColumns, weights: Sequence[float], threshold: float) -> LinearSplit:
    """Return a split on scaled numbers in the units of the table."""
    form = linear_form(points, weights, 0.0)
    scaled = points.values @ np.asarray(weights, dtype=np.float64)
    sums = _sums(points, form) - form.constant
    left, right = sums[scaled <= threshold], sums[scaled > threshold]
    at = threshold - form.constant
    if len(left) and len(right) and left.max() < right.min():
        at = float(left.max() + right.min()) / 2
    return LinearSplit(form.columns, form.weights, float(at))


def linear_form(points: ScaledColumns, weights: Sequence[float], constant: float) -> LinearForm:
    """Return a weighted sum of scaled numbers in the units of the table."""
    scaled = np.asarray(weights, dtype=np.float64)
    kept = np.flatnonzero(np.abs(scaled) > SMALLEST_WEIGHT)
    own = scaled[kept] / points.spread[kept]
    total = constant - float(own @ points.lowest[kept])
    return LinearForm(tuple(points.columns[place] for place in kept), tuple(own.tolist()), total)


def _sums(points: ScaledColumns, form: LinearForm) -> NDArray[np.float64]:
    """Return a weighted sum for the rows that were learned from."""
    places = [points.columns.index(column) for column in form.columns]
    numbers = points.values[:, places] * points.spread[places] + points.lowest[places]
    return numbers @ np.array(form.weights) + form.constant


def simplified(shape: TreeShape, holds: NDArray[np.bool_]) -> TreeShape:
    """Return a tree that predicts the same for all rows, with no more splits.

    Shapes: `holds` (n, n_splits).

    Examples
    --------
    >>> holds = np.array([[1, 1], [0, 1], [1, 0], [0, 0]], dtype=bool)
    >>> simplified(TreeShape((0, 1, 1), (1.0, 0.0, 1.0, 0.0)), holds)
    TreeShape(splits=(1, -1, -1), values=(1.0, 1.0, 0.0, 0.0))
    """
    shape = shape.tidy()
    node = 1
    while node <= len(shape.splits):
        if shape.splits[node - 1] != NO_SPLIT:
            first, n_below = leaves_below(node, shape.depth)
            leaves = shape.leaves(holds)
            rows = holds[(leaves >= first) & (leaves < first + n_below)]
            predicted = shape.predict(rows)
            for child in (2 * node, 2 * node + 1):
                raised = _raised(shape, node, child)
                if (raised.predict(rows) == predicted).all():
                    # What came up may be left out as well.
                    shape, node = raised, node - 1
                    break
        node += 1
    return shape


def _raised(shape: TreeShape, node: int, child: int) -> TreeShape:
    """Return a tree with the subtree of a child in the place of its parent."""
    splits, values = [NO_SPLIT, *shape.splits], list(shape.values)
    waiting = [(node, child)]
    while waiting:
        to, source = waiting.pop()
        here = splits[source] if source < len(splits) else NO_SPLIT
        if here != NO_SPLIT:
            splits[to] = here
            waiting += [(2 * to, 2 * source), (2 * to + 1, 2 * source + 1)]
            continue
        value = shape.values[leaves_below(source, shape.depth)[0]]
        first, n_below = leaves_below(to, shape.depth)
        values[first : first + n_below] = [value] * n_below
        below = [to]
        while below:
            number = below.pop()
            if number < len(splits):
                splits[number] = NO_SPLIT
                below += [2 * number, 2 * number + 1]
    return TreeShape(tuple(splits[1:]), tuple(values))


# From the numbers of a search to a tree as people read it, with the counts of the rows it was learned from.

AnySplit = TypeVar("AnySplit", bound=Split)


def learned_tree(
    splits: Mapping[int, Split],
    values: Mapping[int, float],
    frame: pd.DataFrame,
    targets: NDArray[np.float64],
    groups: NDArray[np.int64],
    *,
    group_names: Sequence[str],
    task: Task = "classification",
    outcomes: Sequence[str] = ("0", "1"),
    forms: Mapping[int, LinearForm] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Tree:
    """Return a tree with the counts of the rows that it was learned from.

    Shapes: `frame` (n_rows, n_features), `targets` (n_rows,), `groups` (n_rows,), `weights` (n_rows,).
    """
    counted = targets if weights is None else targets * weights
    nodes, waiting = [], [(1, np.arange(len(frame)))]
    while waiting:
        number, rows = waiting.pop()
        sizes = np.bincount(groups[rows], minlength=len(group_names))
        sums = np.bincount(groups[rows], weights=counted[rows], minlength=len(group_names))
        weighed: tuple[float, ...] = ()
        if weights is not None:
            weighed = tuple(np.bincount(groups[rows], weights=weights[rows], minlength=len(group_names)).tolist())
        split, form = splits.get(number), (forms or {}).get(number)
        value = values.get(number)
        if value is None:
            if task == "classification":
                value = float(2 * sums.sum() > sum(weighed or sizes.tolist()))
            else:
                value = _median(targets[rows], None if weights is None else weights[rows]) if len(rows) else 0.0
        if form is not None:
            value = form.constant
            if len(rows):
                value = float(targets[rows].mean()) if weights is None else float(sums.sum() / sum(weighed))
        # Rows in no group count in what is predicted, and in no group.
        own = [tuple(of_groups[: len(group_names)]) for of_groups in (sizes.tolist(), sums.tolist(), weighed)]
        nodes.append(Node(number, split, float(value), own[0], own[1], form, own[2]))
        if split is not None:
            left = np.asarray(split.holds(frame.iloc[rows]), dtype=bool)
            waiting += [(2 * number, rows[left]), (2 * number + 1, rows[~left])]
    ordered = tuple(sorted(nodes, key=lambda node: node.number))
    return Tree(ordered, tuple(group_names), task, tuple(outcomes))


def _median(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    return float(np.median(values)) if weights is None else weighted_median(values, weights)


def numbered_parts(shape: TreeShape, splits: Sequence[AnySplit]) -> tuple[dict[int, AnySplit], dict[int, float]]:
    """Return the splits and the values of leaves of a shape, by the numbers of nodes.

    Examples
    --------
    >>> from fairaudit.estimators.rules.literals import Literal
    >>> numbered_parts(TreeShape((0, -1, -1), (1.0, 1.0, 0.0, 0.0)), [Literal("a", "at_most", 1)])[1]
    {2: 1.0, 3: 0.0}
    """
    found: dict[int, AnySplit] = {}
    values: dict[int, float] = {}
    waiting = [1]
    while waiting:
        number = waiting.pop(0)
        split = shape.splits[number - 1] if number <= len(shape.splits) else NO_SPLIT
        if split != NO_SPLIT:
            found[number] = splits[split]
            waiting += [2 * number, 2 * number + 1]
        else:
            values[number] = shape.values[leaves_below(number, shape.depth)[0]]
    return found, values


def found_tree(prepared: PreparedProblem, searched: TreeSearchEnd, outcomes: Sequence[str]) -> Tree:
    """Return the tree that a search found, with the counts of its rows."""
    splits: list[Split] = list(prepared.candidates.splits)
    splits += [subset_split(prepared.candidates.splits, columns) for columns in searched.subsets]
    splits += [linear_split(require(prepared.points), split.weights, split.threshold) for split in searched.linear]
    shape = require(searched.found.shape)
    if searched.leaves is None:
        shape = simplified(shape, searched.holds(prepared.problem.rows))
    parts, values = numbered_parts(shape, splits)
    forms = None
    if searched.leaves is not None:
        forms = {
            number: linear_form(require(prepared.points), leaf[1:], leaf[0])
            for number in values
            for leaf in [searched.leaves[leaves_below(number, shape.depth)[0]]]
        }
    return learned_tree(
        parts,
        values,
        prepared.frame,
        prepared.targets,
        prepared.grouping.codes,
        group_names=prepared.problem.rows.group_names,
        task=prepared.problem.task,
        outcomes=outcomes,
        forms=forms,
        weights=prepared.weights,
    )
