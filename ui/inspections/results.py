"""What searches found: hit rates, thresholds that are fitted in the background, and light against darkness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from zoneinfo import available_timezones

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit import Condition
from fairaudit.audit.result import InspectionFinding
from fairaudit.errors import require
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.plan.questions import USUAL_PLACEBO, InspectionPlan, VeilPlan
from fairaudit.sections.searches import charts, read_searches, say_searches, tables
from fairaudit.sections.searches.answering import iter_thresholds, run_veil
from fairaudit.sections.searches.charts import searches_chart, searches_chart_text, searches_chart_title
from fairaudit.sections.searches.saying import (
    ASSUMES,
    MISLEADS,
    NOT_SAID,
    VEIL_ASSUMES,
    notes,
    say_model,
    say_places,
    say_veil,
)
from ui.check.questions import cases, show_about
from ui.data.quality import say_days_as_text
from ui.entries import Search
from ui.frame import errors_shown
from ui.inspections.asking import asked_before, keep, type_number
from ui.inspections.roles import is_counted
from ui.result import show_caution, show_chart, show_listed, show_picture, show_said, show_table, show_warnings
from ui.runtime import memory
from ui.searching import begin, offer_to_begin, show_last
from ui.state import AuditState
from ui.text import labels, literal, stated
from ui.values import known_values
from ui.widgets import ask, start, start_choice

# What searches found as the page shows it: the answer and its picture, and under More all figures.

TABS = (
    "searches-more-figures",
    "searches-more-model",
    "searches-more-light",
    "searches-more-settings",
    "searches-more-computed",
)


def tabs() -> Sequence[DeltaGenerator]:
    """Return the parts of More."""
    return st.tabs([stated(key) for key in TABS])


def show_context(state: AuditState, finding: InspectionFinding) -> None:
    """Draw which groups are compared, who was looked at, and the way to the manual."""
    group = Phrase(finding.group_words)
    show_about(Message("searches-context", {"group": group, "cases": cases(state, finding.plan.where)}))


def show_answer(finding: InspectionFinding) -> None:
    """Draw the answer and its chart, with what makes the reader careful."""
    said = say_searches(finding)
    show_said(said)
    if read_searches(finding).verdict != "nothing_to_compare":
        show_picture(finding, searches_chart, searches_chart_title, searches_chart_text)
    show_caution(said)


def show_figures(finding: InspectionFinding) -> None:
    """Draw what was found in each group, the differences of all, and those inside the strata."""
    show_table(tables.hit_rates_table(finding, 1), columns=tables.HIT_RATES)
    names = tables.GAPS if finding.outcome.strata else tables.GAPS[:5]
    show_table(tables.hit_gaps_table(finding, 1), columns=names)
    if finding.outcome.strata:
        table = tables.hit_strata_table(finding, 1)
        with st.expander(literal(table.title, limit=120)):
            show_table(table)
    show_warnings(finding.outcome.warnings)


def show_computed() -> None:
    """Draw when finds mislead, and what none of this says."""
    show_listed(notes((*MISLEADS, *NOT_SAID)))


# The model of grounds as the page offers it: its places, the work in the background, and what it infers.


def choose_model(state: AuditState, asked: InspectionPlan) -> InspectionPlan | None:
    """Draw what the model is asked; return the question, None where the table or the places do not say enough."""
    st.markdown(stated("searches-infer-why"))
    if is_counted(state, asked.acted) and asked.stopped is None:
        st.info(stated("searches-infer-say-all"))
        return None
    asked = _choose_grounds(state, asked)
    if not asked.location:
        st.info(stated("searches-infer-say-places"))
        return None
    return asked


def with_thresholds(state: AuditState, finding: InspectionFinding, asked: InspectionPlan | None) -> InspectionFinding:
    """Return an answer with the thresholds that were inferred for this question."""
    thresholds = None if asked is None else state.inferred.get(state.search_key(asked))
    return finding if asked is None or thresholds is None else replace(finding, plan=asked, thresholds=thresholds)


def offer_inference(state: AuditState, asked: InspectionPlan | None) -> bool:
    """Draw the button that has the model infer grounds, where it can and has not; return whether it is there."""
    if asked is None or state.search_key(asked) in state.inferred:
        return False
    search = Search(asked, state.search_key(asked))
    if offer_to_begin(state, search, stated("searches-infer"), key="searches_infer"):
        before = asked_before(state)
        keep(state, asked.model_copy(update={"veil": None if before is None else before.veil}))
        events = partial(iter_thresholds, state.present_table, asked, seed=state.seed)
        begin(state, search, "searches", "Comparing the grounds", events, n_bytes=memory.FIT)
    return True


def show_under_way(state: AuditState, asked: InspectionPlan | None) -> None:
    """Draw how far the model is, or why it failed."""
    if asked is None:
        return
    key = state.search_key(asked)
    last = show_last(state, key)
    if last is not None and last.error is not None and key not in state.inferred:
        st.error(literal(str(last.error), limit=900))
        if (before := asked_before(state)) is not None:
            # What cannot be answered would stop the report.
            keep(state, before.model_copy(update={"location": (), "n_placebo": 0}))
    elif state.inferred and key not in state.inferred and (last is None or last.ended):
        st.info(stated("searches-infer-changed"))


def _choose_grounds(state: AuditState, asked: InspectionPlan) -> InspectionPlan:
    before = asked_before(state)
    columns = [name for name in state.present_table.columns if name not in asked.group]
    kept = list(before.location) if before is not None else []
    left, middle, right = st.columns(3)
    first, key = kept or list(asked.strata[:1]), f"searches_location_{state.data_key}"
    location = ask(InspectionPlan, "location", left, key=key, first=first, options=columns)
    signal = ask(
        InspectionPlan,
        "signal",
        middle,
        key=f"searches_signal_{state.data_key}",
        first=asked.signal if before is None else before.signal,
    )
    worth = type_number(
        right,
        InspectionPlan,
        "base_rate",
        f"searches_base_rate_{state.data_key}",
        None if before is None else before.base_rate,
        label=form_of(InspectionPlan, "base_rate").label,
        example="12,5 or 12.5",
    )
    form = form_of(InspectionPlan, "n_placebo")
    key = start(f"searches_placebo_{state.data_key}", before is not None and before.n_placebo > 0)
    placebo = st.checkbox(form.label, key=key, help=form.help)
    chosen = {
        "signal": signal,
        "location": tuple(location),
        "n_placebo": USUAL_PLACEBO if placebo and location else 0,
        "base_rate": worth,
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
    show_warnings(finding.thresholds.warnings, limit=900)
    show_listed(say_model(finding))
    show_table(tables.threshold_checks_table(finding, 1))
    show_chart(
        charts.fit_chart(finding),
        title=say(Message("searches-chart-fit")),
        description=charts.fit_alt(finding),
        note=say(Message("searches-chart-fit-note")),
    )
    show_listed(notes(ASSUMES))


# Light against darkness as the page offers it: by which columns, and what comes out.

SUN, COLUMN = "by sun, date and place", "by a column"
DEGREES = "a number for all rows"
EVERY, LOOKED_AT = "every row", "only rows that were looked at"


def show_veil(state: AuditState, asked: InspectionPlan, finding: InspectionFinding) -> None:
    """Draw the choice of columns, and the answer once they are all said."""
    st.markdown(stated("searches-veil-about"))
    before = asked_before(state)
    answered, draft = None if before is None else before.veil, f"veil_{state.data_key}"
    # As it was first: what is said below a field that is changed must not fold away with it.
    is_open = st.session_state.setdefault(f"searches_veil_open_{state.data_key}", answered is None)
    # Also a form that is not filled in yet, or cannot be answered with this filter, is there to be gone on with.
    form = state.drafts.setdefault(draft, _form_of(answered))
    with st.expander("By which columns", expanded=is_open):
        veil = _choose_columns(state, form)
    found = None
    with errors_shown(go_on=True), st.spinner("Comparing light with darkness …"):
        if veil is not None:
            asked = asked.model_copy(update={"veil": veil})
            key = (asked.acted, asked.group, asked.reference, asked.where, asked.confidence, veil)
            found = state.remember("veil", key, lambda: run_veil(state.present_table, asked))
    if before is not None:
        # What cannot be answered would stop the report.
        keep(state, before.model_copy(update={"veil": None if found is None else veil}))
    if found is not None:
        _show(replace(finding, plan=asked, veil=found))


def _form_of(answered: VeilPlan | None) -> dict[str, Any]:
    """Return what the form says at first: what was answered, or hours around dusk and nothing else."""
    return {"hours": "evening"} if answered is None else answered.model_dump()


def _choose_columns(state: AuditState, form: dict[str, Any]) -> VeilPlan | None:
    """Draw the form and note in it what is said; return the question, None while something is missing."""
    key = f"searches_veil_{state.data_key}"
    days = [name for name, column in state.present_table.columns.items() if column.is_day]
    form["acted_only"] = _choose_stops(state, form)
    first = form.get("how") or (COLUMN if not days or form.get("light") else SUN)
    how = form["how"] = st.radio("Light is known", (SUN, COLUMN), key=start(f"{key}_how", first), horizontal=True)
    values = _by_sun(state, form, key, days) if how == SUN else _by_column(state, form, key)
    if form["acted_only"] is None:
        st.info(stated("searches-veil-say-stops"))
        return None
    return None if values is None else VeilPlan(**values, acted_only=form["acted_only"])


def _choose_stops(state: AuditState, form: dict[str, Any]) -> bool | None:
    """Draw which rows count as stops, and return whether only those looked at do; None while it is not said."""
    if is_counted(state, state.acted):
        return False
    only = form.get("acted_only")
    said = st.radio(
        form_of(VeilPlan, "acted_only").label,
        (EVERY, LOOKED_AT),
        index=None,
        key=start(f"searches_stops_{state.data_key}", None if only is None else LOOKED_AT if only else EVERY),
        horizontal=True,
        help=form_of(VeilPlan, "acted_only").help,
    )
    return None if said is None else said == LOOKED_AT


def _note(
    place: DeltaGenerator, form: dict[str, Any], name: str, key: str, options: Sequence[str] | None = None, **given: Any
) -> Any:
    """Draw a field of the question and note in the form what is chosen; return it."""
    form[name] = ask(VeilPlan, name, place, key=key, first=form.get(name), options=options, **given)
    return form[name]


def _within(state: AuditState, form: dict[str, Any], key: str, places: Sequence[DeltaGenerator]) -> dict:
    """Draw inside which places and at which hours stops are compared."""
    hours = _note(places[0], form, "hours", f"{key}_hours")
    return {"hours": hours, "place": _note(places[1], form, "place", f"{key}_place", list(state.present_table.columns))}


def _by_sun(state: AuditState, form: dict[str, Any], key: str, days: list[str]) -> dict | None:
    if not days:
        why = say(Message("searches-veil-no-dates"))
        if not say_days_as_text(state, why):
            st.info(literal(why))
        return None
    columns = list(state.present_table.columns)
    numbers = [name for name, column in state.present_table.columns.items() if column.kind == "number"]
    left, middle, right, last = st.columns(4)
    date = _note(left, form, "date", f"{key}_date", days)
    holds_hours = date is not None and state.present_table.columns[date].kind == "timestamp"
    empty = {"placeholder": "in the column of dates"} if holds_hours else {}
    time = _note(left, form, "time", f"{key}_time", columns, **empty)
    position = {}
    for name in ("latitude", "longitude"):
        form[name] = position[name] = _degrees(middle, name, numbers, form.get(name), key)
    zone = _note(right, form, "time_zone", f"{key}_zone", sorted(available_timezones()))
    within = _within(state, form, key, (right, last))
    if date is None or (time is None and not holds_hours):
        st.info(stated("searches-veil-say-time"))
        return None
    if None in position.values() or zone is None:
        st.info(stated("searches-veil-say-place"))
        return None
    return {"date": date, "time": time, "time_zone": zone, **position, **within}


def _degrees(place, name: str, numbers: list[str], present: str | float | None, key: str) -> str | float | None:
    label = form_of(VeilPlan, name).label
    guessed = next((column for column in numbers if column.lower() in (name, name[:3])), None)
    options = [DEGREES, *numbers]
    first = DEGREES if isinstance(present, float | int) else present or guessed or DEGREES
    chosen = place.selectbox(
        label, options, format_func=labels(options), key=start_choice(f"{key}_{name}", first, options)
    )
    if chosen != DEGREES:
        return chosen
    return type_number(
        place,
        VeilPlan,
        name,
        f"{key}_{name}_degrees",
        float(present) if isinstance(present, float | int) else None,
        label=f"{label} in degrees",
        example="52.37 or 52,37" if name == "latitude" else "4.89 or 4,89",
    )


def _by_column(state: AuditState, form: dict[str, Any], key: str) -> dict | None:
    columns = list(state.present_table.columns)
    if said := form.pop("light", None):
        form["light_column"], form["light_values"] = Condition.parse(said, state.present_table.columns).listed or (
            None,
            (),
        )
    left, middle, right, last = st.columns(4)
    key_of_column = start_choice(f"{key}_light", form.get("light_column"), columns)
    column = form["light_column"] = left.selectbox(
        "Column",
        columns,
        index=None,
        format_func=labels(columns),
        placeholder="Choose a column",
        key=key_of_column,
    )
    time = _note(right, form, "time", f"{key}_light_time", columns)
    chosen = []
    if column is not None:
        known, _ = known_values(state, column)
        form["light_values"] = chosen = middle.multiselect(
            "Light, if it is",
            known,
            format_func=labels(known),
            key=start_choice(f"{key}_light_values_{column}", list(form.get("light_values", ())), known),
        )
    within = _within(state, form, key, (last, right))
    if column is None or not chosen or time is None:
        st.info(stated("searches-veil-say-light"))
        return None
    return {"light": str(Condition.one_of(column, chosen, state.present_table.columns)), "time": time, **within}


def _show(finding: InspectionFinding) -> None:
    veil = require(finding.veil)
    st.markdown(literal(say(say_veil(finding)), limit=1500))
    show_chart(
        charts.veil_chart(finding),
        title=say(Message("searches-chart-light")),
        description=charts.veil_alt(finding),
        note=say(Message("searches-chart-light-note")),
    )
    show_table(tables.veil_table(finding, 1), columns=tables.VEIL)
    with st.expander(stated("searches-more-hours")):
        show_table(tables.veil_hours_table(finding, 1))
        if veil.place is not None:
            show_table(tables.veil_places_table(finding, 1))
    show_warnings(veil.warnings, limit=900)
    show_listed(notes(VEIL_ASSUMES))
