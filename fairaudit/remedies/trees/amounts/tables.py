"""The tables of a tree of amounts: who comes to which node, the leaves, the search, other settings, similar people."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import number_text, shown
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.remedies.shared.frames import table_rows
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.search_tables import bounds_table, priced, search_table, tried_table
from fairaudit.remedies.trees.tables import similar_table, tree_table
from fairaudit.remedies.trees.tables import treated_table as outcomes_treated_table
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts

SIMILAR_NOTE = "The mean prediction for similar people of the own group, minus that for all similar people."


def amount_tree_tables(finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[Table]:
    """Return the tables of the tree of one remedy; what is hidden has no rows."""
    details, digits = finding.details, digits_of(facts)
    predicts = ColumnSpec("prediction", "predicts", "amount", "In a leaf: the amount, or its mean.", digits=digits)
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
        ColumnSpec("node", "node", "number", "Number of the node.", digits=0),
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n_learned", "training rows", "count", "Training rows of the group that come to the node."),
        ColumnSpec("learned_mean", "their mean", "amount", "Mean amount of these.", digits=digits),
        ColumnSpec("n", "held-out rows", "count", "Held-out rows of the group that come to the node."),
        ColumnSpec("actual", "actual mean", "amount", "Mean amount of these.", digits=digits),
        ColumnSpec("predicted", "predicted mean", "amount", "Mean of what is predicted for these.", digits=digits),
    )
    rows = table_rows(details.counts, columns)
    note = "Rows of a known group. A mean of no rows is not defined."
    return Table(f"remedy_{number}_nodes", "Who comes to which node", columns, rows, note=note)


def leaves_table(details: AmountTreeDetails, digits: int, number: int) -> Table:
    """Return one row a leaf over all groups: what it predicts, and what those who come there have."""
    columns = (
        ColumnSpec("leaf", "leaf", "number", "Number of the node.", digits=0),
        ColumnSpec("path", "who comes here", "text", "Which rows come here, in words."),
        ColumnSpec("prediction", "prediction", "text", "What is predicted for them."),
        ColumnSpec("n_learned", "training rows", "count", "Training rows that come here."),
        ColumnSpec("n", "held-out rows", "count", "Held-out rows of a known group that come here."),
        ColumnSpec("actual", "actual mean", "amount", "Their mean amount.", digits=digits),
        ColumnSpec("predicted", "predicted mean", "amount", "The mean of what is predicted for them.", digits=digits),
        ColumnSpec("mae", "absolute error", "amount", "Mean absolute error among them.", digits=digits),
    )
    rows = table_rows(details.leaves, columns)
    return Table(f"remedy_{number}_leaves", "The leaves, from left to right", columns, rows)


def found_table(details: AmountTreeDetails, number: int) -> Table:
    """Return how the search for a tree ended, one row a figure."""
    figures = (
        ("difference of means that is allowed", details.max_difference, "", "", ""),
        ("price of discrimination", *priced(details.fairness_weight)),
        ("mean absolute error on the training rows", shown(details.trained_mae), "", "", ""),
        ("mean absolute error on the tuning rows", shown(details.tuned_mae), "", "", ""),
    )
    return search_table(details, number, "The figure, where it is an amount or a price.", figures)


def similar_bins(digits: int) -> tuple[ColumnSpec, ColumnSpec]:
    """Return the columns of the ends of bins, in the unit of the amount."""
    return (
        ColumnSpec("low", "from", "difference", "Lower end of the bin.", digits=digits),
        ColumnSpec("high", "to", "difference", "Upper end of the bin.", digits=digits),
    )


def treated_table(details: AmountTreeDetails, digits: int, number: int) -> Table:
    """Return by group how many people are treated as those like them are, before and after."""
    within = number_text(details.alike_within, digits=digits)
    return replace(
        outcomes_treated_table(details, number),
        note=f"Treated alike: the mean prediction for those like them in their own group is at most {within} from that "
        "for all who are like them. That is a tenth of the spread of the amounts, rounded.",
    )


def settings_table(details: AmountTreeDetails, digits: int, number: int) -> Table:
    """Return trees of other settings, on training and tuning rows."""
    return tried_table(
        details,
        number,
        ColumnSpec("limit", "allowed", "number", "A setting: the difference of means, or the index.", digits=digits),
        (
            ColumnSpec("mae", "absolute error", "amount", digits=digits),
            ColumnSpec("gap", "largest difference", "amount", digits=digits),
        ),
        digits=digits + 1,
    )
