"""Where the app shows rule sets, and what leads there."""

from __future__ import annotations

from fairaudit.late import Late
from ui.remedies.remedy_page import RemedyPage

RULES = RemedyPage(
    method="rules",
    work="Finding rules",
    point="rule set",
    file="9_Rules.py",
    step="Find rules to read aloud",
    remedy="a short list of rules",
    other="rules to read aloud",
    is_search=True,
    time_limit=lambda plan: plan.time_limit,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"fairness": "statistical_parity", "max_difference": tolerance}
    ),
    show_search=Late("ui.remedies.rules.search:show_rounds"),
)
