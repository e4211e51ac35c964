"""What is asked of a tree, of outcomes or of amounts: depth, what must be alike, and how it is searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from fairaudit.findings import Amount, Message
from fairaudit.measure.means import proposed_tolerance
from fairaudit.messages import say
from fairaudit.present.numbers import number_text
from fairaudit.remedies.shared.amount_tables import digits_of
from fairaudit.remedies.trees.plan import DEEPEST, TreesPlan
from fairaudit.remedies.trees.search import gap_of
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.rows import Study, learned_rows
from ui.remedies import drafts
from ui.remedies.drafts import (
    NOTHING,
    choose_alike,
    choose_limit,
    choose_no_group_worse_off,
    choose_sensitive,
    choose_time_limit,
    groups_words,
    show_outcome,
)
from ui.state import AuditState
from ui.text import literal

# What discrimination costs while a tree is found: an index with a price or a bound, or the price of a difference.

NONE: Final = "none"
INDICES: Final = {
    NONE: "None",
    "didi": "Disparate impact (DIDI)",
    "dtdi": "Disparate treatment (DTDI)",
    "both": "Both",
}

PRICE, BOUND = "price", "bound"
WAYS = {PRICE: "With a price", BOUND: "With a limit"}
USUAL_PRICE: Final = 0.5
MOST: Final = 1e6


@dataclass(frozen=True)
class IndexWords:
    """The words of the page about an index.

    Parameters
    ----------
    price_help : str
        What a price does.
    bound : float
        The limit that is offered at first.
    step : float
        By how much it is changed.
    """

    price_help: str
    bound: float
    step: float


OF_OUTCOMES: Final = IndexWords(
    "At a price of 0.5, an index that falls by 0.1 is worth 5 more wrong answers in a hundred.",
    0.1,
    0.01,
)


def choose_index(state: AuditState, usual: TreesPlan, words: IndexWords = OF_OUTCOMES) -> None:
    """Draw which index of discrimination counts while a tree is found, and how."""
    st.selectbox(
        "Index of discrimination",
        [*INDICES],
        format_func=INDICES.__getitem__,
        help="DIDI: how far groups are from everybody. DTDI: the same among similar people. Both are 0 without a gap.",
        **drafts.tied(state, usual, "discrimination", none=NONE),
    )
    draft = drafts.draft_of(state, usual)
    if draft.discrimination is None:
        return
    if draft.max_discrimination is None and draft.fairness_weight == 0:
        drafts.take(state, usual, fairness_weight=USUAL_PRICE)
        draft = drafts.draft_of(state, usual)
    way = _choose_way(state, usual, draft, words.bound)
    if way == PRICE or draft.fairness_weight:
        st.number_input(
            "Price of the index",
            min_value=0.0 if draft.max_discrimination is not None else 0.01,
            max_value=MOST,
            step=0.1,
            format="%g",
            help=words.price_help,
            **drafts.tied(state, usual, "fairness_weight"),
        )
    if way == BOUND:
        st.number_input(
            "Largest index",
            min_value=0.0,
            max_value=MOST,
            step=words.step,
            format="%g",
            help="On the training cases.",
            **drafts.tied(state, usual, "max_discrimination"),
        )


def _choose_way(state: AuditState, usual: TreesPlan, draft: TreesPlan, bound: float) -> str:
    key = "trees_way"
    way = PRICE if draft.max_discrimination is None else BOUND
    if st.session_state.get(key) != way:
        st.session_state[key] = way

    def change() -> None:
        if st.session_state[key] == BOUND:
            drafts.take(state, usual, max_discrimination=bound, fairness_weight=0.0)
        else:
            drafts.take(state, usual, max_discrimination=None, fairness_weight=USUAL_PRICE)

    return st.radio("How it counts", [*WAYS], format_func=WAYS.__getitem__, key=key, on_change=change, horizontal=True)


def choose_weight(state: AuditState, usual: TreesPlan) -> None:
    """Draw what a difference between groups costs while a tree is grown."""
    chosen = st.checkbox(
        "Choose the price of a gap",
        help="By trying it on parts of the training cases. That takes several times as long.",
        **drafts.tied(state, usual, "choose_weight"),
    )
    if not chosen:
        st.number_input(
            "Price of a gap",
            min_value=0.0,
            max_value=MOST,
            step=0.1,
            format="%g",
            help="0: questions are chosen for few errors only.",
            **drafts.tied(state, usual, "fairness_weight"),
        )


# What is asked of a tree: how deep it may be, what must be alike, and how it is searched for.

USUAL: Final = TreesPlan()
SEARCHES: Final = {
    "optimal": ("The best tree", "Searched for among all trees. For up to about 4 questions."),
    "look_ahead": ("A grown tree", "Question by question. For more questions and large tables."),
}
ALIKE: Final = {
    "demographic_parity": "selected",
    "four_fifths": "ratio",
    "equal_opportunity": "missed",
    "equalized_odds": "both",
    NOTHING: "nothing",
}
"""What can be asked to be alike, and the rate by which that is named."""

BRANCHING = {
    "single": "One column",
    "linear": "Several columns, weighed",
}
MANY_QUESTIONS: Final = 4


def choose_plan(state: AuditState, study: Study) -> TreesPlan:
    """Draw what is asked of a tree, and return the remedy that this makes."""
    st.radio(
        "Which tree",
        [*SEARCHES],
        format_func=lambda name: SEARCHES[name][0],
        captions=[words for _, words in SEARCHES.values()],
        **drafts.tied(state, USUAL, "search") | {"on_change": lambda: _take_search(state)},
    )
    choose_depth(state, USUAL)
    draft = drafts.draft_of(state, USUAL)
    _choose_alike(state, study)
    if draft.search == "optimal":
        choose_index(state, USUAL)
        if not plan_of(drafts.draft_of(state, USUAL)).is_free:
            choose_no_group_worse_off(state, USUAL)
    elif draft.constraint is not None:
        choose_weight(state, USUAL)
    # A tree that is grown question by question never asks for them.
    choose_sensitive(state, study, USUAL, "questions", offered=draft.search == "optimal")
    choose_search(state, USUAL)
    return plan_of(drafts.draft_of(state, USUAL))


def choose_depth(state: AuditState, usual: TreesPlan, *, many: int = MANY_QUESTIONS) -> None:
    """Draw how many questions are asked at most, and where a search for the best tree is likely to be cut."""
    depth = st.slider(
        "Questions a person",
        min_value=1,
        max_value=DEEPEST,
        help="Fewer are easier to explain. More may be right more often, and take longer to search.",
        **drafts.tied(state, usual, "max_depth"),
    )
    if depth > many and drafts.draft_of(state, usual).search == "optimal":
        st.caption(say(Message("tree-form-deep")))


def plan_of(draft: TreesPlan) -> TreesPlan:
    """Return settings as a remedy: what the chosen search does not have, and what nothing asks for, is left out."""
    usual: dict[str, Any] = {}

    def left_out(*names: str) -> None:
        usual.update({name: TreesPlan.model_fields[name].default for name in names})

    if draft.constraint in (None, "four_fifths"):
        left_out("max_difference", "margin")
    else:
        usual["margin"] = min(draft.margin, draft.max_difference)
    if draft.search == "look_ahead":
        left_out("discrimination", "max_discrimination", "branching", "max_uses_per_feature", "max_features")
        left_out("use_sensitive", "no_group_worse_off")
        if draft.constraint is None or draft.choose_weight:
            left_out("fairness_weight")
        if draft.constraint is None:
            left_out("choose_weight")
    else:
        left_out("choose_weight")
        if draft.discrimination is None or (draft.max_discrimination is None and draft.fairness_weight == 0):
            left_out("discrimination", "fairness_weight", "max_discrimination")
        if draft.constraint is None and (draft.discrimination is None or "discrimination" in usual):
            left_out("no_group_worse_off")
    return TreesPlan.model_validate(draft.model_copy(update=usual).model_dump())


def _take_search(state: AuditState) -> None:
    search = st.session_state["trees_search"]
    # Without a weight a grown tree heeds the groups only at its end.
    drafts.take(state, USUAL, search=search, choose_weight=search == "look_ahead", fairness_weight=0.0)


def _choose_alike(state: AuditState, study: Study) -> None:
    """Draw what must be alike between which groups, how far it may be apart, and the margin."""
    constraint = choose_alike(state, USUAL, "constraint", ALIKE)
    if constraint != NOTHING:
        show_outcome(study, ALIKE[constraint])
    if constraint == "four_fifths":
        st.caption(groups_words(study))
    elif constraint != NOTHING:
        choose_limit(state, study, USUAL)


def choose_search(state: AuditState, usual: TreesPlan) -> None:
    """Draw what few people change."""
    draft = drafts.draft_of(state, usual)
    with st.expander("How it searches"):
        if draft.search == "optimal":
            st.radio(
                "A question asks for",
                [*BRANCHING],
                format_func=BRANCHING.__getitem__,
                **drafts.tied(state, usual, "branching"),
            )
        left, right = st.columns(2)
        if draft.search == "optimal":
            left.number_input(
                "Columns, at most",
                min_value=0,
                max_value=999,
                step=1,
                help="0: no limit.",
                **drafts.tied(state, usual, "max_features", none=0),
            )
            right.number_input(
                "Questions a column, at most",
                min_value=0,
                max_value=255,
                step=1,
                help="0: no limit.",
                **drafts.tied(state, usual, "max_uses_per_feature", none=0),
            )
        left.number_input(
            "Training cases an answer",
            min_value=1,
            max_value=1_000_000,
            step=1,
            help="At least. An answer learned from few cases may be chance.",
            **drafts.tied(state, usual, "min_leaf_size"),
        )
        with right:
            choose_time_limit(
                state,
                usual,
                other="The tree without a limit gets as much, other settings a tenth each.",
            )
        left.number_input(
            "Similar people",
            min_value=1,
            max_value=1000,
            step=1,
            help="How many of those most like a person count as similar.",
            **drafts.tied(state, usual, "n_neighbors"),
        )


# What is asked of a tree of amounts: how deep it may be, which means must be alike, and how it is searched for.

USUAL_OF_AMOUNTS: Final = TreesPlan(max_depth=2)
MANY_QUESTIONS_OF_AMOUNTS: Final = 2
"""Fewer than elsewhere: errors that are no counts take much longer to search by."""

MEANS_ALIKE: Final = {"demographic_parity": "mean", NOTHING: "nothing"}
"""What can be asked to be alike, and the rate by which that is named."""

LEAVES: Final = {"constant": "One amount", "linear": "Weighted columns"}
"""What an answer can predict."""


def choose_amount_plan(state: AuditState, study: AmountStudy) -> TreesPlan:
    """Draw what is asked of a tree of amounts, and return the remedy that this makes."""
    choose_depth(state, USUAL_OF_AMOUNTS, many=MANY_QUESTIONS_OF_AMOUNTS)
    st.radio(
        "An answer predicts",
        [*LEAVES],
        format_func=LEAVES.__getitem__,
        help="Weighted columns are closer to each person, slower to search and harder to explain.",
        **drafts.tied(state, USUAL_OF_AMOUNTS, "leaves"),
    )
    _choose_means_alike(state, study)
    choose_index(state, USUAL_OF_AMOUNTS, index_words(study))
    choose_sensitive(state, study, USUAL_OF_AMOUNTS, "questions")
    choose_search(state, USUAL_OF_AMOUNTS)
    return amount_plan_of(drafts.draft_of(state, USUAL_OF_AMOUNTS))


def amount_plan_of(draft: TreesPlan) -> TreesPlan:
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


def _choose_means_alike(state: AuditState, study: AmountStudy) -> None:
    """Draw whether mean predictions must be alike between which groups, and how far they may be apart."""
    constraint = choose_alike(state, USUAL_OF_AMOUNTS, "constraint", MEANS_ALIKE)
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
        **drafts.tied(state, USUAL_OF_AMOUNTS, "amount_difference"),
    )
    gap = gap_of(study, study.y, learned_rows(study))
    st.caption(groups_words(study))
    if math.isfinite(gap):
        st.caption(literal(say(Message("tree-form-now", {"gap": Amount(gap, digits)}))))
    if allowed == 0:
        st.caption(say(Message("tree-form-none-allowed")))
