"""Sentences about remedies where the decision is an amount: what was done, what changed, and how sure that is."""

from __future__ import annotations

import math

from fairaudit.errors import sure
from fairaudit.findings import REST, Amount, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.numbers import amount_digits
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.changes import NOTHING, gap_word
from fairaudit.study.amounts.findings import AmountChange, AmountRemedyFinding, AmountStudyFacts

MEASURES = {
    "mae": "mean absolute error",
    "r2": "R²",
    "gap": "gap",
    "error_gap": "gap in mean errors",
}
"""What is compared before and after, in words; gaps are those of the protected group minus everyone else."""

GAPS = ("gap", "error_gap")

R2_DIGITS = 3


def digits_of(facts: AmountStudyFacts) -> int:
    """Return the decimals that amounts of a study are shown with."""
    return amount_digits(facts.deviation)


def change_word(change: AmountChange) -> str:
    """Return in words how a measure changed, and whether that could be nothing."""
    if not math.isfinite(change.difference):
        return "not defined"
    low, high = change.interval
    if not (math.isfinite(low) and math.isfinite(high)) or low <= 0 <= high:
        return NOTHING
    if change.measure in GAPS:
        return gap_word(change)
    return "smaller" if change.difference < 0 else "larger"


def done_sentence(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Return what was done, in a few sentences."""
    return sure(kind_of(finding.plan).on_amounts).done(finding, facts)


def errors_sentence(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
    """Return whose amounts are predicted too high or too low beyond chance; empty where that is hidden."""
    groups, digits = finding.after.groups, digits_of(facts)
    if not len(groups):
        return ""
    said = [
        Message(
            "amount-errors-off",
            {
                "group": facts.names.others if row.group == REST else Phrase(brief.short(row.group)),
                "size": Amount(abs(row.error), digits),
                "direction": Word("more" if row.error > 0 else "less"),
            },
        )
        for row in groups.itertuples()
        if math.isfinite(row.error_low) and (row.error_low > 0 or row.error_high < 0)
    ]
    return say(said or Message("amount-errors-none"))
