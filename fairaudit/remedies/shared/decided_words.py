"""What a remedy does beside the decisions as they are: who gets the good outcome, and how far apart groups are."""

from __future__ import annotations

from typing import Final

from fairaudit.measure.results import ControlledFairness, GroupRatio
from fairaudit.present.chips import Chip
from fairaudit.present.numbers import are_known, confidence_text, count_text, interval_text, share_text
from fairaudit.present.words import group_name, listed
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts

WIDER: Final = Chip("Wider gap than in the decisions", "gap")
FEWER: Final = Chip("Fewer good outcomes than in the decisions", "gap")


def is_wider(finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts) -> bool:
    """Say whether a remedy leaves a gap that is wider than that of the decisions, with the whole of its interval."""
    after = finding.after.fairness if isinstance(finding, RemedyFinding) else finding.after.predicted
    decided, (low, high) = facts.decisions.difference, after.difference_interval
    if not are_known(decided, low, high):
        return False
    return bool(max(low, -high) > abs(decided))


def beside_decided(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return that a remedy leaves a gap no smaller than that of the decisions; empty where it is smaller, or hidden.

    Nothing is said of a gap within the tolerance, nor of a model without a remedy.
    """
    after, decided = finding.after.fairness, facts.decisions.difference
    if not finding.changes or not are_known(after.difference, decided):
        return ""
    if is_wider(finding, facts):
        return "The gap is wider than in the decisions."
    is_smaller = abs(after.difference) < abs(decided)
    return "" if after.fair or is_smaller else "The gap is not smaller than in the decisions."


def given_share(fairness: ControlledFairness) -> float | None:
    """Return the share of all compared rows with the good outcome; None where it is hidden or there is none."""
    sides = (fairness.protected, fairness.reference)
    if any(side.n is None or side.positives is None for side in sides):
        return None
    n = sum(side.n for side in sides)
    return sum(side.positives for side in sides) / n if n else None


def given_sentence(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return how many people a model gives the good outcome, and how many have it in the decisions."""
    own, decided = given_share(finding.after.fairness), given_share(facts.decisions)
    if own is None or decided is None:
        return ""
    return f"The good outcome goes to {share_text(own)} of people; in the decisions, {share_text(decided)} have it."


def fewer_sentence(finding: RemedyFinding, facts: StudyFacts) -> str:
    """Return which of both groups gets the good outcome less often than in the decisions, where that is no chance."""
    pairs = (
        (group_name(facts), facts.decisions.protected, finding.after.fairness.protected),
        ("the rest", facts.decisions.reference, finding.after.fairness.reference),
    )
    level = confidence_text(finding.after.fairness.confidence)
    fewer = [
        f"{name} ({share_text(decided.ratio)} in the decisions, {share_text(after.ratio)} with the remedy, {level} "
        f"interval {interval_text(after.interval, 'share')}, n = {count_text(after.n)})"
        for name, decided, after in pairs
        if _is_less(after, decided)
    ]
    return f"Fewer good outcomes than in the decisions: {listed(fewer)}." if fewer else ""


def _is_less(after: GroupRatio, decided: GroupRatio) -> bool:
    high = after.interval.high
    return are_known(decided.ratio, high) and bool(high < decided.ratio)
