"""Where the app shows relabelling and retraining, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

RELABEL = RemedyPage(
    method="relabel",
    work="Retraining",
    point="retrained",
    file="11_Retrain.py",
    other="retraining",
    title="Learn from corrected decisions",
    purpose="Past decisions near the line are turned around until both groups fare alike, and a new model learns from "
    "them. Not where the gap in the past decisions is justified.",
    gives_score=True,
)
