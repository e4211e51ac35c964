"""Where the app shows thresholds by group, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

THRESHOLDS = RemedyPage(
    method="thresholds",
    work="Thresholds",
    point="thresholds",
    file="12_Thresholds.py",
    called="Known as group-specific thresholds.",
    uses_group=True,
    gives_score=True,
)
