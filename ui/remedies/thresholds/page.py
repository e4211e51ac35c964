"""Where the app shows thresholds by group, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

THRESHOLDS = RemedyPage(
    method="thresholds",
    work="Thresholds",
    point="thresholds",
    file="12_Thresholds.py",
    title="A threshold for each group",
    purpose="One score, and each group has its own threshold from which on the answer is yes. May be unlawful: it "
    "decides by group. Ask counsel first.",
    mends="Made for the gap in errors: how often people are wrongly given or wrongly refused the good outcome.",
    called="Known as group-specific thresholds, found by an exact search or a particle swarm.",
    uses_group=True,
    gives_score=True,
)
