"""The chapter of remedies tried: what was learned from, all of them side by side, then each by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairaudit.remedies.judging.results import MEASURES
from fairaudit.report import charts
from fairaudit.report.blocks import Block, Chart, Heading, Items, Paragraph, Table
from fairaudit.report.charts import parts
from fairaudit.report.charts.remedy_texts import distribution_note
from fairaudit.report.remedy_caveats import remedy_caveats, study_caveats
from fairaudit.report.remedy_words import done_sentence, headline, study_sentence
from fairaudit.report.tables import pick
from fairaudit.report.tables_remedies import (
    features_table,
    frontier_rows,
    pairs_table,
    remedies_summary_table,
    remedy_tables,
    rows_table,
)
from fairaudit.report.words import is_hidden
from fairaudit.study.findings import (
    EqualizeDetails,
    RelabelDetails,
    RemediesFinding,
    RemedyFinding,
    StudyFacts,
    ThresholdDetails,
)

SUMMARY = ("model", "accuracy", "gap", "gap_interval", "tpr_gap", "fpr_gap", "needs_group")
CHANGES = ("figure", "before", "after", "change", "change_interval", "reading")


def remedies_blocks(finding: RemediesFinding) -> list[Block]:
    """Return the chapter on the remedies of an audit.

    Parameters
    ----------
    finding : RemediesFinding
        Masked or not.

    Returns
    -------
    list of Block
        In reading order.
    """
    several = len(finding.remedies) > 1
    blocks: list[Block] = [Heading(1, "Remedies tried"), Paragraph(study_sentence(finding), lead=True)]
    blocks.append(pick(remedies_summary_table(finding), SUMMARY))
    rows = frontier_rows(finding)
    if len(rows) > 1:
        blocks += [_frontier(rows), _numbers(rows)]
    relabelled = [remedy for remedy in finding.remedies if remedy.plan.method == "relabel"]
    if len(relabelled) > 1:
        blocks.append(pairs_table(relabelled))
    blocks += [rows_table(finding.facts), features_table(finding.facts)]
    blocks.append(Items(study_caveats(finding.facts, several=several), title="How to read these figures"))
    for number, remedy in enumerate(finding.remedies, start=1):
        blocks += _remedy(remedy, finding.facts, number)
    return blocks


def _frontier(rows: Any) -> Chart:
    titles = {"x_title": parts.capital(MEASURES["accuracy"]), "y_title": parts.capital(MEASURES["gap"])}
    return Chart(
        "remedies_frontier",
        "All models: accuracy against the size of the gap. Lines are intervals; filled points are those that no other "
        "model beats in both.",
        charts.frontier_alt(rows, **titles),
        charts.frontier_chart(rows, **titles),
        "remedies_summary",
    )


def _numbers(rows: Any) -> Items:
    """Name the models in full, which the chart has no room for."""
    names = tuple(f"{number}: {parts.capital(name)}" for number, name in enumerate(rows["name"], start=1))
    return Items(names, title="The models by their numbers in the chart")


def _remedy(finding: RemedyFinding, facts: StudyFacts, number: int) -> list[Block]:
    strong, rest = headline(finding)
    blocks: list[Block] = [
        Heading(2, f"{number}. {parts.whole(finding.name, 160)}"),
        Paragraph(rest, strong=strong),
        Paragraph(done_sentence(finding), strong="What was done."),
    ]
    tables = {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, number)}
    if finding.changes:
        blocks.append(pick(tables["quality"], CHANGES))
    if not is_hidden(finding.after.fairness):
        blocks += _groups(finding, facts, number, tables)
    blocks += _details(finding, number, tables)
    blocks.append(Items(remedy_caveats(finding, facts), title="What to keep in mind"))
    return blocks


def _groups(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    blocks: list[Block] = []
    if tables.get("gaps"):
        blocks.append(pick(tables["gaps"], CHANGES))
        name = facts.plan.protected_name
        blocks.append(
            Chart(
                f"remedy_{number}_chart",
                f"Each group before ({finding.before.name}) and after. Shaded: the tolerance around the rest, after."
                + parts.drawn_note(len(finding.after.errors.groups), parts.MOST_SERIES),
                charts.before_after_alt(finding, protected_name=name),
                charts.before_after_chart(finding, protected_name=name),
                f"remedy_{number}_groups",
            )
        )
        return [*blocks, tables["population"], tables["groups"]]
    after = ("role", "group", "n", "after", "after_interval", "selection_rate_after", "tpr_after", "fpr_after")
    return [_plain_heads(pick(tables[name], after)) for name in ("population", "groups")]


def _plain_heads(table: Table) -> Table:
    """Return a table of one model, whose heads need not say "after"."""
    columns = tuple(replace(column, label=column.label.removesuffix(", after")) for column in table.columns)
    return replace(table, columns=columns, title=table.title.removesuffix(" before and after"))


def _details(finding: RemedyFinding, number: int, tables: dict[str, Table]) -> list[Block]:
    blocks: list[Block] = []
    details, plan = finding.details, finding.plan

    def chart(key: str, title: str, name: str, *arguments: Any, **options: Any) -> Chart:
        alt = getattr(charts, f"{name}_alt")(*arguments, **options)
        drawn = getattr(charts, f"{name}_chart")(*arguments, **options)
        return Chart(f"remedy_{number}_{key}_chart", title, alt, drawn, f"remedy_{number}_{key}")

    if isinstance(details, RelabelDetails) and len(details.flipped):
        blocks.append(pick(tables["flipped"], ("group", "label_words", "n", "n_flipped")))
    if isinstance(details, ThresholdDetails):
        if len(details.roc) and len(details.thresholds):
            title = "Where the thresholds put each group on the tuning rows: crosses before, circles after."
            title += parts.drawn_note(len(details.thresholds), parts.MOST_SERIES)
            blocks.append(chart("roc", title, "threshold_roc", details.roc, details.thresholds))
        if len(details.thresholds):
            blocks.append(tables["thresholds"])
        if len(details.sweep) > 1:
            title = "Accuracy against the sum of the gaps for other weights of fairness, on the tuning rows."
            current = None if plan.search == "chosen" else plan.fairness_weight
            blocks.append(chart("weights", title, "weight_sweep", details.sweep, current=current))
    if isinstance(details, EqualizeDetails):
        if len(details.distribution):
            title = "How the score is spread in each group, before and after, by true outcome."
            title += distribution_note(details.distribution)
            blocks.append(chart("distribution", title, "equalized_distribution", details.distribution))
        if len(details.sweep) > 1:
            title = "Accuracy and gaps for other weights of accuracy, on the tuning rows."
            blocks.append(chart("weights", title, "equalized_sweep", details.sweep, current=plan.accuracy_weight))
    if len(getattr(details, "sweep", ())) > 1:
        blocks.append(tables["weights"])
    return blocks
