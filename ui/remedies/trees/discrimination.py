"""What discrimination costs while a tree is found: an index with a price or a bound, or the price of a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from fairaudit.remedies.trees.plan import TreesPlan
from ui.remedies import drafts
from ui.state import AuditState

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
