"""Where the app shows equalized distributions, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

EQUALIZE = RemedyPage(
    method="equalize",
    work="Making a score",
    point="spread alike",
    file="13_Equalize.py",
    title="One score for all groups",
    purpose="A score that is spread alike in all groups, with one threshold for everybody. It ranks people, but no "
    "longer says how likely the outcome is.",
    mends="Made for the gap in errors: how often people are wrongly given or wrongly refused the good outcome.",
    called="Known as equalized distributions: a logistic model whose scores are spread alike.",
    gives_score=True,
)
