"""A tree of amounts that was found: what it says, what had to be alike, similar people, and how it was found."""

from __future__ import annotations

import streamlit as st

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import number_text
from fairaudit.remedies.shared import amount_words as words
from fairaudit.remedies.trees.amounts import words as tree_words
from fairaudit.remedies.trees.amounts.cautions import NOT_WEIGHED
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.amounts.moved_leaves import moved_sentences
from fairaudit.remedies.trees.plan import TreesPlan
from ui.remedies.trees.result_parts import show_how_found, show_sentence, show_similar_people, show_tree_files
from ui.state import Fitted
from ui.tables import show_table
from ui.text import literal

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
    """Draw what the tree says, and what to be careful about."""
    finding, digits = fitted.candidate.finding, words.digits_of(fitted.facts)
    beyond = tree_words.beyond_sentence(finding.details, fitted.facts)
    sentence = tree_words.tree_sentence(finding.details, fitted.facts.meaning, digits)
    moved = moved_sentences(finding.details, digits)
    show_sentence(asked, fitted, sentence, careful=(*((beyond,) if beyond else ()), *moved))
    if NOT_WEIGHED in finding.warnings:
        st.info(NOT_WEIGHED)


def show_files(fitted: Fitted) -> None:
    """Draw the tree as text, its leaves as a table, and the buttons that take the tree away."""
    show_tree_files(fitted, LEAVES)


def show_alike(fitted: Fitted) -> None:
    """Draw what had to be alike on training, tuning and held-out rows side by side."""
    finding = fitted.candidate.finding
    details, digits = finding.details, words.digits_of(fitted.facts)
    if details.constraint is None:
        return
    st.subheader("What had to be alike", anchor=False)
    st.markdown(literal(tree_words.kept_sentence(details, fitted.facts), limit=1500))
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
    finding, digits = fitted.candidate.finding, words.digits_of(fitted.facts)
    within = number_text(finding.details.alike_within, digits=digits)
    show_similar_people(
        fitted,
        tree_words.similar_sentence(finding.details, finding.before.name, digits),
        note="how far the mean prediction for those of the own group is from that for all of them. “At most "
        f"{within}” is best: that is a tenth of the spread of the amounts, rounded.",
        indices="DIDI adds up how far the mean prediction for each group is from that for everybody. DTDI does so "
        "among similar people. Both are in the unit of the amount, and 0 where the group makes no difference.",
        digits=digits,
    )


def show_search(fitted: Fitted) -> None:
    """Draw how the bound and the best tree came together."""
    show_how_found(fitted, f"{ASKED}\n\n{INDICES}")
