"""Columns of frames that several remedies have."""

from __future__ import annotations

from typing import Final, Literal

from fairaudit.measure.plain import columns

Reading = Literal["within", "outside", "within, not clear", "outside, not clear", "not defined"]
HELD: Final = ("within", "within, not clear")
MISSED: Final = ("outside", "outside, not clear")
"""Readings of a gap that is within its limit on the test cases, and of one that is not, however clear that is."""

GAPS = columns(
    rate=(str, "The rate."),
    rate_words=(str, "The rate in words."),
    first=(str, "One group."),
    second=(str, "The other group."),
    trained=(float, "Gap on the training cases."),
    tuned=(float, "Gap on the tuning cases."),
    held_out=(float, "Gap on the test cases."),
    low=(float, "Lower end of the range that decides."),
    high=(float, "Upper end."),
    n_first=(int, "Test cases behind the first rate."),
    n_second=(int, "Test cases behind the second rate."),
    reading=(Reading, "Whether it is within the limit, and how clear that is."),
)
