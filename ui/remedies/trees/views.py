"""What the page of trees asks and shows, for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fairaudit.late import Late
from fairaudit.outcomes.kind import OutcomeKind
from fairaudit.outcomes.registry import AMOUNTS, SHARES


@dataclass(frozen=True, kw_only=True)
class TreeViews:
    """What the page asks and shows where the decision is of a kind.

    Parameters
    ----------
    kind : OutcomeKind
        The kind.
    choose_plan : Late
        Draws what is asked of the tree, given the state and the rows, and returns the remedy that this makes.
    show_verdict, show_files, show_alike, show_similar, show_search : Late
        Draw the parts of a result.
    digits : callable
        Facts on the rows -> the decimals of amounts; None where figures are shares.
    limit : str
        The field of a plan with the largest difference that is allowed.
    nodes : Late
        Facts on the rows -> the words for nodes.
    reading : Late
        Facts on the rows -> how to read the drawing, in Markdown.
    describe : Late
        ``(details, row, words for nodes, rows)`` -> what a node asks or predicts, in Markdown.
    node_table : Late
        ``(counts, node, facts)`` -> each group at a node.
    predicted : Late
        ``(way, facts)`` -> what is predicted for a made-up person.
    """

    kind: OutcomeKind
    choose_plan: Late
    show_verdict: Late
    show_files: Late
    show_alike: Late
    show_similar: Late
    show_search: Late
    digits: Callable[[Any], int | None]
    limit: str
    nodes: Late
    reading: Late
    describe: Late
    node_table: Late
    predicted: Late


HOME = "ui.remedies.trees"

VIEWS = (
    TreeViews(
        kind=SHARES,
        choose_plan=Late(f"{HOME}.form:choose_plan"),
        show_verdict=Late(f"{HOME}.results:show_verdict"),
        show_files=Late(f"{HOME}.results:show_files"),
        show_alike=Late(f"{HOME}.results:show_alike"),
        show_similar=Late(f"{HOME}.results:show_similar"),
        show_search=Late(f"{HOME}.results:show_search"),
        digits=lambda facts: None,
        limit="max_difference",
        nodes=Late(f"{HOME}.nodes:outcome_nodes"),
        reading=Late(f"{HOME}.nodes:reading_words"),
        describe=Late(f"{HOME}.nodes:node_sentences"),
        node_table=Late(f"{HOME}.nodes:node_table"),
        predicted=Late(f"{HOME}.nodes:predicted_words"),
    ),
    TreeViews(
        kind=AMOUNTS,
        choose_plan=Late(f"{HOME}.amount_form:choose_plan"),
        show_verdict=Late(f"{HOME}.amount_results:show_verdict"),
        show_files=Late(f"{HOME}.amount_results:show_files"),
        show_alike=Late(f"{HOME}.amount_results:show_alike"),
        show_similar=Late(f"{HOME}.amount_results:show_similar"),
        show_search=Late(f"{HOME}.amount_results:show_search"),
        digits=Late("fairaudit.remedies.shared.amount_words:digits_of"),
        limit="amount_difference",
        nodes=Late(f"{HOME}.nodes:amount_nodes"),
        reading=Late(f"{HOME}.nodes:amount_reading_words"),
        describe=Late(f"{HOME}.nodes:amount_node_sentences"),
        node_table=Late(f"{HOME}.nodes:amount_node_table"),
        predicted=Late(f"{HOME}.nodes:amount_predicted_words"),
    ),
)


def views_of(kind: OutcomeKind) -> TreeViews:
    """Return what the page of trees asks and shows where the decision is of a kind."""
    return next(views for views in VIEWS if views.kind is kind)
