"""The table of differences in what had to be alike, of rule sets and trees."""

from __future__ import annotations

from typing import Any

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.shared.frames import TUNING

TRAINING = "On the training rows, not on the held-out ones."


def differences_table(details: Any, key: str, *, note: str) -> Table:
    """Return the difference of each rate and pair of groups on training, tuning and held-out rows side by side."""
    near = {"beside": details.max_difference}
    columns = (
        ColumnSpec("rate", "field", "code", "The rate."),
        ColumnSpec("rate_words", "what must be alike", "text", "The rate in words."),
        ColumnSpec("first", "first group", "text", "A difference is the rate of this group minus that of the second."),
        ColumnSpec("second", "second group", "text", "The other group."),
        ColumnSpec("allowed", "allowed, points", "size", "How far the two may be apart."),
        ColumnSpec("trained", "training, points", "points", f"Difference. {TRAINING}", **near),
        ColumnSpec("tuned", "tuning, points", "points", f"Difference. {TUNING}", **near),
        ColumnSpec("held_out", "held out, points", "points", "Difference on the held-out rows.", **near),
        ColumnSpec("held_out_interval", "interval", "points_interval", "Of the held-out difference.", **near),
        ColumnSpec("n_first", "rows, first", "count", "Held-out rows that the rate of the first group is a share of."),
        ColumnSpec("n_second", "rows, second", "count", "Held-out rows that the rate of the second is a share of."),
        ColumnSpec("reading", "reading", "text", "Whether it is within what is allowed, and how clear that is."),
    )
    rows = tuple(
        (
            row.rate, row.rate_words, row.first, row.second, details.max_difference, shown(row.trained),
            shown(row.tuned), row.held_out, (row.low, row.high), row.n_first, row.n_second, row.reading,
        )
        for row in details.gaps.itertuples()
    )  # fmt: skip
    return Table(key, "Differences in what had to be alike", columns, rows, note=note)
