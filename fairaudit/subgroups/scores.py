"""What subgroups are ranked by, and the best that any part of one could reach.

All rankings are a factor of the same sum over the rows of a subgroup, ``d = sum (value - mean of all)``:

=========  ====================================  ========================================================
people     ``d / N``                             people affected: rows x gap to the share of all, by all rows
gap        ``d N / (n (N - n))``                 the share of the subgroup less that of everybody else
evidence   ``d sqrt(N / (n (N - n))) / s``       that gap in standard errors; ``s`` is the deviation of all rows
=========  ====================================  ========================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairaudit.defaults import ENOUGH
from fairaudit.subgroups.kinds import Ranking

Floats = NDArray[np.float64]

RANKINGS: Final[tuple[Ranking, ...]] = ("people", "gap", "evidence")

GAP_SHARE: Final = 0.01
"""The least share of the rows that a subgroup ranked by its gap has."""

EXPECTED: Final = 5.0
"""The least number of rows of either outcome that a subgroup ranked by evidence would have without a gap."""


@dataclass(frozen=True)
class Population:
    """What subgroups are compared with.

    Parameters
    ----------
    n : int
        Rows.
    total : float
        The sum of their values.
    deviation : float
        The standard deviation of their values.
    shares : bool
        Whether values are 0 or 1.
    min_rows : int
        The fewest rows of a subgroup.
    """

    n: int
    total: float
    deviation: float
    shares: bool
    min_rows: int

    @property
    def mean(self) -> float:
        """The mean value."""
        return self.total / self.n

    def least(self, ranking: Ranking) -> int:
        """Return the fewest rows that a subgroup needs in a ranking."""
        if ranking == "people":
            return self.min_rows
        if ranking == "gap":
            return max(self.min_rows, math.ceil(GAP_SHARE * self.n))
        if not self.shares:
            return max(self.min_rows, ENOUGH)
        rarer = min(self.mean, 1 - self.mean)
        return max(self.min_rows, math.ceil(EXPECTED / rarer))

    def excess(self, n: ArrayLike, s: ArrayLike) -> Floats:
        """Return the sum of values less what as many rows would have on average."""
        return np.asarray(s, dtype=float) - np.asarray(n, dtype=float) * (self.total / self.n)

    def factor(self, ranking: Ranking, n: Floats) -> Floats:
        """Return what that excess is multiplied with; `n` is from 1 to below all rows."""
        if ranking == "people":
            return np.full(np.shape(n), 1 / self.n)
        inverse = self.n / (n * (self.n - n))
        return inverse if ranking == "gap" else np.sqrt(inverse) / self.deviation

    def bound(self, ranking: Ranking, n: Floats, s: Floats, above: Floats, sign: int) -> Floats:
        """Return the most that a part of each subgroup could reach in a ranking, in one direction.

        The best part of a subgroup is made of the best of its rows. `above` is the sum of what its values are above the
        mean of all (below it for the sign -1); minus infinity where no part is large enough.
        """
        least = self.least(ranking)
        if self.shares:
            # Rows of the wanted outcome, and as many others as the least size needs: each further one takes away.
            wanted, mean = (s, self.mean) if sign > 0 else (n - s, 1 - self.mean)
            size = np.maximum(wanted, least)
            best = wanted - size * mean
            size = np.minimum(size, self.n - 1)
            reached = best * self.factor(ranking, size)
        else:
            # n (N - n) is least at one end.
            ends = [np.minimum(np.maximum(size, 1), self.n - 1) for size in (np.full(np.shape(n), float(least)), n)]
            reached = above * np.maximum(*(self.factor(ranking, end) for end in ends))
        return np.where(n >= least, np.maximum(reached, 0.0), -np.inf)
