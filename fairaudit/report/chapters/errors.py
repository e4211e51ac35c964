"""The chapters of errors and scores by group."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.present import brief
from fairaudit.present.blocks import Block, Chart, Heading, Note, Paragraph
from fairaudit.present.charts import score_texts, scores
from fairaudit.present.error_tables import errors_tables, scores_tables
from fairaudit.present.error_words import errors_sentence
from fairaudit.present.printed_tables import pick
from fairaudit.report.many_groups import group_sizes, many_groups_words, score_sizes, some_groups

COLUMNS = {
    "calibration": ("group", "bin", "score_mean", "n", "observed", "interval"),
    "distribution": ("group", "outcome", "bin_low", "bin_high", "n", "share"),
}
GAPS = ("rate", "difference", "interval", "worst_pair", "n_high", "n_low", "n_few", "n_undefined")
DRAWN = ("fpr", "fnr", "fdr", "for_")
IN_FILES = "the CSV files hold"
HIDDEN = "Some counts are under the plan's minimum; they and everything that follows from them are not shown."


def errors_blocks(finding: ErrorsFinding, number: int) -> list[Block]:
    """Return the chapter of one question about errors, its scores included."""
    blocks: list[Block] = [Heading(1, f"Errors by {', '.join(finding.plan.by)}")]
    if caution := many_groups_words(finding):
        blocks.append(Note(caution, kind="warning"))
    if finding.errors is not None:
        blocks += _errors(finding, finding.errors, number)
    if finding.scores is not None:
        blocks += _scores(finding, finding.scores, number)
    return blocks


def _errors(finding: ErrorsFinding, errors: ErrorComparison, number: int) -> list[Block]:
    where = f" among rows where {errors.where}" if errors.where else ""
    blocks: list[Block] = [
        Paragraph(errors_sentence(finding), lead=True),
        Paragraph(
            f"How often the prediction is wrong in each group{where}. Positive means: {errors.positive_meaning}. A "
            "false positive is a row that was predicted positive and is not; a false negative the other way round."
        ),
    ]
    blocks += [Note(text, kind="warning") for text in errors.warnings]
    tables = {table.key.removeprefix(f"errors_{number}_"): table for table in errors_tables(finding, number)}
    hidden = errors.counts["tp"].isna().any()
    blocks += [Note(HIDDEN)] if hidden else []
    sizes = group_sizes(finding)
    blocks.append(some_groups(tables["counts"], sizes))
    blocks.append(some_groups(pick(tables["rates"], ("group", "n", "selection_rate", "tpr", *DRAWN)), sizes))
    drawn = replace(errors, intervals=errors.intervals.dropna(subset=["value"]))
    for metric in DRAWN:
        if n_drawn := int((drawn.intervals["metric"] == metric).sum()):
            label = f"{score_texts.METRICS[metric]}, by group, with intervals."
            label += brief.drawn_note(n_drawn, brief.MOST_GROUPS, held_by=IN_FILES)
            alt = score_texts.rates_alt(drawn, metric)
            chart = scores.rates_chart(drawn, metric)
            key = f"errors_{number}_{metric.rstrip('_')}_chart"
            blocks.append(Chart(key, label, alt, chart, f"errors_{number}_rates"))
    if tables["gaps"].rows:
        blocks.append(pick(tables["gaps"], GAPS))
    if "costs" in tables:
        plan = finding.plan
        costs = f"A false positive costs {plan.cost_false_positive:g}, a false negative {plan.cost_false_negative:g}."
        blocks.append(some_groups(replace(tables["costs"], note=costs), sizes))
    return blocks


def _scores(finding: ErrorsFinding, result: ScoreComparison, number: int) -> list[Block]:
    blocks: list[Block] = [
        Heading(2, "The score" if result.score.lower() == "score" else f"The score {result.score}"),
        Paragraph(f"Higher scores speak for the positive outcome. Positive means: {result.positive_meaning}."),
    ]
    blocks += [Note(text, kind="warning") for text in result.warnings]
    tables = {table.key.removeprefix(f"scores_{number}_"): table for table in scores_tables(finding, number)}
    if not tables["auc"].rows:
        return [
            *blocks,
            Note("The score by group is not shown: its counts could reveal counts under the plan's minimum."),
        ]
    sizes, is_many = score_sizes(result), len(result.groups) > brief.MOST_GROUPS
    blocks.append(some_groups(tables["auc"], sizes))
    held_by = IN_FILES if is_many else "the table holds"
    drawings = (
        ("roc", "ROC curve of each group.", result.roc, score_texts.roc_alt, scores.roc_chart, "auc"),
        (
            "calibration", "Observed share against mean score, by group.", result.calibration,
            score_texts.calibration_alt, scores.calibration_chart, "calibration",
        ),
        (
            "distribution", "How scores are spread, by group and true outcome.", result.distribution,
            score_texts.distribution_alt, scores.distribution_chart, "distribution",
        ),
    )  # fmt: skip
    for key, caption, frame, alt, chart, table in drawings:
        if _has_rows(frame):
            name = f"scores_{number}_{key}_chart"
            caption += brief.drawn_note(len(result.groups), brief.MOST_SERIES, held_by=held_by)
            if key == "calibration":
                caption = " ".join([caption, *score_texts.few_note(result)])
            blocks.append(Chart(name, caption, alt(result), chart(result), f"scores_{number}_{table}"))
        if key in COLUMNS and tables[key].rows:
            shown = pick(tables[key], COLUMNS[key])
            blocks.append(some_groups(shown, sizes, brief.MOST_SERIES) if is_many else shown)
    return blocks


def _has_rows(frame: pd.DataFrame) -> bool:
    return not frame.empty
