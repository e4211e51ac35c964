"""A tree as a full solution of the flow form, for the search to start from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.flow_rows import FlowRows
from fairaudit.estimators.trees.formulation.nodes import Chosen
from fairaudit.estimators.trees.formulation.patterns import Floats
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below

Subtree = float | tuple[int, "Subtree", "Subtree"]
"""A value, or a split with what is on its left and right."""


class NotInForm(Exception):
    """No solution stands for the tree."""


def start_values(form: FlowRows, shape: TreeShape) -> Floats | None:
    """Return the values of all variables of a form for a tree over given columns; None where it has no such tree."""
    if shape.depth != form.depth or max(shape.splits) >= form.patterns.holds.shape[1]:
        return None
    start = _Start(form)
    try:
        start.assign(_subtree(shape, 1, form.patterns.holds), 1)
    except NotInForm:
        return None
    return start.values()


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
    def __init__(self, form: FlowRows):
        self.form = form
        self.chosen: dict[int, Chosen] = {}
        self.constants = np.zeros(2**form.depth)

    def assign(self, tree: Subtree, node: int) -> None:
        """Choose for a node and those below it."""
        form = self.form
        if node >= 2**form.depth:
            if isinstance(tree, tuple):
                raise NotInForm
            self.constants[node - 2**form.depth] = tree
        elif form.nodes[node].where("none"):
            self._predict(tree, node)
        elif isinstance(tree, tuple):
            chosen, turned = self._column(tree[0], may_turn=False)
            self.chosen[node] = chosen
            for child, part in zip((2 * node, 2 * node + 1), tree[1:][:: -1 if turned else 1], strict=True):
                self.assign(part, child)
        else:
            self.chosen[node] = Chosen("all") if form.may_stop else self._any(node)
            self.assign(tree, 2 * node)
            self.assign(0.0 if form.may_stop and form.labels else tree, 2 * node + 1)

    def _predict(self, tree: Subtree, node: int) -> None:
        """Choose for a node of the last level of a classification."""
        if not isinstance(tree, tuple):
            self.chosen[node] = Chosen("all" if tree else "none")
        elif isinstance(tree[1], tuple) or isinstance(tree[2], tuple):
            raise NotInForm
        else:
            chosen, turned = self._column(tree[0], may_turn=True)
            turned ^= tree[1] < tree[2]
            if turned and chosen.kind == "subset" and self._is_complete(chosen):
                self.chosen[node] = self._complement(chosen)
            else:
                self.chosen[node] = Chosen(chosen.kind, bool(turned), chosen.columns)

    def _column(self, split: int, *, may_turn: bool) -> tuple[Chosen, bool]:
        """Return the choice that parts the rows as a column does, and whether left and right change places."""
        choosable, holds = self.form.choosable, self.form.patterns.holds
        for levels in choosable.levels:
            if split in levels:
                chosen = Chosen("subset", False, (split,))
                if may_turn or split == levels[0] or not self._is_complete(chosen):
                    return chosen, False
                return self._complement(chosen), True
        for column in choosable.columns:
            alike = holds[:, column] == holds[:, split]
            if alike.all() or not alike.any():
                return Chosen("column", False, (column,)), not alike.any()
        raise NotInForm

    def _levels_of(self, chosen: Chosen) -> int:
        return next(c for c, levels in enumerate(self.form.choosable.levels) if chosen.columns[0] in levels)

    def _is_complete(self, chosen: Chosen) -> bool:
        return self.form.choosable.complete[self._levels_of(chosen)]

    def _complement(self, chosen: Chosen) -> Chosen:
        levels = self.form.choosable.levels[self._levels_of(chosen)]
        return Chosen("subset", False, tuple(level for level in levels if level not in chosen.columns))

    def _any(self, node: int) -> Chosen:
        choosable = self.form.choosable
        if choosable.columns:
            return Chosen("column", False, choosable.columns[:1])
        if choosable.levels:
            return Chosen("subset", False, choosable.levels[0][:1])
        raise NotInForm

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
        asked = {
            variable.getIndex()
            for choice, values in zip(form.nodes.values(), choices, strict=True)
            for variable, value in zip(choice.variables, values, strict=True)
            if value > 0.5
        }
        used = [any(variable.getIndex() in asked for part in form.asking[feature].values() for variable in part)
                for feature in form.features]  # fmt: skip
        parts = [*choices, *flows, *on.values(), *lefts, *ones, np.array(used, dtype=float)]
        if form.leaves is not None:
            first = 2**form.depth
            leaf_of = np.argmax([reach[first + leaf] for leaf in range(first)], axis=0)
            settings, dependent = form.leaves.encode(leaf_of, self.constants)
            parts = [*parts[: len(choices)], settings, *parts[len(choices) :], dependent]
        return np.concatenate(parts)
