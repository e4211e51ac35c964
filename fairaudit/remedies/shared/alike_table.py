"""The table of differences in what had to be alike, of rule sets and trees."""

from __future__ import annotations

from typing import Any

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.shared.frames import TUNING

TRAINING = "On the training cases."


def differences_table(details: Any, key: str, *, note: str = "") -> Table:
    """Return the difference of each rate and pair of groups on training, tuning and test cases side by side."""
    near = {"beside": details.max_difference}
    columns = (
        ColumnSpec("rate", "field", "code", "The rate."),
        ColumnSpec("rate_words", "what must be alike", "text", "The rate in words."),
        ColumnSpec("first", "first group", "group", "Its rate minus that of the second is the difference."),
        ColumnSpec("second", "second group", "group", "The other group."),
        ColumnSpec("allowed", "limit, points", "size", "How far the two may be apart."),
        ColumnSpec("trained", "training cases, points", "points", TRAINING, **near),
        ColumnSpec("tuned", "tuning cases, points", "points", TUNING, **near),
        ColumnSpec("held_out", "test cases, points", "points", "On the test cases.", **near),
        ColumnSpec("held_out_interval", "likely range", "points_interval", "Of that on the test cases.", **near),
        ColumnSpec("n_first", "cases, first", "count", "Test cases that the rate of the first is a share of."),
        ColumnSpec("n_second", "cases, second", "count", "Test cases that the rate of the second is a share of."),
        ColumnSpec("reading", "reading", "text", "Whether it is within the limit, and how clear that is."),
    )
    rows = tuple(
        (
            row.rate, row.rate_words, row.first, row.second, details.max_difference, shown(row.trained),
            shown(row.tuned), row.held_out, (row.low, row.high), row.n_first, row.n_second, row.reading,
        )
        for row in details.gaps.itertuples()
    )  # fmt: skip
    return Table(key, "Differences between groups", columns, rows, note=note)
