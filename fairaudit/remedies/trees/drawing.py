"""A decision tree in a report: the drawing of its page, as far as it has room on paper."""

from __future__ import annotations

from fairaudit.present.blocks import Chart
from fairaudit.present.numbers import number_word
from fairaudit.remedies.shared.drawn import drawn
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.clickable import clickable_tree_chart
from fairaudit.remedies.trees.clickable_texts import OUTCOMES, OutcomeNodes, clickable_tree_alt, drawn_levels
from fairaudit.remedies.trees.details import TreesDetails

READING = "Read from left to right: yes leads up, no leads down."
THICKER = "Thicker lines are ways of more training rows."


def drawn_tree(details: TreesDetails | AmountTreeDetails, number: int, wording: OutcomeNodes = OUTCOMES) -> Chart:
    """Return the tree of the remedy with this number."""
    levels = drawn_levels(details.nodes)
    title = f"The tree. {READING} {wording.caption}" if len(details.nodes) > 1 else "The tree asks nothing."
    if details.counts["n_learned"].notna().any() and len(details.nodes) > 1:
        title += f" {wording.caption_of_rows} {THICKER}"
    if levels < details.depth:
        title += f" Drawn are the first {number_word(levels)} questions; all of it stands in words in the annex."
    options = {"levels": levels, "wording": wording}
    drawing = clickable_tree_chart, clickable_tree_alt
    return drawn(number, "tree", title, drawing, details.nodes, details.counts, **options)
