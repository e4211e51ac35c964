"""The chapters of errors and scores by group."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present import brief
from fairaudit.present.blocks import Block, Chart, Heading, Note, Paragraph
from fairaudit.present.charts import score_texts, scores
from fairaudit.present.error_tables import errors_tables, scores_tables
from fairaudit.present.error_words import errors_sentence, held_against_decision_sentence, predicted_sentence
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.present.printed_tables import pick
from fairaudit.present.rate_words import RATES
from fairaudit.present.written_scores import higher_is, side_of
from fairaudit.report.many_groups import group_sizes, many_groups_words, some_groups

GAPS = ("rate", "difference", "interval", "worst_pair", "n_high", "n_low", "n_few", "n_undefined")
DRAWN, OTHERS = ("fpr", "fnr"), ("fdr", "for_")
IN_FILES = "the CSV files hold"
HIDDEN = "Some counts are under the audit's minimum; they and everything that follows from them are not shown."


def errors_title(finding: ErrorsFinding) -> str:
    """Return what the chapter is called."""
    return f"Errors by {', '.join(finding.plan.by)}"


def errors_blocks(finding: ErrorsFinding, number: int, plan: AuditPlan) -> list[Block]:
    """Return what is found of errors by group: who bears them, in words and charts; of a score alone, what it means."""
    blocks: list[Block] = [Heading(1, errors_title(finding))]
    if caution := many_groups_words(finding):
        blocks.append(Note(caution, kind="warning"))
    if against := held_against_decision_sentence(plan):
        blocks.append(Note(against, kind="warning"))
    blocks += [Note(not_known_sentence(part), kind="warning") for part in finding.not_known]
    if finding.errors is not None:
        blocks += _errors(finding, finding.errors, number, plan)
    if finding.scores is not None and finding.errors is None:
        blocks += _score(finding, finding.scores, number, ("calibration",))
    elif finding.scores is not None and _is_shown(finding.scores, finding, number):
        blocks.append(
            Paragraph(
                "How well the score ranks people, and whether it means the same in each group, is drawn in an annex."
            )
        )
    return blocks


def errors_annex(finding: ErrorsFinding, number: int) -> list[Block]:
    """Return the other error rates, and the other drawings of the score."""
    blocks: list[Block] = []
    if finding.errors is not None:
        blocks += _rates(finding.errors, number, OTHERS)
        blocks += _gaps(finding, number)
    if finding.scores is not None:
        others = ("roc", "distribution") if finding.errors is None else ("calibration", "roc", "distribution")
        blocks += _score(finding, finding.scores, number, others)
    return blocks


def _errors(finding: ErrorsFinding, errors: ErrorComparison, number: int, plan: AuditPlan) -> list[Block]:
    where = f" among rows where {errors.where}" if errors.where else ""
    blocks: list[Block] = [
        Paragraph(errors_sentence(finding, plan)),
        Paragraph(
            f"How often the prediction is wrong in each group{where}. {predicted_sentence(plan)} Positive means: "
            f"{errors.positive_meaning}. A false positive is a row that was predicted positive and is not; a false "
            "negative the other way round."
        ),
    ]
    blocks += [Note(text, kind="warning") for text in errors.warnings]
    blocks += [Note(HIDDEN)] if errors.counts["tp"].isna().any() else []
    blocks += _rates(errors, number, DRAWN)
    tables = {table.key.removeprefix(f"errors_{number}_"): table for table in errors_tables(finding, number)}
    if "costs" in tables:
        asked = finding.plan
        costs = (
            f"A false positive costs {asked.cost_false_positive:,.15g}, a false negative "
            f"{asked.cost_false_negative:,.15g}."
        )
        blocks.append(some_groups(replace(tables["costs"], note=costs), group_sizes(finding)))
    return blocks


def _rates(errors: ErrorComparison, number: int, metrics: tuple[str, ...]) -> list[Block]:
    blocks: list[Block] = []
    drawn = replace(errors, intervals=errors.intervals.dropna(subset=["value"]))
    for metric in metrics:
        if n_drawn := int((drawn.intervals["metric"] == metric).sum()):
            label = f"{RATES[metric]}, by group, with intervals."
            label += brief.drawn_note(n_drawn, brief.MOST_GROUPS, held_by=IN_FILES)
            alt = score_texts.rates_alt(drawn, metric)
            chart = scores.rates_chart(drawn, metric)
            key = f"errors_{number}_{metric.rstrip('_')}_chart"
            blocks.append(Chart(key, label, alt, chart, f"errors_{number}_rates"))
    return blocks


def _gaps(finding: ErrorsFinding, number: int) -> list[Block]:
    [gaps] = [table for table in errors_tables(finding, number) if table.key == f"errors_{number}_gaps"]
    return [pick(gaps, GAPS)] if gaps.rows else []


def _score(finding: ErrorsFinding, result: ScoreComparison, number: int, keys: tuple[str, ...]) -> list[Block]:
    blocks: list[Block] = [
        Heading(2, "The score" if result.score.lower() == "score" else f"The score {result.score}"),
        Paragraph(
            f"Scores are shown as in the data, where {higher_is(result)}: a higher score speaks {side_of(result)} the "
            f"positive outcome. Positive means: {result.positive_meaning}."
        ),
    ]
    blocks += [Note(text, kind="warning") for text in result.warnings]
    if not _is_shown(result, finding, number):
        hidden = "The score by group is not shown: its counts could reveal counts under the audit's minimum."
        return [*blocks, Note(hidden)]
    return [*blocks, *_drawings(result, number, keys)]


def _is_shown(result: ScoreComparison, finding: ErrorsFinding, number: int) -> bool:
    return any(table.key == f"scores_{number}_auc" and table.rows for table in scores_tables(finding, number))


def _drawings(result: ScoreComparison, number: int, keys: tuple[str, ...]) -> list[Block]:
    drawings = {
        "roc": ("ROC curve of each group.", result.roc, score_texts.roc_alt, scores.roc_chart, "auc"),
        "calibration": (
            "Observed share against mean score, by group: of people with the same score, equally many should have "
            "the outcome in each group.", result.calibration,
            score_texts.calibration_alt, scores.calibration_chart, "calibration",
        ),
        "distribution": (
            "How scores are spread, by group and true outcome.", result.distribution,
            score_texts.distribution_alt, scores.distribution_chart, "distribution",
        ),
    }  # fmt: skip
    blocks: list[Block] = []
    for key in keys:
        caption, frame, alt, chart, table = drawings[key]
        if _has_rows(frame):
            caption += brief.drawn_note(len(result.groups), brief.MOST_SERIES, held_by=IN_FILES)
            if key == "calibration":
                caption = " ".join([caption, *score_texts.few_note(result)])
            name = f"scores_{number}_{key}_chart"
            blocks.append(Chart(name, caption, alt(result), chart(result), f"scores_{number}_{table}"))
    return blocks


def _has_rows(frame: pd.DataFrame) -> bool:
    return not frame.empty
