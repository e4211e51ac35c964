"""What the page of trees asks and shows for each kind of decision, and what it says of nodes."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd

from fairaudit.disclosure.fields import Field
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share
from fairaudit.measure.limits import amount_digits
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import number_text, reads_as_number
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.words import (
    OUTCOMES,
    AmountNodes,
    OutcomeNodes,
    Way,
)
from ui.remedies.trees import form
from ui.state import AuditState, Fitted

_SHARES: Final = """minimise    share of wrong training cases + price × (DIDI + DTDI)
subject to  the shares of any two groups differ by at most the limit
            each index is at most its limit
DIDI = sum over groups and both predictions of
       | share in the group − share among all |
DTDI = sum over people, groups and both predictions of
       | share among similar people of the group − share among all similar people |
       divided by the number of people and of groups"""
_AMOUNTS: Final = """minimise    mean of | predicted − actual | on the training cases + price × (DIDI + DTDI)
subject to  mean predictions of any two groups differ by at most the limit
            each index is at most its limit
DIDI = sum over groups of
       | mean prediction for the group − mean prediction for all |
DTDI = sum over people and groups of
       | mean prediction for similar people of the group − mean prediction for all similar people |
       divided by the number of people and of groups
MAE  = mean of | predicted − actual |
R²   = 1 − sum of (predicted − actual)² / sum of (mean of all − actual)²"""


class TreeViews:
    """What the page asks and shows where shares are compared."""

    kind = SHARES
    limit = "max_difference"
    """The field of a plan with the largest difference that is allowed."""
    formulas = _SHARES
    """What the search makes small, and its figures."""

    def choose_plan(self, state: AuditState, study: Any) -> TreesPlan:
        """Draw what is asked of the tree, and return the remedy that this makes."""
        return form.choose_plan(state, study)

    def digits(self, facts: Any) -> int | None:
        """Return the decimals of amounts; None where figures are shares."""
        return None

    def nodes(self, facts: Any) -> OutcomeNodes:
        """Return the words for nodes."""
        return OUTCOMES

    def describe(self, details: Any, row: Any, wording: Any) -> tuple[Message, ...]:
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

    def node_table(self, counts: pd.DataFrame, node: int, facts: Any) -> TableBlock:
        """Return the rows and rates of each group at a node."""
        columns = (
            Field("group", "group", "group", "The group."),
            Field("n_learned", "training cases", "count", "That come here."),
            Field("learned_rate", "with the outcome", "share", "Of these."),
            Field("n", "test cases", "count", "That come here."),
            Field("rate", "with the outcome, test", "share", "Of these."),
            Field("interval", "likely range", "share_interval", "Of that share."),
        )
        rows = tuple(
            (row.group, row.n_learned, row.learned_rate, row.n, row.rate, (row.rate_low, row.rate_high))
            for row in counts[counts["node"] == node].itertuples()
        )
        return TableBlock("trees_node", "Who comes to this node", columns, rows)

    def predicted(self, way: Way, facts: Any) -> Message:
        """Return what is predicted for a made-up person: the outcome."""
        return Message("tree-person-predicted", {"leaf": Phrase(way.prediction)})


class AmountTreeViews(TreeViews):
    """The same where the decision is an amount."""

    kind = AMOUNTS
    limit = "amount_difference"
    formulas = _AMOUNTS

    def choose_plan(self, state: AuditState, study: Any) -> TreesPlan:
        """Draw what is asked of a tree of amounts, and return the remedy that this makes."""
        return form.choose_amount_plan(state, study)

    def digits(self, facts: Any) -> int:
        """Return the decimals of amounts."""
        return amount_digits(facts.deviation)

    def nodes(self, facts: Any) -> AmountNodes:
        """Return the words for nodes of a tree of amounts."""
        return AmountNodes(amount_digits(facts.deviation))

    def describe(self, details: Any, row: Any, wording: Any) -> tuple[Message, ...]:
        """Return what a node of a tree of amounts asks or predicts, and how far that is off."""
        if not row.is_leaf:
            return (_asked(row),)
        leaf = details.leaves[details.leaves["leaf"] == row.node].iloc[0]
        said = _predicted(wording.leaf(row), wording.rows(wording.sums(details.counts).loc[row.node]))
        off: dict[str, Argument] = {"off": Amount(float(leaf["mae"]), wording.digits), "n": Count(int(leaf["n"]))}
        return (said, Message("tree-node-off", off) if leaf["n"] else Message("tree-node-nobody"))

    def node_table(self, counts: pd.DataFrame, node: int, facts: Any) -> TableBlock:
        """Return the rows and mean amounts of each group at a node of a tree of amounts."""
        digits = amount_digits(facts.deviation)
        columns = (
            Field("group", "group", "group", "The group."),
            Field("n_learned", "training cases", "count", "That come here."),
            Field("learned_mean", "mean amount", "amount", "Of these.", digits=digits),
            Field("n", "test cases", "count", "That come here."),
            Field("actual", "mean amount, test", "amount", "Of these.", digits=digits),
            Field("predicted", "mean prediction, test", "amount", "For these.", digits=digits),
        )
        rows = tuple(
            (row.group, row.n_learned, row.learned_mean, row.n, row.actual, row.predicted)
            for row in counts[counts["node"] == node].itertuples()
        )
        return TableBlock("trees_node", "Who comes to this node", columns, rows)

    def predicted(self, way: Way, facts: Any) -> Message:
        """Return what is predicted for a made-up person: the amount, and how it is weighed."""
        amount = Phrase(number_text(way.value, digits=amount_digits(facts.deviation)))
        if reads_as_number(way.prediction):
            return Message("tree-person-amount", {"leaf": amount, "what": Phrase(facts.meaning)})
        weighed = Message("tree-about", {"amount": amount, "weighed": Phrase(way.prediction)})
        return Message("tree-person-predicted", {"leaf": weighed})


VIEWS = (TreeViews(), AmountTreeViews())


def views_of(kind: OutcomeKind) -> TreeViews:
    """Return what the page of trees asks and shows where the decision is of a kind."""
    return next(views for views in VIEWS if views.kind is kind)


def wording_of(fitted: Fitted) -> OutcomeNodes:
    """Return how the nodes of a tree are described: by shares with the outcome, or by mean amounts."""
    return views_of(fitted.outcome).nodes(fitted.facts)


def node_words(nodes: pd.DataFrame, wording: OutcomeNodes = OUTCOMES) -> dict[int, str]:
    """Return what nodes are called where one is chosen, by their number."""
    return {row.node: say(_choice(row, wording)) for row in nodes.itertuples()}


def _choice(row: Any, wording: OutcomeNodes) -> Message:
    args: dict[str, Argument] = {"node": Count(int(row.node))}
    if row.is_leaf:
        return Message("tree-choice-leaf", {**args, "leaf": Phrase(naming.whole(wording.leaf(row)))})
    return Message("tree-choice-ask", {**args, "question": Phrase(naming.whole(row.words))})


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
