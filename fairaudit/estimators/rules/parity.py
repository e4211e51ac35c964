"""What must be alike between groups, as linear rates of the master problem and as the true rates of predictions.

Each rate of a group g is ``constant_g + missed_g * M_g + hit_g * H_g``. M_g are the positive rows of the group that no
rule covers. H_g are its covered negative rows: counted once in the true rate, and once for each rule that covers them
in the Hamming form that the master problem holds. Where no negative row is covered twice, both are the same.

========================= =============================== ========================= ============
fairness                  rates that must be alike        M_g times                 H_g times
========================= =============================== ========================= ============
``equal_opportunity``     fnr                             1 / P_g                   0
``false_positive_rate``   fpr                             0                         1 / N_g
``equalized_odds``        both of these
``statistical_parity``    selection_rate, P_g / n_g plus  -1 / n_g                  1 / n_g
``accuracy``              error_rate                      1 / n_g                   1 / n_g
========================= =============================== ========================= ============

A group without the rows that a rate is a share of has no such rate, and is not compared in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import InputError

Fairness = Literal["equalized_odds", "equal_opportunity", "false_positive_rate", "statistical_parity", "accuracy"]
"""What may be asked to be alike."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Rate:
    """A rate that must be alike: how it follows from missed positive and covered negative rows of a group.

    Parameters
    ----------
    name : str
        The field's name of the rate.
    base : callable
        Takes rows by group and label, shape (n_groups, 2); returns the rows that the rate is a share of.
    missed, hit : int
        The sign with which missed positive and covered negative rows count: 1, 0 or -1.
    starts_at_positives : bool
        Whether the positive rows of the group are counted to begin with.
    """

    name: str
    base: Callable[[Ints], Ints]
    missed: int
    hit: int
    starts_at_positives: bool = False


def _positives(totals: Ints) -> Ints:
    return totals[:, 1]


def _negatives(totals: Ints) -> Ints:
    return totals[:, 0]


def _all(totals: Ints) -> Ints:
    return totals.sum(axis=1)


FNR: Final = Rate("fnr", _positives, 1, 0)
FPR: Final = Rate("fpr", _negatives, 0, 1)
SELECTION: Final = Rate("selection_rate", _all, -1, 1, starts_at_positives=True)
ERROR: Final = Rate("error_rate", _all, 1, 1)

RATES: Final[dict[str, tuple[Rate, ...]]] = {
    "equalized_odds": (FNR, FPR),
    "equal_opportunity": (FNR,),
    "false_positive_rate": (FPR,),
    "statistical_parity": (SELECTION,),
    "accuracy": (ERROR,),
}
"""The rates that each kind of fairness compares."""


@dataclass(frozen=True, eq=False)
class GroupRate:
    """One rate of all groups on given rows, linear in missed positive and covered negative rows.

    Parameters
    ----------
    name : str
        The field's name of the rate.
    constant, missed, hit : ndarray of float, shape (n_groups,)
        See the module; 0 for groups without the rate.
    defined : ndarray of bool, shape (n_groups,)
        Whether the group has rows that the rate is a share of.
    """

    name: str
    constant: Floats
    missed: Floats
    hit: Floats
    defined: NDArray[np.bool_]

    def of(self, missed: Ints, hits: Ints) -> Floats:
        """Return the rate of each group, NaN where it has none.

        Shapes: `missed` (n_groups,), `hits` (n_groups,); returns (n_groups,).
        """
        rates = self.constant + self.missed * missed + self.hit * hits
        return np.where(self.defined, rates, np.nan)


def group_rates(fairness: str | None, totals: Ints) -> tuple[GroupRate, ...]:
    """Return the rates that must be alike.

    Shapes: `totals` (n_groups, 2).

    Examples
    --------
    >>> [rate.name for rate in group_rates("equalized_odds", np.array([[3, 1], [2, 2]]))]
    ['fnr', 'fpr']
    """
    if fairness is None:
        return ()
    if fairness not in RATES:
        raise InputError(f"'fairness' must be one of {', '.join(RATES)} or None, got {fairness!r}.")
    rates = []
    for rate in RATES[fairness]:
        base = rate.base(totals)
        share: Floats = np.divide(1.0, base, out=np.zeros(len(base)), where=base > 0)
        constant = totals[:, 1] * share if rate.starts_at_positives else np.zeros(len(base))
        rates.append(GroupRate(rate.name, constant, rate.missed * share, rate.hit * share, base > 0))
    return tuple(rates)


def largest_gap(rates: tuple[GroupRate, ...], missed: Ints, hits: Ints) -> float:
    """Return the largest difference between two groups in any rate; 0 where fewer than two groups have one.

    Shapes: `missed` (n_groups,), `hits` (n_groups,).
    """
    gaps = [np.ptp(rate.of(missed, hits)[rate.defined]) for rate in rates if rate.defined.sum() > 1]
    return float(max(gaps, default=0.0))
