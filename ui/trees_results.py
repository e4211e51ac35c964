"""A tree that was found: what it says, the files that hold it, what had to be alike, and how it was found."""

from __future__ import annotations

import streamlit as st

from fairaudit.plan_trees import FOUR_FIFTHS, TreesPlan
from fairaudit.report import charts
from fairaudit.report.blocks import Table
from fairaudit.report.charts.clickable_tree import clickable_tree_chart
from fairaudit.report.numbers import points_text, share_text, tolerance_text
from fairaudit.report.picture import to_png, to_svg
from fairaudit.report.trees_findings import similar_sentence, trees_kept_sentence, trees_sides_sentence
from fairaudit.report.trees_words import (
    GOES_RIGHT,
    NOT_THE_GAP,
    certificate_words,
    marked_splits,
    method_words,
    tree_lines,
    tree_words,
)
from fairaudit.rules.problem import SLACK
from fairaudit.study.details_trees import TreesDetails
from fairaudit.study.trees_cautions import MOSTLY_WRONG
from fairaudit.study.trying import plan_key, remedy_name
from ui.charts import show_chart
from ui.outcome import tables_of
from ui.state import Fitted, get_state
from ui.tables import show_table
from ui.text import literal
from ui.tree_nodes import tells_of

LEAVES = ("leaf", "path", "prediction", "n_learned", "n", "accuracy", "accuracy_interval")
GAPS = ("rate_words", "first", "second", "trained", "tuned", "held_out", "held_out_interval", "reading")
RATIOS = ("first", "second", "trained", "tuned", "held_out", "held_out_interval", "reading")
ASKED = """make small    share of wrong training rows + price × (DIDI + DTDI)
such that     the shares of any two groups differ by at most what is allowed
              each index is at most its limit
              each leaf has the training rows that are asked for"""
INDICES = """DIDI = sum over groups and both predictions of
       | share in the group − share among all |
DTDI = sum over people, groups and both predictions of
       | share among similar people of the group − share among all similar people |
       divided by the number of people and of groups"""
MASKED = "Small counts are to be hidden: take the tree from the report, where what tells of few people is."


def show_verdict(asked: TreesPlan, fitted: Fitted) -> None:
    """Draw what the tree says, how far from the best possible it can be, and what to be careful about.

    Parameters
    ----------
    asked : TreesPlan
        What is asked now, which may be something else than what this tree was found for.
    fitted : Fitted
        From :func:`ui.remedies.choose_fitted`.
    """
    finding, facts = fitted.candidate.finding, fitted.facts
    details, plan = finding.details, finding.plan
    if plan_key(plan) != plan_key(asked):
        st.info(f"What is asked for above has changed since this tree was found: {literal(remedy_name(plan))}.")
    with st.container(border=True, key="trees_verdict"):
        st.header(literal(tree_words(details, positive_meaning=facts.positive_meaning), limit=900), anchor=False)
        st.markdown(literal(certificate_words(details), limit=900))
    for note in details.notes:
        st.info(literal(note, limit=900))
    for mark in (*marked_splits(details), *against_majority(finding.warnings)):
        st.warning(literal(mark, limit=900))
    if told := beyond_words(details):
        st.warning(told)


def beyond_words(details: TreesDetails) -> str:
    """Return that groups are further apart on the tuning rows than is allowed, and what helps; empty where not.

    Parameters
    ----------
    details : TreesDetails
        Not masked.

    Returns
    -------
    str
        One or two sentences.
    """
    if details.constraint == "four_fifths":
        if not details.tuned_gap < FOUR_FIFTHS - SLACK:
            return ""
        return (
            "On the tuning rows, which the tree was not learned from, the smallest share is "
            f"{share_text(details.tuned_gap)} of the largest, less than the 80 % of the rule. Fewer questions "
            "leave less to chance."
        )
    if details.constraint is None or not details.tuned_gap > details.max_difference + SLACK:
        return ""
    return (
        "On the tuning rows, which the tree was not learned from, the largest difference is "
        f"{points_text(details.tuned_gap, signed=False)}, where {tolerance_text(details.max_difference)} are allowed. "
        + (
            "You can ask for a margin above, or for fewer questions, which leave less to chance."
            if details.max_difference
            else "No difference at all is hardly ever kept on other rows: allow a few points."
        )
    )


def against_majority(warnings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the warnings that a leaf predicts what most of its own training rows do not have.

    Whoever reads the drawing meets such leaves first, so this stands above it, and not only in what to keep in mind.
    """
    return tuple(text for text in warnings if MOSTLY_WRONG in text)


def show_files(fitted: Fitted) -> None:
    """Draw the tree as text, its leaves as a table, and the buttons that take the tree away."""
    show_tree_files(fitted, tables_of(fitted.candidate.finding)["leaves"], LEAVES)


def show_tree_files(fitted: Fitted, leaves: Table, columns: tuple[str, ...]) -> None:
    """Draw what :func:`show_files` does of a tree of any kind.

    Parameters
    ----------
    fitted : Fitted
        From :func:`ui.remedies.choose_fitted`.
    leaves : Table
        Its leaves.
    columns : tuple of str
        Those of the table that are drawn.
    """
    if get_state().small_cells.mask:
        # A leaf for very few people tells of them, also without its counts.
        st.caption(MASKED)
    else:
        _offer_files(fitted)
    with st.expander("The tree as text"):
        st.code("\n".join(_text_lines(fitted.candidate.finding.details)), language=None, wrap_lines=True)
    with st.expander("The leaves as a table"):
        show_table(leaves, columns=columns)


def _text_lines(details: TreesDetails) -> tuple[str, ...]:
    return *tree_lines(details.nodes), *((GOES_RIGHT,) if details.n_leaves > 1 else ())


def _offer_files(fitted: Fitted) -> None:
    details = fitted.candidate.finding.details

    def picture():
        return clickable_tree_chart(details.nodes, details.counts, levels=details.depth, tells=tells_of(fitted))

    with st.container(horizontal=True):
        for label, name, mime, made in (
            ("Picture (PNG)", "tree.png", "image/png", lambda: to_png(picture())),
            ("Picture (SVG)", "tree.svg", "image/svg+xml", lambda: to_svg(picture())),
            ("Tree as text", "tree.txt", "text/plain", lambda: "\n".join((*_text_lines(details), "")).encode()),
        ):
            st.download_button(
                label,
                data=made,
                file_name=name,
                mime=mime,
                key=f"trees_file_{name.partition('.')[2]}",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
            )


def show_alike(fitted: Fitted) -> None:
    """Draw what had to be alike on training, tuning and held-out rows side by side, and the indices."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(finding)
    if details.constraint is not None:
        st.subheader("What had to be alike", anchor=False)
        st.markdown(literal(trees_kept_sentence(details), limit=1500))
        st.caption(NOT_THE_GAP)
        # The 80 % rule allows no number of points, so there is nothing to shade: its ratios stand in the table.
        if len(details.gaps) and details.constraint != "four_fifths":
            show_chart(
                charts.rules_gaps_chart(details.gaps, allowed=details.max_difference),
                description=charts.rules_gaps_alt(details.gaps, allowed=details.max_difference),
                note="Shaded: what is allowed. The tree was found on the training rows."
                + charts.rules_gaps_note(details.gaps),
            )
        if sides := trees_sides_sentence(details):
            st.caption(literal(sides, limit=1500))
        with st.expander("What had to be alike, as a table"):
            show_table(tables["alike"], columns=RATIOS if details.constraint == "four_fifths" else GAPS)


def show_similar(fitted: Fitted) -> None:
    """Draw whether similar people are treated alike, before and after, and both indices."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(finding)
    st.subheader("Are similar people treated alike?", anchor=False)
    if told := similar_sentence(details, finding.before.name):
        st.markdown(literal(told, limit=1500))
        show_chart(
            charts.similar_people_chart(details.similar),
            description=charts.similar_people_alt(details.similar),
            note="For each person, those most like them in everything but the group are looked at: how far the share "
            "predicted positive among those of the own group is from that among all of them. “None” is best.",
        )
    else:
        st.caption("Nobody among the held-out rows is like people of another group, so this cannot be told.")
    with st.expander("Similar people and the indices as tables"):
        st.caption(
            "DIDI adds up how far the share predicted positive in each group is from that of everybody. DTDI does so "
            "among similar people. Both are 0 where the group makes no difference."
        )
        for kind in ("indices", "treated", "similar"):
            show_table(tables[kind])


def show_search(fitted: Fitted) -> None:
    """Draw how the bound and the best tree came together."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(finding)
    st.header("How the tree was found")
    st.caption(literal(f"{method_words(details)} What was made small: {details.objective_words}.", limit=900))
    if len(details.bounds) > 1:
        show_chart(
            charts.tree_bounds_chart(details.bounds),
            description=charts.tree_bounds_alt(details.bounds),
            note="No tree of this depth, made of the questions that were considered, can come below the proven bound: "
            "how close the best so far is to it is how close this tree is to the best possible.",
        )
    with st.expander("How this is computed"):
        st.code(INDICES if details.search == "look_ahead" else f"{ASKED}\n\n{INDICES}", language=None, wrap_lines=True)
        st.caption(
            "Only what was asked for counts. The tree is found on the training rows of known groups. A share is that "
            "of the rows predicted positive; for error rates it is taken among the rows that are positive, or among "
            "the others. Similar people are those nearest in all columns to learn from that do not tell the groups."
        )
    with st.expander("The search in figures"):
        show_table(tables["found"])
        if len(details.bounds):
            show_table(tables["bounds"], most=50)
