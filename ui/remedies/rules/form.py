"""What is asked of a rule set: how complex it may be, what must be alike, and how it is searched for."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.remedies.group_limits import NOTHING, choose_alike, choose_limit, choose_sensitive, show_outcome
from ui.remedies.time_limit import choose_time_limit
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState

USUAL: Final = RulesPlan()
FAIRNESS: Final = {
    "equalized_odds": "both",
    "equal_opportunity": "missed",
    "false_positive_rate": "flagged",
    "statistical_parity": "selected",
    "accuracy": "wrong",
    NOTHING: "nothing",
}
"""What can be asked to be alike, and the rate by which that is named."""

CALLED: Final = {
    "equalized_odds": "Called equalized odds.",
    "equal_opportunity": "Called equal opportunity.",
    "statistical_parity": "Called statistical parity.",
}
"""What the field calls it."""

OBJECTIVES = {
    "hamming": ("Once for each rule that is wrong", "Quicker. Called Hamming loss."),
    "zero_one": ("Once", "Exact, and slower. Called 0-1 loss."),
}
COMPLEXITIES = (2, 60, 100)
"""The least, the most that the slider offers at first, and the most there is."""


def choose_plan(state: AuditState, study: Study) -> RulesPlan:
    """Draw what is asked of a rule set, and return the remedy that this makes."""
    _choose_complexity(state)
    _choose_fairness(state, study)
    choose_sensitive(state, study, USUAL, "rules")
    _choose_search(state)
    return plan_of(drafts.draft_of(state, USUAL))


def plan_of(draft: RulesPlan) -> RulesPlan:
    """Return settings as a remedy: rules that were changed by hand are none, and a margin is at most the difference.

    Where nothing must be alike, no group has to lose.
    """
    usual = {"rules": (), "margin": min(draft.margin, draft.max_difference)}
    if draft.fairness is None:
        usual["no_group_worse_off"] = False
    return RulesPlan.model_validate(draft.model_copy(update=usual).model_dump())


def _choose_complexity(state: AuditState) -> None:
    least, usual, most = COMPLEXITIES
    st.slider(
        "Complexity, at most",
        min_value=least,
        max_value=usual if drafts.draft_of(state, USUAL).max_complexity <= usual else most,
        help="Each rule counts 1, and each of its conditions 1. More can be more accurate, and is harder to explain.",
        **drafts.tied(state, USUAL, "max_complexity"),
    )


def _choose_fairness(state: AuditState, study: Study) -> None:
    """Draw what must be alike between which groups, how far it may be apart, and the margin."""
    fairness = choose_alike(state, USUAL, "fairness", FAIRNESS)
    if said := CALLED.get(fairness):
        st.caption(said)
    if fairness != NOTHING:
        show_outcome(study, FAIRNESS[fairness])
        choose_limit(state, study, USUAL)
        choose_no_group_worse_off(state, USUAL)


def _choose_search(state: AuditState) -> None:
    """Draw what few people change."""
    with st.expander("Search"):
        st.radio(
            "An error counts",
            list(OBJECTIVES),
            format_func=lambda name: OBJECTIVES[name][0],
            captions=[words for _, words in OBJECTIVES.values()],
            **drafts.tied(state, USUAL, "objective"),
        )
        left, right = st.columns(2)
        left.number_input(
            "Conditions a rule, at most",
            min_value=1,
            max_value=99,
            step=1,
            value=None,
            placeholder="as many as fit",
            help="Longer rules take longer to find, and little can be proven of them.",
            **drafts.tied(state, USUAL, "max_rule_length"),
        )
        with right:
            choose_time_limit(state, USUAL, other="")
