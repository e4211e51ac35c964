"""What is asked of a tree: how deep it may be, what must be alike, and how it is searched for."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from fairaudit.present.numbers import count_text
from fairaudit.remedies.trees.plan import DEEPEST, TreesPlan
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.remedies.group_limits import NOTHING, LimitWords, choose_alike, choose_limit, choose_sensitive, groups_words
from ui.remedies.time_limit import choose_time_limit
from ui.remedies.trees.discrimination import choose_index, choose_weight
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState
from ui.text import literal

USUAL: Final = TreesPlan()
SEARCHES = {
    "optimal": (
        "The best tree of this depth",
        "Looks for the tree with the fewest errors that keeps to what you ask, and says how far from the best possible "
        "it can be. Made for up to about 4 questions.",
    ),
    "look_ahead": (
        "A good tree, grown question by question",
        "Chooses each question by looking at those that could follow. Made for more questions and for large tables. "
        "It cannot say how far from the best possible the tree is.",
    ),
}
ALIKE = {
    "demographic_parity": (
        "Share predicted positive",
        "Of all rows, the tree predicts the outcome for the same share in all groups, whoever has it. Called "
        "statistical parity.",
    ),
    "four_fifths": (
        "The same, by the 80 % rule",
        "The share that is predicted positive in each group is at least 80 % of that in any other group. Called "
        "the four fifths rule.",
    ),
    "equal_opportunity": (
        "False negative rate",
        "Of the rows that are positive, the tree misses the same share in all groups. Called equal opportunity.",
    ),
    "equalized_odds": (
        "Both error rates",
        "Errors fall on all groups alike, on rows that are positive and on rows that are not. Called equalized odds.",
    ),
    NOTHING: ("Nothing", "No shares are compared while the tree is found. Use it to see what a limit costs."),
}
"""In plain words: what can be asked to be alike, and what that means."""

BRANCHING = {
    "single": ("One column a question", "Such as: is the age at most 25? Easy to read and to draw."),
    "linear": (
        "Several columns a question, with weights",
        "Such as: is 2 times the age less 3 times the prior offences at most 10? Fewer questions, but hard to explain.",
    ),
}
LIMIT: Final = LimitWords(
    "the tree",
    "A tree that just keeps a limit on the rows that it was found on is often beyond it for other people. With a "
    "margin, so much less is allowed while it is found.",
    "While the tree is found",
    "a tree that predicts the same for everybody",
)
MANY_QUESTIONS: Final = 4
GROWN_CANNOT: Final = (
    "That no group may be worse off than without it can be asked of the best tree of a depth only: a tree that is "
    "grown is not held to how groups did before. The result says whether a group is worse off."
)


def choose_plan(state: AuditState, study: Study) -> TreesPlan:
    """Draw what is asked of a tree, and return the remedy that this makes."""
    st.radio(
        "Which tree is looked for",
        [*SEARCHES],
        format_func=lambda name: SEARCHES[name][0],
        help="\n\n".join(f"{name}: {words}" for name, words in SEARCHES.values()),
        **drafts.tied(state, USUAL, "search") | {"on_change": lambda: _take_search(state)},
    )
    choose_depth(state, USUAL, instead=" A tree that is grown question by question may be better then.")
    draft = drafts.draft_of(state, USUAL)
    _choose_alike(state, study)
    if draft.search == "optimal":
        choose_index(state, USUAL)
        if not plan_of(drafts.draft_of(state, USUAL)).is_free:
            choose_no_group_worse_off(state, USUAL)
    elif draft.constraint is not None:
        choose_weight(state, USUAL)
    if draft.search == "look_ahead":
        st.caption(GROWN_CANNOT)
    # A tree that is grown question by question never asks for them.
    choose_sensitive(state, study, USUAL, "questions", offered=draft.search == "optimal")
    choose_search(state, USUAL)
    return plan_of(drafts.draft_of(state, USUAL))


def choose_depth(state: AuditState, usual: TreesPlan, *, many: int = MANY_QUESTIONS, instead: str = "") -> None:
    """Draw how many questions are asked at most, and what that means."""
    depth = st.slider(
        "Questions for each person, at most",
        min_value=1,
        max_value=DEEPEST,
        help="The depth of the tree. Fewer questions are easier to explain and to check. More can be more accurate, "
        "take longer to search, and leave fewer people behind each answer.",
        **drafts.tied(state, usual, "max_depth"),
    )
    st.caption(depth_words(depth, drafts.draft_of(state, usual).search, many=many, instead=instead))


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


def depth_words(depth: int, search: str, *, many: int = MANY_QUESTIONS, instead: str = "") -> str:
    """Return what a depth means, in plain words.

    Examples
    --------
    >>> depth_words(2, "optimal")
    'Everybody is asked 2 questions at most, which end in 4 answers at most.'
    >>> depth_words(1, "look_ahead")
    'Everybody is asked one question, which ends in 2 answers.'
    """
    said = f"Everybody is asked {depth} questions at most, which end in {count_text(2**depth)} answers at most."
    if depth == 1:
        said = "Everybody is asked one question, which ends in 2 answers."
    if search == "optimal" and depth > many:
        said += (
            " With so many questions the search for the best tree mostly does all the work allowed, and keeps the best "
            "so far."
        )
        said += instead
    return said


def _take_search(state: AuditState) -> None:
    search = st.session_state["trees_search"]
    # Without a weight a grown tree heeds the groups only at its end.
    drafts.take(state, USUAL, search=search, choose_weight=search == "look_ahead", fairness_weight=0.0)


def _choose_alike(state: AuditState, study: Study) -> None:
    """Draw what must be alike between which groups, how far it may be apart, and the margin."""
    constraint = choose_alike(state, USUAL, "constraint", ALIKE)
    positive = literal(study.facts.positive_meaning)
    st.caption(f"{ALIKE[constraint][1]} Positive means: {positive}.")
    if constraint == "four_fifths":
        st.caption(groups_words(study))
    elif constraint != NOTHING:
        choose_limit(state, study, USUAL, LIMIT)


def choose_search(state: AuditState, usual: TreesPlan) -> None:
    """Draw what few people change."""
    draft = drafts.draft_of(state, usual)
    with st.expander("How the tree is searched for"):
        if draft.search == "optimal":
            st.radio(
                "What a question may ask",
                [*BRANCHING],
                format_func=lambda name: BRANCHING[name][0],
                captions=[words for _, words in BRANCHING.values()],
                **drafts.tied(state, usual, "branching"),
            )
        left, right = st.columns(2)
        if draft.search == "optimal":
            left.number_input(
                "Different columns in the tree, at most",
                min_value=0,
                max_value=999,
                step=1,
                help="0: no limit. With a limit, the search takes longer.",
                **drafts.tied(state, usual, "max_features", none=0),
            )
            right.number_input(
                "Questions about one column, at most",
                min_value=0,
                max_value=255,
                step=1,
                help="0: no limit. With a limit, the search takes longer.",
                **drafts.tied(state, usual, "max_uses_per_feature", none=0),
            )
        left.number_input(
            "Training rows behind each answer, at least",
            min_value=1,
            max_value=1_000_000,
            step=1,
            help="An answer that was learned from few rows may be chance.",
            **drafts.tied(state, usual, "min_leaf_size"),
        )
        with right:
            choose_time_limit(
                state,
                usual,
                other="The tree without a limit, to compare with, gets as much once, and trees of other settings "
                "a tenth each.",
            )
        left.number_input(
            "Similar people, for each person",
            min_value=1,
            max_value=1000,
            step=1,
            help="How many of those most like a person are looked at, where it is asked whether similar people are "
            "treated alike. The person is one of them.",
            **drafts.tied(state, usual, "n_neighbors"),
        )
