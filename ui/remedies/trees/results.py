"""A tree that was found: what had to be alike, similar people, how it was found, and its files."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.remedies.shared.group_gaps_chart import differences_alt, differences_chart, differences_note
from fairaudit.remedies.trees import charts
from fairaudit.remedies.trees.details import AmountTreeDetails
from fairaudit.remedies.trees.drawing import clickable_tree_chart
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.tables import objective_digits
from fairaudit.remedies.trees.words import similar, tree_text
from fairaudit.report.pdf import to_png, to_svg
from fairaudit.study.trying import plan_key
from ui.remedies.outcome import tables_of
from ui.remedies.trees.nodes import wording_of
from ui.remedies.trees.views import views_of
from ui.result import OfferedFile, offer_files, show_chart, show_table
from ui.state import Fitted
from ui.text import literal

LEAVES: Final = ("leaf", "path", "prediction", "n_learned", "n", "accuracy", "accuracy_interval", "actual", "mae")
RATIOS: Final = ("first", "second", "trained", "tuned", "held_out", "held_out_interval", "reading")
GAPS: Final = ("rate_words", *RATIOS)


def note_change(asked: TreesPlan, fitted: Fitted) -> None:
    """Say so where something else is asked now than what this tree was found for."""
    if plan_key(fitted.candidate.finding.plan) != plan_key(asked):
        st.info(literal(say(Message("tree-old"))))


def show_alike(fitted: Fitted) -> None:
    """Draw how far apart groups are on training, tuning and test cases, and whether similar people are alike."""
    details, tables = fitted.candidate.finding.details, tables_of(fitted)
    digits = views_of(fitted.outcome).digits(fitted.facts)
    if details.constraint is not None and digits is not None:
        show_table(alike_table(details, digits))
    elif details.constraint is not None:
        # The 80 % rule allows no number of points, so there is nothing to shade: its ratios stand in the table.
        if len(details.gaps) and not details.by_ratio:
            options = {"allowed": details.max_difference}
            show_chart(
                differences_chart(details.gaps, **options),
                title=say(Message("limits-chart")),
                description=differences_alt(details.gaps, **options),
                note=differences_note(details.gaps),
            )
        show_table(tables["alike"], columns=RATIOS if details.by_ratio else GAPS)
    said = similar(details)
    st.markdown(literal(say(said or Message("tree-similar-none"))))
    if said is not None:
        show_chart(
            charts.similar_people_chart(details, digits=digits),
            title=say(Message("tree-similar-title")),
            description=charts.similar_alt(details, digits=digits),
        )
    for table in (tables["indices"], tables["treated"], tables["similar"]):
        if table.rows:
            st.markdown(f"**{literal(table.title)}**")
            show_table(table)


def alike_table(details: AmountTreeDetails, digits: int) -> Table:
    """Return how far mean predictions are apart on each part of the rows, beside the limit."""
    columns = (
        ColumnSpec("rows", "cases", "text", "Which part of them."),
        ColumnSpec("gap", "gap", "amount", "The largest between two groups.", digits=digits),
        ColumnSpec("allowed", "limit", "amount", "On the training cases.", digits=digits),
    )
    sides = (("training", details.trained_gap), ("tuning", details.tuned_gap), ("test", details.held_out_gap))
    rows = tuple((name, gap, details.max_difference) for name, gap in sides)
    return Table("remedy_1_alike", "Mean predictions of groups", columns, rows)


def show_how_found(fitted: Fitted) -> None:
    """Draw how the bound and the best tree came together, with the figures of the search and its formulas."""
    details, tables = fitted.candidate.finding.details, tables_of(fitted)
    if len(details.bounds) > 1:
        digits = objective_digits(details)
        show_chart(
            charts.tree_bounds_chart(details.bounds, digits=digits),
            title=say(Message("tree-bounds-title")),
            description=charts.bounds_alt(details.bounds, digits=digits),
            note=say(Message("tree-bounds-note")),
        )
    show_table(tables["found"])
    if len(details.bounds):
        show_table(tables["bounds"], most=50)
    st.code(views_of(fitted.outcome).formulas, language=None, wrap_lines=True)


def show_files(fitted: Fitted) -> None:
    """Draw the buttons that take the tree away, the tree as text and its leaves as a table."""
    details, leaves = fitted.candidate.finding.details, tables_of(fitted)["leaves"]
    known = {column.name for column in leaves.columns}

    def picture():
        return clickable_tree_chart(details.nodes, details.counts, levels=details.depth, wording=wording_of(fitted))

    def png() -> bytes:
        return to_png(picture())

    def svg() -> bytes:
        return to_svg(picture())

    def text() -> bytes:
        return "\n".join((*tree_text(details, wording_of(fitted)), "")).encode()

    offer_files(
        (
            OfferedFile("Picture (PNG)", "tree.png", "image/png", png, key="trees_file_png"),
            OfferedFile("Picture (SVG)", "tree.svg", "image/svg+xml", svg, key="trees_file_svg"),
            OfferedFile("Tree as text", "tree.txt", "text/plain", text, key="trees_file_txt"),
        ),
    )
    st.code("\n".join(tree_text(details, wording_of(fitted))), language=None, wrap_lines=True)
    show_table(leaves, columns=tuple(name for name in LEAVES if name in known))
