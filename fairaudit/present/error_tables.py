"""The tables of errors and scores by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.charts.score_texts import label_words, needed_digits
from fairaudit.present.numbers import NOT_SHOWN
from fairaudit.present.rate_words import RATES
from fairaudit.present.written_scores import higher_is, written_calibration, written_distribution, written_roc

GROUP = ColumnSpec("group", "group", "text", "The group.")
COMBINED = {
    "equalized_odds": "Equalized odds (true and false positive rate)",
    "predictive_parity": "Predictive parity (wrong among predicted positive and negative)",
}
CELLS = {
    "tp": "predicted positive, is positive (TP)",
    "fp": "predicted positive, is not (FP)",
    "tn": "predicted not positive, is not (TN)",
    "fn": "predicted not positive, is positive (FN)",
    "unknown": "outcome or prediction unknown",
}
NO_CELL = {"interval": ("", ""), "n_high": "", "n_low": ""}
"""What a gap over two rates at once does not have."""
FEW_NOTE = (
    f"A rate that is a share of fewer than {ENOUGH} rows is not compared. The interval is that of two groups chosen in "
    "advance; between the extremes of many groups some gap is to be expected by chance."
)


def errors_tables(finding: ErrorsFinding, number: int) -> list[Table]:
    """Return the counts, rates, intervals, gaps and costs of a prediction by group; empty without a prediction."""
    errors = finding.errors
    if errors is None:
        return []
    counts = (GROUP, *(ColumnSpec(name, text, "count", f"Rows: {text}.") for name, text in CELLS.items()))
    rates = (
        GROUP,
        ColumnSpec("n", "rows", "count", "Rows with a known decision and prediction."),
        *(ColumnSpec(name, label, "share", f"{label}.") for name, label in RATES.items()),
    )
    intervals = (
        GROUP,
        ColumnSpec("metric", "field", "code", "Which rate, named as in the table of rates."),
        ColumnSpec("rate", "rate", "text", "Which rate, in words."),
        ColumnSpec("value", "value", "share", "The rate."),
        ColumnSpec("n", "out of", "count", "Rows that the rate is a share of."),
        ColumnSpec("interval", "interval", "share_interval", "Wilson interval."),
    )
    named = errors.intervals.assign(rate=_in_words(errors.intervals["metric"]))
    tables = [
        Table(f"errors_{number}_counts", "Right and wrong predictions by group", counts, _rows(errors.counts, counts)),
        Table(f"errors_{number}_rates", "Rates by group", rates, _rows(errors.metrics, rates)),
        Table(f"errors_{number}_intervals", "Rates with intervals", intervals, _rows(named, intervals)),
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
        ColumnSpec("n_positive", "truly positive", count, "Those of them that are truly positive."),
        ColumnSpec("auc", "AUC", "number", "Area under the ROC curve.", digits=3),
        ColumnSpec("interval", "interval", "number_interval", "DeLong interval of the area.", digits=3),
    )
    calibration = (
        GROUP,
        ColumnSpec("bin", "bin", "text", f"Bin of the score; {direction}."),
        ColumnSpec(
            "score_mean",
            "mean score",
            "number",
            f"Mean score in the bin; {direction}.",
            digits=needed_digits(bins["score_mean"]),
        ),
        ColumnSpec("n", "rows", count, "Rows in the bin."),
        ColumnSpec("positives", "truly positive", count, "Those of them that are truly positive."),
        ColumnSpec("observed", "observed share", share, "positives / n."),
        ColumnSpec("interval", "interval", "share_interval", "Wilson interval of the observed share."),
    )
    distribution = (
        GROUP,
        ColumnSpec("label", "field", "text", "1: truly positive, 0: truly negative."),
        ColumnSpec("outcome", "true outcome", "text", "The same in words."),
        ColumnSpec("bin_low", "score from", "number", f"Lower end of the bin; {direction}.", digits=bars),
        ColumnSpec("bin_high", "to", "number", "Upper end of the bin.", digits=bars),
        ColumnSpec("n", "rows", count, "Rows in the bin."),
        ColumnSpec("share", "share", share, "Share of the group's rows with this true outcome."),
    )
    side, start = ("up to it", "up to") if scores.turned else ("from it on", "from")
    roc = (
        GROUP,
        ColumnSpec(
            "threshold",
            f"positive {start}",
            "number",
            f"Scores {side} count as positive; empty where none does; {direction}.",
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
        ColumnSpec("metric", "field", "code", "Which rate, named as in the table of rates."),
        ColumnSpec("rate", "rate", "text", "Which rate, in words."),
        ColumnSpec("difference", "largest gap, points", "points", "Largest rate minus smallest rate."),
        ColumnSpec("interval", "its interval", "points_interval", "Newcombe interval, where the rate is a share."),
        ColumnSpec("ratio", "smallest ratio", "number", "Smallest rate divided by largest rate."),
        ColumnSpec(
            "worst_pair", "highest against lowest", "text", "The groups of the largest gap, picked from all groups."
        ),
        ColumnSpec("n_high", "highest out of", "count", "Rows that the highest rate is a share of."),
        ColumnSpec("n_low", "lowest out of", "count", "Rows that the lowest rate is a share of."),
        ColumnSpec(
            "n_few", "groups left out, few rows", "count", f"Groups in which the rate is out of under {ENOUGH} rows."
        ),
        ColumnSpec("n_undefined", "groups left out, not defined", "count", "Groups in which the rate is not defined."),
    )
    rows = []
    for record in frame.to_dict("records"):
        cells = [_cell(record, column) for column in columns]
        if record["metric"] in COMBINED:
            cells = [NO_CELL.get(column.name, cell) for cell, column in zip(cells, columns, strict=True)]
        rows.append(tuple(cells))
    return Table(f"errors_{number}_gaps", "Largest gaps between groups", columns, tuple(rows), note=FEW_NOTE)


def _in_words(metrics: pd.Series) -> list[str]:
    names = RATES | COMBINED
    return [names.get(metric, metric) for metric in metrics]


def _above_all(roc: pd.DataFrame) -> pd.DataFrame:
    return roc.assign(threshold=roc["threshold"].astype(object).where(roc["threshold"].notna(), ""))


def _plain_table(frame: pd.DataFrame, key: str, title: str) -> Table:
    columns = [GROUP]
    for name in frame.columns[1:]:
        columns.append(
            ColumnSpec(str(name), str(name).replace("_", " "), "number", "With the audit's costs.", digits=3)
        )
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
