"""Where the app shows decision trees, and what leads there."""

from __future__ import annotations

from fairaudit.late import Late
from ui.remedies.remedy_page import RemedyPage

TREES = RemedyPage(
    method="trees",
    work="Finding a tree",
    point="tree",
    file="16_Trees.py",
    called="Known as an optimal decision tree or a look-ahead tree.",
    can_be_read=True,
    is_search=True,
    wish=lambda plan, tolerance: plan.model_copy(
        update={"constraint": "demographic_parity", "max_difference": tolerance}
    ),
    show_search=Late("ui.remedies.trees.search:show_steps"),
)
