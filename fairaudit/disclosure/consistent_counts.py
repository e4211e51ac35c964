"""Search by integer programs through all tables of counts that agree with what is published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array


def open_equations(
    values: Sequence[int | None], equations: Sequence[tuple[dict[int, int], int]], known: set[int]
) -> tuple[list[int], coo_array, list[int]]:
    """Return the counts that are not known, and the equations between them."""
    free = [number for number in range(len(values)) if number not in known]
    column = {number: i for i, number in enumerate(free)}
    rows, columns, factors, right = [], [], [], []
    for terms, constant in equations:
        left = {number: factor for number, factor in terms.items() if number in column}
        if left:
            right.append(constant - sum(f * values[n] for n, f in terms.items() if n not in column))
            for number, factor in left.items():
                rows.append(len(right) - 1)
                columns.append(column[number])
                factors.append(factor)
    return free, coo_array((factors, (rows, columns)), shape=(len(right), len(free))), right


class Program:
    """All tables of counts that agree with what is published, as integer points.

    Parameters
    ----------
    matrix : coo_array
        The equations, one column a count.
    right : sequence of int
        Their right side.
    total : int
        No count is larger.
    also : sequence of LinearConstraint
        What else a reader knows.
    """

    def __init__(self, matrix: coo_array, right: Sequence[int], total: int, *, also: Sequence[LinearConstraint] = ()):
        self.constraints = [LinearConstraint(matrix.tocsr(), right, right)] if len(right) else []
        self.constraints += also
        self.bounds = Bounds(0, total)
        self.low = np.full(matrix.shape[1], np.inf)
        self.high = np.full(matrix.shape[1], -np.inf)

    def solve(self, weights: np.ndarray) -> bool:
        """Find one table that minimises `weights`, note the value of each count in it, and say if there is one."""
        found = milp(weights, integrality=np.ones(len(weights)), bounds=self.bounds, constraints=self.constraints)
        if found.x is None:
            return False
        point = np.round(found.x)
        self.low, self.high = np.minimum(self.low, point), np.maximum(self.high, point)
        return True

    def narrow(self, targets: Iterable[int], spread: int) -> Iterator[int]:
        """Yield the targets whose values are less than `spread` apart in all tables; look up what is not noted."""
        targets = list(targets)
        for direction in (1.0, -1.0):
            weights = np.zeros(len(self.low))
            weights[targets] = direction
            self.solve(weights)
        for target in targets:
            for direction in (1.0, -1.0):
                if self.high[target] - self.low[target] < spread:
                    weights = np.zeros(len(self.low))
                    weights[target] = direction
                    self.solve(weights)
            if self.high[target] - self.low[target] < spread:
                yield target
