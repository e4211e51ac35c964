"""How much work a search may do, and how much it has done: counted, so that it is the same on each machine.

A search counts what it does in a `Budget` and ends when that is used up. The unit is a second, about, of the machine
that the rates below were measured on (``benchmarks/work_rates.py``): a slower machine takes longer and finds the same.
Nothing here reads a clock.
"""

from __future__ import annotations

import math
from typing import Final

LATE: Final = 0.15
"""A stage that begins with so little of the work left would bring nothing."""

PRODUCTS_PER_S: Final = 2e9
"""Multiplications in products of matrices."""

ELEMENTS_PER_S: Final = 1e8
"""Elements that an operation on arrays goes through."""

CALLS_PER_S: Final = 2e4
"""Steps that are so small that Python takes longer than the arrays."""


class Budget:
    """Work that may be done.

    Parameters
    ----------
    limit : float
        Seconds of work.
    owner : Budget, optional
        Parent budget; work is charged to it as well.

    Examples
    --------
    >>> whole = Budget(10)
    >>> part = whole.part(4)
    >>> part.spend(seconds=3)
    >>> part.left, whole.left, part.is_over
    (1.0, 7.0, False)
    """

    def __init__(self, limit: float = math.inf, owner: Budget | None = None):
        self.limit, self.owner = max(float(limit), 0.0), owner
        self.spent = 0.0

    def part(self, limit: float = math.inf) -> Budget:
        """Return a child budget, limited by what is left here."""
        return Budget(min(limit, self.left), self)

    def spend(self, *, products: float = 0.0, elements: float = 0.0, calls: float = 0.0, seconds: float = 0.0) -> None:
        """Count work: multiplications of matrices, elements of other operations, small steps, or seconds as such."""
        work = float(products / PRODUCTS_PER_S + elements / ELEMENTS_PER_S + calls / CALLS_PER_S + seconds)
        budget: Budget | None = self
        while budget is not None:
            budget.spent += work
            budget = budget.owner

    @property
    def left(self) -> float:
        """Seconds of work that are left; 0 when all is used up."""
        return max(self.limit - self.spent, 0.0)

    @property
    def is_over(self) -> bool:
        """Whether all is used up."""
        return self.spent >= self.limit

    @property
    def is_late(self) -> bool:
        """Whether so little is left that nothing new should begin."""
        return self.spent >= (1 - LATE) * self.limit

    @property
    def share(self) -> float:
        """The share that is used up, at most 1; 0 where there is no limit."""
        return min(self.spent / self.limit, 1.0) if self.limit > 0 else 1.0

    def steps(self, total: int) -> int:
        """Return that share as steps of so many, for those who draw how far a search is."""
        return int(self.share * total)
