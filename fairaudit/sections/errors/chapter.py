"""The chapters of errors and scores by group, and which of many groups they show."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.errors import require
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.messages import say, say_answer
from fairaudit.present import naming
from fairaudit.present.blocks import Block, Chart, Heading, Note, Paragraph, TableBlock, cell_text, pick
from fairaudit.present.cases import not_known_sentence, say_weighted
from fairaudit.present.charts import scores
from fairaudit.present.errors import (
    calibration_alt,
    distribution_alt,
    errors_tables,
    few_note,
    rate_name,
    rates_alt,
    roc_alt,
    scores_tables,
    with_group,
)
from fairaudit.sections.errors.charts import errors_chart, errors_chart_note, errors_chart_text, errors_chart_title
from fairaudit.sections.errors.levels import level_tables, say_yes_no
from fairaudit.sections.errors.reading import ErrorReading, group_name, levels_of, read_errors
from fairaudit.sections.errors.saying import (
    errors_title,
    how_computed,
    say_by_group,
    say_calibration,
    say_errors,
    say_range,
    say_ranking,
    say_reading,
    standing_table,
)
from fairaudit.sections.opening import Opening, opening_of


def say_many(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say that a question about errors makes more groups than a person can read; nothing where it does not."""
    judged = finding.errors or require(finding.scores)
    n = len(judged.groups)
    if n <= naming.MOST_GROUPS:
        return ()
    columns = {"n": Count(n), "columns": Count(len(finding.plan.by))}
    many = Message("errors-many", columns, "caution")
    sizes = group_sizes(finding)
    n_few = int((sizes < ENOUGH).sum()) if len(sizes) == n and sizes.notna().all() else 0
    if not n_few:
        return (many,)
    few = {"few": Count(n_few), "least": Count(ENOUGH)}
    return (many, Message("errors-many-few", few, "caution", reveals=("errors", "scores")))


def group_sizes(finding: ErrorsFinding) -> pd.Series:
    """Return the rows of each group with a known decision and a prediction or score; NaN where that is hidden."""
    return (
        score_sizes(require(finding.scores)) if finding.errors is None else _sizes(with_group(finding.errors.metrics))
    )


def score_sizes(scores: ScoreComparison) -> pd.Series:
    """Return the rows of each group with a known decision and a score; NaN where that is hidden."""
    return _sizes(scores.auc)


def some_groups(table: TableBlock, sizes: pd.Series, most: int = naming.MOST_GROUPS) -> TableBlock:
    """Return a table by group with the groups of most rows, and a note that says where the others are."""
    n = len(sizes)
    if n <= most:
        return table
    kept = set(sizes.sort_values(ascending=False, kind="stable", na_position="last").index[:most])
    which = "all" if sizes.notna().all() else "some" if sizes.notna().any() else "none"
    args: dict[str, Argument] = {"most": Count(most), "n": Count(n), "left": Count(n - most), "which": Word(which)}
    sentence = say(Message("annex-some-groups", args))
    rows = tuple(row for row in table.rows if str(row[0]) in kept)
    return replace(table, rows=rows, note=f"{sentence} {table.note or ''}".rstrip())


def _sizes(frame: pd.DataFrame) -> pd.Series:
    return pd.Series(frame["n"].astype(float).to_numpy(), index=frame["group"].map(str))


# The chapters.

GAPS = ("rate", "difference", "interval", "worst_pair", "n_high", "n_low", "n_few", "n_undefined")
OTHERS = ("fdr", "for_")


def errors_blocks(finding: ErrorsFinding, number: int) -> list[Block]:
    """Return what is found of errors by group: who bears them, in words and as a picture; of a score, what it means."""
    said = say_errors(finding)
    blocks: list[Block] = [
        Heading(1, errors_title(finding)),
        Paragraph(say(said.lead), lead=True, strong=say_answer(said)),
    ]
    if said.caution:
        blocks.append(Paragraph(say(said.caution)))
    if many := say_many(finding):
        blocks.append(Note(say(many), kind="warning"))
    blocks += [Note(not_known_sentence(part), kind="warning") for part in finding.not_known]
    if read_errors(finding).state == "compared":
        title, text = errors_chart_title(), errors_chart_text(finding)
        if note := errors_chart_note(finding):
            title = f"{title}. {note}"
        table = f"errors_{number}_rates" if levels_of(finding) is None else f"errors_{number}_level_shares"
        blocks.append(Chart(f"errors_{number}_chart", title, text, errors_chart(finding), table))
    if finding.scores is not None and finding.errors is None:
        blocks += _score(finding, finding.scores, number, ("calibration",))
    elif finding.scores is not None and _is_shown(finding.scores, finding, number):
        blocks.append(Paragraph(say(Message("errors-more-in-annex"))))
    return blocks


def errors_annex(finding: ErrorsFinding, number: int) -> list[Block]:
    """Return exact figures, the other error rates, costs, and the drawings of the score."""
    blocks: list[Block] = []
    if finding.errors is not None:
        if read_errors(finding).state == "compared":
            blocks.append(some_groups(standing_table(finding, number), group_sizes(finding)))
        if levels_of(finding) is not None:
            blocks += level_tables(finding, number)
            blocks.append(Paragraph(say(say_yes_no(finding))))
        blocks += [Note(text, kind="warning") for text in finding.errors.warnings]
        blocks += _rates(finding.errors, number, OTHERS)
        blocks += _gaps(finding, number)
        blocks += _by_group(finding, number)
        blocks.append(Paragraph(say(how_computed(finding, ENOUGH))))
    elif weighted := say_weighted(finding.design):
        blocks.append(Paragraph(say(weighted)))
    if finding.scores is not None:
        others = ("roc", "distribution") if finding.errors is None else ("calibration", "roc", "distribution")
        blocks += _score(finding, finding.scores, number, others)
    return blocks


def _by_group(finding: ErrorsFinding, number: int) -> list[Block]:
    tables = {table.key: table for table in errors_tables(finding, number)}
    return [
        some_groups(
            replace(tables[f"errors_{number}_{name}"], note=say(say_by_group(finding, name)) or None),
            group_sizes(finding),
        )
        for name in finding.by_group
    ]


def _rates(errors: ErrorComparison, number: int, metrics: tuple[str, ...]) -> list[Block]:
    blocks: list[Block] = []
    drawn = replace(errors, intervals=errors.intervals.dropna(subset=["value"]))
    for metric in metrics:
        if n_drawn := int((drawn.intervals["metric"] == metric).sum()):
            label = say(Message("annex-rates", {"rate": Phrase(rate_name(metric, errors.positive))}))
            label += naming.drawn_note(n_drawn, naming.MOST_GROUPS, held_by="files")
            alt = rates_alt(drawn, metric)
            chart = scores.rates_chart(drawn, metric)
            key = f"errors_{number}_{metric.rstrip('_')}_chart"
            blocks.append(Chart(key, label, alt, chart, f"errors_{number}_rates"))
    return blocks


def _gaps(finding: ErrorsFinding, number: int) -> list[Block]:
    [gaps] = [table for table in errors_tables(finding, number) if table.key == f"errors_{number}_gaps"]
    return [pick(gaps, GAPS)] if gaps.rows else []


def _score(finding: ErrorsFinding, result: ScoreComparison, number: int, keys: tuple[str, ...]) -> list[Block]:
    blocks: list[Block] = [Heading(2, say(Message("errors-more-score")))]
    blocks += [Note(text, kind="warning") for text in result.warnings]
    if not _is_shown(result, finding, number):
        return [*blocks, Note(say(Message("errors-score-not-shown")))]
    said = {"calibration": say_calibration(finding), "roc": say_ranking(finding)}
    for key in keys:
        if messages := said.get(key):
            blocks.append(Paragraph(say(messages)))
        blocks += _drawings(result, number, (key,))
    return blocks


def _is_shown(result: ScoreComparison, finding: ErrorsFinding, number: int) -> bool:
    return any(table.key == f"scores_{number}_auc" and table.rows for table in scores_tables(finding, number))


def _drawings(result: ScoreComparison, number: int, keys: tuple[str, ...]) -> list[Block]:
    drawings = {
        "roc": ("ROC curve of each group.", result.roc, roc_alt, scores.roc_chart, "auc"),
        "calibration": (
            "Share with the outcome against mean score, by group.", result.calibration,
            calibration_alt, scores.calibration_chart, "calibration",
        ),
        "distribution": (
            "How scores are spread, by group and true outcome.", result.distribution,
            distribution_alt, scores.distribution_chart, "distribution",
        ),
    }  # fmt: skip
    blocks: list[Block] = []
    for key in keys:
        caption, frame, alt, chart, table = drawings[key]
        if _has_rows(frame):
            caption += naming.drawn_note(len(result.groups), naming.MOST_SERIES, held_by="files")
            if key == "calibration":
                caption = " ".join([caption, *few_note(result)])
            name = f"scores_{number}_{key}_chart"
            blocks.append(Chart(name, caption, alt(result), chart(result), f"scores_{number}_{table}"))
    return blocks


def _has_rows(frame: pd.DataFrame) -> bool:
    return not frame.empty


def errors_picture(finding: ErrorsFinding, number: int) -> Chart:
    """Return the picture of who is wrongly flagged and wrongly missed."""
    title, text = errors_chart_title(), errors_chart_text(finding)
    return Chart(f"errors_{number}_chart", title, text, errors_chart(finding))


def errors_opening(finding: ErrorsFinding, number: int) -> Opening:
    """Return what a question comes to on the first page."""
    said, step = say_errors(finding), say(Message("report-next-errors"))
    if read_errors(finding).state != "compared":
        return opening_of("errors", errors_title(finding), said, next_step=step)
    chart = errors_picture(finding, number)
    named = [error for error in read_errors(finding).errors if error.gap is not None]
    likely = " ".join(say(each) for error in named if (each := say_range(finding, error)) is not None)
    rows = tuple(_error_row(finding, error) for error in named)
    return opening_of("errors", errors_title(finding), said, chart=chart, likely=likely, rows=rows, next_step=step)


def _error_row(finding: ErrorsFinding, error: ErrorReading) -> tuple[str, str, str, str]:
    args: dict[str, Argument] = {
        "title": Phrase(errors_title(finding)),
        "error": Word(error.kind),
        "group": group_name(finding, error.worst or ""),
        "other": group_name(finding, error.other or ""),
    }
    figures = cell_text(error.gap, "points"), cell_text(error.interval, "points_interval")
    return say(Message("report-pair-error", args)), *figures, say(say_reading(error))
