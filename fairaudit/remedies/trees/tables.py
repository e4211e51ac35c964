"""The tables of a decision tree: its nodes, who comes to each, what its leaves are right about, and similar people."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.shared.alike_table import TRAINING, differences_table
from fairaudit.remedies.shared.amount_tables import PART_WORDS
from fairaudit.remedies.shared.frames import TUNING, table_rows
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.search_tables import bounds_table, priced, search_table, tried_table
from fairaudit.remedies.trees.words import is_share
from fairaudit.study.findings import RemedyFinding

PREDICTION = ColumnSpec("prediction", "predicts", "number", "In a leaf: 1 for the outcome, 0 for the other.", digits=0)
SIMILAR_BINS = (
    ColumnSpec("low", "from, points", "points", "Lower end of the bin."),
    ColumnSpec("high", "to, points", "points", "Upper end of the bin; both 0: no difference."),
)
SIMILAR_NOTE = (
    "The share of positive predictions among similar people of the own group, minus that among all similar people."
)


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
        ColumnSpec("node", "node", "number", "Number of the node; the root is 1.", digits=0),
        ColumnSpec("parent", "parent", "number", "The node above; 0 for the root.", digits=0),
        ColumnSpec("side", "side", "text", "yes: the split above holds; no: it does not, or a value is missing."),
        ColumnSpec("depth", "depth", "number", "Splits on the way to it.", digits=0),
        ColumnSpec("is_leaf", "leaf", "text", "yes: the way ends here."),
        ColumnSpec("words", "split or prediction", "text", "The split in words, or what the leaf predicts."),
        prediction,
        ColumnSpec("path", "the way to it", "text", "Which rows come here, in words."),
        ColumnSpec("condition", "condition", "code", "The same as a condition."),
        ColumnSpec("uses_protected", "tells the groups", "text", "yes: the split uses a column that tells the groups."),
        ColumnSpec("proxies", "close to showing them", "text", "Columns in it that come close to showing the groups."),
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
        ColumnSpec("node", "node", "number", "Number of the node.", digits=0),
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n_learned", "training rows", "count", "Training rows of the group that come to the node."),
        ColumnSpec("n_learned_positive", "positive", "count", "Those of them that have the outcome."),
        ColumnSpec("learned_rate", "share", "share", "The same as a share."),
        ColumnSpec("n", "held-out rows", "count", "Held-out rows of the group that come to the node."),
        ColumnSpec("n_positive", "positive", "count", "Those of them that have the outcome."),
        ColumnSpec("rate", "share", "share", "The same as a share."),
        ColumnSpec("rate_interval", "interval", "share_interval", "Wilson interval of that share."),
    )
    rows = table_rows(details.counts, columns)
    note = "Rows of a known group. A share of no rows is not defined."
    return Table(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def leaves_table(details: TreesDetails, number: int) -> Table:
    """Return one row a leaf over all groups: what it predicts and how often it is right."""
    columns = (
        ColumnSpec("leaf", "leaf", "number", "Number of the node.", digits=0),
        ColumnSpec("path", "who comes here", "text", "Which rows come here, in words."),
        ColumnSpec("prediction", "prediction", "text", "What is predicted for them."),
        ColumnSpec("n_learned", "training rows", "count", "Training rows that come here."),
        ColumnSpec("n", "held-out rows", "count", "Held-out rows of a known group that come here."),
        ColumnSpec("n_right", "rightly", "count", "Those of them that have what is predicted."),
        ColumnSpec("accuracy", "rightly, share", "share", "The same as a share."),
        ColumnSpec("accuracy_interval", "interval", "share_interval", "Wilson interval of that share."),
    )
    rows = table_rows(details.leaves, columns)
    return Table(f"remedy_{number}_leaves", "The leaves, from left to right", columns, rows)


def gaps_table(details: TreesDetails, number: int) -> Table:
    """Return the difference of each rate and pair of groups on training, tuning and held-out rows side by side."""
    note = "First group minus second. Training: what the tree learned from; tuning: not learned from."
    return differences_table(details, f"remedy_{number}_alike", note=note)


def ratios_table(details: TreesDetails, number: int) -> Table:
    """Return the ratio of shares of each pair of groups on training, tuning and held-out rows side by side."""
    columns = (
        ColumnSpec("first", "one group", "text", "The smaller share of the two is divided by the larger."),
        ColumnSpec("second", "other group", "text", "The other group."),
        ColumnSpec("trained", "training", "share", f"Ratio of the shares. {TRAINING}", beside=FOUR_FIFTHS),
        ColumnSpec("tuned", "tuning", "share", f"Ratio of the shares. {TUNING}", beside=FOUR_FIFTHS),
        ColumnSpec("held_out", "held out", "share", "Ratio, held-out rows.", beside=FOUR_FIFTHS),
        ColumnSpec("held_out_interval", "interval", "share_interval", "Of the ratio on the held-out rows."),
        ColumnSpec("n_first", "rows, one", "count", "Held-out rows of the one group."),
        ColumnSpec("n_second", "rows, other", "count", "Held-out rows of the other group."),
        ColumnSpec("reading", "reading", "text", "Whether it is at least 80 %, and how clear that is."),
    )
    rows = tuple(
        (
            row.first, row.second, shown(row.trained), shown(row.tuned), row.held_out, (row.low, row.high),
            row.n_first, row.n_second, row.reading,
        )
        for row in details.ratios.itertuples()
    )  # fmt: skip
    note = "Shares of positive predictions, the smaller over the larger; by the rule, at least 80 %."
    return Table(f"remedy_{number}_alike", "Ratios of what had to be alike", columns, rows, note=note)


def indices_table(details: TreesDetails, number: int) -> Table:
    """Return both indices of discrimination on all parts of the rows, before and after."""
    columns = (
        ColumnSpec("index", "index", "text", "DIDI: disparate impact; DTDI: disparate treatment."),
        ColumnSpec("part", "rows", "text", "Which part of the rows."),
        ColumnSpec("before", "before", "number", "The index without limit and price.", digits=4),
        ColumnSpec("after", "after", "number", "The index of the tree.", digits=4),
        ColumnSpec("n", "rows compared", "count", "Rows that it is about."),
        ColumnSpec("n_compared", "with similar in each group", "count", "Those with a similar person in each group."),
        ColumnSpec("sampled", "drawn", "text", "yes: these rows were drawn at random from more."),
    )
    rows = tuple(
        (
            row.index.upper(), PART_WORDS[row.part], shown(row.before), shown(row.after), row.n, row.n_compared,
            bool(row.sampled),
        )
        for row in details.indices.itertuples(index=False)
    )  # fmt: skip
    note = "0: all groups are alike. DTDI is divided by rows and groups."
    return Table(f"remedy_{number}_indices", "Indices of discrimination", columns, rows, note=note)


def similar_table(
    details: TreesDetails | AmountTreeDetails, number: int, bins: tuple[ColumnSpec, ColumnSpec], note: str
) -> Table:
    """Return how differently people are treated from those like them, before and after; `bins` are their ends."""
    columns = (
        ColumnSpec("model", "model", "text", "Before or after."),
        *bins,
        ColumnSpec("n", "rows", "count", "Held-out rows in the bin."),
        ColumnSpec("share", "share", "share", "The same as a share of those with similar people in several groups."),
    )
    rows = table_rows(details.similar, columns)
    title = "How much the group counts among similar people"
    return Table(f"remedy_{number}_similar", title, columns, rows, note=note)


def treated_table(details: TreesDetails | AmountTreeDetails, number: int) -> Table:
    """Return by group how many people are treated as those like them are, before and after."""
    columns = (
        ColumnSpec("model", "model", "text", "Before or after."),
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n", "rows", "count", "Held-out rows with similar people in more than one group."),
        ColumnSpec("n_alike", "treated alike", "count", "Those of them for whom the group makes no difference."),
        ColumnSpec("share", "share", "share", "The same as a share."),
    )
    rows = table_rows(details.alike, columns)
    return Table(f"remedy_{number}_treated", "Similar people treated alike, by group", columns, rows)


def found_table(details: TreesDetails, number: int) -> Table:
    """Return how the search for a tree ended, one row a figure."""
    figures: list[tuple[Any, ...]] = [
        ("price of discrimination", *priced(details.fairness_weight)),
        ("accuracy on the training rows", "", "", shown(details.trained_accuracy), ""),
        ("accuracy on the tuning rows", "", "", shown(details.tuned_accuracy), ""),
    ]
    if details.max_discrimination is not None:
        figures.append(("index allowed", details.max_discrimination, "", "", ""))
    return search_table(details, number, "The figure, where it is a number.", figures, in_shares=is_share(details))


def settings_table(details: TreesDetails, number: int) -> Table:
    """Return trees of other settings, on training and tuning rows."""
    by_ratio = details.by_ratio
    gap = "smallest ratio" if by_ratio else "largest difference, points"
    kind: Kind = "share" if by_ratio else "size"
    limit: Kind = "number" if details.constraint in (None, "four_fifths") else "size"
    return tried_table(
        details,
        number,
        ColumnSpec("limit", "allowed", limit, "A setting; a margin is taken off for training."),
        (ColumnSpec("accuracy", "accuracy", "share"), ColumnSpec("gap", gap, kind)),
        digits=4,
    )
