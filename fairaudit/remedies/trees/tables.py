"""The tables of a decision tree, of outcomes or amounts: its nodes, who comes to each, the search, other settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Amount, Message
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import shown
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
        Field("figure", "figure", "text", "Which one."),
        Field("value", "value", "number", value, digits=4),
        Field("number", "count", "number", "Where it is a count.", digits=0),
        Field("share", "share", "share", "Where it is a share."),
        Field("words", "in words", "text", "Where it is none."),
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
        Field("share", "share of the work", "share", "Of the work allowed, until then."),
        Field("objective", "best so far", "number", "Of the best tree until then.", digits=4),
        Field("bound", "proven bound", "number", "No tree of this size has less.", digits=4),
    )
    rows = table_rows(details.bounds, columns)
    return TableBlock(f"remedy_{number}_bounds", say(Message("tree-bounds-title")), columns, rows)


def tried_table(
    details: TreesDetails | AmountTreeDetails,
    number: int,
    limit: Field,
    figures: tuple[Field, Field],
    *,
    digits: int,
) -> TableBlock:
    """Return trees of other settings, of any kind."""
    shown = (*figures, Field("index", "index", "number", digits=digits))
    columns = (
        Field("setting", "field", "code", "What differs."),
        Field("words", "setting", "text", "In words."),
        Field("max_depth", "questions allowed", "number", "A setting.", digits=0),
        limit,
        Field("weight", "price", "number", "Of the index."),
        Field("depth", "questions", "number", "In a row.", digits=0),
        Field("n_leaves", "answers", "number", "Of the tree.", digits=0),
        Field("status", "search", "code", "How the search ended."),
        Field("objective", "made small", "number", "What is made small, training cases.", digits=digits),
        Field("bound", "proven bound", "number", "No tree of this size has less, training cases.", digits=digits),
        *(
            replace(each, name=f"trained_{each.name}", label=f"{each.label}, training", meaning="Training cases.")
            for each in shown
        ),
        *(replace(each, label=f"{each.label}, tuning", meaning="Tuning cases.") for each in shown),
        Field("chosen", "chosen", "text", "Whether it is this tree."),
    )
    names = [column.name for column in columns]
    rows = tuple(
        tuple(bool(row[name]) if name == "chosen" else row[name] for name in names)
        for row in details.settings.to_dict("records")
    )
    note = say(Message("tree-settings-note"))
    return TableBlock(f"remedy_{number}_settings", "Trees of other settings", columns, rows, note=note)


PREDICTION = Field("prediction", "predicts", "number", "In a leaf: 1 for the outcome.", digits=0)
SIMILAR_BINS = (
    Field("low", "from, points", "points", "Lower end."),
    Field("high", "to, points", "points", "Upper end; both 0: no difference."),
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


def tree_table(nodes: pd.DataFrame, number: int, prediction: Field) -> TableBlock:
    """Return one row a node: its split or prediction, and the way to it; `prediction` says what leaves predict."""
    columns = (
        Field("node", "node", "number", "Its number; the root is 1.", digits=0),
        Field("parent", "parent", "number", "The node above.", digits=0),
        Field("side", "side", "text", "no: also where a value is missing."),
        Field("depth", "depth", "number", "Questions on the way.", digits=0),
        Field("is_leaf", "leaf", "text", "Whether the way ends here."),
        Field("words", "question or answer", "text", "In words."),
        prediction,
        Field("path", "the way to it", "text", "Who comes here."),
        Field("condition", "condition", "code", "As a condition."),
        Field("uses_protected", "reveals the group", "text", "Whether the question does."),
        Field("proxies", "nearly reveals it", "text", "Columns in it that do."),
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
        Field("node", "node", "number", "Its number.", digits=0),
        Field("group", "group", "group", "The group."),
        Field("n_learned", "training cases", "count", "That come here."),
        Field("n_learned_positive", "training, with the outcome", "count", "Of these."),
        Field("learned_rate", "training, share", "share", "As a share."),
        Field("n", "test cases", "count", "That come here."),
        Field("n_positive", "test, with the outcome", "count", "Of these."),
        Field("rate", "test, share", "share", "As a share."),
        Field("rate_interval", "likely range", "share_interval", "Wilson's."),
    )
    rows = table_rows(details.counts, columns)
    note = "Only cases of a known group."
    return TableBlock(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def leaves_table(details: TreesDetails, number: int) -> TableBlock:
    """Return one row a leaf over all groups: what it predicts and how often it is right."""
    columns = (
        Field("leaf", "leaf", "number", "Its number.", digits=0),
        Field("path", "who comes here", "text", "Who comes here."),
        Field("prediction", "answer", "text", "What is predicted."),
        Field("n_learned", "training cases", "count", "That come here."),
        Field("n", "test cases", "count", "That come here."),
        Field("n_right", "right", "count", "Of these."),
        Field("accuracy", "right, share", "share", "As a share."),
        Field("accuracy_interval", "likely range", "share_interval", "Wilson's."),
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
        Field("first", "one group", "group", "One group."),
        Field("second", "other group", "group", "The other group."),
        Field("trained", "training", "share", "Ratio, training cases.", beside=FOUR_FIFTHS),
        Field("tuned", "tuning", "share", "Ratio, tuning cases.", beside=FOUR_FIFTHS),
        Field("held_out", "test", "share", "Ratio, test cases.", beside=FOUR_FIFTHS),
        Field("held_out_interval", "likely range", "share_interval", "Of the ratio, test cases."),
        Field("n_first", "cases, one", "count", "Test cases."),
        Field("n_second", "cases, other", "count", "Test cases."),
        Field("reading", "reading", "text", "Whether it is at least 80%."),
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
        Field("index", "index", "text", "Disparate impact (DIDI) or treatment (DTDI)."),
        Field("part", "cases", "text", "Which part of them."),
        Field("before", "without", "number", "Without the remedy.", digits=4),
        Field("after", "with", "number", "With it.", digits=4),
        Field("n", "compared", "count", "Cases."),
        Field("n_compared", "with similar", "count", "Cases with a similar one in each group."),
        Field("sampled", "drawn", "text", "Whether these are drawn from more."),
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
    details: TreesDetails | AmountTreeDetails, number: int, bins: tuple[Field, Field], note: str
) -> TableBlock:
    """Return how differently people are treated from those like them, before and after; `bins` are their ends."""
    columns = (
        Field("model", "model", "text", "Without or with the remedy."),
        *bins,
        Field("n", "test cases", "count", "With such a difference."),
        Field("share", "share", "share", "Of those similar to people of several groups."),
    )
    rows = table_rows(details.similar, columns)
    title = "How much the group counts"
    return TableBlock(f"remedy_{number}_similar", title, columns, rows, note=note)


def treated_table(details: TreesDetails | AmountTreeDetails, number: int) -> TableBlock:
    """Return by group how many people are treated as those like them are, before and after."""
    columns = (
        Field("model", "model", "text", "Without or with the remedy."),
        Field("group", "group", "group", "The group."),
        Field("n", "test cases", "count", "Similar to people of several groups."),
        Field("n_alike", "treated alike", "count", "For whom the group makes no difference."),
        Field("share", "share", "share", "As a share."),
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
    return search_table(details, number, "Where it is a number.", figures, in_shares=details.objective_is_share)


def settings_table(details: TreesDetails, number: int) -> TableBlock:
    """Return trees of other settings, on training and tuning rows."""
    by_ratio = details.by_ratio
    gap = "smallest ratio" if by_ratio else "gap, points"
    kind: Kind = "share" if by_ratio else "size"
    limit: Kind = "number" if details.constraint in (None, "four_fifths") else "size"
    return tried_table(
        details,
        number,
        Field("limit", "allowed", limit, "A setting."),
        (Field("accuracy", "right", "share"), Field("gap", gap, kind)),
        digits=4,
    )


AMOUNT_SIMILAR_NOTE = "Mean prediction: similar people of the own group minus all similar people."


def amount_tree_tables(finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
    """Return the tables of the tree of one remedy; what is hidden has no rows."""
    details, digits = finding.details, digits_of(facts)
    predicts = Field("prediction", "predicts", "amount", "In a leaf, or its mean.", digits=digits)
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
        Field("node", "node", "number", "Its number.", digits=0),
        Field("group", "group", "group", "The group."),
        Field("n_learned", "training cases", "count", "That come here."),
        Field("learned_mean", "their mean", "amount", "Of these.", digits=digits),
        Field("n", "test cases", "count", "That come here."),
        Field("actual", "actual mean", "amount", "Of these.", digits=digits),
        Field("predicted", "predicted mean", "amount", "For these.", digits=digits),
    )
    rows = table_rows(details.counts, columns)
    note = "Only cases of a known group."
    return TableBlock(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def amount_leaves_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return one row a leaf over all groups: what it predicts, and what those who come there have."""
    columns = (
        Field("leaf", "leaf", "number", "Its number.", digits=0),
        Field("path", "who comes here", "text", "Who comes here."),
        Field("prediction", "answer", "text", "What is predicted."),
        Field("n_learned", "training cases", "count", "That come here."),
        Field("n", "test cases", "count", "That come here."),
        Field("actual", "actual mean", "amount", "Of these.", digits=digits),
        Field("predicted", "predicted mean", "amount", "For these.", digits=digits),
        Field("mae", "absolute error", "amount", "Mean absolute error.", digits=digits),
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


def similar_bins(digits: int) -> tuple[Field, Field]:
    """Return the columns of the ends of bins, in the unit of the amount."""
    return (
        Field("low", "from", "difference", "Lower end.", digits=digits),
        Field("high", "to", "difference", "Upper end.", digits=digits),
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
        Field("limit", "allowed", "number", "Of the gap or the index.", digits=digits),
        (
            Field("mae", "off on average", "amount", digits=digits),
            Field("gap", "gap", "amount", digits=digits),
        ),
        digits=digits + 1,
    )
