"""A tree to look at: drawn, with what is known of the node that is clicked or chosen."""

from __future__ import annotations

from functools import partial
from zlib import crc32

import altair as alt
import streamlit as st

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.trees.drawing import NODE, clickable_tree_chart, tree_title
from fairaudit.remedies.trees.labels import (
    clickable_tree_alt,
    drawn_levels,
    drawn_nodes,
)
from fairaudit.remedies.trees.words import tree_steps
from fairaudit.study.trying import plan_key
from ui.remedies.trees.nodes import (
    marks,
    node_words,
    wording_of,
)
from ui.remedies.trees.views import views_of
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import labels, literal

LEVELS = 5
"""Questions one after the other that fit into the page."""

# A wide tree scrolls in its own frame; where there is room, what is said of a node stays in sight beside a long tree.
STYLE = """<style>
.st-key-trees_drawing {overflow-x: auto;}
@media (min-width: 900px) and (min-height: 720px) {
  div:has(> .st-key-trees_node_shown) {position: sticky; top: 3.75rem; z-index: 5;}
  .st-key-trees_node_shown {background: white; max-height: 55vh; overflow-y: auto;}
}
</style>"""
_LONGEST = 110


def show_picture(fitted: Fitted) -> None:
    """Draw the tree as far as a page of paper has room for it; on a narrow screen, in words."""
    details, wording = fitted.candidate.finding.details, wording_of(fitted)
    levels = drawn_levels(details.nodes)
    chart = clickable_tree_chart(details.nodes, details.counts, levels=levels, wording=wording)
    text = clickable_tree_alt(details.nodes, details.counts, levels=levels, wording=wording)
    with st.container(key="trees_picture"):
        with st.container(key="trees_wide"):
            show_chart(chart, title=say(tree_title(details, fitted.facts)), description=text)
        # Boxes that a narrow screen has room for have none for words.
        with st.container(key="trees_narrow"):
            steps = (
                f"{'  ' * int(indent)}- {literal(line, limit=300)}"
                for indent, line in tree_steps(details.nodes, wording)
            )
            st.markdown("\n".join(steps))
            if details.n_leaves > 1:
                st.caption(literal(say(Message("tree-missing"))))


@st.fragment
def show_tree(state: AuditState, fitted: Fitted) -> None:
    """Draw the tree, and what is known of one node."""
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
        with st.container(key="trees_node_shown"):
            _choose_node(state, key, node_words(nodes, wording_of(fitted)), node, root)
            _show_node(fitted, node)
        # With a button in it, the keyboard comes into the frame that scrolls.
        with st.container(key="trees_drawing"):
            _show_moves(state, key, fitted, node, root)
            _draw(state, key, fitted, node, root)


def _draw(state: AuditState, key: str, fitted: Fitted, node: int, root: int) -> None:
    details, wording = fitted.candidate.finding.details, wording_of(fitted)
    nodes, counts = details.nodes, details.counts
    chart = clickable_tree_chart(nodes, counts, root=root, levels=LEVELS, chosen=node, clickable=True, wording=wording)
    # The page carries the description; given twice, screen readers would read it twice.
    chart.description = alt.Undefined
    # Another node is another chart: what was clicked in the last one must not stay clicked.
    name = f"{key}_{node}_{root}"
    st.altair_chart(
        chart,
        theme=None,
        alt=clickable_tree_alt(nodes, counts, root=root, levels=LEVELS, wording=wording),
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


def _choose_node(state: AuditState, key: str, words: dict[int, str], node: int, root: int) -> None:
    label = labels(words.values(), limit=_LONGEST)
    if st.session_state.get(key) != node:
        st.session_state[key] = node
    st.selectbox(
        "Look at a node",
        list(words),
        format_func=lambda number: label(words[number]),
        key=key,
        on_change=lambda: _take(state, key, st.session_state[key], root),
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


def _show_moves(state: AuditState, key: str, fitted: Fitted, node: int, root: int) -> None:
    """Draw what helps to read a tree and to move through it, and what is not drawn of one that is too deep for that."""
    details = fitted.candidate.finding.details
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "First question",
            key="trees_first",
            type="tertiary",
            on_click=lambda: state.drafts.update({key: (1, 1)}),
        )
        st.caption(say(Message("tree-drawing-note")))
        if details.depth <= LEVELS:
            return
        is_leaf = bool(details.nodes.loc[details.nodes["node"] == node, "is_leaf"].iloc[0])
        st.button(
            "Draw from here",
            key="trees_draw_from",
            type="tertiary",
            disabled=is_leaf or node == root,
            on_click=lambda: state.drafts.update({key: (node, node)}),
        )
        n_more = len(details.nodes) - len(drawn_nodes(details.nodes, root=root, levels=LEVELS))
        st.caption(say(Message("tree-drawn", {"n": Count(n_more)})))


def _show_node(fitted: Fitted, node: int) -> None:
    """Draw who comes to a node, and what is known of them."""
    details = fitted.candidate.finding.details
    row = next(each for each in details.nodes.itertuples() if each.node == node)
    if node == 1 and not row.is_leaf:
        # Everybody comes here: the drawing says what is asked, and whoever looks at another node finds more.
        return
    views = views_of(fitted.outcome)
    who = Message("tree-node-who", {"path": Phrase(row.path)})
    st.markdown(literal(say((who, *views.describe(details, row, wording_of(fitted)))), limit=1500))
    if found := marks(row):
        st.warning(literal(say(found), limit=900))
    show_table(views.node_table(details.counts, node, fitted.facts), download=False)
