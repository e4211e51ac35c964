"""What is said of the nodes of a tree: how to read the drawing, what a node asks or predicts, and who comes there."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import count_text, is_number, number_text, share_text
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.remedies.shared.held_out_words import known_rows
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.clickable_texts import OUTCOMES, AmountNodes, OutcomeNodes, rows_words
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.made_up_person import Way
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts
from ui.remedies.trees.views import views_of
from ui.state import Fitted
from ui.text import literal

READING = (
    "Begin at the left and answer each question: up for yes, down for no; a value that is missing or was never seen "
    "goes down. The more training rows go a way, the thicker its line."
)


def wording_of(fitted: Fitted) -> OutcomeNodes:
    """Return how the nodes of a tree are described: by shares with the outcome, or by mean amounts."""
    return views_of(fitted.outcome).nodes(fitted.facts)


def outcome_nodes(facts: StudyFacts) -> OutcomeNodes:
    """Return the words for nodes of a tree of outcomes."""
    return OUTCOMES


def amount_nodes(facts: AmountStudyFacts) -> AmountNodes:
    """Return the words for nodes of a tree of amounts."""
    return AmountNodes(digits_of(facts))


def reading_words(facts: StudyFacts) -> str:
    """Return how to read the drawing, in Markdown."""
    return (
        f"{READING} Blue, round boxes predict: {literal(facts.positive_meaning)}; orange, square ones the other "
        "outcome. In a box stand its number, its training rows, and the share of these with the outcome. Click a box, "
        "or choose a node above, to see who comes there."
    )


def amount_reading_words(facts: AmountStudyFacts) -> str:
    """Return how to read the drawing of a tree of amounts, in Markdown."""
    return (
        f"{READING} A blue box predicts the amount ({literal(facts.meaning)}) in its first line; the darker, the "
        "more. Below it stand its training rows with their mean amount; the number in brackets is that of the node. "
        "What is predicted need not be that mean: it keeps errors small, and to what was asked. Click a box, or choose "
        "a node above, to see who comes there."
    )


def node_words(nodes: pd.DataFrame, wording: OutcomeNodes = OUTCOMES) -> dict[int, str]:
    """Return what nodes are called where one is chosen, by their number."""
    return {
        row.node: f"{row.node}: predicts {brief.whole(wording.leaf(row))}"
        if row.is_leaf
        else f"{row.node}: {brief.whole(row.words)}?"
        for row in nodes.itertuples()
    }


def counted_rows(fitted: Fitted) -> str:
    """Return what the held-out rows of a tree are called, of which those of no known group are not counted."""
    finding = fitted.candidate.finding
    counts = finding.details.counts
    return known_rows(int(counts.loc[counts["node"] == 1, "n"].sum()), finding.after.n)


def node_sentences(
    details: TreesDetails, row: Any, wording: OutcomeNodes = OUTCOMES, *, rows: str = "held-out rows"
) -> str:
    """Return what a node asks or predicts, and for how many rows, in Markdown."""
    sums = wording.sums(details.counts).loc[row.node]
    if not row.is_leaf:
        return _asked_words(row)
    learned = rows_words(sums["n_learned"], sums["n_learned_positive"], digits=1)
    leaf = details.leaves[details.leaves["leaf"] == row.node].iloc[0]
    right = (
        f"That agrees with {share_text(leaf['accuracy'])} of the {rows} that come here ({count_text(int(leaf['n']))})."
        if leaf["n"]
        else f"None of the {rows} comes here."
    )
    wrong = "" if is_mostly_right(row.prediction, sums) else " Of its training rows, most have the other outcome."
    return f"Predicted: **{literal(row.words)}** (learned from {learned} with the outcome).{wrong} {right}"


def _asked_words(row: Any) -> str:
    return f"Asked next: {literal(row.words, limit=900)}? Yes leads to node {2 * row.node}, no to {2 * row.node + 1}."


def amount_node_sentences(
    details: AmountTreeDetails, row: Any, wording: AmountNodes, *, rows: str = "held-out rows"
) -> str:
    """Return what a node of a tree of amounts asks or predicts, and how far that is off, in Markdown."""
    if not row.is_leaf:
        return _asked_words(row)
    learned = wording.rows(wording.sums(details.counts).loc[row.node])
    leaf = details.leaves[details.leaves["leaf"] == row.node].iloc[0]
    off = (
        f"For the {count_text(int(leaf['n']))} {rows} that come here, that is "
        f"{number_text(leaf['mae'], digits=wording.digits)} off on average."
        if leaf["n"]
        else f"None of the {rows} comes here."
    )
    return f"Predicted: **{literal(wording.leaf(row), limit=900)}** (learned from {learned}). {off}"


def is_mostly_right(prediction: float, sums: pd.Series) -> bool:
    """Say whether what a leaf predicts is what most of its training rows have, or as many as not."""
    share = sums["n_learned_positive"] / sums["n_learned"] if sums["n_learned"] else 0.5
    return share >= 0.5 if prediction == 1 else share <= 0.5


def node_table(counts: pd.DataFrame, node: int, facts: StudyFacts) -> Table:
    """Return the rows and rates of each group at a node."""
    columns = (
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n_learned", "training rows", "count", "Training rows of the group that come to the node."),
        ColumnSpec("learned_rate", "with the outcome", "share", "Those of them that have the outcome."),
        ColumnSpec("n", "held-out rows", "count", "Held-out rows of the group that come to the node."),
        ColumnSpec("rate", "with the outcome, held out", "share", "Those of them that have the outcome."),
        ColumnSpec("interval", "interval", "share_interval", "Of that share."),
    )
    rows = tuple(
        (row.group, row.n_learned, row.learned_rate, row.n, row.rate, (row.rate_low, row.rate_high))
        for row in counts[counts["node"] == node].itertuples()
    )
    return Table("trees_node", "Who comes to this node", columns, rows)


def amount_node_table(counts: pd.DataFrame, node: int, facts: AmountStudyFacts) -> Table:
    """Return the rows and mean amounts of each group at a node of a tree of amounts."""
    digits = digits_of(facts)
    columns = (
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n_learned", "training rows", "count", "Training rows of the group that come to the node."),
        ColumnSpec("learned_mean", "mean amount", "amount", "Of these.", digits=digits),
        ColumnSpec("n", "held-out rows", "count", "Held-out rows of the group that come to the node."),
        ColumnSpec("actual", "mean amount, held out", "amount", "Of these.", digits=digits),
        ColumnSpec("predicted", "mean prediction, held out", "amount", "For these.", digits=digits),
    )
    rows = tuple(
        (row.group, row.n_learned, row.learned_mean, row.n, row.actual, row.predicted)
        for row in counts[counts["node"] == node].itertuples()
    )
    return Table("trees_node", "Who comes to this node", columns, rows)


def predicted_words(way: Way, facts: StudyFacts) -> str:
    """Return what is predicted for a made-up person: the outcome."""
    return way.prediction


def amount_predicted_words(way: Way, facts: AmountStudyFacts) -> str:
    """Return what is predicted for a made-up person: the amount and how it is weighed."""
    amount = number_text(way.value, digits=digits_of(facts))
    weighed = "" if is_number(way.prediction) else f" ({way.prediction})"
    return f"{amount}{weighed}, {facts.meaning}"
