"""Where the app shows equalized distributions, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

EQUALIZE = RemedyPage(
    method="equalize",
    work="Making a score",
    point="spread alike",
    file="13_Equalize.py",
    called="Known as equalized distributions.",
    gives_score=True,
)
