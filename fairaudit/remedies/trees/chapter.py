"""The part of a report on a tree, of outcomes or of amounts: the tree, whom it concerns, and how it was found."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.findings import Message
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Code, Paragraph, Table
from fairaudit.remedies.shared.amount_tables import digits_of
from fairaudit.remedies.shared.charts import remedy_chart
from fairaudit.remedies.trees import charts
from fairaudit.remedies.trees.drawing import drawn_tree
from fairaudit.remedies.trees.labels import OUTCOMES, AmountNodes
from fairaudit.remedies.trees.saying import Details, cautions, moved, similar, tree_text
from fairaudit.remedies.trees.search_tables import objective_digits
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return the tree, drawn as on its page."""
    return [drawn_tree(finding.details, facts, number)]


def amount_result_blocks(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, Table]
) -> list[Block]:
    """Return the tree of amounts, drawn as on its page."""
    return [drawn_tree(finding.details, facts, number, AmountNodes(digits_of(facts)))]


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return the tree in words, how groups and similar people fare, how it was searched for, and other settings."""
    return [*_tables(tables, "alike", "indices"), *_found(finding.details, number, tables, None)]


def amount_search_blocks(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, Table]
) -> list[Block]:
    """Return the same of a tree of amounts."""
    return _found(finding.details, number, tables, digits_of(facts))


def amount_cautions(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> tuple[str, ...]:
    """Return what to doubt of a tree of amounts, and what its search says of itself."""
    details = finding.details
    return (*map(say, (*moved(details, digits_of(facts)), *cautions(details))), *details.notes)


def _tables(tables: dict[str, Table], *keys: str) -> list[Block]:
    return [tables[key] for key in keys if tables[key].rows]


def _found(details: Details, number: int, tables: dict[str, Table], digits: int | None) -> list[Block]:
    blocks: list[Block] = [Code("\n".join(tree_text(details, OUTCOMES if digits is None else AmountNodes(digits))))]
    if said := similar(details):
        blocks.append(Paragraph(say(said)))
        title, drawing = say(Message("tree-similar-title")), (charts.similar_people_chart, charts.similar_alt)
        blocks.append(remedy_chart(number, "similar", title, drawing, details, digits=digits))
    if len(details.bounds) > 1:
        title, places = say(Message("tree-bounds-title")), objective_digits(details)
        closing = charts.tree_bounds_chart, charts.bounds_alt
        blocks.append(remedy_chart(number, "bounds", title, closing, details.bounds, digits=places))
    return [*blocks, *_settings(details, number, tables, digits)]


def _settings(details: Details, number: int, tables: dict[str, Table], digits: int | None) -> list[Block]:
    blocks: list[Block] = []
    by = "gap" if details.constraint is not None else "index"
    if len(charts.drawn_settings(details.settings, by)) > 1:
        drawing = charts.tree_settings_chart, charts.settings_alt
        options = {"by": by, "allowed": allowed_of(details, by), "unit": charts.Unit(digits, by_ratio=details.by_ratio)}
        blocks.append(
            remedy_chart(number, "settings", say(Message("tree-settings-title")), drawing, details.settings, **options)
        )
    if len(charts.drawn_depths(details.settings)) > 1:
        title = say(charts.depth_lines(details.settings, digits=digits).title)
        by_depth = charts.tree_depths_chart, charts.depths_alt
        depths = remedy_chart(number, "depths", title, by_depth, details.settings, digits=digits)
        blocks.append(replace(depths, table_key=tables["settings"].key))
    return blocks


def allowed_of(details: Details, by: str) -> float | None:
    """Return what is allowed of the largest difference, the smallest ratio or the index; None where nothing is."""
    if by == "index":
        return details.max_discrimination
    if details.by_ratio:
        return FOUR_FIFTHS
    return None if details.constraint is None else details.max_difference
