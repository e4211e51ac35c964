"""Sentences about rule sets, shared by pages and report: what the rules say, and how far from optimal they can be.

All texts are plain: names stand in them as they are, and whoever shows them escapes what is markup there.
"""

from __future__ import annotations

import math
from typing import Any

from fairaudit.estimators.rules.problem import Objective
from fairaudit.present import brief
from fairaudit.present.numbers import NO_BREAK, count_text, number_text
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.shared.ending_words import end_sentence
from fairaudit.remedies.shared.proxy_words import marks_words

LONGEST_RULE = 1200
"""A rule longer than this is cut in a sentence; files hold it whole."""
NO_TEXT = "not shown, as it holds for so few of the held-out rows that it could reveal single people."
NOT_THE_GAP = (
    "A difference here is how far a rate that had to be alike is apart between two groups. The gap is another figure, "
    "which is in good outcomes, between the protected group and the rest."
)
"""Said where both are stated."""

_ALIKE = {
    "equalized_odds": "the false negative rate and the false positive rate",
    "equal_opportunity": "the false negative rate",
    "false_positive_rate": "the false positive rate",
    "statistical_parity": "the share of rows that the rules hold for",
    "accuracy": "the share of wrong predictions",
}
_LOSSES = {
    "hamming": (
        "Hamming loss: a row that has the outcome counts once if no rule holds for it, and a row that does not have it "
        "counts once for each rule that holds for it. Where rules overlap, that is more than the number of wrong "
        "predictions; it makes long searches shorter."
    ),
    "zero_one": "0-1 loss: each wrongly predicted row counts once.",
}
NOT_ACCURACY = "This is about the errors that the search counts on the training rows: accuracy has no bound."
"""Said wherever a bound stands near an accuracy."""
_CHOSEN = (
    "A person chose these rules. Nothing was searched for, so nothing is said of how close to the best possible they "
    "are."
)


def rule_set_words(details: RulesDetails, *, positive_meaning: str) -> str:
    """Return what a rule set predicts, and where, in one or two sentences."""
    outcome = brief.short(positive_meaning)
    n = len(details.rules)
    if not n:
        return f"There is no rule: the outcome “{outcome}” is predicted for nobody."
    where = "this rule holds" if n == 1 else f"at least one of these {n} rules holds"
    return f"The outcome “{outcome}” is predicted where {where}, and for nobody else."


def rule_sentences(details: RulesDetails) -> tuple[str, ...]:
    """Return the rules, numbered, to be read aloud."""
    texts = []
    for row in details.rules.itertuples():
        mark = rule_marks(row)
        text = NO_TEXT if row.text is None else f"{brief.whole(row.text, LONGEST_RULE)}."
        texts.append(f"Rule {row.rule}: {text}{f' [{brief.capital(mark)}.]' if mark else ''}")
    return tuple(texts)


def rule_marks(row: Any) -> str:
    """Return in words what should be known beside what a rule says; empty where there is nothing."""
    marks = [marks_words(row)] if marks_words(row) else []
    if row.contrary:
        marks.append(f"by itself the outcome is rarer where {brief.whole(row.contrary)} (tuning rows)")
    return "; ".join(marks)


def objective_words(objective: Objective) -> str:
    """Return what a loss counts, in one to three sentences."""
    return _LOSSES[objective]


def fairness_words(fairness: str | None) -> str:
    """Return which rates must be alike, as a part of a sentence; empty where nothing must.

    Examples
    --------
    >>> fairness_words("equal_opportunity")
    'the false negative rate'
    """
    return "" if fairness is None else _ALIKE[fairness]


def certificate_words(details: RulesDetails) -> str:
    """Return how far from optimal a rule set can be, and whether repeating the search gives it again."""
    if details.status == "chosen":
        return _CHOSEN
    if details.status == "optimal":
        within = "" if details.fairness is None else ", while its groups are within what was allowed"
        errors = "" if details.objective is None else f" ({_rows(details.objective)})"
        proven = (
            f"Proven: no list of {lists_words(details)}, made of the conditions that were considered, has fewer "
            f"errors{errors}{within}{_counted_alike(details)}."
        )
        return " ".join(text for text in (proven, _plain_errors(details), NOT_ACCURACY) if text)
    texts = (_distance(details), _plain_errors(details), NOT_ACCURACY, end_sentence(details.status, "list of rules"))
    return " ".join(text for text in texts if text)


def lists_words(details: RulesDetails) -> str:
    """Return what lists of rules a bound is over, after "no list of"."""
    longest = details.max_rule_length
    conditions = "1 condition" if longest == 1 else f"{longest} conditions"
    return f"rules with at most {conditions} each and a complexity of at most {details.max_complexity}"


def _distance(details: RulesDetails) -> str:
    reached = "" if details.objective is None else f" ({_rows(details.objective)})"
    gap = details.optimality_gap
    if gap is None or not math.isfinite(gap) or gap >= 1:
        return (
            f"How many errors fewer than this one{reached} a list of {lists_words(details)} could have is not known: "
            f"{_not_proven(details)}."
        )
    # `gap` is a share of what was reached; people ask for the share of the lowest possible. Rounded up: "at most".
    above = math.ceil(round(1000 * gap / (1 - gap), 6)) / 10
    known = f"{number_text(above, digits=1)}{NO_BREAK}%"
    sentence = f"This one has at most {known} more errors than the best list of {lists_words(details)}"
    if details.objective is None or details.bound is None:
        return f"{sentence}."
    reached, alike = _rows(details.objective), _counted_alike(details)
    return f"{sentence}{alike}: {reached}, and fewer than {_proven(details.bound)} are proven to be impossible."


def _not_proven(details: RulesDetails) -> str:
    if details.bound is None or details.optimality_gap is None or not math.isnan(details.optimality_gap):
        return "nothing was proven about that yet"
    return (
        f"what is proven ({_proven(details.bound)} at least) is about lists that also keep to the limit as the search "
        "counts"
    )


def _counted_alike(details: RulesDetails) -> str:
    """Return how the limit is counted that a bound is within; empty where rows count once."""
    return "" if details.counts_rows_once or details.fairness is None else ", counted in the same way"


def _plain_errors(details: RulesDetails) -> str:
    """Return the wrong rows, each counted once, and what is proven of them; empty where the loss counts so."""
    if details.counts_rows_once or details.errors is None or details.errors_bound is None:
        return ""
    errors, proven = count_text(details.errors), _proven(details.errors_bound)
    if details.errors <= details.errors_bound:
        return f"With each wrong row counted once it has {errors} errors: no list has fewer."
    return f"With each wrong row counted once it has {errors} errors, and fewer than {proven} are impossible."


def _proven(bound: float) -> str:
    """Return a bound rounded down, so that the printed figure is proven, too."""
    return number_text(math.floor(10 * bound) / 10, digits=1).removesuffix(".0")


def _rows(loss: float) -> str:
    return f"{count_text(loss)}, as the search counts them"
