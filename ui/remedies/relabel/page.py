"""Where the app shows retraining, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

RELABEL = RemedyPage(
    method="relabel",
    work="Retraining",
    point="retrained",
    file="11_Retrain.py",
    called="Known as relabelling.",
    gives_score=True,
    changes_decisions=True,
)
