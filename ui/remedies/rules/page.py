"""Where the app shows rule sets, and what leads there."""

from __future__ import annotations

from fairaudit.late import Late
from ui.remedies.remedy_page import RemedyPage

RULES = RemedyPage(
    method="rules",
    work="Finding rules",
    point="rules",
    file="15_Rules.py",
    called="Known as a rule set, or Boolean rules in disjunctive normal form, found by integer programming.",
    can_be_read=True,
    is_search=True,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"fairness": "statistical_parity", "max_difference": tolerance}
    ),
    show_search=Late("ui.remedies.rules.search:show_rounds"),
)
