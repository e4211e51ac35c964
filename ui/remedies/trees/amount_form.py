"""What is asked of a tree of amounts: how deep it may be, which means must be alike, and how it is searched for."""

from __future__ import annotations

import math
from typing import Any, Final

import streamlit as st

from fairaudit.findings import Amount, Message
from fairaudit.measure.means import proposed_tolerance
from fairaudit.messages import say
from fairaudit.present.numbers import number_text
from fairaudit.remedies.shared.amount_tables import digits_of
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import gap_of
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.rows import learned_rows
from ui.remedies import drafts
from ui.remedies.group_limits import NOTHING, choose_alike, choose_sensitive, groups_words
from ui.remedies.trees.discrimination import IndexWords, choose_index
from ui.remedies.trees.form import choose_depth, choose_search
from ui.state import AuditState
from ui.text import literal

USUAL: Final = TreesPlan(max_depth=2)
MANY_QUESTIONS: Final = 2
"""Fewer than elsewhere: errors that are no counts take much longer to search by."""

ALIKE: Final = {"demographic_parity": "mean", NOTHING: "nothing"}
"""What can be asked to be alike, and the rate by which that is named."""

LEAVES: Final = {"constant": "One amount", "linear": "Weighted columns"}
"""What an answer can predict."""


def choose_plan(state: AuditState, study: AmountStudy) -> TreesPlan:
    """Draw what is asked of a tree of amounts, and return the remedy that this makes."""
    choose_depth(state, USUAL, many=MANY_QUESTIONS)
    st.radio(
        "An answer predicts",
        [*LEAVES],
        format_func=LEAVES.__getitem__,
        help="Weighted columns are closer to each person, slower to search and harder to explain.",
        **drafts.tied(state, USUAL, "leaves"),
    )
    _choose_alike(state, study)
    choose_index(state, USUAL, index_words(study))
    choose_sensitive(state, study, USUAL, "questions")
    choose_search(state, USUAL)
    return plan_of(drafts.draft_of(state, USUAL))


def plan_of(draft: TreesPlan) -> TreesPlan:
    """Return settings as a remedy: what nothing asks for is left out."""
    usual: dict[str, Any] = {"amount_difference": None} if draft.constraint is None else {}
    if draft.discrimination is None or (draft.max_discrimination is None and draft.fairness_weight == 0):
        usual |= {"discrimination": None, "fairness_weight": 0.0, "max_discrimination": None}
    return TreesPlan.model_validate(draft.model_copy(update=usual).model_dump())


def index_words(study: AmountStudy) -> IndexWords:
    """Return the words about an index of discrimination, with sums that fit these amounts."""
    tenth = proposed_tolerance(study.facts.deviation)
    return IndexWords(
        "The error may grow by the price times what the index falls.",
        tenth,
        tenth / 10,
    )


def _choose_alike(state: AuditState, study: AmountStudy) -> None:
    """Draw whether mean predictions must be alike between which groups, and how far they may be apart."""
    constraint = choose_alike(state, USUAL, "constraint", ALIKE)
    facts = study.facts
    if constraint == NOTHING:
        return
    digits = digits_of(facts)
    limit = number_text(study.judge.tolerance, digits=digits)
    allowed = st.number_input(
        "Largest gap",
        min_value=0.0,
        value=None,
        placeholder=limit,
        format="%g",
        help="Between two groups, on the training cases. Empty: that of Check, set or proposed.",
        **drafts.tied(state, USUAL, "amount_difference"),
    )
    gap = gap_of(study, study.y, learned_rows(study))
    st.caption(groups_words(study))
    if math.isfinite(gap):
        st.caption(literal(say(Message("tree-form-now", {"gap": Amount(gap, digits)}))))
    if allowed == 0:
        st.caption(say(Message("tree-form-none-allowed")))
