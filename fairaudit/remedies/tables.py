"""What several kinds of remedies show in tables alike: gaps between pairs of groups, and indices of discrimination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol

import pandas as pd

from fairaudit.conditions.spreadsheet import SpreadsheetLine, SpreadsheetTable
from fairaudit.disclosure.fields import Field, column, columns
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import adapted, frame_table, inserted

Reading = Literal["within", "outside", "within, not clear", "outside, not clear", "not defined"]
HELD: Final = ("within", "within, not clear")
MISSED: Final = ("outside", "outside, not clear")
"""Readings of a gap that is within its limit on the test cases, and of one that is not, however clear that is."""

TRAINING, TUNING, TEST = "On the training cases.", "On the tuning cases.", "On the test cases."

GAPS = columns(
    rate=column(str, "The rate.", "field", "code"),
    rate_words=column(str, "The rate in words.", "what must be alike"),
    first=column(str, "One group.", "first group", "group", "Its rate minus that of the second is the difference."),
    second=column(str, "The other group.", "second group", "group"),
    trained=column(float, "Gap on the training cases.", "training cases, points", "points", TRAINING),
    tuned=column(float, "Gap on the tuning cases.", "tuning cases, points", "points", TUNING),
    held_out=column(float, "Gap on the test cases.", "test cases, points", "points", TEST),
    low=column(
        float,
        "Lower end of the range that decides.",
        "likely range",
        "points_interval",
        "Of that on the test cases.",
        name="held_out_interval",
    ),
    high=column(float, "Upper end."),
    n_first=column(
        int,
        "Test cases behind the first rate.",
        "cases, first",
        "count",
        "Test cases that the rate of the first is a share of.",
    ),
    n_second=column(
        int,
        "Test cases behind the second rate.",
        "cases, second",
        "count",
        "Test cases that the rate of the second is a share of.",
    ),
    reading=column(Reading, "Whether it is within the limit, and how clear that is.", "reading"),
)


def spreadsheet_table(key: str, title: str, what: str, lines: Sequence[SpreadsheetLine]) -> TableBlock:
    """Return rules, or the leaves of a tree, as a row each that an office can run in a spreadsheet."""
    table = SpreadsheetTable.of([line.condition for line in lines])
    head = table.formula_head
    columns = (
        Field(what, what, "number", "Its number.", digits=0),
        Field("words", "holds where", "text", "In words."),
        *(Field(name, name, "text", "What a person must have; empty: anything.") for name in table.heads),
        Field("prediction", "predicts", "text", "What is predicted then."),
        Field(head, head, "code", "TRUE for the person in row 2 of a sheet, where it stands after an equals sign."),
    )
    if not lines:
        # Bounds and formula are named after columns that are hidden, too.
        columns = tuple(column for column in columns if column.name != head)
    rows = [
        (line.number, line.words, *("" if value is None else str(value) for value in bounds), line.prediction, formula)
        for line, (bounds, formula) in zip(lines, table.rows, strict=True)
    ]
    return TableBlock(key, title, columns, tuple(rows))


ALLOWED: Final = Field("", "limit, points", "size", "How far the two may be apart.")
PART_WORDS: Final = {"trained": "training", "tuned": "tuning", "held_out": "test"}


class LimitedGaps(Protocol):
    """What a fit found that was to keep gaps within a limit."""

    @property
    def gaps(self) -> pd.DataFrame:
        """One row for each rate and pair of groups, with the columns of `GAPS`."""

    @property
    def max_difference(self) -> float:
        """How far apart groups may be."""


def differences_table(details: LimitedGaps, key: str, *, note: str = "") -> TableBlock:
    """Return the difference of each rate and pair of groups on training, tuning and test cases side by side."""
    declared = adapted(GAPS, ("trained", "tuned", "held_out", "low"), beside=details.max_difference)
    declared = inserted(declared, "second", allowed=ALLOWED)
    limits = limits_by_rate(details)
    frame = details.gaps.assign(allowed=[limits[rate] for rate in details.gaps["rate"]])
    return frame_table(key, "Differences between groups", frame, declared, note=note)


def limits_by_rate(details: LimitedGaps) -> dict[str, float]:
    """Return how far apart groups may be in each rate: false positive rates may have a limit of their own."""
    own = getattr(details, "max_fpr_difference", None)
    return {
        rate: own if rate == "fpr" and own is not None else details.max_difference
        for rate in details.gaps["rate"].unique()
    }


def worded_indices(indices: pd.DataFrame) -> pd.DataFrame:
    """Return indices of discrimination by the words of a table."""
    return indices.assign(
        index=[index.upper() for index in indices["index"]],
        part=[PART_WORDS[part] for part in indices["part"]],
        sampled=[bool(sampled) for sampled in indices["sampled"]],
    )
