"""Settings that a remedy page offers: kept as a plan that may not be right yet, and tied to widgets.

The draft is the truth: other widgets and other pages change it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from fairaudit.plan_remedies import RemedyPlan
from ui.remedies import last_kept
from ui.state import AuditState

Plan = TypeVar("Plan", bound=RemedyPlan)


def draft_of(state: AuditState, usual: Plan) -> Plan:
    """Return the settings that a page offers; at first those of the remedy that the audit has kept last, if any.

    Parameters
    ----------
    state : AuditState
        The audit.
    usual : RemedyPlan
        What is offered where nothing is kept.

    Returns
    -------
    RemedyPlan
        Of the kind of `usual`, without a name. It is not checked: what was typed stays as it is.
    """
    found = state.drafts.get(_place(state, usual)) or last_kept(state, usual.method) or usual
    return found.model_copy(update={"name": None})


def take(state: AuditState, usual: RemedyPlan, **changes: Any) -> None:
    """Change settings that a page offers; keywords are fields of its plan."""
    state.drafts[_place(state, usual)] = draft_of(state, usual).model_copy(update=changes)


def _place(state: AuditState, usual: RemedyPlan) -> str:
    """Return where settings are kept: what was set for amounts does not go with a good outcome."""
    return f"{usual.method} of amounts" if state.decision.amount else usual.method


def tied(
    state: AuditState,
    usual: RemedyPlan,
    field: str,
    *,
    shown: Callable[[Any], Any] = lambda value: value,
    taken: Callable[[Any], Any] = lambda value: value,
) -> dict[str, Any]:
    """Return the arguments that tie a widget to a setting.

    Parameters
    ----------
    state : AuditState
        The audit.
    usual : RemedyPlan
        As in :func:`draft_of`.
    field : str
        The setting; the widget's key is the name of the page, ``_`` and this.
    shown, taken : callable
        Make the widget's value of the setting, and the setting of the widget's value.

    Returns
    -------
    dict of str to object
        ``key`` and ``on_change``.
    """
    key = f"{usual.method}_{field}"
    value = shown(getattr(draft_of(state, usual), field))
    # Put there only where it is another: who moves a slider on while the page is drawn must not be set back.
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key, "on_change": lambda: take(state, usual, **{field: taken(st.session_state[key])})}
