"""Settings that remedy pages offer: kept as a plan that may not be right yet, and tied to widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final, TypeVar

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.defaults import Positive
from fairaudit.errors import expect, require
from fairaudit.findings import Message, Phrase, Share, Word
from fairaudit.messages import called, say
from fairaudit.plan.fields import form_of
from fairaudit.plan.parts import Part
from fairaudit.present.naming import listed
from fairaudit.remedies.part import USUAL_LOSS, HeldAmongSimilar
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.sections.remedy.saying import digits_of
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import Study
from ui.entries import settings_of
from ui.remedies.registry import page_of
from ui.remedies.trying import last_kept
from ui.state import AuditState
from ui.text import first_named, labels, stated
from ui.widgets import draw_field, start

# The draft is the truth: other widgets and other pages change it, too.

Plan = TypeVar("Plan", bound=RemedyPlan)


def draft_of(state: AuditState, usual: Plan) -> Plan:
    """Return the settings that a page offers, unchecked; at first those of the remedy kept last, or what is asked."""
    found = state.settings.get(_place(state, usual)) or last_kept(state, usual.method) or _asked(state, usual)
    return expect(type(usual), found.model_copy(update={"name": None}))


def take(state: AuditState, usual: RemedyPlan, **changes: Any) -> None:
    """Change settings that a page offers; keywords are fields of its plan."""
    state.settings[_place(state, usual)] = draft_of(state, usual).model_copy(update=changes)


def _asked(state: AuditState, usual: Plan) -> Plan:
    """Return the usual settings with what the audit asks, where they can say it."""
    if state.models is None or not state.present_decision.kind.has_good_outcome:
        return usual
    return page_of(usual.method).wish(usual, state.models.tolerance)


def _place(state: AuditState, usual: RemedyPlan) -> tuple[str, str]:
    return settings_of(usual.method, state.present_decision.kind)


def tied(state: AuditState, usual: RemedyPlan, field: str) -> dict[str, Any]:
    """Return the arguments that tie a widget to a setting, in the range and the unit in which its form asks for it."""
    form = form_of(type(usual), field)
    key = f"{page_of(usual.method).key}_{field}"
    setting = getattr(draft_of(state, usual), field)
    value = form.none if setting is None and form.ticked is None else form.shown(setting)
    # Put there only where it is another: who moves a slider on while the page is drawn must not be set back.
    if st.session_state.get(start(key, value)) != value:
        st.session_state[key] = value

    def change() -> None:
        value = st.session_state[key]
        take(state, usual, **{field: None if value == form.none else form.taken(value)})

    return {"key": key, "on_change": change}


def ask(
    state: AuditState,
    usual: RemedyPlan,
    name: str,
    place: DeltaGenerator | ModuleType = st,
    **given: Any,
) -> Any:
    """Draw the widget of a setting as its field of the plan says; `given` is what only the page knows."""
    return draw_field(type(usual), name, place, **tied(state, usual, name) | given)


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


# What must be alike between which groups, and whether the columns that name them may be used.

NOTHING: Final = "nothing"
_MOST_NAMED = 6


def choose_alike(state: AuditState, usual: RemedyPlan, field: str, rates: Mapping[str, str]) -> str:
    """Draw the choice of what must be alike, by the rates that :func:`rate_words` names."""
    called = {name: rate_words(rate, state.present_models.positive) for name, rate in rates.items()}
    labels = {name: say(Message("name-label", {"label": words})) for name, words in called.items()}
    return ask(state, usual, field, options=[*labels], format_func=labels.__getitem__)


def rate_words(rate: str, positive: Positive) -> Message:
    """Return what a rate that can be alike is called, by which result the audit calls positive."""
    return Message("limits-alike-rate", {"rate": Word(rate), "positive": Word(positive)})


def show_outcome(study: Study, rate: str) -> None:
    """Draw what is predicted where the rate is the share of people who are predicted to have the outcome."""
    if rate not in ("selected", "ratio"):
        return
    st.caption(stated("limits-outcome", outcome=Phrase(study.facts.positive_meaning)))


def choose_limit(state: AuditState, study: Study, usual: RemedyPlan) -> None:
    """Draw how far groups may be apart, the margin, and what that means while something is searched for."""
    left, right = st.columns(2)
    allowed, margin = ask(state, usual, "max_difference", left), ask(state, usual, "margin", right)
    if margin > allowed:
        st.warning(stated("limits-margin"))
    elif margin == allowed:
        st.caption(stated("limits-none-allowed"))
    st.caption(groups_words(study))


Strata = tuple[str, ...]
StrataCuts = tuple[tuple[str, tuple[float, ...]], ...]


def ask_similar(study: Study, strata: Strata, cuts: StrataCuts, *, key: str) -> tuple[Strata, StrataCuts]:
    """Draw whether groups are kept alike among similar cases, where the question or a plan says which these are."""
    columns, ends = strata, cuts
    if not columns and study.inside is not None:
        asked = study.inside
        columns, ends = tuple(asked.columns), tuple((name, tuple(each)) for name, each in asked.cuts.items())
    if not columns:
        return (), ()
    is_asked = st.checkbox(
        stated("similar-ask", strata=Phrase(listed(list(columns)))),
        key=start(key, bool(strata)),
        help=say(Message("similar-help")),
    )
    return (columns, ends) if is_asked else ((), ())


def choose_similar(state: AuditState, study: Study, usual: RemedyPlan) -> None:
    """Draw the same of the draft of a page."""
    draft = expect(HeldAmongSimilar, draft_of(state, usual))
    strata, cuts = ask_similar(study, draft.strata, draft.strata_cuts, key=f"{page_of(usual.method).key}_among")
    if (strata, cuts) != (draft.strata, draft.strata_cuts):
        take(state, usual, strata=strata, strata_cuts=cuts)


LIMIT, LOSS = "limit", "loss"


def choose_way(state: AuditState, study: Study, usual: RemedyPlan, max_loss: float | None) -> None:
    """Draw whether the gap has a limit or accuracy is given up for the smallest gap, and how much."""
    key = f"{page_of(usual.method).key}_given"
    way = LIMIT if max_loss is None else LOSS
    if st.session_state.get(key) != way:
        st.session_state[key] = way

    def change() -> None:
        take(state, usual, max_loss=USUAL_LOSS if st.session_state[key] == LOSS else None)

    st.radio(stated("curve-way"), [LIMIT, LOSS], format_func=_way_words, key=key, on_change=change, horizontal=True)
    if way == LIMIT:
        choose_limit(state, study, usual)
        return
    ask(state, usual, "max_loss")
    st.caption(groups_words(study))


def _way_words(way: str) -> str:
    return stated(f"curve-way-{way}")


def choose_confidence(state: AuditState, usual: RemedyPlan, confidence: float | None, *, is_open: bool) -> None:
    """Draw whether the limit is to hold on new people; where no group may be worse off, that cannot be asked."""
    ask(state, usual, "confidence", label=confidence_words(type(usual), confidence), disabled=not is_open)


def confidence_words(part: type[Part], confidence: float | None) -> str:
    """Return what asks whether a limit is to hold on new people, with the confidence that a plan or a form gives."""
    share = require(form_of(part, "confidence").ticked) if confidence is None else confidence
    return say(Message("limits-confidence", {"confidence": Share(share, digits_of(share))}))


def groups_words(study: DividedRows) -> str:
    """Return which groups are compared, in Markdown."""
    known = set(study.groups[study.group_known])
    names = [called(name) for name in study.group_names if name in known]
    return stated("limits-groups", **first_named(names, between="; ", most=_MOST_NAMED), limit=900)


def choose_sensitive(state: AuditState, study: DividedRows, usual: RemedyPlan, *, offered: bool = True) -> None:
    """Draw whether the columns that name the groups may be used, and which are left out."""
    protected = study.facts.protected_features
    chosen = offered and ask(state, usual, "use_sensitive")
    if protected and not chosen:
        st.caption(stated("limits-left-out", columns=Phrase(", ".join(protected)), limit=400))
