"""The tables of the search for a tree, whatever it predicts: how it ended, how it closed in, and other settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.shared import ending_words
from fairaudit.remedies.shared.alike_table import TRAINING
from fairaudit.remedies.shared.frames import TUNING, table_rows
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.details import TreesDetails

STATUS_WORDS = ending_words.STATUS_WORDS | {
    "optimal": "proven to be the lowest possible",
    "infeasible": "proven that no tree of this depth keeps to what was asked",
    "grown": "grown node by node, nothing is proven",
}
METHOD_WORDS = {
    "frontier": "all trees, none left out",
    "scip": "integer programming",
    "look_ahead": "grown node by node, looking ahead",
}


def search_table(
    details: TreesDetails | AmountTreeDetails,
    number: int,
    value: str,
    figures: Iterable[tuple[Any, ...]],
    *,
    in_shares: bool = False,
) -> Table:
    """Return how the search for a tree of any kind ended."""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("value", "value", "number", value, digits=4),
        ColumnSpec("number", "count", "number", "The figure, where it is a count.", digits=0),
        ColumnSpec("share", "share", "share", "The figure, where it is a share."),
        ColumnSpec("words", "in words", "text", "The figure, where it is none."),
    )
    reached, bound = (
        ("", "", shown(each)) if in_shares else (shown(each), "", "") for each in (details.objective, details.bound)
    )
    rows = (
        ("how the search ended", "", "", "", STATUS_WORDS.get(details.status, details.status)),
        ("which search", "", "", "", METHOD_WORDS.get(details.method, details.method)),
        ("what is made small", *reached, details.objective_words),
        ("proven to be the least possible", *bound, "counted in the same way"),
        ("distance of the two as a share of the first", "", "", shown(details.optimality_gap), ""),
        ("splits considered", "", shown(details.n_splits), "", ""),
        ("depth allowed", "", details.max_depth, "", ""),
        ("depth", "", details.depth, "", ""),
        ("leaves", "", details.n_leaves, "", ""),
        *figures,
    )
    return Table(f"remedy_{number}_found", "How the tree was found", columns, rows)


def priced(weight: float | None) -> tuple[float | str, str, str, str]:
    """Return the cells of a row of :func:`search_table` after its first, for what an index costs."""
    if weight is None:
        return (shown(None), "", "", "")
    return (weight, "", "", "") if weight else ("", "", "", "none")


def bounds_table(details: TreesDetails | AmountTreeDetails, number: int) -> Table:
    """Return how the search closed in on the best tree."""
    columns = (
        ColumnSpec("share", "share of the work", "share", "Of the work that was allowed, until then."),
        ColumnSpec("objective", "best so far", "number", "What is made small, for the best tree until then.", digits=4),
        ColumnSpec("bound", "proven bound", "number", "No allowed tree of this depth has less.", digits=4),
    )
    rows = table_rows(details.bounds, columns)
    note = f"What is made small: {details.objective_words}."
    return Table(f"remedy_{number}_bounds", "How the search closed in", columns, rows, note=note)


def tried_table(
    details: TreesDetails | AmountTreeDetails,
    number: int,
    limit: ColumnSpec,
    figures: tuple[ColumnSpec, ColumnSpec],
    *,
    digits: int,
) -> Table:
    """Return trees of other settings, of any kind."""
    shown = (*figures, ColumnSpec("index", "index", "number", digits=digits))
    columns = (
        ColumnSpec("setting", "field", "code", "What is otherwise than asked."),
        ColumnSpec("words", "setting", "text", "The same in words."),
        ColumnSpec("max_depth", "depth allowed", "number", "A setting.", digits=0),
        limit,
        ColumnSpec("weight", "weight", "number", "A setting: the price of the index."),
        ColumnSpec("depth", "depth", "number", "What the tree has.", digits=0),
        ColumnSpec("n_leaves", "leaves", "number", "What the tree has.", digits=0),
        ColumnSpec("status", "search", "code", "How the search ended."),
        ColumnSpec("objective", "made small", "number", f"What is made small. {TRAINING}", digits=digits),
        ColumnSpec(
            "bound", "proven bound", "number", f"No allowed tree of this depth has less. {TRAINING}", digits=digits
        ),
        *(
            replace(each, name=f"trained_{each.name}", label=f"{each.label}, training", description=TRAINING)
            for each in shown
        ),
        *(replace(each, label=f"{each.label}, tuning", description=TUNING) for each in shown),
        ColumnSpec("chosen", "chosen", "text", "yes: the tree of this report."),
    )
    names = [column.name for column in columns]
    rows = tuple(
        tuple(bool(row[name]) if name == "chosen" else row[name] for name in names)
        for row in details.settings.to_dict("records")
    )
    note = "Each is a search of its own, with a share of the work; tuning rows were not learned from."
    if unproven := [row["words"] for row in details.settings.to_dict("records") if row["status"] == "work_limit"]:
        note += f" With more work a better tree may be found for: {'; '.join(unproven)}."
    return Table(f"remedy_{number}_settings", "Trees of other settings", columns, rows, note=note)
