"""The chapter of remedies tried where the decision is an amount."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.report import amount_remedy_words as words
from fairaudit.report.blocks import Block, Chart, Code, Heading, Items, Paragraph, Table
from fairaudit.report.chapters.remedies import TITLE
from fairaudit.report.charts import parts
from fairaudit.report.charts.amount_trees import amount_tree_alt, amount_tree_chart
from fairaudit.report.charts.trees_details import tree_bounds_chart
from fairaudit.report.charts.trees_drawn import tree_is_drawn
from fairaudit.report.charts.trees_texts import tree_bounds_alt
from fairaudit.report.numbers import number_text
from fairaudit.report.tables import pick
from fairaudit.report.tables_amount_remedies import amount_remedies_summary_table, amount_remedy_tables
from fairaudit.report.trees_words import GOES_RIGHT, certificate_words, marked_splits, tree_lines
from fairaudit.study.amount_findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.details_amount_trees import AmountTreeDetails

SUMMARY = ("remedy", "model", "mae", "mae_interval", "r2", "difference", "difference_interval")
CHANGES = ("words", "before", "after", "change", "change_interval", "reading")
AFTER = ("group", "n", "actual", "predicted_after", "error_after", "error_after_interval")
GROUPS = ("group", "n", "actual", "predicted_before", "predicted_after", "error_before", "error_after")
LEAVES = ("leaf", "path", "prediction", "n_learned", "n", "actual", "mae")
IN_LEAVES = ("node", "group", "n", "actual", "predicted")
MOST_ROWS = 40
"""Rows of leaves and groups that a table on paper holds."""


def amount_remedies_blocks(finding: AmountRemediesFinding) -> list[Block]:
    """Return the chapter on the remedies of an audit of amounts.

    Parameters
    ----------
    finding : AmountRemediesFinding
        Masked or not.

    Returns
    -------
    list of Block
        In reading order.
    """
    blocks: list[Block] = [Heading(1, TITLE), Paragraph(words.study_sentence(finding), lead=True)]
    blocks.append(pick(amount_remedies_summary_table(finding), SUMMARY))
    caveats = words.study_caveats(finding.facts, several=len(finding.remedies) > 1)
    blocks.append(Items(caveats, title="How to read these figures"))
    for number, remedy in enumerate(finding.remedies, start=1):
        blocks += _remedy(remedy, finding.facts, number)
    return blocks


def amount_front_blocks(finding: AmountRemediesFinding) -> list[Block]:
    """Return what the first page of a report says of its remedies.

    Parameters
    ----------
    finding : AmountRemediesFinding
        Masked or not.

    Returns
    -------
    list of Block
        One paragraph.
    """
    tried = [remedy for remedy in finding.remedies if remedy.details is not None]
    if not tried:
        return [Paragraph(f"No remedy was tried, only models without one: see the chapter “{TITLE}”.")]
    number = "One remedy was" if len(tried) == 1 else f"{len(tried)} remedies were"
    lead = f"{number} tried and judged on held-out rows: see the chapter “{TITLE}”."
    text = " ".join(words.headline(tried[0], finding.facts)) if len(tried) == 1 else ""
    return [Paragraph(text, strong=lead)]


def _remedy(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[Block]:
    strong, rest = words.headline(remedy, facts)
    tables = {
        table.key.removeprefix(f"remedy_{number}_"): table for table in amount_remedy_tables(remedy, facts, number)
    }
    blocks: list[Block] = [
        Heading(2, f"{number}. {parts.whole(remedy.name, 160)}"),
        Paragraph(rest, strong=strong),
        Paragraph(words.done_sentence(remedy, facts), strong="What was done."),
    ]
    if remedy.details is not None:
        blocks += _tree(remedy.details, facts, number, tables)
    if remedy.changes:
        blocks.append(_changes(remedy, tables["changes"]))
    if len(tables["groups"].rows):
        blocks.append(pick(tables["groups"], GROUPS) if remedy.changes else _plain_heads(pick(tables["groups"], AFTER)))
        blocks.append(Paragraph(words.errors_sentence(remedy, facts), strong="Who is over- or underestimated."))
    if len(tables["indices"].rows):
        names = [column.name for column in tables["indices"].columns if column.name != "before"]
        blocks.append(tables["indices"] if remedy.changes else _plain_heads(pick(tables["indices"], names)))
    if remedy.details is not None:
        blocks += _search(remedy.details, number)
    caveats = remedy.warnings if remedy.details is None else (*_tree_caveats(remedy.details), *remedy.warnings)
    return [*blocks, Items(caveats, title="What to keep in mind")] if caveats else blocks


def _tree(details: AmountTreeDetails, facts: AmountStudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    digits = words.digits_of(facts)
    blocks: list[Block] = []
    if kept := words.kept_sentence(details, digits):
        blocks.append(Paragraph(kept, strong="Whether groups are alike enough."))
    blocks.append(Paragraph(words.tree_sentence(details, facts.meaning), strong="The tree."))
    if tree_is_drawn(details.nodes):
        frames = (details.nodes, details.leaves, details.counts)
        title = "The tree. Thick frame: the amount that is predicted; below it, who comes there of the held-out rows."
        alt = amount_tree_alt(*frames, digits=digits)
        drawn = amount_tree_chart(*frames, digits=digits)
        blocks.append(Chart(f"remedy_{number}_tree_chart", title, alt, drawn, f"remedy_{number}_tree"))
    lines = (*tree_lines(details.nodes), *((GOES_RIGHT,) if details.n_leaves > 1 else ()))
    blocks.append(Code("\n".join(lines), title="The tree in words"))
    if len(tables["leaves"].rows):
        blocks.append(_short(pick(tables["leaves"], LEAVES)))
        blocks.append(_groups_in_leaves(details, tables["nodes"]))
    return blocks


def _groups_in_leaves(details: AmountTreeDetails, table: Table) -> Table:
    leaves = set(details.leaves["leaf"])
    rows = tuple(row for row in table.rows if row[0] in leaves)
    told = pick(Table(f"{table.key}_leaves", "Who comes to each leaf", table.columns, rows, table.note), IN_LEAVES)
    return _short(told)


def _short(table: Table) -> Table:
    if len(table.rows) <= MOST_ROWS:
        return table
    note = f"The first {MOST_ROWS} of {len(table.rows)} rows; the CSV files hold all. {table.note or ''}".rstrip()
    return Table(table.key, table.title, table.columns, table.rows[:MOST_ROWS], note)


def _changes(remedy: AmountRemedyFinding, table: Table) -> Table:
    """Return what changed, in the unit of the decision; R2, which has none, is told below."""
    r2 = words.change_of(remedy, "r2")
    rows = tuple(row for row in table.rows if row[0] != "r2")
    before, after = (number_text(value, digits=words.R2_DIGITS) for value in (r2.before, r2.after))
    note = f"Before: {remedy.before.name}. In the unit of the decision. R² went from {before} to {after}."
    return replace(pick(replace(table, rows=rows), CHANGES), note=note)


def _plain_heads(table: Table) -> Table:
    """Return a table of one model, whose heads need not say "after"."""
    heads = {"after": "index"}
    columns = tuple(
        replace(column, label=heads.get(column.label, column.label.removesuffix(", after"))) for column in table.columns
    )
    return replace(table, columns=columns)


def _search(details: AmountTreeDetails, number: int) -> list[Block]:
    blocks: list[Block] = [Paragraph(certificate_words(details), strong="How close to the best possible.")]
    if len(details.bounds) > 1:
        title = f"How the search closed in, over time. What is made small: {details.objective_words}."
        drawn, alt = tree_bounds_chart(details.bounds), tree_bounds_alt(details.bounds)
        blocks.append(Chart(f"remedy_{number}_bounds_chart", title, alt, drawn, f"remedy_{number}_bounds"))
    return blocks


def _tree_caveats(details: AmountTreeDetails) -> tuple[str, ...]:
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
