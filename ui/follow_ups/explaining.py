"""The form and the answer of the page "What explains it?"."""

from __future__ import annotations

from functools import partial
from zlib import crc32

import streamlit as st

from fairaudit.audit.follow_up_results import ExplanationFinding
from fairaudit.audit.follow_ups import run_explanation
from fairaudit.plan.follow_ups import ControlPlan, ExplanationPlan
from fairaudit.present import explain_words
from fairaudit.present.charts import follow_ups as charts
from fairaudit.present.chips import explanation_chip
from fairaudit.report import follow_up_tables as tables
from ui.charts import show_chart
from ui.check.known_before import last_outcomes, warn_of_outcomes
from ui.look import beside, show_chip
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.widgets import kept, start, start_choice

_DRAFT = "explain"
"""Under which of the session's drafts columns and reasons are kept as they are written."""

METHODS = {"decomposition": "Compare inside strata", "regression": "Compare by a model"}
REFERENCES = {
    "decomposition": ("average", "rest", "protected", "pooled"),
    "regression": ("pooled", "rest", "protected"),
}


def asked_before(state: AuditState) -> ExplanationPlan | None:
    """Return what was asked last for the selected question."""
    key = (state.check.where, state.check.protected)
    return next((plan for plan in state.explanations if (plan.where, plan.protected) == key), None)


def choose(state: AuditState) -> ExplanationPlan | None:
    """Draw the form and return the question; None while columns or reasons are missing."""
    before = asked_before(state)
    about = f"{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"
    columns = last_outcomes(state, [name for name in state.table.columns if name != state.decision.column])
    draft = f"{_DRAFT} {about}"
    given = {control.column: control.reason for control in before.controls} if before else {}
    given = state.drafts.get(draft, given)
    if strata := _new_strata(state, about, asked=before is not None):
        given = given | dict.fromkeys(strata, "")
        st.session_state.pop(f"explain_controls_{about}", None)
    chosen = st.multiselect(
        "Columns that may explain the gap",
        columns,
        format_func=labels(columns),
        placeholder="Such as grade, years of service",
        key=start_choice(f"explain_controls_{about}", list(given), columns),
        help="Each needs a reason. Take what was known before the decision, and not what the decision itself, or the "
        "group, brought about: holding the grade equal may hide a gap in grading.",
    )
    warn_of_outcomes(state, chosen)
    name_of = labels(columns)
    reasons = {}
    places = beside("explain_reasons", (1,) * min(len(chosen), 3)) if chosen else []
    for number, column in enumerate(chosen):
        key = f"explain_reason_{about}_{crc32(column.encode()):x}"
        reasons[column] = (
            places[number % len(places)]
            .text_input(
                f"Why {literal(name_of(column), limit=80)} may rightly count",
                max_chars=400,
                placeholder="such as: people choose where they apply",
                **kept(start(key, given.get(column, "")), partial(_note, state, draft, column)),
            )
            .strip()
        )
    # Also what is not complete is there again when the person comes back.
    state.drafts[draft] = reasons
    method, reference, cluster = _settings(state, before, about)
    missing = [column for column, reason in reasons.items() if not reason]
    if not chosen:
        st.info("Choose at least one column. Each asks for a reason, which the report shows.")
        return None
    if missing:
        st.info(f"Say why {literal(name_of(missing[0]), limit=80)} may rightly count. The reason stands in the report.")
        return None
    return ExplanationPlan(
        where=state.check.where,
        protected=state.check.protected,
        protected_name=state.check.protected_name,
        controls=tuple(ControlPlan(column=column, reason=reason) for column, reason in reasons.items()),
        method=method,
        reference=reference,
        cluster=cluster,
        confidence=state.check.confidence,
    )


def _new_strata(state: AuditState, about: str, *, asked: bool) -> list[str]:
    """Return the strata that were chosen on Check since this page was seen last, or since what it asks was answered."""
    place, strata = f"{_DRAFT} strata {about}", state.check.strata
    before = state.drafts.get(place, strata if asked else ())
    state.drafts[place] = strata
    return [name for name in strata if name not in before and name != state.decision.column]


def _note(state: AuditState, draft: str, column: str, reason: str) -> None:
    """Take a reason as it was just written."""
    state.drafts[draft] = {**state.drafts.get(draft, {}), column: reason.strip()}


def _settings(state: AuditState, before: ExplanationPlan | None, about: str) -> tuple[str, str | None, str | None]:
    with st.expander("How both groups are compared"):
        method = st.radio(
            "Method",
            list(METHODS),
            format_func=METHODS.get,
            horizontal=True,
            key=start(f"explain_method_{about}", before.method if before else "decomposition"),
            help="Strata need no model, but leave out people without a counterpart; a model takes more columns.",
        )
        options = REFERENCES[method]
        reference = st.selectbox(
            "Differences between the groups are valued as in",
            options,
            format_func=explain_words.REFERENCES.get,
            key=start_choice(
                f"explain_reference_{about}_{method}", (before and before.reference) or options[0], options
            ),
        )
        columns = [None, *(name for name in state.table.columns if name != state.decision.column)]
        label = labels(columns[1:])
        first = before.cluster if before else state.check.cluster
        cluster = st.selectbox(
            "Rows that depend on each other",
            columns,
            format_func=lambda name: "none: each row is a case of its own" if name is None else label(name),
            key=start(f"explain_cluster_{about}", first if first in columns else None),
        )
    return method, None if reference == options[0] else reference, cluster


def answer(state: AuditState, plan: ExplanationPlan) -> ExplanationFinding:
    """Return the answer, computed once for these settings, and keep the question for the report."""
    whole = state.plan(fingerprint=False)
    finding = state.remember(
        "explain", (plan, whole.decision, whole.seed), lambda: run_explanation(state.table, whole, plan)
    )
    key = (plan.where, plan.protected)
    state.explanations = [*(p for p in state.explanations if (p.where, p.protected) != key), plan]
    return finding


def show(finding: ExplanationFinding, *, tolerance: float) -> None:
    """Draw the answer: a sentence, with the tolerance of the question, and beside it its parts."""
    first, held = explain_words.explanation_parts(finding)
    alike = explain_words.alike_sentence(finding, tolerance)
    left, right = beside("explain_answer")
    with left, st.container(border=True, key="explain_verdict"):
        show_chip(explanation_chip(finding))
        st.header(literal(first, limit=900), anchor=False)
        st.markdown(literal(" ".join(part for part in (held, alike) if part), limit=900))
        st.caption(literal(f"{explain_words.people_sentence(finding)} {explain_words.OTHER_METHOD}", limit=900))
    with right, st.container(border=True, key="explain_chart"):
        show_chart(
            charts.parts_chart(finding),
            title="What the gap is made of",
            description=explain_words.explanation_sentence(finding),
            note="Points: the gap, the part of each column, and what these columns do not explain. Lines: intervals.",
        )
        with st.expander("The same as a table"):
            show_table(tables.parts_table(finding, 1))
    for warning in finding.result.warnings:
        st.warning(literal(warning, limit=900))


def show_details(finding: ExplanationFinding) -> None:
    """Draw the reasons, what could overturn the answer, and what it does not say, one part a tab."""
    reasons, overturn, limits = st.tabs(
        ["The columns and the reasons", "What could overturn it", "How it is computed, and what it does not say"]
    )
    with reasons:
        show_table(tables.controls_table(finding, 1))
        if finding.result.by_control["marked"].any():
            st.warning(literal(explain_words.MARKED, limit=600))
    with overturn:
        lead, *others = explain_words.sensitivity_sentences(finding)
        st.markdown(literal(lead, limit=600))
        for text in others:
            st.markdown(f"- {literal(text, limit=600)}")
        if others:
            show_chart(charts.curve_chart(finding), description=charts.curve_alt(finding), note=CURVE_NOTE)
            show_table(tables.sensitivity_table(finding, 1))
            with st.expander("The curve as a table"):
                show_table(tables.curve_table(finding, 1))
    with limits:
        st.markdown(literal(explain_words.method_sentence(finding), limit=900))
        for text in explain_words.NOT_SAID:
            st.markdown(f"- {literal(text, limit=600)}")


CURVE_NOTE = (
    "Dark: where the gap could lie if a column of two values were missing, by how strongly it goes with group and "
    "outcome. Light: with the interval. Dashed: no gap."
)
