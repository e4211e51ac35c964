"""The flow form of the integer problem, with the way from a solution to a tree and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.nodes import (
    PATTERNS_A_STEP,
    DecodedTree,
    Expression,
    Floats,
    Leaves,
    LinearCoefficients,
    NodeChoice,
    NodeDecision,
    SplitOptions,
    SplitPatterns,
    add_feature_limits,
    add_node,
    limited_columns,
    target_range,
)
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeProblem, TreeShape, leaves_below
from fairaudit.solver import add_row

if TYPE_CHECKING:
    from fairaudit.solver.models import Variable, WorkedModel

# The flow form of the integer problem, for all trees: patterns flow from the root to leaves.
#
# ======== ============================================================================================================
# symbol   meaning
# ======== ============================================================================================================
# o[p,t]   whether pattern p is on at node t: goes left, or at the last level of a classification is predicted 1
# r[p,t]   whether pattern p comes to node t
# u[p,t]   whether it does and is predicted 1, for nodes t of the last level
# ======== ============================================================================================================
#
# Where the paper says for each row, leaf and node above it whether the row can come there, here each row is part of a
# flow that each node parts in two; equal rows are one; and a node of the last level with its two leaves is one choice.


class FlowForm:
    """The flow form as a part of a model of SCIP; it is complete when `iter_build` has run."""

    # levels: For each categorical feature its columns.
    # linear_splits, linear_leaves: Whether splits and leaves may be weighted sums of points.
    # split_cost: What a split adds, in rows.
    def __init__(
        self,
        model: WorkedModel,
        problem: TreeProblem,
        patterns: SplitPatterns,
        *,
        levels: tuple[tuple[int, ...], ...],
        linear_splits: bool,
        linear_leaves: bool,
        split_cost: float,
    ):
        self.model, self.problem, self.patterns = model, problem, patterns
        self.linear_leaves = linear_leaves
        self.labels, self.depth = problem.task == "classification", problem.max_depth
        self.span = 1.0 if self.labels else target_range(problem.rows)[1]
        self.split_cost = split_cost / self.span
        self.feature_of = limited_columns(problem)
        self.split_options = SplitOptions.of(patterns, levels, linear=linear_splits, features=self.feature_of)
        can_split = self.split_options.columns or levels or linear_splits
        # Where fewer splits are not better, splits that make no difference stand for them.
        self.may_stop = bool(split_cost or problem.min_leaf_size > 1 or self.feature_of or not can_split)
        self.nodes: dict[int, NodeChoice] = {}
        self.on: dict[int, list[Variable]] = {}
        self.reach: dict[int, list[Variable]] = {1: []}
        self.predicted: dict[int, list[Variable]] = {}
        self.leaves: Leaves | None = None

    def iter_build(self) -> Iterator[None]:
        """Add variables and rows, a few at a time."""
        for node in range(1, 2**self.depth):
            yield from self._iter_add_node(node)
        if self.labels:
            for node in self._last():
                yield from self._iter_add_predictions(node)
        else:
            leaves = [self.reach[leaf] for leaf in range(2**self.depth, 2 ** (self.depth + 1))]
            self.leaves = Leaves(self.model, self.problem.rows, self.patterns, linear=self.linear_leaves)
            yield from self.leaves.iter_build(leaves)
        self._add_stops()
        self.by_feature = self._variables_by_feature(self.feature_of)
        self.features = add_feature_limits(self.model, self.problem, self.by_feature)
        choices = [variable for node in self.nodes.values() for variable in node.variables]
        choices += self.leaves.parameters if self.leaves else []
        self.n_choices = len(choices)
        self.variables = [*choices, *self._dependent()]

    def _last(self) -> range:
        return range(2 ** (self.depth - 1), 2**self.depth)

    def _iter_add_node(self, node: int) -> Iterator[None]:
        """Add a node, and where patterns go from it."""
        predicts = self.labels and node in self._last()
        reach, model, n_patterns = self.reach[node], self.model, self.patterns.n_patterns
        choice = add_node(model, node, self.patterns, self.split_options, reach=reach, predicts=predicts,
                          may_stop=self.may_stop)  # fmt: skip
        self.nodes[node] = choice
        for variable in [*choice.splitting, *choice.unsplit]:
            model.chgVarBranchPriority(variable, 1 + self.depth - node.bit_length())
        self.on[node] = [model.addVar(f"o_{node}_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
        for p, on in enumerate(self.on[node]):
            # o[p,t] = what is chosen at t, as p sees it
            if p % PATTERNS_A_STEP == 0:
                yield
            choice.on(p).add_to(model, f"o_{node}_{p}", at_least=0.0, at_most=0.0, more=[(-1.0, on)])
        if predicts:
            return
        if node == 1:
            self.reach[2] = self.on[1]
            self.reach[3] = [model.addVar(f"r_3_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
            for p, (left, right) in enumerate(zip(self.reach[2], self.reach[3], strict=True)):
                # r[p,2] is o[p,1];  r[p,2] + r[p,3] = 1 for all p
                add_row(model, [left, right], [1.0, 1.0], at_least=1.0, at_most=1.0, name=f"flow_1_{p}")
            return
        for child in (2 * node, 2 * node + 1):
            self.reach[child] = [model.addVar(f"r_{child}_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
        for p, (come, on) in enumerate(zip(reach, self.on[node], strict=True)):
            if p % PATTERNS_A_STEP == 0:
                yield
            left, right = self.reach[2 * node][p], self.reach[2 * node + 1][p]
            # r[p,2t] + r[p,2t+1] = r[p,t],  all p
            add_row(model, [left, right, come], [1.0, 1.0, -1.0], at_least=0.0, at_most=0.0, name=f"flow_{node}_{p}")
            # r[p,2t] <= o[p,t],  r[p,2t+1] <= 1 - o[p,t]
            add_row(model, [left, on], [1.0, -1.0], at_most=0.0, name=f"left_{node}_{p}")
            add_row(model, [right, on], [1.0, 1.0], at_most=1.0, name=f"right_{node}_{p}")

    def _iter_add_predictions(self, node: int) -> Iterator[None]:
        """Add what a node of the last level predicts 1 for."""
        if node == 1:
            self.predicted[1] = self.on[1]
            return
        self.predicted[node] = predicted = []
        for p, (come, on) in enumerate(zip(self.reach[node], self.on[node], strict=True)):
            if p % PATTERNS_A_STEP == 0:
                yield
            one = self.model.addVar(f"u_{node}_{p}", lb=0.0, ub=1.0)
            predicted.append(one)
            # u[p,t] <= r[p,t],  u[p,t] <= o[p,t],  r[p,t] - u[p,t] <= 1 - o[p,t],  all p
            add_row(self.model, [one, come], [1.0, -1.0], at_most=0.0, name=f"one_{node}_{p}")
            add_row(self.model, [one, on], [1.0, -1.0], at_most=0.0, name=f"one_on_{node}_{p}")
            add_row(self.model, [come, one, on], [1.0, -1.0, 1.0], at_most=1.0, name=f"one_off_{node}_{p}")

    def _add_stops(self) -> None:
        """Add what follows where a node does not split, and how large leaves are."""
        least = self.patterns.fewest(self.problem.min_leaf_size)
        sizes = self.patterns.sizes.tolist()
        for node, choice in self.nodes.items():
            if choice.where("none"):
                self._add_leaf_sizes(node, choice, least)
                continue
            for side, child in enumerate((2 * node, 2 * node + 1)):
                if child in self.nodes and choice.unsplit:
                    # all[t] <= all[2t] + none[2t],  all[t] <= none[2t+1] where labels are predicted
                    below = self.nodes[child]
                    stops = below.where("none") if side and below.where("none") else below.unsplit
                    add_row(self.model, [*choice.unsplit, *stops], [1.0, *-np.ones(len(stops))], at_most=0.0,
                            name=f"stop_{child}")  # fmt: skip
                if least > 1:
                    # sum_p n_p r[p,child] >= least (1 - all[t])
                    add_row(self.model, [*self.reach[child], *choice.unsplit], [*sizes, least], at_least=least,
                            name=f"size_{child}")  # fmt: skip

    def _add_leaf_sizes(self, node: int, choice: NodeChoice, least: float) -> None:
        """Add how large the two leaves of a node are that predicts labels."""
        if least <= 1:
            return
        sizes, stop = self.patterns.sizes, choice.unsplit
        ones = self.predicted[node]
        # sum_p n_p u[p,t] >= least (1 - all[t] - none[t]);  the same for r[p,t] - u[p,t]
        add_row(self.model, [*ones, *stop], [*sizes, least, least], at_least=least, name=f"size_on_{node}")
        come = self.reach[node]
        side = least if come else least - float(sizes.sum())
        add_row(self.model, [*come, *ones, *stop], [*(sizes if come else ()), *-sizes, least, least], at_least=side,
                name=f"size_off_{node}")  # fmt: skip

    def _variables_by_feature(self, features: tuple[int, ...]) -> dict[int, dict[int, list[Variable]]]:
        """Return for each feature and node the variables that split by it; a weighted sum is a feature of its own."""
        by_feature: dict[int, dict[int, list[Variable]]] = {}
        for node, choice in self.nodes.items() if features else ():
            for feature, variables in choice.splits_by(features).items():
                by_feature.setdefault(feature, {})[node] = variables
            if choice.linear is not None:
                by_feature[-node] = {node: choice.where("linear")}
        return by_feature

    def _dependent(self) -> list[Variable]:
        """Return the variables that follow from the choices, in the order of `encode`."""
        flows = [variable for node, part in self.reach.items() if node > 2 for variable in part]
        ons = [variable for part in self.on.values() for variable in part]
        lefts = [variable for node in self.nodes.values() if node.linear for variable in node.linear.left]
        ones = [variable for node in self._last() if self.labels and node > 1 for variable in self.predicted[node]]
        return [*flows, *ons, *lefts, *ones, *self.features.values(), *(self.leaves.dependent if self.leaves else ())]

    def predictions(self, weights: Floats) -> Expression:
        """Return a linear form of the predictions of patterns, in the range of the target."""
        if self.leaves is not None:
            return Expression(self.leaves.predicted, weights, self.leaves.low / self.span * float(weights.sum()))
        ones = [variable for node in self._last() for variable in self.predicted[node]]
        return Expression(ones, np.tile(weights, len(self._last())))

    def pattern_predictions(self, values: Floats) -> Floats:
        """Return the prediction of each pattern where the variables of `predictions` have these values."""
        if self.leaves is not None:
            return values + self.leaves.low / self.span
        return values.reshape(-1, self.patterns.n_patterns).sum(axis=0)

    def losses(self) -> Expression:
        """Return the loss in rows, with what splits cost."""
        rows = self.problem.rows
        splits = [variable for node in self.nodes.values() for variable in node.splitting]
        if self.leaves is not None:
            variables, costs, constant = [*self.leaves.above, *self.leaves.below], self.leaves.costs, 0.0
        else:
            ones = self.predictions(self.patterns.summed(rows.weights * (1.0 - 2.0 * rows.targets)))
            variables, costs = [*ones.variables], ones.coefficients
            constant = float(rows.weights @ rows.targets)
        return Expression([*variables, *splits], np.append(costs, np.full(len(splits), self.split_cost)), constant)

    def decode(self, values: Floats) -> DecodedTree:
        """Return the tree that values of the first `n_choices` variables stand for."""
        reading = _Reading(self, np.asarray(values))
        reading.read(1, np.ones(self.patterns.n_patterns, dtype=bool))
        return reading.decoded()

    def rounded(self, values: Floats) -> TreeShape:
        """Return the tree that values of the first `n_choices` variables are near to, which may be fractions."""
        return self.decode(values).shape

    def encode(self, shape: TreeShape, subsets: Sequence[tuple[int, ...]] = ()) -> Floats | None:
        """Return the values of all variables for a tree; None where no solution stands for it."""
        if shape.depth != self.depth or max(shape.splits) >= self.patterns.holds.shape[1]:
            return None
        start = _Start(self)
        try:
            start.assign(_subtree(shape, 1, self.patterns.holds), 1)
        except NotInFormError:
            return None
        return start.values()


Subtree = float | tuple[int, "Subtree", "Subtree"]
"""A value, or a split with what is on its left and right."""


class NotInFormError(Exception):
    """The form has no solution that stands for the tree."""


def _subtree(shape: TreeShape, node: int, holds: NDArray[np.bool_]) -> Subtree:
    """Return the tree below a node, without splits that part no rows at all."""
    if node > len(shape.splits):
        return shape.values[node - len(shape.values)]
    split = shape.splits[node - 1]
    if split == NO_SPLIT:
        return shape.values[leaves_below(node, shape.depth)[0]]
    left, right = (_subtree(shape, child, holds) for child in (2 * node, 2 * node + 1))
    if holds[:, split].all() or left == right:
        return left
    return (split, left, right) if holds[:, split].any() else right


class _Start:
    """A tree as values of all variables of the form."""

    def __init__(self, form: FlowForm):
        self.form = form
        self.chosen: dict[int, NodeDecision] = {}
        self.constants = np.zeros(2**form.depth)

    def assign(self, tree: Subtree, node: int) -> None:
        """Choose for a node and those below it."""
        form = self.form
        if node >= 2**form.depth:
            if isinstance(tree, tuple):
                raise NotInFormError
            self.constants[node - 2**form.depth] = tree
        elif form.nodes[node].where("none"):
            self._predict(tree, node)
        elif isinstance(tree, tuple):
            chosen, swapped = self._column(tree[0], may_negate=False)
            self.chosen[node] = chosen
            for child, part in zip((2 * node, 2 * node + 1), tree[1:][:: -1 if swapped else 1], strict=True):
                self.assign(part, child)
        else:
            self.chosen[node] = NodeDecision("all") if form.may_stop else self._any(node)
            self.assign(tree, 2 * node)
            self.assign(0.0 if form.may_stop and form.labels else tree, 2 * node + 1)

    def _predict(self, tree: Subtree, node: int) -> None:
        """Choose for a node of the last level of a classification."""
        if not isinstance(tree, tuple):
            self.chosen[node] = NodeDecision("all" if tree else "none")
        elif isinstance(tree[1], tuple) or isinstance(tree[2], tuple):
            raise NotInFormError
        else:
            chosen, swapped = self._column(tree[0], may_negate=True)
            swapped ^= tree[1] < tree[2]
            if swapped and chosen.kind == "subset" and self._is_complete(chosen):
                self.chosen[node] = self._complement(chosen)
            else:
                self.chosen[node] = NodeDecision(chosen.kind, bool(swapped), chosen.columns)

    def _column(self, split: int, *, may_negate: bool) -> tuple[NodeDecision, bool]:
        """Return the choice that parts the rows as a column does, and whether left and right change places."""
        split_options, holds = self.form.split_options, self.form.patterns.holds
        for levels in split_options.levels:
            if split in levels:
                chosen = NodeDecision("subset", False, (split,))
                if may_negate or split == levels[0] or not self._is_complete(chosen):
                    return chosen, False
                return self._complement(chosen), True
        for column in split_options.columns:
            alike = holds[:, column] == holds[:, split]
            if alike.all() or not alike.any():
                return NodeDecision("column", False, (column,)), not alike.any()
        raise NotInFormError

    def _levels_of(self, chosen: NodeDecision) -> int:
        return next(c for c, levels in enumerate(self.form.split_options.levels) if chosen.columns[0] in levels)

    def _is_complete(self, chosen: NodeDecision) -> bool:
        return self.form.split_options.complete[self._levels_of(chosen)]

    def _complement(self, chosen: NodeDecision) -> NodeDecision:
        levels = self.form.split_options.levels[self._levels_of(chosen)]
        return NodeDecision("subset", False, tuple(level for level in levels if level not in chosen.columns))

    def _any(self, node: int) -> NodeDecision:
        split_options = self.form.split_options
        if split_options.columns:
            return NodeDecision("column", False, split_options.columns[:1])
        if split_options.levels:
            return NodeDecision("subset", False, split_options.levels[0][:1])
        raise NotInFormError

    def values(self) -> Floats | None:
        """Return the values of all variables, in the order of the form's."""
        form = self.form
        n_patterns = form.patterns.n_patterns
        reach, on, choices = {1: np.ones(n_patterns)}, {}, []
        for node, choice in form.nodes.items():
            values = choice.encode(self.chosen[node])
            if values is None:
                return None
            choices.append(values)
            on[node] = choice.matrix @ values
            reach[2 * node], reach[2 * node + 1] = reach[node] * on[node], reach[node] * (1.0 - on[node])
        flows = [reach[node] for node in form.reach if node > 2]
        lefts = [np.zeros(n_patterns) for node in form.nodes.values() if node.linear]
        ones = [reach[2 * node] for node in form.nodes if form.labels and node > 1 and form.nodes[node].where("none")]
        chosen = {
            variable.getIndex()
            for choice, values in zip(form.nodes.values(), choices, strict=True)
            for variable, value in zip(choice.variables, values, strict=True)
            if value > 0.5
        }
        used = [
            any(variable.getIndex() in chosen for part in form.by_feature[feature].values() for variable in part)
            for feature in form.features
        ]
        parts = [*choices, *flows, *on.values(), *lefts, *ones, np.array(used, dtype=float)]
        if form.leaves is not None:
            first = 2**form.depth
            leaf_of = np.argmax([reach[first + leaf] for leaf in range(first)], axis=0)
            parameters, dependent = form.leaves.encode(leaf_of, self.constants)
            parts = [*parts[: len(choices)], parameters, *parts[len(choices) :], dependent]
        return np.concatenate(parts)


class _Reading:
    """Reads a tree from the root on: what comes to a node says where its threshold may be."""

    def __init__(self, form: FlowForm, values: Floats):
        self.form, self.values = form, values
        self.columns: dict[int, int] = {}
        self.subsets: dict[int, tuple[int, ...]] = {}
        self.linear: dict[int, LinearCoefficients] = {}
        self.labels = np.zeros((2**form.depth, 1))
        sizes = [len(choice.variables) for choice in form.nodes.values()]
        self.begins = dict(zip(form.nodes, np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))

    def read(self, node: int, come: NDArray[np.bool_]) -> None:
        """Read a node, and those below it."""
        form, begin = self.form, self.begins[node]
        choice = form.nodes[node]
        chosen = choice.decode(self.values[begin : begin + len(choice.variables)], come)
        left = self._split(node, chosen)
        if not choice.where("none"):
            if chosen.kind != "all" and 2 * node < 2**form.depth:
                self.read(2 * node, come & left)
                self.read(2 * node + 1, come & ~left)
            elif 2 * node < 2**form.depth:
                self.read(2 * node, come)
            return
        first = 2 * node - 2**form.depth
        if chosen.kind in ("all", "none"):
            self.labels[first : first + 2] = chosen.kind == "all"
        else:
            self.labels[first + chosen.negated] = 1.0

    def _split(self, node: int, chosen: NodeDecision) -> NDArray[np.bool_]:
        """Write down the split of a node, and return which patterns go left."""
        patterns = self.form.patterns
        if chosen.kind == "column":
            self.columns[node] = chosen.columns[0]
            return patterns.holds[:, chosen.columns[0]]
        if chosen.kind == "subset":
            self.subsets[node] = chosen.columns
            return np.any(patterns.holds[:, list(chosen.columns)], axis=1)
        if chosen.kind == "linear":
            self.linear[node] = LinearCoefficients(chosen.weights, chosen.threshold)
            return self.linear[node].holds(patterns.points)
        return np.ones(patterns.n_patterns, dtype=bool)

    def decoded(self) -> DecodedTree:
        """Return what was read."""
        form, n_splits = self.form, self.form.patterns.holds.shape[1]
        added = {node: n_splits + place for place, node in enumerate([*self.subsets, *self.linear])}
        splits = [self.columns.get(node, added.get(node, NO_SPLIT)) for node in range(1, 2**form.depth)]
        leaves = self.labels
        if form.leaves is not None:
            leaves = form.leaves.decode(self.values[form.n_choices - len(form.leaves.parameters) :])
        for node, split in enumerate(splits, start=1):
            if split == NO_SPLIT:
                first, n_below = leaves_below(node, form.depth)
                leaves[first : first + n_below] = leaves[first]
        shape = TreeShape(tuple(splits), tuple(float(value) for value in leaves[:, 0]))
        subsets, linear = tuple(self.subsets.values()), tuple(self.linear.values())
        return DecodedTree(shape, subsets, linear, leaves if leaves.shape[1] > 1 else None)
