"""The part of a remedy's section on its tree: the tree, whom it concerns, and how it was found."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.present.blocks import Block, Code, Paragraph, Table
from fairaudit.remedies.shared.drawn import drawn
from fairaudit.remedies.trees.chart_texts import (
    Unit,
    depth_lines,
    drawn_depths,
    drawn_settings,
    similar_people_alt,
    tree_bounds_alt,
    tree_depths_alt,
    tree_settings_alt,
)
from fairaudit.remedies.trees.charts import (
    similar_people_chart,
    tree_bounds_chart,
    tree_depths_chart,
    tree_settings_chart,
)
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.drawing import drawn_tree
from fairaudit.remedies.trees.result_words import similar_sentence, trees_kept_sentence, trees_sides_sentence
from fairaudit.remedies.trees.words import NOT_THE_GAP, certificate_words, tree_text, tree_words
from fairaudit.study.findings import RemedyFinding, StudyFacts


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whether groups are alike enough, and the tree, drawn as on its page."""
    details = finding.details
    blocks: list[Block] = []
    if kept := trees_kept_sentence(details):
        blocks.append(Paragraph(f"{kept} {NOT_THE_GAP}", strong="Whether groups are alike enough."))
    blocks.append(Paragraph(tree_words(details, positive_meaning=facts.positive_meaning), strong="The tree."))
    return [*blocks, drawn_tree(details, number)]


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return how similar people fare, how far from the best possible a tree can be, and what other settings give."""
    details = finding.details
    blocks: list[Block] = [Code("\n".join(tree_text(details)), title="The tree in words")]
    if len(tables["alike"].rows):
        blocks.append(Paragraph(trees_sides_sentence(details), strong="The limit on other rows."))
    if len(tables["indices"].rows):
        blocks.append(tables["indices"])
    if similar := similar_sentence(details, finding.before.name):
        blocks.append(Paragraph(similar, strong="Similar people."))
        title = (
            "How far the share of positive predictions among similar people of the own group is from that among all "
        )
        title += f"similar people, before ({finding.before.name}) and after, on held-out rows."
        blocks.append(drawn(number, "similar", title, (similar_people_chart, similar_people_alt), details.similar))
    blocks.append(Paragraph(certificate_words(details), strong="How close to the best possible."))
    if len(details.bounds) > 1:
        title = f"How the search closed in. What is made small: {details.objective_words}."
        blocks.append(drawn(number, "bounds", title, (tree_bounds_chart, tree_bounds_alt), details.bounds))
    blocks += _settings(details, number, tables)
    return blocks


def _settings(details: TreesDetails, number: int, tables: dict[str, Table]) -> list[Block]:
    blocks: list[Block] = []
    by_ratio = details.by_ratio
    if len(drawn_settings(details.settings, "gap")) > 1:
        allowed = FOUR_FIFTHS if by_ratio else details.max_difference
        against = "the smallest ratio" if by_ratio else "the largest difference"
        title = f"What other settings would give: accuracy against {against}, on the tuning rows. Ringed: chosen."
        blocks.append(
            drawn(
                number,
                "settings",
                title,
                (tree_settings_chart, tree_settings_alt),
                details.settings,
                by="gap",
                allowed=allowed,
                unit=Unit(by_ratio=by_ratio),
            )
        )
    elif len(drawn_settings(details.settings, "index")) > 1:
        title = "What other settings would give: accuracy against the index, on the tuning rows. Ringed: chosen."
        blocks.append(
            drawn(number, "settings", title, (tree_settings_chart, tree_settings_alt), details.settings, by="index")
        )
    if len(drawn_depths(details.settings)) > 1:
        title = f"{depth_lines(details.settings).title} by the depth that is allowed."
        depths = drawn(number, "depths", title, (tree_depths_chart, tree_depths_alt), details.settings)
        blocks.append(replace(depths, table_key=tables["settings"].key))
    return blocks
