"""Growing a tree node by node, each split chosen by the best tree below it, and its labels repaired to keep a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from fairaudit.errors import require
from fairaudit.estimators.rules.binarizer import ColumnLiterals, LiteralChoice, find_literals
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.inputs import MAX_LEVELS, MIN_LEVEL_COUNT, category_splits
from fairaudit.estimators.trees.leaf_values import best_values, good_values
from fairaudit.estimators.trees.problem import (
    NO_SPLIT,
    Limit,
    StrataCounts,
    TreeProblem,
    TreeRows,
    TreeShape,
    leaves_below,
    parity_limit,
)
from fairaudit.estimators.trees.search import numbered_parts, simplified
from fairaudit.events import STOP, Progress, SearchEvent, Searching, iter_relay
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

# A table read once, from which each node of a growing tree takes the splits that part its own rows.

MOST_CUTS: Final = 256
"""Parts that numbers and dates are cut into: nodes take their thresholds from these cuts."""


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The columns of a table as codes, see :mod:`fairaudit.estimators.rules.binarizer`."""

    # Cuts or levels of each column.
    columns: tuple[ColumnLiterals, ...]
    # (n_rows,) For each column, the code of each row.
    codes: tuple[NDArray[np.int64], ...]

    @classmethod
    def read(cls, frame: pd.DataFrame, names: list[str], weights: NDArray[np.float64] | None = None) -> CodedTable:
        """Read columns. Shapes: `frame` (n_rows, n_features), `weights` (n_rows,)."""
        columns, codes = [], []
        for name in names:
            few = LiteralChoice(MOST_CUTS, MIN_LEVEL_COUNT, MAX_LEVELS, add_negations=False)
            column = find_literals(frame, name, few, weights=weights)
            if column.has_levels and not len(column.points):
                least = LiteralChoice(MOST_CUTS, 1, MAX_LEVELS, add_negations=False)
                column = find_literals(frame, name, least, weights=weights)
            own = column.codes(frame)
            if (own != own[0]).any():
                columns.append(column)
                codes.append(own)
        return cls(tuple(columns), tuple(codes))

    def holds(self, literal: Literal, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether a split that was made from this table holds for some of its rows."""
        place = next(place for place, column in enumerate(self.columns) if column.column == literal.column)
        column, codes = self.columns[place], self.codes[place][rows]
        if literal.kind == "missing":
            return codes == len(column.points) + 1
        if not column.has_levels:
            return column.table[:, column.literals.index(literal)][codes]
        levels = literal.values
        return np.array([*(point in levels for point in column.points.tolist()), False, False])[codes]

    def leaves(self, splits: Mapping[int, Literal], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the node without a split that some rows come to, in a tree of splits by number."""
        found = np.ones(len(rows), dtype=np.int64)
        for number in sorted(splits):
            places = np.flatnonzero(found == number)
            found[places] = 2 * number + ~self.holds(splits[number], rows[places])
        return found

    def splits(
        self,
        rows: NDArray[np.int64],
        targets: NDArray[np.float64],
        most: int,
        weights: NDArray[np.float64] | None = None,
    ) -> tuple[tuple[Literal, ...], NDArray[np.bool_]]:
        """Return splits that part some rows.

        Shapes: `rows` (n,), `targets` (n,), `weights` (n,); returns `holds` (n, n_splits).
        """
        codes = [own[rows] for own in self.codes]
        n_splits = max(2 * most // max(len(self.columns), 1), 1)
        while True:
            found = [
                category_splits(column, own, targets, n_splits, weights)
                if column.has_levels
                else _cuts(column, own, n_splits, weights)
                for column, own in zip(self.columns, codes, strict=True)
            ]
            if n_splits == 1 or sum(len(column.literals) for column in found) <= most:
                break
            n_splits = n_splits * 3 // 4
        splits, blocks = [], []
        for column, own in zip(found, codes, strict=True):
            held = column.table[own]
            parts = np.flatnonzero(held.any(axis=0) & ~held.all(axis=0))
            splits += [column.literals[place] for place in parts]
            blocks.append(held[:, parts])
        return tuple(splits), np.hstack(blocks) if blocks else np.zeros((len(rows), 0), dtype=bool)


def _cuts(
    column: ColumnLiterals, codes: NDArray[np.int64], n_splits: int, weights: NDArray[np.float64] | None
) -> ColumnLiterals:
    """Return the cuts that lie nearest to the quantiles of some rows, and the split on missing values."""
    n_cuts = len(column.points)
    below = np.cumsum(np.bincount(codes, weights=weights, minlength=n_cuts + 2)[: n_cuts + 1])
    known = below[-1].item()
    n_known = int((codes <= n_cuts).sum())
    # Of cuts that part these rows alike, the first.
    sizes, places = np.unique(below[:n_cuts], return_index=True)
    inside = (sizes > 0) & (sizes < known)
    sizes, places = sizes[inside], places[inside]
    if len(sizes) > n_splits:
        ends = np.arange(1, n_splits + 1) * known / (n_splits + 1)
        near = np.clip(np.searchsorted(sizes, ends), 1, len(sizes) - 1)
        places = places[np.unique(near - (ends - sizes[near - 1] < sizes[near] - ends))]
    missing = [place for place, literal in enumerate(column.literals) if literal.kind == "missing"]
    return column.take([*places.tolist(), *(missing if 0 < n_known < len(codes) else [])])


MOST_MARGIN: Final = 0.19
"""The largest margin under the 80 % rule: a tree that always predicts 1 keeps it by 1 - 0.8."""


@dataclass(frozen=True, eq=False)
class GrowingRows:
    """The rows that a tree is grown on."""

    # The columns that may be used.
    table: CodedTable
    # (n_rows,) 0 or 1.
    labels: NDArray[np.float64]
    # (n_rows,) The index of the group.
    groups: NDArray[np.int64]
    # What the groups are called.
    group_names: tuple[str, ...]
    constraint: str
    # How far rates may be apart.
    difference: float | None
    # (n_rows,) What each row counts, 1 on average; None where each counts once.
    weights: NDArray[np.float64] | None = None
    # (n_rows,) Which rows are similar; None where all are taken together.
    similar: NDArray[np.int64] | None = None
    # Cells of the rows of a group and label and, among similar cases, of a stratum.
    strata: TreeRows = field(init=False)
    forms: NDArray[np.float64] = field(init=False)
    bounds: NDArray[np.float64] = field(init=False)

    def __post_init__(self):
        # Forms of the constraint are the same for all rows of a cell without splits.
        nothing = np.zeros((len(self.labels), 0), dtype=bool)
        apart = None if self.similar is None else self.similar[:, None].astype(np.float64)
        strata = TreeRows.merge(nothing, self.groups, self.labels, self.group_names, apart, self.weights)
        counts = None if self.similar is None else StrataCounts.of(strata.cells, self.similar, self.weights)
        limit = parity_limit(strata, self.constraint, self.difference, counts)
        object.__setattr__(self, "strata", strata)
        object.__setattr__(self, "forms", limit.forms.toarray() / strata.weights)
        object.__setattr__(self, "bounds", limit.bounds)

    @property
    def n_rows(self) -> int:
        """Rows."""
        return len(self.labels)

    @property
    def total(self) -> float:
        """What all rows count."""
        return self.n_rows if self.weights is None else float(self.weights.sum())

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Return what some rows count; None where each counts once."""
        return None if self.weights is None else self.weights[rows]

    def size(self, rows: NDArray[np.int64]) -> float:
        """Return what some rows count together."""
        return len(rows) if self.weights is None else float(self.weights[rows].sum())

    def counted(self, values: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return values of some rows, times what these count. Shapes: `values` (n,), `rows` (n,)."""
        return values if self.weights is None else values * self.weights[rows]

    def stricter(self, margin: float) -> NDArray[np.float64]:
        """Return the bounds, made stricter as far as a tree that always predicts 1 still meets them."""
        if self.constraint == "four_fifths":
            return self.bounds - min(margin, MOST_MARGIN)
        return np.maximum(self.bounds - margin, 0.0)

    def form_values(self, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what the predictions for some rows add to each form. Shapes: returns (n_forms,)."""
        counted = self.counted(predicted[rows], rows)
        sums = np.bincount(self.strata.cells[rows], weights=counted, minlength=self.strata.n_cells)
        return self.forms @ sums


@dataclass(frozen=True)
class GrowingSettings:
    """How a tree is grown."""

    max_depth: int
    look_ahead: int
    weight: float
    # By how much stricter than asked the constraint is held.
    margin: float
    # Rows of a node that are searched over, at most.
    sample_size: int
    # Rows of each leaf, at least.
    min_leaf_size: int
    seed: int
    # The share of all rows that a split must be worth, at least, to be kept in the end.
    worth: float = 0.0
    # Whether no node looks ahead, see `iter_greedy`.
    is_greedy: bool = False
    # Whether beta and the margin count for the labels of leaves only. Splits then see the constraint as it is asked:
    # held much stricter, no subtree of a few levels may keep it but a leaf, and nothing would grow.
    labels_only: bool = False

    @property
    def least_leaf(self) -> int:
        """What each leaf must count; 0 where one row is enough, whatever it counts."""
        return self.min_leaf_size if self.min_leaf_size > 1 else 0

    @property
    def split_weight(self) -> float:
        """beta, as splits see it."""
        return 0.0 if self.labels_only else self.weight

    @property
    def split_margin(self) -> float:
        """The margin, as splits see it."""
        return 0.0 if self.labels_only else self.margin

    @property
    def price_of_split(self) -> float:
        """a, in rows."""
        return 1 / (2 ** (self.look_ahead + 1) - 2)


@dataclass
class GrownTree:
    """A tree, while it grows and at the end."""

    splits: dict[int, Literal]
    values: dict[int, float]
    # (n_rows,) The leaf that each row comes to.
    leaf: NDArray[np.int64]
    # Whether each node was looked at before the work was done.
    is_complete: bool = True

    @classmethod
    def stump(cls, rows: GrowingRows) -> GrownTree:
        """Return the tree that predicts the more frequent label for all rows."""
        positives = rows.counted(rows.labels, np.arange(rows.n_rows)).sum()
        return cls({}, {1: float(2 * positives > rows.total)}, np.ones(rows.n_rows, dtype=np.int64))

    def graft(self, number: int, splits: dict[int, Literal], values: dict[int, float]) -> None:
        """Put a subtree, whose root is 1, in the place of a node and all below it."""
        for part in (self.splits, self.values):
            for below in [other for other in part if is_below(other, number)]:
                del part[below]
        self.splits |= {renumbered(node, number): split for node, split in splits.items()}
        self.values |= {renumbered(node, number): value for node, value in values.items()}


def is_below(node: int, top: int) -> bool:
    """Say whether a node is another one or below it."""
    return node >> max(node.bit_length() - top.bit_length(), 0) == top


def renumbered(node: int, top: int) -> int:
    """Return the number that a node of a subtree has where the root of the subtree is put at `top`."""
    level = node.bit_length() - 1
    return (top << level) + node - (1 << level)


def sampled(rows: GrowingRows, own: NDArray[np.int64], growing: GrowingSettings, number: int) -> NDArray[np.int64]:
    """Return some of the rows of a node: of each group and label the same share, but at least one."""
    if len(own) <= growing.sample_size:
        return own
    random = np.random.default_rng([growing.seed, number])
    strata = rows.strata.cells[own]
    drawn = [
        random.choice(np.flatnonzero(strata == s), max(1, round(size * growing.sample_size / len(own))), replace=False)
        for s, size in enumerate(np.bincount(strata))
        if size
    ]
    return own[np.sort(np.concatenate(drawn))]


def row_prices(rows: GrowingRows, leaf: NDArray[np.int64], *, weight: float, margin: float) -> NDArray[np.float64]:
    """Return the price of a positive prediction for each group and label.

    ::

        minimise over v, w    sum_l d_l v_l + weight * w
        (mu_k)   subject to   sum_l G_kl v_l <= bounds_k - margin         for each form k
        (nu_k)                sum_l G_kl v_l <= w
                              0 <= v_l <= 1                               for each leaf l

    with d_l what predicting 1 in leaf l adds to the share of wrong rows. A row costs sum_k (mu_k + nu_k) G_k.

    Shapes: `leaf` (n_rows,); returns (n_strata,).
    """
    n_strata, n_forms = rows.strata.n_cells, len(rows.bounds)
    if not n_forms:
        return np.zeros(n_strata)
    numbers, places = np.unique(leaf, return_inverse=True)
    counts = np.bincount(places * n_strata + rows.strata.cells, rows.weights, len(numbers) * n_strata)
    counts = counts.reshape(len(numbers), n_strata)
    wrong = counts @ (1 - 2 * rows.strata.targets) / rows.total
    forms = rows.forms @ counts.T
    program = linprog(
        np.r_[wrong, weight],
        A_ub=np.vstack([np.hstack([forms, np.zeros((n_forms, 1))]), np.hstack([forms, -np.ones((n_forms, 1))])]),
        b_ub=np.r_[rows.stricter(margin), np.zeros(n_forms)],
        bounds=[*[(0.0, 1.0)] * len(numbers), (None, None)] if weight else [*[(0.0, 1.0)] * len(numbers), (0.0, None)],
        method="highs",
    )
    if program.status != 0:
        return np.zeros(n_strata)
    multipliers = -program.ineqlin.marginals
    return rows.total * (multipliers[:n_forms] + multipliers[n_forms:]) @ rows.forms


# Grow a tree from the root: each node takes the first split of the best subtree of a few levels.
#
# At the root, over subtrees of K levels that keep the constraint, this is minimised::
#
#     share of wrong rows + a * splits - beta * F,     a = 1 / (2^(K+1) - 2) rows
#
# F is by how much the rates of the groups keep within what is allowed, in the worst pair: for the 80 % rule the least
# of (rate of the worse-off group - 0.8 * rate of the other). Below the root a node sees its own rows only, and what its
# predictions add to the rates of the whole table counts at the price that rates have there: the multipliers of
#
#     minimise over 0 <= v <= 1    share of wrong rows - beta * F      subject to the constraint
#
# where v is what each leaf of the whole tree predicts. So no node has to treat groups alike by itself, and yet the
# labels of all leaves together can, see `repaired`.
#
# Where splits shall be taken one by one instead, see `iter_greedy`, only what is below them looks at prices.

# Grow a tree without looking ahead: each node takes the split that lowers the Gini impurity most, as CART does.
#
# With few rows, trees whose first split is the best of several levels follow chance more than trees whose splits each
# separate the labels. So this is one of the ways that held-out rows choose from. The constraint is met by the labels of
# leaves alone.

MOST_GREEDY_SPLITS: Final = 240
"""Splits of a node that are compared."""


def iter_greedy(rows: GrowingRows, growing: GrowingSettings, budget: Budget) -> Searching[GrownTree]:
    """Grow a tree split by split."""
    grown = GrownTree.stump(rows)
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
            parts = [own[leaf == child] for child in (2, 3)]
            shares = [rows.counted(rows.labels[part], part).sum() / rows.size(part) for part in parts]
            grown.graft(number, {1: split}, {2: float(shares[0] > 0.5), 3: float(shares[1] > 0.5)})
            grown.leaf[own] = 2 * number + leaf - 2
    return grown


def _purest(rows: GrowingRows, growing: GrowingSettings, own: NDArray[np.int64], number: int) -> Literal | None:
    """Return the split of a node after which n_left q_left (1 - q_left) + n_right q_right (1 - q_right) is least."""
    labels = rows.labels[own]
    if rows.size(own) < 2 * growing.least_leaf or len(own) < 2 or labels.min() == labels.max():
        return None
    sample = sampled(rows, own, growing, number)
    splits, holds = rows.table.splits(sample, rows.labels[sample], MOST_GREEDY_SPLITS, rows.of(sample))
    least = _least(rows, growing, own, sample)
    inside = holds.sum(axis=0) if rows.weights is None else rows.weights[sample] @ holds
    counted = rows.counted(rows.labels[sample], sample)
    positives = counted @ holds
    total, n = counted.sum(), rows.size(sample)
    fits = (inside >= least) & (n - inside >= least)
    if not fits.any():
        return None
    few = 1 if rows.weights is None else least
    left, right = np.maximum(inside, few), np.maximum(n - inside, few)
    impurity = positives * (1 - positives / left) + (total - positives) * (1 - (total - positives) / right)
    best = splits[int(np.where(fits, impurity, np.inf).argmin())]
    held = rows.table.holds(best, own)
    sides = rows.size(own[held]), rows.size(own[~held])
    return best if min(sides) > 0 and min(sides) >= growing.least_leaf else None


def _least(rows: GrowingRows, growing: GrowingSettings, own: NDArray[np.int64], sample: NDArray[np.int64]) -> float:
    """Return how much of a sample the smallest leaf of a node must hold."""
    if rows.weights is None:
        return max(growing.min_leaf_size * len(sample) // len(own), 1)
    return max(growing.min_leaf_size * rows.size(sample) / rows.size(own), float(rows.weights[sample].min()))


def pruned(rows: GrowingRows, growing: GrowingSettings, grown: GrownTree) -> GrownTree:
    """Return a tree in which each split is worth its price.

    From the leaves up, a node becomes a leaf where that costs no more rows, at the prices that rates have in the whole
    tree, than the price of the splits that it spares.
    """
    if not growing.worth:
        # At the prices of a linear program, splits that whole labels need can be worth nothing.
        return grown
    prices = row_prices(rows, grown.leaf, weight=growing.split_weight, margin=growing.split_margin)
    price = growing.price_of_split + growing.worth * rows.total
    numbers, places = np.unique(grown.leaf, return_inverse=True)
    costs = np.bincount(places, rows.counted(1 - 2 * rows.labels + prices[rows.strata.cells], np.arange(rows.n_rows)))
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


MOST_SPLITS_AHEAD: Final = {1: 240, 2: 100, 3: 40, 4: 20}
"""By levels that are looked ahead, splits of a node that are searched through."""

FARTHEST: Final = max(MOST_SPLITS_AHEAD)
"""Levels that are looked ahead, at most."""

LEAST_S: Final = 0.05
"""Fewest seconds of work for a node."""


def iter_grown(rows: GrowingRows, growing: GrowingSettings, budget: Budget) -> Searching[GrownTree]:
    """Grow a tree."""
    if growing.is_greedy:
        grown = yield from iter_greedy(rows, growing, budget)
    else:
        grown = GrownTree.stump(rows)
    # Under a greedy tree, leaves may still be parted by what rates cost, so that fewer rows get another label for it.
    leaves = [leaf for leaf in np.unique(grown.leaf).tolist() if leaf.bit_length() <= growing.max_depth]
    waiting = [(leaf, np.flatnonzero(grown.leaf == leaf)) for leaf in leaves]
    stopped, done = False, 0
    while waiting:
        number, own = waiting.pop(0)
        if budget.left <= LEAST_S or stopped:
            grown.is_complete = False
            break
        # Rows that are not yet looked at, on each level that is left, share the work.
        share = max(LEAST_S, budget.left * len(own) / (len(own) + sum(len(other) for _, other in waiting)) / 2)
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
    rows: GrowingRows, growing: GrowingSettings, grown: GrownTree, number: int, own: NDArray[np.int64], budget: Budget
) -> Searching[bool]:
    """Look ahead from one node and graft what is better; return whether the caller stopped."""
    labels = rows.labels[own]
    prices = np.zeros(rows.strata.n_cells)
    if number > 1:
        prices = row_prices(rows, grown.leaf, weight=growing.split_weight, margin=growing.split_margin)
    if rows.size(own) < 2 * growing.least_leaf or len(own) < 2 or (labels.min() == labels.max() and not prices.any()):
        return False
    depth = min(growing.look_ahead, growing.max_depth - number.bit_length() + 1)
    sample = sampled(rows, own, growing, number)
    budget.spend(calls=300, elements=2 * MOST_SPLITS_AHEAD[depth] * len(sample) + 40 * len(own))
    splits, holds = rows.table.splits(sample, rows.labels[sample], MOST_SPLITS_AHEAD[depth], rows.of(sample))
    if not splits:
        return False
    problem = _node_problem(rows, growing, own, sample, holds, depth, None if number == 1 else prices)
    found, stopped = yield from iter_relay(iter_frontier(problem, budget=budget, seed=growing.seed), _looking_ahead)
    if found.shape is not None:
        parts, _ = numbered_parts(found.shape.tidy() if number > 1 else found.shape, splits)
        _graft_if_better(rows, growing, grown, number, own, parts, prices)
    return stopped


def _node_problem(
    rows: GrowingRows,
    growing: GrowingSettings,
    own: NDArray[np.int64],
    sample: NDArray[np.int64],
    holds: NDArray[np.bool_],
    depth: int,
    prices: NDArray[np.float64] | None,
) -> TreeProblem:
    apart = None if rows.similar is None else rows.similar[sample, None].astype(np.float64)
    own_rows = rows.groups[sample], rows.labels[sample]
    merged = TreeRows.merge(holds, *own_rows, rows.group_names, apart, rows.of(sample))
    stratum = np.zeros(merged.n_cells, dtype=np.int64)
    stratum[merged.cells] = rows.strata.cells[sample]
    n_strata = rows.strata.n_cells
    sizes, drawn = (np.bincount(rows.strata.cells[part], rows.of(part), n_strata) for part in (own, sample))
    stands_for = np.divide(sizes, drawn, out=np.ones(n_strata), where=drawn > 0)[stratum] * merged.weights
    limit, price = None, 0.0
    if prices is None and len(rows.bounds):
        forms = rows.forms[:, stratum] * stands_for
        limit = Limit(rows.constraint, sparse.csr_array(forms), rows.stricter(growing.split_margin))
        price = growing.split_weight
    elif prices is not None and prices.any():
        # One form without a bound that counts: a price of each row that is predicted 1.
        form = prices[stratum] * stands_for / rows.size(own)
        bound = np.array([np.abs(form).sum() + 1.0])
        limit, price = Limit(rows.constraint, sparse.csr_array(form[None, :]), bound), 1.0
    return TreeProblem(
        rows=merged,
        max_depth=depth,
        limit=limit,
        limit_price=price,
        min_leaf_size=_least(rows, growing, own, sample),
        split_price=1 / (2 ** (depth + 1) - 2) / rows.size(sample),
    )


def _graft_if_better(
    rows: GrowingRows,
    growing: GrowingSettings,
    grown: GrownTree,
    number: int,
    own: NDArray[np.int64],
    splits: dict[int, Literal],
    prices: NDArray[np.float64],
) -> None:
    """Graft a subtree unless the present one is better, on all rows of the node with the labels that cost least."""
    leaf = rows.table.leaves(splits, own)
    values, cost = _labels_by_price(rows, own, leaf, prices)
    sizes = np.bincount(leaf, rows.of(own))
    if min(sizes[np.unique(leaf)]) < growing.least_leaf and splits:
        return
    _, cost_now = _labels_by_price(rows, own, grown.leaf[own], prices)
    n_now = sum(is_below(node, number) for node in grown.splits)
    split_price = growing.price_of_split
    if number == 1 or cost + split_price * len(splits) < cost_now + split_price * n_now - 1e-9:
        missing = {node for split in splits for node in (2 * split, 2 * split + 1)} - splits.keys() - values.keys()
        grown.graft(number, splits, values | dict.fromkeys(missing, 0.0))
        grown.leaf[own] = np.array([0, *(renumbered(node, number) for node in range(1, int(leaf.max()) + 1))])[leaf]


def _labels_by_price(
    rows: GrowingRows, own: NDArray[np.int64], leaf: NDArray[np.int64], prices: NDArray[np.float64]
) -> tuple[dict[int, float], float]:
    """Return the label of least cost for each leaf, and the cost, in rows."""
    numbers, places = np.unique(leaf, return_inverse=True)
    sums = np.bincount(places, rows.counted(1 - 2 * rows.labels[own] + prices[rows.strata.cells[own]], own))
    values = {int(number): float(total < 0) for number, total in zip(numbers, sums, strict=True)}
    return values, float(rows.counted(rows.labels[own], own).sum() + np.minimum(sums, 0.0).sum())


def _looking_ahead(event: SearchEvent) -> Progress | None:
    return Progress("Looking ahead", 0, 1) if isinstance(event, Progress) else None


# The best labels for the leaves of a grown tree with which it keeps the constraint.

SCIP_TOLERANCE = 2e-6
"""By so much SCIP may break a limit."""

MOST_LABELING_S = 10.0
"""Seconds of work for the integer program over leaves, at most."""


@dataclass(frozen=True, eq=False)
class RepairedTree:
    """A whole tree with the best labels in its leaves."""

    splits: dict[int, Literal]
    values: dict[int, float]
    # Share of wrong rows, and the price of splits and of unequal rates.
    objective: float
    # Whether the constraint holds on all rows.
    meets_constraint: bool


def labels_of(
    rows: GrowingRows, growing: GrowingSettings, grown: GrownTree, budget: Budget
) -> tuple[dict[int, float], float]:
    """Return the best labels of the leaves of a tree, and its objective with them.

    ::

        minimise    share of wrong rows + a * splits - beta * F      over the labels of leaves
        subject to  the constraint, on all rows
    """
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


def repaired(
    rows: GrowingRows, growing: GrowingSettings, grown: GrownTree, budget: Budget | None = None
) -> RepairedTree:
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
    meets_constraint = bool((rows.form_values(predicted, everyone) <= rows.bounds + SLACK).all())
    return RepairedTree(parts, kept, objective, meets_constraint)


def _leaf_problem(
    rows: GrowingRows, growing: GrowingSettings, grown: GrownTree, numbers: list[int], depth: int
) -> TreeProblem:
    """Return the problem over cells that are the rows of a group and label in a leaf."""
    n_strata = rows.strata.n_cells
    found, places, counts = np.unique(
        grown.leaf * n_strata + rows.strata.cells, return_inverse=True, return_counts=True
    )
    if rows.weights is not None:
        counts = np.bincount(places.reshape(-1), rows.weights)
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
        own = None
        if rows.similar is not None:
            own = StrataCounts(np.arange(len(found)), require(rows.strata.points)[strata, 0].astype(np.int64), counts)
        limit = parity_limit(cells, rows.constraint, rows.difference, own)
        limit = replace(limit, bounds=rows.stricter(growing.margin))
    return TreeProblem(
        rows=cells,
        max_depth=depth,
        limit=limit,
        limit_price=growing.weight if limit is not None else 0.0,
        split_price=growing.price_of_split / rows.total,
    )


def _shape(grown: GrownTree, numbers: list[int], depth: int) -> TreeShape:
    """Return a grown tree as a shape, its splits numbered in the order of nodes."""
    splits = [NO_SPLIT] * (2**depth - 1)
    for place, number in enumerate(numbers):
        splits[number - 1] = place
    values = [0.0] * 2**depth
    for number, value in grown.values.items():
        first, n_below = leaves_below(number, depth)
        values[first : first + n_below] = [value] * n_below
    return TreeShape(tuple(splits), tuple(values))
