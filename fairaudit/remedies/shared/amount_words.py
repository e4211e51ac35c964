"""Sentences about remedies where the decision is an amount: what was done, what changed, and how sure that is."""

from __future__ import annotations

import math

from fairaudit.errors import sure
from fairaudit.measure.near_limits import do_subtract, rounded_difference
from fairaudit.present import brief
from fairaudit.present.numbers import (
    amount_digits,
    confidence_text,
    interval_text,
    number_text,
    signed_text,
)
from fairaudit.present.words import group_name
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.divisions import over_divisions
from fairaudit.remedies.shared.held_out_words import all_rows, gap_rows, on_all
from fairaudit.remedies.shared.learned_rows_words import learned_not_known_sentences
from fairaudit.remedies.shared.words import (
    NOTHING,
    change_of,
    gap_word,
    moved_texts,
    predicts_the_same,
    same_sentence,
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


def headline(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> tuple[str, str]:
    """Return what a remedy changed: the figures before and after, how sure that is, and other divisions."""
    strong, rest = _headline(finding, facts)
    return strong, " ".join(text for text in (rest, divisions_sentence(finding, digits_of(facts))) if text)


def divisions_sentence(finding: AmountRemedyFinding, digits: int) -> str:
    """Return between what difference and error lie over all divisions of the rows; empty where there is one."""

    def span(low: float, high: float) -> str:
        return f"{number_text(low, digits=digits)} to {number_text(high, digits=digits)}"

    def moved(low: float, high: float) -> str:
        return moved_amounts_text(low, high, digits=digits)

    words = {
        "gap": ("the difference of mean predictions with the remedy was", moved),
        "mae": ("the mean absolute error", span),
    }
    return over_divisions(finding.divisions, words)


def _headline(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> tuple[str, str]:
    digits, n = digits_of(facts), finding.after.n
    rows, those = f"On {all_rows(n)}", gap_rows(n, finding.after.predicted)
    name = group_name(facts)
    predicted = finding.after.predicted.difference
    if not finding.changes or predicts_the_same(finding):
        error = number_text(finding.after.mae, digits=digits)
        same = f"{same_sentence(finding)} " if finding.changes else ""
        strong = f"{same}{rows}, the model is {error} off on average."
        if predicted is None:
            return strong, NOT_SHOWN_BY_GROUP
        who = f"On {those}, the" if those else "The"
        rest = f"{who} protected group ({name}) is predicted {_apart(predicted, digits)} on average."
        return strong, " ".join([rest, *_gap_elsewhere_sentences(finding, facts)])
    mae, gap = sure(change_of(finding, "mae")), change_of(finding, "gap")
    level = confidence_text(facts.plan.confidence)
    error = f"the mean absolute error went from {_moved(mae, digits, level)}"
    if gap is None:
        return f"{rows}, {error}.", NOT_SHOWN_BY_GROUP
    strong = (
        f"On {those or all_rows(n)}, the difference in mean predicted {facts.meaning} between the protected group "
        f"({name}) and the rest went from {_moved(gap, digits, level)}."
    )
    return strong, f"The price{f', {on_all(n)}' if those else ''}: {error}."


def moved_amounts_text(before: float, after: float, *, digits: int) -> str:
    """Return two differences between a group and the rest in words, with their direction.

    Examples
    --------
    >>> moved_amounts_text(-412.3, 35.1, digits=0)
    '412 less for the protected group to 35 more'
    """
    return " to ".join(
        moved_texts((before, after), lambda size: number_text(size, digits=digits), "less", " for the protected group")
    )


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


def _moved(change: AmountChange, digits: int, level: str) -> str:
    doubt = f", so it {NOTHING}" if change_word(change) == NOTHING else ""
    places, by = digits, change.difference
    if math.isfinite(by):
        places = digits if do_subtract(change.after, change.before, digits=digits) else digits + 1
        by = by if places == digits else rounded_difference(change.after, change.before, places)
    if change.measure in GAPS:
        moved = moved_amounts_text(change.before, change.after, digits=places)
    else:
        moved = " to ".join(number_text(value, digits=places) for value in (change.before, change.after))
    return (
        f"{moved} (change {signed_text(by, digits=places)}, {level} interval "
        f"{interval_text(change.interval, 'difference', digits=digits)}{doubt})"
    )


def _gap_elsewhere_sentences(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> list[str]:
    """Return by how much the difference may change where no prediction for a held-out row did."""
    gap = change_of(finding, "gap")
    if gap is None:
        return []
    level = confidence_text(facts.plan.confidence)
    interval = interval_text(gap.interval, "difference", digits=digits_of(facts))
    return [f"For other people this difference may change by {interval} ({level} interval)."]


def _apart(difference: float, digits: int) -> str:
    way = "less" if difference < 0 else "more"
    return f"{number_text(abs(difference), digits=digits)} {way} than the rest"
