"""What is asked of a tree: how deep it may be, what must be alike, and how it is searched for."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.trees.plan import DEEPEST, TreesPlan
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.remedies.group_limits import NOTHING, choose_alike, choose_limit, choose_sensitive, groups_words, show_outcome
from ui.remedies.time_limit import choose_time_limit
from ui.remedies.trees.discrimination import choose_index, choose_weight
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState

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
    with st.expander("Search"):
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
