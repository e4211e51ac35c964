"""The path form of the integer problem, for labels and splits that are given columns: the tight one.

=========== =========================================================================================================
symbol      meaning
=========== =========================================================================================================
a           a place of the tree: a path from the root, see `TreeLevel`
x[q]        whether the tree has, at the place a(q), the split j(q)
y[c]        whether it has, at the place a(c), the leaf column c: a constant, or at the last level a whole stump
v[f]        whether feature f is asked for anywhere
=========== =========================================================================================================

The plain form says for each pattern which way it goes, and its linear relaxation sends half of each pattern each way.
Here what a choice adds to the loss and to each form is a number, and without rows between groups every vertex of the
relaxation is a tree. With such rows its bound is that of the best multipliers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.nodes import (
    DecodedTree,
    Expression,
    Floats,
    SplitPatterns,
    add_feature_limits,
)
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeProblem, TreeShape, leaves_below
from fairaudit.measure.limits import SLACK
from fairaudit.solver import add_row

if TYPE_CHECKING:
    from fairaudit.solver.models import Variable, WorkedModel

# A place is a path from the root: which splits were taken, and on which side. The patterns that come to a place are
# known before anything is solved, and so is what a leaf there adds to the loss and to each form: numbers, no variables.
# At the last level a column is a whole stump: nothing, all, one side or the other side of a split predicted 1.
#
# Columns at one place that add the same to every form are as good as the cheapest of them, which alone is kept.

Ints = NDArray[np.int64]

N_CONSTANT: Final = 2
"""The first leaf columns of a place predict 0 and 1 for all its rows."""

MOST_FORMS_OF_COLUMNS: Final = 32
"""With more forms, columns are only compared by whether they predict the same."""

FORM_DIGITS: Final = 7
"""Forms are compared up to these digits, in the units of one row."""

PLACES_AT_ONCE: Final = 10_000_000
"""Places times patterns that are converted to floats at once, to save memory."""

PLACES_A_STEP: Final = 2000
"""Places whose rows are added before control goes back to the caller."""


@dataclass(frozen=True, eq=False)
class ColumnCriteria:
    """What tells whether a column is needed: its loss, forms, splits, sizes and features."""

    # (n_patterns,) What predicting 1 instead of 0 adds to the rows that are wrong.
    loss: Floats
    # (n_forms, n_patterns) Other forms that matter, in units of rows.
    forms: Floats
    # What a split adds, in rows.
    split_cost: float
    # Rows of each leaf, at least.
    min_leaf_size: float
    # For each split the feature; empty where it does not matter how many are used.
    columns: tuple[int, ...]

    @property
    def keeps_short(self) -> bool:
        """Whether a tree that splits less can be better or allowed where one that splits more is not."""
        return bool(self.split_cost > 0 or self.min_leaf_size > 1 or self.columns)


@dataclass(frozen=True, eq=False)
class TreeLevel:
    """The places of one level, and what can be chosen there."""

    # (n_places,) The node of the tree, as in a heap.
    nodes: Ints
    # (n_places, n_patterns) Which patterns come there.
    masks: NDArray[np.bool_]
    # (n_leaves,) Leaf columns that are kept, as numbers ``place * n_choices + choice``, ascending.
    leaves: Ints
    # (n_places * n_choices,) For each leaf column the place in `leaves` of the kept one that stands for it; -1 where it
    # is not allowed.
    same_as: Ints
    # (n_split_columns, 2) Place and split of the columns that split; those of the last level are in leaf columns.
    # Column q leads to the places 2 q (left) and 2 q + 1 of the next level.
    splits: Ints
    # (n_places, n_splits) The column of `splits` that parts the rows of the place alike, plus 1; negative where left
    # and right change places, 0 where the split is not allowed.
    stands_for: Ints

    @property
    def n_choices(self) -> int:
        """Leaf columns of a place, before some are dropped."""
        return len(self.same_as) // max(len(self.nodes), 1)

    def leaf_values(self, weights: Floats, patterns: SplitPatterns) -> Floats:
        """Return what each kept leaf column adds to a form of the predictions, shape (n_leaves,)."""
        return _all_values(self.masks, weights, patterns, self.n_choices > N_CONSTANT).ravel()[self.leaves]


def count_places(n_splits: int, depth: int) -> int:
    """Return how many places the last level has at most."""
    return (2 * n_splits) ** (depth - 1)


def iter_path_levels(patterns: SplitPatterns, depth: int, criteria: ColumnCriteria) -> Iterator[TreeLevel]:
    """Yield the places and columns of each level.

    Notes
    -----
    O((2 J)^(K-1) J p) for J splits and p patterns, as matrix products.
    """
    nodes, masks = np.ones(1, dtype=np.int64), np.ones((1, patterns.n_patterns), dtype=bool)
    for height in range(depth - 1, -1, -1):
        is_last = height == 0
        parts = _parts(masks, patterns, max(criteria.min_leaf_size, 1))
        splits, stands_for = np.zeros((0, 2), dtype=np.int64), np.zeros(parts.shape, dtype=np.int64)
        if not is_last:
            splits, stands_for = _split_columns(masks, parts, patterns, by_feature=bool(criteria.columns))
        allowed = np.ones((len(nodes), N_CONSTANT), dtype=bool)
        if is_last:
            allowed = np.hstack([allowed, parts, parts])
        elif not criteria.keeps_short:
            allowed[parts.any(axis=1)] = False
        leaves, same_as = _leaf_columns(masks, allowed, patterns, criteria)
        yield TreeLevel(nodes, masks, leaves, same_as, splits, stands_for)
        left = masks[splits[:, 0]] & patterns.holds[:, splits[:, 1]].T
        right = masks[splits[:, 0]] & ~left
        masks = np.stack([left, right], axis=1).reshape(2 * len(splits), patterns.n_patterns)
        nodes = (2 * nodes[splits[:, 0]][:, None] + np.array([0, 1])).ravel()


def _parts(masks: NDArray[np.bool_], patterns: SplitPatterns, least: float) -> NDArray[np.bool_]:
    """Say which splits leave at least `least` rows of a place on both sides, shape (n_places, n_splits)."""
    total, left = _sums(masks, patterns.sizes, patterns)
    enough = patterns.fewest(least) * (1 - SLACK)
    return (left >= enough) & (total - left >= enough)


def _split_columns(
    masks: NDArray[np.bool_], parts: NDArray[np.bool_], patterns: SplitPatterns, *, by_feature: bool
) -> tuple[Ints, Ints]:
    """Return the splits of each place that part its rows in different ways, and `TreeLevel.stands_for`."""
    marks = _marks(patterns.n_patterns)
    sums = [_sums(masks, mark, patterns) for mark in marks]
    left = np.stack([part for _, part in sums], axis=2)
    right = np.stack([total - part for total, part in sums], axis=2)
    swapped = (left[:, :, 0] > right[:, :, 0]) & (not by_feature)
    keys = np.where(swapped[:, :, None], right, left)
    stands_for = np.zeros(parts.shape, dtype=np.int64)
    splits: list[tuple[int, int]] = []
    for place in range(len(masks)):
        first: dict[tuple[float, ...], tuple[int, bool]] = {}
        for split in np.flatnonzero(parts[place]).tolist():
            key = (*keys[place, split].tolist(), *((split,) if by_feature else ()))
            if key not in first:
                splits.append((place, split))
                first[key] = (len(splits), bool(swapped[place, split]))
            column, is_swapped = first[key]
            stands_for[place, split] = column if is_swapped == swapped[place, split] else -column
    return np.array(splits, dtype=np.int64).reshape(-1, 2), stands_for


def _leaf_columns(
    masks: NDArray[np.bool_], allowed: NDArray[np.bool_], patterns: SplitPatterns, criteria: ColumnCriteria
) -> tuple[Ints, Ints]:
    """Return the leaf columns that are kept, and for each column the kept one that stands for it."""
    n_places, n_choices = allowed.shape
    is_last = n_choices > N_CONSTANT
    if len(criteria.forms) <= MOST_FORMS_OF_COLUMNS:
        forms, digits = criteria.forms, FORM_DIGITS
    else:
        forms, digits = _marks(patterns.n_patterns), 0
    costs = _all_values(masks, criteria.loss, patterns, is_last)
    costs[:, N_CONSTANT:] += criteria.split_cost
    values = [np.round(_all_values(masks, form, patterns, is_last), digits) + 0.0 for form in forms]
    features = np.zeros((n_places, n_choices))
    if criteria.columns and is_last:
        features[:, N_CONSTANT:] = 1.0 + np.tile(np.array(criteria.columns), 2)
    places = np.repeat(np.arange(n_places, dtype=np.float64)[:, None], n_choices, axis=1)
    keys = np.stack([array.ravel() for array in (places, features, *values)], axis=1)
    numbers = np.flatnonzero(allowed.ravel())
    order = numbers[np.lexsort((numbers, np.round(costs.ravel()[numbers], FORM_DIGITS)))]
    _, first, inverse = np.unique(keys[order], axis=0, return_index=True, return_inverse=True)
    leaves = np.sort(order[first])
    same_as = np.full(n_places * n_choices, -1, dtype=np.int64)
    same_as[order] = np.searchsorted(leaves, order[first][inverse.reshape(-1)])
    return leaves, same_as


def _all_values(masks: NDArray[np.bool_], weights: Floats, patterns: SplitPatterns, is_last: bool) -> Floats:
    """Return what each leaf column adds to a form, shape (n_places, n_choices)."""
    if not is_last:
        total = (masks @ weights)[:, None]
        return np.hstack([np.zeros_like(total), total])
    total, left = _sums(masks, weights, patterns)
    return np.hstack([np.zeros_like(total), total, left, total - left])


def _sums(masks: NDArray[np.bool_], weights: Floats, patterns: SplitPatterns) -> tuple[Floats, Floats]:
    """Return the sum of weights at each place, shape (n_places, 1), and where each split holds there."""
    weighted = patterns.holds * weights[:, None]
    step = max(PLACES_AT_ONCE // max(len(weights), 1), 1)
    left = [masks[begin : begin + step].astype(np.float64) @ weighted for begin in range(0, len(masks), step)]
    shape = (len(masks), weighted.shape[1])
    return (masks @ weights)[:, None], np.concatenate(left).reshape(shape) if left else np.zeros(shape)


def _marks(n_patterns: int) -> Floats:
    """Return two random whole numbers for each pattern: sets of patterns with the same sums are the same set."""
    # Sums of fewer than 2^13 such numbers are exact; more patterns would take the numbers smaller.
    most = 2 ** (52 - max(n_patterns.bit_length(), 1))
    return np.random.default_rng(0).integers(1, most, size=(2, n_patterns)).astype(np.float64)


class PathForm:
    """The path form as a part of a model of SCIP; it is complete when `iter_build` has run."""

    # problem: A classification.
    def __init__(self, model: WorkedModel, problem: TreeProblem, patterns: SplitPatterns, criteria: ColumnCriteria):
        self.span = 1.0
        self.levels: list[TreeLevel] = []
        self.model, self.problem, self.patterns, self.criteria = model, problem, patterns, criteria

    def iter_build(self) -> Iterator[None]:
        """Add variables and rows, a few at a time."""
        model = self.model
        for level in iter_path_levels(self.patterns, self.problem.max_depth, self.criteria):
            self.levels.append(level)
            yield
        # What is nearer to the root is branched on first.
        self.splits = [
            [model.addVar(f"x_{height}_{q}", vtype="B") for q in range(len(level.splits))]
            for height, level in enumerate(self.levels)
        ]
        self.leaves = [
            [model.addVar(f"y_{height}_{c}", vtype="B") for c in range(len(level.leaves))]
            for height, level in enumerate(self.levels)
        ]
        for height, variables in enumerate(self.splits):
            for variable in variables:
                model.chgVarBranchPriority(variable, self.problem.max_depth - height)
        self.variables = [variable for part in (*self.splits, *self.leaves) for variable in part]
        self.n_choices = len(self.variables)
        self._first_leaf = sum(map(len, self.splits))
        yield
        yield from self._iter_add_paths()
        self.features = add_feature_limits(
            model, self.problem, self._variables_by_feature() if self.criteria.columns else {}
        )
        self.variables = [*self.variables, *self.features.values()]

    def _iter_add_paths(self) -> Iterator[None]:
        """Add what makes the choices one tree."""
        # sum_{q at root} x[q] + sum_{c at root} y[c] = 1
        # sum_{q at a} x[q] + sum_{c at a} y[c] = x[the split that leads to a],  all other a
        for height, level in enumerate(self.levels):
            inside: list[list[Variable]] = [[] for _ in level.nodes]
            for (place, _), variable in zip(level.splits.tolist(), self.splits[height], strict=True):
                inside[place].append(variable)
            for number, variable in zip(level.leaves.tolist(), self.leaves[height], strict=True):
                inside[number // level.n_choices].append(variable)
            for place, variables in enumerate(inside):
                if place % PLACES_A_STEP == 0:
                    yield
                before = [self.splits[height - 1][place // 2]] if height else []
                factors = [*np.ones(len(variables)), *-np.ones(len(before))]
                side = 0.0 if height else 1.0
                name = f"path_{height}_{place}"
                add_row(self.model, [*variables, *before], factors, at_least=side, at_most=side, name=name)

    def _variables_by_feature(self) -> dict[int, dict[int, list[Variable]]]:
        """Return for each feature and node the variables that split by it there."""
        by_feature: dict[int, dict[int, list[Variable]]] = {}
        for height, level in enumerate(self.levels):
            splits = level.splits.tolist()
            pairs = [(*split, variable) for split, variable in zip(splits, self.splits[height], strict=True)]
            for number, variable in zip(level.leaves.tolist(), self.leaves[height], strict=True):
                place, choice = divmod(number, level.n_choices)
                if choice >= N_CONSTANT:
                    pairs.append((place, (choice - N_CONSTANT) % self.patterns.holds.shape[1], variable))
            for place, split, variable in pairs:
                by_node = by_feature.setdefault(self.criteria.columns[split], {})
                by_node.setdefault(int(level.nodes[place]), []).append(variable)
        return by_feature

    def predictions(self, weights: Floats) -> Expression:
        """Return a linear form of the predictions of patterns."""
        variables = [variable for part in self.leaves for variable in part]
        return Expression(
            variables, np.concatenate([level.leaf_values(weights, self.patterns) for level in self.levels])
        )

    def pattern_predictions(self, values: Floats) -> Floats:
        """Return the prediction of each pattern where the leaf columns have these values."""
        predictions, begin = np.zeros(self.patterns.n_patterns), 0
        for level in self.levels:
            part = values[begin : begin + len(level.leaves)]
            begin += len(level.leaves)
            for column in np.flatnonzero(part).tolist():
                place, choice = divmod(int(level.leaves[column]), level.n_choices)
                predictions += part[column] * (level.masks[place] & self._side(choice))
        return predictions

    def _side(self, choice: int) -> NDArray[np.bool_]:
        """Return which patterns a leaf column predicts 1 for, were they all there."""
        if choice < N_CONSTANT:
            return np.full(self.patterns.n_patterns, choice == 1)
        right, split = divmod(choice - N_CONSTANT, self.patterns.holds.shape[1])
        return self.patterns.holds[:, split] ^ bool(right)

    def losses(self) -> Expression:
        """Return the loss in rows, with what splits cost."""
        rows = self.problem.rows
        leaves = self.predictions(self.criteria.loss)
        splits = [variable for part in self.splits for variable in part]
        is_stump = np.concatenate([level.leaves % level.n_choices >= N_CONSTANT for level in self.levels])
        coefficients = [
            leaves.coefficients + self.criteria.split_cost * is_stump,
            np.full(len(splits), self.criteria.split_cost),
        ]
        return Expression(
            [*leaves.variables, *splits], np.concatenate(coefficients), float(rows.weights @ rows.targets)
        )

    def decode(self, values: Floats) -> DecodedTree:
        """Return the tree that values of the first `n_choices` variables stand for."""
        depth = self.problem.max_depth
        splits, leaf_values = [NO_SPLIT] * 2**depth, np.zeros(2**depth)
        taken = np.asarray(values) > 0.5
        begin = 0
        for level, variables in zip(self.levels, self.splits, strict=True):
            for place, split in level.splits[taken[begin : begin + len(variables)]].tolist():
                splits[int(level.nodes[place])] = split
            begin += len(variables)
        for level, variables in zip(self.levels, self.leaves, strict=True):
            for number in level.leaves[taken[begin : begin + len(variables)]].tolist():
                place, choice = divmod(number, level.n_choices)
                node = int(level.nodes[place])
                first, n_below = leaves_below(node, depth)
                if choice < N_CONSTANT:
                    leaf_values[first : first + n_below] = choice
                else:
                    right, splits[node] = divmod(choice - N_CONSTANT, self.patterns.holds.shape[1])
                    leaf_values[first + right] = 1.0
            begin += len(variables)
        return DecodedTree(TreeShape(tuple(splits[1:]), tuple(leaf_values.tolist())))

    def rounded(self, values: Floats) -> TreeShape:
        """Return the tree that values of the first `n_choices` variables are near to, which may be fractions."""
        whole = np.zeros(self.n_choices)
        begin, first, places = 0, self._first_leaf, np.zeros(1, dtype=np.int64)
        for level in self.levels:
            splits = values[begin : begin + len(level.splits)]
            leaves = values[first : first + len(level.leaves)]
            following = []
            for place in places.tolist():
                columns = np.flatnonzero(level.splits[:, 0] == place)
                ends = np.flatnonzero(level.leaves // level.n_choices == place)
                if len(columns) and splits[columns].max() >= leaves[ends].max(initial=0.0):
                    column = int(columns[np.argmax(splits[columns])])
                    whole[begin + column] = 1.0
                    following += [2 * column, 2 * column + 1]
                else:
                    whole[first + ends[np.argmax(leaves[ends])]] = 1.0
            begin, first = begin + len(level.splits), first + len(level.leaves)
            places = np.array(following, dtype=np.int64)
        return self.decode(whole).shape

    def encode(self, shape: TreeShape, subsets: Sequence[tuple[int, ...]] = ()) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it."""
        values = np.zeros(len(self.variables))
        if shape.depth != self.problem.max_depth or not self._walk(shape, 1, 0, 0, values):
            return None
        if self.criteria.columns:
            decoded = self.decode(values[: self.n_choices]).shape
            used = {self.criteria.columns[split] for split in decoded.splits if split != NO_SPLIT}
            for place, feature in enumerate(self.features):
                values[self.n_choices + place] = feature in used
        return values

    def _walk(self, shape: TreeShape, node: int, height: int, place: int, values: Floats) -> bool:
        """Set the values of the tree below a node at a place; False where there is no such column."""
        level = self.levels[height]
        if node > len(shape.splits):
            return self._set_leaf(height, place, int(shape.values[node - len(shape.values)]), values)
        split = shape.splits[node - 1]
        if split == NO_SPLIT:
            return self._set_leaf(height, place, int(shape.values[leaves_below(node, shape.depth)[0]]), values)
        left = level.masks[place] & self.patterns.holds[:, split]
        if not left.any() or (left == level.masks[place]).all():
            return self._walk(shape, 2 * node + (not left.any()), height, place, values)
        if height + 1 == len(self.levels):
            low, high = (shape.values[2 * node + side - len(shape.values)] for side in (0, 1))
            swapped = high > low
            choice = int(low) if low == high else N_CONSTANT + split + swapped * self.patterns.holds.shape[1]
            return self._set_leaf(height, place, choice, values)
        signed = int(level.stands_for[place, split])
        if signed == 0:
            return False
        column = abs(signed) - 1
        values[sum(map(len, self.splits[:height])) + column] = 1.0
        return all(
            self._walk(shape, 2 * node + side, height + 1, 2 * column + (side ^ (signed < 0)), values)
            for side in (0, 1)
        )

    def _set_leaf(self, height: int, place: int, choice: int, values: Floats) -> bool:
        """Set one leaf column, or splits that make no difference above it where leaves are only at the last level."""
        level = self.levels[height]
        kept = int(level.same_as[place * level.n_choices + choice])
        if kept >= 0:
            values[self._first_leaf + sum(map(len, self.leaves[:height])) + kept] = 1.0
            return True
        columns = np.flatnonzero(level.splits[:, 0] == place)
        if choice >= N_CONSTANT or not len(columns):
            return False
        column = int(columns[0])
        values[sum(map(len, self.splits[:height])) + column] = 1.0
        return all(self._set_leaf(height + 1, 2 * column + side, choice, values) for side in (0, 1))
