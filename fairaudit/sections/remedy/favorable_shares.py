"""How many people a model gives the favourable result: surely fewer or more than before, all, or nearly all.

A model that gives everybody, or nearly everybody, the same answer is recognised, as it looks accurate.
"""

from __future__ import annotations

from typing import Final, Literal

from fairaudit.errors import require
from fairaudit.measure.intervals import newcombe
from fairaudit.measure.results import ControlledFairness, ErrorComparison, Interval
from fairaudit.present.numbers import are_known
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import Evaluation, Yardstick


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


def _both(fairness: ControlledFairness) -> tuple[int, int]:
    sides = (fairness.protected, fairness.reference)
    return sum(require(side.positives) for side in sides), sum(require(side.n) for side in sides)


def _unpaired(own: tuple[int, int], decided: tuple[int, int], confidence: float) -> Interval:
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


NEARLY_CONSTANT: Final = 0.01
"""A model is called nearly constant where it predicts otherwise for a smaller share of people."""
FEW_OF_GROUP: Final = 0.1
FEW_OF_DECIDED: Final = 0.25
"""Or for fewer than this share, where that is a smaller part than this of those who have that answer so far."""

OneAnswer = Literal["one_answer", "nearly_one_answer"]


def one_answer(fairness: ControlledFairness, decided: ControlledFairness) -> OneAnswer | None:
    """Return whether all, or nearly all, of the compared rows get the same answer; None where not, or it is hidden.

    `decided` is what was decided, or what happened: few may have an answer that few had before.
    """
    if fairness.has_one_decision:
        return "one_answer"
    given, had = _shares_given(fairness), _shares_given(decided)
    if given is None:
        return None
    few = min(given)
    is_few = had is not None and few < FEW_OF_GROUP and few < FEW_OF_DECIDED * had[given.index(few)]
    return "nearly_one_answer" if few < NEARLY_CONSTANT or is_few else None


def _shares_given(fairness: ControlledFairness) -> tuple[float, float] | None:
    """Return the shares with the favourable result and without it, of all compared rows; None where it is hidden."""
    given = given_share(fairness)
    return None if given is None else (given, 1 - given)


def is_one_answer(model: Evaluation | Yardstick, decided: ControlledFairness) -> bool:
    """Say whether a model gives all, or nearly all, the same answer."""
    return getattr(model, "kind", "") == "constant" or one_answer(model.fairness, decided) is not None


def lost_shares(after: Evaluation, before: Evaluation) -> tuple[float, float] | None:
    """Return which share of the positive outcomes a model finds with and without the remedy, where it clearly loses.

    None where it loses no more than the tolerance, where that may be chance, or where a count is hidden.
    """
    own, other = (_found_counts(each.errors) for each in (after, before))
    if own is None or other is None or not own[1] or not other[1]:
        return None
    _, high = newcombe(*own, *other, after.fairness.confidence)
    found, had = own[0] / own[1], other[0] / other[1]
    return None if had - found <= after.fairness.tolerance or high >= 0 else (found, had)


def _found_counts(errors: ErrorComparison) -> tuple[float, float] | None:
    """Return how many rows with the positive outcome a model finds, and how many there are; None where hidden."""
    cells = errors.counts[["tp", "fp", "tn", "fn"]]
    if cells.isna().to_numpy().any():
        return None
    found, missed = (float(cells[name].sum()) for name in ("tp", "fn"))
    return found, found + missed
