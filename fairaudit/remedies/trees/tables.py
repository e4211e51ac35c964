"""The tables of a decision tree, of outcomes or amounts: its nodes, who comes to each, the search, other settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd

from fairaudit.disclosure.fields import Columns, Field, Kind
from fairaudit.findings import Amount, Message
from fairaudit.measure.limits import amount_digits
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import adapted, figures_table, frame_table
from fairaudit.remedies.tables import differences_table, worded_indices
from fairaudit.remedies.trees.details import (
    ALIKE_COLUMNS,
    AMOUNT_COUNTS,
    AMOUNT_LEAVES,
    AMOUNT_NODES,
    AMOUNT_SETTINGS,
    AMOUNT_SIMILAR,
    BOUNDS,
    COUNTS,
    INDICES,
    LEAVES,
    NODES,
    RATIOS,
    SETTINGS,
    SIMILAR,
    AmountTreeDetails,
    TreesDetails,
)
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


FIGURE: Final = Field("figure", "figure", "text", "Which one.")
SEARCHED = (
    "status", "method", "objective", "bound", "optimality_gap", "n_splits", "max_depth", "depth", "n_leaves",
)  # fmt: skip
Details = TreesDetails | AmountTreeDetails


def search_table(details: Details, number: int, value: str, names: Iterable[str]) -> TableBlock:
    """Return how the search for a tree of any kind ended, and its figures of these names; one row a figure."""
    values: dict[Kind, Field] = {
        "number": Field("value", "value", "number", value, digits=4),
        "count": Field("number", "count", "number", "Where it is a count.", digits=0),
        "share": Field("share", "share", "share", "Where it is a share."),
        "text": Field("words", "in words", "text", "Where it is none."),
    }
    words = {
        "status": STATUS_WORDS.get(details.status, details.status),
        "method": METHOD_WORDS.get(details.method, details.method),
        "objective": details.objective_words,
    }
    free = details.fairness_weight == 0
    return figures_table(
        f"remedy_{number}_found",
        "How the tree was found",
        details,
        (*SEARCHED, *names),
        values,
        words=words | ({"fairness_weight": "none"} if free else {}),
        instead={"fairness_weight": ""} if free else {},
        kinds={"objective": "share", "bound": "share"} if details.objective_is_share else {},
        figure=FIGURE,
    )


def bounds_table(details: Details, number: int) -> TableBlock:
    """Return how the search closed in on the best tree."""
    return frame_table(f"remedy_{number}_bounds", say(Message("tree-bounds-title")), details.bounds, BOUNDS)


def tried_table(details: Details, number: int, declared: Columns, names: Sequence[str] = ()) -> TableBlock:
    """Return trees of other settings, of any kind, on training and tuning rows."""
    tried = details.settings.assign(chosen=[bool(chosen) for chosen in details.settings["chosen"]])
    note = say(Message("tree-settings-note"))
    return frame_table(f"remedy_{number}_settings", "Trees of other settings", tried, declared, names, note=note)


SIMILAR_NOTE = "Share predicted to have the outcome: similar people of the own group minus all similar people."


def trees_tables(finding: RemedyFinding, number: int) -> list[TableBlock]:
    """Return the tables of a tree; what is hidden has no rows or is not shown."""
    details = finding.details
    return [
        tree_table(details.nodes, number, NODES),
        counts_table(details, number, COUNTS),
        leaves_table(details, number, LEAVES),
        ratios_table(details, number) if details.by_ratio else gaps_table(details, number),
        indices_table(details, number),
        similar_table(details, number, SIMILAR, SIMILAR_NOTE),
        treated_table(details, number),
        found_table(details, number),
        bounds_table(details, number),
        settings_table(details, number),
    ]


def tree_table(nodes: pd.DataFrame, number: int, declared: Columns) -> TableBlock:
    """Return one row a node: its split or prediction, and the way to it."""
    leaf = [bool(is_leaf) for is_leaf in nodes["is_leaf"]]
    predicted = zip(leaf, nodes["prediction"], strict=True)
    shown_nodes = nodes.assign(
        is_leaf=leaf,
        prediction=pd.Series([value if is_leaf else "" for is_leaf, value in predicted], nodes.index, dtype=object),
        uses_protected=["" if uses is None else bool(uses) for uses in nodes["uses_protected"]],
    )
    return frame_table(f"remedy_{number}_tree", "The tree, node by node", shown_nodes, declared)


def counts_table(details: Details, number: int, declared: Columns) -> TableBlock:
    """Return one row for each node and group: who comes there, and what they have."""
    note = "Only cases of a known group."
    return frame_table(f"remedy_{number}_nodes", "Who comes to which node", details.counts, declared, note=note)


def leaves_table(details: Details, number: int, declared: Columns) -> TableBlock:
    """Return one row a leaf over all groups: what it predicts and how near that is."""
    return frame_table(f"remedy_{number}_leaves", "The answers of the tree", details.leaves, declared)


def gaps_table(details: TreesDetails, number: int) -> TableBlock:
    """Return the difference of each rate and pair of groups on training, tuning and held-out rows side by side."""
    note = "First group minus second."
    return differences_table(details, f"remedy_{number}_alike", note=note)


def ratios_table(details: TreesDetails, number: int) -> TableBlock:
    """Return the ratio of shares of each pair of groups on training, tuning and held-out rows side by side."""
    note = "The smaller share over the larger; the rule asks for 80%."
    return frame_table(f"remedy_{number}_alike", "Ratios between two groups", details.ratios, RATIOS, note=note)


def indices_table(details: TreesDetails, number: int) -> TableBlock:
    """Return both indices of discrimination on all parts of the rows, before and after."""
    indices = worded_indices(details.indices)
    note = "0: all groups are alike."
    return frame_table(f"remedy_{number}_indices", "Indices of discrimination", indices, INDICES, note=note)


def similar_table(details: Details, number: int, declared: Columns, note: str) -> TableBlock:
    """Return how differently people are treated from those like them, before and after."""
    return frame_table(f"remedy_{number}_similar", "How much the group counts", details.similar, declared, note=note)


def treated_table(details: Details, number: int) -> TableBlock:
    """Return by group how many people are treated as those like them are, before and after."""
    return frame_table(f"remedy_{number}_treated", "Similar people, by group", details.alike, ALIKE_COLUMNS)


def found_table(details: TreesDetails, number: int) -> TableBlock:
    """Return how the search for a tree ended, one row a figure."""
    names = ["fairness_weight", "trained_accuracy", "tuned_accuracy"]
    names += ["max_discrimination"] if details.max_discrimination is not None else []
    return search_table(details, number, "Where it is a number.", names)


def settings_table(details: TreesDetails, number: int) -> TableBlock:
    """Return trees of other settings, on training and tuning rows."""
    declared: Columns = SETTINGS
    if details.by_ratio:
        for name, part in (("trained_gap", "training"), ("gap", "tuning")):
            declared = adapted(declared, (name,), label=f"smallest ratio, {part}", kind="share")
    if details.constraint in (None, "four_fifths"):
        declared = adapted(declared, ("limit",), kind="number")
    return tried_table(details, number, declared)


AMOUNT_SIMILAR_NOTE = "Mean prediction: similar people of the own group minus all similar people."


def amount_tree_tables(finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
    """Return the tables of the tree of one remedy; what is hidden has no rows."""
    details, digits = finding.details, amount_digits(facts.deviation)
    return [
        tree_table(details.nodes, number, in_unit(AMOUNT_NODES, digits)),
        counts_table(details, number, in_unit(AMOUNT_COUNTS, digits)),
        leaves_table(details, number, in_unit(AMOUNT_LEAVES, digits)),
        similar_table(details, number, in_unit(AMOUNT_SIMILAR, digits), AMOUNT_SIMILAR_NOTE),
        amount_treated_table(details, digits, number),
        amount_found_table(details, number),
        bounds_table(details, number),
        amount_settings_table(details, digits, number),
    ]


def in_unit(declared: Columns, digits: int) -> Columns:
    """Return columns of which the amounts have so many decimals."""
    amounts = (name for name, field in declared.items() if field.kind in ("amount", "difference"))
    return adapted(declared, amounts, digits=digits)


def amount_found_table(details: AmountTreeDetails, number: int) -> TableBlock:
    """Return how the search for a tree ended, one row a figure."""
    names = ("max_difference", "fairness_weight", "trained_mae", "tuned_mae")
    return search_table(details, number, "Where it is an amount or price.", names)


def amount_treated_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return by group how many people are treated as those like them are, before and after."""
    within = Message("tree-alike-within", {"within": Amount(details.alike_within, digits)})
    return replace(treated_table(details, number), note=say(within))


AMOUNT_SETTING = (
    "setting", "words", "max_depth", "limit", "weight", "depth", "n_leaves", "status", "objective", "bound",
    "trained_mae", "trained_gap", "trained_index", "mae", "gap", "index", "chosen",
)  # fmt: skip


def amount_settings_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return trees of other settings, on training and tuning rows."""
    finer = ("objective", "bound", "trained_index", "index")
    declared = adapted(in_unit(AMOUNT_SETTINGS, digits), finer, digits=digits + 1)
    declared = adapted(declared, ("limit",), digits=digits)
    return tried_table(details, number, declared, AMOUNT_SETTING)
