"""The tables of constraints: what was asked and whether it holds, pair by pair, and what the search found."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.numbers import NOT_SHOWN, shown
from fairaudit.remedies.constrain.chart_texts import frontier_fits, in_shares
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.shared.frames import TUNING, table_rows
from fairaudit.study.findings import RemedyFinding

COSTS = "Gaps and what is allowed are in the unit of each metric: 0.03 of a share is 3 points; costs are costs."


def constraint_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return the tables of a model that was trained to meet constraints; what is hidden has no rows."""
    details = finding.details
    return [
        asked_table(details, number),
        pairs_table(details, number),
        frontier_table(details, number),
        fits_table(details.path, f"remedy_{number}_path", "All fits of the search", TUNING),
        _path_gaps(details, number),
    ]


def asked_table(details: ConstrainDetails, number: int) -> Table:
    """Return one row a constraint: how many of its pairs of groups keep it, and its largest gap."""
    unit = _unit(details.pairs["metric"])
    points = ", points" if unit == "size" else ""
    columns = (
        ColumnSpec("constraint", "constraint", "code", "As it is written in the plan."),
        ColumnSpec("metric", "what must be alike", "text", "The metric in words."),
        ColumnSpec("allowed", f"allowed{points}", unit, "How far any two groups may be apart."),
        ColumnSpec("n_pairs", "pairs", "number", "Pairs of groups that it compares.", digits=0),
        ColumnSpec("n_met", "met in tuning", "number", f"Pairs within what is allowed. {TUNING}", digits=0),
        ColumnSpec(
            "n_within", "within, held out", "number", "Pairs within what is allowed on the held-out rows.", digits=0
        ),
        ColumnSpec("tuned_before", f"largest in tuning, before{points}", unit, f"Largest gap. {TUNING}"),
        ColumnSpec("tuned_after", f"largest in tuning, after{points}", unit, f"Largest gap. {TUNING}"),
        ColumnSpec("held_out_before", f"largest held out, before{points}", unit, "Largest gap without constraints."),
        ColumnSpec("held_out_after", f"largest held out, after{points}", unit, "Largest gap of the model."),
    )
    rows = []
    for spec, pairs in details.pairs.groupby("spec", sort=False):
        first = pairs.iloc[0]
        met = None if pairs["met"].isna().any() else int(pairs["met"].sum())
        within = int(pairs["reading"].str.startswith("within").sum())
        largest = [_largest(pairs[name]) for name in ("tuned_before", "tuned", "held_out_before", "held_out")]
        cells = (first["metric_words"], first["max_difference"], len(pairs), shown(met), within, *map(shown, largest))
        rows.append((spec, *cells))
    note = "Largest: the gap of the two groups that are furthest apart, whatever its direction."
    return Table(f"remedy_{number}_asked", "Each constraint", columns, tuple(rows), note=_noted(note, unit))


def one_limit(pairs: pd.DataFrame) -> float | None:
    """Return what all pairs of groups may be apart; None where that differs."""
    limits = pairs["max_difference"].unique()
    return float(limits[0]) if len(limits) == 1 else None


def pairs_table(details: ConstrainDetails, number: int) -> Table:
    """Return one row a pair of groups: what is allowed, the gap before and after, and how clear that is."""
    size = _unit(details.pairs["metric"])
    unit: Kind = "points" if size == "size" else "number"
    interval: Kind = "points_interval" if size == "size" else "number_interval"
    points = ", points" if size == "size" else ""
    near = one_limit(details.pairs)
    columns = (
        ColumnSpec("constraint", "constraint", "code", "The constraint that the pair belongs to."),
        ColumnSpec("metric", "field", "code", "The metric."),
        ColumnSpec("metric_words", "what must be alike", "text", "The metric in words."),
        ColumnSpec("first", "first group", "text", "A gap is the metric of this group minus that of the second."),
        ColumnSpec("second", "second group", "text", "The other group."),
        ColumnSpec("allowed", f"allowed{points}", size, "How far the two may be apart."),
        ColumnSpec("multiplier", "multiplier", "number", "How strongly the pair was pulled together.", digits=3),
        ColumnSpec("tuned_before", f"tuning, before{points}", unit, f"Gap without constraints. {TUNING}", beside=near),
        ColumnSpec("tuned_after", f"tuning, after{points}", unit, f"Gap of the model. {TUNING}", beside=near),
        ColumnSpec("met", "met", "text", f"yes: the gap after is within what is allowed. {TUNING}"),
        ColumnSpec("n_first", "rows, first", "count", "Held-out rows that the rate of the first group is a share of."),
        ColumnSpec("n_second", "rows, second", "count", "Held-out rows that the rate of the second is a share of."),
        ColumnSpec(
            "held_out_before", f"held out, before{points}", unit, "Without constraints, held-out rows.", beside=near
        ),
        ColumnSpec("held_out_after", f"held out, after{points}", unit, "Gap of the model, held-out rows.", beside=near),
        ColumnSpec("held_out_interval", "interval", interval, "Of the gap after on the held-out rows.", beside=near),
        ColumnSpec("reading", "reading", "text", "Whether that gap is within what is allowed, and how clear that is."),
    )
    rows = tuple(
        (
            row.spec, row.metric, row.metric_words, row.first, row.second, row.max_difference,
            shown(row.multiplier), shown(row.tuned_before), shown(row.tuned), _met(row.met),
            row.n_first, row.n_second, row.held_out_before, row.held_out, (row.low, row.high), row.reading,
        )
        for row in details.pairs.itertuples()
    )  # fmt: skip
    note = "A gap is the first group minus the second. Tuning: the rows that the model was chosen on."
    return Table(f"remedy_{number}_constraints", "Pairs of groups", columns, rows, note=_noted(note, size))


def frontier_table(details: ConstrainDetails, number: int) -> Table:
    """Return the fits that no other beats in both accuracy and the largest gap."""
    note = "On the tuning rows, as multiples of what is allowed: at 1, the largest gap is all that is allowed."
    return fits_table(frontier_fits(details.path), f"remedy_{number}_frontier", "Other models of the search", note)


def fits_table(fits: pd.DataFrame, key: str, title: str, note: str) -> Table:
    """Return fits of a search, one a row."""
    columns = (
        ColumnSpec("fit", "fit", "number", "Number of the fit, in their order.", digits=0),
        ColumnSpec("multiplier", "multiplier", "number", "The largest in size; 0: no constraint.", digits=3),
        ColumnSpec(
            "threshold", "threshold", "number", "Another common threshold than the model's own, if any.", digits=3
        ),
        ColumnSpec("accuracy", "accuracy", "share", TUNING),
        ColumnSpec("ratio", "largest gap", "number", f"As a multiple of what is allowed. {TUNING}"),
        ColumnSpec("met", "all met", "text", f"yes: no gap is larger than what is allowed. {TUNING}"),
        ColumnSpec("frontier", "on the frontier", "text", "yes: no other fit beats it in accuracy and largest gap."),
        ColumnSpec("picked", "chosen", "text", "yes: the model of this report."),
    )
    return Table(key, title, columns, table_rows(fits, columns), note=note)


def _path_gaps(details: ConstrainDetails, number: int) -> Table:
    unit = _unit([FairnessSpec.parse(spec).measure.name for spec in details.path_gaps["spec"].unique()])
    columns = (
        ColumnSpec("fit", "fit", "number", "Number of the fit, in their order.", digits=0),
        ColumnSpec("threshold", "threshold", "number", "As in the table of all fits.", digits=3),
        ColumnSpec("constraint", "constraint", "code", "As it is written in the plan."),
        ColumnSpec("gap", "largest gap", unit, f"Of any two groups, without its sign. {TUNING}"),
    )
    rows = table_rows(details.path_gaps.rename(columns={"spec": "constraint"}), columns)
    return Table(f"remedy_{number}_path_gaps", "Gaps of each fit", columns, rows, note=_noted("", unit))


def _met(met: bool | None) -> bool | str:
    return NOT_SHOWN if met is None else bool(met)


def _unit(metrics: Iterable[str]) -> Kind:
    return "size" if in_shares(metrics) else "number"


def _noted(note: str, unit: Kind) -> str:
    return note if unit == "size" else f"{note} {COSTS}".strip()


def _largest(gaps: pd.Series) -> float | None:
    if gaps.isna().all():
        return None if any(gap is None for gap in gaps) else float("nan")
    return float(gaps.astype(float).abs().max())
