"""The four numbers behind a verdict about amounts, each with a line that says how to read it."""

from __future__ import annotations

import math

from fairaudit.audit.result import AmountFinding
from fairaudit.present import amount_words, words
from fairaudit.present.card import VERDICT, Figure, people_figure
from fairaudit.present.numbers import confidence_text, interval_text, number_text, signed_text

SMALL, LARGE = 0.2, 0.8


def amount_figures(finding: AmountFinding) -> tuple[Figure, ...]:
    """Return difference, standardised difference, evidence and rows, for the card under the verdict."""
    result, digits = finding.result, amount_words.tolerance_digits(finding)
    span = interval_text(result.difference_interval, "difference", digits=digits)
    return (
        Figure(
            "Difference",
            signed_text(finding.result.difference, digits=amount_words.digits_of(finding)),
            f"protected minus rest; {confidence_text(result.confidence)}: {span}",
        ),
        Figure("Standardised", number_text(result.standardized_difference), _size_note(result.standardized_difference)),
        Figure(VERDICT, words.verdict_word(result), _verdict_note(finding)),
        people_figure(result, lacking="an amount"),
    )


def _size_note(size: float | None) -> str:
    if size is None or not math.isfinite(size):
        return "in standard deviations"
    word = "small" if abs(size) < SMALL else "large" if abs(size) >= LARGE else "medium"
    return f"standard deviations; often called {word}"


def _verdict_note(finding: AmountFinding) -> str:
    band = f"±{amount_words.tolerance_text(finding)}"
    if finding.result.has_one_decision:
        return "all decisions are the same"
    if finding.result.verdict == "clear_gap":
        return f"the whole interval lies outside {band}"
    if finding.result.verdict == "no_gap_above_tolerance":
        level, ends = words.deciding_level(finding.result), amount_words.deciding_ends(finding)
        return f"the whole {level} interval, {ends}, lies within {band}"
    return f"the interval reaches both inside and outside {band}"
