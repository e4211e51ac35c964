"""Grow a tree from the root: each node takes the first split of the best subtree of a few levels.

At the root, over subtrees of K levels that keep the constraint, this is minimised::

    share of wrong rows + a * splits - beta * F,     a = 1 / (2^(K+1) - 2) rows

F is by how much the rates of the groups keep within what is allowed, in the worst pair: for the 80 % rule the least of
(rate of the worse-off group - 0.8 * rate of the other). Below the root a node sees its own rows only, and what its
predictions add to the rates of the whole table counts at the price that rates have there: the multipliers of

    minimise over 0 <= v <= 1    share of wrong rows - beta * F      subject to the constraint

where v is what each leaf of the whole tree predicts. So no node has to treat groups alike by itself, and yet the labels
of all leaves together can, see `repairing`.

Where splits shall be taken one by one instead, see `greedy`, only what is below them looks at prices.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.decoded.learned import numbered_parts
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.lookahead.greedy import iter_greedy
from fairaudit.estimators.trees.lookahead.growing_rows import Growing, GrowingRows, Grown, is_below, moved, sampled
from fairaudit.estimators.trees.lookahead.leaf_prices import row_prices
from fairaudit.estimators.trees.problem import Limit, TreeProblem
from fairaudit.estimators.trees.rows import TreeRows
from fairaudit.events import STOP, Command, Progress
from fairaudit.work import Budget

MOST_SPLITS: Final = {1: 240, 2: 100, 3: 40, 4: 20}
"""By levels that are looked ahead, splits of a node that are searched through."""

FARTHEST: Final = max(MOST_SPLITS)
"""Levels that are looked ahead, at most."""

LEAST: Final = 0.05
"""Seconds of work for a node, at least."""


def iter_grown(rows: GrowingRows, growing: Growing, budget: Budget) -> Generator[Progress, Command | None, Grown]:
    """Grow a tree."""
    if growing.is_greedy:
        grown = yield from iter_greedy(rows, growing, budget)
    else:
        grown = Grown({}, {1: float(2 * rows.labels.sum() > rows.n_rows)}, np.ones(rows.n_rows, dtype=np.int64))
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
    rows: GrowingRows, growing: Growing, grown: Grown, number: int, own: NDArray[np.int64], budget: Budget
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
    grown: Grown,
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
