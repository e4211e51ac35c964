"""The tables of a decision tree as they stand on paper: a leaf a row, and a group a column."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.present.blocks import ColumnSpec, Table, cell_text
from fairaudit.present.brief import shorten
from fairaudit.present.numbers import NOT_SHOWN
from fairaudit.present.printed_tables import pick
from fairaudit.remedies.trees.details import TreesDetails

MOST_GROUPS = 6
"""Groups that a table on paper holds."""
MOST_LEAVES = 40
"""Leaves that a table on paper holds."""
MOST_PAIRS = 24
"""Pairs of groups that a table on paper holds."""
MOST_SETTINGS = 14
_GROUP = 40


def printed_leaves(table: Table) -> Table:
    """Return who comes to each leaf for paper, from :func:`~fairaudit.remedies.trees.tables.leaves_table`."""
    wanted = ["leaf", "path", "prediction", "n_learned", "n", "accuracy", "accuracy_interval"]
    some = pick(table, [name for name in wanted if _is_shown(table, name)])
    note = "Rightly: of the held-out rows of a known group that come to the leaf, how many have what is predicted."
    if len(table.rows) > MOST_LEAVES:
        note = f"The first {MOST_LEAVES} of {len(table.rows)} leaves; the CSV files hold all. {note}"
    return replace(some, rows=some.rows[:MOST_LEAVES], note=note)


def printed_groups(details: TreesDetails, table: Table) -> list[Table]:
    """Return how many of each group come to each leaf for paper, and how many of them have the outcome."""
    root = details.counts[details.counts["node"] == 1]
    if not len(root):
        return []
    sizes = dict(zip(root["group"], root["n"], strict=True))
    largest = sorted(sizes, key=lambda group: -sizes[group])[:MOST_GROUPS]
    groups = [group for group in sizes if group in largest]
    some = ""
    if len(groups) < len(sizes):
        some = f" The {len(groups)} groups with most rows of {len(sizes)}; the CSV files hold all."
    found = {(row.node, row.group): row for row in details.counts.itertuples()}
    columns = (
        ColumnSpec("leaf", "leaf", "number", digits=0),
        ColumnSpec("prediction", "prediction"),
        *(
            ColumnSpec(f"group_{place}", f"{shorten(group, _GROUP)} ({cell_text(sizes[group], 'count')} rows)")
            for place, group in enumerate(groups)
        ),
    )
    rows = tuple(
        (leaf.leaf, NOT_SHOWN if leaf.prediction is None else leaf.prediction,
         *(_comes(found[leaf.leaf, group]) for group in groups))
        for leaf in details.leaves.head(MOST_LEAVES).itertuples()
    )  # fmt: skip
    note = f"Held-out rows of the group that come to the leaf, and the share of them that have the outcome.{some}"
    return [
        replace(table, key=f"{table.key}_leaves", title="Who comes to each leaf", columns=columns, rows=rows, note=note)
    ]


def printed_alike(table: Table) -> Table:
    """Return differences or ratios for paper, those of the most rows first where there are many."""
    names = [column.name for column in table.columns if column.name not in ("rate", "allowed")]
    some = pick(table, [name for name in names if _is_shown(table, name)])
    if len(table.rows) <= MOST_PAIRS:
        return some
    note = f"The first {MOST_PAIRS} of {len(table.rows)}; the CSV files hold all. {some.note or ''}".rstrip()
    return replace(some, rows=some.rows[:MOST_PAIRS], note=note)


def printed_settings(table: Table, details: TreesDetails) -> Table:
    """Return trees of other settings for paper: what is set, and what it gives on the tuning rows."""
    names = ["words", "n_leaves", "trained_accuracy", "accuracy"]
    names += [] if details.constraint is None else ["gap"]
    names += [] if details.discrimination is None else ["index"]
    some = pick(table, [*names, "chosen"])
    return replace(some, rows=some.rows[:MOST_SETTINGS])


def _comes(row: pd.Series) -> str:
    if not row.n:
        return "0"
    return f"{cell_text(row.n, 'count')}, {cell_text(row.rate, 'share')}"


def _is_shown(table: Table, name: str) -> bool:
    place = [column.name for column in table.columns].index(name)
    return any(row[place] != NOT_SHOWN for row in table.rows)
