"""The chapter of remedies tried: what was learned from, all of them side by side, then each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from fairaudit.audit.result import CheckFinding
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, Table
from fairaudit.present.charts import parts
from fairaudit.present.numbers import confidence_text, interval_text, points_text, share_text
from fairaudit.present.printed_tables import moved_table, pick
from fairaudit.present.words import is_hidden
from fairaudit.remedies.constrain.chart_texts import (
    constraint_frontier_alt,
    constraint_gaps_alt,
    constraint_gaps_note,
    constraint_path_alt,
)
from fairaudit.remedies.constrain.charts import constraint_frontier_chart, constraint_gaps_chart, constraint_path_chart
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.constrain.printed_tables import printed_asked, printed_frontier, printed_pairs
from fairaudit.remedies.constrain.words import asked_sentences, kept_sentence
from fairaudit.remedies.equalize.details import EqualizeDetails
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.rules.chapter import rule_blocks, search_blocks
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.shared.caveats import remedy_caveats, study_caveats
from fairaudit.remedies.shared.chart_texts import (
    before_after_alt,
    distribution_note,
    equalized_distribution_alt,
    equalized_sweep_alt,
    frontier_alt,
    groups_note,
    threshold_roc_alt,
    weight_sweep_alt,
)
from fairaudit.remedies.shared.charts import before_after_chart, frontier_chart
from fairaudit.remedies.shared.detail_charts import (
    equalized_distribution_chart,
    equalized_sweep_chart,
    threshold_roc_chart,
    weight_sweep_chart,
)
from fairaudit.remedies.shared.held_out_words import summary_note
from fairaudit.remedies.shared.judged import learned
from fairaudit.remedies.shared.sample_words import sample_blocks
from fairaudit.remedies.shared.tables import (
    features_table,
    frontier_rows,
    pairs_table,
    remedies_summary_table,
    remedy_tables,
    rows_table,
)
from fairaudit.remedies.shared.words import NOTHING, change_of, change_word, done_sentence, headline, study_sentence
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.remedies.trees.chapter import tree_blocks, tree_search_blocks
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import MEASURES, Change

TITLE = "Remedies tried"
SUMMARY = ("number", "model", "accuracy", "gap", "gap_interval", "needs_group")
Drawing = tuple[Callable[..., Any], Callable[..., str]]
"""A chart and its text alternative."""

CHANGES = ("figure", "before", "after", "change", "change_interval", "reading")


def remedies_blocks(finding: RemediesFinding, checks: Iterable[CheckFinding] = ()) -> list[Block]:
    """Return the chapter on the remedies of an audit."""
    several = len(finding.remedies) > 1
    fitted = learned(finding)
    blocks: list[Block] = [Heading(1, TITLE), Paragraph(study_sentence(finding), lead=True)]
    if other := other_question_words(finding.facts, checks):
        blocks.append(Note(other, kind="warning"))
    blocks += sample_blocks(finding.facts)
    rows = frontier_rows(finding)
    summary = pick(remedies_summary_table(finding), SUMMARY if len(rows) > 1 else SUMMARY[1:])
    blocks.append(replace(summary, note=summary_note(finding.facts) or None))
    if len(rows) > 1:
        blocks.append(_frontier(rows))
    relabelled = [remedy for remedy in finding.remedies if remedy.plan.method == "relabel"]
    if len(relabelled) > 1:
        blocks.append(pairs_table(relabelled))
    blocks.append(rows_table(finding.facts, learned=fitted))
    blocks += [features_table(finding.facts)] if fitted else []
    caveats = study_caveats(finding.facts, several=several, learned=fitted)
    blocks.append(Items(caveats, title="How to read these figures"))
    for number, remedy in enumerate(finding.remedies, start=1):
        blocks += _remedy(remedy, finding.facts, number)
    return blocks


def other_question_words(facts: StudyFacts, checks: Iterable[CheckFinding]) -> str:
    """Return by whose gap models are judged, where that is the gap of no question; otherwise nothing."""
    asked = [(check.result.protected_condition, check.result.where) for check in checks]
    own = facts.decisions
    if not asked or (own.protected_condition, own.where) in asked:
        return ""
    name = facts.plan.protected_name or facts.protected_words
    among = "all rows" if facts.where_words is None else f"rows where {facts.where_words}"
    return (
        "No question of this report is about the gap that the models are judged by: that between the protected group "
        f"({name}) and the rest, among {among}."
    )


def front_blocks(finding: RemediesFinding) -> list[Block]:
    """Return what the first page of a report says of its remedies: where they are, and the best change of the gap."""
    tried = [remedy for remedy in finding.remedies if remedy.plan.method != "plain"]
    if not tried:
        return [Paragraph(f"No remedy was tried, only models without one: see the chapter “{TITLE}”.")]
    one = len(tried) == 1
    number = "One remedy was" if one else f"{len(tried)} remedies were"
    lead = f"{number} tried and judged on held-out rows: see the chapter “{TITLE}”."
    moved = [(change.difference, i) for i, remedy in enumerate(tried) if (change := _told_change(remedy, "gap"))]
    if not moved:
        return [Paragraph(lead)]
    best = tried[min(moved)[1]]
    gap, accuracy = _told_change(best, "gap"), _told_change(best, "accuracy")
    level = confidence_text(best.after.fairness.confidence)
    if gap.difference >= 0:
        text = "It did not make the gap smaller there." if one else "None made the gap smaller there."
        return [Paragraph(text, strong=lead)]
    name = "The gap: beside" if one else f"“{parts.whole(best.name, 160)}” changed the gap most for the better: beside"
    sizes = [points_text(size, signed=False) for size in (gap.before, gap.after)]
    text = (
        f"{name} {parts.whole(best.before.name, 160)}, its size went from {sizes[0].removesuffix(' points')} to "
        f"{sizes[1]} (change {points_text(gap.difference)}, {level} interval {interval_text(gap.interval)}"
        f"{_doubt(gap)})"
    )
    if accuracy:
        shares = [share_text(share) for share in (accuracy.before, accuracy.after)]
        text += (
            f" and accuracy from {shares[0]} to {shares[1]} (change {points_text(accuracy.difference)}, interval "
            f"{interval_text(accuracy.interval)}{_doubt(accuracy)})"
        )
    flattered = "" if one else " Being picked among several flatters it."
    return [Paragraph(f"{text}.{flattered}", strong=lead)]


def _told_change(remedy: RemedyFinding, measure: str) -> Change | None:
    change = change_of(remedy, measure)
    return None if change is None or change_word(change) in ("not defined", "not shown") else change


def _doubt(change: Change) -> str:
    return f", so it {NOTHING}" if change_word(change) == NOTHING else ""


def _frontier(rows: Any) -> Chart:
    titles = {"x_title": parts.capital(MEASURES["accuracy"]), "y_title": parts.capital(MEASURES["gap"])}
    return Chart(
        "remedies_frontier",
        "All models, with their numbers in the table above: accuracy against the size of the gap. Lines are intervals; "
        "filled points are those that no other model beats in both.",
        frontier_alt(rows, **titles),
        frontier_chart(rows, **titles),
        "remedies_summary",
    )


def _remedy(finding: RemedyFinding, facts: StudyFacts, number: int) -> list[Block]:
    strong, rest = headline(finding)
    blocks: list[Block] = [
        Heading(2, f"{number}. {parts.whole(finding.name, 160)}"),
        Paragraph(rest, strong=strong),
        *_asked(finding, facts),
        Paragraph(done_sentence(finding), strong="What was done."),
    ]
    tables = {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, number)}
    if isinstance(finding.details, ConstrainDetails):
        blocks += _constraints(finding.details, number, tables)
    if isinstance(finding.details, RulesDetails):
        blocks += rule_blocks(finding.details, facts, number, tables, partial(_drawn, number))
    if isinstance(finding.details, TreesDetails):
        blocks += tree_blocks(finding.details, facts, tables, partial(_drawn, number))
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
                + groups_note(finding.after.errors),
                before_after_alt(finding, protected_name=name),
                before_after_chart(finding, protected_name=name),
                f"remedy_{number}_groups",
            )
        )
        return [*blocks, tables["population"], _moved_groups(tables["groups"])]
    after = ("role", "group", "n", "after", "after_interval", "selection_rate_after", "tpr_after", "fpr_after")
    return [_plain_heads(pick(tables[name], after)) for name in ("population", "groups")]


def _moved_groups(table: Table) -> Table:
    heads = {"selection_rate": "predicted positive", "tpr": "true positive rate", "fpr": "false positive rate"}
    last = (table.note or "").partition("Positive means")
    return replace(moved_table(table, heads), title="Groups, before to after", note=f"{last[1]}{last[2]}")


def _moved_thresholds(table: Table) -> Table:
    heads = {"": "threshold", "tpr": "true positive rate", "fpr": "false positive rate"}
    moved = moved_table(pick(table, [c.name for c in table.columns if not c.name.startswith("n_")]), heads)
    note = (table.note or "").replace(" TPR: true positive rate; FPR: false positive rate.", "")
    return replace(moved, title="Thresholds by group, before to after", note=note)


def _plain_heads(table: Table) -> Table:
    """Return a table of one model, whose heads need not say "after"."""
    columns = tuple(replace(column, label=column.label.removesuffix(", after")) for column in table.columns)
    return replace(table, columns=columns, title=table.title.removesuffix(" before and after"))


def _drawn(number: int, key: str, title: str, drawing: Drawing, *arguments: Any, **options: Any) -> Chart:
    chart, alt = (make(*arguments, **options) for make in drawing)
    return Chart(f"remedy_{number}_{key}_chart", title, alt, chart, f"remedy_{number}_{key}")


def _asked(finding: RemedyFinding, facts: StudyFacts) -> list[Block]:
    if finding.plan.method != "constrain":
        return []
    return [Items(asked_sentences(finding, positive_meaning=facts.positive_meaning), title="What was asked")]


def _constraints(details: ConstrainDetails, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whether the constraints hold: in a sentence, by constraint and by pair of groups."""
    kept = kept_sentence(details)
    blocks: list[Block] = [Paragraph(kept, strong="Whether the constraints hold.")] if kept else []
    if not len(details.pairs):
        return blocks
    if len(details.pairs) > 1 and details.n_pairs is not None:
        blocks.append(printed_asked(tables["asked"]))
    title = "Gap of each pair of groups on the held-out rows, before and after. Shaded: what is allowed."
    title += constraint_gaps_note(details.pairs)
    blocks.append(_drawn(number, "constraints", title, (constraint_gaps_chart, constraint_gaps_alt), details.pairs))
    return [*blocks, *printed_pairs(details, number)]


def _search(details: ConstrainDetails, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return how the search for a model that meets constraints went, and what else it found."""
    if not len(details.path):
        return []
    single = len(details.pairs) == 1
    along = "by multiplier" if single else "in the order of fitting"
    title = f"Accuracy and the largest gap of each fit on the tuning rows, {along}. 1: the gap is all that is allowed."
    path = _drawn(number, "path", title, (constraint_path_chart, constraint_path_alt), details.path, single=single)
    title = "What a wider or a closer limit would cost: accuracy against the largest gap of the fits, tuning rows."
    frontier = _drawn(
        number,
        "frontier",
        title,
        (constraint_frontier_chart, constraint_frontier_alt),
        details.path,
        scale=details.scale,
    )
    return [path, frontier, printed_frontier(tables["frontier"], details)]


def _details(finding: RemedyFinding, number: int, tables: dict[str, Table]) -> list[Block]:
    blocks: list[Block] = []
    details, plan = finding.details, finding.plan
    chart = partial(_drawn, number)
    if isinstance(details, RelabelDetails) and len(details.flipped):
        blocks.append(pick(tables["flipped"], ("group", "label_words", "n", "n_flipped")))
    if isinstance(details, ThresholdDetails):
        if len(details.roc) and len(details.thresholds):
            title = "Where the thresholds put each group on the tuning rows: crosses before, circles after."
            title += parts.drawn_note(len(details.thresholds), parts.MOST_SERIES)
            blocks.append(
                chart("roc", title, (threshold_roc_chart, threshold_roc_alt), details.roc, details.thresholds)
            )
        if len(details.thresholds):
            blocks.append(_moved_thresholds(tables["thresholds"]))
        if len(details.sweep) > 1:
            title = "Accuracy against the sum of the gaps for other weights of fairness, on the tuning rows."
            current = None if plan.search == "chosen" else plan.fairness_weight
            blocks.append(
                chart("weights", title, (weight_sweep_chart, weight_sweep_alt), details.sweep, current=current)
            )
    if isinstance(details, EqualizeDetails):
        if len(details.distribution):
            title = "How the score is spread in each group, before and after, by true outcome."
            title += distribution_note(details.distribution)
            blocks.append(
                chart(
                    "distribution",
                    title,
                    (equalized_distribution_chart, equalized_distribution_alt),
                    details.distribution,
                )
            )
        if len(details.sweep) > 1:
            title = "Accuracy and gaps for other weights of accuracy, on the tuning rows. Dashed: the weight in use."
            blocks.append(
                chart(
                    "weights",
                    title,
                    (equalized_sweep_chart, equalized_sweep_alt),
                    details.sweep,
                    current=plan.accuracy_weight,
                )
            )
    if isinstance(details, ConstrainDetails):
        blocks += _search(details, number, tables)
    if isinstance(details, RulesDetails):
        blocks += search_blocks(finding, details, tables, chart)
    if isinstance(details, TreesDetails):
        blocks += tree_search_blocks(finding, details, tables, chart)
    if len(getattr(details, "sweep", ())) > 1:
        blocks.append(tables["weights"])
    return blocks
