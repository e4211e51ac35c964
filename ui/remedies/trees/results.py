"""A tree of outcomes that was found: what it says, what had to be alike, similar people, and how it was found."""

from __future__ import annotations

import streamlit as st

from fairaudit.measure.limits import FOUR_FIFTHS, exceeds, falls_short
from fairaudit.present.numbers import points_text, share_text, tolerance_text
from fairaudit.remedies.shared.alike_chart import differences_alt, differences_chart, differences_note
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.result_words import (
    similar_sentence,
    trees_kept_sentence,
    trees_sides_sentence,
)
from fairaudit.remedies.trees.words import NOT_THE_GAP, tree_words
from fairaudit.study.cautions import against_majority
from ui.charts import show_chart
from ui.positive import positive_words
from ui.remedies.outcome import tables_of
from ui.remedies.trees.result_parts import show_how_found, show_sentence, show_similar_people, show_tree_files
from ui.state import Fitted
from ui.tables import show_table
from ui.text import literal

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
WHAT_SHARES_ARE_OF = (
    " A share is that of the rows predicted positive; for error rates it is taken among the rows that are positive, or "
    "among the others."
)


def show_verdict(asked: TreesPlan, fitted: Fitted) -> None:
    """Draw what the tree says, and what to be careful about."""
    finding = fitted.candidate.finding
    sentence = tree_words(finding.details, positive_meaning=fitted.facts.positive_meaning)
    careful = " ".join((*against_majority(finding.warnings), beyond_words(finding.details))).strip()
    show_sentence(asked, fitted, sentence, careful=(careful,) if careful else ())


def beyond_words(details: TreesDetails) -> str:
    """Return that groups are further apart on the tuning rows than is allowed, and what helps; empty where not."""
    if details.by_ratio:
        if not falls_short(details.tuned_gap, FOUR_FIFTHS):
            return ""
        return (
            "On the tuning rows, which the tree was not learned from, the smallest share is "
            f"{share_text(details.tuned_gap, beside=FOUR_FIFTHS)} of the largest, less than the 80 % of the rule. "
            "Fewer questions leave less to chance."
        )
    if details.constraint is None or not exceeds(details.tuned_gap, details.max_difference):
        return ""
    return (
        "On the tuning rows, which the tree was not learned from, the largest difference is "
        f"{points_text(details.tuned_gap, signed=False, beside=details.max_difference)}, where "
        f"{tolerance_text(details.max_difference)} are allowed. "
        + (
            "You can ask for a margin in the settings, or for fewer questions, which leave less to chance."
            if details.max_difference
            else "No difference at all is hardly ever kept on other rows: allow a few points."
        )
    )


def show_files(fitted: Fitted) -> None:
    """Draw the tree as text, its leaves as a table, and the buttons that take the tree away."""
    show_tree_files(fitted, LEAVES)


def show_alike(fitted: Fitted) -> None:
    """Draw what had to be alike on training, tuning and held-out rows side by side, and the indices."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    if details.constraint is not None:
        st.subheader("What had to be alike", anchor=False)
        st.markdown(literal(trees_kept_sentence(details), limit=1500))
        st.caption(literal(f"{NOT_THE_GAP} {positive_words(fitted.facts.positive_meaning)}", limit=900))
        # The 80 % rule allows no number of points, so there is nothing to shade: its ratios stand in the table.
        if len(details.gaps) and not details.by_ratio:
            show_chart(
                differences_chart(details.gaps, allowed=details.max_difference),
                description=differences_alt(details.gaps, allowed=details.max_difference),
                note="Shaded: what is allowed. The tree was found on the training rows."
                + differences_note(details.gaps),
            )
        if sides := trees_sides_sentence(details):
            st.caption(literal(sides, limit=1500))
        with st.expander("What had to be alike, as a table"):
            show_table(tables["alike"], columns=RATIOS if details.by_ratio else GAPS)


def show_similar(fitted: Fitted) -> None:
    """Draw whether similar people are treated alike, before and after, and both indices."""
    finding = fitted.candidate.finding
    show_similar_people(
        fitted,
        similar_sentence(finding.details, finding.before.name),
        note="how far the share predicted positive among those of the own group is from that among all of them. “None” "
        "is best.",
        indices="DIDI adds up how far the share predicted positive in each group is from that of everybody. DTDI does "
        "so among similar people. Both are 0 where the group makes no difference.",
    )


def show_search(fitted: Fitted) -> None:
    """Draw how the bound and the best tree came together."""
    looks_ahead = fitted.candidate.finding.details.search == "look_ahead"
    show_how_found(fitted, INDICES if looks_ahead else f"{ASKED}\n\n{INDICES}", shares=WHAT_SHARES_ARE_OF)
