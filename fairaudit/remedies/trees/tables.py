"""The tables of a decision tree, of outcomes or amounts: its nodes, who comes to each, the search, other settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from fairaudit.findings import Amount, Message
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Kind, TableBlock
from fairaudit.present.numbers import amount_digits, shown
from fairaudit.remedies.shared.amount_tables import PART_WORDS, digits_of
from fairaudit.remedies.shared.group_gaps import differences_table, table_rows
from fairaudit.remedies.trees.details import AmountTreeDetails, TreesDetails
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding

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
) -> TableBlock:
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
    return TableBlock(f"remedy_{number}_found", "How the tree was found", columns, rows)


def priced(weight: float | None) -> tuple[float | str, str, str, str]:
    """Return the cells of a row of :func:`search_table` after its first, for what an index costs."""
    if weight is None:
        return (shown(None), "", "", "")
    return (weight, "", "", "") if weight else ("", "", "", "none")


def bounds_table(details: TreesDetails | AmountTreeDetails, number: int) -> TableBlock:
    """Return how the search closed in on the best tree."""
    columns = (
        ColumnSpec("share", "share of the work", "share", "Of the work allowed, until then."),
        ColumnSpec("objective", "best so far", "number", "Of the best tree until then.", digits=4),
        ColumnSpec("bound", "proven bound", "number", "No tree of this size has less.", digits=4),
    )
    rows = table_rows(details.bounds, columns)
    return TableBlock(f"remedy_{number}_bounds", say(Message("tree-bounds-title")), columns, rows)


def tried_table(
    details: TreesDetails | AmountTreeDetails,
    number: int,
    limit: ColumnSpec,
    figures: tuple[ColumnSpec, ColumnSpec],
    *,
    digits: int,
) -> TableBlock:
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
    return TableBlock(f"remedy_{number}_settings", "Trees of other settings", columns, rows, note=note)


PREDICTION = ColumnSpec("prediction", "predicts", "number", "In a leaf: 1 for the outcome.", digits=0)
SIMILAR_BINS = (
    ColumnSpec("low", "from, points", "points", "Lower end."),
    ColumnSpec("high", "to, points", "points", "Upper end; both 0: no difference."),
)
SIMILAR_NOTE = "Share predicted to have the outcome: similar people of the own group minus all similar people."


def trees_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
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


def tree_table(nodes: pd.DataFrame, number: int, prediction: ColumnSpec) -> TableBlock:
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
    return TableBlock(f"remedy_{number}_tree", "The tree, node by node", columns, rows)


def counts_table(details: TreesDetails, number: int) -> TableBlock:
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
    return TableBlock(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def leaves_table(details: TreesDetails, number: int) -> TableBlock:
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
    return TableBlock(f"remedy_{number}_leaves", "The answers of the tree", columns, rows)


def gaps_table(details: TreesDetails, number: int) -> TableBlock:
    """Return the difference of each rate and pair of groups on training, tuning and held-out rows side by side."""
    note = "First group minus second."
    return differences_table(details, f"remedy_{number}_alike", note=note)


def ratios_table(details: TreesDetails, number: int) -> TableBlock:
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
    return TableBlock(f"remedy_{number}_alike", "Ratios between two groups", columns, rows, note=note)


def indices_table(details: TreesDetails, number: int) -> TableBlock:
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
    return TableBlock(f"remedy_{number}_indices", "Indices of discrimination", columns, rows, note=note)


def similar_table(
    details: TreesDetails | AmountTreeDetails, number: int, bins: tuple[ColumnSpec, ColumnSpec], note: str
) -> TableBlock:
    """Return how differently people are treated from those like them, before and after; `bins` are their ends."""
    columns = (
        ColumnSpec("model", "model", "text", "Without or with the remedy."),
        *bins,
        ColumnSpec("n", "test cases", "count", "With such a difference."),
        ColumnSpec("share", "share", "share", "Of those similar to people of several groups."),
    )
    rows = table_rows(details.similar, columns)
    title = "How much the group counts"
    return TableBlock(f"remedy_{number}_similar", title, columns, rows, note=note)


def treated_table(details: TreesDetails | AmountTreeDetails, number: int) -> TableBlock:
    """Return by group how many people are treated as those like them are, before and after."""
    columns = (
        ColumnSpec("model", "model", "text", "Without or with the remedy."),
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("n", "test cases", "count", "Similar to people of several groups."),
        ColumnSpec("n_alike", "treated alike", "count", "For whom the group makes no difference."),
        ColumnSpec("share", "share", "share", "As a share."),
    )
    rows = table_rows(details.alike, columns)
    return TableBlock(f"remedy_{number}_treated", "Similar people, by group", columns, rows)


def found_table(details: TreesDetails, number: int) -> TableBlock:
    """Return how the search for a tree ended, one row a figure."""
    figures: list[tuple[Any, ...]] = [
        ("price of discrimination", *priced(details.fairness_weight)),
        ("right, training cases", "", "", shown(details.trained_accuracy), ""),
        ("right, tuning cases", "", "", shown(details.tuned_accuracy), ""),
    ]
    if details.max_discrimination is not None:
        figures.append(("index allowed", details.max_discrimination, "", "", ""))
    return search_table(details, number, "Where it is a number.", figures, in_shares=is_share(details))


def settings_table(details: TreesDetails, number: int) -> TableBlock:
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


AMOUNT_SIMILAR_NOTE = "Mean prediction: similar people of the own group minus all similar people."


def amount_tree_tables(finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
    """Return the tables of the tree of one remedy; what is hidden has no rows."""
    details, digits = finding.details, digits_of(facts)
    predicts = ColumnSpec("prediction", "predicts", "amount", "In a leaf, or its mean.", digits=digits)
    return [
        tree_table(details.nodes, number, predicts),
        amount_nodes_table(details, digits, number),
        amount_leaves_table(details, digits, number),
        similar_table(details, number, similar_bins(digits), AMOUNT_SIMILAR_NOTE),
        amount_treated_table(details, digits, number),
        amount_found_table(details, number),
        bounds_table(details, number),
        amount_settings_table(details, digits, number),
    ]


def amount_nodes_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return one row for each node and group: who comes there, and their mean amounts."""
    columns = (
        ColumnSpec("node", "node", "number", "Its number.", digits=0),
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("n_learned", "training cases", "count", "That come here."),
        ColumnSpec("learned_mean", "their mean", "amount", "Of these.", digits=digits),
        ColumnSpec("n", "test cases", "count", "That come here."),
        ColumnSpec("actual", "actual mean", "amount", "Of these.", digits=digits),
        ColumnSpec("predicted", "predicted mean", "amount", "For these.", digits=digits),
    )
    rows = table_rows(details.counts, columns)
    note = "Only cases of a known group."
    return TableBlock(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def amount_leaves_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return one row a leaf over all groups: what it predicts, and what those who come there have."""
    columns = (
        ColumnSpec("leaf", "leaf", "number", "Its number.", digits=0),
        ColumnSpec("path", "who comes here", "text", "Who comes here."),
        ColumnSpec("prediction", "answer", "text", "What is predicted."),
        ColumnSpec("n_learned", "training cases", "count", "That come here."),
        ColumnSpec("n", "test cases", "count", "That come here."),
        ColumnSpec("actual", "actual mean", "amount", "Of these.", digits=digits),
        ColumnSpec("predicted", "predicted mean", "amount", "For these.", digits=digits),
        ColumnSpec("mae", "absolute error", "amount", "Mean absolute error.", digits=digits),
    )
    rows = table_rows(details.leaves, columns)
    return TableBlock(f"remedy_{number}_leaves", "The answers of the tree", columns, rows)


def amount_found_table(details: AmountTreeDetails, number: int) -> TableBlock:
    """Return how the search for a tree ended, one row a figure."""
    figures = (
        ("limit of the gap", details.max_difference, "", "", ""),
        ("price of discrimination", *priced(details.fairness_weight)),
        ("off on average, training cases", shown(details.trained_mae), "", "", ""),
        ("off on average, tuning cases", shown(details.tuned_mae), "", "", ""),
    )
    return search_table(details, number, "Where it is an amount or price.", figures)


def similar_bins(digits: int) -> tuple[ColumnSpec, ColumnSpec]:
    """Return the columns of the ends of bins, in the unit of the amount."""
    return (
        ColumnSpec("low", "from", "difference", "Lower end.", digits=digits),
        ColumnSpec("high", "to", "difference", "Upper end.", digits=digits),
    )


def amount_treated_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return by group how many people are treated as those like them are, before and after."""
    within = Message("tree-alike-within", {"within": Amount(details.alike_within, digits)})
    return replace(treated_table(details, number), note=say(within))


def amount_settings_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return trees of other settings, on training and tuning rows."""
    return tried_table(
        details,
        number,
        ColumnSpec("limit", "allowed", "number", "Of the gap or the index.", digits=digits),
        (
            ColumnSpec("mae", "off on average", "amount", digits=digits),
            ColumnSpec("gap", "gap", "amount", digits=digits),
        ),
        digits=digits + 1,
    )
