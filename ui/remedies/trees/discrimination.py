"""What discrimination costs while a tree is found: an index with a price or a bound, or the price of a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from fairaudit.remedies.trees.plan import TreesPlan
from ui.remedies import drafts
from ui.state import AuditState

NONE: Final = "none"
INDICES = {
    NONE: ("None", "Only what must be alike counts."),
    "didi": (
        "Disparate impact (DIDI)",
        "Adds up how far the share predicted positive in each group is from that of everybody. At 0, all groups have "
        "the same share.",
    ),
    "dtdi": (
        "Disparate treatment (DTDI)",
        "Compares each person with those most like them in everything but the group, and adds up how differently the "
        "groups among these are treated. At 0, the group makes no difference among similar people.",
    ),
    "both": ("Both", "Disparate impact and disparate treatment, each counted for itself."),
}
"""In plain words: which index of discrimination can count, and what it adds up."""

OF_AMOUNTS = INDICES | {
    NONE: ("None", "Only errors, and mean amounts that must be alike, count."),
    "didi": (
        "Disparate impact (DIDI)",
        "Adds up how far the mean prediction for each group is from that for everybody, in the unit of the amount. At "
        "0, all groups are predicted the same on average.",
    ),
}
"""The same where the decision is an amount."""

PRICE, BOUND = "price", "bound"
WAYS = {PRICE: "It has a price", BOUND: "It has a limit"}
USUAL_PRICE: Final = 0.5
MOST: Final = 1e6


@dataclass(frozen=True)
class IndexWords:
    """The words of the page about an index.

    Parameters
    ----------
    indices : dict of str to (str, str)
        Its names, and what it adds up.
    price_help : str
        What a price does.
    bound : float
        The limit that is offered at first.
    step : float
        By how much it is changed.
    """

    indices: dict[str, tuple[str, str]]
    price_help: str
    bound: float
    step: float


OF_OUTCOMES: Final = IndexWords(
    INDICES,
    "What the search makes small is the share of wrong rows plus the price times the index. With a price of 0.5, an "
    "index that falls by 0.1 is worth 5 more wrong rows in a hundred. Higher asks more of the tree.",
    0.1,
    0.01,
)


def choose_index(state: AuditState, usual: TreesPlan, words: IndexWords = OF_OUTCOMES) -> None:
    """Draw which index of discrimination counts while a tree is found, and how."""
    index = st.selectbox(
        "Index of discrimination (optional)",
        [*words.indices],
        format_func=lambda name: words.indices[name][0],
        help="An index shows in one number how differently all groups are treated. The search then weighs it against "
        "errors, or keeps it under a limit.",
        **drafts.tied(state, usual, "discrimination", none=NONE),
    )
    st.caption(words.indices[index][1])
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
            "The most that the index may be",
            min_value=0.0,
            max_value=MOST,
            step=words.step,
            format="%g",
            help="On the rows that the tree is learned from. How large it is without a limit stands in the result.",
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
        "Let the search choose how much differences between groups count",
        help="While a tree grows, a question is chosen for few errors and small differences. How the two are weighed "
        "is tried on parts of the training rows. That takes several times as long.",
        **drafts.tied(state, usual, "choose_weight"),
    )
    if not chosen:
        st.number_input(
            "Price of a difference while the tree grows",
            min_value=0.0,
            max_value=MOST,
            step=0.1,
            format="%g",
            help="0: questions are chosen for few errors only, and the whole tree is mended at the end. Higher asks "
            "more of each question.",
            **drafts.tied(state, usual, "fairness_weight"),
        )
