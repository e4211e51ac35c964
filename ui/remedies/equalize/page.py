"""Where the app shows equalized distributions, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

EQUALIZE = RemedyPage(
    method="equalize",
    work="Equalizing",
    point="equalized",
    file="13_Equalize.py",
    other="scores that are spread alike",
    title="One score that treats groups alike",
    purpose="A score that is spread alike in all groups, with one line for all. It ranks people, but no longer says "
    "how likely the outcome is.",
    gives_score=True,
    is_slow=True,
)
