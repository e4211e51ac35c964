"""Thresholds in the units of the score as people know it, and the sliders that hold them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fairaudit.present.numbers import number_text
from fairaudit.remedies.thresholds.fit import Tuning

_STEPS = 200
_WIDEST = 1e12
_NARROWEST = 1e-9


@dataclass(frozen=True)
class Scale:
    """How thresholds are shown: in the units of the score as people know it, which may be turned.

    Parameters
    ----------
    low, high, step : float
        The ends and the steps of a slider.
    digits : int
        Decimals that are written.
    whole : bool
        Whether all scores are whole numbers; so are thresholds then.
    turned : bool
        Whether a lower score speaks for the good outcome; the core then counts with minus the score.
    """

    low: float
    high: float
    step: float
    digits: int
    whole: bool
    turned: bool

    @classmethod
    def of(cls, tuning: Tuning) -> Scale | None:
        """Return round ends and steps that hold all scores; None where no slider can, as when all are the same."""
        points = tuning.problem.points
        ends = [p.thresholds[-1] for p in points] + [p.thresholds[0] for p in points] + [tuning.default]
        low, high = sorted((-1 if tuning.turned else 1) * end for end in (min(ends), max(ends)))
        if high - low < _NARROWEST or max(abs(low), abs(high)) > _WIDEST:
            return None
        whole = high - low <= _STEPS and tuning.whole
        power = 0 if whole else math.ceil(math.log10((high - low) / _STEPS))
        step = 10.0**power
        low, high = (round(f(end / step) * step, 12) for f, end in ((math.floor, low), (math.ceil, high)))
        return cls(low, high, step, 0 if whole else max(2, -power), whole, tuning.turned)

    def shown(self, threshold: float) -> float:
        """Return what a slider shows for a threshold of the core."""
        least = math.ceil(threshold) if self.whole else threshold
        return min(max(float(-least if self.turned else least), self.low), self.high)

    def text(self, threshold: float) -> str:
        """Return a threshold as people read it."""
        return number_text(self.shown(threshold), digits=self.digits)

    def threshold(self, shown: float) -> float:
        """Return the threshold of the core for what a slider shows."""
        return -shown if self.turned else shown
