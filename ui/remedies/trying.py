"""What the remedy pages share: fitting in the background, choosing what is shown, and keeping it.

A page calls, in this order::

    study = models.open_study(state)
    plan = ...                                       # its own form makes the plan
    if st.button("Fit"):
        remedies.start_fit(state, study, plan)
        st.rerun()                                   # so that the sidebar tells of it
    fitted = remedies.choose_fitted(state, study, "relabel", nothing="Nothing is fitted yet.")
    if fitted is not None:
        outcome.show_outcome(fitted)                 # sentence, before and after, groups, caveats
        ...                                          # its own charts from fitted.candidate.finding.details
        remedies.show_keeping(state, fitted)         # report tick, next steps
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from zlib import crc32

import streamlit as st

from fairaudit.errors import FairauditError, StoppedError
from fairaudit.plan.amounts import goes_with
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.columns import constraint_columns
from fairaudit.study.rows import Study
from fairaudit.study.trying import plan_key, remedy_name
from ui.entries import Fit
from ui.frame import next_step, show_error
from ui.jobs import Job
from ui.progress import show_job
from ui.remedies.fitting import fail, iter_fit
from ui.remedies.models import with_columns
from ui.state import AuditState, Fitted
from ui.text import labels, literal

WORK = {
    "plain": "Fitting",
    "relabel": "Retraining",
    "thresholds": "Thresholds",
    "equalize": "Equalizing",
    "constrain": "Constraining",
    "rules": "Finding rules",
    "trees": "Finding a tree",
}
"""What goes on while a remedy is fitted, by its method; the sidebar shows it."""

PAGES = {
    "relabel": "pages/5_Retrain.py",
    "thresholds": "pages/6_Thresholds.py",
    "equalize": "pages/7_Equalize.py",
    "constrain": "pages/8_Constraints.py",
    "rules": "pages/9_Rules.py",
    "trees": "pages/10_Trees.py",
}
"""The page of each method."""

NEXT = {
    "pages/5_Retrain.py": "Retrain on relabelled rows",
    "pages/6_Thresholds.py": "Set a threshold for each group",
    "pages/7_Equalize.py": "Spread scores alike",
    "pages/8_Constraints.py": "Train under constraints",
    "pages/9_Rules.py": "Find rules to read aloud",
    "pages/10_Trees.py": "Find a decision tree",
    "pages/11_Compare.py": "Compare all models",
    "pages/12_Report.py": "Make the report",
}
"""Where a remedy page leads, with the words for it."""

NEXT_OF_AMOUNTS = ("pages/11_Compare.py", "pages/12_Report.py")
"""Those of them that can do something where the decision is an amount."""


def start_fit(state: AuditState, study: Study | AmountStudy, plan: RemedyPlan, *, keep: bool = True) -> Job:
    """Fit a remedy in the background, after the jobs of this session that are under way.

    Its result appears in ``state.fitted`` when the next page is drawn after the end. Where it builds on a plain model
    (see :func:`ui.remedies.fitting.plain_of`), that is fitted once for all remedies of a study, and appears there too.

    Parameters
    ----------
    state : AuditState
        The audit.
    study : Study
        From :func:`ui.remedies.models.open_study`.
    plan : RemedyPlan
        The remedy.
    keep : bool
        Whether it becomes an entry of the audit (``state.remedies``), ticked for the report, and is what the page
        shows when it is there.

    Returns
    -------
    Job
        Waiting or running; the one under way where this remedy is being fitted already. Where the columns that a
        remedy names are not there, it fails and says so.
    """
    if state.known[0] != state.study_key:
        state.known = (state.study_key, {})
    known = state.known[1]
    key = plan_key(plan)
    if keep:
        state.shown[plan.method] = key
    try:
        rows = with_columns(state, study, constraint_columns(state.table, [plan]))
    except FairauditError as error:
        events = partial(fail, error)
    else:
        events = partial(iter_fit, rows, plan, known)
    return state.jobs.start(
        f"{key} {state.study_key}",
        WORK[plan.method],
        events,
        about=Fit(plan, state.study_key, study.facts, keep),
    )


def unfitted(state: AuditState, method: str | None = None) -> list[RemedyPlan]:
    """Return the remedies that the audit keeps, of one method or all, that are not fitted with the settings of now."""
    amount = state.decision.amount
    plans = [entry.plan for entry in state.remedies if method in (None, entry.plan.method)]
    plans = [plan for plan in plans if goes_with(plan, amount=amount)]
    found = [(plan, state.find_fitted(plan)) for plan in plans]
    return [plan for plan, one in found if one is None or not state.is_current(one)]


def choose_fitted(state: AuditState, study: Study | AmountStudy, method: str, *, nothing: str) -> Fitted | None:
    """Draw the fits of one method, kept, under way and failed, and return the one whose result the page shows.

    Where several are fitted, the choice is drawn; the one fitted last comes first. Where it is out of date, that is
    said; see :meth:`AuditState.is_current`.

    Parameters
    ----------
    state : AuditState
        The audit.
    study : Study or AmountStudy
        From :func:`ui.remedies.models.open_study`.
    method : str
        Such as "relabel".
    nothing : str
        Said where none is fitted or under way.

    Returns
    -------
    Fitted or None
        None where none has been fitted.
    """
    _offer_unfitted(state, study, method)
    under_way = show_fits(state, method)
    fitted = _choose_shown(state, method)
    if fitted is None and not under_way:
        st.caption(nothing)
    return fitted


def _offer_unfitted(state: AuditState, study: Study | AmountStudy, method: str) -> None:
    """Draw the button that fits what the audit keeps and is not fitted, such as the remedies of a saved audit."""
    under_way = {plan_key(job.about.plan) for job in state.jobs.active if job.about.study_key == state.study_key}
    plans = [plan for plan in unfitted(state, method) if plan_key(plan) not in under_way]
    if not plans:
        return
    things = "a remedy that is" if len(plans) == 1 else f"{len(plans)} remedies that are"
    st.info(f"This audit keeps {things} not fitted with the data and settings of now.")
    if st.button("Fit what is kept", key="remedies_fit_kept"):
        for plan in plans:
            start_fit(state, study, plan)
        st.rerun()


def show_fits(state: AuditState, method: str) -> bool:
    """Draw the fits of one method that are under way, each with its progress and Stop, and those that failed.

    Parameters
    ----------
    state : AuditState
        The audit.
    method : str
        Such as "relabel".

    Returns
    -------
    bool
        Whether any is under way.
    """
    here = [job for job in state.jobs.all if job.about.plan.method == method]
    active = [job for job in here if not job.ended]
    # Drawn also when empty, so that what stands below keeps its place and its tabs.
    with st.container():
        for job in here:
            if job.error is not None:
                _show_failure(state, job)
        for job in active:
            if len(active) > 1:
                st.markdown(f"**{literal(remedy_name(job.about.plan, amount=state.decision.amount))}**")
            if job.about.study_key != state.study_key:
                st.caption("Begun with other settings than those of now: its result will be out of date.")
            show_job(job)
    return bool(active)


def _choose_shown(state: AuditState, method: str) -> Fitted | None:
    """Return the fitted remedy that is shown; draw the choice where there are several, and that it is out of date."""
    fitted = [(key, one) for key, one in reversed(state.fitted.items()) if one.is_amount == state.decision.amount]
    found = {key: one for key, one in fitted if one.candidate.finding.plan.method == method}
    if not found:
        return None
    # One that is being fitted is shown when it is there; until then the last one stays.
    wanted = state.shown.get(method)
    shown = wanted if wanted in found else next(iter(found))
    state.shown.setdefault(method, shown)
    if len(found) > 1:
        names = _numbered(state, found)
        label = labels(names.values(), limit=100)
        key = f"remedies_shown_{method}"
        st.session_state[key] = shown
        st.selectbox(
            "Result of",
            list(found),
            format_func=lambda k: label(names[k]),
            key=key,
            on_change=lambda: state.shown.update({method: st.session_state[key]}),
        )
    if not state.is_current(found[shown]):
        st.warning("Out of date: settings have changed since this was fitted. Fit it again before you rely on it.")
    return found[shown]


def _numbered(state: AuditState, found: Mapping[str, Fitted]) -> dict[str, str]:
    """Return what fitted remedies are called; like names are numbered in the order of fitting."""
    names, times = {}, Counter()
    for key in (key for key in state.fitted if key in found):
        name = remedy_name(found[key].candidate.finding.plan, amount=found[key].is_amount)
        times[name] += 1
        names[key] = name if times[name] == 1 else f"{name} ({times[name]})"
    return names


def show_keeping(state: AuditState, fitted: Fitted) -> None:
    """Draw the tick that puts a remedy in the report, and where to go next: the end of every remedy page.

    Parameters
    ----------
    state : AuditState
        The audit.
    fitted : Fitted
        From :func:`choose_fitted`.
    """
    finding = fitted.candidate.finding
    plan = finding.plan
    st.header("What next", anchor=False)
    label = f"Put this in the report: {literal(finding.name, limit=120)}"
    tick_report(state, plan, label, key=tick_key(plan))
    with st.container(horizontal=True):
        for page, label in NEXT.items():
            if page != PAGES.get(plan.method) and (page in NEXT_OF_AMOUNTS or not fitted.is_amount):
                next_step(page, label)


def tick_key(plan: RemedyPlan) -> str:
    """Return the key of the tick at the end of a remedy page.

    Each remedy has its own: a browser that still shows the tick of the one before would answer for this one.
    """
    return f"remedies_in_report_{plan.method}_{crc32(plan_key(plan).encode())}"


def tick_report(state: AuditState, plan: RemedyPlan, label: str, *, key: str) -> None:
    """Draw the tick whether a remedy goes into the report; ticked, it becomes an entry of the audit.

    Parameters
    ----------
    state : AuditState
        The audit.
    plan : RemedyPlan
        The remedy.
    label : str
        Markdown; text from data is escaped by the caller.
    key : str
        The widget's key.
    """
    entry = state.find_entry(plan)
    # The entry is the truth: the same remedy may be ticked in two places.
    st.session_state[key] = entry is not None and entry.in_report
    st.checkbox(label, key=key, on_change=_take_tick, args=(state, plan, key))


def _take_tick(state: AuditState, plan: RemedyPlan, key: str) -> None:
    entry = state.keep(plan)
    entry.in_report, entry.by_hand = st.session_state[key], True


def last_kept(state: AuditState, method: str) -> RemedyPlan | None:
    """Return the remedy of one method that the audit has kept last, without its name; None where there is none."""
    kept = [entry.plan for entry in state.remedies if entry.plan.method == method]
    kept = [plan for plan in kept if goes_with(plan, amount=state.decision.amount)]
    return kept[-1].model_copy(update={"name": None}) if kept else None


def _show_failure(state: AuditState, job: Job) -> None:
    if isinstance(job.error, StoppedError):
        st.info(literal(str(job.error), limit=600))
    else:
        show_error(job.error)
    st.button("Dismiss", key=f"remedies_dismiss_{job.number}", on_click=state.jobs.forget, args=(job.key,))
