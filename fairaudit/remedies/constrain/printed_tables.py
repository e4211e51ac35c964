"""The tables of constraints as they stand on paper: the worst of many rows, in as few columns as it takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.measure.gaps import ENOUGH
from fairaudit.present.blocks import ColumnSpec, Table, cell_text
from fairaudit.present.numbers import MINUS, NOT_SHOWN
from fairaudit.present.printed_tables import pick, records
from fairaudit.remedies.constrain.chart_texts import alike_words, drawn_fits, gap_text, in_shares, limit_text
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.constrain.tables import pairs_table
from fairaudit.remedies.shared.alike_table import worst_pairs

MOST_PAIRS = 30
"""Pairs that a table on paper holds."""
MOST_FITS = 12
"""Fits that a table on paper holds."""


def printed_asked(table: Table) -> Table:
    """Return the constraints for paper, from :func:`~fairaudit.remedies.constrain.tables.asked_table`."""
    columns = (
        ColumnSpec("alike", "what must be alike"),
        ColumnSpec("allowed", "allowed"),
        ColumnSpec("met", "pairs met in tuning"),
        ColumnSpec("tuned", "largest gap in tuning"),
        ColumnSpec("within", "pairs within, held out"),
        ColumnSpec("held_out", "largest gap held out"),
    )
    rows = []
    for row in records(table):
        metric = FairnessSpec.parse(row["constraint"]).measure.name
        rows.append(
            (
                alike_words(row["constraint"]),
                limit_text(row["allowed"], metric),
                _of(row["n_met"], row["n_pairs"]),
                _sizes(row["tuned_before"], row["tuned_after"], metric, row["allowed"]),
                _of(row["n_within"], row["n_pairs"]),
                _sizes(row["held_out_before"], row["held_out_after"], metric, row["allowed"]),
            )
        )
    note = "Largest gap: of the two groups that are furthest apart, also where they have few rows; before to after."
    return _without_hidden(replace(table, columns=columns, rows=tuple(rows), note=note))


def printed_pairs(details: ConstrainDetails, number: int) -> list[Table]:
    """Return the pairs of groups for paper, one table a constraint."""
    by_spec = details.pairs.groupby("spec", sort=False)
    most = max(1, MOST_PAIRS // max(1, by_spec.ngroups))
    return [_printed_pairs(details, pairs, most, number, i) for i, (_, pairs) in enumerate(by_spec, start=1)]


def _printed_pairs(details: ConstrainDetails, pairs: pd.DataFrame, most: int, number: int, position: int) -> Table:
    kept = worst_pairs(pairs, most)
    table = pairs_table(replace(details, pairs=pairs.iloc[kept]), number)
    first = pairs.iloc[0]
    points = ", points" if in_shares([first["metric"]]) else ""
    columns = (
        ColumnSpec("groups", "first − second group"),
        ColumnSpec("tuned", f"tuning{points}"),
        ColumnSpec("met", "met"),
        ColumnSpec("held_out", f"held out{points}"),
        *(replace(column, label="interval after") for column in table.columns if column.name == "held_out_interval"),
        ColumnSpec("n", "rows of each"),
        ColumnSpec("reading", "reading"),
    )
    rows = tuple(
        (
            f"{row['first']} {MINUS} {row['second']}",
            _moved(table, row, "tuned"),
            row["met"],
            _moved(table, row, "held_out"),
            row["held_out_interval"],
            " / ".join(cell_text(row[name], "count") for name in ("n_first", "n_second")),
            row["reading"],
        )
        for row in records(table)
    )
    below = "apart" if FairnessSpec.parse(first["spec"]).floor is None else "below 100\N{NO-BREAK SPACE}%"
    title = f"{alike_words(first['spec'])}, at most {limit_text(first['max_difference'], first['metric'])} {below}"
    note = "Gaps of the first group minus the second, before to after. Rows of each: held-out rows of either rate."
    if len(kept) < len(pairs):
        note = (
            f"{len(kept)} of {len(pairs):,} pairs, those with the largest gaps on the held-out rows; pairs with fewer "
            f"than {ENOUGH} rows in a group come last. The CSV files hold all pairs. {note}"
        )
    made = replace(table, key=f"{table.key}_{position}", title=title, columns=columns, rows=rows, note=note)
    return _without_hidden(made)


def printed_frontier(table: Table, details: ConstrainDetails) -> Table:
    """Return the fits that no other beats for paper: of many, some from the smallest gap to the largest."""
    fits = records(table)
    places = list(range(len(fits)))
    note = table.note
    if len(places) > MOST_FITS:
        # Evenly along the gap: most fits of a search lie close to what is allowed and look alike.
        ratios = np.array([row["ratio"] for row in fits], dtype=float)
        marks = np.linspace(ratios[0], ratios[-1], MOST_FITS - 1)
        near = {int(np.abs(ratios - mark).argmin()) for mark in marks}
        places = sorted(near | {i for i, row in enumerate(fits) if row["picked"]})
        note = (
            f"{len(places)} of {len(table.rows)} such fits, of {len(drawn_fits(details.path))} in all; the CSV files "
            f"hold them all. {table.note}"
        )
    return pick(
        replace(table, rows=tuple(table.rows[i] for i in places), note=note),
        ("multiplier", "accuracy", "ratio", "met", "picked"),
    )


def _of(some: int | str, n: int) -> str:
    return NOT_SHOWN if some == NOT_SHOWN else f"{some:,} of {n:,}"


def _sizes(before: float | str, after: float | str, metric: str, allowed: float) -> str:
    """Return two sizes of gaps with their unit."""
    if NOT_SHOWN in (before, after):
        return NOT_SHOWN
    texts = [gap_text(gap, metric, beside=allowed).removeprefix("+") for gap in (before, after)]
    return f"{texts[0].removesuffix(' points')} to {texts[1]}"


def _moved(table: Table, row: dict[str, Any], field: str) -> str:
    columns = {column.name: column for column in table.columns}
    ends = [columns[f"{field}_{end}"] for end in ("before", "after")]
    texts = [cell_text(row[each.name], each.kind, digits=each.digits, beside=each.beside) for each in ends]
    return NOT_SHOWN if texts == [NOT_SHOWN] * 2 else " to ".join(texts)


def _without_hidden(table: Table) -> Table:
    """Return a table without the columns of which nothing is shown."""
    names = [
        column.name
        for i, column in enumerate(table.columns)
        if not table.rows or any(row[i] != NOT_SHOWN for row in table.rows)
    ]
    return pick(table, names)
