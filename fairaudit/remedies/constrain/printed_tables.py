"""The tables of constraints as they stand on paper: the worst of many rows, in as few columns as it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import NOT_SHOWN, share_text
from fairaudit.present.printed_tables import pick, records
from fairaudit.remedies.constrain.chart_texts import alike_words, allowed_text, gap_text


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
    rows, has_floor = [], False
    for row in records(table):
        spec = FairnessSpec.parse(row["constraint"])
        metric, allowed = spec.measure.name, row["allowed"]
        limit = allowed_text(allowed, metric)
        sizes: Callable[[float | str, float | str], str] = partial(_sizes, metric=metric, allowed=allowed)
        if spec.floor is not None:
            limit, sizes, has_floor = f"at least {100 * (1 - allowed):.6g}\N{NO-BREAK SPACE}%", _lowest, True
        rows.append(
            (
                alike_words(row["constraint"]),
                limit,
                _of(row["n_met"], row["n_pairs"]),
                sizes(row["tuned_before"], row["tuned_after"]),
                _of(row["n_within"], row["n_pairs"]),
                sizes(row["held_out_before"], row["held_out_after"]),
            )
        )
    note = "Largest gap: of the two groups that are furthest apart, also where they have few rows; before to after."
    note += " Of a floor, the lowest rate of a group." if has_floor else ""
    return _without_hidden(replace(table, columns=columns, rows=tuple(rows), note=note))


def _of(some: int | str, n: int) -> str:
    return NOT_SHOWN if some == NOT_SHOWN else f"{some:,} of {n:,}"


def _sizes(before: float | str, after: float | str, metric: str, allowed: float) -> str:
    """Return two sizes of gaps with their unit."""
    if isinstance(before, str) or isinstance(after, str):
        return NOT_SHOWN
    texts = [gap_text(gap, metric, beside=allowed).removeprefix("+") for gap in (before, after)]
    return f"{texts[0].removesuffix(' points')} to {texts[1]}"


def _lowest(before: float | str, after: float | str) -> str:
    """Return the lowest rate of a group, which is the furthest below all there is."""
    if isinstance(before, str) or isinstance(after, str):
        return NOT_SHOWN
    return f"lowest {share_text(1 - before)} to {share_text(1 - after)}"


def _without_hidden(table: Table) -> Table:
    """Return a table without the columns of which nothing is shown."""
    names = [
        column.name
        for i, column in enumerate(table.columns)
        if not table.rows or any(row[i] != NOT_SHOWN for row in table.rows)
    ]
    return pick(table, names)
