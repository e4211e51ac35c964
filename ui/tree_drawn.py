"""A tree to look at: drawn, with a node that is clicked or chosen told in words and by group."""

from __future__ import annotations

from functools import partial
from typing import Any
from zlib import crc32

import altair as alt
import pandas as pd
import streamlit as st

from fairaudit.report.blocks import ColumnSpec, Table
from fairaudit.report.charts import parts
from fairaudit.report.charts.clickable_tree import NODE, clickable_tree_chart
from fairaudit.report.charts.clickable_tree_texts import clickable_tree_alt, drawn_nodes, node_sums, rows_words
from fairaudit.report.numbers import count_text, share_text
from fairaudit.report.telling_columns import marks_words
from fairaudit.study.details_trees import TreesDetails
from fairaudit.study.trying import plan_key
from ui.state import AuditState, Fitted
from ui.tables import show_table
from ui.text import labels, literal

LEVELS = 5
"""Questions one after the other that fit into the page."""

# A wide tree scrolls in its own frame; where there is room, what is told of a node stays in sight beside a long tree.
STYLE = """<style>
.st-key-trees_drawing {overflow-x: auto;}
@media (min-width: 900px) and (min-height: 720px) {
  div:has(> .st-key-trees_node_told) {position: sticky; top: 3.75rem; z-index: 5;}
  .st-key-trees_node_told {background: white; max-height: 55vh; overflow-y: auto;}
}
</style>"""
_LONGEST = 110


@st.fragment
def show_tree(state: AuditState, fitted: Fitted) -> None:
    """Draw the tree, and what is known of one node.

    Parameters
    ----------
    state : AuditState
        The audit; it keeps which node was chosen.
    fitted : Fitted
        From :func:`ui.remedies.choose_fitted`.
    """
    details = fitted.candidate.finding.details
    key = _key(fitted)
    nodes = details.nodes
    numbers = nodes["node"].tolist()
    node, root = state.drafts.get(key, (1, 1))
    if node not in numbers or root not in numbers:
        node, root = 1, 1
    st.html(STYLE)
    # What stays in sight does so as long as this part is.
    with st.container(key="trees_look"):
        with st.container(key="trees_node_told", border=True):
            _choose_node(state, key, nodes, node, root)
            _show_node(fitted, node)
        # With a button in it, the keyboard comes into the frame that scrolls.
        with st.container(key="trees_drawing"):
            _show_moves(state, key, details, node, root)
            _draw(state, key, details, node, root)
    st.caption(reading_words(fitted.facts.positive_meaning))


def _draw(state: AuditState, key: str, details: TreesDetails, node: int, root: int) -> None:
    nodes, counts = details.nodes, details.counts
    chart = clickable_tree_chart(nodes, counts, root=root, levels=LEVELS, chosen=node, clickable=True)
    # The page carries the description; given twice, screen readers would read it twice.
    chart.description = alt.Undefined
    # Another node is another chart: what was clicked in the last one must not stay clicked.
    name = f"{key}_{node}_{root}"
    st.altair_chart(
        chart,
        theme=None,
        alt=clickable_tree_alt(nodes, counts, root=root, levels=LEVELS),
        width="content",
        key=name,
        on_select=partial(_take_click, state, key, root, name),
        selection_mode=[NODE],
    )


def look_at(state: AuditState, fitted: Fitted, node: int) -> None:
    """Have a node stand out in the drawing, with the way to it."""
    key = _key(fitted)
    _take(state, key, node, state.drafts.get(key, (1, 1))[1])


def _key(fitted: Fitted) -> str:
    finding = fitted.candidate.finding
    return f"trees_node_{crc32(plan_key(finding.plan).encode())}_{finding.details.n_leaves}"


def reading_words(positive_meaning: str) -> str:
    """Return how to read the drawing, in Markdown."""
    return (
        "Begin at the left. Answer the question in each box: go up for yes and down for no. A value that is missing, "
        "or was never seen in learning, goes down. Lines are as thick as many training rows go that way. Blue boxes "
        f"with round corners predict: {literal(positive_meaning)}. Orange boxes with square corners predict the "
        "opposite. The share in such a box is that of its training rows that have the outcome, and the number in "
        "brackets is that of the node. Click a box, or choose a node above, to see who comes there."
    )


def node_words(nodes: pd.DataFrame) -> dict[int, str]:
    """Return what nodes are called where one is chosen, by their number."""
    return {
        row.node: f"{row.node}: predicts {parts.whole(row.words)}"
        if row.is_leaf
        else f"{row.node}: {parts.whole(row.words)}?"
        for row in nodes.itertuples()
    }


def _choose_node(state: AuditState, key: str, nodes: pd.DataFrame, node: int, root: int) -> None:
    words = node_words(nodes)
    label = labels(words.values(), limit=_LONGEST)
    if st.session_state.get(key) != node:
        st.session_state[key] = node
    st.selectbox(
        "Look at a node",
        list(words),
        format_func=lambda number: label(words[number]),
        key=key,
        on_change=lambda: _take(state, key, st.session_state[key], root),
        help="The nodes of the drawing, by their numbers. 1 is the first question.",
    )


def _take(state: AuditState, key: str, node: int, root: int) -> None:
    """Keep the node that is looked at, and where the drawing begins; it moves to a node that is not drawn."""
    state.drafts[key] = (node, root_for(node, root))


def root_for(node: int, root: int) -> int:
    """Return where a drawing begins that shows a node: where it begins now, if that is far enough up and not too far.

    Examples
    --------
    >>> root_for(5, 2), root_for(5, 3), root_for(130, 1)
    (2, 1, 4)
    """
    down = node.bit_length() - root.bit_length()
    if down < 0 or node >> down != root:
        return root_for(node, 1)
    return root if down <= LEVELS else node >> LEVELS


def _take_click(state: AuditState, key: str, root: int, chart: str) -> None:
    clicked = st.session_state[chart].selection.get(NODE) or []
    if clicked:
        _take(state, key, int(clicked[0][NODE]), root)


def _show_moves(state: AuditState, key: str, details: TreesDetails, node: int, root: int) -> None:
    """Draw the buttons that move through a tree, and what is not drawn of one that is too deep to be drawn at once."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Back to the first question",
            key="trees_first",
            type="tertiary",
            on_click=lambda: state.drafts.update({key: (1, 1)}),
        )
        if details.depth <= LEVELS:
            return
        is_leaf = bool(details.nodes.loc[details.nodes["node"] == node, "is_leaf"].iloc[0])
        st.button(
            "Draw what follows this node",
            key="trees_draw_from",
            type="tertiary",
            disabled=is_leaf or node == root,
            on_click=lambda: state.drafts.update({key: (node, node)}),
        )
        n_more = len(details.nodes) - len(drawn_nodes(details.nodes, root=root, levels=LEVELS))
        begin = "the first question" if root == 1 else f"node {root}"
        st.caption(f"Drawn: {LEVELS} questions from {begin} on. Not drawn: {count_text(n_more)} nodes.")


def _show_node(fitted: Fitted, node: int) -> None:
    """Draw who comes to a node, and what is known of them."""
    details = fitted.candidate.finding.details
    row = next(each for each in details.nodes.itertuples() if each.node == node)
    st.markdown(f"**Who comes here:** {literal(row.path, limit=900)}.")
    st.markdown(told_words(details, row))
    if mark := marks_words(row):
        st.warning(f"{literal(parts.capital(mark), limit=600)}.")
    show_table(node_table(details.counts, node), download=False)


def told_words(details: TreesDetails, row: Any) -> str:
    """Return what a node asks or predicts, and for how many rows, in Markdown.

    Parameters
    ----------
    details : TreesDetails
        Not masked.
    row : named tuple
        A row of ``TreesDetails.nodes``.

    Returns
    -------
    str
        One or two sentences.
    """
    sums = node_sums(details.counts).loc[row.node]
    if not row.is_leaf:
        return (
            f"Asked next: {literal(row.words, limit=900)}? Yes leads to node {2 * row.node}, no to {2 * row.node + 1}."
        )
    learned = rows_words(sums["n_learned"], sums["n_learned_positive"], digits=1)
    leaf = details.leaves[details.leaves["leaf"] == row.node].iloc[0]
    right = (
        f"That is right for {share_text(leaf['accuracy'])} of the held-out rows that come here "
        f"({count_text(int(leaf['n']))})."
        if leaf["n"]
        else "No held-out row comes here."
    )
    wrong = "" if is_mostly_right(row.prediction, sums) else " Of its training rows, most have the opposite."
    return f"Predicted: **{literal(row.words)}** (learned from {learned} with the outcome).{wrong} {right}"


def is_mostly_right(prediction: float, sums: pd.Series) -> bool:
    """Say whether what a leaf predicts is what most of its training rows have, or as many as not."""
    share = sums["n_learned_positive"] / sums["n_learned"] if sums["n_learned"] else 0.5
    return share >= 0.5 if prediction == 1 else share <= 0.5


def node_table(counts: pd.DataFrame, node: int) -> Table:
    """Return the rows and rates of each group at a node.

    Parameters
    ----------
    counts : DataFrame
        As ``TreesDetails.counts``.
    node : int
        The node.

    Returns
    -------
    Table
        One row a group.
    """
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
