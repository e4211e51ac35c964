"""What a remedy changes, and how sure that is: beside the model before, and beside the decisions as they are.

Models that give everybody, or nearly everybody, the same answer are recognised, as they look accurate. Shared by pages
and report.

"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final, Literal, overload

import pandas as pd

from fairaudit.errors import sure
from fairaudit.findings import Message, Points, Share, Word
from fairaudit.measure.intervals import newcombe
from fairaudit.measure.results import ControlledFairness, ErrorComparison, Interval
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.numbers import are_known
from fairaudit.study.amounts.findings import AmountChange, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.judging.results import GOOD, MEASURES, Change, Evaluation, Yardstick


def moved_text(before: Any, after: Any) -> str:
    """Return a share before and after."""
    return f"{cell_text(before, 'share')} to {cell_text(after, 'share')}"


def size_text(gap: Any) -> str:
    """Return the size of a gap in points."""
    return cell_text(gap, "points").lstrip("+")


NOTHING = "may be chance"
"""Said of a change whose interval includes zero."""
NO_CHANGE = "no change"
"""Said of the area under the ROC curve where both models rank all rows alike, as with one score that is cut anew."""


def repeats_sentence(finding: RemedyFinding) -> str:
    """Return the gap and the accuracy over all repeats, with the remedy and without; empty without repeats."""
    divisions = finding.divisions
    if divisions is None or divisions["division"].nunique() < 2:
        return ""
    gaps = divisions[divisions["measure"] == "gap"]
    right = divisions.loc[divisions["measure"] == "accuracy", "after"].dropna()
    said = [*_over_repeats(gaps["after"].dropna(), "remedies-repeats", "remedies-repeats-both")]
    if said:
        said += _over_repeats(gaps["before"].dropna(), "remedies-repeats-without", "remedies-repeats-without-both")
    if len(right):
        ends = {"low": Share(float(right.min())), "high": Share(float(right.max()))}
        said.append(Message("remedies-repeats-accuracy", ends))
    return say(said)


def _over_repeats(gaps: pd.Series, key: str, both: str) -> list[Message]:
    """Return between which sizes gaps lie, or how far to either side."""
    if gaps.empty:
        return []
    low, high = float(gaps.min()), float(gaps.max())
    if low < 0 < high:
        return [Message(both, {"low": Points(-low, 1), "high": Points(high, 1)})]
    small, large = sorted((abs(low), abs(high)))
    return [
        Message(
            key, {"low": Points(small, 1), "high": Points(large, 1), "side": Word("lower" if low < 0 else "higher")}
        )
    ]


def predicts_the_same(finding: RemedyFinding | AmountRemedyFinding) -> bool:
    """Whether the remedy predicts the same as the model before on all held-out rows; False where that is hidden."""
    return bool(finding.changes) and not finding.predictions_differ


def change_word(change: Change | AmountChange) -> str:
    """Return how sure a change is: "may be chance", "no change", "clearly higher", "clearly towards zero"."""
    low, high = change.interval
    if None in (low, high):
        return "not shown"
    if not (math.isfinite(low) and math.isfinite(high)):
        return "not defined"
    if low == high == change.difference == 0:
        return NO_CHANGE
    if low <= 0 <= high:
        return NOTHING
    if change.measure in GOOD:
        return "clearly higher" if low > 0 else "clearly lower"
    return gap_word(change)


def gap_word(change: Change | AmountChange) -> str:
    """Return where a gap or difference moved whose change is not nothing."""
    if (change.interval.low > 0) == (change.before >= 0):
        return "clearly away from zero"
    return "clearly past zero" if change.before * change.after < 0 else "clearly towards zero"


@overload
def change_of(finding: RemedyFinding, measure: str) -> Change | None: ...


@overload
def change_of(finding: AmountRemedyFinding, measure: str) -> AmountChange | None: ...


def change_of(finding: RemedyFinding | AmountRemedyFinding, measure: str) -> Change | AmountChange | None:
    """Return the change of one measure; None where there is none, or it is hidden."""
    return next((change for change in finding.changes if change.measure == measure), None)


def names_before(remedies: Iterable[RemedyFinding | AmountRemedyFinding]) -> list[str]:
    """Return the names of the models without a remedy that remedies are compared with, each once."""
    return list(dict.fromkeys(remedy.before.name for remedy in remedies if remedy.changes))


def measure_words(measure: str) -> str:
    """Return a measure in words, with a capital letter."""
    return naming.capital(MEASURES[measure])


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


NEARLY_CONSTANT: Final = 0.01
"""A model is called nearly constant where it predicts otherwise for a smaller share of people."""
FEW_OF_GROUP: Final = 0.1
FEW_OF_DECIDED: Final = 0.25
"""Or for fewer than this share, where that is a smaller part than this of those who have that answer so far."""

Alike = Literal["all", "nearly all"]


def alike(fairness: ControlledFairness, decided: ControlledFairness) -> Alike | None:
    """Return whether all, or nearly all, of the compared rows get the same answer; None where not, or it is hidden.

    `decided` is what was decided, or what happened: few may have an answer that few had before.
    """
    if fairness.has_one_decision:
        return "all"
    given, had = _shares_given(fairness), _shares_given(decided)
    if given is None:
        return None
    few = min(given)
    other = given.index(few)
    if few < NEARLY_CONSTANT:
        return "nearly all"
    return "nearly all" if had is not None and few < FEW_OF_GROUP and few < FEW_OF_DECIDED * had[other] else None


def _shares_given(fairness: ControlledFairness) -> tuple[float, float] | None:
    """Return the shares with the favourable result and without it, of all compared rows; None where it is hidden."""
    given = given_share(fairness)
    return None if given is None else (given, 1 - given)


def is_one_answer(model: Evaluation | Yardstick, decided: ControlledFairness) -> bool:
    """Say whether a model gives all, or nearly all, the same answer."""
    return getattr(model, "kind", "") == "constant" or alike(model.fairness, decided) is not None


def lost_shares(after: Evaluation, before: Evaluation) -> tuple[float, float] | None:
    """Return which share of the positive outcomes a model finds with and without the remedy, where it clearly loses.

    None where it loses no more than the tolerance, where that may be chance, or where a count is hidden.
    """
    good = after.errors.positive == "favorable"
    own, other = (_found_counts(each.errors, good=good) for each in (after, before))
    if own is None or other is None or not own[1] or not other[1]:
        return None
    _, high = newcombe(*own, *other, after.fairness.confidence)
    found, had = own[0] / own[1], other[0] / other[1]
    return None if had - found <= after.fairness.tolerance or high >= 0 else (found, had)


def _found_counts(errors: ErrorComparison, *, good: bool) -> tuple[float, float] | None:
    """Return for how many of the rows with an outcome a model predicts it, and how many there are; or None."""
    counts = _counts(errors)
    if counts is None:
        return None
    right, missed = ("tp", "fn") if good == (errors.positive == "favorable") else ("tn", "fp")
    return counts[right], counts[right] + counts[missed]


def _counts(errors: ErrorComparison) -> dict[str, float] | None:
    """Return how often predictions are right and wrong over all groups; None where a count is hidden."""
    cells = errors.counts[["tp", "fp", "tn", "fn"]]
    return None if cells.isna().to_numpy().any() else {str(name): float(n) for name, n in cells.sum().items()}
