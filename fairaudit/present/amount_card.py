"""The four numbers behind a verdict about amounts, each with a line that says how to read it."""

from __future__ import annotations

import math

from fairaudit.audit.result import AmountFinding
from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.present import amount_words, words
from fairaudit.present.card import VERDICT, Figure, band_note, people_figure
from fairaudit.present.numbers import confidence_text, interval_text, number_text, signed_text

SMALL, LARGE = 0.2, 0.8


def amount_figures(finding: AmountFinding) -> tuple[Figure, ...]:
    """Return difference, standardised difference, evidence and rows, for the card under the verdict."""
    result, digits = finding.result, amount_words.tolerance_digits(finding)
    span = interval_text(result.difference_interval, "difference", digits=digits)
    return (
        Figure(
            "Difference, protected minus others",
            signed_text(finding.result.difference, digits=amount_words.digits_of(finding)),
            f"{confidence_text(result.confidence)}: {span}",
        ),
        Figure("Standardised", number_text(result.standardized_difference), _size_note(result.standardized_difference)),
        Figure(VERDICT, words.verdict_word(result), _verdict_note(finding)),
        people_figure(result, lacking="an amount"),
    )


def _size_note(size: float | None) -> str:
    if size is None or not math.isfinite(size):
        return ""
    word = "small" if abs(size) < SMALL else "large" if abs(size) >= LARGE else "medium"
    return say(Message("card-size", {"size": Word(word)}))


def _verdict_note(finding: AmountFinding) -> str:
    if finding.result.has_one_decision:
        return say(Message("card-same"))
    return band_note(finding.result, amount_words.tolerance_text(finding), amount_words.deciding_ends(finding))
