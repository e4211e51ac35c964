"""What is said of the nodes of a tree: what a node asks or predicts, and who comes there."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import is_number, number_text
from fairaudit.remedies.shared.amount_tables import digits_of
from fairaudit.remedies.trees.details import AmountTreeDetails, TreesDetails
from fairaudit.remedies.trees.example_person import Way
from fairaudit.remedies.trees.labels import OUTCOMES, AmountNodes, OutcomeNodes
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.findings import StudyFacts
from ui.remedies.trees.views import views_of
from ui.state import Fitted


def wording_of(fitted: Fitted) -> OutcomeNodes:
    """Return how the nodes of a tree are described: by shares with the outcome, or by mean amounts."""
    return views_of(fitted.outcome).nodes(fitted.facts)


def outcome_nodes(facts: StudyFacts) -> OutcomeNodes:
    """Return the words for nodes of a tree of outcomes."""
    return OUTCOMES


def amount_nodes(facts: AmountStudyFacts) -> AmountNodes:
    """Return the words for nodes of a tree of amounts."""
    return AmountNodes(digits_of(facts))


def node_words(nodes: pd.DataFrame, wording: OutcomeNodes = OUTCOMES) -> dict[int, str]:
    """Return what nodes are called where one is chosen, by their number."""
    return {row.node: say(_choice(row, wording)) for row in nodes.itertuples()}


def _choice(row: Any, wording: OutcomeNodes) -> Message:
    args: dict[str, Argument] = {"node": Count(int(row.node))}
    if row.is_leaf:
        return Message("tree-choice-leaf", {**args, "leaf": Phrase(naming.whole(wording.leaf(row)))})
    return Message("tree-choice-ask", {**args, "question": Phrase(naming.whole(row.words))})


def node_sentences(details: TreesDetails, row: Any, wording: OutcomeNodes = OUTCOMES) -> tuple[Message, ...]:
    """Return what a node asks or predicts, and for how many people that is right."""
    if not row.is_leaf:
        return (_asked(row),)
    sums = wording.sums(details.counts).loc[row.node]
    leaf = details.leaves[details.leaves["leaf"] == row.node].iloc[0]
    said = [_predicted(wording.leaf(row), wording.rows(sums, digits=1))]
    if not is_mostly_right(row.prediction, sums):
        said.append(Message("tree-node-against"))
    right: dict[str, Argument] = {"right": Share(float(leaf["accuracy"]), 1), "n": Count(int(leaf["n"]))}
    return (*said, Message("tree-node-right", right) if leaf["n"] else Message("tree-node-nobody"))


def amount_node_sentences(details: AmountTreeDetails, row: Any, wording: AmountNodes) -> tuple[Message, ...]:
    """Return what a node of a tree of amounts asks or predicts, and how far that is off."""
    if not row.is_leaf:
        return (_asked(row),)
    leaf = details.leaves[details.leaves["leaf"] == row.node].iloc[0]
    said = _predicted(wording.leaf(row), wording.rows(wording.sums(details.counts).loc[row.node]))
    off: dict[str, Argument] = {"off": Amount(float(leaf["mae"]), wording.digits), "n": Count(int(leaf["n"]))}
    return (said, Message("tree-node-off", off) if leaf["n"] else Message("tree-node-nobody"))


def _asked(row: Any) -> Message:
    ways: dict[str, Argument] = {"yes": Count(2 * int(row.node)), "no": Count(2 * int(row.node) + 1)}
    return Message("tree-node-ask", {"question": Phrase(row.words), **ways})


def _predicted(leaf: str, cases: str) -> Message:
    return Message("tree-node-leaf", {"leaf": Phrase(leaf), "cases": Phrase(cases)})


def marks(row: Any) -> tuple[Message, ...]:
    """Return whether a question reveals the group, or nearly does."""
    found = [Message("tree-node-reveals", severity="caution")] if row.uses_protected else []
    if row.proxies:
        found.append(Message("tree-node-close", {"columns": Phrase(row.proxies)}, "caution"))
    return tuple(found)


def is_mostly_right(prediction: float, sums: pd.Series) -> bool:
    """Say whether what a leaf predicts is what most of its training rows have, or as many as not."""
    share = sums["n_learned_positive"] / sums["n_learned"] if sums["n_learned"] else 0.5
    return share >= 0.5 if prediction == 1 else share <= 0.5


def node_table(counts: pd.DataFrame, node: int, facts: StudyFacts) -> Table:
    """Return the rows and rates of each group at a node."""
    columns = (
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("n_learned", "training cases", "count", "That come here."),
        ColumnSpec("learned_rate", "with the outcome", "share", "Of these."),
        ColumnSpec("n", "test cases", "count", "That come here."),
        ColumnSpec("rate", "with the outcome, test", "share", "Of these."),
        ColumnSpec("interval", "likely range", "share_interval", "Of that share."),
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
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("n_learned", "training cases", "count", "That come here."),
        ColumnSpec("learned_mean", "mean amount", "amount", "Of these.", digits=digits),
        ColumnSpec("n", "test cases", "count", "That come here."),
        ColumnSpec("actual", "mean amount, test", "amount", "Of these.", digits=digits),
        ColumnSpec("predicted", "mean prediction, test", "amount", "For these.", digits=digits),
    )
    rows = tuple(
        (row.group, row.n_learned, row.learned_mean, row.n, row.actual, row.predicted)
        for row in counts[counts["node"] == node].itertuples()
    )
    return Table("trees_node", "Who comes to this node", columns, rows)


def predicted(way: Way, facts: StudyFacts) -> Message:
    """Return what is predicted for a made-up person: the outcome."""
    return Message("tree-person-predicted", {"leaf": Phrase(way.prediction)})


def amount_predicted(way: Way, facts: AmountStudyFacts) -> Message:
    """Return what is predicted for a made-up person: the amount, and how it is weighed."""
    amount = Phrase(number_text(way.value, digits=digits_of(facts)))
    if is_number(way.prediction):
        return Message("tree-person-amount", {"leaf": amount, "what": Phrase(facts.meaning)})
    weighed = Message("tree-about", {"amount": amount, "weighed": Phrase(way.prediction)})
    return Message("tree-person-predicted", {"leaf": weighed})
