"""What is asked of a rule set: how complex it may be, what must be alike, and how it is searched for."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.remedies.group_limits import NOTHING, LimitWords, choose_alike, choose_limit, choose_sensitive
from ui.remedies.time_limit import choose_time_limit
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState
from ui.text import literal

USUAL: Final = RulesPlan()
FAIRNESS = {
    "equalized_odds": (
        "Both error rates",
        "Errors fall on all groups alike, on rows that are positive and on rows that are not. Called equalized odds.",
    ),
    "equal_opportunity": (
        "False negative rate",
        "Of the rows that are positive, the rules miss the same share in all groups. Called equal opportunity.",
    ),
    "false_positive_rate": (
        "False positive rate",
        "Of the rows that are not positive, the rules wrongly catch the same share in all groups.",
    ),
    "statistical_parity": (
        "Share predicted positive",
        "Of all rows, the rules catch the same share in all groups, whoever is positive. Called statistical parity.",
    ),
    "accuracy": ("Share of errors", "The rules are wrong equally often in all groups, in either way."),
    NOTHING: ("Nothing", "Only accuracy counts. Use it to see what a limit costs."),
}
"""In plain words: what can be asked to be alike, and what that means."""

OBJECTIVES = {
    "hamming": (
        "Count a wrongly caught row once for each rule that catches it",
        "Quicker, and the rules overlap less. Called Hamming loss.",
    ),
    "zero_one": (
        "Count each wrong row once",
        "Exactly the errors that are made. Slower on many rows. Called 0-1 loss.",
    ),
}
COMPLEXITIES = (2, 60, 100)
"""The least, the most that the slider offers at first, and the most there is."""

LIMIT: Final = LimitWords(
    "the rules",
    "Rules that only just keep a limit where they were found often break it for other people. With a margin, so much "
    "less is allowed while they are looked for.",
    "While rules are found",
    "a list of rules that catches nobody",
)
_USUAL_LENGTH = 2


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


def complexity_words(complexity: int) -> str:
    """Return what fits into a complexity, in plain words.

    Examples
    --------
    >>> complexity_words(15)
    'Room for about 5 rules of 2 conditions each. Each rule costs 1, and each of its conditions 1.'
    >>> complexity_words(4)
    'Room for one rule of up to 3 conditions, or 2 rules of one. Each rule costs 1, and each of its conditions 1.'
    """
    cost = "Each rule costs 1, and each of its conditions 1."
    n_rules = complexity // (1 + _USUAL_LENGTH)
    if complexity == 2:
        return f"Room for one rule of one condition. {cost}"
    if n_rules < 2:
        two = ", or 2 rules of one" if complexity >= 4 else ""
        return f"Room for one rule of up to {complexity - 1} conditions{two}. {cost}"
    return f"Room for about {n_rules} rules of {_USUAL_LENGTH} conditions each. {cost}"


def _choose_complexity(state: AuditState) -> None:
    least, usual, most = COMPLEXITIES
    complexity = st.slider(
        "How complex the rules may be",
        min_value=least,
        max_value=usual if drafts.draft_of(state, USUAL).max_complexity <= usual else most,
        help="Fewer and shorter rules are easier to explain and to check. More complex ones can be more accurate, and "
        "leave more room for making groups alike.",
        **drafts.tied(state, USUAL, "max_complexity"),
    )
    st.caption(complexity_words(complexity))


def _choose_fairness(state: AuditState, study: Study) -> None:
    """Draw what must be alike between which groups, how far it may be apart, and the margin."""
    fairness = choose_alike(state, USUAL, "fairness", FAIRNESS)
    positive = literal(study.facts.positive_meaning)
    st.caption(f"{FAIRNESS[fairness][1]} Positive means: {positive}. Rows that a rule catches are predicted to be so.")
    if fairness != NOTHING:
        choose_limit(state, study, USUAL, LIMIT)
        choose_no_group_worse_off(state, USUAL)


def _choose_search(state: AuditState) -> None:
    """Draw what few people change."""
    with st.expander("How rules are searched for"):
        st.radio(
            "What counts as wrong while rules are found",
            list(OBJECTIVES),
            format_func=lambda name: OBJECTIVES[name][0],
            captions=[words for _, words in OBJECTIVES.values()],
            **drafts.tied(state, USUAL, "objective"),
        )
        left, right = st.columns(2)
        left.number_input(
            "Conditions of a rule, at most",
            min_value=1,
            max_value=99,
            step=1,
            value=None,
            placeholder="as many as fit",
            help="With up to 3 conditions, a search of tens of thousands of rows can prove that no better rules exist; "
            "with more, it often proves little or nothing. Empty: as many as the complexity has room for.",
            **drafts.tied(state, USUAL, "max_rule_length"),
        )
        with right:
            choose_time_limit(
                state,
                USUAL,
                other="Rules without a limit, to compare with, get as much; other settings up to a minute.",
            )
