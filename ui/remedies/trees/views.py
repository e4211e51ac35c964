"""What the page of trees asks and shows, for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from fairaudit.late import Late
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind


@dataclass(frozen=True, kw_only=True)
class TreeViews:
    """What the page asks and shows where the decision is of a kind.

    Parameters
    ----------
    kind : OutcomeKind
        The kind.
    choose_plan : Late
        Draws what is asked of the tree, given the state and the rows, and returns the remedy that this makes.
    digits : callable
        Facts on the rows -> the decimals of amounts; None where figures are shares.
    limit : str
        The field of a plan with the largest difference that is allowed.
    nodes : Late
        Facts on the rows -> the words for nodes.
    describe : Late
        ``(details, row, words for nodes)`` -> what a node asks or predicts.
    node_table : Late
        ``(counts, node, facts)`` -> each group at a node.
    predicted : Late
        ``(way, facts)`` -> what is predicted for a made-up person.
    formulas : str
        What the search makes small, and its figures.
    """

    kind: OutcomeKind
    choose_plan: Late
    digits: Callable[[Any], int | None]
    limit: str
    nodes: Late
    describe: Late
    node_table: Late
    predicted: Late
    formulas: str


HOME = "ui.remedies.trees"
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

VIEWS = (
    TreeViews(
        kind=SHARES,
        choose_plan=Late(f"{HOME}.form:choose_plan"),
        digits=lambda facts: None,
        limit="max_difference",
        nodes=Late(f"{HOME}.nodes:outcome_nodes"),
        describe=Late(f"{HOME}.nodes:node_sentences"),
        node_table=Late(f"{HOME}.nodes:node_table"),
        predicted=Late(f"{HOME}.nodes:predicted"),
        formulas=_SHARES,
    ),
    TreeViews(
        kind=AMOUNTS,
        choose_plan=Late(f"{HOME}.amount_form:choose_plan"),
        digits=Late("fairaudit.remedies.shared.amount_tables:digits_of"),
        limit="amount_difference",
        nodes=Late(f"{HOME}.nodes:amount_nodes"),
        describe=Late(f"{HOME}.nodes:amount_node_sentences"),
        node_table=Late(f"{HOME}.nodes:amount_node_table"),
        predicted=Late(f"{HOME}.nodes:amount_predicted"),
        formulas=_AMOUNTS,
    ),
)


def views_of(kind: OutcomeKind) -> TreeViews:
    """Return what the page of trees asks and shows where the decision is of a kind."""
    return next(views for views in VIEWS if views.kind is kind)
