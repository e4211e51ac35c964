"""Sentences about limits on differences, of rule sets and trees: whether they hold, and on which rows."""

from __future__ import annotations

from typing import Any

from fairaudit.errors import quote
from fairaudit.present import brief
from fairaudit.present.numbers import are_known, count_text, points_text, share_text

MOST_LISTED = 4
"""Gaps that a sentence lists one by one."""

NO_PROMISE = (
    "A limit that is kept on the training rows is not a promise for others. On other rows, held out or to come, the "
    "groups may differ by more: by chance, above all where they have few rows, or because things have changed."
)


def right_sentence(details: Any) -> str:
    """Return how often a rule set or tree is right on training and tuning rows; empty where that is hidden."""
    if not are_known(details.trained_accuracy, details.tuned_accuracy):
        return ""
    return (
        f"It is right on {share_text(details.trained_accuracy)} of the training rows and on "
        f"{share_text(details.tuned_accuracy)} of the tuning rows, which it did not learn from."
    )


def gap_words(row: Any, allowed: float) -> str:
    """Return one gap on the held-out rows, with its groups, interval, rows and reading."""
    first, second = (quote(name, limit=60) for name in (row.first, row.second))
    lead = f"{row.rate_words}, {first} minus {second}"
    if row.reading == "not defined":
        return f"{lead}: not defined, as a rate is a share of no rows"
    interval = ""
    if are_known(row.low, row.high):
        ends = [points_text(end, beside=allowed).removesuffix(" points") for end in (row.low, row.high)]
        interval = f"interval {' to '.join(ends)}; "
    reading = f"({interval}{rows_words(row)}), {reading_words(row.reading)}"
    return f"{brief.whole(lead, 240)}: {points_text(row.held_out, beside=allowed)} {reading}"


def rows_words(row: Any) -> str:
    """Return how many held-out rows either group of a pair has."""
    return f"{count_text(row.n_first)} and {count_text(row.n_second)} rows"


def reading_words(reading: str) -> str:
    """Return how a gap stands to what is allowed, as a part of a sentence."""
    return {
        "within": "within it, also allowing for chance",
        "within, not clear": "within it, but not clearly so with this many rows",
        "outside": "outside it, also allowing for chance",
        "outside, not clear": "outside it, but not clearly so with this many rows",
    }.get(reading, reading)
