"""Where the app shows decision trees, and what leads there."""

from __future__ import annotations

from fairaudit.late import Late
from ui.remedies.remedy_page import RemedyPage

TREES = RemedyPage(
    method="trees",
    work="Finding a tree",
    point="tree",
    file="10_Trees.py",
    step="Find a decision tree",
    remedy="a decision tree",
    other="a decision tree",
    is_search=True,
    time_limit=lambda plan: plan.time_limit,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"constraint": "demographic_parity", "max_difference": tolerance}
    ),
    show_search=Late("ui.remedies.trees.search:show_steps"),
)
