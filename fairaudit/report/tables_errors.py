"""The tables of errors and scores by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairaudit.audit import ErrorsFinding
from fairaudit.report.blocks import ColumnSpec, Table
from fairaudit.report.charts.score_texts import METRICS
from fairaudit.report.numbers import NOT_SHOWN

GROUP = ColumnSpec("group", "group", "text", "The group.")
COMBINED = {
    "equalized_odds": "Equalized odds (true and false positive rate)",
    "predictive_parity": "Predictive parity (wrong among predicted positive and negative)",
}
CELLS = {
    "tp": "Predicted positive and truly positive.",
    "fp": "Predicted positive but truly negative.",
    "tn": "Predicted negative and truly negative.",
    "fn": "Predicted negative but truly positive.",
    "unknown": "Rows without a decision or without a prediction.",
}


def errors_tables(finding: ErrorsFinding, number: int) -> list[Table]:
    """Return the counts, rates, intervals, gaps and costs of a prediction by group; empty without a prediction."""
    errors = finding.errors
    if errors is None:
        return []
    labels = {name: name.upper() for name in CELLS} | {"unknown": "unknown"}
    counts = (GROUP, *(ColumnSpec(name, labels[name], "count", text) for name, text in CELLS.items()))
    rates = (
        GROUP,
        ColumnSpec("n", "rows", "count", "Rows with a known decision and prediction."),
        *(ColumnSpec(name, label, "share", f"{label}.") for name, label in METRICS.items()),
    )
    intervals = (
        GROUP,
        ColumnSpec("metric", "rate", "code", "Which rate, named as in the table of rates."),
        ColumnSpec("value", "value", "share", "The rate."),
        ColumnSpec("n", "out of", "count", "Rows that the rate is a share of."),
        ColumnSpec("interval", "interval", "share_interval", "Wilson interval."),
    )
    tables = [
        Table(f"errors_{number}_counts", "Right and wrong predictions by group", counts, _rows(errors.counts, counts)),
        Table(f"errors_{number}_rates", "Rates by group", rates, _rows(errors.metrics, rates)),
        Table(f"errors_{number}_intervals", "Rates with intervals", intervals, _rows(errors.intervals, intervals)),
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
    count, share = "count", "share"
    auc = (
        GROUP,
        ColumnSpec("n", "rows", count, "Rows with a score and a known decision."),
        ColumnSpec("n_positive", "truly positive", count, "Those of them that are truly positive."),
        ColumnSpec("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        ColumnSpec("interval", "interval", "number_interval", "DeLong interval of the area.", digits=3),
    )
    calibration = (
        GROUP,
        ColumnSpec("bin", "bin", "text", "Bin of the score."),
        ColumnSpec("score_mean", "mean score", "number", "Mean score in the bin.", digits=3),
        ColumnSpec("n", "rows", count, "Rows in the bin."),
        ColumnSpec("positives", "truly positive", count, "Those of them that are truly positive."),
        ColumnSpec("observed", "observed share", share, "positives / n."),
        ColumnSpec("interval", "interval", "share_interval", "Wilson interval of the observed share."),
    )
    distribution = (
        GROUP,
        ColumnSpec("label", "true outcome", "text", "1: truly positive, 0: truly negative."),
        ColumnSpec("bin_low", "score from", "number", "Lower end of the bin."),
        ColumnSpec("bin_high", "to", "number", "Upper end of the bin."),
        ColumnSpec("n", "rows", count, "Rows in the bin."),
        ColumnSpec("share", "share", share, "Share of the group's rows with this true outcome."),
    )
    roc = (
        GROUP,
        ColumnSpec("threshold", "cut", "number", "Scores at or above it count as positive.", digits=3),
        ColumnSpec("fpr", "false positive rate", share, "At this cut."),
        ColumnSpec("tpr", "true positive rate", share, "At this cut."),
    )
    named = (
        ("auc", "How well the score ranks", scores.auc, auc),
        ("calibration", "Calibration", scores.calibration, calibration),
        ("distribution", "How scores are spread", scores.distribution, distribution),
        ("roc", "ROC curve", scores.roc, roc),
    )
    return [Table(f"scores_{number}_{key}", title, spec, _rows(frame, spec)) for key, title, frame, spec in named]


def with_group(frame: pd.DataFrame | pd.Series, name: str = "group") -> pd.DataFrame:
    """Return a frame whose index, if it means something, has become the first column, called `name`.

    Parameters
    ----------
    frame : DataFrame or Series
        From a measure.
    name : str
        The column's name.

    Returns
    -------
    DataFrame
        With a plain index; several index levels are joined by ", ".
    """
    if isinstance(frame, pd.Series):
        frame = frame.to_frame(frame.name or "value")
    if name in frame.columns:
        return frame.reset_index(drop=True)
    keys = [", ".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in frame.index]
    body = frame.reset_index(drop=True)
    body.insert(0, name, keys)
    return body


def _gaps_table(frame: pd.DataFrame, number: int) -> Table:
    names = METRICS | COMBINED
    frame = frame.assign(rate=[names.get(metric, metric) for metric in frame["metric"]])
    columns = [
        ColumnSpec("metric", "field", "code", "Which rate, named as in the table of rates."),
        ColumnSpec("rate", "rate", "text", "Which rate, in words."),
        ColumnSpec("difference", "largest gap, points", "points", "Largest rate minus smallest rate."),
        ColumnSpec("ratio", "smallest ratio", "number", "Smallest rate divided by largest rate."),
    ]
    columns += [
        ColumnSpec("worst_pair", "highest against lowest", "text", "The groups of the largest gap."),
        ColumnSpec("n_undefined", "not defined in", "count", "Groups in which the rate is not defined; left out."),
    ]
    return Table(f"errors_{number}_gaps", "Largest gaps between groups", tuple(columns), _rows(frame, columns))


def _plain_table(frame: pd.DataFrame, key: str, title: str) -> Table:
    columns = [GROUP]
    for name in frame.columns[1:]:
        columns.append(ColumnSpec(str(name), str(name).replace("_", " "), "number", "With the plan's costs.", digits=3))
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
