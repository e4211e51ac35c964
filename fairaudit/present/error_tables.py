"""The tables of errors and scores by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.charts.score_texts import label_words, needed_digits
from fairaudit.present.numbers import NOT_SHOWN
from fairaudit.present.rate_words import RATES
from fairaudit.present.written_scores import higher_is, written_calibration, written_distribution, written_roc

GROUP = ColumnSpec("group", "group", "group", "The group.")
COMBINED = {
    "equalized_odds": "Equalized odds (true and false positive rate)",
    "predictive_parity": "Predictive parity (wrong among predicted positive and negative)",
}
CELLS = {
    "tp": "true positive (TP)",
    "fp": "false positive (FP)",
    "tn": "true negative (TN)",
    "fn": "false negative (FN)",
    "unknown": "unknown",
}
NO_CELL = {"interval": ("", ""), "n_high": "", "n_low": ""}
"""What a gap over two rates at once does not have."""


def errors_tables(finding: ErrorsFinding, number: int) -> list[Table]:
    """Return the counts, rates, intervals, gaps and costs of a prediction by group; empty without a prediction."""
    errors = finding.errors
    if errors is None:
        return []
    counts = (GROUP, *(ColumnSpec(name, text, "count", f"Rows: {text}.") for name, text in CELLS.items()))
    rates = (
        GROUP,
        ColumnSpec("n", "rows", "count", "Rows with both known."),
        *(ColumnSpec(name, label, "share", f"{label}.") for name, label in RATES.items()),
    )
    intervals = (
        GROUP,
        ColumnSpec("metric", "field", "code", "Which rate, as in the table of rates."),
        ColumnSpec("rate", "rate", "text", "Which rate, in words."),
        ColumnSpec("value", "value", "share", "The rate."),
        ColumnSpec("n", "out of", "count", "Rows it is a share of."),
        ColumnSpec("interval", "range", "share_interval", "By Wilson's method."),
    )
    named = errors.intervals.assign(rate=_in_words(errors.intervals["metric"]))
    tables = [
        Table(f"errors_{number}_counts", "Right and wrong predictions by group", counts, _rows(errors.counts, counts)),
        Table(f"errors_{number}_rates", "Rates by group", rates, _rows(errors.metrics, rates)),
        Table(f"errors_{number}_intervals", "Rates with ranges", intervals, _rows(named, intervals)),
        _gaps_table(with_group(errors.gaps, "metric"), number),
    ]
    if finding.costs is not None:
        tables.append(_plain_table(with_group(finding.costs), f"errors_{number}_costs", "Average cost of an error"))
    return tables


def scores_tables(finding: ErrorsFinding, number: int) -> list[Table]:
    """Return the tables of a score by group; empty without a score. Tables that are hidden have no rows."""
    scores = finding.scores
    if scores is None:
        return []
    count: Kind = "count"
    share: Kind = "share"
    direction = higher_is(scores)
    curves, bins, spread = written_roc(scores), written_calibration(scores), written_distribution(scores)
    bars = needed_digits(spread["bin_low"])
    spread = spread.assign(outcome=[label_words(label) for label in spread["label"]])
    auc = (
        GROUP,
        ColumnSpec("n", "rows", count, "Rows with a score and a known decision."),
        ColumnSpec("n_positive", "truly positive", count, "Truly positive rows."),
        ColumnSpec("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        ColumnSpec("interval", "range", "number_interval", "By DeLong's method.", digits=3),
    )
    calibration = (
        GROUP,
        ColumnSpec("bin", "bin", "text", "Bin of the score."),
        ColumnSpec(
            "score_mean",
            "mean score",
            "number",
            "Mean score in the bin.",
            digits=needed_digits(bins["score_mean"]),
        ),
        ColumnSpec("n", "rows", count, "Rows in the bin."),
        ColumnSpec("positives", "truly positive", count, "Truly positive rows."),
        ColumnSpec("observed", "observed share", share, "positives / n."),
        ColumnSpec("interval", "range", "share_interval", "By Wilson's method."),
    )
    distribution = (
        GROUP,
        ColumnSpec("label", "field", "text", "1: truly positive, 0: truly negative."),
        ColumnSpec("outcome", "true outcome", "text", "The same in words."),
        ColumnSpec("bin_low", "score from", "number", f"Lower end; {direction}.", digits=bars),
        ColumnSpec("bin_high", "to", "number", "Upper end.", digits=bars),
        ColumnSpec("n", "rows", count, "Rows in the bin."),
        ColumnSpec("share", "share", share, "Of the group with this outcome."),
    )
    side, start = ("up to it", "up to") if scores.turned else ("from it on", "from")
    roc = (
        GROUP,
        ColumnSpec(
            "threshold",
            f"positive {start}",
            "number",
            f"Scores {side} are positive; {direction}.",
            digits=needed_digits(curves["threshold"]),
        ),
        ColumnSpec("fpr", "false positive rate", share, "At this cut."),
        ColumnSpec("tpr", "true positive rate", share, "At this cut."),
    )
    named = (
        ("auc", "How well the score ranks", scores.auc, auc),
        ("calibration", "Calibration", bins, calibration),
        ("distribution", "How scores are spread", spread, distribution),
        ("roc", "ROC curve", _above_all(curves), roc),
    )
    return [Table(f"scores_{number}_{key}", title, spec, _rows(frame, spec)) for key, title, frame, spec in named]


def with_group(frame: pd.DataFrame | pd.Series, name: str = "group") -> pd.DataFrame:
    """Return a frame whose index, if it means something, has become the first column, called `name`."""
    if isinstance(frame, pd.Series):
        frame = frame.to_frame(frame.name or "value")
    if name in frame.columns:
        return frame.reset_index(drop=True)
    keys = [", ".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in frame.index]
    body = frame.reset_index(drop=True)
    body.insert(0, name, keys)
    return body


def _gaps_table(frame: pd.DataFrame, number: int) -> Table:
    frame = frame.assign(rate=_in_words(frame["metric"]))
    columns = (
        ColumnSpec("metric", "field", "code", "Which rate, as in the table of rates."),
        ColumnSpec("rate", "rate", "text", "Which rate, in words."),
        ColumnSpec("difference", "largest gap, points", "points", "Largest minus smallest."),
        ColumnSpec("interval", "its range", "points_interval", "Newcombe's, for two groups chosen in advance."),
        ColumnSpec("ratio", "smallest ratio", "number", "Smallest divided by largest."),
        ColumnSpec("worst_pair", "highest against lowest", "text", "The two groups."),
        ColumnSpec("n_high", "highest out of", "count", "Rows behind the highest rate."),
        ColumnSpec("n_low", "lowest out of", "count", "Rows behind the lowest rate."),
        ColumnSpec("n_few", "too few rows", "count", f"Groups under {ENOUGH} rows."),
        ColumnSpec("n_undefined", "not defined", "count", "Groups without the rate."),
    )
    rows = []
    for record in frame.to_dict("records"):
        cells = [_cell(record, column) for column in columns]
        if record["metric"] in COMBINED:
            cells = [NO_CELL.get(column.name, cell) for cell, column in zip(cells, columns, strict=True)]
        rows.append(tuple(cells))
    note = say(Message("errors-gaps-note", {"n": Count(ENOUGH)}))
    return Table(f"errors_{number}_gaps", "Largest gaps between groups", columns, tuple(rows), note=note)


def _in_words(metrics: pd.Series) -> list[str]:
    names = RATES | COMBINED
    return [names.get(metric, metric) for metric in metrics]


def _above_all(roc: pd.DataFrame) -> pd.DataFrame:
    return roc.assign(threshold=roc["threshold"].astype(object).where(roc["threshold"].notna(), ""))


def _plain_table(frame: pd.DataFrame, key: str, title: str) -> Table:
    columns = [GROUP]
    for name in frame.columns[1:]:
        columns.append(ColumnSpec(str(name), str(name).replace("_", " "), "number", "By the audit's costs.", digits=3))
    return Table(key, title, tuple(columns), _rows(frame, columns))


def _rows(frame: pd.DataFrame, columns: Sequence[ColumnSpec]) -> tuple[tuple[Any, ...], ...]:
    frame = with_group(frame, columns[0].name)
    records = frame.to_dict("records")
    return tuple(tuple(_cell(record, column) for column in columns) for record in records)


def _cell(record: dict[str, Any], column: ColumnSpec) -> Any:
    if column.kind.endswith("_interval"):
        return record["low"], record["high"]
    value = record[column.name]
    if isinstance(value, (tuple, list)):
        return " against ".join(map(str, value))
    return NOT_SHOWN if value is None else value
