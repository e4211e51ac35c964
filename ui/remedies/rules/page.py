"""Where the app shows rule sets, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage
from ui.remedies.rules.search import show_rounds

RULES = RemedyPage(
    method="rules",
    work="Finding rules",
    point="rule set",
    file="9_Rules.py",
    step="Find rules to read aloud",
    remedy="a short list of rules",
    other="rules to read aloud",
    is_search=True,
    show_search=show_rounds,
)
