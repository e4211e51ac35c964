"""The path form of the integer problem, for labels and splits that are given columns: the tight one.

=========== =========================================================================================================
symbol      meaning
=========== =========================================================================================================
a           a place of the tree: a path from the root, see `formulation_columns`
x[q]        whether the tree has, at the place a(q), the split j(q)
y[c]        whether it has, at the place a(c), the leaf column c: a constant, or at the last level a whole stump
v[f]        whether feature f is asked for anywhere
=========== =========================================================================================================

The plain form says for each pattern which way it goes, and its linear relaxation sends half of each pattern each way.
Here what a choice adds to the loss and to each form is a number, and without rows between groups every vertex of the
relaxation is a tree. With such rows its bound is that of the best multipliers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.columns import CHUNK, N_CONSTANT, Asked, Level, iter_path_levels
from fairaudit.estimators.trees.formulation.limits import add_feature_limits
from fairaudit.estimators.trees.formulation.parts import Decoded, Expression
from fairaudit.estimators.trees.formulation.patterns import Floats, Patterns
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below
from fairaudit.solver import add_row


class PathForm:
    """The path form as a part of a model of SCIP; it is complete when `iter_build` has run.

    Parameters
    ----------
    model : pyscipopt.Model
        An empty model.
    problem : TreeProblem
        What is asked; a classification.
    patterns : Patterns
        Its patterns.
    asked : Asked
        Loss and forms over patterns.
    """

    def __init__(self, model: Any, problem: TreeProblem, patterns: Patterns, asked: Asked):
        self.span = 1.0
        self.levels: list[Level] = []
        self.model, self.problem, self.patterns, self.asked = model, problem, patterns, asked

    def iter_build(self) -> Iterator[None]:
        """Add variables and rows, a few at a time."""
        model = self.model
        for level in iter_path_levels(self.patterns, self.problem.max_depth, self.asked):
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
        self.features = add_feature_limits(model, self.problem, self._asking() if self.asked.columns else {})
        self.variables = [*self.variables, *self.features.values()]

    def _iter_add_paths(self) -> Iterator[None]:
        """Add what makes the choices one tree."""
        # sum_{q at root} x[q] + sum_{c at root} y[c] = 1
        # sum_{q at a} x[q] + sum_{c at a} y[c] = x[the split that leads to a],  all other a
        for height, level in enumerate(self.levels):
            inside: list[list[Any]] = [[] for _ in level.nodes]
            for (place, _), variable in zip(level.splits.tolist(), self.splits[height], strict=True):
                inside[place].append(variable)
            for number, variable in zip(level.leaves.tolist(), self.leaves[height], strict=True):
                inside[number // level.n_choices].append(variable)
            for place, variables in enumerate(inside):
                if place % CHUNK == 0:
                    yield
                before = [self.splits[height - 1][place // 2]] if height else []
                factors = [*np.ones(len(variables)), *-np.ones(len(before))]
                side = 0.0 if height else 1.0
                name = f"path_{height}_{place}"
                add_row(self.model, [*variables, *before], factors, at_least=side, at_most=side, name=name)

    def _asking(self) -> dict[int, dict[int, list[Any]]]:
        """Return for each feature and node the variables that ask for it there."""
        asking: dict[int, dict[int, list[Any]]] = {}
        for height, level in enumerate(self.levels):
            splits = level.splits.tolist()
            pairs = [(*split, variable) for split, variable in zip(splits, self.splits[height], strict=True)]
            for number, variable in zip(level.leaves.tolist(), self.leaves[height], strict=True):
                place, choice = divmod(number, level.n_choices)
                if choice >= N_CONSTANT:
                    pairs.append((place, (choice - N_CONSTANT) % self.patterns.holds.shape[1], variable))
            for place, split, variable in pairs:
                by_node = asking.setdefault(self.asked.columns[split], {})
                by_node.setdefault(int(level.nodes[place]), []).append(variable)
        return asking

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
        leaves = self.predictions(self.asked.loss)
        splits = [variable for part in self.splits for variable in part]
        is_stump = np.concatenate([level.leaves % level.n_choices >= N_CONSTANT for level in self.levels])
        coefficients = [
            leaves.coefficients + self.asked.split_cost * is_stump,
            np.full(len(splits), self.asked.split_cost),
        ]
        return Expression(
            [*leaves.variables, *splits], np.concatenate(coefficients), float(rows.weights @ rows.targets)
        )

    def decode(self, values: Floats) -> Decoded:
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
        return Decoded(TreeShape(tuple(splits[1:]), tuple(leaf_values.tolist())))

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

    def encode(self, shape: TreeShape) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it."""
        values = np.zeros(len(self.variables))
        if shape.depth != self.problem.max_depth or not self._walk(shape, 1, 0, 0, values):
            return None
        if self.asked.columns:
            decoded = self.decode(values[: self.n_choices]).shape
            used = {self.asked.columns[split] for split in decoded.splits if split != NO_SPLIT}
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
            turned = high > low
            choice = int(low) if low == high else N_CONSTANT + split + turned * self.patterns.holds.shape[1]
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
