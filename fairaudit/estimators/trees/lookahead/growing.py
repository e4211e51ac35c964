"""Grow a tree from the root: each node takes the first split of the best subtree of a few levels.

At the root, over subtrees of K levels that keep the constraint, this is minimised::

    share of wrong rows + a * splits - beta * F,     a = 1 / (2^(K+1) - 2) rows

F is by how much the rates of the groups keep within what is allowed, in the worst pair: for the 80 % rule the least of
(rate of the worse-off group - 0.8 * rate of the other). Below the root a node sees its own rows only, and what its
predictions add to the rates of the whole table counts at the price that rates have there: the multipliers of

    minimise over 0 <= v <= 1    share of wrong rows - beta * F      subject to the constraint

where v is what each leaf of the whole tree predicts. So no node has to treat groups alike by itself, and yet the labels
of all leaves together can, see `repaired`.

Where splits shall be taken one by one instead, see `iter_greedy`, only what is below them looks at prices.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.leaf_values import best_values, good_values
from fairaudit.estimators.trees.learned import numbered_parts, simplified
from fairaudit.estimators.trees.lookahead.growing_rows import (
    Growing,
    GrowingRows,
    GrownTree,
    is_below,
    moved,
    row_prices,
    sampled,
)
from fairaudit.estimators.trees.problem import (
    NO_SPLIT,
    Limit,
    TreeProblem,
    TreeRows,
    TreeShape,
    leaves_below,
    parity_limit,
)
from fairaudit.events import STOP, Command, Progress
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

# Grow a tree without looking ahead: each node takes the split that lowers the Gini impurity most, as CART does.
#
# With few rows, trees whose first split is the best of several levels follow chance more than trees whose splits each
# separate the labels. So this is one of the ways that held-out rows choose from. The constraint is met by the labels of
# leaves alone.

MOST_GREEDY_SPLITS: Final = 240
"""Splits of a node that are compared."""


def iter_greedy(rows: GrowingRows, growing: Growing, budget: Budget) -> Generator[Progress, Command | None, GrownTree]:
    """Grow a tree split by split."""
    grown = GrownTree({}, {1: float(2 * rows.labels.sum() > rows.n_rows)}, np.ones(rows.n_rows, dtype=np.int64))
    for level in range(growing.max_depth):
        if (yield Progress("Splitting", level, growing.max_depth)) is STOP:
            grown.is_complete = False
            return grown
        for number in np.unique(grown.leaf[grown.leaf >= 1 << level]).tolist():
            own = np.flatnonzero(grown.leaf == number)
            if budget.is_over:
                grown.is_complete = False
                return grown
            budget.spend(calls=200, elements=MOST_GREEDY_SPLITS * min(len(own), growing.sample_size) + 30 * len(own))
            split = _purest(rows, growing, own, number)
            if split is None:
                continue
            leaf = rows.table.leaves({1: split}, own)
            shares = [rows.labels[own[leaf == child]].mean() for child in (2, 3)]
            grown.graft(number, {1: split}, {2: float(shares[0] > 0.5), 3: float(shares[1] > 0.5)})
            grown.leaf[own] = 2 * number + leaf - 2
    return grown


def _purest(rows: GrowingRows, growing: Growing, own: NDArray[np.int64], number: int) -> Literal | None:
    """Return the split of a node after which n_left q_left (1 - q_left) + n_right q_right (1 - q_right) is least."""
    labels = rows.labels[own]
    if len(own) < 2 * growing.min_leaf_size or labels.min() == labels.max():
        return None
    sample = sampled(rows, own, growing, number)
    splits, holds = rows.table.splits(sample, rows.labels[sample], MOST_GREEDY_SPLITS)
    least = max(growing.min_leaf_size * len(sample) // len(own), 1)
    inside = holds.sum(axis=0)
    positives = rows.labels[sample] @ holds
    total, n = rows.labels[sample].sum(), len(sample)
    fits = (inside >= least) & (n - inside >= least)
    if not fits.any():
        return None
    left, right = np.maximum(inside, 1), np.maximum(n - inside, 1)
    impurity = positives * (1 - positives / left) + (total - positives) * (1 - (total - positives) / right)
    best = splits[int(np.where(fits, impurity, np.inf).argmin())]
    held = int(rows.table.holds(best, own).sum())
    return best if min(held, len(own) - held) >= growing.min_leaf_size else None


# Take back the splits of a grown tree that are worth too little.


def pruned(rows: GrowingRows, growing: Growing, grown: GrownTree) -> GrownTree:
    """Return a tree in which each split is worth its price.

    From the leaves up, a node becomes a leaf where that costs no more rows, at the prices that rates have in the whole
    tree, than the price of the splits that it spares.
    """
    if not growing.worth:
        # At the prices of a linear program, splits that whole labels need can be worth nothing.
        return grown
    prices = row_prices(rows, grown.leaf, weight=growing.split_weight, margin=growing.split_margin)
    price = growing.price_of_split + growing.worth * rows.n_rows
    numbers, places = np.unique(grown.leaf, return_inverse=True)
    costs = np.bincount(places, weights=1 - 2 * rows.labels + prices[rows.strata.cells])
    sums = dict.fromkeys(grown.values, 0.0) | dict(zip(numbers.tolist(), costs.tolist(), strict=True))
    best = {leaf: min(total, 0.0) for leaf, total in sums.items()}
    found = GrownTree(dict(grown.splits), {leaf: float(sums[leaf] < 0) for leaf in grown.values}, grown.leaf.copy(),
                  grown.is_complete)  # fmt: skip
    for number in sorted(grown.splits, reverse=True):
        sums[number] = sums[2 * number] + sums[2 * number + 1]
        best[number] = best[2 * number] + best[2 * number + 1] + price
        if min(sums[number], 0.0) <= best[number]:
            best[number] = min(sums[number], 0.0)
            found.graft(number, {}, {1: float(sums[number] < 0)})
    for number in found.values:
        inside = [leaf for leaf in numbers.tolist() if leaf != number and is_below(leaf, number)]
        found.leaf[np.isin(found.leaf, inside)] = number
    return found


MOST_SPLITS: Final = {1: 240, 2: 100, 3: 40, 4: 20}
"""By levels that are looked ahead, splits of a node that are searched through."""

FARTHEST: Final = max(MOST_SPLITS)
"""Levels that are looked ahead, at most."""

LEAST: Final = 0.05
"""Seconds of work for a node, at least."""


def iter_grown(rows: GrowingRows, growing: Growing, budget: Budget) -> Generator[Progress, Command | None, GrownTree]:
    """Grow a tree."""
    if growing.is_greedy:
        grown = yield from iter_greedy(rows, growing, budget)
    else:
        grown = GrownTree({}, {1: float(2 * rows.labels.sum() > rows.n_rows)}, np.ones(rows.n_rows, dtype=np.int64))
    # Under a greedy tree, leaves may still be parted by what rates cost, so that fewer rows get another label for it.
    leaves = [leaf for leaf in np.unique(grown.leaf).tolist() if leaf.bit_length() <= growing.max_depth]
    waiting = [(leaf, np.flatnonzero(grown.leaf == leaf)) for leaf in leaves]
    stopped, done = False, 0
    while waiting:
        number, own = waiting.pop(0)
        if budget.left <= LEAST or stopped:
            grown.is_complete = False
            break
        # Rows that are not yet looked at, on each level that is left, share the work.
        share = max(LEAST, budget.left * len(own) / (len(own) + sum(len(other) for _, other in waiting)) / 2)
        command = yield Progress(f"Looking ahead from node {done + 1}", done, done + len(waiting) + 1)
        stopped = command is STOP
        if not stopped:
            stopped = yield from _iter_node(rows, growing, grown, number, own, budget.part(share))
        done += 1
        split = grown.splits.get(number)
        # Where the root saw all rows and as far as the tree may be deep, its subtree is the best one.
        is_best = growing.look_ahead >= growing.max_depth and rows.n_rows <= growing.sample_size
        if split is not None and number.bit_length() < growing.max_depth and not is_best:
            held = rows.table.holds(split, own)
            waiting += [(2 * number, own[held]), (2 * number + 1, own[~held])]
    return grown


def _iter_node(
    rows: GrowingRows, growing: Growing, grown: GrownTree, number: int, own: NDArray[np.int64], budget: Budget
) -> Generator[Progress, Command | None, bool]:
    """Look ahead from one node and graft what is better; return whether the caller stopped."""
    labels = rows.labels[own]
    prices = np.zeros(rows.strata.n_cells)
    if number > 1:
        prices = row_prices(rows, grown.leaf, weight=growing.split_weight, margin=growing.split_margin)
    if len(own) < 2 * growing.min_leaf_size or (labels.min() == labels.max() and not prices.any()):
        return False
    depth = min(growing.look_ahead, growing.max_depth - number.bit_length() + 1)
    sample = sampled(rows, own, growing, number)
    budget.spend(calls=300, elements=2 * MOST_SPLITS[depth] * len(sample) + 40 * len(own))
    splits, holds = rows.table.splits(sample, rows.labels[sample], MOST_SPLITS[depth])
    if not splits:
        return False
    problem = _node_problem(rows, growing, own, sample, holds, depth, None if number == 1 else prices)
    found, stopped = yield from _drained(iter_frontier(problem, budget=budget, seed=growing.seed))
    if found.shape is not None:
        parts, _ = numbered_parts(found.shape.tidy() if number > 1 else found.shape, splits)
        _graft_if_better(rows, growing, grown, number, own, parts, prices)
    return stopped


def _node_problem(
    rows: GrowingRows,
    growing: Growing,
    own: NDArray[np.int64],
    sample: NDArray[np.int64],
    holds: NDArray[np.bool_],
    depth: int,
    prices: NDArray[np.float64] | None,
) -> TreeProblem:
    merged = TreeRows.merge(holds, rows.groups[sample], rows.labels[sample], rows.group_names)
    stratum = np.zeros(merged.n_cells, dtype=np.int64)
    stratum[merged.cells] = rows.strata.cells[sample]
    n_strata = rows.strata.n_cells
    sizes = np.bincount(rows.strata.cells[own], minlength=n_strata)
    drawn = np.bincount(rows.strata.cells[sample], minlength=n_strata)
    stands_for = np.divide(sizes, drawn, out=np.ones(n_strata), where=drawn > 0)[stratum] * merged.weights
    limit, price = None, 0.0
    if prices is None and len(rows.bounds):
        forms = rows.forms[:, stratum] * stands_for
        limit = Limit(rows.constraint, sparse.csr_array(forms), rows.stricter(growing.split_margin))
        price = growing.split_weight
    elif prices is not None and prices.any():
        # One form without a bound that counts: a price of each row that is predicted 1.
        form = prices[stratum] * stands_for / len(own)
        bound = np.array([np.abs(form).sum() + 1.0])
        limit, price = Limit(rows.constraint, sparse.csr_array(form[None, :]), bound), 1.0
    return TreeProblem(
        rows=merged,
        max_depth=depth,
        limit=limit,
        limit_price=price,
        min_leaf_size=max(growing.min_leaf_size * len(sample) // len(own), 1),
        split_price=1 / (2 ** (depth + 1) - 2) / len(sample),
    )


def _graft_if_better(
    rows: GrowingRows,
    growing: Growing,
    grown: GrownTree,
    number: int,
    own: NDArray[np.int64],
    splits: dict[int, Literal],
    prices: NDArray[np.float64],
) -> None:
    """Graft a subtree unless the present one is better, on all rows of the node with the labels that cost least."""
    leaf = rows.table.leaves(splits, own)
    values, cost = _labels_by_price(rows, own, leaf, prices)
    if min(np.unique(leaf, return_counts=True)[1]) < growing.min_leaf_size and splits:
        return
    _, cost_now = _labels_by_price(rows, own, grown.leaf[own], prices)
    n_now = sum(is_below(node, number) for node in grown.splits)
    split_price = growing.price_of_split
    if number == 1 or cost + split_price * len(splits) < cost_now + split_price * n_now - 1e-9:
        missing = {node for split in splits for node in (2 * split, 2 * split + 1)} - splits.keys() - values.keys()
        grown.graft(number, splits, values | dict.fromkeys(missing, 0.0))
        grown.leaf[own] = np.array([0, *(moved(node, number) for node in range(1, int(leaf.max()) + 1))])[leaf]


def _labels_by_price(
    rows: GrowingRows, own: NDArray[np.int64], leaf: NDArray[np.int64], prices: NDArray[np.float64]
) -> tuple[dict[int, float], float]:
    """Return the label of least cost for each leaf, and the cost, in rows."""
    numbers, places = np.unique(leaf, return_inverse=True)
    costs = 1 - 2 * rows.labels[own] + prices[rows.strata.cells[own]]
    sums = np.bincount(places, weights=costs)
    values = {int(number): float(total < 0) for number, total in zip(numbers, sums, strict=True)}
    return values, float(rows.labels[own].sum() + np.minimum(sums, 0.0).sum())


def _drained(events: Any) -> Generator[Progress, Command | None, tuple[Any, bool]]:
    """Run a search to its end, passing on stops."""
    command, stopped = None, False
    with closing(events):
        while True:
            try:
                event = events.send(command)
            except StopIteration as end:
                return end.value, stopped
            command = None
            if isinstance(event, Progress):
                command = yield Progress("Looking ahead", 0, 1)
                stopped = stopped or command is STOP


# Check a grown tree as a whole, and give its leaves the best labels with which it keeps the constraint.

SCIP_TOLERANCE = 2e-6

MOST_S = 10.0
"""Seconds of work for the integer program over leaves, at most."""


@dataclass(frozen=True, eq=False)
class Repaired:
    """A whole tree.

    Parameters
    ----------
    splits : dict of int to Literal
        By numbers of nodes.
    values : dict of int to float
        Of leaves.
    objective : float
        Share of wrong rows, and the price of splits and of unequal rates.
    keeps : bool
        Whether the constraint holds on all rows.
    """

    splits: dict[int, Literal]
    values: dict[int, float]
    objective: float
    keeps: bool


def labels_of(
    rows: GrowingRows, growing: Growing, grown: GrownTree, budget: Budget | None = None
) -> tuple[dict[int, float], float]:
    """Return the best labels of the leaves of a tree.

    ::

        minimise    share of wrong rows + a * splits - beta * F      over the labels of leaves
        subject to  the constraint, on all rows
    """
    budget = Budget() if budget is None else budget
    numbers = sorted(grown.splits)
    depth = max((number.bit_length() for number in numbers), default=1)
    problem, shape = _leaf_problem(rows, growing, grown, numbers, depth), _shape(grown, numbers, depth)
    # SCIP takes limits for met that are broken by its tolerance, and then there would be no answer.
    limit = problem.limit
    inner = problem if limit is None else replace(problem, limit=replace(limit, bounds=limit.bounds - SCIP_TOLERANCE))
    budget.spend(calls=100, elements=20 * rows.n_rows)
    trees = [best_values(inner, shape, budget), good_values(problem, shape, budget), shape]
    trees += [TreeShape.stump(depth, value) for value in (0.0, 1.0)]
    allowed = [tree for tree in trees if tree is not None and problem.allows(tree)]
    found = min(allowed, key=problem.objective, default=shape)
    values = {leaf: found.values[leaves_below(leaf, depth)[0]] for leaf in grown.values}
    return values, problem.objective(found)


def repaired(rows: GrowingRows, growing: Growing, grown: GrownTree, budget: Budget | None = None) -> Repaired:
    """Return a tree with the best labels in its leaves, and without the splits that then make no difference."""
    budget = Budget() if budget is None else budget
    values, objective = labels_of(rows, growing, grown, budget)
    numbers = sorted(grown.splits)
    splits = [grown.splits[number] for number in numbers]
    everyone = np.arange(rows.n_rows)
    columns = [rows.table.holds(split, everyone) for split in splits]
    holds = np.column_stack(columns) if columns else np.zeros((rows.n_rows, 0), dtype=bool)
    depth = max((number.bit_length() for number in numbers), default=1)
    shape = simplified(_shape(replace(grown, values=values), numbers, depth), np.unique(holds, axis=0))
    parts, kept = numbered_parts(shape, splits)
    predicted = np.array([values[leaf] for leaf in grown.leaf.tolist()])
    keeps = bool((rows.held(predicted, everyone) <= rows.bounds + SLACK).all())
    return Repaired(parts, kept, objective, keeps)


def _leaf_problem(rows: GrowingRows, growing: Growing, grown: GrownTree, numbers: list[int], depth: int) -> TreeProblem:
    """Return the problem over cells that are the rows of a group and label in a leaf."""
    n_strata = rows.strata.n_cells
    found, counts = np.unique(grown.leaf * n_strata + rows.strata.cells, return_counts=True)
    leaves, strata = found // n_strata, found % n_strata
    holds = np.zeros((len(found), len(numbers)), dtype=bool)
    for place, number in enumerate(numbers):
        # The left child of a node, or below it.
        levels = np.array([int(leaf).bit_length() for leaf in leaves.tolist()]) - number.bit_length() - 1
        holds[:, place] = (levels >= 0) & (leaves >> np.maximum(levels, 0) == 2 * number)
    cells = TreeRows(
        holds, rows.strata.groups[strata], rows.strata.targets[strata], counts, rows.group_names, np.zeros(0, int)
    )
    limit = None
    if len(rows.bounds):
        limit = replace(parity_limit(cells, rows.constraint, rows.difference), bounds=rows.stricter(growing.margin))
    return TreeProblem(
        rows=cells,
        max_depth=depth,
        limit=limit,
        limit_price=growing.weight if limit is not None else 0.0,
        split_price=growing.price_of_split / rows.n_rows,
    )


def _shape(grown: GrownTree, numbers: list[int], depth: int) -> TreeShape:
    """Return a grown tree as a shape, its splits numbered in the order of nodes."""
    splits = [NO_SPLIT] * (2**depth - 1)
    for place, number in enumerate(numbers):
        splits[number - 1] = place
    values = [0.0] * 2**depth
    for number, value in grown.values.items():
        level = number.bit_length() - 1
        n_below = 2 ** (depth - level)
        first = n_below * (number - 2**level)
        values[first : first + n_below] = [value] * n_below
    return TreeShape(tuple(splits), tuple(values))
