"""What must be alike between which groups, and whether the columns that name them may be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from fairaudit.findings import Message
from fairaudit.measure.controlled import REST
from fairaudit.messages import say
from fairaudit.present.numbers import tolerance_text
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.state import AuditState
from ui.text import literal

NOTHING: Final = "nothing"
_MOST_NAMED = 6


@dataclass(frozen=True)
class LimitWords:
    """The words of a page about the limit of a difference.

    Parameters
    ----------
    what : str
        What is asked more of by a smaller one.
    margin_help : str
        Why a margin is left.
    search : str
        When the limit holds, such as "While rules are found".
    left : str
        All that is often left where no difference is allowed.
    """

    what: str
    margin_help: str
    search: str
    left: str


def choose_alike(state: AuditState, usual: RemedyPlan, field: str, words: Mapping[str, tuple[str, str]]) -> str:
    """Draw the choice of what must be alike."""
    return st.selectbox(
        "What must be alike",
        [*words],
        format_func=lambda name: words[name][0],
        **drafts.tied(state, usual, field, none=NOTHING),
    )


def choose_limit(state: AuditState, study: Study, usual: RemedyPlan, words: LimitWords) -> None:
    """Draw how far groups may be apart, the margin, and what that means while something is searched for."""
    left, right = st.columns(2)
    points = {"min_value": 0.0, "max_value": 100.0, "step": 0.5, "format": "%g"}
    allowed = left.number_input(
        "Largest difference, in points",
        **points,
        help=f"Of any two groups. Smaller asks more of {words.what}.",
        **drafts.tied_points(state, usual, "max_difference"),
    )
    margin = right.number_input(
        "Margin for chance, in points",
        **points,
        help=words.margin_help,
        **drafts.tied_points(state, usual, "margin"),
    )
    if margin > allowed:
        st.warning("The margin leaves no difference. Lower it.")
    draft = drafts.draft_of(state, usual)
    taken_off = min(draft.margin, draft.max_difference)
    trained = round(draft.max_difference - taken_off, 9)
    learned = f" {words.search}, {tolerance_text(trained)} are allowed." if taken_off else ""
    nothing = "" if trained else f" With no difference allowed, often only {words.left} is left."
    st.caption(f"{groups_words(study)}{learned}{nothing}")


def groups_words(study: DividedRows) -> str:
    """Return which groups are compared, in Markdown."""
    known = set(study.groups[study.group_known])
    rest = say(Message("group-rest"))
    names = [literal(rest if name == REST else name, limit=60) for name in study.group_names if name in known]
    more = f"; and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Compared: {'; '.join(names[:_MOST_NAMED])}{more}."


def choose_sensitive(
    state: AuditState, study: DividedRows, usual: RemedyPlan, what: str, *, offered: bool = True
) -> None:
    """Draw whether the columns that name the groups may be used, and which are left out."""
    protected = study.facts.protected_features
    chosen = offered and st.checkbox(
        f"{what.capitalize()} may use the group",
        help="Deciding by group is unlawful in many places. Ask counsel first.",
        **drafts.tied(state, usual, "use_sensitive"),
    )
    if protected and not chosen:
        st.caption(f"Left out of the {what}: {', '.join(literal(name, limit=60) for name in protected)}.")
    if chosen and not protected:
        st.caption("No column to learn from says the group: this changes nothing.")
