"""Rates that are averages over similar cases: which strata count, and how much their rows do.

Symbols: n_gs are the people of group g in stratum s that a rate is a share of, N_s those of all groups there. The rate
of a group is ``sum_s W_s p_gs`` with p_gs its rate in a stratum and ``W_s = N_s / sum_s N_s``, over the strata in which
each group that has people at all has some. So a row of such a stratum counts ``W_s / n_gs``, and all others 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairaudit.errors import GroupError, InputError
from fairaudit.findings import Count, Message
from fairaudit.measure.grouping import group_rows
from fairaudit.messages import say

if TYPE_CHECKING:
    # Plans know which rates averages there are of, and load no model.
    from fairaudit.estimators.parameters import Groups
    from fairaudit.estimators.weights import RowWeights

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

STRATA: Final = (
    "array_like, DataFrame or None, shape (n,) or (n, n_columns)",
    "What makes cases similar: rows with the same values are. Each gap is then the average over these strata, by the "
    "number of people in each that the metric is a share of. None: the gap of all rows together.",
)
"""The type and the meaning of the argument that says which cases are similar."""

LABELS_OF_RATES: Final = {
    "demographic_parity": (None,),
    "error_rate": (None,),
    "equal_opportunity": (1,),
    "fpr": (0,),
    "equalized_odds": (1, 0),
}
"""By what must be alike, the labels whose rows each rate is a share of; None for all rows."""


def read_strata(strata: Groups, weights: RowWeights, population: NDArray[np.bool_]) -> Codes | None:
    """Return the stratum of each row that is kept; None where those of the population are all of one.

    Shapes: `population` (n,); returns (n,).
    """
    if strata is None:
        return None
    codes = group_rows(weights.keep("strata", strata), len(population)).codes
    return codes if len(np.unique(codes[population])) > 1 else None


def check_averaged_constraint(constraint: str | None) -> None:
    """Refuse strata for what has no average over them."""
    if constraint not in LABELS_OF_RATES:
        raise InputError(
            f"'strata' needs something that must be alike on average, got {constraint!r}.",
            hint=f"Averages have: {', '.join(LABELS_OF_RATES)}.",
        )


def kinds_of(kinds: Codes, strata: Codes | None) -> Codes:
    """Return a code of each row for its kind and, where there are some, its stratum. Shapes: `kinds`, `strata` (n,)."""
    return kinds if strata is None else np.unique([kinds, strata], axis=1, return_inverse=True)[1].reshape(-1)


def people_who_count(sizes: Floats) -> Floats:
    """Return the people of each stratum, 0 where one of the groups that have people at all lacks them.

    Shapes: `sizes` (n_groups, n_strata); returns (n_strata,).

    Examples
    --------
    >>> people_who_count(np.array([[3.0, 2.0], [1.0, 0.0], [0.0, 0.0]])).tolist()
    [4.0, 0.0]
    """
    kept = sizes[sizes.any(axis=1)]
    return np.where((kept > 0).all(axis=0), kept.sum(axis=0), 0.0)


def counted(codes: Codes, strata: Codes, counts: ArrayLike | None, shape: tuple[int, int]) -> Floats:
    """Return the people of each group and stratum. Shapes: `codes`, `strata`, `counts` (n,); returns `shape`."""
    weights = None if counts is None else np.asarray(counts, dtype=np.float64)
    places = codes * shape[1] + strata
    return np.bincount(places, weights, shape[0] * shape[1]).astype(np.float64).reshape(shape)


@dataclass(frozen=True, eq=False)
class Averages:
    """How much a row of each group and stratum counts in the rate of its group."""

    # (n_groups, n_strata) People that the rate is a share of.
    sizes: Floats

    @classmethod
    def of(
        cls, codes: Codes, strata: Codes, n_groups: int, among: NDArray[np.bool_] | None, counts: Floats | None = None
    ) -> Self:
        """Count some of the rows; those of a code from `n_groups` on are of no group.

        Shapes: `codes`, `strata`, `among`, `counts` (n,).
        """
        n_strata = int(strata.max(initial=-1)) + 1
        inside = codes < n_groups if among is None else (codes < n_groups) & among
        weights = None if counts is None else counts[inside]
        return cls(counted(codes[inside], strata[inside], weights, (n_groups, n_strata)))

    @property
    def factors(self) -> tuple[Floats, Floats]:
        """Numerators, (n_strata,), and denominators, (n_groups, n_strata), of what a row counts."""
        people = people_who_count(self.sizes)
        if len(people) == 1:
            # One stratum is none: to the last digit.
            return np.sign(people), np.maximum(self.sizes, 1e-300)
        return people, np.maximum(people.sum() * self.sizes, 1e-300)

    @property
    def per_row(self) -> Floats:
        """What a row counts: those of a group add up to 1. Shapes: returns (n_groups, n_strata)."""
        people, below = self.factors
        return np.where(self.sizes > 0, people / below, 0.0)

    @property
    def n_left_out(self) -> int:
        """People in strata that do not count."""
        return round(float(self.sizes.sum() - people_who_count(self.sizes).sum()))

    def check(self, what: str) -> None:
        """Refuse rows without a stratum in which all groups have people."""
        if not people_who_count(self.sizes).any():
            message = f"There are no similar cases of all groups among the rows that {what}."
            raise GroupError(
                message,
                uncounted=message,
                hint="Choose wider bands for what makes cases similar, or limit the gap of all cases together.",
            )


def averages_of(
    constraint: str, y: NDArray[np.generic], codes: Codes, strata: Codes, n_groups: int, counts: Floats | None = None
) -> tuple[Averages, ...]:
    """Return how much rows count in each rate that must be alike. Shapes: `y`, `codes`, `strata`, `counts` (n,)."""
    return tuple(
        Averages.of(codes, strata, n_groups, None if label is None else y == label, counts)
        for label in LABELS_OF_RATES[constraint]
    )


def notes_on_strata(averages: tuple[Averages, ...]) -> tuple[str, ...]:
    """Say how many people have no similar cases in another group, so that they do not count."""
    n = max((each.n_left_out for each in averages), default=0)
    return (say(Message("similar-left-out", {"n": Count(n)})),) if n else ()
