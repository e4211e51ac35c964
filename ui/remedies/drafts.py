"""Settings that remedy pages offer: kept as a plan that may not be right yet, and tied to widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final, TypeVar

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.defaults import Positive
from fairaudit.errors import expect
from fairaudit.findings import Message, Phrase, Word
from fairaudit.messages import called, say
from fairaudit.plan.fields import FieldShape, form_of
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import Study
from ui.remedies.registry import page_of
from ui.remedies.trying import last_kept
from ui.state import AuditState
from ui.text import first_named, labels, literal
from ui.widgets import start

FEWEST_OF_A_LIST: Final = 4
"""So many choices make a list that opens; fewer stand side by side."""

# Settings that a remedy page offers: kept as a plan that may not be right yet, and tied to widgets.
#
# The draft is the truth: other widgets and other pages change it, too.

Plan = TypeVar("Plan", bound=RemedyPlan)


def draft_of(state: AuditState, usual: Plan) -> Plan:
    """Return the settings that a page offers, unchecked; at first those of the remedy kept last, or what is asked."""
    found = state.drafts.get(_place(state, usual)) or last_kept(state, usual.method) or _asked(state, usual)
    return expect(type(usual), found.model_copy(update={"name": None}))


def take(state: AuditState, usual: RemedyPlan, **changes: Any) -> None:
    """Change settings that a page offers; keywords are fields of its plan."""
    state.drafts[_place(state, usual)] = draft_of(state, usual).model_copy(update=changes)


def _asked(state: AuditState, usual: Plan) -> Plan:
    """Return the usual settings with what the audit asks, where they can say it."""
    if state.models is None or not state.present_decision.kind.has_good_outcome:
        return usual
    return page_of(usual.method).wish(usual, state.models.tolerance)


def _place(state: AuditState, usual: RemedyPlan) -> str:
    """Return where settings are kept: what was set for amounts does not go with a good outcome."""
    kind = state.present_decision.kind
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


def ask(
    state: AuditState,
    usual: RemedyPlan,
    name: str,
    place: DeltaGenerator | ModuleType = st,
    *,
    label: str | None = None,
    **settings: Any,
) -> Any:
    """Draw the widget of a setting, as its field of the plan says; `settings` are what only the page knows."""
    form = form_of(type(usual), name)
    label = label or form.label
    given: dict[str, Any] = {"help": form.help} | tied(state, usual, name, none=form.none) | settings
    if form.choices:
        labels = {choice.value: choice.label for choice in form.choices}
        captions = [choice.caption for choice in form.choices if choice.caption]
        as_list = place.radio if len(labels) < FEWEST_OF_A_LIST else place.selectbox
        given |= {"captions": captions} if captions else {}
        return as_list(label, [*labels], format_func=labels.__getitem__, **given)
    shape = FieldShape.of(type(usual).model_fields[name])
    if shape.kind is bool:
        return place.checkbox(label, **given)
    limits: dict[str, Any] = {
        "min_value": shape.least if form.least is None else form.least,
        "max_value": shape.most if form.most is None else form.most,
        "step": form.step,
    }
    if form.is_slider:
        return place.slider(label, **limits | given)
    given = {"format": form.format} | limits | given
    if form.empty is not None:
        given |= {"value": None, "placeholder": form.empty}
    return place.number_input(label, **given)


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


# How long a search for rules or a tree may take.

MOST_SECONDS = 3600.0


def choose_time_limit(state: AuditState, usual: Any, *, other: str) -> None:
    """Draw how long is searched; `other` says what else takes time."""
    st.number_input(
        "Seconds of search",
        min_value=1.0,
        max_value=MOST_SECONDS,
        step=10.0,
        format="%g",
        help=f"Work is counted, so that each computer finds the same. {other}".strip(),
        **tied(state, usual, "time_limit", shown=lambda seconds: min(max(seconds, 1.0), MOST_SECONDS)),
    )


# What must be alike between which groups, and whether the columns that name them may be used.

NOTHING: Final = "nothing"
_MOST_NAMED = 6


def choose_alike(state: AuditState, usual: RemedyPlan, field: str, rates: Mapping[str, str]) -> str:
    """Draw the choice of what must be alike, by the rates that :func:`rate_words` names."""
    called = {name: rate_words(rate, state.present_models.positive) for name, rate in rates.items()}
    labels = {name: say(Message("name-label", {"label": words})) for name, words in called.items()}
    return st.selectbox(
        say(Message("limits-alike")),
        [*labels],
        format_func=labels.__getitem__,
        **tied(state, usual, field, none=NOTHING),
    )


def rate_words(rate: str, positive: Positive) -> Message:
    """Return what a rate that can be alike is called, by which result the audit calls positive."""
    return Message("limits-alike-rate", {"rate": Word(rate), "positive": Word(positive)})


def show_outcome(study: Study, rate: str) -> None:
    """Draw what is predicted where the rate is the share of people who are predicted to have the outcome."""
    if rate not in ("selected", "ratio"):
        return
    st.caption(literal(say(Message("limits-outcome", {"outcome": Phrase(study.facts.positive_meaning)}))))


def choose_limit(state: AuditState, study: Study, usual: RemedyPlan) -> None:
    """Draw how far groups may be apart, the margin, and what that means while something is searched for."""
    left, right = st.columns(2)
    points: dict[str, Any] = {"min_value": 0.0, "max_value": 100.0, "step": 0.5, "format": "%g"}
    allowed = left.number_input(
        "Your limit, in points",
        **points,
        help="How far any two groups may be apart.",
        **tied_points(state, usual, "max_difference"),
    )
    margin = right.number_input(
        "Margin, in points",
        **points,
        help="So much less is allowed in the search, so that the limit also holds for other people.",
        **tied_points(state, usual, "margin"),
    )
    if margin > allowed:
        st.warning(literal(say(Message("limits-margin"))))
    elif margin == allowed:
        st.caption(literal(say(Message("limits-none-allowed"))))
    st.caption(groups_words(study))


def groups_words(study: DividedRows) -> str:
    """Return which groups are compared, in Markdown."""
    known = set(study.groups[study.group_known])
    names = [called(name) for name in study.group_names if name in known]
    return literal(say(Message("limits-groups", first_named(names, between="; ", most=_MOST_NAMED))), limit=900)


def choose_sensitive(
    state: AuditState, study: DividedRows, usual: RemedyPlan, what: str, *, offered: bool = True
) -> None:
    """Draw whether the columns that name the groups may be used, and which are left out."""
    protected = study.facts.protected_features
    chosen = offered and st.checkbox(
        f"{what.capitalize()} may name the group",
        help="Deciding by group is unlawful in many places: ask counsel first.",
        **tied(state, usual, "use_sensitive"),
    )
    if protected and not chosen:
        st.caption(literal(say(Message("limits-left-out", {"columns": Phrase(", ".join(protected))})), limit=400))
