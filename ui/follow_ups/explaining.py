"""The form and the answer of the page "What explains it"."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from zlib import crc32

import streamlit as st

from fairaudit.audit.result import ExplanationFinding
from fairaudit.errors import require
from fairaudit.estimators.leakage import columns_without_use
from fairaudit.findings import Group, Message, Phrase, Word
from fairaudit.measure.explain.explaining import REFERENCES as USUAL
from fairaudit.messages import say
from fairaudit.plan.names import protected_of
from fairaudit.plan.questions import ControlPlan, ExplanationMethod, ExplanationPlan, ExplanationReference
from fairaudit.sections.explain import (
    NOT_SAID,
    can_be_overturned,
    methods_table,
    other_methods,
    say_agreement,
    say_explanation,
    say_method,
    say_overturning,
    say_people,
    say_stand_ins,
    tables,
)
from fairaudit.sections.explain.answering import run_explanation, run_proxies
from fairaudit.sections.explain.charts import (
    CURVE_NOTE,
    CURVE_TITLE,
    curve_chart,
    curve_chart_text,
    explanation_chart,
    explanation_chart_text,
    explanation_chart_title,
)
from ui.check.comparable import last_outcomes, warn_of_outcomes
from ui.frame import errors_shown
from ui.look import beside
from ui.result import (
    show_caution,
    show_chart,
    show_listed,
    show_picture,
    show_proxies,
    show_said,
    show_table,
    show_warnings,
)
from ui.state import AuditState, with_question
from ui.text import labels, literal, stated
from ui.widgets import ask, kept, start, start_choice, tick_in_report

_DRAFT = "explain"
"""Under which of the session's drafts columns and reasons are kept as they are written."""

_TICK = "explain_in_report"

REFERENCES: dict[ExplanationMethod, tuple[ExplanationReference, ...]] = {
    "decomposition": ("similar", "average", "rest", "protected", "pooled"),
    "regression": ("pooled", "rest", "protected"),
}
"""By method, the first for a question that is new: as Check averages, so that both pages say the same."""


def asked_before(state: AuditState) -> ExplanationPlan | None:
    """Return what was asked last for the selected question."""
    key = (state.check.where, state.check.protected)
    return next((plan for plan in state.explanations if (plan.where, plan.protected) == key), None)


def choose(state: AuditState) -> list[str]:
    """Draw the choice of the columns that may explain the gap, and return them."""
    about = _about(state)
    given = _reasons(state)
    if strata := _new_strata(state, about, asked=asked_before(state) is not None):
        given = given | dict.fromkeys(strata, "")
        st.session_state.pop(f"explain_controls_{about}", None)
    columns = _offered(state, given)
    chosen = st.multiselect(
        say(Message("explain-choose")),
        columns,
        format_func=labels(columns),
        placeholder=say(Message("explain-choose-example")),
        key=start_choice(f"explain_controls_{about}", list(given), columns),
        select_all=False,
        help=say(Message("explain-choose-help")),
    )
    # Below an answer it is known: the list names them last.
    if not chosen and (last := [f"{name} ({why})" for name, why in _without_use(state).items() if name in columns]):
        st.caption(literal(say(Message("learn-not-proposed", {"columns": Phrase("; ".join(last))})), limit=600))
    warn_of_outcomes(state, chosen)
    # Also what has no reason yet is there again when the person comes back.
    state.drafts[f"{_DRAFT} {about}"] = {column: given.get(column, "") for column in chosen}
    if not chosen:
        st.info(say(Message("explain-choose-first")))
    return chosen


def _offered(state: AuditState, chosen: Collection[str]) -> list[str]:
    """Return the columns that may explain a gap, what names the rows last: not the decision or who is protected."""
    table, check = state.present_table, state.check
    groups = table.condition(check.protected) if check.protected else None
    left_out = {state.present_decision.column, *(() if groups is None else groups.columns), *state.protected_columns}
    # What a saved audit asks for is shown.
    offered = last_outcomes(state, [name for name in table.columns if name not in left_out or name in chosen])
    return sorted(offered, key=_without_use(state).__contains__)


def _without_use(state: AuditState) -> dict[str, str]:
    return state.remember("without_use", (), lambda: columns_without_use(state.present_table))


def question(state: AuditState, chosen: list[str]) -> ExplanationPlan:
    """Draw the settings and return the question, with the reasons that are given so far."""
    method, reference, cluster = _settings(state, asked_before(state), _about(state))
    given, before = _reasons(state), asked_before(state)
    return ExplanationPlan(
        where=state.check.where,
        protected=state.check.protected,
        protected_name=state.check.protected_name,
        others_name=state.check.others_name,
        controls=tuple(
            ControlPlan(column=column, reason=given[column]) if given[column] else ControlPlan.without_reason(column)
            for column in chosen
        ),
        method=method,
        reference=reference,
        cluster=cluster,
        proxies=st.session_state.get(_stand_ins_key(state), True if before is None else before.proxies),
        confidence=state.check.confidence,
    )


def _stand_ins_key(state: AuditState) -> str:
    return f"explain_proxies_{_about(state)}"


def ask_reasons(state: AuditState, chosen: list[str]) -> None:
    """Draw what puts the answer into the report: a tick and, for each column, why it may rightly count."""
    about, given, name_of = _about(state), _reasons(state), labels(chosen)
    # What was pressed counts for the title, too, which is drawn before the tick.
    ticked = st.session_state[start(_TICK, "explanations" not in state.left_out)]
    missing = [column for column in chosen if not given.get(column)] if ticked else []
    title = _said("explain-reason-missing", name_of(missing[0])) if missing else say(Message("explain-reasons"))
    with st.expander(title, key="explain_reasons"):
        tick_in_report(_TICK, state.left_out, "explanations")
        places = beside("explain_reasons", (1,) * min(len(chosen), 3))
        for number, column in enumerate(chosen):
            key = f"explain_reason_{about}_{crc32(column.encode()):x}"
            places[number % len(places)].text_input(
                _said("explain-reason", name_of(column)),
                max_chars=400,
                placeholder=say(Message("explain-reason-example")),
                **kept(start(key, given.get(column, "")), partial(_note, state, f"{_DRAFT} {about}", column)),
            )


def _about(state: AuditState) -> str:
    return f"{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"


def _reasons(state: AuditState) -> dict[str, str]:
    """Return the columns that are chosen, and the reasons for them as far as they are given."""
    before = asked_before(state)
    given = {control.column: control.reason for control in before.controls} if before else {}
    return state.drafts.get(f"{_DRAFT} {_about(state)}", given)


def _said(key: str, column: str) -> str:
    return stated(key, column=Phrase(column), limit=300)


def _new_strata(state: AuditState, about: str, *, asked: bool) -> list[str]:
    """Return the strata that were chosen on Check since this page was seen last, or since what it asks was answered."""
    place, strata = f"{_DRAFT} strata {about}", state.check.strata
    before = state.drafts.get(place, strata if asked else ())
    state.drafts[place] = strata
    return [name for name in strata if name not in before and name != state.present_decision.column]


def _note(state: AuditState, draft: str, column: str, reason: str) -> None:
    """Take a reason as it was just written."""
    state.drafts[draft] = {**state.drafts.get(draft, {}), column: reason.strip()}


def _settings(
    state: AuditState, before: ExplanationPlan | None, about: str
) -> tuple[ExplanationMethod, ExplanationReference | None, str | None]:
    first = before.method if before else "decomposition"
    method = ask(ExplanationPlan, "method", key=f"explain_method_{about}", first=first, horizontal=True)
    options = REFERENCES[method]
    same = before is not None and before.method == method
    reference = ask(
        ExplanationPlan,
        "reference",
        key=f"explain_reference_{about}_{method}",
        first=(before.reference or USUAL[method][0]) if before is not None and same else options[0],
        options=options,
        format_func=partial(_reference_text, state),
    )
    columns = [name for name in state.present_table.columns if name != state.present_decision.column]
    grouped = before.cluster if before else state.check.cluster
    cluster = ask(ExplanationPlan, "cluster", key=f"explain_cluster_{about}", first=grouped, options=columns)
    return method, None if reference == USUAL[method][0] else reference, cluster


def _reference_text(state: AuditState, reference: str) -> str:
    protected = require(state.present_table.condition(state.check.protected))
    named = protected_of(state.names, state.check, protected)
    others = Group(state.check.others_name)
    return stated("explain-reference", protected=named, others=others, reference=Word(reference))


def answer(state: AuditState, plan: ExplanationPlan) -> ExplanationFinding:
    """Return the answer, computed once for these settings, and keep the question for the report."""
    # What stands in for the group is looked for below, once somebody may see it.
    whole, plain = state.present_plan(fingerprint=False), plan.model_copy(update={"proxies": False})
    finding = state.remember(
        "explain",
        (plain, whole.decision, whole.seed),
        lambda: run_explanation(state.present_table, whole, plain),
    )
    state.explanations = with_question(state.explanations, plan)
    return replace(finding, plan=plan)


def show(finding: ExplanationFinding) -> None:
    """Draw the answer: verdict, headline, lead, and what the gap is made of."""
    said = say_explanation(finding)
    show_said(said)
    if finding.result.gap.value is not None and math.isfinite(finding.result.unexplained.value):
        show_picture(finding, explanation_chart, explanation_chart_title, explanation_chart_text)
    show_caution(said)


def show_exact(finding: ExplanationFinding) -> None:
    """Draw the exact figures, who was compared, and how the columns go with the group."""
    show_table(tables.parts_table(finding, 1))
    st.markdown(literal(say(say_people(finding)), limit=900))
    show_warnings(finding.result.warnings, limit=900)
    show_table(tables.controls_table(finding, 1))


def show_methods(finding: ExplanationFinding) -> None:
    """Draw what other methods find: between what, then each by name."""
    st.markdown(literal(say((*other_methods(finding), *say_agreement(finding))), limit=900))
    if finding.result.adjusted_gap.value is not None:
        show_table(methods_table(finding, 1))


def show_sensitivity(finding: ExplanationFinding) -> None:
    """Draw what could overturn the answer."""
    st.markdown(literal(say(say_overturning(finding)), limit=900))
    if can_be_overturned(finding.result):
        show_chart(
            curve_chart(finding),
            title=say(CURVE_TITLE),
            description=curve_chart_text(finding),
            note=say(CURVE_NOTE),
        )
        show_table(tables.sensitivity_table(finding, 1))
        with st.expander("The curve as a table"):
            show_table(tables.curve_table(finding, 1))


def show_stand_ins(state: AuditState, finding: ExplanationFinding) -> None:
    """Draw how well each column of the table stands in for the group."""
    whole, asked = state.present_plan(fingerprint=False), finding.plan
    about = (asked.where, asked.protected, asked.cluster, asked.confidence, whole.decision, whole.seed)
    with errors_shown(), st.spinner(stated("proxies-looking")):
        found = state.remember("stand_ins", about, lambda: run_proxies(state.present_table, whole, asked))
        known = replace(finding, proxies=found)
        if (said := say_stand_ins(known)) is not None:
            show_proxies(said, tables.stand_in_tables(known, 1))
    ask(ExplanationPlan, "proxies", key=_stand_ins_key(state), first=asked.proxies)


def show_how(finding: ExplanationFinding) -> None:
    """Draw how it is computed, and what it does not say."""
    st.markdown(literal(say(say_method(finding)), limit=900))
    show_listed(NOT_SAID)
