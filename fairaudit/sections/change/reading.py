"""Whether a gap changed: its verdict, what becomes of the change among similar cases, and how figures are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from fairaudit.audit.result import ChangeFinding
from fairaudit.errors import require
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.grouping import value_text
from fairaudit.measure.limits import digits_of_several
from fairaudit.measure.period_results import ChangeVerdict, PeriodComparison, PeriodLine, recorded_otherwise
from fairaudit.measure.periods import AFTER, BEFORE
from fairaudit.measure.quantity import UNITS, Quantity
from fairaudit.measure.results import ControlledFairness, ControlledMeans, Interval

ShownChange: TypeAlias = ChangeVerdict | Literal["not_shown"]
Mix = Literal["rates", "mix", "both"]
Recorded = Literal["alike", "elsewhere", "otherwise"]
Answer: TypeAlias = "ControlledFairness | ControlledMeans"
_MOST_DIGITS = 3


@dataclass(frozen=True)
class ChangeReading:
    """Whether a gap changed, without a sentence.

    Parameters
    ----------
    verdict : ShownChange
        Smaller, larger, turned around or changed where that is more than chance; unchanged where all that fits the data
        is within the tolerance.
    mix : Mix or None
        What clearly changed: the gap among similar cases, the mix of cases, or both; None where neither is clear.
    recorded : Recorded or None
        Whether the periods are recorded alike, or otherwise in columns that the question depends on, or does not; None
        where that is hidden.
    standing_out : tuple of int
        Of more than two periods, the places of those that differ from the others by more than chance.
    """

    verdict: ShownChange
    mix: Mix | None
    recorded: Recorded | None
    standing_out: tuple[int, ...] = ()


def read_change(finding: ChangeFinding) -> ChangeReading:
    """Read a finding, whole or as it leaves."""
    if finding.line is not None:
        return _read_line(finding.line)
    found = require(finding.result)
    is_hidden: bool = found.verdict is None
    if is_hidden:
        return ChangeReading("not_shown", None, None)
    return ChangeReading(found.verdict, _mix(found), _recorded(found))


def answers_of(finding: ChangeFinding) -> tuple[Answer, ...]:
    """Return the answers of all periods, in order."""
    if finding.line is not None:
        return finding.line.answers
    found = require(finding.result)
    return found.before, found.after


def quantity_of(finding: ChangeFinding) -> Quantity:
    """Return how the figures are written, so that a gap that is larger than another one is so in writing too."""
    answers, kind = answers_of(finding), finding.decision.kind.quantity
    digits, scale = digits_of_several(answers), UNITS[kind].scale
    if read_change(finding).verdict in ("gap_smaller", "gap_larger"):
        first, last = (scale * abs(answer.difference) for answer in answers)
        digits = next((d for d in range(digits, digits + _MOST_DIGITS) if round(first, d) != round(last, d)), digits)
    return Quantity(kind, digits, finding.names.of_unfavorable)


def period_names(finding: ChangeFinding) -> tuple[Argument, ...]:
    """Return when each period is, as an adverb."""
    names = finding.compared.names
    if finding.plan.second is not None:
        if names == (BEFORE, AFTER):
            return Message("change-period-earlier"), Message("change-period-later")
        return tuple(Message("change-period-in", {"name": Phrase(name)}) for name in names)
    cuts = [Phrase(value_text(cut)) for cut in finding.plan.cuts]
    between = [Message("change-period-between", {"start": start, "end": end}) for start, end in pairwise(cuts)]
    return (
        Message("change-period-before", {"end": cuts[0]}),
        *between,
        Message("change-period-from", {"start": cuts[-1]}),
    )


def period_starts(finding: ChangeFinding) -> tuple[Argument, ...]:
    """Return what stands below each period in a picture: where it begins, or the table."""
    if finding.plan.second is not None:
        return tuple(map(Phrase, finding.compared.names))
    first, *_ = period_names(finding)
    cuts = [Phrase(value_text(cut)) for cut in finding.plan.cuts]
    return (first, *(Message("change-period-from", {"start": cut}) for cut in cuts))


def is_finite(interval: Interval) -> bool:
    """Say whether both ends of an interval are known."""
    return all(map(math.isfinite, interval))


def _read_line(line: PeriodLine) -> ChangeReading:
    is_hidden: bool = line.changed is None
    if is_hidden:
        return ChangeReading("not_shown", None, None)
    verdict: ChangeVerdict = "gap_changed" if line.changed else "gap_may_not_have_changed"
    if all(answer.has_one_decision for answer in line.answers):
        verdict = "nothing_to_compare"
    adjusted = line.periods["adjusted_p_value"]
    out = tuple(place for place, value in enumerate(adjusted) if line.changed and value < 1 - line.confidence)
    return ChangeReading(verdict, None, _recorded(line), out)


def _mix(found: PeriodComparison) -> Mix | None:
    if not found.strata:
        return None
    mix, rates = (
        is_finite(part) and (part.low > 0 or part.high < 0) for part in (found.mix_interval, found.rates_interval)
    )
    if mix and rates:
        return "both"
    return "mix" if mix else "rates" if rates else None


def _recorded(found: PeriodComparison | PeriodLine) -> Recorded:
    if recorded_otherwise(found.profile):
        return "otherwise"
    return "alike" if all(difference.change == "shares" for difference in found.profile) else "elsewhere"
