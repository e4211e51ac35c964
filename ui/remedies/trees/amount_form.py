"""What is asked of a tree of amounts: how deep it may be, which means must be alike, and how it is searched for."""

from __future__ import annotations

import math
from typing import Any, Final

import streamlit as st

from fairaudit.measure.mean_comparison import TOLERATED_DEVIATIONS
from fairaudit.present.numbers import number_text
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.remedies.trees.amounts.search import gap_of
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.group_checks import learned_rows
from ui.remedies import drafts
from ui.remedies.group_limits import NOTHING, choose_alike, choose_sensitive, groups_words
from ui.remedies.trees.discrimination import OF_AMOUNTS, IndexWords, choose_index
from ui.remedies.trees.form import choose_depth, choose_search
from ui.state import AuditState
from ui.text import literal

USUAL: Final = TreesPlan(max_depth=2)
MANY_QUESTIONS: Final = 2
"""Fewer than elsewhere: errors that are no counts take much longer to search by."""

ALIKE = {
    "demographic_parity": (
        "Mean predicted amounts (statistical parity)",
        "The tree predicts on average about as much for one group as for another, whatever they have now.",
    ),
    NOTHING: ("Nothing", "No means are compared while the tree is found. Use it to see what a limit costs."),
}
"""In plain words: what can be asked to be alike, and what that means."""

LEAVES = {
    "constant": ("One amount", "Everybody who comes to an answer is predicted the same. Easy to read aloud."),
    "linear": (
        "Columns of numbers with weights",
        "Such as: 2,100 plus 310 times the grade. Closer to each person, but slower to search and harder to explain.",
    ),
}
"""What an answer can predict."""


def choose_plan(state: AuditState, study: AmountStudy) -> TreesPlan:
    """Draw what is asked of a tree of amounts, and return the remedy that this makes."""
    choose_depth(state, USUAL, many=MANY_QUESTIONS)
    st.radio(
        "What an answer predicts",
        [*LEAVES],
        format_func=lambda name: LEAVES[name][0],
        captions=[words for _, words in LEAVES.values()],
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
    tenth = float(f"{TOLERATED_DEVIATIONS * study.facts.deviation:.1g}")
    return IndexWords(
        OF_AMOUNTS,
        "What the search makes small is the mean absolute error plus the price times the index, both in the unit of "
        f"the amount. With a price of 0.5, an index that falls by {tenth:g} is worth {tenth / 2:g} more of error. "
        "Higher asks more of the tree.",
        tenth,
        tenth / 10,
    )


def _choose_alike(state: AuditState, study: AmountStudy) -> None:
    """Draw whether mean predictions must be alike between which groups, and how far they may be apart."""
    constraint = choose_alike(state, USUAL, "constraint", ALIKE)
    facts = study.facts
    st.caption(f"{ALIKE[constraint][1]} The amount: {literal(facts.meaning)}.")
    if constraint == NOTHING:
        return
    digits = digits_of(facts)
    tenth = number_text(TOLERATED_DEVIATIONS * facts.deviation, digits=digits)
    allowed = st.number_input(
        "Largest difference of mean predictions, in the unit of the amount",
        min_value=0.0,
        value=None,
        placeholder=f"{tenth} (a tenth of the standard deviation)",
        format="%g",
        help="Between any two groups, on the rows that the tree is learned from. Smaller asks more of the tree, and "
        "can cost accuracy; on other rows it is often somewhat more. Empty: a tenth of the standard deviation of the "
        "amounts that the tree learns from.",
        **drafts.tied(state, USUAL, "amount_difference"),
    )
    gap = gap_of(study, study.y, learned_rows(study))
    now = f" Among the rows to learn from, the amounts themselves differ by {number_text(gap, digits=digits)}."
    nothing = " With no difference allowed, often only one amount for everybody is left." if allowed == 0 else ""
    st.caption(f"{groups_words(study)}{now if math.isfinite(gap) else ''}{nothing}")
