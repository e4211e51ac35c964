"""The tables of the search for a tree, whatever it predicts: how it ended, how it closed in, and other settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import amount_digits, shown
from fairaudit.remedies.shared.group_gaps import table_rows
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.details import TreesDetails

STATUS_WORDS = {
    "gap": "not proven",
    "work_limit": "all the work done",
    "stopped": "stopped",
    "optimal": "proven the best",
    "infeasible": "proven impossible",
    "grown": "nothing proven",
}
METHOD_WORDS = {
    "frontier": "all trees",
    "scip": "integer programming",
    "look_ahead": "question by question",
}


def is_share(details: TreesDetails | AmountTreeDetails) -> bool:
    """Say whether what was made small is a share of rows, and not a sum with prices or an error in another unit."""
    return isinstance(details, TreesDetails) and (details.discrimination is None or not details.fairness_weight)


def objective_digits(details: TreesDetails | AmountTreeDetails) -> int:
    """Return the decimals of what was made small, where that is no share: for amounts one more than they have."""
    # Where the decision is an amount, what counts as alike is a tenth of the spread, which says how fine amounts are.
    return 4 if isinstance(details, TreesDetails) else amount_digits(10 * details.alike_within) + 1


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
        ColumnSpec("figure", "figure", "text", "Which one."),
        ColumnSpec("value", "value", "number", value, digits=4),
        ColumnSpec("number", "count", "number", "Where it is a count.", digits=0),
        ColumnSpec("share", "share", "share", "Where it is a share."),
        ColumnSpec("words", "in words", "text", "Where it is none."),
    )
    reached, bound = (
        ("", "", shown(each)) if in_shares else (shown(each), "", "") for each in (details.objective, details.bound)
    )
    rows = (
        ("how the search ended", "", "", "", STATUS_WORDS.get(details.status, details.status)),
        ("search", "", "", "", METHOD_WORDS.get(details.method, details.method)),
        ("what is made small", *reached, details.objective_words),
        ("proven bound", *bound, ""),
        ("distance of the two", "", "", shown(details.optimality_gap), ""),
        ("questions considered", "", shown(details.n_splits), "", ""),
        ("questions allowed", "", details.max_depth, "", ""),
        ("questions in a row", "", details.depth, "", ""),
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
        ColumnSpec("share", "share of the work", "share", "Of the work allowed, until then."),
        ColumnSpec("objective", "best so far", "number", "Of the best tree until then.", digits=4),
        ColumnSpec("bound", "proven bound", "number", "No tree of this size has less.", digits=4),
    )
    rows = table_rows(details.bounds, columns)
    return Table(f"remedy_{number}_bounds", say(Message("tree-bounds-title")), columns, rows)


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
        ColumnSpec("setting", "field", "code", "What differs."),
        ColumnSpec("words", "setting", "text", "In words."),
        ColumnSpec("max_depth", "questions allowed", "number", "A setting.", digits=0),
        limit,
        ColumnSpec("weight", "price", "number", "Of the index."),
        ColumnSpec("depth", "questions", "number", "In a row.", digits=0),
        ColumnSpec("n_leaves", "answers", "number", "Of the tree.", digits=0),
        ColumnSpec("status", "search", "code", "How the search ended."),
        ColumnSpec("objective", "made small", "number", "What is made small, training cases.", digits=digits),
        ColumnSpec("bound", "proven bound", "number", "No tree of this size has less, training cases.", digits=digits),
        *(
            replace(each, name=f"trained_{each.name}", label=f"{each.label}, training", description="Training cases.")
            for each in shown
        ),
        *(replace(each, label=f"{each.label}, tuning", description="Tuning cases.") for each in shown),
        ColumnSpec("chosen", "chosen", "text", "Whether it is this tree."),
    )
    names = [column.name for column in columns]
    rows = tuple(
        tuple(bool(row[name]) if name == "chosen" else row[name] for name in names)
        for row in details.settings.to_dict("records")
    )
    note = say(Message("tree-settings-note"))
    return Table(f"remedy_{number}_settings", "Trees of other settings", columns, rows, note=note)
