"""What the remedy pages share: fitting in the background, naming what was fitted, choosing what is shown and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.audit.trying import Candidate, lacks_divisions, remedy_name, within_strata
from fairaudit.errors import FairauditError, StoppedError, require
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import goes_with
from fairaudit.plan.models import Learner
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.sections.compare.models import simple_plan
from fairaudit.study.cautions import was_stopped
from fairaudit.study.columns import remedy_columns
from fairaudit.study.divided import DividedRows
from fairaudit.study.findings import plan_key
from fairaudit.study.hit_groups import hit_groups
from fairaudit.study.rows import Study
from ui.entries import FitRequest, Pressed
from ui.frame import next_step, show_error
from ui.progress import show_job
from ui.remedies.fitting import fail, iter_fit
from ui.remedies.learning_panel import rows_key, show_sizes, study_of, with_columns
from ui.remedies.registry import REMEDIES, page_of
from ui.runtime import memory
from ui.runtime.jobs import Job
from ui.runtime.processes import warm_up
from ui.state import AuditState, Fitted
from ui.steps import CHOOSER, COMPARE
from ui.text import labels, literal, shortened, stated
from ui.widgets import IN_REPORT, present_page

# What models are called on the pages.

LONGEST = 120


def plans_of(state: AuditState) -> dict[str, RemedyPlan]:
    """Return what is fitted, in the order of the fits, then what is kept and not fitted, of the kind of decision."""
    plans = {key: one.candidate.finding.plan for key, one in state.fitted.items()}
    plans |= {plan_key(entry.plan): entry.plan for entry in state.remedies}
    return {key: plan for key, plan in plans.items() if goes_with(plan, state.present_decision.kind)}


def numbers_of(state: AuditState) -> dict[str, str]:
    """Return the numbers that models have in the report, by their ``plan_key``: on every page they have the same."""
    kind = state.present_decision.kind
    shown = [entry.plan for entry in state.remedies if entry.in_report and goes_with(entry.plan, kind)]
    return {plan_key(plan): str(number) for number, plan in enumerate(shown, start=1)}


def all_numbers_of(state: AuditState) -> dict[str, int]:
    """Return the numbers of :func:`numbers_of`, and after them those of models that are not in the report."""
    numbered = numbers_of(state)
    others = [key for key in plans_of(state) if key not in numbered]
    return {key: number for number, key in enumerate([*numbered, *others], start=1)}


def names_of(state: AuditState) -> dict[str, str]:
    """Return the names of all models that are fitted or kept, by their ``plan_key``, no two alike."""
    names: dict[str, str] = {}
    times: Counter[str] = Counter()
    for key, plan in plans_of(state).items():
        name = shortened(remedy_name(plan, state.present_decision.kind), LONGEST)
        times[name] += 1
        names[key] = name if times[name] == 1 else f"{name} ({times[name]})"
    return names


def numbered_name(state: AuditState, plan: RemedyPlan) -> str:
    """Return the name that a model has on every page and in the report, after its number where it is in the report."""
    key = plan_key(plan)
    name = names_of(state).get(key) or remedy_name(plan, state.present_decision.kind)
    number = numbers_of(state).get(key)
    return name if number is None else f"{number}. {name}"


def in_bold(name: str) -> str:
    """Return a name from :func:`names_of` as Markdown."""
    return f"**{literal(name, limit=LONGEST + 10)}**"


# What the remedy pages share: fitting in the background, choosing what is shown, and keeping it.


def start_fit(
    state: AuditState, study: DividedRows, plan: RemedyPlan, *, keep: bool = True, divisions: bool = False
) -> Job:
    """Fit a remedy in the background, after the jobs of this session that are under way.

    Its result appears in ``state.fitted`` when the next page is drawn after the end. Where it builds on a plain model
    (see :func:`ui.remedies.fitting.plain_of`), that is fitted once for all remedies of a study, and appears there too.
    With `keep` it becomes an entry of the audit, ticked for the report, and is what its page shows. With `divisions` it
    is judged on all divisions of the rows that are asked for; one that is fitted already is not fitted again then.
    """
    if state.known[0] != state.study_key:
        state.known = (state.study_key, {})
    known = state.known[1]
    key = plan_key(plan)
    if keep:
        state.shown[plan.method] = key
    fitted = to_end(state, plan) if divisions else None
    try:
        rows = with_columns(state, study, remedy_columns(state.present_table, [plan]))
    except FairauditError as error:
        events = partial(fail, error)
    else:
        events = partial(iter_fit, rows, plan, known, None if fitted is None else fitted.candidate, divisions=divisions)
    return state.jobs.start(
        f"{key} {state.study_key}",
        page_of(plan.method).title if fitted else page_of(plan.method).work,
        events,
        about=FitRequest(plan, state.study_key, study.facts, keep),
        n_bytes=memory.fit_bytes(study.X),
        kind="remedy",
    )


def offer_fit(
    state: AuditState,
    study: DividedRows,
    method: str,
    plan: RemedyPlan | None,
    *,
    label: str,
    nothing: str,
    result: DeltaGenerator | None = None,
    begin: DeltaGenerator | None = None,
    show_found: Callable[[Job], None] | None = None,
) -> Fitted | None:
    """Draw the button that fits what the form asks for (None: nothing yet), and return the result that is shown.

    The fits and the choice among them are drawn below the button or, where one is given, in the place of the `result`.
    The button stands where it is called or, where one is given, in the place to `begin`, above a long form.
    `show_found` draws what the search of a fit has found so far.
    """
    warm_up()

    # A page that is left at once is not drawn to here again. What is called on a press is called even then.
    def begin_fit() -> None:
        if plan is not None:
            start_fit(state, study, plan)

    drawn = Pressed(present_page(), state.asked, begin_fit)
    key = f"{page_of(method).key}_fit"
    place = st.container() if begin is None else begin
    with place.container(horizontal=True, vertical_alignment="center", key="remedies_start"):
        st.button(
            label, type="primary", key=key, disabled=plan is None, on_click=setattr, args=(state, "pressed", drawn)
        )
        if begin is None:
            show_sizes(study, method)
    if begin is not None:
        show_sizes(study, method)
    if state.pressed is not None and state.pressed.page == drawn.page and plan is not None:
        state.pressed = None
        start_fit(state, study, plan)
        # So that the sidebar shows the fit.
        st.rerun()
    with st.container() if result is None else result:
        return choose_fitted(state, study, method, nothing=nothing, show_found=show_found)


def to_end(state: AuditState, plan: RemedyPlan) -> Fitted | None:
    """Return what was fitted for a remedy, to the present rows and to its end; None where there is no such fit."""
    fitted = state.find_current(plan)
    return None if fitted is None or was_stopped(fitted.candidate.finding) else fitted


def lacks_fit(state: AuditState, plan: RemedyPlan) -> bool:
    """Whether a remedy must still be fitted, or judged on more divisions of the rows, before it can be in a report."""
    fitted = to_end(state, plan)
    return fitted is None or lacks_divisions(fitted.candidate.finding, state.present_models.divisions)


def _offer_divisions(state: AuditState, fitted: Fitted) -> None:
    """Draw the button that judges what is shown on more divisions, where it was judged on one."""
    n, finding = state.present_models.divisions, fitted.candidate.finding
    if to_end(state, finding.plan) is None or not lacks_divisions(finding, n) or state.find_fit(finding.plan):
        return
    if st.button(
        say(Message("remedy-way-repeats", {"n": Count(n)})),
        key=f"remedies_divisions_{finding.plan.method}",
        help=say(Message("remedy-way-repeats-help", {"n": Count(n - 1)})),
    ):
        start_fit(state, study_of(state), finding.plan, keep=False, divisions=True)
        st.rerun()


def choose_fitted(
    state: AuditState,
    study: DividedRows,
    method: str,
    *,
    nothing: str,
    show_found: Callable[[Job], None] | None = None,
) -> Fitted | None:
    """Draw the fits of one method, kept, under way and failed, and return the one whose result the page shows.

    Where several are fitted, the choice is drawn; the one fitted last comes first. Where it is out of date, that is
    said; see :meth:`AuditState.is_current`.
    """
    _offer_unfitted(state, study, method)
    under_way = show_fits(state, method, show_found)
    fitted = _as_asked_now(state, study, _choose_shown(state, method))
    if fitted is None and not under_way:
        st.caption(nothing)
    return fitted


def _as_asked_now(state: AuditState, study: DividedRows, fitted: Fitted | None) -> Fitted | None:
    """Return what is shown with the facts of the study, and the gap inside the strata, as the questions are now.

    The rows are read anew for other strata: where a database has others by then, nothing is said of strata.
    """
    if fitted is None or not state.is_current(fitted):
        return fitted
    candidate, finding = fitted.candidate, fitted.candidate.finding
    was, now = (facts.decisions for facts in (fitted.facts, study.facts))
    if study.inside is None or (was.protected, was.reference) != (now.protected, now.reference):
        within = None
    elif was_stopped(finding):
        within = within_strata(study, candidate)
    else:
        key = (rows_key(state), plan_key(finding.plan))
        within = state.remember("strata of a remedy", key, lambda: within_strata(study, candidate))
    key = (rows_key(state), plan_key(finding.plan))
    hit = None if was_stopped(finding) else state.remember("groups hit", key, lambda: hit_groups(study, candidate))
    shown = replace(candidate, finding=replace(finding, within=within, hit=hit))
    return replace(fitted, candidate=shown, facts=study.facts)


def _offer_unfitted(state: AuditState, study: DividedRows, method: str) -> None:
    """Draw the button that fits what the audit keeps and is not fitted, such as the remedies of a saved audit."""
    kept = [plan for plan in _kept(state, method) if state.find_current(plan) is None]
    plans = [plan for plan in kept if not state.find_fit(plan)]
    if not plans:
        return
    st.info(stated("learn-kept", n=Count(len(plans))))
    if st.button("Make what is kept", key="remedies_fit_kept"):
        for plan in plans:
            start_fit(state, study, plan)
        st.rerun()


def show_fits(state: AuditState, method: str, show_found: Callable[[Job], None] | None = None) -> bool:
    """Draw the fits of one method that are under way, each with its progress and Stop, and those that failed."""
    here = [job for job in state.jobs.all if isinstance(job.about, FitRequest) and job.about.plan.method == method]
    active = [job for job in here if not job.ended]
    # Drawn also when empty, so that what stands below keeps its place and its tabs.
    with st.container():
        for job in here:
            if job.error is not None:
                _show_failure(state, job)
        for job in active:
            if len(active) > 1:
                st.markdown(f"**{literal(remedy_name(job.about.plan, state.present_decision.kind))}**")
            if job.about.study_key != state.study_key:
                st.caption(stated("learn-begun-before"))
            show_job(job, state.jobs, show_found=show_found)
    return bool(active)


def show_all_fits(state: AuditState) -> None:
    """Draw the fits that are under way and those that failed, whatever the remedy."""
    for page in REMEDIES:
        show_fits(state, page.method)


def _choose_shown(state: AuditState, method: str) -> Fitted | None:
    """Return the fitted remedy that is shown; draw the choice where there are several, and that it is out of date."""
    fitted = [(key, one) for key, one in reversed(state.fitted.items()) if one.outcome is state.present_decision.kind]
    found = {key: one for key, one in fitted if one.candidate.finding.plan.method == method}
    if not found:
        return None
    # One that is being fitted is shown when it is there; until then the last one stays.
    wanted = state.shown.get(method)
    shown = wanted if wanted in found else next(iter(found))
    state.shown.setdefault(method, shown)
    if len(found) > 1:
        names = names_of(state)
        label = labels([names[key] for key in found], limit=100)
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
        st.warning(stated("learn-out-of-date"))
    return found[shown]


def show_ways_on(state: AuditState, fitted: Fitted) -> None:
    """Draw, in sight at the end of a remedy page, where to go next and the tick that puts it in the report."""
    plan = fitted.candidate.finding.plan
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="remedies_ways"):
        next_step(COMPARE, say(Message("remedy-way-compare")), first=True)
        next_step(CHOOSER, say(Message("remedy-way-another")))
        tick_report(state, plan, IN_REPORT, key=tick_key(plan))


def show_other_ways(state: AuditState, fitted: Fitted) -> None:
    """Draw what else can be done with a remedy: try it again on other rows, and report the simple rule beside it."""
    finding = fitted.candidate.finding
    _offer_divisions(state, fitted)
    simple = simple_plan(fitted.of_shares[0]) if fitted.outcome.has_good_outcome else None
    if simple is not None:
        key, name = f"{tick_key(finding.plan)}_simple", literal(remedy_name(simple))
        label = say(Message("remedy-way-simple", {"name": Phrase(name)}))
        tick_report(state, simple, label, key=key)


def tick_key(plan: RemedyPlan) -> str:
    """Return the key of the tick at the end of a remedy page.

    Each remedy has its own: a browser that still shows the tick of the one before would answer for this one.
    """
    return f"remedies_in_report_{plan.method}_{crc32(plan_key(plan).encode())}"


def tick_report(state: AuditState, plan: RemedyPlan, label: str, *, key: str, help: str | None = None) -> None:
    """Draw the tick whether a remedy goes into the report; ticked, it becomes an entry of the audit."""
    entry = state.find_entry(plan)
    # The entry is the truth: the same remedy may be ticked in two places.
    st.session_state[key] = entry is not None and entry.in_report
    st.checkbox(label, key=key, help=help, on_change=_take_tick, args=(state, plan, key))


def _take_tick(state: AuditState, plan: RemedyPlan, key: str) -> None:
    entry = state.keep(plan)
    entry.in_report, entry.by_hand = st.session_state[key], True


def offer_look(state: AuditState, plan: RemedyPlan, *, key: str) -> None:
    """Draw the button that goes to the page of a remedy and shows its result there, where it has a page."""
    page = page_of(plan.method)
    if page.file is not None and st.button("Look at it", key=key):
        state.shown[plan.method] = plan_key(plan)
        st.switch_page(page.path)


def last_kept(state: AuditState, method: str) -> RemedyPlan | None:
    """Return the remedy of one method that the audit has kept last, without its name; None where there is none."""
    kept = _kept(state, method)
    return kept[-1].model_copy(update={"name": None}) if kept else None


def _kept(state: AuditState, method: str) -> list[RemedyPlan]:
    """Return the remedies of one method that the audit keeps and that go with its decision."""
    plans = [entry.plan for entry in state.remedies if entry.plan.method == method]
    return [plan for plan in plans if goes_with(plan, state.present_decision.kind)]


def _show_failure(state: AuditState, job: Job) -> None:
    if isinstance(job.error, StoppedError):
        st.info(literal(str(job.error), limit=600))
    else:
        show_error(require(job.error))
    st.button("Dismiss", key=f"remedies_dismiss_{job.number}", on_click=state.jobs.forget, args=(job.key,))


# A plain model that a page builds on: fitted once for all that is tried on it.


def known_plain(state: AuditState, model: Learner) -> Candidate | None:
    """Return a plain model that is fitted to the present rows, to its end; None where there is none."""
    study_key, known = state.known
    return known.get(plan_key(PlainPlan(model=model))) if study_key == state.study_key else None


def open_plain(
    state: AuditState, study: Study, model: Learner, *, purpose: str, label: str, key: str
) -> Candidate | None:
    """Return a plain model that is fitted to the present rows, to its end; until it is, draw how it comes to be."""
    found = known_plain(state, model)
    running = show_fits(state, "plain")
    if found is None and not running:
        st.caption(purpose)
        if st.button(label, key=key):
            start_fit(state, study, PlainPlan(model=model), keep=False)
            st.rerun()
    return found
