"""How the figures of a change are written: gaps between shares in points, gaps between means in their unit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairaudit.errors import sure
from fairaudit.measure.comparison_results import Interval
from fairaudit.present.numbers import (
    amount_digits,
    interval_text,
    number_text,
    points_text,
    signed_text,
    tolerance_text,
)
from fairaudit.present.words import direction_text

if TYPE_CHECKING:
    from fairaudit.audit.follow_up_results import ChangeFinding


class ChangeNumbers:
    """Writes the figures of an answer, with as many decimals as tell its amounts apart."""

    def __init__(self, finding: ChangeFinding):
        self.is_share = finding.decision.kind.has_good_outcome
        self.higher_is_favorable = self.is_share or finding.decision.higher_is_favorable
        answers = answers_of(finding)
        spreads = [] if self.is_share else [side.deviation for a in answers for side in (a.protected, a.reference)]
        known = [spread for spread in spreads if spread is not None and math.isfinite(spread)]
        self.digits = amount_digits(max(known, default=0.0))
        self.allowed = None if finding.result is None else finding.result.tolerance

    def gap(self, value: float | None, *, signed: bool = True) -> str:
        """Return a gap with its unit."""
        if self.is_share:
            return points_text(value, signed=signed)
        return (signed_text if signed else number_text)(value, digits=self.digits)

    def change(self, value: float | None) -> str:
        """Return the change of a gap with its unit, apart from the change that counts as none."""
        return points_text(value, beside=self.allowed) if self.is_share else self.gap(value)

    def change_interval(self, interval: Interval) -> str:
        """Return an interval of the change of a gap."""
        return interval_text(interval, beside=self.allowed) if self.is_share else self.interval(interval)

    def sided(self, value: float | None) -> str:
        """Return a gap by its size and to whose advantage it is."""
        if value is None or not math.isfinite(value) or value == 0:
            return self.gap(value)
        return f"{self.gap(abs(value), signed=False)} {direction_text(value if self.higher_is_favorable else -value)}"

    def interval(self, interval: Interval) -> str:
        """Return an interval of a gap."""
        return interval_text(interval) if self.is_share else interval_text(interval, "difference", digits=self.digits)

    def tolerance(self, value: float) -> str:
        """Return the largest change that counts as none."""
        return tolerance_text(value) if self.is_share else number_text(value, digits=self.digits)


def answers_of(finding: ChangeFinding) -> tuple:
    """Return the answers of all periods, in order."""
    if finding.line is not None:
        return finding.line.answers
    found = sure(finding.result)
    return found.before, found.after
