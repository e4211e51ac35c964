"""Where the app shows equalized distributions, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage

EQUALIZE = RemedyPage(
    method="equalize",
    work="Equalizing",
    point="equalized",
    file="7_Equalize.py",
    step="Spread scores alike",
    remedy="scores that are spread alike",
    other="scores that are spread alike",
    evens_errors=True,
    is_slow=True,
)
