"""The chapter of remedies tried where the decision is an amount."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.present.blocks import Block, Chart, Code, Heading, Items, Paragraph, Table
from fairaudit.present.charts import parts
from fairaudit.present.printed_tables import pick
from fairaudit.remedies.shared import amount_words as words
from fairaudit.remedies.shared.amount_charts import amount_means_alt, amount_means_chart
from fairaudit.remedies.shared.amount_tables import amount_remedies_summary_table, amount_remedy_tables, printed_changes
from fairaudit.remedies.shared.sample_words import sample_blocks
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.amounts.drawing import amount_tree_alt, amount_tree_chart
from fairaudit.remedies.trees.chart_texts import (
    COUNTED,
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
from fairaudit.remedies.trees.drawing import tree_is_drawn
from fairaudit.remedies.trees.words import certificate_words, marked_splits, told_lines, value_digits
from fairaudit.report.chapters.remedies import TITLE
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts

SUMMARY = ("remedy", "model", "mae", "mae_interval", "r2", "difference", "difference_interval", "didi")
CHANGES = ("words", "before", "after", "change", "change_interval", "reading")
AFTER = ("group", "n", "actual", "predicted_after", "error_after", "error_after_interval")
GROUPS = ("group", "n", "actual", "predicted_before", "predicted_after", "error_before", "error_after")
LEAVES = ("leaf", "path", "prediction", "n_learned", "n", "actual", "mae")
IN_LEAVES = ("node", "group", "n", "actual", "predicted")
MOST_ROWS = 40
"""Rows of leaves and groups that a table on paper holds."""


def amount_remedies_blocks(finding: AmountRemediesFinding) -> list[Block]:
    """Return the chapter on the remedies of an audit of amounts."""
    blocks: list[Block] = [Heading(1, TITLE), Paragraph(words.study_sentence(finding), lead=True)]
    blocks += sample_blocks(finding.facts)
    blocks.append(pick(amount_remedies_summary_table(finding), SUMMARY))
    caveats = words.study_caveats(finding.facts, several=len(finding.remedies) > 1)
    blocks.append(Items(caveats, title="How to read these figures"))
    for number, remedy in enumerate(finding.remedies, start=1):
        blocks += _remedy(remedy, finding.facts, number)
    return blocks


def amount_front_blocks(finding: AmountRemediesFinding) -> list[Block]:
    """Return what the first page of a report says of its remedies."""
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
        blocks.append(pick(printed_changes(remedy, tables["changes"]), CHANGES))
    if remedy.changes and len(tables["groups"].rows):
        told = f"Before: {parts.whole(remedy.before.name, 160)}."
        blocks.append(
            Chart(
                f"remedy_{number}_means_chart",
                f"Mean predictions for the protected group and the rest, before and after. {told}",
                amount_means_alt(remedy, facts),
                amount_means_chart(remedy, facts),
                f"remedy_{number}_groups",
            )
        )
    if len(tables["groups"].rows):
        blocks.append(pick(tables["groups"], GROUPS) if remedy.changes else _plain_heads(pick(tables["groups"], AFTER)))
        blocks.append(Paragraph(words.errors_sentence(remedy, facts), strong="Who is over- or underestimated."))
    if len(tables["indices"].rows):
        names = [column.name for column in tables["indices"].columns if column.name != "before"]
        blocks.append(tables["indices"] if remedy.changes else _plain_heads(pick(tables["indices"], names)))
    if remedy.details is not None:
        blocks += _similar(remedy, words.digits_of(facts), number, tables)
        blocks += _search(remedy.details, number)
        blocks += _settings(remedy.details, words.digits_of(facts), number, tables)
    caveats = remedy.warnings if remedy.details is None else (*_tree_caveats(remedy.details), *remedy.warnings)
    return [*blocks, Items(caveats, title="What to keep in mind")] if caveats else blocks


def _tree(details: AmountTreeDetails, facts: AmountStudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    digits = words.digits_of(facts)
    blocks: list[Block] = []
    if kept := words.kept_sentence(details, digits):
        blocks.append(Paragraph(kept, strong="Whether groups are alike enough."))
    blocks.append(Paragraph(words.tree_sentence(details, facts.meaning, digits), strong="The tree."))
    if tree_is_drawn(details.nodes):
        frames = (details.nodes, details.leaves, details.counts)
        title = f"The tree. Thick frame: the amount that is predicted; below it, who comes there. {COUNTED}"
        alt = amount_tree_alt(*frames, digits=digits)
        drawn = amount_tree_chart(*frames, digits=digits)
        blocks.append(Chart(f"remedy_{number}_tree_chart", title, alt, drawn, f"remedy_{number}_tree"))
    blocks.append(Code("\n".join(told_lines(details)), title="The tree in words"))
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


def _plain_heads(table: Table) -> Table:
    """Return a table of one model, whose heads need not say "after"."""
    heads = {"after": "index"}
    columns = tuple(
        replace(column, label=heads.get(column.label, column.label.removesuffix(", after"))) for column in table.columns
    )
    return replace(table, columns=columns)


def _similar(remedy: AmountRemedyFinding, digits: int, number: int, tables: dict[str, Table]) -> list[Block]:
    details = remedy.details
    told = words.similar_sentence(details, remedy.before.name, digits)
    if not told:
        return []
    title = (
        "How far the mean prediction for similar people of the own group is from that for all similar people, before "
        f"({parts.whole(remedy.before.name, 160)}) and after, on held-out rows."
    )
    drawn = similar_people_chart(details.similar, digits=digits), similar_people_alt(details.similar, digits=digits)
    chart = Chart(f"remedy_{number}_similar_chart", title, drawn[1], drawn[0], f"remedy_{number}_similar")
    return [Paragraph(told, strong="Similar people."), chart, tables["treated"]]


def _settings(details: AmountTreeDetails, digits: int, number: int, tables: dict[str, Table]) -> list[Block]:
    if len(details.settings) < 2:
        return []
    blocks: list[Block] = []
    by = "gap" if details.constraint is not None else "index"
    key = f"remedy_{number}_settings"
    if len(drawn_settings(details.settings, by)) > 1:
        against = "the largest difference of means" if by == "gap" else "the index"
        title = f"What other settings would give: mean absolute error against {against}, on the tuning rows."
        told = {"by": by, "allowed": details.max_difference if by == "gap" else details.max_discrimination}
        told["unit"] = Unit(digits)
        drawn = tree_settings_chart(details.settings, **told), tree_settings_alt(details.settings, **told)
        blocks.append(Chart(f"{key}_chart", title, drawn[1], drawn[0], key))
    if len(drawn_depths(details.settings)) > 1:
        title = f"{depth_lines(details.settings, digits=digits).title} by the depth that is allowed."
        chart, description = (each(details.settings, digits=digits) for each in (tree_depths_chart, tree_depths_alt))
        blocks.append(Chart(f"remedy_{number}_depths_chart", title, description, chart, key))
    names = ["words", "n_leaves", "trained_mae", "mae", "gap", *(["index"] if details.discrimination else []), "chosen"]
    return [*blocks, pick(tables["settings"], names)]


def _search(details: AmountTreeDetails, number: int) -> list[Block]:
    blocks: list[Block] = [Paragraph(certificate_words(details), strong="How close to the best possible.")]
    if len(details.bounds) > 1:
        title = f"How the search closed in, over time. What is made small: {details.objective_words}."
        digits = value_digits(details)
        drawn, alt = (each(details.bounds, digits=digits) for each in (tree_bounds_chart, tree_bounds_alt))
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
