"""The threshold test as the page offers it: its places, the work in the background, and what it infers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.audit.inspections import iter_thresholds
from fairaudit.plan.inspections import InspectionPlan
from fairaudit.present import inspection_words as words
from fairaudit.present.charts import inspections as charts
from fairaudit.report import inspection_tables as tables
from ui import memory
from ui.charts import show_chart
from ui.entries import Search
from ui.inspections.asking import asked_before, keep
from ui.inspections.roles import is_counted
from ui.inspections.typed import type_number
from ui.look import beside, show_chip
from ui.progress import show_job
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.widgets import start, start_choice

FORMS = {"beta": "First form (beta, 2017)", "discriminant": "Second form (discriminant, 2018)"}
"""How what is known of a case before it is looked at is described, by what a plan calls it."""

PLACEBO = 20
"""How often groups are shuffled where a person asks for that."""


def show_thresholds(state: AuditState, asked: InspectionPlan, finding: InspectionFinding) -> None:
    """Draw what is asked, the button that begins it, what goes on, and what was inferred."""
    st.caption(
        "How likely must a find be before somebody is looked at? A model infers it from how many were looked at, and "
        "what was found, in each place. It also needs the rows of those who were not looked at."
    )
    if is_counted(state, asked.acted) and asked.stopped is None:
        st.info("The table counts who was looked at. Say above which column counts all cases, looked at or not.")
        return
    asked = _choose(state, asked)
    if not asked.location:
        st.info("Choose the column of places, such as a precinct, an office or a branch.")
        return
    key = state.search_key(asked)
    here = [job for job in state.jobs.all if isinstance(job.about, Search) and job.about.key == key]
    under_way = [job for job in here if not job.ended]
    if st.button("Infer the thresholds", key="searches_infer", disabled=bool(under_way)):
        before = asked_before(state)
        keep(state, asked.model_copy(update={"veil": None if before is None else before.veil}))
        state.jobs.start(
            f"thresholds {key}",
            "Inferring thresholds",
            partial(iter_thresholds, state.table, asked, seed=state.seed),
            about=Search(asked, key),
            n_bytes=memory.FIT,
        )
        # So that the sidebar shows it.
        st.rerun()
    for job in under_way:
        show_job(job, state.jobs)
    if here and here[-1].error is not None and key not in state.inferred:
        st.error(literal(str(here[-1].error), limit=900))
        if (before := asked_before(state)) is not None:
            # What cannot be answered would stop the report.
            keep(state, before.model_copy(update={"location": (), "n_placebo": 0}))
    if key in state.inferred:
        _show(replace(finding, plan=asked, thresholds=state.inferred[key]))
    elif state.inferred and not under_way:
        st.info("Settings changed since the thresholds were inferred. Infer them again to see what that changes.")


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
        help="Several columns are crossed. Places with one group only are left out, and said.",
    )
    forms = list(FORMS)
    signal = middle.selectbox(
        "Form of the model",
        forms,
        format_func=FORMS.get,
        key=start(f"searches_signal_{state.data_key}", forms[0] if before is None else before.signal),
        help="Two ways to describe what is known of a case before it is looked at. Nobody can see which is right. Both "
        "leading to the same answer means that it does not hang on that choice. The second is faster.",
    )
    worth = type_number(
        right,
        "Share worth a find, if known (%)",
        f"searches_base_rate_{state.data_key}",
        None if before is None or before.base_rate is None else 100 * before.base_rate,
        low=0.01,
        high=99.99,
        placeholder="such as 12,5 or 12.5",
        help="Of all cases, looked at or not, those in which something would be found, such as checks at random show. "
        "The model begins there. Without it, 3 %, or twice what was found of all cases where that is more.",
    )
    placebo = st.checkbox(
        f"Also on shuffled groups, {PLACEBO} times",
        key=start(f"searches_placebo_{state.data_key}", before is not None and before.n_placebo > 0),
        help="A test of the test: where the groups are shuffled inside each place, there is nothing to find. Takes "
        f"{PLACEBO} times as long.",
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


def _show(finding: InspectionFinding) -> None:
    left, right = beside("searches_thresholds")
    with left, st.container(border=True, key="searches_threshold_verdict"):
        show_chip(words.threshold_chip(finding))
        st.header(literal(words.threshold_headline(finding), limit=900), anchor=False)
        st.markdown(literal(words.threshold_details(finding), limit=1500))
        st.caption(literal(words.ASSUMES, limit=1500))
    with right, st.container(border=True, key="searches_threshold_chart"):
        show_chart(
            charts.thresholds_chart(finding),
            title="How likely a find must be before a group is looked at, by the model",
            description=charts.thresholds_alt(finding),
            note=charts.thresholds_note(finding),
        )
        with st.expander("The same as a table"):
            show_table(tables.threshold_groups_table(finding, 1), columns=tables.THRESHOLDS)
            show_table(tables.thresholds_table(finding, 1))
    for warning in finding.thresholds.warnings:
        st.warning(literal(warning, limit=900))
    with st.expander("Does the model fit?", expanded=not finding.thresholds.checks.passed):
        texts, chart = beside("searches_fit")
        with texts:
            for sentence in words.check_sentences(finding):
                st.markdown(f"- {literal(sentence, limit=600)}")
            show_table(tables.threshold_checks_table(finding, 1))
        with chart:
            show_chart(
                charts.fit_chart(finding),
                title="Rates by the model against those observed",
                description=charts.fit_alt(finding),
                note="One point for each group and place, larger with more stops. On the line, both are the same.",
            )
