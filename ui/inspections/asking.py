"""What is asked about searches and inspections: the form above the answers."""

from __future__ import annotations

import math
from typing import Any
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.audit.result import InspectionFinding
from fairaudit.data.roles import values_held
from fairaudit.errors import GroupError, quote, require
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.plan.outcomes import Value
from fairaudit.plan.parts import Part
from fairaudit.plan.questions import InspectionPlan
from fairaudit.sections.searches.answering import finding_of, run_outcome
from ui.check.population import narrow
from ui.inspections.roles import choose_role, is_counted, offer_every_row
from ui.state import AuditState
from ui.text import labels, literal, show_error, stated
from ui.values import known_values
from ui.widgets import ask, end_page, start, start_choice, was_answered

# A number that a person types, with a point or with a comma before its decimals.


def type_number(
    place: DeltaGenerator, part: type[Part], name: str, key: str, value: float | None, *, label: str, example: str
) -> float | None:
    """Draw a field of a plan as text and return its number; None where it is empty, or not right, which is said."""
    form = form_of(part, name)
    first = "" if value is None else f"{form.shown(value):.10g}"
    text = place.text_input(
        label, placeholder=f"such as {example}", max_chars=40, key=start(key, first), help=form.help
    ).strip()
    number = read_number(text)
    low, high = (form.scaled(require(end)) for end in (form.least, form.most))
    if text and (number is None or not low <= number <= high):
        wrong = stated(
            "searches-typed-wrong",
            label=Phrase(label),
            low=Phrase(f"{low:g}"),
            high=Phrase(f"{high:g}"),
            text=Phrase(quote(text, limit=40)),
            example=Phrase(example),
        )
        place.warning(wrong)
        return None
    return None if number is None else form.taken(number)


def read_number(text: str) -> float | None:
    """Return the number that a text says with a decimal point or a decimal comma; None where it says none.

    Examples
    --------
    >>> read_number("52,37"), read_number("-0.1278"), read_number("5.2,3")
    (52.37, -0.1278, None)
    """
    try:
        number = float(text.strip().replace("\N{MINUS SIGN}", "-").replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def asked_before(state: AuditState) -> InspectionPlan | None:
    """Return what was asked last about these roles: of these rows, or else of those of another filter."""
    same = [asked for asked in state.inspections if (asked.acted, asked.found) == (state.acted, state.found)]
    return next((asked for asked in same if asked.where == state.check.where), next(iter(same), None))


def is_answered(state: AuditState) -> bool:
    """Whether there was an answer when the page was drawn last, so that the form is a setting below it."""
    asked = bool(state.acted and state.found) and asked_before(state) is not None
    return was_answered("searches", state.data_key, asked)


def choose(state: AuditState) -> InspectionPlan | None:
    """Draw the form and return the question about hit rates; None while something is missing."""
    looked, found, groups, within = st.columns(4)
    with looked:
        choose_role(state, "acted", "searches")
    with found:
        choose_role(state, "found", "searches")
    before = asked_before(state)
    about = f"{crc32(f'{state.data_key} {state.check.where} {state.acted} {state.found}'.encode()):x}"
    with groups:
        group, reference = _choose_groups(state, before, about)
    with within:
        strata = _choose_strata(state, before, about, group)
    missing = _missing(state, group)
    if missing:
        st.info(literal(missing))
        offer_every_row(state, "searches")
        return None
    if is_counted(state, state.acted) != is_counted(state, state.found):
        st.info(stated("searches-say-both-alike"))
        return None
    return InspectionPlan(
        where=state.check.where,
        acted=state.acted,
        found=state.found,
        stopped=_choose_stopped(state, before, about),
        group=group,
        reference=reference,
        strata=strata,
        tolerance=state.check.tolerance,
        confidence=state.check.confidence,
    )


def answer(state: AuditState, asked: InspectionPlan) -> InspectionFinding:
    """Return the hit rates, computed once for these settings, and keep the question for the report."""

    def find() -> InspectionFinding:
        return finding_of(
            state.present_table, state.plan(fingerprint=False), asked, run_outcome(state.present_table, asked)
        )

    try:
        finding = state.remember("inspection", asked, find)
    except GroupError as error:
        if error.keeps is None:
            raise
        show_error(error)
        about = stated("searches-keeps", condition=Phrase(error.keeps), limit=300)
        st.button("Leave these rows out", key="searches_keep", on_click=narrow, args=(state, error.keeps), help=about)
        end_page()
    before = asked_before(state)
    if before is not None:
        more = {
            name: getattr(before, name)
            for name in ("location", "n_placebo", "signal", "base_rate", "threshold_tolerance", "veil")
        }
        asked = asked.model_copy(update=more)
    keep(state, asked)
    return finding


def keep(state: AuditState, asked: InspectionPlan) -> None:
    """Keep a question for the report, in place of that before it; others of a saved audit stay."""
    key = (asked.where, asked.acted, asked.found)
    saved = () if state.opened_plan is None else state.opened_plan.inspections
    others = [each for each in saved if (each.where, each.acted, each.found) != key and state.can_ask(each)]
    state.inspections = [asked, *others]


def _choose_groups(
    state: AuditState, before: InspectionPlan | None, about: str
) -> tuple[tuple[str, ...], tuple[Value, ...]]:
    columns = list(state.present_table.columns)
    first = state.protected_columns[:1] if before is None else before.group
    empty: dict[str, Any] = {"placeholder": "your protected group"} if state.check.protected else {}
    chosen = ask(InspectionPlan, "group", key=f"searches_group_{about}", first=first, options=columns, **empty)
    if more := [name for name in state.protected_columns if name not in chosen] if chosen else []:
        named = Phrase(", ".join(more))
        st.caption(stated("searches-also-protected", columns=named, limit=200))
    if not chosen:
        return ((state.check.protected,), ()) if state.check.protected else ((), ())
    if len(chosen) > 1:
        return tuple(chosen), before.reference if before is not None and before.group == tuple(chosen) else ()
    known, _ = known_values(state, chosen[0])
    kept = None
    if before is not None and before.reference and before.group == tuple(chosen):
        [kept] = values_held(state.present_table, chosen[0], before.reference[:1])
        known = known if kept in known else [*known, kept]
    form = form_of(InspectionPlan, "reference")
    reference = st.selectbox(
        form.label,
        known,
        index=None,
        format_func=labels(known),
        placeholder=form.empty,
        key=start_choice(f"searches_reference_{about}_{crc32(chosen[0].encode()):x}", kept, known),
    )
    return (chosen[0],), () if reference is None else (reference,)


def _choose_strata(
    state: AuditState, before: InspectionPlan | None, about: str, group: tuple[str, ...]
) -> tuple[str, ...]:
    columns = [name for name in state.present_table.columns if name not in group]
    first = () if before is None else before.strata
    return tuple(ask(InspectionPlan, "strata", key=f"searches_strata_{about}", first=first, options=columns))


def _choose_stopped(state: AuditState, before: InspectionPlan | None, about: str) -> str | None:
    """Draw which column counts all cases, where a row holds counts."""
    if not is_counted(state, state.acted):
        return None if before is None else before.stopped
    columns = [name for name, column in state.present_table.columns.items() if column.kind == "number"]
    first = None if before is None else before.stopped
    return ask(InspectionPlan, "stopped", key=f"searches_stopped_{about}", first=first, options=columns)


def _missing(state: AuditState, group: tuple[str, ...]) -> str:
    if not state.acted:
        said = ["searches-say-acted"] if state.found else ["searches-say-acted", "searches-say-only-acted"]
        return say(Message(key) for key in said)
    if not state.found:
        return say(Message("searches-say-found"))
    return "" if group else say(Message("searches-say-groups"))
