"""Sentences about remedies where the decision is an amount: what was done, what changed, and how sure that is."""

from __future__ import annotations

import math

from fairaudit.errors import sure
from fairaudit.present import brief
from fairaudit.present.numbers import (
    amount_digits,
    number_text,
)
from fairaudit.present.words import group_name
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.held_out_words import all_rows, gap_rows
from fairaudit.remedies.shared.learned_rows_words import learned_not_known_sentences
from fairaudit.remedies.shared.words import (
    NOTHING,
    gap_word,
)
from fairaudit.study.amounts.findings import AmountChange, AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts

MEASURES = {
    "mae": "mean absolute error",
    "r2": "R², the share of the variance that is explained",
    "gap": "difference of mean predictions",
    "error_gap": "difference of mean errors",
}
"""What is compared before and after, in words; differences are those of the protected group minus the rest."""

GAPS = ("gap", "error_gap")
NOT_SHOWN_BY_GROUP = "How the groups do is not shown: small counts, or what one person has, could be worked out."

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
    """Return which groups are over- or underestimated beyond chance; empty where that is hidden."""
    groups, digits = finding.after.groups, digits_of(facts)
    if not len(groups):
        return ""
    texts = []
    for row in groups.itertuples():
        if math.isfinite(row.error_low) and (row.error_low > 0 or row.error_high < 0):
            way = "overestimated" if row.error > 0 else "underestimated"
            texts.append(f"{brief.short(row.group)} {way} by {number_text(abs(row.error), digits=digits)}")
    if not texts:
        return "No group is over- or underestimated on average by more than chance could bring about."
    return f"Against the actual amounts, on average: {'; '.join(texts)}. That is more than chance would bring about."


def study_sentence(finding: AmountRemediesFinding) -> str:
    """Return how many models were judged on what, and the difference that they learned from."""
    facts = finding.facts
    n = len(finding.remedies)
    same = "" if n == 1 else "the same "
    rows = "held-out rows" if facts.n_held_out is None else f"{same}{all_rows(facts.n_held_out)}"
    first = f"{n} {'model was' if n == 1 else 'models were'} judged on {rows}."
    difference = facts.decisions.difference
    if difference is None:
        return f"{first} {NOT_SHOWN_BY_GROUP}"
    digits = digits_of(facts)
    name = group_name(facts)
    among = "" if facts.where_words is None else f", among rows where {facts.where_words}"
    those = gap_rows(facts.n_held_out, facts.decisions)
    there = f"on {those}" if those else "there"
    return (
        f"{first} The mean {facts.meaning} of the protected group ({name}) {there} is "
        f"{number_text(facts.decisions.protected.mean, digits=digits)}, against "
        f"{number_text(facts.decisions.reference.mean, digits=digits)} of the rest{among}. The models learn from "
        "amounts with this difference."
    )


def study_caveats(facts: AmountStudyFacts, *, several: bool) -> tuple[str, ...]:
    """Return what holds for all models of a study."""
    texts = [
        "Mean absolute error: how far predictions are from the actual amounts, on average. R²: 1 where they are exact, "
        "0 where the mean of all would do as well, below 0 where it would do better. Mean error: predicted minus "
        "actual, above 0 where a group is overestimated.",
        "The models learned from other rows than the held-out ones that they are judged on. Where nothing else is "
        "said, figures come from one way to divide the rows, which follows from the seed and the order of the rows in "
        "the data; another one would give somewhat other figures. Intervals allow for chance among the held-out rows, "
        "not for chance in learning.",
        "The models learn from past decisions. Where these were wrong, a model that repeats them well is wrong, too.",
        "Predictions that are alike on average can be so because one group is underestimated and the other is not: "
        "read the mean errors by group beside the difference.",
    ]
    if several:
        texts.append(
            "Whichever model looks best is likely to do less well on other rows: the best of several looks better than "
            "it is."
        )
    if not facts.protected_features:
        texts.append(
            "No column that protection or groups are made of is among the features. Other columns may still stand in "
            "for it."
        )
    texts += learned_not_known_sentences(facts)
    return tuple(texts)
