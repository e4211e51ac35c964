"""Columns of frames that several remedies have."""

from __future__ import annotations

from typing import Literal

from fairaudit.measure.plain import columns

Reading = Literal["within", "outside", "within, not clear", "outside, not clear", "not defined"]

GAPS = columns(
    rate=(str, "The rate."),
    rate_words=(str, "The rate in words."),
    first=(str, "One group."),
    second=(str, "The other group."),
    trained=(float, "Gap on the training rows."),
    tuned=(float, "Gap on the tuning rows."),
    held_out=(float, "Gap on the held-out rows."),
    low=(float, "Lower end of the interval that decides."),
    high=(float, "Upper end."),
    n_first=(int, "Held-out rows that the first rate is a share of."),
    n_second=(int, "Held-out rows that the second rate is a share of."),
    reading=(Reading, "Whether it is within what is allowed, and how clear that is."),
)
