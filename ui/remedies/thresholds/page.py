"""Where the app shows thresholds by group, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

THRESHOLDS = RemedyPage(
    method="thresholds",
    work="Thresholds",
    point="thresholds",
    file="6_Thresholds.py",
    step="Set a threshold for each group",
    remedy="a threshold for each group",
    other="thresholds",
    evens_errors=True,
)
