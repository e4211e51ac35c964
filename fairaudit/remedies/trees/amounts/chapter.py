"""The part of a report on a tree of amounts."""

from __future__ import annotations

from fairaudit.present import brief
from fairaudit.present.blocks import Block, Chart, Code, Paragraph, Table
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.remedies.trees.amounts import words
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.amounts.moved_leaves import moved_sentences
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
from fairaudit.remedies.trees.clickable_texts import AmountNodes
from fairaudit.remedies.trees.drawing import drawn_tree
from fairaudit.remedies.trees.words import certificate_words, marked_splits, tree_text, value_digits
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts


def result_blocks(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, Table]
) -> list[Block]:
    """Return whether groups are alike enough, and the tree, drawn as on its page."""
    details = finding.details
    digits = digits_of(facts)
    blocks: list[Block] = []
    if kept := words.kept_sentence(details, facts):
        blocks.append(Paragraph(kept, strong="Whether groups are alike enough."))
    blocks.append(Paragraph(words.tree_sentence(details, facts.meaning, digits), strong="The tree."))
    if moved := moved_sentences(details, digits):
        blocks.append(Paragraph(" ".join(moved), strong="Over- and underpredicted."))
    return [*blocks, drawn_tree(details, number, AmountNodes(digits))]


def _similar(remedy: AmountRemedyFinding, digits: int, number: int) -> list[Block]:
    details = remedy.details
    sentence = words.similar_sentence(details, remedy.before.name, digits)
    if not sentence:
        return []
    title = (
        "How far the mean prediction for similar people of the own group is from that for all similar people, before "
        f"({brief.whole(remedy.before.name, 160)}) and after, on held-out rows."
    )
    drawn = similar_people_chart(details.similar, digits=digits), similar_people_alt(details.similar, digits=digits)
    chart = Chart(f"remedy_{number}_similar_chart", title, drawn[1], drawn[0], f"remedy_{number}_similar")
    return [Paragraph(sentence, strong="Similar people."), chart]


def _settings(details: AmountTreeDetails, digits: int, number: int) -> list[Block]:
    if len(details.settings) < 2:
        return []
    blocks: list[Block] = []
    by = "gap" if details.constraint is not None else "index"
    key = f"remedy_{number}_settings"
    if len(drawn_settings(details.settings, by)) > 1:
        against = "the largest difference of means" if by == "gap" else "the index"
        title = f"What other settings would give: mean absolute error against {against}, on the tuning rows."
        allowed, unit = details.max_difference if by == "gap" else details.max_discrimination, Unit(digits)
        chart, description = (
            each(details.settings, by=by, allowed=allowed, unit=unit)
            for each in (tree_settings_chart, tree_settings_alt)
        )
        blocks.append(Chart(f"{key}_chart", title, description, chart, key))
    if len(drawn_depths(details.settings)) > 1:
        title = f"{depth_lines(details.settings, digits=digits).title} by the depth that is allowed."
        chart, description = (each(details.settings, digits=digits) for each in (tree_depths_chart, tree_depths_alt))
        blocks.append(Chart(f"remedy_{number}_depths_chart", title, description, chart, key))
    return blocks


def _search(details: AmountTreeDetails, number: int) -> list[Block]:
    blocks: list[Block] = [Paragraph(certificate_words(details), strong="How close to the best possible.")]
    if len(details.bounds) > 1:
        title = f"How the search closed in. What is made small: {details.objective_words}."
        digits = value_digits(details)
        drawn, alt = (each(details.bounds, digits=digits) for each in (tree_bounds_chart, tree_bounds_alt))
        blocks.append(Chart(f"remedy_{number}_bounds_chart", title, alt, drawn, f"remedy_{number}_bounds"))
    return blocks


def cautions(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> tuple[str, ...]:
    """Return why a tree of amounts does not prove much."""
    details = finding.details
    texts = [*marked_splits(details)]
    texts.append(
        "A tree that can be read aloud can be checked by anyone; that it can be read does not make it right, and it "
        "says what goes with the amount, not what brings it about."
    )
    if details.n_leaves > 1:
        texts.append(
            "People just on either side of a split can be given different amounts although they hardly differ."
        )
    return (*texts, *details.notes)


def search_blocks(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, Table]
) -> list[Block]:
    """Return how similar people fare, how far from the best possible the tree can be, and what other settings give."""
    digits = digits_of(facts)
    return [
        Code("\n".join(tree_text(finding.details)), title="The tree in words"),
        *_similar(finding, digits, number),
        *_search(finding.details, number),
        *_settings(finding.details, digits, number),
    ]
