"""Splits on weighted sums of numbers, and leaves that predict one.

======== ============================================================================================================
symbol   meaning
======== ============================================================================================================
x[p]     the numbers of pattern p, from 0 to 1
w+, w-   positive and negative parts of the weights at a node; q, the threshold
l        whether the node splits on the sum at all; g[p], whether pattern p then goes left
r[p]     whether pattern p comes to the node: what does not may be on either side
======== ============================================================================================================

Weights add up to at most 1 in absolute value, so that sums and thresholds are from -1 to 1, and the big M is at most
2 + EPSILON, where the paper names none. Sums on the two sides are `EPSILON` apart, a hundred times what SCIP may be
wrong by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.patterns import Floats, Patterns
from fairaudit.solver import add_row

EPSILON: Final = 1e-4
"""How far apart sums on the two sides are, at least."""

LARGEST_SLOPE: Final = 2.0
"""Of a leaf, in ranges of the target for a range of a number."""


class LinearChoice:
    """The rows of a weighted sum at a node.

    Parameters
    ----------
    model : pyscipopt.Model
        The model.
    node : int
        The node's number.
    patterns : Patterns
        With points.
    chosen : pyscipopt.Variable
        l, whether the node splits on the sum.
    reach : sequence of pyscipopt.Variable, optional
        r; none at the root.
    """

    def __init__(self, model: Any, node: int, patterns: Patterns, chosen: Any, reach: Sequence[Any]):
        self.points = patterns.points
        n_points = self.points.shape[1]
        plus = [model.addVar(f"wp_{node}_{k}", lb=0.0, ub=1.0) for k in range(n_points)]
        minus = [model.addVar(f"wm_{node}_{k}", lb=0.0, ub=1.0) for k in range(n_points)]
        # What no sum is beyond: 1 for numbers from 0 to 1.
        size = max(1.0, float(np.abs(self.points).max(initial=0.0)))
        threshold = model.addVar(f"q_{node}", lb=-size, ub=size)
        self.variables = [*plus, *minus, threshold]
        self.left = [model.addVar(f"g_{node}_{p}", vtype="B") for p in range(patterns.n_patterns)]
        # sum_k (w+[k] + w-[k]) = l, at each node
        add_row(model, [*plus, *minus, chosen], [*np.ones(2 * n_points), -1.0], at_least=0.0, at_most=0.0,
                name=f"weights_{node}")  # fmt: skip
        # -size l <= q <= size l, at each node
        add_row(model, [threshold, chosen], [1.0, -size], at_most=0.0, name=f"threshold_above_{node}")
        add_row(model, [threshold, chosen], [1.0, size], at_least=0.0, name=f"threshold_below_{node}")
        near, far = 2.0 * size, 2.0 * size + EPSILON
        for p, (point, left) in enumerate(zip(self.points, self.left, strict=True)):
            # g[p] <= l,  all p
            add_row(model, [left, chosen], [1.0, -1.0], at_most=0.0, name=f"left_{node}_{p}")
            come = reach[p : p + 1]
            # w x[p] - q <= M (l - g[p]) + M (1 - r[p])
            add_row(model, [*self.variables, left, chosen, *come],
                    [*point, *-point, -1.0, near, -near, *[near] * len(come)],
                    at_most=near * len(come), name=f"small_{node}_{p}")  # fmt: skip
            # w x[p] - q >= EPSILON l - (M + EPSILON) (g[p] + 1 - r[p])
            add_row(model, [*self.variables, left, chosen, *come],
                    [*point, *-point, -1.0, far, -EPSILON, *[-far] * len(come)],
                    at_least=-far * len(come), name=f"large_{node}_{p}")  # fmt: skip

    def decode(self, values: Floats, come: NDArray[np.bool_]) -> tuple[tuple[float, ...], float]:
        """Return weights, and a threshold between the sums of the patterns that come, on the two sides."""
        n_points = self.points.shape[1]
        weights = values[:n_points] - values[n_points : 2 * n_points]
        # Smaller ones are SCIP's rounding, and change no sum by EPSILON.
        weights = np.where(np.abs(weights) > EPSILON * 1e-2, weights, 0.0)
        sums, threshold = self.points[come] @ weights, float(values[2 * n_points]) + EPSILON / 2
        below, above = sums[sums <= threshold], sums[sums > threshold]
        if len(below) and len(above):
            threshold = (float(below.max()) + float(above.min())) / 2
        # Positive and negative parts may both be there.
        size = float(np.abs(weights).sum()) or 1.0
        return tuple(float(weight) / size for weight in weights), threshold / size
