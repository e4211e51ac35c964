"""Where the app shows decision trees, and what leads there."""

from __future__ import annotations

from ui.remedies.remedy_page import RemedyPage
from ui.remedies.trees.search import show_steps

TREES = RemedyPage(
    method="trees",
    work="Finding a tree",
    point="tree",
    file="10_Trees.py",
    step="Find a decision tree",
    remedy="a decision tree",
    other="a decision tree",
    for_amounts=True,
    is_search=True,
    show_search=show_steps,
)
