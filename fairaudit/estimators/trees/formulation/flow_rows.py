"""The flow form of the integer problem, for all trees: patterns flow from the root to leaves.

======== ============================================================================================================
symbol   meaning
======== ============================================================================================================
o[p,t]   whether pattern p is on at node t: goes left, or at the last level of a classification is predicted 1
r[p,t]   whether pattern p comes to node t
u[p,t]   whether it does and is predicted 1, for nodes t of the last level
======== ============================================================================================================

Where the paper says for each row, leaf and node above it whether the row can come there, here each row is part of a
flow that each node parts in two; equal rows are one; and a node of the last level with its two leaves is one choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairaudit.estimators.trees.formulation.leaves import CHUNK, Leaves, target_range
from fairaudit.estimators.trees.formulation.limits import add_feature_limits, limited_columns
from fairaudit.estimators.trees.formulation.nodes import Choosable, NodeChoice, add_node
from fairaudit.estimators.trees.formulation.parts import Expression
from fairaudit.estimators.trees.formulation.patterns import Floats, Patterns
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.solver import add_row


class FlowRows:
    """The flow form as a part of a model of SCIP; it is complete when `iter_build` has run.

    Parameters
    ----------
    model : pyscipopt.Model
        An empty model.
    problem : TreeProblem
        What is asked.
    patterns : Patterns
        Its patterns.
    levels : tuple of tuple of int
        For each categorical feature its columns.
    linear_splits, linear_leaves : bool
        Whether splits and leaves may be weighted sums of points.
    split_cost : float
        What a split adds, in rows.
    """

    def __init__(
        self,
        model: Any,
        problem: TreeProblem,
        patterns: Patterns,
        *,
        levels: tuple[tuple[int, ...], ...],
        linear_splits: bool,
        linear_leaves: bool,
        split_cost: float,
    ):
        self.model, self.problem, self.patterns, self.split_cost = model, problem, patterns, split_cost
        self.linear_leaves = linear_leaves
        self.labels, self.depth = problem.task == "classification", problem.max_depth
        self.span = 1.0 if self.labels else target_range(problem.rows)[1]
        self.feature_of = limited_columns(problem)
        self.choosable = Choosable.of(patterns, levels, linear=linear_splits, features=self.feature_of)
        can_split = self.choosable.columns or levels or linear_splits
        # Where fewer splits are not better, splits that make no difference stand for them.
        self.may_stop = bool(split_cost or problem.min_leaf_size > 1 or self.feature_of or not can_split)
        self.nodes: dict[int, NodeChoice] = {}
        self.on: dict[int, list[Any]] = {}
        self.reach: dict[int, list[Any]] = {1: []}
        self.predicted: dict[int, list[Any]] = {}
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
        self.asking = self._asking(self.feature_of)
        self.features = add_feature_limits(self.model, self.problem, self.asking)
        choices = [variable for node in self.nodes.values() for variable in node.variables]
        choices += self.leaves.settings if self.leaves else []
        self.n_choices = len(choices)
        self.variables = [*choices, *self._dependent()]

    def _last(self) -> range:
        return range(2 ** (self.depth - 1), 2**self.depth)

    def _iter_add_node(self, node: int) -> Iterator[None]:
        """Add a node, and where patterns go from it."""
        predicts = self.labels and node in self._last()
        reach, model, n_patterns = self.reach[node], self.model, self.patterns.n_patterns
        choice = add_node(model, node, self.patterns, self.choosable, reach=reach, predicts=predicts,
                          may_stop=self.may_stop)  # fmt: skip
        self.nodes[node] = choice
        for variable in [*choice.splitting, *choice.unsplit]:
            model.chgVarBranchPriority(variable, 1 + self.depth - node.bit_length())
        self.on[node] = [model.addVar(f"o_{node}_{p}", lb=0.0, ub=1.0) for p in range(n_patterns)]
        for p, on in enumerate(self.on[node]):
            # o[p,t] = what is chosen at t, as p sees it
            if p % CHUNK == 0:
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
            if p % CHUNK == 0:
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
            if p % CHUNK == 0:
                yield
            one = self.model.addVar(f"u_{node}_{p}", lb=0.0, ub=1.0)
            predicted.append(one)
            # u[p,t] <= r[p,t],  u[p,t] <= o[p,t],  r[p,t] - u[p,t] <= 1 - o[p,t],  all p
            add_row(self.model, [one, come], [1.0, -1.0], at_most=0.0, name=f"one_{node}_{p}")
            add_row(self.model, [one, on], [1.0, -1.0], at_most=0.0, name=f"one_on_{node}_{p}")
            add_row(self.model, [come, one, on], [1.0, -1.0, 1.0], at_most=1.0, name=f"one_off_{node}_{p}")

    def _add_stops(self) -> None:
        """Add what follows where a node does not split, and how large leaves are."""
        least = float(self.problem.min_leaf_size)
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

    def _asking(self, features: tuple[int, ...]) -> dict[int, dict[int, list[Any]]]:
        """Return for each feature and node the variables that ask for it; a weighted sum is a feature of its own."""
        asking: dict[int, dict[int, list[Any]]] = {}
        for node, choice in self.nodes.items() if features else ():
            for feature, variables in choice.asks(features).items():
                asking.setdefault(feature, {})[node] = variables
            if choice.linear is not None:
                asking[-node] = {node: choice.where("linear")}
        return asking

    def _dependent(self) -> list[Any]:
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
