"""What is asked of a rule set: how complex it may be, what must be alike, and how it is searched for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from fairaudit.plan_remedies import RulesPlan
from fairaudit.report.numbers import tolerance_text
from fairaudit.study.rows import Study
from ui.remedies import last_kept
from ui.state import AuditState
from ui.text import literal

NOTHING = "nothing"
FAIRNESS = {
    "equalized_odds": (
        "False positive and false negative rate (equalized odds)",
        "Errors fall on all groups alike, on rows that are positive and on rows that are not.",
    ),
    "equal_opportunity": (
        "False negative rate (equal opportunity)",
        "Of the rows that are positive, the rules miss the same share in all groups.",
    ),
    "false_positive_rate": (
        "False positive rate",
        "Of the rows that are not positive, the rules wrongly catch the same share in all groups.",
    ),
    "statistical_parity": (
        "Share predicted positive (statistical parity)",
        "Of all rows, the rules catch the same share in all groups, whoever is positive.",
    ),
    "accuracy": ("Share of errors (accuracy)", "The rules are wrong equally often in all groups, in either way."),
    NOTHING: ("Nothing", "Only accuracy counts. Use it to see what a constraint costs."),
}
"""In plain words: what can be asked to be alike, and what that means."""

OBJECTIVES = {
    "hamming": (
        "Count a wrongly caught row once for each rule that catches it",
        "Hamming loss, as in the paper that this remedy comes from. Quicker, and the rules overlap less.",
    ),
    "zero_one": (
        "Count each wrong row once",
        "0-1 loss: exactly the errors that are made. Slower on many rows.",
    ),
}
COMPLEXITIES = (2, 60, 100)
"""The least, the most that the slider offers at first, and the most there is."""

MOST_SECONDS = 3600.0
_USUAL_LENGTH = 2
_MOST_NAMED = 6


def draft_of(state: AuditState) -> RulesPlan:
    """Return the settings that the page offers; at first those of the rule set that the audit has kept last, if any.

    What was typed stays as it is, even where the margin is larger than the difference: the plan has it cut.
    """
    found = state.drafts.get("rules") or last_kept(state, "rules") or RulesPlan()
    return found.model_copy(update={"rules": (), "name": None})


def take(state: AuditState, **changes: object) -> None:
    """Change settings that the page offers.

    Parameters
    ----------
    state : AuditState
        The audit; the choices are kept as ``state.drafts["rules"]``.
    **changes
        Fields of a :class:`~fairaudit.plan_remedies.RulesPlan`.
    """
    state.drafts["rules"] = draft_of(state).model_copy(update=changes)


def choose_plan(state: AuditState, study: Study) -> RulesPlan:
    """Draw what is asked of a rule set, and return the remedy that this makes.

    Parameters
    ----------
    state : AuditState
        The audit; the choices are kept as ``state.drafts["rules"]``.
    study : Study
        From :func:`ui.models.open_study`.

    Returns
    -------
    RulesPlan
        Without a name and without rules.
    """
    _choose_complexity(state)
    _choose_fairness(state, study)
    _choose_sensitive(state, study)
    _choose_search(state)
    return plan_of(draft_of(state))


def plan_of(draft: RulesPlan) -> RulesPlan:
    """Return settings as a remedy: where the margin is larger than the difference, it is all of that."""
    margin = min(draft.margin, draft.max_difference)
    return RulesPlan.model_validate(draft.model_copy(update={"margin": margin}).model_dump())


def complexity_words(complexity: int) -> str:
    """Return what fits into a complexity, in plain words.

    Parameters
    ----------
    complexity : int
        The sum over rules of 1 + conditions, at most.

    Returns
    -------
    str
        One sentence.

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
        "How complex the rule set may be",
        min_value=least,
        max_value=usual if draft_of(state).max_complexity <= usual else most,
        help="Fewer and shorter rules are easier to explain and to check. More complex ones can be more accurate, and "
        "leave more room for making groups alike.",
        **_bound(state, "max_complexity"),
    )
    st.caption(complexity_words(complexity))


def _choose_fairness(state: AuditState, study: Study) -> None:
    """Draw what must be alike between which groups, how far it may be apart, and the margin."""
    fairness = st.selectbox(
        "What must be alike",
        [*FAIRNESS],
        format_func=lambda name: FAIRNESS[name][0],
        **_bound(state, "fairness", lambda value: value or NOTHING, lambda name: None if name == NOTHING else name),
    )
    positive = literal(study.facts.positive_meaning)
    st.caption(f"{FAIRNESS[fairness][1]} Positive means: {positive}. Rows that a rule catches are predicted to be so.")
    if fairness == NOTHING:
        return
    left, right = st.columns(2)
    allowed = left.number_input(
        "Largest difference, in points",
        min_value=0.0,
        max_value=100.0,
        step=0.5,
        format="%g",
        help="Of any two groups. One point is one in a hundred: 12 % and 15 % are 3 points apart. Smaller asks more of "
        "the rules, and can cost accuracy.",
        **_bound(state, "max_difference", _points, _share),
    )
    margin = right.number_input(
        "Margin for chance, in points",
        min_value=0.0,
        max_value=100.0,
        step=0.5,
        format="%g",
        help="Rules that just keep a limit on the rows that they were found on are often beyond it for other people. "
        "With a margin, so much less is allowed while they are found.",
        **_bound(state, "margin", _points, _share),
    )
    if margin > allowed:
        st.warning("The margin is larger than the difference that is allowed, so no difference is left to learn with.")
    st.caption(_limits_words(study, plan_of(draft_of(state))))


def _limits_words(study: Study, plan: RulesPlan) -> str:
    """Return between which groups the limit holds, and how far they may be apart while rules are found."""
    known = set(study.groups[study.group_known])
    names = [literal(name, limit=60) for name in study.group_names if name in known]
    more = f"; and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    trained = round(plan.max_difference - plan.margin, 9)
    learned = f" While rules are found, {tolerance_text(trained)} are allowed." if plan.margin else ""
    nothing = " With no difference allowed, often only a rule set that catches nobody is left." if not trained else ""
    return f"Compared: {'; '.join(names[:_MOST_NAMED])}{more}.{learned}{nothing}"


def _choose_sensitive(state: AuditState, study: Study) -> None:
    telling = study.facts.protected_features
    chosen = st.checkbox(
        "Rules may use the columns that tell the groups",
        help="Deciding by group is unlawful in many places. Ask counsel first. Other columns can still come close to "
        "telling the groups: rules that use such a column are marked.",
        **_bound(state, "use_sensitive"),
    )
    if telling and not chosen:
        st.caption(f"Left out of the rules: {', '.join(literal(name, limit=60) for name in telling)}.")
    if chosen and not telling:
        st.caption("None of the columns to learn from tells the groups by itself, so this changes nothing.")


def _choose_search(state: AuditState) -> None:
    """Draw what few people change."""
    with st.expander("How rules are searched for"):
        st.radio(
            "What counts as wrong while rules are found",
            list(OBJECTIVES),
            format_func=lambda name: OBJECTIVES[name][0],
            captions=[words for _, words in OBJECTIVES.values()],
            **_bound(state, "objective"),
        )
        left, right = st.columns(2)
        left.number_input(
            "Conditions of a rule, at most",
            min_value=0,
            max_value=99,
            step=1,
            help="0: as many as the complexity has room for.",
            **_bound(state, "max_rule_length", lambda length: length or 0, lambda length: length or None),
        )
        right.number_input(
            "Time limit, in seconds",
            min_value=1.0,
            max_value=MOST_SECONDS,
            step=10.0,
            format="%g",
            help="The search ends earlier where it can prove that nothing better exists. You can stop it at any time "
            "and keep the best so far. One that runs out of time may find other rules on another computer. Rules "
            "without a constraint, to compare with, get as much time once, and other settings up to a minute.",
            **_bound(state, "time_limit", lambda seconds: min(max(seconds, 1.0), MOST_SECONDS)),
        )


def _points(share: float) -> float:
    return round(100 * share, 7)


def _share(points: float) -> float:
    return round(points / 100, 9)


def _bound(
    state: AuditState, field: str, shown: Callable[[Any], Any] | None = None, taken: Callable[[Any], Any] | None = None
) -> dict[str, Any]:
    """Return the arguments that tie a widget to a setting: the draft is the truth, and other widgets change it, too.

    `shown` makes the widget's value of the setting, `taken` the setting of the widget's value.
    """
    key = f"rules_{field}"
    value = getattr(draft_of(state), field)
    value = value if shown is None else shown(value)
    # Put there only where it is another: who moves a slider on while the page is drawn must not be set back.
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value

    def change() -> None:
        value = st.session_state[key]
        take(state, **{field: value if taken is None else taken(value)})

    return {"key": key, "on_change": change}
