"""What the results of all trees share: their words, proof, files, similar people, and how they were found."""

from __future__ import annotations

import streamlit as st

from fairaudit.remedies.trees.chart_texts import similar_people_alt, tree_bounds_alt
from fairaudit.remedies.trees.charts import similar_people_chart, tree_bounds_chart
from fairaudit.remedies.trees.clickable import clickable_tree_chart
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.words import (
    certificate_words,
    marked_splits,
    method_words,
    tree_text,
    value_digits,
)
from fairaudit.report.picture import to_png, to_svg
from fairaudit.study.trying import plan_key, remedy_name
from ui.cautions import show_cautions
from ui.charts import show_chart
from ui.downloads import OfferedFile, offer_files
from ui.remedies.outcome import tables_of
from ui.remedies.trees.nodes import wording_of
from ui.state import Fitted
from ui.tables import show_table
from ui.text import literal


def show_sentence(asked: TreesPlan, fitted: Fitted, sentence: str, *, careful: tuple[str, ...] = ()) -> None:
    """Draw what a tree says, what to be careful about, the gravest first, and what is marked in it.

    `asked` is what is asked now, which may be something else than what this tree was found for.
    """
    details, plan = fitted.candidate.finding.details, fitted.candidate.finding.plan
    if plan_key(plan) != plan_key(asked):
        name = literal(remedy_name(plan, fitted.outcome))
        st.info(f"The settings have changed since this tree was found: {name}.")
    st.subheader(literal(sentence, limit=900), anchor=False)
    show_cautions((*careful, *marked_splits(details)))


def show_certificate(fitted: Fitted) -> None:
    """Draw how far from the best possible a tree can be."""
    details = fitted.candidate.finding.details
    st.caption(literal(" ".join((certificate_words(details), *details.notes)), limit=1800))


def show_tree_files(fitted: Fitted, columns: tuple[str, ...]) -> None:
    """Draw the buttons that take the tree away, the tree as text and its leaves as a table."""
    with st.expander("The tree as files and as text, and its leaves as a table"):
        _offer_files(fitted)
        st.code("\n".join(tree_text(fitted.candidate.finding.details)), language=None, wrap_lines=True)
        show_table(tables_of(fitted)["leaves"], columns=columns)


def _offer_files(fitted: Fitted) -> None:
    details = fitted.candidate.finding.details

    def picture():
        return clickable_tree_chart(details.nodes, details.counts, levels=details.depth, wording=wording_of(fitted))

    def png() -> bytes:
        return to_png(picture())

    def svg() -> bytes:
        return to_svg(picture())

    def text() -> bytes:
        return "\n".join((*tree_text(details), "")).encode()

    offer_files(
        (
            OfferedFile("Picture (PNG)", "tree.png", "image/png", png, key="trees_file_png"),
            OfferedFile("Picture (SVG)", "tree.svg", "image/svg+xml", svg, key="trees_file_svg"),
            OfferedFile("Tree as text", "tree.txt", "text/plain", text, key="trees_file_txt"),
        ),
        # A leaf for very few people says something about them, also without its counts.
        instead="take the tree from the report, which hides them",
    )


def show_similar_people(fitted: Fitted, said: str, *, note: str, indices: str, digits: int | None = None) -> None:
    """Draw whether similar people are treated alike, before and after, and both indices."""
    similar = fitted.candidate.finding.details.similar
    st.subheader("Are similar people treated alike?", anchor=False)
    if said:
        st.markdown(literal(said, limit=1500))
        show_chart(
            similar_people_chart(similar, digits=digits),
            description=similar_people_alt(similar, digits=digits),
            note=f"For each person, those most like them in everything but the group are looked at: {note}",
        )
    else:
        st.caption("Nobody among the held-out rows is like people of another group, so this is not known.")
    with st.expander("Similar people and the indices as tables"):
        st.caption(indices)
        tables = tables_of(fitted)
        for kind in ("indices", "treated", "similar"):
            show_table(tables[kind])


def show_how_found(fitted: Fitted, formulas: str, *, shares: str = "") -> None:
    """Draw how the bound and the best tree came together."""
    details, tables = fitted.candidate.finding.details, tables_of(fitted)
    st.caption(literal(f"{method_words(details)} What was made small: {details.objective_words}.", limit=900))
    if len(details.bounds) > 1:
        digits = value_digits(details)
        show_chart(
            tree_bounds_chart(details.bounds, digits=digits),
            title="The best tree so far, and the proven bound",
            description=tree_bounds_alt(details.bounds, digits=digits),
            note="No tree of this depth, made of the questions that were considered, can come below the proven bound. "
            "So the distance between the two is how far this tree can be from the best possible.",
        )
    with st.expander("How this is computed"):
        st.code(formulas, language=None, wrap_lines=True)
        st.caption(
            f"Only what was asked for counts. The tree is found on the training rows of known groups.{shares} Similar "
            "people are those nearest in all columns to learn from that do not show who is in which group."
        )
    with st.expander("The search in figures"):
        show_table(tables["found"])
        if len(details.bounds):
            show_table(tables["bounds"], most=50)
