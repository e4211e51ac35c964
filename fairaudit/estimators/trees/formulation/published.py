"""The integer problem of a tree as it was first published, (7a) to (7m): big Ms for each row, leaf and node above it.

It is slow, and there to be solved or checked by others: nothing in it is ours but what the table says.

======================= ==============================================================================================
symbol                  meaning
======================= ==============================================================================================
p[v,j], q[v]            whether node v asks for feature j; the cut of a quantitative one
n[v]                    whether node v asks for nothing, and all rows go left
w[v,i], gp, gm          whether row i is at most the cut; by how much it is below and above
s[v,j,k], c[v,i]        whether level k goes left; whether row i does, by a categorical feature
z[i,l], u[l], y[i]      whether row i is in leaf l; what the leaf predicts; what is predicted for the row
e[i]                    how far the prediction of an amount is off
a[l]                    whether leaf l has rows
======================= ==============================================================================================

Rows that are equal in all features are one row with a weight. A quantitative feature is the number of cuts that a row
is above, so that all its values are whole and M is the number of cuts and 1. Not in the paper are n[v], so that trees
that split less are found, too, and a[l], for the fewest rows of a leaf. Of labels, the error of a row is y or 1 - y.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.nodes import (
    PATTERNS_A_STEP,
    DecodedTree,
    Expression,
    Floats,
    SplitPatterns,
    add_feature_limits,
    limited_columns,
    target_range,
)
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeProblem, TreeShape, leaves_below
from fairaudit.solver import add_row

if TYPE_CHECKING:
    from fairaudit.solver.models import Variable, WorkedModel

BETWEEN_CUTS: Final = 0.5
"""The epsilon of (7f): values are whole."""

SAME_CUT: Final = 0.25
"""A cut that SCIP found stands for the whole number below it, but for rounding."""


@dataclass(frozen=True, eq=False)
class PublishedFeatures:
    """Features as the paper has them, made of the splits that trees may have."""

    # For each quantitative feature, the columns of its cuts, the lowest first: where one holds, all later ones do.
    cuts: tuple[tuple[int, ...], ...]
    # For each categorical feature, the columns of its levels.
    levels: tuple[tuple[int, ...], ...]
    # (n_patterns, n_quantitative) How many cuts each pattern is above.
    numbers: Floats

    @classmethod
    def of(cls, patterns: SplitPatterns, levels: Sequence[Sequence[int]], columns: Sequence[int]) -> PublishedFeatures:
        """Find features of which each split is a cut or a set of levels.

        `columns` says for each split which feature it asks for; where it is empty, each is a feature of its own.
        """
        holds = patterns.holds
        named = {column for part in levels for column in part}
        chains: list[list[int]] = []
        sizes = holds.sum(axis=0)
        for column in sorted(range(holds.shape[1]), key=lambda each: (int(sizes[each]), each)):
            own = [part for part in levels if not columns or columns[part[0]] == columns[column]]
            if column in named or any(_is_set_of(holds, column, part) for part in own):
                continue
            for chain in chains:
                same = bool(columns) and columns[chain[-1]] == columns[column]
                if same and not (holds[:, chain[-1]] & ~holds[:, column]).any():
                    chain.append(column)
                    break
            else:
                chains.append([column])
        numbers = np.array([(~holds[:, chain]).sum(axis=1) for chain in chains], dtype=np.float64)
        return cls(
            tuple(map(tuple, chains)),
            tuple(tuple(part) for part in levels),
            numbers.reshape(len(chains), patterns.n_patterns).T,
        )

    @property
    def n_features(self) -> int:
        """Features of both kinds."""
        return len(self.cuts) + len(self.levels)


def _is_set_of(holds: NDArray[np.bool_], column: int, levels: Sequence[int]) -> bool:
    """Say whether a split holds where one of some levels does, and for no other row."""
    return len(levels) > 0 and bool((holds[:, _levels_in(holds, column, levels)].any(axis=1) == holds[:, column]).all())


def _levels_in(holds: NDArray[np.bool_], column: int, levels: Sequence[int]) -> list[int]:
    return [level for level in levels if not (holds[:, level] & ~holds[:, column]).any()]


class PublishedForm:
    """The published form as a part of a model of SCIP; it is complete when `iter_build` has run."""

    # levels: For each categorical feature, the columns that ask for one level.
    # split_cost: What a split adds, in rows.
    def __init__(
        self,
        model: WorkedModel,
        problem: TreeProblem,
        patterns: SplitPatterns,
        *,
        levels: Sequence[Sequence[int]],
        split_cost: float,
    ):
        self.model, self.problem, self.patterns = model, problem, patterns
        self.features = PublishedFeatures.of(patterns, levels, problem.columns)
        self.labels, self.depth = problem.task == "classification", problem.max_depth
        self.low, self.span = (0.0, 1.0) if self.labels else target_range(problem.rows)
        self.split_cost = split_cost / self.span
        self.nodes, self.leaves = range(1, 2**self.depth), range(2**self.depth, 2 ** (self.depth + 1))
        # All variables, when it is built; the first `n_choices` say which tree it is.
        self.variables: list[Variable] = []
        self.n_choices = 0
        # Kinds of variables in their order there, which is that of `encode`.
        self.choices: dict[int, list[Variable]] = {}
        self.values: list[Variable] = []
        self.following: list[Variable] = []
        self.predicted: list[Variable] = []
        self.errors: list[Variable] = []

    @staticmethod
    def n_rows_of(n_patterns: int, depth: int) -> int:
        """Return about how many rows the model has."""
        n_nodes, n_leaves = 2**depth - 1, 2**depth
        return n_patterns * (5 * n_nodes + n_leaves * (2 + 3 * depth) + 1)

    def iter_build(self) -> Iterator[None]:
        """Add variables and rows, a few at a time."""
        z = [[self._add(f"z_{i}_{leaf}", "B") for leaf in self.leaves] for i in range(self.patterns.n_patterns)]
        for node in self.nodes:
            yield from self._iter_add_node(node, z)
        yield from self._iter_add_predictions(z)
        self._add_leaf_sizes(z)
        self._add_limits()
        chosen = [*(variable for part in self.choices.values() for variable in part), *self.values]
        self.n_choices, self.variables = len(chosen), [*chosen, *self.following]

    def _add(self, name: str, kind: str = "C", low: float | None = 0.0, high: float | None = None) -> Variable:
        """Add a variable that follows from the choices."""
        variable = self.model.addVar(name, vtype=kind, lb=low, ub=1.0 if kind == "B" else high)
        self.following.append(variable)
        return variable

    def _iter_add_node(self, node: int, z: list[list[Variable]]) -> Iterator[None]:
        model, features = self.model, self.features
        p = [model.addVar(f"p_{node}_{j}", vtype="B") for j in range(features.n_features)]
        none = model.addVar(f"n_{node}", vtype="B")
        # sum_j p[v,j] + n[v] = 1
        add_row(model, [*p, none], np.ones(len(p) + 1), at_least=1.0, at_most=1.0, name=f"one_{node}")
        quantitative, categorical = p[: len(features.cuts)], p[len(features.cuts) :]
        most = float(max(map(len, features.cuts), default=0))
        q = model.addVar(f"q_{node}", lb=0.0, ub=most)
        # q[v] <= sum_j p[v,j] (cuts of j - epsilon): a cut is one of those of the feature
        add_row(model, [q, *quantitative], [1.0, *(BETWEEN_CUTS - len(cuts) for cuts in features.cuts)],
                at_most=0.0, name=f"cut_{node}")  # fmt: skip
        s = [
            [model.addVar(f"s_{node}_{j}_{k}", vtype="B") for k in range(len(part))]
            for j, part in enumerate(features.levels)
        ]
        for j, part in enumerate(s):
            for k, level in enumerate(part):
                # (7i)  s[v,j,k] <= p[v,j]
                add_row(model, [level, categorical[j]], [1.0, -1.0], at_most=0.0, name=f"eq7i_{node}_{j}_{k}")
        self.choices[node] = [*p, none, q, *(level for part in s for level in part)]
        far = most + 1.0
        for i, number in enumerate(features.numbers):
            if i % PATTERNS_A_STEP == 0:
                yield
            name = f"{node}_{i}"
            if features.cuts:
                w = self._add(f"w_{name}", "B")
                gp, gm = self._add(f"gp_{name}"), self._add(f"gm_{name}")
                # (7c)  q[v] - sum_j p[v,j] x[i,j] = gp - gm
                add_row(model, [q, *quantitative, gp, gm], [1.0, *-number, -1.0, 1.0], at_least=0.0, at_most=0.0,
                        name=f"eq7c_{name}")  # fmt: skip
                # (7d)  gp <= M w;  (7e)  gm <= M (1 - w);  (7f)  gp + gm >= epsilon (1 - w)
                add_row(model, [gp, w], [1.0, -far], at_most=0.0, name=f"eq7d_{name}")
                add_row(model, [gm, w], [1.0, far], at_most=far, name=f"eq7e_{name}")
                add_row(model, [gp, gm, w], [1.0, 1.0, BETWEEN_CUTS], at_least=BETWEEN_CUTS, name=f"eq7f_{name}")
            if features.levels:
                c = self._add(f"c_{name}", "B")
                # (7j)  c[v,i] = sum_j sum_k s[v,j,k] [x[i,j] = k]
                held = [
                    s[j][k]
                    for j, part in enumerate(features.levels)
                    for k, level in enumerate(part)
                    if self.patterns.holds[i, level]
                ]
                add_row(model, [*held, c], [*np.ones(len(held)), -1.0], at_least=0.0, at_most=0.0, name=f"eq7j_{name}")
            for leaf, here in zip(self.leaves, z[i], strict=True):
                above = leaf >> (leaf.bit_length() - node.bit_length() - 1)
                label = f"{name}_{leaf}"
                if above == 2 * node + 1:
                    # (7g)  z[i,l] <= 1 - w + (1 - sum_j p[v,j]),  l to the right;  (7l)  the same for c
                    if features.cuts:
                        self._bound(here, w, 1.0, quantitative, 2.0, f"eq7g_{label}")
                    if features.levels:
                        self._bound(here, c, 1.0, categorical, 2.0, f"eq7l_{label}")
                    # z[i,l] <= 1 - n[v],  l to the right
                    self._bound(here, none, 1.0, (), 1.0, f"n_{label}")
                elif above == 2 * node:
                    # (7h)  z[i,l] <= w + (1 - sum_j p[v,j]),  l to the left;  (7k)  the same for c
                    if features.cuts:
                        self._bound(here, w, -1.0, quantitative, 1.0, f"eq7h_{label}")
                    if features.levels:
                        self._bound(here, c, -1.0, categorical, 1.0, f"eq7k_{label}")

    def _bound(
        self, z: Variable, goes: Variable, sign: float, asked: Sequence[Variable], side: float, name: str
    ) -> None:
        add_row(self.model, [z, goes, *asked], [1.0, sign, *np.ones(len(asked))], at_most=side, name=name)

    def _iter_add_predictions(self, z: list[list[Variable]]) -> Iterator[None]:
        model, rows = self.model, self.problem.rows
        kind = "B" if self.labels else "C"
        self.values = [model.addVar(f"u_{leaf}", vtype=kind, lb=0.0, ub=1.0) for leaf in self.leaves]
        self.predicted = [self._add(f"y_{i}", high=1.0) for i in range(self.patterns.n_patterns)]
        for i, (y, here) in enumerate(zip(self.predicted, z, strict=True)):
            if i % PATTERNS_A_STEP == 0:
                yield
            # (7m)  sum_l z[i,l] = 1
            add_row(model, here, np.ones(len(here)), at_least=1.0, at_most=1.0, name=f"eq7m_{i}")
            for leaf, comes, u in zip(self.leaves, here, self.values, strict=True):
                # (7b)  |y[i] - u[l]| <= M (1 - z[i,l])
                add_row(model, [y, u, comes], [1.0, -1.0, 1.0], at_most=1.0, name=f"eq7b_above_{i}_{leaf}")
                add_row(model, [u, y, comes], [1.0, -1.0, 1.0], at_most=1.0, name=f"eq7b_below_{i}_{leaf}")
        if self.labels:
            return
        scaled = (rows.targets - self.low) / self.span
        keys, inverse = np.unique(np.column_stack([self.patterns.of_cell, scaled]), axis=0, return_inverse=True)
        self.places, self.targets = keys[:, 0].astype(np.int64), keys[:, 1]
        self.sizes = np.bincount(inverse.reshape(-1), weights=rows.weights)
        for i, (place, target) in enumerate(zip(self.places.tolist(), self.targets.tolist(), strict=True)):
            if i % PATTERNS_A_STEP == 0:
                yield
            error = self._add(f"off_{i}", high=1.0)
            self.errors.append(error)
            # |y - target| <= e[i]
            add_row(model, [self.predicted[place], error], [1.0, -1.0], at_most=target, name=f"off_above_{i}")
            add_row(model, [self.predicted[place], error], [1.0, 1.0], at_least=target, name=f"off_below_{i}")

    def _add_leaf_sizes(self, z: list[list[Variable]]) -> None:
        least, sizes = self.patterns.fewest(self.problem.min_leaf_size), self.patterns.sizes
        if least <= 1:
            return
        for place, leaf in enumerate(self.leaves):
            has_rows = self._add(f"a_{leaf}", "B")
            here = [part[place] for part in z]
            # least a[l] <= sum_i z[i,l] <= rows a[l]
            add_row(self.model, [*here, has_rows], [*sizes, -least], at_least=0.0, name=f"least_{leaf}")
            add_row(self.model, [*here, has_rows], [*sizes, -float(sizes.sum())], at_most=0.0, name=f"most_{leaf}")

    def _add_limits(self) -> None:
        """Add how often a feature may be used, and how many may be: sums of p."""
        feature_of = limited_columns(self.problem)
        by_feature: dict[int, dict[int, list[Variable]]] = {}
        parts = (*self.features.cuts, *self.features.levels)
        for node, choices in self.choices.items() if feature_of else ():
            for part, asked in zip(parts, choices, strict=False):
                by_feature.setdefault(feature_of[part[0]], {}).setdefault(node, []).append(asked)
        self.used = add_feature_limits(self.model, self.problem, by_feature)
        self.following += self.used.values()

    def predictions(self, weights: Floats) -> Expression:
        """Return a linear form of the predictions of patterns, in the range of the target."""
        return Expression(self.predicted, weights, self.low / self.span * float(weights.sum()))

    def pattern_predictions(self, values: Floats) -> Floats:
        """Return the prediction of each pattern where the variables of `predictions` have these values."""
        return values + self.low / self.span

    def losses(self) -> Expression:
        """Return the loss in rows, with what splits cost."""
        rows = self.problem.rows
        splits = [asked for choices in self.choices.values() for asked in choices[: self.features.n_features]]
        variables, constant = self.errors, 0.0
        if self.labels:
            variables, constant = self.predicted, float(rows.weights @ rows.targets)
            costs = self.patterns.summed(rows.weights * (1.0 - 2.0 * rows.targets))
        else:
            costs = np.asarray(self.sizes, dtype=np.float64)
        return Expression([*variables, *splits], np.append(costs, np.full(len(splits), self.split_cost)), constant)

    def decode(self, values: Floats) -> DecodedTree:
        """Return the tree that values of the first `n_choices` variables stand for."""
        n_leaves, n_splits = len(self.leaves), self.patterns.holds.shape[1]
        sizes = [len(choices) for choices in self.choices.values()]
        own = dict(zip(self.choices, np.split(np.asarray(values), np.cumsum(sizes)), strict=False))
        constants = np.asarray(values)[sum(sizes) :]
        constants = np.round(constants) if self.labels else self.low + self.span * np.clip(constants, 0.0, 1.0)
        splits, leaves = [NO_SPLIT] * n_leaves, np.zeros(n_leaves)
        subsets: list[tuple[int, ...]] = []

        def place(node: int, to: int) -> None:
            """Put what is below a node in another place, which is as high or higher."""
            if node >= n_leaves:
                first, n_below = leaves_below(to, self.depth)
                leaves[first : first + n_below] = constants[node - n_leaves]
                return
            chosen = self._decided(own[node])
            if chosen is None:
                place(2 * node, to)
                return
            if isinstance(chosen, tuple):
                splits[to] = n_splits + len(subsets)
                subsets.append(chosen)
            else:
                splits[to] = chosen
            place(2 * node, 2 * to)
            place(2 * node + 1, 2 * to + 1)

        place(1, 1)
        return DecodedTree(TreeShape(tuple(splits[1:]), tuple(leaves.tolist())), tuple(subsets))

    def _decided(self, values: Floats) -> int | tuple[int, ...] | None:
        """Return the column that a node asks for, or a set of levels, or None where it does not split."""
        features = self.features
        asked = int(np.argmax(values[: features.n_features + 1]))
        if asked == features.n_features:
            return None
        if asked < len(features.cuts):
            cut = int(np.floor(values[features.n_features + 1] + SAME_CUT))
            return features.cuts[asked][min(cut, len(features.cuts[asked]) - 1)]
        feature = asked - len(features.cuts)
        begin = features.n_features + 2 + sum(map(len, features.levels[:feature]))
        levels = features.levels[feature]
        return tuple(level for level, inside in zip(levels, values[begin:], strict=False) if inside > 0.5)

    def rounded(self, values: Floats) -> TreeShape:
        """Return the tree that values of the first `n_choices` variables are near to, which may be fractions."""
        return self.decode(values).shape

    def encode(self, shape: TreeShape, subsets: Sequence[tuple[int, ...]] = ()) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it.

        Splits of at least ``n_splits`` are those of `subsets`, in this order.
        """
        if shape.depth != self.depth:
            return None
        n_patterns, features = self.patterns.n_patterns, self.features
        come = {1: np.ones(n_patterns, dtype=bool)}
        choices: list[Floats] = []
        nodes: list[Floats] = []
        for node in self.nodes:
            values = np.zeros(len(self.choices[node]))
            if not self._choose(shape.splits[node - 1], subsets, values):
                return None
            at_most = np.ones((n_patterns, 0))
            number = features.numbers @ values[: len(features.cuts)]
            distance = values[features.n_features + 1] - number
            if features.cuts:
                below = distance >= 0
                at_most = np.column_stack([below, np.maximum(distance, 0.0), np.maximum(-distance, 0.0)])
            columns = [level for part in features.levels for level in part]
            inside = self.patterns.holds[:, columns] @ values[features.n_features + 2 :] > 0.5
            if features.levels:
                at_most = np.column_stack([at_most, inside])
            left = np.ones(n_patterns, dtype=bool)
            if values[: len(features.cuts)].any():
                left = distance >= 0
            elif values[len(features.cuts) : features.n_features].any():
                left = inside
            come[2 * node], come[2 * node + 1] = come[node] & left, come[node] & ~left
            choices.append(values)
            nodes.append(at_most.ravel())
        z = np.column_stack([come[leaf] for leaf in self.leaves]).astype(np.float64)
        constants: Floats = (np.array(shape.values, dtype=np.float64) - self.low) / self.span
        predicted: Floats = np.asarray(z @ constants, dtype=np.float64)
        parts = [*choices, constants, z.ravel(), *nodes, predicted]
        if not self.labels:
            errors: Floats = np.abs(np.take(predicted, self.places) - self.targets)
            parts.append(errors)
        if self.patterns.fewest(self.problem.min_leaf_size) > 1:
            parts.append((np.ones(len(z)) @ z > 0).astype(np.float64))
        asked = np.max([values[: features.n_features] for values in choices], axis=0) > 0.5
        owners = [self.problem.columns[part[0]] for part in (*features.cuts, *features.levels)] if self.used else []
        used = {owner for owner, is_asked in zip(owners, asked.tolist(), strict=False) if is_asked}
        parts.append(np.array([feature in used for feature in self.used], dtype=np.float64))
        return np.concatenate(parts)

    def _choose(self, split: int, subsets: Sequence[tuple[int, ...]], values: Floats) -> bool:
        """Set what a node asks for; False where it cannot ask that."""
        features, holds = self.features, self.patterns.holds
        if split == NO_SPLIT:
            values[features.n_features] = 1.0
            return True
        for j, cuts in enumerate(features.cuts):
            if split in cuts:
                values[j], values[features.n_features + 1] = 1.0, float(cuts.index(split))
                return True
        begin = features.n_features + 2
        for j, levels in enumerate(features.levels):
            if split >= holds.shape[1]:
                chosen = list(subsets[split - holds.shape[1]])
                fits = set(chosen) <= set(levels)
            else:
                chosen, fits = _levels_in(holds, split, levels), _is_set_of(holds, split, levels)
            if fits:
                values[len(features.cuts) + j] = 1.0
                values[begin : begin + len(levels)] = np.isin(levels, chosen)
                return True
            begin += len(levels)
        return False
