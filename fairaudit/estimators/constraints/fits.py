"""What a search has tried: fits, each with its own threshold or another one, and which of them is chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DECIMALS = 12
"""Ratios are rounded to so many decimals, so that a gap of exactly what is allowed is met."""

STEPS = tuple(
    round(step, 2)
    for step in (*np.arange(0.1, 2.0, 0.1), *np.arange(2.0, 5.0, 0.5), *np.arange(5.0, 20.0), *np.arange(20, 101, 20))
)
"""How many times what is allowed a person may choose between. The steps are the same for all data: one that followed a
gap would reveal it, also where small counts are hidden."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A model that was fitted on the way, judged on the rows that multipliers are chosen on.

    Parameters
    ----------
    multipliers : ndarray of float, shape (n_constraints,)
        lambda; its sign says which group is helped.
    accuracy : float
        Share of right predictions; NaN where there are no rows to choose on.
    gaps : ndarray of float, shape (n_constraints,)
        The first group's metric minus the second's; NaN where it is undefined.
    ratio : float
        The largest gap as a multiple of what is allowed; infinite where a gap is undefined, or where a group is worse
        off that must not be; 0 without constraints.
    share : float
        The share of rows that are predicted positive; NaN where there are no rows.
    place : int
        The place of the fit; several entries with other thresholds may be of one.
    threshold : float, optional
        Scores from here on are predicted positive, infinity for none and minus infinity for all; None: the model itself
        predicts.
    """

    multipliers: Floats
    accuracy: float
    gaps: Floats
    ratio: float
    share: float = math.nan
    place: int = 0
    threshold: float | None = None

    @classmethod
    def of(cls, multipliers: Floats, accuracy: float, gaps: Floats, limits: Floats, **more: Any) -> Fit:
        """Compare the gaps with what is allowed.

        Shapes: `multipliers` (n_constraints,), `gaps` (n_constraints,), `limits` (n_constraints,).
        """
        ratio = round(float((np.abs(gaps) / limits).max(initial=0.0)), DECIMALS)
        return cls(multipliers, accuracy, gaps, math.inf if math.isnan(ratio) else ratio, **more)

    @property
    def is_met(self) -> bool:
        """Whether every gap is within what is allowed."""
        return self.ratio <= 1

    @property
    def largest_multiplier(self) -> float:
        """The multiplier that is largest in size, with its sign; 0 without constraints."""
        return float(self.multipliers[np.abs(self.multipliers).argmax()]) if len(self.multipliers) else 0.0

    @property
    def largest_gap(self) -> float:
        """The largest gap, without its sign; NaN where none is defined, 0 without constraints."""
        if not len(self.gaps):
            return 0.0
        return math.nan if np.isnan(self.gaps).all() else float(np.nanmax(np.abs(self.gaps)))


def choose_fit(fits: Sequence[Fit], scale: float = 1.0) -> int:
    """Return the most accurate fit whose ratio is at most `scale`, or the one closest to it where there is none."""
    met = [i for i, fit in enumerate(fits) if fit.ratio <= scale]
    if met:
        return min(met, key=lambda i: (-fits[i].accuracy, fits[i].ratio))
    return min(range(len(fits)), key=lambda i: _rank(fits[i]))


def frontier_of(fits: Sequence[Fit]) -> tuple[int, ...]:
    """Return the fits that no other beats in accuracy and ratio."""
    kept: list[int] = []
    for i in sorted(range(len(fits)), key=lambda i: _rank(fits[i])):
        if not kept or fits[i].accuracy > fits[kept[-1]].accuracy:
            kept.append(i)
    return tuple(kept)


def _rank(fit: Fit) -> tuple[float, bool, float]:
    """Return what sorts fits by their ratio, then by accuracy; those without one come last."""
    return fit.ratio, math.isnan(fit.accuracy), -fit.accuracy
