"""When a solve has to end, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import NoSolutionError

Status = Literal["optimal", "gap", "work_limit", "node_limit", "memory_limit", "stopped", "infeasible"]
"""How a solve ended. All but the last can come with solutions; "gap" is as near to the optimum as was asked."""


@dataclass(frozen=True)
class Limits:
    """When a solve has to end, beside the budget of its model.

    Parameters
    ----------
    gap : float
        The relative distance between solution and bound that is near enough; 0 asks for proof.
    memory_mb : float
        Megabytes that SCIP may use.
    nodes : int, optional
        Nodes of the search tree.
    seed : int
        Any integer of at least 0. The same model, seed, limits and budget give the same result.
    """

    gap: float = 0.0
    memory_mb: float = 4096.0
    nodes: int | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Solved:
    """How a solve ended.

    Parameters
    ----------
    status : str
        See `Status`.
    objective : float
        Of the best solution, NaN without one.
    bound : float
        What no solution can be better than.
    objectives : ndarray of float, shape (n_solutions,)
        Of all solutions that SCIP keeps, the best first.
    solutions : ndarray of float, shape (n_solutions, n_variables)
        The values of the variables that were asked for.
    n_nodes : int
        Nodes of the search tree.
    """

    status: Status
    objective: float
    bound: float
    objectives: NDArray[np.float64]
    solutions: NDArray[np.float64]
    n_nodes: int

    @property
    def best(self) -> NDArray[np.float64]:
        """The best solution, shape (n_variables,)."""
        if not len(self.solutions):
            why = "there is none" if self.status == "infeasible" else f"it ended with {self.status!r}"
            raise NoSolutionError(f"The search has no solution: {why}.", hint="Allow more work, or ask for less.")
        return self.solutions[0]
