"""The tables of a decision tree: its nodes, who comes to each, what its leaves are right about, and similar people."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.shared.amount_tables import PART_WORDS
from fairaudit.remedies.shared.group_gaps import differences_table, table_rows
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.search_tables import bounds_table, is_share, priced, search_table, tried_table
from fairaudit.study.findings import RemedyFinding

PREDICTION = ColumnSpec("prediction", "predicts", "number", "In a leaf: 1 for the outcome.", digits=0)
SIMILAR_BINS = (
    ColumnSpec("low", "from, points", "points", "Lower end."),
    ColumnSpec("high", "to, points", "points", "Upper end; both 0: no difference."),
)
SIMILAR_NOTE = "Share predicted to have the outcome: similar people of the own group minus all similar people."


def trees_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return the tables of a tree; what is hidden has no rows or is not shown."""
    details = finding.details
    return [
        tree_table(details.nodes, number, PREDICTION),
        counts_table(details, number),
        leaves_table(details, number),
        ratios_table(details, number) if details.by_ratio else gaps_table(details, number),
        indices_table(details, number),
        similar_table(details, number, SIMILAR_BINS, SIMILAR_NOTE),
        treated_table(details, number),
        found_table(details, number),
        bounds_table(details, number),
        settings_table(details, number),
    ]


def tree_table(nodes: pd.DataFrame, number: int, prediction: ColumnSpec) -> Table:
    """Return one row a node: its split or prediction, and the way to it; `prediction` says what leaves predict."""
    columns = (
        ColumnSpec("node", "node", "number", "Its number; the root is 1.", digits=0),
        ColumnSpec("parent", "parent", "number", "The node above.", digits=0),
        ColumnSpec("side", "side", "text", "no: also where a value is missing."),
        ColumnSpec("depth", "depth", "number", "Questions on the way.", digits=0),
        ColumnSpec("is_leaf", "leaf", "text", "Whether the way ends here."),
        ColumnSpec("words", "question or answer", "text", "In words."),
        prediction,
        ColumnSpec("path", "the way to it", "text", "Who comes here."),
        ColumnSpec("condition", "condition", "code", "As a condition."),
        ColumnSpec("uses_protected", "reveals the group", "text", "Whether the question does."),
        ColumnSpec("proxies", "nearly reveals it", "text", "Columns in it that do."),
    )
    rows = tuple(
        (
            row.node, row.parent, row.side, row.depth, bool(row.is_leaf), shown(row.words),
            shown(row.prediction) if row.is_leaf else "", shown(row.path), shown(row.condition),
            None if row.uses_protected is None else bool(row.uses_protected), shown(row.proxies),
        )
        for row in nodes.itertuples()
    )  # fmt: skip
    return Table(f"remedy_{number}_tree", "The tree, node by node", columns, rows)


def counts_table(details: TreesDetails, number: int) -> Table:
    """Return one row for each node and group: who comes there, and how many of them have the outcome."""
    columns = (
        ColumnSpec("node", "node", "number", "Its number.", digits=0),
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("n_learned", "training cases", "count", "That come here."),
        ColumnSpec("n_learned_positive", "training, with the outcome", "count", "Of these."),
        ColumnSpec("learned_rate", "training, share", "share", "As a share."),
        ColumnSpec("n", "test cases", "count", "That come here."),
        ColumnSpec("n_positive", "test, with the outcome", "count", "Of these."),
        ColumnSpec("rate", "test, share", "share", "As a share."),
        ColumnSpec("rate_interval", "likely range", "share_interval", "Wilson's."),
    )
    rows = table_rows(details.counts, columns)
    note = "Only cases of a known group."
    return Table(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def leaves_table(details: TreesDetails, number: int) -> Table:
    """Return one row a leaf over all groups: what it predicts and how often it is right."""
    columns = (
        ColumnSpec("leaf", "leaf", "number", "Its number.", digits=0),
        ColumnSpec("path", "who comes here", "text", "Who comes here."),
        ColumnSpec("prediction", "answer", "text", "What is predicted."),
        ColumnSpec("n_learned", "training cases", "count", "That come here."),
        ColumnSpec("n", "test cases", "count", "That come here."),
        ColumnSpec("n_right", "right", "count", "Of these."),
        ColumnSpec("accuracy", "right, share", "share", "As a share."),
        ColumnSpec("accuracy_interval", "likely range", "share_interval", "Wilson's."),
    )
    rows = table_rows(details.leaves, columns)
    return Table(f"remedy_{number}_leaves", "The answers of the tree", columns, rows)


def gaps_table(details: TreesDetails, number: int) -> Table:
    """Return the difference of each rate and pair of groups on training, tuning and held-out rows side by side."""
    note = "First group minus second."
    return differences_table(details, f"remedy_{number}_alike", note=note)


def ratios_table(details: TreesDetails, number: int) -> Table:
    """Return the ratio of shares of each pair of groups on training, tuning and held-out rows side by side."""
    columns = (
        ColumnSpec("first", "one group", "group", "One group."),
        ColumnSpec("second", "other group", "group", "The other group."),
        ColumnSpec("trained", "training", "share", "Ratio, training cases.", beside=FOUR_FIFTHS),
        ColumnSpec("tuned", "tuning", "share", "Ratio, tuning cases.", beside=FOUR_FIFTHS),
        ColumnSpec("held_out", "test", "share", "Ratio, test cases.", beside=FOUR_FIFTHS),
        ColumnSpec("held_out_interval", "likely range", "share_interval", "Of the ratio, test cases."),
        ColumnSpec("n_first", "cases, one", "count", "Test cases."),
        ColumnSpec("n_second", "cases, other", "count", "Test cases."),
        ColumnSpec("reading", "reading", "text", "Whether it is at least 80%."),
    )
    rows = tuple(
        (
            row.first, row.second, shown(row.trained), shown(row.tuned), row.held_out, (row.low, row.high),
            row.n_first, row.n_second, row.reading,
        )
        for row in details.ratios.itertuples()
    )  # fmt: skip
    note = "The smaller share over the larger; the rule asks for 80%."
    return Table(f"remedy_{number}_alike", "Ratios between two groups", columns, rows, note=note)


def indices_table(details: TreesDetails, number: int) -> Table:
    """Return both indices of discrimination on all parts of the rows, before and after."""
    columns = (
        ColumnSpec("index", "index", "text", "Disparate impact (DIDI) or treatment (DTDI)."),
        ColumnSpec("part", "cases", "text", "Which part of them."),
        ColumnSpec("before", "without", "number", "Without the remedy.", digits=4),
        ColumnSpec("after", "with", "number", "With it.", digits=4),
        ColumnSpec("n", "compared", "count", "Cases."),
        ColumnSpec("n_compared", "with similar", "count", "Cases with a similar one in each group."),
        ColumnSpec("sampled", "drawn", "text", "Whether these are drawn from more."),
    )
    rows = tuple(
        (
            row.index.upper(), PART_WORDS[row.part], shown(row.before), shown(row.after), row.n, row.n_compared,
            bool(row.sampled),
        )
        for row in details.indices.itertuples(index=False)
    )  # fmt: skip
    note = "0: all groups are alike."
    return Table(f"remedy_{number}_indices", "Indices of discrimination", columns, rows, note=note)


def similar_table(
    details: TreesDetails | AmountTreeDetails, number: int, bins: tuple[ColumnSpec, ColumnSpec], note: str
) -> Table:
    """Return how differently people are treated from those like them, before and after; `bins` are their ends."""
    columns = (
        ColumnSpec("model", "model", "text", "Without or with the remedy."),
        *bins,
        ColumnSpec("n", "test cases", "count", "With such a difference."),
        ColumnSpec("share", "share", "share", "Of those similar to people of several groups."),
    )
    rows = table_rows(details.similar, columns)
    title = "How much the group counts"
    return Table(f"remedy_{number}_similar", title, columns, rows, note=note)


def treated_table(details: TreesDetails | AmountTreeDetails, number: int) -> Table:
    """Return by group how many people are treated as those like them are, before and after."""
    columns = (
        ColumnSpec("model", "model", "text", "Without or with the remedy."),
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("n", "test cases", "count", "Similar to people of several groups."),
        ColumnSpec("n_alike", "treated alike", "count", "For whom the group makes no difference."),
        ColumnSpec("share", "share", "share", "As a share."),
    )
    rows = table_rows(details.alike, columns)
    return Table(f"remedy_{number}_treated", "Similar people, by group", columns, rows)


def found_table(details: TreesDetails, number: int) -> Table:
    """Return how the search for a tree ended, one row a figure."""
    figures: list[tuple[Any, ...]] = [
        ("price of discrimination", *priced(details.fairness_weight)),
        ("right, training cases", "", "", shown(details.trained_accuracy), ""),
        ("right, tuning cases", "", "", shown(details.tuned_accuracy), ""),
    ]
    if details.max_discrimination is not None:
        figures.append(("index allowed", details.max_discrimination, "", "", ""))
    return search_table(details, number, "Where it is a number.", figures, in_shares=is_share(details))


def settings_table(details: TreesDetails, number: int) -> Table:
    """Return trees of other settings, on training and tuning rows."""
    by_ratio = details.by_ratio
    gap = "smallest ratio" if by_ratio else "gap, points"
    kind: Kind = "share" if by_ratio else "size"
    limit: Kind = "number" if details.constraint in (None, "four_fifths") else "size"
    return tried_table(
        details,
        number,
        ColumnSpec("limit", "allowed", limit, "A setting."),
        (ColumnSpec("accuracy", "right", "share"), ColumnSpec("gap", gap, kind)),
        digits=4,
    )
