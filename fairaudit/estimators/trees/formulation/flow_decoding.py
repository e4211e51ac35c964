"""The tree that a solution of the flow form stands for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.flow_rows import FlowRows
from fairaudit.estimators.trees.formulation.nodes import Chosen
from fairaudit.estimators.trees.formulation.parts import Decoded, LinearCoefficients
from fairaudit.estimators.trees.formulation.patterns import Floats
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below


def decode_flow(form: FlowRows, values: Floats) -> Decoded:
    """Return the tree that values of the choices of a form stand for.

    Shapes: `values` (n_choices,).
    """
    reading = _Reading(form, values)
    reading.read(1, np.ones(form.patterns.n_patterns, dtype=bool))
    return reading.decoded()


class _Reading:
    """Reads a tree from the root on: what comes to a node says where its threshold may be."""

    def __init__(self, form: FlowRows, values: Floats):
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
            self.labels[first + chosen.turned] = 1.0

    def _split(self, node: int, chosen: Chosen) -> NDArray[np.bool_]:
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

    def decoded(self) -> Decoded:
        """Return what was read."""
        form, n_splits = self.form, self.form.patterns.holds.shape[1]
        added = {node: n_splits + place for place, node in enumerate([*self.subsets, *self.linear])}
        splits = [self.columns.get(node, added.get(node, NO_SPLIT)) for node in range(1, 2**form.depth)]
        leaves = self.labels
        if form.leaves is not None:
            leaves = form.leaves.decode(self.values[form.n_choices - len(form.leaves.settings) :])
        for node, split in enumerate(splits, start=1):
            if split == NO_SPLIT:
                first, n_below = leaves_below(node, form.depth)
                leaves[first : first + n_below] = leaves[first]
        shape = TreeShape(tuple(splits), tuple(float(value) for value in leaves[:, 0]))
        subsets, linear = tuple(self.subsets.values()), tuple(self.linear.values())
        return Decoded(shape, subsets, linear, leaves if leaves.shape[1] > 1 else None)
