"""The rows that a tree is grown on, how it is grown, and the tree while it grows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linprog

from fairaudit.estimators.rules.binarizer import ColumnLiterals, LiteralChoice, find_literals
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.problem import TreeRows, parity_limit
from fairaudit.estimators.trees.split_candidates import MAX_LEVELS, MIN_LEVEL_COUNT, category_splits

# A table read once, from which each node of a growing tree takes the splits that part its own rows.

FINEST: Final = 256
"""Parts that numbers and dates are cut into: nodes take their thresholds from these cuts."""


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The columns of a table as codes, see :mod:`fairaudit.estimators.rules.binarizer`.

    Parameters
    ----------
    columns : tuple of ColumnLiterals
        Cuts or levels of each column.
    codes : tuple of ndarray of int, shape (n_rows,)
        For each column, the code of each row.
    """

    columns: tuple[ColumnLiterals, ...]
    codes: tuple[NDArray[np.int64], ...]

    @classmethod
    def read(cls, frame: pd.DataFrame, names: list[str]) -> CodedTable:
        """Read columns.

        Shapes: `frame` (n_rows, n_features).
        """
        columns, codes = [], []
        for name in names:
            few = LiteralChoice(FINEST, MIN_LEVEL_COUNT, MAX_LEVELS, add_negations=False)
            column = find_literals(frame, name, few)
            if column.has_levels and not len(column.points):
                column = find_literals(frame, name, LiteralChoice(FINEST, 1, MAX_LEVELS, add_negations=False))
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
        self, rows: NDArray[np.int64], targets: NDArray[np.float64], most: int
    ) -> tuple[tuple[Literal, ...], NDArray[np.bool_]]:
        """Return splits that part some rows.

        Shapes: `rows` (n,), `targets` (n,); returns `holds` (n, n_splits).
        """
        codes = [own[rows] for own in self.codes]
        n_splits = max(2 * most // max(len(self.columns), 1), 1)
        while True:
            found = [
                category_splits(column, own, targets, n_splits) if column.has_levels else _cuts(column, own, n_splits)
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


def _cuts(column: ColumnLiterals, codes: NDArray[np.int64], n_splits: int) -> ColumnLiterals:
    """Return the cuts that lie nearest to the quantiles of some rows, and the split on missing values."""
    n_cuts = len(column.points)
    below = np.cumsum(np.bincount(codes, minlength=n_cuts + 2)[: n_cuts + 1])
    known = int(below[-1])
    # Of cuts that part these rows alike, the first.
    sizes, places = np.unique(below[:n_cuts], return_index=True)
    inside = (sizes > 0) & (sizes < known)
    sizes, places = sizes[inside], places[inside]
    if len(sizes) > n_splits:
        ends = np.arange(1, n_splits + 1) * known / (n_splits + 1)
        near = np.clip(np.searchsorted(sizes, ends), 1, len(sizes) - 1)
        places = places[np.unique(near - (ends - sizes[near - 1] < sizes[near] - ends))]
    missing = [place for place, literal in enumerate(column.literals) if literal.kind == "missing"]
    return column.take([*places.tolist(), *(missing if 0 < known < len(codes) else [])])


MOST_MARGIN: Final = 0.19
"""With the 80 % rule, 1 - 0.8 is the most that can be kept within it."""


@dataclass(frozen=True, eq=False)
class GrowingRows:
    """The rows that a tree is grown on.

    Parameters
    ----------
    table : CodedTable
        The columns that may be used.
    labels : ndarray of float, shape (n_rows,)
        0 or 1.
    groups : ndarray of int, shape (n_rows,)
        The index of the group.
    group_names : tuple of str
        What the groups are called.
    constraint : str
        What must be alike.
    difference : float, optional
        How far rates may be apart.
    """

    table: CodedTable
    labels: NDArray[np.float64]
    groups: NDArray[np.int64]
    group_names: tuple[str, ...]
    constraint: str
    difference: float | None
    strata: TreeRows = field(init=False)
    forms: NDArray[np.float64] = field(init=False)
    bounds: NDArray[np.float64] = field(init=False)

    def __post_init__(self):
        # Forms of the constraint are the same for all rows of a group and label, which are the cells without splits.
        nothing = np.zeros((len(self.labels), 0), dtype=bool)
        strata = TreeRows.merge(nothing, self.groups, self.labels, self.group_names)
        limit = parity_limit(strata, self.constraint, self.difference)
        object.__setattr__(self, "strata", strata)
        object.__setattr__(self, "forms", limit.forms.toarray() / strata.weights)
        object.__setattr__(self, "bounds", limit.bounds)

    @property
    def n_rows(self) -> int:
        """Rows."""
        return len(self.labels)

    def stricter(self, margin: float) -> NDArray[np.float64]:
        """Return the bounds, made stricter as far as a tree that always predicts 1 still meets them."""
        if self.constraint == "four_fifths":
            return self.bounds - min(margin, MOST_MARGIN)
        return np.maximum(self.bounds - margin, 0.0)

    def held(self, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what some rows add to each form."""
        sums = np.bincount(self.strata.cells[rows], weights=predicted[rows], minlength=self.strata.n_cells)
        return self.forms @ sums


@dataclass(frozen=True)
class Growing:
    """How a tree is grown.

    Parameters
    ----------
    max_depth : int
        Of the tree.
    look_ahead : int
        K.
    weight : float
        beta.
    margin : float
        By how much stricter than asked the constraint is held.
    sample_size : int
        Rows of a node that are searched over, at most.
    min_leaf_size : int
        Rows of each leaf, at least.
    seed : int
        Of samples.
    worth : float
        The share of all rows that a split must be worth, at least, to be kept in the end.
    is_greedy : bool
        Whether no node looks ahead, see `greedy`.
    labels_only : bool
        Whether beta and the margin count for the labels of leaves only. Splits then see the constraint as it is asked:
        held much stricter, no subtree of a few levels may keep it but a leaf, and nothing would grow.
    """

    max_depth: int
    look_ahead: int
    weight: float
    margin: float
    sample_size: int
    min_leaf_size: int
    seed: int
    worth: float = 0.0
    is_greedy: bool = False
    labels_only: bool = False

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
    """A tree, while it grows and at the end.

    Parameters
    ----------
    splits : dict of int to Literal
        By numbers of nodes.
    values : dict of int to float
        Of leaves.
    leaf : ndarray of int, shape (n_rows,)
        The leaf that each row comes to.
    is_complete : bool
        Whether each node was looked at before the work was done.
    """

    splits: dict[int, Literal]
    values: dict[int, float]
    leaf: NDArray[np.int64]
    is_complete: bool = True

    def graft(self, number: int, splits: dict[int, Literal], values: dict[int, float]) -> None:
        """Put a subtree, whose root is 1, in the place of a node and all below it."""
        for part in (self.splits, self.values):
            for below in [other for other in part if is_below(other, number)]:
                del part[below]
        self.splits |= {moved(node, number): split for node, split in splits.items()}
        self.values |= {moved(node, number): value for node, value in values.items()}


def is_below(node: int, top: int) -> bool:
    """Say whether a node is another one or below it."""
    return node >> max(node.bit_length() - top.bit_length(), 0) == top


def moved(node: int, top: int) -> int:
    """Return the number that a node of a subtree has where its root is `top`."""
    level = node.bit_length() - 1
    return (top << level) + node - (1 << level)


def sampled(rows: GrowingRows, own: NDArray[np.int64], growing: Growing, number: int) -> NDArray[np.int64]:
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


# What it costs that a row is predicted 1, beside being wrong: the price that rates have in a whole tree.


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
    counts = np.bincount(places * n_strata + rows.strata.cells, minlength=len(numbers) * n_strata)
    counts = counts.reshape(len(numbers), n_strata)
    wrong = counts @ (1 - 2 * rows.strata.targets) / rows.n_rows
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
    return rows.n_rows * (multipliers[:n_forms] + multipliers[n_forms:]) @ rows.forms
