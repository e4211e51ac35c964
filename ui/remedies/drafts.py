"""Settings that a remedy page offers: kept as a plan that may not be right yet, and tied to widgets.

The draft is the truth: other widgets and other pages change it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from fairaudit.remedies.registry import RemedyPlan
from ui.remedies.registry import page_of
from ui.remedies.trying import last_kept
from ui.state import AuditState
from ui.text import labels
from ui.widgets import start

Plan = TypeVar("Plan", bound=RemedyPlan)


def draft_of(state: AuditState, usual: Plan) -> Plan:
    """Return the settings that a page offers, unchecked; at first those of the remedy kept last, or what is asked."""
    found = state.drafts.get(_place(state, usual)) or last_kept(state, usual.method) or _asked(state, usual)
    return found.model_copy(update={"name": None})


def take(state: AuditState, usual: RemedyPlan, **changes: Any) -> None:
    """Change settings that a page offers; keywords are fields of its plan."""
    state.drafts[_place(state, usual)] = draft_of(state, usual).model_copy(update=changes)


def _asked(state: AuditState, usual: Plan) -> Plan:
    """Return the usual settings with what the audit asks, where they can say it."""
    if state.models is None or not state.decision.kind.has_good_outcome:
        return usual
    return page_of(usual.method).wish(usual, state.models.tolerance)


def _place(state: AuditState, usual: RemedyPlan) -> str:
    """Return where settings are kept: what was set for amounts does not go with a good outcome."""
    kind = state.decision.kind
    return usual.method if kind.has_good_outcome else f"{usual.method} of {kind.name}"


def tied(
    state: AuditState,
    usual: RemedyPlan,
    field: str,
    *,
    none: Any = None,
    shown: Callable[[Any], Any] = lambda value: value,
    taken: Callable[[Any], Any] = lambda value: value,
) -> dict[str, Any]:
    """Return the arguments that tie a widget to a setting.

    `none` is the widget's value where the setting is None; `shown` and `taken` turn any other setting into the widget's
    value and back.
    """
    key = f"{page_of(usual.method).key}_{field}"
    setting = getattr(draft_of(state, usual), field)
    value = none if setting is None else shown(setting)
    # Put there only where it is another: who moves a slider on while the page is drawn must not be set back.
    if st.session_state.get(start(key, value)) != value:
        st.session_state[key] = value

    def change() -> None:
        value = st.session_state[key]
        take(state, usual, **{field: None if value == none else taken(value)})

    return {"key": key, "on_change": change}


def tied_points(state: AuditState, usual: RemedyPlan, field: str) -> dict[str, Any]:
    """Return the arguments that tie a widget of points to a setting that is a share; see :func:`tied`."""
    points = {"shown": lambda share: round(100 * share, 7), "taken": lambda points: round(points / 100, 9)}
    return tied(state, usual, field, **points)


def choose_setting(
    state: AuditState,
    plan: RemedyPlan,
    settings: pd.DataFrame,
    words: Sequence[str],
    *,
    take_setting: Callable[[AuditState, Any, pd.Series], None],
    note: str,
) -> None:
    """Draw the choice among settings that were tried beside the one asked for, and the button that takes one."""
    label = labels(words, limit=200)
    now = next((i for i, chosen in enumerate(settings["chosen"]) if chosen), 0)
    place = st.selectbox(
        "One of these settings",
        range(len(words)),
        index=now,
        format_func=lambda i: label(words[i]),
        key=f"{plan.method}_setting_{len(words)}_{abs(hash(plan.model_dump_json())) % 10**8}",
    )
    row = settings.iloc[place]
    st.button(
        "Use this setting",
        key=f"{plan.method}_take",
        disabled=bool(row["chosen"]),
        on_click=take_setting,
        args=(state, plan, row),
        help=note,
    )
