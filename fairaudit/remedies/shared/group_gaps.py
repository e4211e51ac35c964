"""Gaps between pairs of groups, as frames of several remedies hold them, and frames as rows of tables."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, Literal

import pandas as pd

from fairaudit.disclosure.fields import Field, column, columns
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import shown

Reading = Literal["within", "outside", "within, not clear", "outside, not clear", "not defined"]
HELD: Final = ("within", "within, not clear")
MISSED: Final = ("outside", "outside, not clear")
"""Readings of a gap that is within its limit on the test cases, and of one that is not, however clear that is."""

GAPS = columns(
    rate=column(str, "The rate."),
    rate_words=column(str, "The rate in words."),
    first=column(str, "One group."),
    second=column(str, "The other group."),
    trained=column(float, "Gap on the training cases."),
    tuned=column(float, "Gap on the tuning cases."),
    held_out=column(float, "Gap on the test cases."),
    low=column(float, "Lower end of the range that decides."),
    high=column(float, "Upper end."),
    n_first=column(int, "Test cases behind the first rate."),
    n_second=column(int, "Test cases behind the second rate."),
    reading=column(Reading, "Whether it is within the limit, and how clear that is."),
)


def table_rows(frame: pd.DataFrame, columns: Sequence[Field]) -> tuple[tuple[Any, ...], ...]:
    """Return the rows of a frame as a table shows them; `x_interval` is made of the frame's `x_low` and `x_high`."""
    records = frame.to_dict("records")
    return tuple(tuple(_cell(record, column.name) for column in columns) for record in records)


def _cell(record: dict[Hashable, Any], name: str) -> Any:
    if name in record:
        return shown(record[name])
    stem = name.removesuffix("_interval")
    return (record[f"{stem}_low"], record[f"{stem}_high"])


TUNING = "On the tuning cases."


TRAINING = "On the training cases."


def differences_table(details: Any, key: str, *, note: str = "") -> TableBlock:
    """Return the difference of each rate and pair of groups on training, tuning and test cases side by side."""
    near = {"beside": details.max_difference}
    columns = (
        Field("rate", "field", "code", "The rate."),
        Field("rate_words", "what must be alike", "text", "The rate in words."),
        Field("first", "first group", "group", "Its rate minus that of the second is the difference."),
        Field("second", "second group", "group", "The other group."),
        Field("allowed", "limit, points", "size", "How far the two may be apart."),
        Field("trained", "training cases, points", "points", TRAINING, **near),
        Field("tuned", "tuning cases, points", "points", TUNING, **near),
        Field("held_out", "test cases, points", "points", "On the test cases.", **near),
        Field("held_out_interval", "likely range", "points_interval", "Of that on the test cases.", **near),
        Field("n_first", "cases, first", "count", "Test cases that the rate of the first is a share of."),
        Field("n_second", "cases, second", "count", "Test cases that the rate of the second is a share of."),
        Field("reading", "reading", "text", "Whether it is within the limit, and how clear that is."),
    )
    rows = tuple(
        (
            row.rate, row.rate_words, row.first, row.second, details.max_difference, shown(row.trained),
            shown(row.tuned), row.held_out, (row.low, row.high), row.n_first, row.n_second, row.reading,
        )
        for row in details.gaps.itertuples()
    )  # fmt: skip
    return TableBlock(key, "Differences between groups", columns, rows, note=note)
