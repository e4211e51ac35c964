"""A tree of amounts that was found: what it says, what had to be alike, similar people, and how it was found."""

from __future__ import annotations

import streamlit as st

from fairaudit.plan_trees import TreesPlan
from fairaudit.report import amount_remedy_words as words
from fairaudit.report import charts
from fairaudit.report.blocks import ColumnSpec, Table
from fairaudit.report.numbers import number_text
from fairaudit.report.trees_words import certificate_words, marked_splits, method_words, value_digits
from fairaudit.study.amount_cautions import NOT_WEIGHED
from fairaudit.study.amount_names import amount_remedy_name
from fairaudit.study.details_amount_trees import AmountTreeDetails
from fairaudit.study.trying import plan_key
from ui.amount_outcome import amount_tables_of
from ui.charts import show_chart
from ui.state import Fitted
from ui.tables import show_table
from ui.text import literal
from ui.trees_results import show_tree_files

LEAVES = ("leaf", "path", "prediction", "n_learned", "n", "actual", "mae")
ASKED = """make small    mean of | predicted − actual | on the training rows + price × (DIDI + DTDI)
such that     mean predictions of any two groups differ by at most what is allowed
              each index is at most its limit
              each leaf has the training rows that are asked for"""
INDICES = """DIDI = sum over groups of
       | mean prediction for the group − mean prediction for all |
DTDI = sum over people and groups of
       | mean prediction for similar people of the group − mean prediction for all similar people |
       divided by the number of people and of groups
MAE  = mean of | predicted − actual |
R²   = 1 − sum of (predicted − actual)² / sum of (mean of all − actual)²"""


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
        name = literal(amount_remedy_name(plan))
        st.info(f"What is asked for above has changed since this tree was found: {name}.")
    with st.container(border=True, key="trees_verdict"):
        st.header(literal(words.tree_sentence(details, facts.meaning, words.digits_of(facts)), limit=900), anchor=False)
        st.markdown(literal(certificate_words(details), limit=900))
    for note in details.notes:
        st.info(literal(note, limit=900))
    for mark in marked_splits(details):
        st.warning(literal(mark, limit=900))
    if NOT_WEIGHED in finding.warnings:
        st.info(NOT_WEIGHED)
    if told := words.beyond_sentence(details, words.digits_of(facts)):
        st.warning(told)


def show_files(fitted: Fitted) -> None:
    """Draw the tree as text, its leaves as a table, and the buttons that take the tree away."""
    leaves = amount_tables_of(fitted.candidate.finding, fitted.facts)["leaves"]
    show_tree_files(fitted, leaves, LEAVES)


def show_alike(fitted: Fitted) -> None:
    """Draw what had to be alike on training, tuning and held-out rows side by side."""
    finding = fitted.candidate.finding
    details, digits = finding.details, words.digits_of(fitted.facts)
    if details.constraint is None:
        return
    st.subheader("What had to be alike", anchor=False)
    st.markdown(literal(words.kept_sentence(details, digits), limit=1500))
    with st.expander("What had to be alike, as a table"):
        show_table(alike_table(details, digits))


def alike_table(details: AmountTreeDetails, digits: int) -> Table:
    """Return how far mean predictions are apart on each part of the rows, beside what is allowed."""
    columns = (
        ColumnSpec("rows", "rows", "text", "Which part of the rows."),
        ColumnSpec("gap", "largest difference", "amount", "Between the mean predictions of groups.", digits=digits),
        ColumnSpec("allowed", "allowed", "amount", "On the training rows.", digits=digits),
    )
    sides = (("training", details.trained_gap), ("tuning", details.tuned_gap), ("held out", details.held_out_gap))
    rows = tuple((name, gap, details.max_difference) for name, gap in sides)
    note = "Between the groups that the models are compared by. Only the training rows were learned from."
    return Table("remedy_1_alike", "How far mean predictions of groups are apart", columns, rows, note=note)


def show_similar(fitted: Fitted) -> None:
    """Draw whether similar people are treated alike, before and after, and both indices."""
    finding = fitted.candidate.finding
    details, digits = finding.details, words.digits_of(fitted.facts)
    tables = amount_tables_of(finding, fitted.facts)
    st.subheader("Are similar people treated alike?", anchor=False)
    if told := words.similar_sentence(details, finding.before.name, digits):
        st.markdown(literal(told, limit=1500))
        within = number_text(details.alike_within, digits=digits)
        show_chart(
            charts.similar_people_chart(details.similar, digits=digits),
            description=charts.similar_people_alt(details.similar, digits=digits),
            note="For each person, those most like them in everything but the group are looked at: how far the mean "
            "prediction for those of the own group is from that for all of them. “At most "
            f"{within}” is best: that is a tenth of the spread of the amounts, rounded.",
        )
    else:
        st.caption("Nobody among the held-out rows is like people of another group, so this cannot be told.")
    with st.expander("Similar people and the indices as tables"):
        st.caption(
            "DIDI adds up how far the mean prediction for each group is from that for everybody. DTDI does so among "
            "similar people. Both are in the unit of the amount, and 0 where the group makes no difference."
        )
        for kind in ("indices", "treated", "similar"):
            show_table(tables[kind])


def show_search(fitted: Fitted) -> None:
    """Draw how the bound and the best tree came together."""
    finding = fitted.candidate.finding
    details, tables = finding.details, amount_tables_of(finding, fitted.facts)
    st.header("How the tree was found")
    st.caption(literal(f"{method_words(details)} What was made small: {details.objective_words}.", limit=900))
    if len(details.bounds) > 1:
        digits = value_digits(details)
        show_chart(
            charts.tree_bounds_chart(details.bounds, digits=digits),
            description=charts.tree_bounds_alt(details.bounds, digits=digits),
            note="No tree of this depth, made of the questions that were considered, can come below the proven bound: "
            "how close the best so far is to it is how close this tree is to the best possible.",
        )
    with st.expander("How this is computed"):
        st.code(f"{ASKED}\n\n{INDICES}", language=None, wrap_lines=True)
        st.caption(
            "Only what was asked for counts. The tree is found on the training rows of known groups. Similar people "
            "are those nearest in all columns to learn from that do not tell the groups."
        )
    with st.expander("The search in figures"):
        show_table(tables["found"])
        if len(details.bounds):
            show_table(tables["bounds"], most=50)
