"""The model of grounds as the page offers it: its places, the work in the background, and what it infers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from fairaudit.audit.follow_ups import iter_thresholds
from fairaudit.audit.result import InspectionFinding
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.inspections import InspectionPlan
from fairaudit.report import follow_up_tables as tables
from fairaudit.sections.searches import charts
from fairaudit.sections.searches.saying import ASSUMES, notes, say_model, say_places
from ui import memory
from ui.charts import show_chart
from ui.entries import Search
from ui.inspections.asking import asked_before, keep
from ui.inspections.roles import is_counted
from ui.inspections.typed import type_number
from ui.jobs import Job
from ui.progress import show_job
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.widgets import start, start_choice

FORMS = {"beta": "beta (2017)", "discriminant": "discriminant (2018)"}
"""How what is known of a case before it is looked at is described, by what a plan calls it."""

PLACEBO = 20
"""How often groups are shuffled where a person asks for that."""


def choose_model(state: AuditState, asked: InspectionPlan) -> InspectionPlan | None:
    """Draw what the model is asked; return the question, None where the table or the places do not say enough."""
    st.markdown(literal(say(Message("searches-infer-why"))))
    if is_counted(state, asked.acted) and asked.stopped is None:
        st.info(literal(say(Message("searches-infer-say-all"))))
        return None
    asked = _choose(state, asked)
    if not asked.location:
        st.info(literal(say(Message("searches-infer-say-places"))))
        return None
    return asked


def with_thresholds(state: AuditState, finding: InspectionFinding, asked: InspectionPlan | None) -> InspectionFinding:
    """Return an answer with the thresholds that were inferred for this question."""
    thresholds = None if asked is None else state.inferred.get(state.search_key(asked))
    return finding if thresholds is None else replace(finding, plan=asked, thresholds=thresholds)


def offer_inference(state: AuditState, asked: InspectionPlan | None) -> bool:
    """Draw the button that has the model infer grounds, where it can and has not; return whether it is there."""
    if asked is None or state.search_key(asked) in state.inferred:
        return False
    key = state.search_key(asked)
    under_way = [job for job in _jobs(state, key) if not job.ended]
    label = literal(say(Message("searches-infer")))
    if st.button(label, type="primary", key="searches_infer", disabled=bool(under_way)):
        before = asked_before(state)
        keep(state, asked.model_copy(update={"veil": None if before is None else before.veil}))
        state.jobs.start(
            f"thresholds {key}",
            "Comparing the grounds",
            partial(iter_thresholds, state.table, asked, seed=state.seed),
            about=Search(asked, key),
            n_bytes=memory.FIT,
        )
        # So that the sidebar shows it.
        st.rerun()
    return True


def show_under_way(state: AuditState, asked: InspectionPlan | None) -> None:
    """Draw how far the model is, or why it failed."""
    if asked is None:
        return
    key = state.search_key(asked)
    here = _jobs(state, key)
    for job in here:
        if not job.ended:
            show_job(job, state.jobs)
    if here and here[-1].error is not None and key not in state.inferred:
        st.error(literal(str(here[-1].error), limit=900))
        if (before := asked_before(state)) is not None:
            # What cannot be answered would stop the report.
            keep(state, before.model_copy(update={"location": (), "n_placebo": 0}))
    elif state.inferred and key not in state.inferred and (not here or here[-1].ended):
        st.info(literal(say(Message("searches-infer-changed"))))


def _jobs(state: AuditState, key: str) -> list[Job]:
    return [job for job in state.jobs.all if isinstance(job.about, Search) and job.about.key == key]


def _choose(state: AuditState, asked: InspectionPlan) -> InspectionPlan:
    before = asked_before(state)
    columns = [name for name in state.table.columns if name not in asked.group]
    kept = list(before.location) if before is not None else []
    left, middle, right = st.columns(3)
    location = left.multiselect(
        "Places",
        columns,
        format_func=labels(columns),
        placeholder="precinct, office, branch",
        key=start_choice(f"searches_location_{state.data_key}", kept or list(asked.strata[:1]), columns),
        help="Several columns are crossed. Places with one group only are left out.",
    )
    forms = list(FORMS)
    signal = middle.selectbox(
        "Model",
        forms,
        format_func=FORMS.get,
        key=start(f"searches_signal_{state.data_key}", forms[0] if before is None else before.signal),
        help="How what is known beforehand is described. Nobody can see which is right, so try both.",
    )
    worth = type_number(
        right,
        "Share worth a find (%)",
        f"searches_base_rate_{state.data_key}",
        None if before is None or before.base_rate is None else 100 * before.base_rate,
        low=0.01,
        high=99.99,
        example="12,5 or 12.5",
        help="Of all cases, looked at or not, if known. Without it 3%, or twice what was found where that is more.",
    )
    placebo = st.checkbox(
        "Also on shuffled groups",
        key=start(f"searches_placebo_{state.data_key}", before is not None and before.n_placebo > 0),
        help=f"A test of the test, as nothing is to be found there. Takes {PLACEBO} times as long.",
    )
    chosen = {
        "signal": signal,
        "location": tuple(location),
        "n_placebo": PLACEBO if placebo and location else 0,
        "base_rate": None if worth is None else round(worth / 100, 12),
        "veil": None,
    }
    if before is not None:
        chosen["threshold_tolerance"] = before.threshold_tolerance
    return asked.model_copy(update=chosen)


def show_model(finding: InspectionFinding) -> None:
    """Draw the grounds in each place, whether the model fits, and what it assumes."""
    if finding.thresholds is None:
        return
    for message in say_places(finding):
        st.markdown(literal(say(message), limit=600))
    show_table(tables.threshold_groups_table(finding, 1), columns=tables.THRESHOLDS)
    show_chart(
        charts.thresholds_chart(finding),
        title=say(Message("searches-chart-places")),
        description=charts.thresholds_alt(finding),
        note=charts.thresholds_note(finding),
    )
    show_table(tables.thresholds_table(finding, 1))
    for warning in finding.thresholds.warnings:
        st.warning(literal(warning, limit=900))
    for message in say_model(finding):
        st.markdown(f"- {literal(say(message), limit=600)}")
    show_table(tables.threshold_checks_table(finding, 1))
    show_chart(
        charts.fit_chart(finding),
        title=say(Message("searches-chart-fit")),
        description=charts.fit_alt(finding),
        note=say(Message("searches-chart-fit-note")),
    )
    for text in notes(ASSUMES):
        st.markdown(f"- {literal(text, limit=600)}")
