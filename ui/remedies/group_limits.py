"""What must be alike between which groups, and whether the columns that name them may be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from fairaudit.defaults import Positive
from fairaudit.findings import Message, Phrase, Word
from fairaudit.messages import called, say
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.state import AuditState
from ui.text import first_named, literal

NOTHING: Final = "nothing"
_MOST_NAMED = 6


def choose_alike(state: AuditState, usual: RemedyPlan, field: str, rates: Mapping[str, str]) -> str:
    """Draw the choice of what must be alike, by the rates that :func:`rate_words` names."""
    called = {name: rate_words(rate, state.models.positive) for name, rate in rates.items()}
    labels = {name: say(Message("name-label", {"label": words})) for name, words in called.items()}
    return st.selectbox(
        say(Message("limits-alike")),
        [*labels],
        format_func=labels.__getitem__,
        **drafts.tied(state, usual, field, none=NOTHING),
    )


def rate_words(rate: str, positive: Positive) -> Message:
    """Return what a rate that can be alike is called, by which result the audit calls positive."""
    return Message("limits-alike-rate", {"rate": Word(rate), "positive": Word(positive)})


def show_outcome(study: Study, rate: str) -> None:
    """Draw what is predicted where the rate is the share of people who are predicted to have the outcome."""
    if rate not in ("selected", "ratio"):
        return
    st.caption(literal(say(Message("limits-outcome", {"outcome": Phrase(study.facts.positive_meaning)}))))


def choose_limit(state: AuditState, study: Study, usual: RemedyPlan) -> None:
    """Draw how far groups may be apart, the margin, and what that means while something is searched for."""
    left, right = st.columns(2)
    points = {"min_value": 0.0, "max_value": 100.0, "step": 0.5, "format": "%g"}
    allowed = left.number_input(
        "Your limit, in points",
        **points,
        help="How far any two groups may be apart.",
        **drafts.tied_points(state, usual, "max_difference"),
    )
    margin = right.number_input(
        "Margin, in points",
        **points,
        help="So much less is allowed in the search, so that the limit also holds for other people.",
        **drafts.tied_points(state, usual, "margin"),
    )
    if margin > allowed:
        st.warning(literal(say(Message("limits-margin"))))
    elif margin == allowed:
        st.caption(literal(say(Message("limits-none-allowed"))))
    st.caption(groups_words(study))


def groups_words(study: DividedRows) -> str:
    """Return which groups are compared, in Markdown."""
    known = set(study.groups[study.group_known])
    names = [called(name) for name in study.group_names if name in known]
    return literal(say(Message("limits-groups", first_named(names, between="; ", most=_MOST_NAMED))), limit=900)


def choose_sensitive(
    state: AuditState, study: DividedRows, usual: RemedyPlan, what: str, *, offered: bool = True
) -> None:
    """Draw whether the columns that name the groups may be used, and which are left out."""
    protected = study.facts.protected_features
    chosen = offered and st.checkbox(
        f"{what.capitalize()} may name the group",
        help="Deciding by group is unlawful in many places: ask counsel first.",
        **drafts.tied(state, usual, "use_sensitive"),
    )
    if protected and not chosen:
        st.caption(literal(say(Message("limits-left-out", {"columns": Phrase(", ".join(protected))})), limit=400))
