"""What a remedy does beside the decisions as they are: who gets the good outcome, and how far apart groups are."""

from __future__ import annotations

import math
from typing import Any

from fairaudit.errors import sure
from fairaudit.measure.intervals import newcombe
from fairaudit.measure.results import ControlledFairness, Interval
from fairaudit.present.numbers import are_known
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts


def is_wider(finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> bool:
    """Say whether a remedy leaves a wider gap than decisions, or what happened, have, with the whole of its interval.

    It is that of a paired difference. Where that is hidden, both gaps are taken as if they were of different rows.
    """
    after = finding.after.fairness if isinstance(finding, RemedyFinding) else finding.after.predicted
    decided = facts.decisions
    ends = (*after.difference_interval, *decided.difference_interval)
    if not are_known(after.difference, decided.difference, *ends):
        return False
    if finding.beside_decisions is not None:
        return finding.beside_decisions.gap.low > 0
    low, _ = _away(after.difference, after.difference_interval)
    _, high = _away(decided.difference, decided.difference_interval)
    own, other = abs(after.difference), abs(decided.difference)
    return bool(own - other > math.hypot(own - low, high - other))


def _away(gap: float, interval: Interval) -> tuple[float, float]:
    """Return the ends of an interval, counted in the direction of its gap."""
    low, high = interval
    return (low, high) if gap >= 0 else (-high, -low)


def given_share(fairness: ControlledFairness) -> float | None:
    """Return the share of all compared rows with the good outcome; None where it is hidden or there is none."""
    sides = (fairness.protected, fairness.reference)
    if any(side.n is None or side.positives is None for side in sides):
        return None
    n = sum(side.n for side in sides)
    return sum(side.positives for side in sides) / n if n else None


def gives_less(finding: RemedyFinding, facts: StudyFacts) -> bool:
    """Say whether fewer people of either group get the favourable result than in past decisions, and surely in all."""
    fairness, decided = finding.after.fairness, facts.decisions
    pairs = ((fairness.protected, decided.protected), (fairness.reference, decided.reference))
    if any(not are_known(own.ratio, other.ratio) or own.ratio >= other.ratio for own, other in pairs):
        return False
    return all(get_fewer(finding, facts)) or ((change := _in_all(finding, facts)) is not None and _is_less(change))


def gives_more(finding: RemedyFinding, facts: StudyFacts) -> bool:
    """Say whether clearly more people get the favourable result than in past decisions: by more than the tolerance.

    It is the whole interval that says so. Both shares are of the same rows, so it is that of a paired difference.
    """
    change = _in_all(finding, facts)
    return change is not None and bool(change.low > finding.after.fairness.tolerance)


def _in_all(finding: RemedyFinding, facts: StudyFacts) -> Interval | None:
    """Return the interval of how many more of all people get the favourable result than in past decisions."""
    fairness = finding.after.fairness
    own, decided = given_share(fairness), given_share(facts.decisions)
    if not finding.changes or facts.decision_is_outcome or own is None or decided is None:
        return None
    beside = finding.beside_decisions
    paired = None if beside is None else beside.compared
    return paired or _unpaired(_both(fairness), _both(facts.decisions), fairness.confidence)


def _is_less(change: Interval) -> bool:
    return change.high is not None and change.high < 0


def _both(fairness: ControlledFairness) -> tuple[Any, Any]:
    sides = (fairness.protected, fairness.reference)
    return sum(sure(side.positives) for side in sides), sum(sure(side.n) for side in sides)


def _unpaired(own: tuple[Any, Any], decided: tuple[Any, Any], confidence: float) -> Interval:
    """Return the interval of the difference of two shares, each so many of so many, where the paired one is hidden.

    They are taken as if they were of different rows: that is wider, as most people get the same answer in both.
    """
    low, high = newcombe(*own, *decided, confidence)
    return Interval(float(low), float(high))


def get_fewer(finding: RemedyFinding, facts: StudyFacts) -> tuple[bool, bool]:
    """Say whether the protected group and the others surely get the favourable result less often than in the past.

    What truly happened is no decision, so then neither does.
    """
    fairness, beside = finding.after.fairness, finding.beside_decisions
    sides = (
        (facts.decisions.protected, fairness.protected, beside and beside.protected),
        (facts.decisions.reference, fairness.reference, beside and beside.rest),
    )
    own, others = (
        not facts.decision_is_outcome
        and bool(finding.changes)
        and are_known(after.ratio, decided.ratio)
        and _is_less(
            paired or _unpaired((after.positives, after.n), (decided.positives, decided.n), fairness.confidence)
        )
        for decided, after, paired in sides
    )
    return own, others
