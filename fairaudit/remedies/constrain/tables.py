"""The tables of constraints: what was asked and whether it holds, pair by pair, and what the search found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import pandas as pd

from fairaudit.disclosure.fields import Field, Kind
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.present.blocks import TableBlock, pick, records
from fairaudit.present.field_tables import adapted, frame_table
from fairaudit.present.numbers import NOT_SHOWN, share_text, shown
from fairaudit.remedies.constrain.details import PAIRS, PATH, PATH_GAPS, ConstrainDetails, frontier_fits
from fairaudit.remedies.constrain.words import allowed_text, gap_number, gap_text, in_shares, limit_name
from fairaudit.remedies.tables import HELD, TEST, TUNING
from fairaudit.study.findings import RemedyFinding

GAPS_OF_A_PAIR = ("tuned_before", "tuned", "held_out_before", "held_out")


def constraint_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return the tables of a model that was trained to meet constraints; what is hidden has no rows."""
    details = finding.details
    return [
        asked_table(details, number),
        pairs_table(details, number),
        frontier_table(details, number),
        path_table(details, number),
        _path_gaps(details, number),
    ]


def asked_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return one row a constraint: how many of its pairs of groups keep it, and its largest gap."""
    unit = _unit(details.pairs["metric"])
    points = ", points" if unit == "size" else ""
    columns = (
        Field("constraint", "constraint", "code", "As the plan has it."),
        Field("metric", "what must be alike", "text", "The rate."),
        Field("allowed", f"allowed{points}", unit, "How far groups may be apart."),
        Field("n_pairs", "pairs", "number", "Pairs of groups.", digits=0),
        Field("n_met", "met in tuning", "number", f"Pairs that keep the limit. {TUNING}", digits=0),
        Field("n_within", "kept in test", "number", f"Pairs that keep the limit. {TEST}", digits=0),
        Field("tuned_before", f"largest in tuning, without the remedy{points}", unit, f"Largest gap. {TUNING}"),
        Field("tuned_after", f"largest in tuning, with it{points}", unit, f"Largest gap. {TUNING}"),
        Field("held_out_before", f"largest in test, without the remedy{points}", unit, "Without limits."),
        Field("held_out_after", f"largest in test, with it{points}", unit, "Largest gap of the model."),
    )
    rows = []
    for spec, pairs in details.pairs.groupby("spec", sort=False):
        first = pairs.iloc[0]
        met = None if pairs["met"].isna().any() else int(pairs["met"].sum())
        within = int(pairs["reading"].isin(HELD).sum())
        largest = [_largest(pairs[name]) for name in GAPS_OF_A_PAIR]
        cells = (first["metric_words"], first["max_difference"], len(pairs), shown(met), within, *map(shown, largest))
        rows.append((spec, *cells))
    return TableBlock(f"remedy_{number}_asked", "Each limit", columns, tuple(rows))


def one_limit(pairs: pd.DataFrame) -> float | None:
    """Return what all pairs of groups may be apart; None where that differs."""
    limits = pairs["max_difference"].unique()
    return float(limits[0]) if len(limits) == 1 else None


def pairs_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return one row a pair of groups: what is allowed, the gap before and after, and how clear that is."""
    declared = adapted(PAIRS, (*GAPS_OF_A_PAIR, "low"), beside=one_limit(details.pairs))
    if _unit(details.pairs["metric"]) == "size":
        for names, kind in ((("max_difference",), "size"), (GAPS_OF_A_PAIR, "points")):
            for name in names:
                declared = adapted(declared, (name,), kind=kind, label=f"{PAIRS[name].label}, points")
        declared = adapted(declared, ("low",), kind="points_interval")
    pairs = details.pairs.assign(met=[_met(met) for met in details.pairs["met"]])
    note = "A gap is the first group minus the second."
    return frame_table(f"remedy_{number}_constraints", "Pairs of groups", pairs, declared, note=note)


def frontier_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return the fits that no other beats in both accuracy and the largest gap."""
    fits = frontier_fits(details.path)
    return frame_table(f"remedy_{number}_frontier", "Other models of the search", fits, PATH, note=TUNING)


def path_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return all fits of a search, one a row."""
    return frame_table(f"remedy_{number}_path", "All models of the search", details.path, PATH, note=TUNING)


def _path_gaps(details: ConstrainDetails, number: int) -> TableBlock:
    unit = _unit([FairnessSpec.parse(spec).measure.name for spec in details.path_gaps["spec"].unique()])
    declared = adapted(PATH_GAPS, ("gap",), kind=unit)
    return frame_table(f"remedy_{number}_path_gaps", "Gaps of each model", details.path_gaps, declared)


def _met(met: bool | None) -> bool | str:
    return NOT_SHOWN if met is None else bool(met)


def _unit(metrics: Iterable[str]) -> Kind:
    return "size" if in_shares(metrics) else "number"


def _largest(gaps: pd.Series) -> float | None:
    if gaps.isna().all():
        return None if any(gap is None for gap in gaps) else float("nan")
    return float(gaps.astype(float).abs().max())


def printed_asked(table: TableBlock) -> TableBlock:
    """Return the limits for paper, from :func:`asked_table`."""
    columns = (
        Field("alike", "limit on"),
        Field("allowed", "limit"),
        Field("met", "kept in tuning"),
        Field("tuned", "largest gap in tuning"),
        Field("within", "kept in test"),
        Field("held_out", "largest gap in test"),
    )
    rows = []
    for row in records(table):
        spec = FairnessSpec.parse(row["constraint"])
        metric, allowed = spec.measure.name, row["allowed"]
        limit = allowed_text(allowed, metric)
        sizes: Callable[[float | str, float | str], str] = partial(_sizes, metric=metric, allowed=allowed)
        if spec.floor is not None:
            limit, sizes = f"at least {100 * (1 - allowed):.6g}\N{NO-BREAK SPACE}%", _lowest
        rows.append(
            (
                limit_name(spec),
                limit,
                _of(row["n_met"], row["n_pairs"]),
                sizes(row["tuned_before"], row["tuned_after"]),
                _of(row["n_within"], row["n_pairs"]),
                sizes(row["held_out_before"], row["held_out_after"]),
            )
        )
    return _without_hidden(replace(table, columns=columns, rows=tuple(rows)))


def _of(some: int | str, n: int) -> str:
    return NOT_SHOWN if some == NOT_SHOWN else f"{some:,} of {n:,}"


def _sizes(before: float | str, after: float | str, metric: str, allowed: float) -> str:
    """Return two sizes of gaps with their unit."""
    if isinstance(before, str) or isinstance(after, str):
        return NOT_SHOWN
    first = gap_number(before, metric, beside=allowed).removeprefix("+")
    return f"{first} to {gap_text(after, metric, beside=allowed).removeprefix('+')}"


def _lowest(before: float | str, after: float | str) -> str:
    """Return the lowest rate of a group, which is the furthest below all there is."""
    if isinstance(before, str) or isinstance(after, str):
        return NOT_SHOWN
    return f"lowest {share_text(1 - before)} to {share_text(1 - after)}"


def _without_hidden(table: TableBlock) -> TableBlock:
    """Return a table without the columns of which nothing is shown."""
    names = [
        column.name
        for i, column in enumerate(table.columns)
        if not table.rows or any(row[i] != NOT_SHOWN for row in table.rows)
    ]
    return pick(table, names)
