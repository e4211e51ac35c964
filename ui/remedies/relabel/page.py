"""Where the app shows relabelling and retraining, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

RELABEL = RemedyPage(
    method="relabel",
    work="Retraining",
    point="retrained",
    file="5_Retrain.py",
    step="Retrain on relabelled rows",
    remedy="retrain on relabelled rows",
    other="retraining",
)
