"""Frames as rows of tables."""

from __future__ import annotations

import pandas as pd

from fairaudit.disclosure.fields import Field
from fairaudit.remedies.shared.group_gaps import table_rows


def test_rows_follow_the_columns_and_an_interval_is_made_of_both_ends():
    columns = (Field("rate_interval", "interval", "share_interval"), Field("words", "in words"))
    frame = pd.DataFrame({"words": ["all", None], "rate_low": [0.1, 0.2], "rate_high": [0.3, 0.4]}, dtype=object)
    assert table_rows(frame, columns) == (((0.1, 0.3), "all"), ((0.2, 0.4), "not shown"))
