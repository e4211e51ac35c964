"""Frames as tables, by what their columns declare."""

from __future__ import annotations

import pandas as pd

from fairaudit.disclosure.fields import column, columns
from fairaudit.present.field_tables import frame_table

DECLARED = columns(
    rate_low=column(float, "Lower end.", "interval", "share_interval", "Of it."),
    rate_high=column(float, "Upper end."),
    words=column(str, "In words.", "in words"),
)


def test_rows_follow_the_columns_and_an_interval_is_made_of_both_ends():
    frame = pd.DataFrame({"words": ["all", None], "rate_low": [0.1, 0.2], "rate_high": [0.3, 0.4]}, dtype=object)
    table = frame_table("key", "Title", frame, DECLARED)
    assert [(each.name, each.meaning) for each in table.columns] == [
        ("rate_interval", "Of it."),
        ("words", "In words."),
    ]
    assert table.rows == (((0.1, 0.3), "all"), ((0.2, 0.4), "not shown"))
