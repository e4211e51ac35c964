"""The chapters of errors and scores by group."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.audit import ErrorsFinding
from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.report.blocks import Block, Chart, Heading, Note, Paragraph
from fairaudit.report.charts import parts, score_texts, scores
from fairaudit.report.error_words import errors_sentence
from fairaudit.report.tables import pick
from fairaudit.report.tables_errors import errors_tables, scores_tables

COLUMNS = {
    "calibration": ("group", "bin", "score_mean", "n", "observed", "interval"),
    "distribution": ("group", "outcome", "bin_low", "bin_high", "n", "share"),
}
GAPS = ("rate", "difference", "interval", "worst_pair", "n_high", "n_low", "n_few", "n_undefined")
DRAWN = ("fpr", "fnr", "fdr", "for_")
HIDDEN = "Some counts are under the plan's minimum; they and everything that follows from them are not shown."


def errors_blocks(finding: ErrorsFinding, number: int) -> list[Block]:
    """Return the chapter of one question about errors, its scores included.

    Parameters
    ----------
    finding : ErrorsFinding
        One finding, masked or not.
    number : int
        Its place in the plan, from 1.

    Returns
    -------
    list of Block
        In reading order.
    """
    blocks: list[Block] = [Heading(1, f"Errors by {', '.join(finding.plan.by)}")]
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
    blocks.append(tables["counts"])
    blocks.append(pick(tables["rates"], ("group", "n", "selection_rate", "tpr", *DRAWN)))
    drawn = replace(errors, intervals=errors.intervals.dropna(subset=["value"]))
    for metric in DRAWN:
        if (drawn.intervals["metric"] == metric).any():
            label = score_texts.METRICS[metric]
            alt = score_texts.rates_alt(drawn, metric)
            chart = scores.rates_chart(drawn, metric)
            key = f"errors_{number}_{metric.rstrip('_')}_chart"
            blocks.append(Chart(key, f"{label}, by group, with intervals.", alt, chart, f"errors_{number}_rates"))
    if tables["gaps"].rows:
        blocks.append(pick(tables["gaps"], GAPS))
    if "costs" in tables:
        plan = finding.plan
        costs = f"A false positive costs {plan.cost_false_positive:g}, a false negative {plan.cost_false_negative:g}."
        blocks.append(replace(tables["costs"], note=costs))
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
    blocks.append(tables["auc"])
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
            caption += parts.drawn_note(len(result.groups), parts.MOST_SERIES)
            if key == "calibration":
                caption = " ".join([caption, *score_texts.few_note(result)])
            blocks.append(Chart(name, caption, alt(result), chart(result), f"scores_{number}_{table}"))
        if key in COLUMNS and tables[key].rows:
            blocks.append(pick(tables[key], COLUMNS[key]))
    return blocks


def _has_rows(frame: pd.DataFrame) -> bool:
    return not frame.empty
