"""A decision tree in a report: the drawing of its page, as far as it has room on paper."""

from __future__ import annotations

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.blocks import Chart
from fairaudit.remedies.shared.charts import remedy_chart
from fairaudit.remedies.trees.clickable import clickable_tree_chart
from fairaudit.remedies.trees.labels import OUTCOMES, OutcomeNodes, clickable_tree_alt, drawn_levels
from fairaudit.remedies.trees.saying import Details
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts


def tree_title(details: Details, facts: StudyFacts | AmountStudyFacts) -> Message:
    """Return what the drawing shows, and what its shares are of, as far as a page of paper has room for the tree."""
    if len(details.nodes) < 2:
        return Message("tree-title-nothing")
    levels = drawn_levels(details.nodes)
    if levels < details.depth:
        return Message("tree-title-part", {"n": Count(levels)})
    if isinstance(facts, StudyFacts) and details.counts["n_learned"].notna().any():
        return Message("tree-title-share", {"outcome": Phrase(facts.positive_meaning)})
    return Message("tree-title")


def drawn_tree(
    details: Details, facts: StudyFacts | AmountStudyFacts, number: int, wording: OutcomeNodes = OUTCOMES
) -> Chart:
    """Return the tree of the remedy with this number."""
    levels, title = drawn_levels(details.nodes), tree_title(details, facts)
    drawing = clickable_tree_chart, clickable_tree_alt
    return remedy_chart(
        number, "tree", say(title), drawing, details.nodes, details.counts, levels=levels, wording=wording
    )
