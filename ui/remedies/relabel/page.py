"""Where the app shows retraining, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

RELABEL = RemedyPage(
    method="relabel",
    work="Retraining",
    point="retrained",
    file="11_Retrain.py",
    title="Retrain on changed decisions",
    purpose="Some of the closest past decisions are changed until both groups reach the good outcome equally often, "
    "and a new model learns from them. Not where the gap in the past decisions is justified.",
    mends="Made for the gap in shares: how often people reach the good outcome.",
    called="Known as relabelling.",
    gives_score=True,
    changes_decisions=True,
)
