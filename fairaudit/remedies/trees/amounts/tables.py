"""The tables of a tree of amounts: who comes to which node, the leaves, the search, other settings, similar people."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.findings import Amount, Message
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.shared.amount_tables import digits_of
from fairaudit.remedies.shared.group_gaps import table_rows
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.search_tables import bounds_table, priced, search_table, tried_table
from fairaudit.remedies.trees.tables import similar_table, tree_table
from fairaudit.remedies.trees.tables import treated_table as outcomes_treated_table
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts

SIMILAR_NOTE = "Mean prediction: similar people of the own group minus all similar people."


def amount_tree_tables(finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[Table]:
    """Return the tables of the tree of one remedy; what is hidden has no rows."""
    details, digits = finding.details, digits_of(facts)
    predicts = ColumnSpec("prediction", "predicts", "amount", "In a leaf, or its mean.", digits=digits)
    return [
        tree_table(details.nodes, number, predicts),
        nodes_table(details, digits, number),
        leaves_table(details, digits, number),
        similar_table(details, number, similar_bins(digits), SIMILAR_NOTE),
        treated_table(details, digits, number),
        found_table(details, number),
        bounds_table(details, number),
        settings_table(details, digits, number),
    ]


def nodes_table(details: AmountTreeDetails, digits: int, number: int) -> Table:
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
    return Table(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def leaves_table(details: AmountTreeDetails, digits: int, number: int) -> Table:
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
    return Table(f"remedy_{number}_leaves", "The answers of the tree", columns, rows)


def found_table(details: AmountTreeDetails, number: int) -> Table:
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


def treated_table(details: AmountTreeDetails, digits: int, number: int) -> Table:
    """Return by group how many people are treated as those like them are, before and after."""
    within = Message("tree-alike-within", {"within": Amount(details.alike_within, digits)})
    return replace(outcomes_treated_table(details, number), note=say(within))


def settings_table(details: AmountTreeDetails, digits: int, number: int) -> Table:
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
