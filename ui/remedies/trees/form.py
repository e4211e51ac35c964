"""What is asked of a tree, of outcomes or of amounts: depth, what must be alike, and how it is searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from fairaudit.findings import Amount, Message
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.means import proposed_tolerance
from fairaudit.messages import say
from fairaudit.present.numbers import number_text
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.search import gap_of
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.rows import Study, learned_rows
from ui.remedies import drafts
from ui.remedies.drafts import (
    NOTHING,
    choose_alike,
    choose_limit,
    choose_sensitive,
    choose_similar,
    choose_way,
    groups_words,
    show_outcome,
)
from ui.state import AuditState
from ui.text import stated

# What discrimination costs while a tree is found: an index with a price or a bound, or the price of a difference.

PRICE, BOUND = "price", "bound"
WAYS = {PRICE: "With a price", BOUND: "With a limit"}
USUAL_PRICE: Final = 0.5
MOST: Final = 1e6


@dataclass(frozen=True)
class IndexWords:
    """What the page says of the price of an index, the limit on it that is offered at first, and its steps."""

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
    drafts.ask(state, usual, "discrimination")
    draft = drafts.draft_of(state, usual)
    if draft.discrimination is None:
        return
    if draft.max_discrimination is None and draft.fairness_weight == 0:
        drafts.take(state, usual, fairness_weight=USUAL_PRICE)
        draft = drafts.draft_of(state, usual)
    way = _choose_way(state, usual, draft, words.bound)
    if way == PRICE or draft.fairness_weight:
        drafts.ask(
            state,
            usual,
            "fairness_weight",
            label="Price of the index",
            help=words.price_help,
            min_value=0.0 if draft.max_discrimination is not None else 0.01,
        )
    if way == BOUND:
        drafts.ask(state, usual, "max_discrimination", step=words.step)


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
    if not drafts.ask(state, usual, "choose_weight"):
        drafts.ask(state, usual, "fairness_weight")


# What is asked of a tree: how deep it may be, what must be alike, and how it is searched for.

USUAL: Final = TreesPlan()
CONSTRAINTS: Final = {
    "demographic_parity": "selected",
    "four_fifths": "ratio",
    "equal_opportunity": "missed",
    "equalized_odds": "both",
    NOTHING: "nothing",
}
"""What can be asked to be alike, and the rate by which that is named."""

MANY_QUESTIONS: Final = 4


def choose_plan(state: AuditState, study: Study) -> TreesPlan:
    """Draw what is asked of a tree, and return the remedy that this makes."""
    drafts.ask(state, USUAL, "search", on_change=lambda: _take_search(state))
    choose_depth(state, USUAL)
    _choose_alike(state, study)
    draft = drafts.draft_of(state, USUAL)
    if draft.search == "optimal" and not gives_up_accuracy(draft):
        choose_index(state, USUAL)
        if not plan_of(drafts.draft_of(state, USUAL)).is_free:
            drafts.ask(state, USUAL, "no_group_worse_off")
    elif draft.search == "look_ahead" and draft.constraint is not None:
        choose_weight(state, USUAL)
    # A tree that is grown question by question never asks for them.
    choose_sensitive(state, study, USUAL, offered=draft.search == "optimal")
    choose_search(state, USUAL)
    return plan_of(drafts.draft_of(state, USUAL))


def choose_depth(state: AuditState, usual: TreesPlan, *, many: int = MANY_QUESTIONS) -> None:
    """Draw how many questions are asked at most, and where a search for the best tree is likely to be cut."""
    depth = drafts.ask(state, usual, "max_depth")
    if depth > many and drafts.draft_of(state, usual).search == "optimal":
        st.caption(say(Message("tree-form-deep")))


def gives_up_accuracy(draft: TreesPlan) -> bool:
    """Say whether the gap is made small for accuracy lost, and has no limit."""
    return draft.max_loss is not None and draft.search == "optimal" and draft.constraint not in (None, "four_fifths")


def plan_of(draft: TreesPlan) -> TreesPlan:
    """Return settings as a remedy: what the chosen search does not have, and what nothing asks for, is left out."""
    usual: dict[str, Any] = {}

    def left_out(*names: str) -> None:
        usual.update({name: TreesPlan.model_fields[name].default for name in names})

    if draft.constraint in (None, "four_fifths"):
        left_out("max_difference", "margin", "max_loss", "strata", "strata_cuts")
    elif gives_up_accuracy(draft):
        left_out("max_difference", "margin", "no_group_worse_off", "branching", "max_uses_per_feature", "max_features")
        left_out("discrimination", "fairness_weight", "max_discrimination")
    else:
        usual["margin"] = min(draft.margin, draft.max_difference)
    if not searches_by(draft.model_copy(update=usual)):
        left_out("solver")
    if draft.search == "look_ahead":
        left_out("discrimination", "max_discrimination", "branching", "max_uses_per_feature", "max_features", "solver")
        left_out("use_sensitive", "no_group_worse_off", "max_splits", "max_loss")
        if draft.constraint is None or draft.choose_weight:
            left_out("fairness_weight")
        if draft.constraint is None:
            left_out("choose_weight")
        if draft.constraint is None or not draft.choose_weight:
            left_out("prices_tried")
    else:
        left_out("choose_weight", "prices_tried", "look_ahead", "sample_size")
        if draft.discrimination is None or (draft.max_discrimination is None and draft.fairness_weight == 0):
            left_out("discrimination", "fairness_weight", "max_discrimination")
        if draft.constraint is None and (draft.discrimination is None or "discrimination" in usual):
            left_out("no_group_worse_off")
    keeps_groups = draft.no_group_worse_off and "no_group_worse_off" not in usual
    if draft.constraint is None or gives_up_accuracy(draft) or keeps_groups:
        left_out("confidence")
    return TreesPlan.model_validate(draft.model_copy(update=usual).model_dump())


def searches_by(draft: TreesPlan) -> bool:
    """Say whether the chosen solver has such trees."""
    weighs = draft.branching == "linear" or draft.leaves == "linear"
    if draft.solver == "search":
        counts_columns = draft.max_uses_per_feature is not None or draft.max_features is not None
        return not (weighs or counts_columns or draft.discrimination in ("dtdi", "both"))
    return not (draft.solver == "published" and weighs) and (draft.solver == "auto" or draft.max_loss is None)


def _take_search(state: AuditState) -> None:
    search = st.session_state["trees_search"]
    # Without a weight a grown tree heeds the groups only at its end.
    usual = TreesPlan(search=search)
    drafts.take(state, USUAL, search=search, choose_weight=usual.choose_weight, fairness_weight=0.0)


def _choose_alike(state: AuditState, study: Study) -> None:
    """Draw what must be alike between which groups, how far it may be apart, and the margin."""
    constraint = choose_alike(state, USUAL, "constraint", CONSTRAINTS)
    if constraint != NOTHING:
        show_outcome(study, CONSTRAINTS[constraint])
    if constraint == "four_fifths":
        st.caption(groups_words(study))
    elif constraint != NOTHING and drafts.draft_of(state, USUAL).search == "optimal":
        choose_way(state, study, USUAL, drafts.draft_of(state, USUAL).max_loss)
    elif constraint != NOTHING:
        choose_limit(state, study, USUAL)
    if constraint not in (NOTHING, "four_fifths"):
        choose_similar(state, study, USUAL)
    if constraint != NOTHING and not gives_up_accuracy(draft := drafts.draft_of(state, USUAL)):
        is_open = draft.search != "optimal" or not draft.no_group_worse_off
        drafts.choose_confidence(state, USUAL, draft.confidence, is_open=is_open)


def choose_search(state: AuditState, usual: TreesPlan) -> None:
    """Draw what few people change."""
    draft = drafts.draft_of(state, usual)
    is_open = draft.search == "optimal" and not gives_up_accuracy(draft)
    with st.expander("How it searches"):
        if is_open:
            drafts.ask(state, usual, "branching")
        elif draft.search == "look_ahead" and draft.constraint is not None and draft.choose_weight:
            drafts.ask(state, usual, "prices_tried")
        left, right = st.columns(2)
        if draft.search == "look_ahead":
            drafts.ask(state, usual, "look_ahead", left)
            drafts.ask(state, usual, "sample_size", right)
        if is_open:
            drafts.ask(state, usual, "max_features", left)
            drafts.ask(state, usual, "max_uses_per_feature", right)
        if draft.search == "optimal":
            drafts.ask(state, usual, "max_splits", left)
            drafts.ask(state, usual, "solver", right)
        drafts.ask(state, usual, "min_leaf_size", left)
        drafts.ask(state, usual, "time_limit", right)
        drafts.ask(state, usual, "n_neighbors", left)


# What is asked of a tree of amounts: how deep it may be, which means must be alike, and how it is searched for.

USUAL_OF_AMOUNTS: Final = TreesPlan(max_depth=2)
MANY_QUESTIONS_OF_AMOUNTS: Final = 2
"""Fewer than elsewhere: errors that are no counts take much longer to search by."""

MEANS_ALIKE: Final = {"demographic_parity": "mean", NOTHING: "nothing"}
"""What can be asked to be alike, and the rate by which that is named."""


def choose_amount_plan(state: AuditState, study: AmountStudy) -> TreesPlan:
    """Draw what is asked of a tree of amounts, and return the remedy that this makes."""
    choose_depth(state, USUAL_OF_AMOUNTS, many=MANY_QUESTIONS_OF_AMOUNTS)
    drafts.ask(state, USUAL_OF_AMOUNTS, "leaves")
    _choose_means_alike(state, study)
    choose_index(state, USUAL_OF_AMOUNTS, index_words(study))
    choose_sensitive(state, study, USUAL_OF_AMOUNTS)
    choose_search(state, USUAL_OF_AMOUNTS)
    return amount_plan_of(drafts.draft_of(state, USUAL_OF_AMOUNTS))


def amount_plan_of(draft: TreesPlan) -> TreesPlan:
    """Return settings as a remedy: what nothing asks for is left out."""
    usual: dict[str, Any] = {"amount_difference": None, "confidence": None} if draft.constraint is None else {}
    if draft.discrimination is None or (draft.max_discrimination is None and draft.fairness_weight == 0):
        usual |= {"discrimination": None, "fairness_weight": 0.0, "max_discrimination": None}
    if not searches_by(draft):
        usual["solver"] = "auto"
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
    digits = amount_digits(facts.deviation)
    limit = number_text(study.judge.tolerance, digits=digits)
    allowed = drafts.ask(state, USUAL_OF_AMOUNTS, "amount_difference", placeholder=limit)
    gap = gap_of(study, study.y, learned_rows(study))
    st.caption(groups_words(study))
    if math.isfinite(gap):
        st.caption(stated("tree-form-now", gap=Amount(gap, digits)))
    if allowed == 0:
        st.caption(say(Message("tree-form-none-allowed")))
    confidence = drafts.draft_of(state, USUAL_OF_AMOUNTS).confidence
    drafts.choose_confidence(state, USUAL_OF_AMOUNTS, confidence, is_open=True)
