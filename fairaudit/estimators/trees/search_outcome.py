"""How a search for a tree ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairaudit.estimators.trees.shape import TreeShape

Status = Literal["optimal", "work_limit", "stopped", "gap", "infeasible"]
"""Proven; all work done that was allowed; stopped by the caller; ended with a distance left; proven impossible."""

Method = Literal["frontier", "scip"]


@dataclass(frozen=True, eq=False)
class Found:
    """The end of a search.

    Parameters
    ----------
    shape : TreeShape or None
        The best tree that is allowed; None where none was found.
    objective : float
        Of that tree; infinite without one.
    bound : float
        What no allowed tree of this depth over these splits can be better than.
    status : str
        See `Status`.
    method : {"frontier", "scip"}
        Which search ran.
    notes : tuple of str
        What should be known, as sentences.
    """

    shape: TreeShape | None
    objective: float
    bound: float
    status: Status
    method: Method
    notes: tuple[str, ...] = ()

    @property
    def optimality_gap(self) -> float:
        """How far objective and bound are apart, as a share of the objective."""
        if self.shape is None:
            return 1.0
        return max(self.objective - self.bound, 0.0) / max(abs(self.objective), 1e-12)
