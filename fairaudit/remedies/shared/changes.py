"""What remedies changed, and how sure that is; shared by pages and report."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import overload

import pandas as pd

from fairaudit.findings import Message, Points, Share, Word
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.remedies.registry import kind_of
from fairaudit.study.amounts.findings import AmountChange, AmountRemedyFinding
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import GOOD, MEASURES, Change

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


def done_sentence(finding: RemedyFinding) -> str:
    """Return what was done, in words and with its counts."""
    done = kind_of(finding.plan).done(finding)
    asked = finding.worse_off is not None and finding.worse_off.asked
    return f"{done} {say(Message('remedies-wish'))}" if asked else str(done)


def names_before(remedies: Iterable[RemedyFinding | AmountRemedyFinding]) -> list[str]:
    """Return the names of the models without a remedy that remedies are compared with, each once."""
    return list(dict.fromkeys(remedy.before.name for remedy in remedies if remedy.changes))


def measure_words(measure: str) -> str:
    """Return a measure in words, with a capital letter."""
    return brief.capital(MEASURES[measure])
