"""Light against darkness as the page offers it: by which columns, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import available_timezones

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit import Condition
from fairaudit.audit.follow_ups import run_veil
from fairaudit.audit.result import InspectionFinding
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.inspections import InspectionPlan, VeilPlan
from fairaudit.report import follow_up_tables as tables
from fairaudit.sections.searches import charts
from fairaudit.sections.searches.saying import VEIL_ASSUMES, notes, say_veil
from ui.charts import show_chart
from ui.data.days import say_days_as_text
from ui.frame import errors_shown
from ui.inspections.asking import asked_before, keep
from ui.inspections.roles import is_counted
from ui.inspections.typed import type_number
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.values import known_values
from ui.widgets import start, start_choice

SUN, COLUMN = "by sun, date and place", "by a column"
HOURS = {"evening": "around dusk", "morning": "around dawn", "both": "around dusk and dawn"}
DEGREES = "a number for all rows"
EVERY, LOOKED_AT = "every row", "only rows that were looked at"


def show_veil(state: AuditState, asked: InspectionPlan, finding: InspectionFinding) -> None:
    """Draw the choice of columns, and the answer once they are all said."""
    st.markdown(literal(say(Message("searches-veil-about"))))
    before = asked_before(state)
    answered, draft = None if before is None else before.veil, f"veil_{state.data_key}"
    # As it was first: what is said below a field that is changed must not fold away with it.
    is_open = st.session_state.setdefault(f"searches_veil_open_{state.data_key}", answered is None)
    # Also a form that is not filled in yet, or cannot be answered with this filter, is there to be gone on with.
    form = state.drafts.setdefault(draft, _form_of(answered))
    with st.expander("By which columns", expanded=is_open):
        veil = _choose(state, form)
    found = None
    with errors_shown(go_on=True), st.spinner("Comparing light with darkness …"):
        if veil is not None:
            asked = asked.model_copy(update={"veil": veil})
            key = (asked.acted, asked.group, asked.reference, asked.where, asked.confidence, veil)
            found = state.remember("veil", key, lambda: run_veil(state.table, asked))
    if before is not None:
        # What cannot be answered would stop the report.
        keep(state, before.model_copy(update={"veil": None if found is None else veil}))
    if found is not None:
        _show(replace(finding, plan=asked, veil=found))


def _form_of(answered: VeilPlan | None) -> dict[str, Any]:
    """Return what the form says at first: what was answered, or hours around dusk and nothing else."""
    return {"hours": "evening"} if answered is None else answered.model_dump()


def _choose(state: AuditState, form: dict[str, Any]) -> VeilPlan | None:
    """Draw the form and note in it what is said; return the question, None while something is missing."""
    key = f"searches_veil_{state.data_key}"
    days = [name for name, column in state.table.columns.items() if column.is_day]
    form["acted_only"] = _choose_stops(state, form)
    first = form.get("how") or (COLUMN if not days or form.get("light") else SUN)
    how = form["how"] = st.radio("Light is known", (SUN, COLUMN), key=start(f"{key}_how", first), horizontal=True)
    values = _by_sun(state, form, key, days) if how == SUN else _by_column(state, form, key)
    if form["acted_only"] is None:
        st.info(literal(say(Message("searches-veil-say-stops"))))
        return None
    return None if values is None else VeilPlan(**values, acted_only=form["acted_only"])


def _choose_stops(state: AuditState, form: dict[str, Any]) -> bool | None:
    """Draw which rows count as stops, and return whether only those looked at do; None while it is not said."""
    if is_counted(state, state.acted):
        return False
    only = form.get("acted_only")
    said = st.radio(
        "Which rows are stops?",
        (EVERY, LOOKED_AT),
        index=None,
        key=start(f"searches_stops_{state.data_key}", None if only is None else LOOKED_AT if only else EVERY),
        horizontal=True,
        help="Every row, where each is a stop. Only those looked at, where others are places nobody went to.",
    )
    return None if said is None else said == LOOKED_AT


def _column(
    place: DeltaGenerator,
    label: str,
    form: dict[str, Any],
    name: str,
    columns: list[str],
    *,
    key: str,
    placeholder: str = "Choose a column",
) -> str | None:
    """Draw the choice of a column and note it in the form, under the name of its field."""
    form[name] = place.selectbox(
        label,
        columns,
        index=None,
        format_func=labels(columns),
        placeholder=placeholder,
        key=start_choice(key, form.get(name), columns),
    )
    return form[name]


def _within(state: AuditState, form: dict[str, Any], key: str, places: Sequence[DeltaGenerator]) -> dict:
    """Draw inside which places and at which hours stops are compared."""
    form["hours"] = places[0].selectbox(
        "Hours", list(HOURS), format_func=HOURS.get, key=start(f"{key}_hours", form["hours"])
    )
    place = _column(
        places[1],
        "Compared within each",
        form,
        "place",
        list(state.table.columns),
        key=f"{key}_place",
        placeholder="all places together",
    )
    return {"hours": form["hours"], "place": place}


def _by_sun(state: AuditState, form: dict[str, Any], key: str, days: list[str]) -> dict | None:
    if not days:
        why = say(Message("searches-veil-no-dates"))
        if not say_days_as_text(state, why):
            st.info(literal(why))
        return None
    columns = list(state.table.columns)
    numbers = [name for name, column in state.table.columns.items() if column.kind == "number"]
    left, middle, right, last = st.columns(4)
    date = _column(left, "Date", form, "date", days, key=f"{key}_date")
    holds_hours = date is not None and state.table.columns[date].kind == "timestamp"
    empty = "in the column of dates" if holds_hours else "Choose a column"
    time = _column(left, "Time of day", form, "time", columns, key=f"{key}_time", placeholder=empty)
    position = {}
    for name in ("latitude", "longitude"):
        form[name] = position[name] = _degrees(middle, name, numbers, form.get(name), key)
    zones = sorted(available_timezones())
    zone = form["time_zone"] = right.selectbox(
        "Clock of",
        zones,
        index=None,
        placeholder="such as Europe/Berlin",
        key=start_choice(f"{key}_zone", form.get("time_zone"), zones),
    )
    within = _within(state, form, key, (right, last))
    if date is None or (time is None and not holds_hours):
        st.info(literal(say(Message("searches-veil-say-time"))))
        return None
    if None in position.values() or zone is None:
        st.info(literal(say(Message("searches-veil-say-place"))))
        return None
    return {"date": date, "time": time, "time_zone": zone, **position, **within}


def _degrees(place, name: str, numbers: list[str], present: str | float | None, key: str) -> str | float | None:
    label = literal(name.capitalize())
    guessed = next((column for column in numbers if column.lower() in (name, name[:3])), None)
    options = [DEGREES, *numbers]
    first = DEGREES if isinstance(present, float | int) else present or guessed or DEGREES
    chosen = place.selectbox(
        label, options, format_func=labels(options), key=start_choice(f"{key}_{name}", first, options)
    )
    if chosen != DEGREES:
        return chosen
    most = 90.0 if name == "latitude" else 180.0
    return type_number(
        place,
        f"{label} in degrees",
        f"{key}_{name}_degrees",
        float(present) if isinstance(present, float | int) else None,
        low=-most,
        high=most,
        example="52.37 or 52,37" if name == "latitude" else "4.89 or 4,89",
    )


def _by_column(state: AuditState, form: dict[str, Any], key: str) -> dict | None:
    columns = list(state.table.columns)
    if said := form.pop("light", None):
        form["light_column"], form["light_values"] = Condition.parse(said, state.table.columns).listed or (None, ())
    left, middle, right, last = st.columns(4)
    column = _column(left, "Column", form, "light_column", columns, key=f"{key}_light")
    time = _column(right, "Time of day", form, "time", columns, key=f"{key}_light_time")
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
    if not chosen or time is None:
        st.info(literal(say(Message("searches-veil-say-light"))))
        return None
    return {"light": str(Condition.one_of(column, chosen, state.table.columns)), "time": time, **within}


def _show(finding: InspectionFinding) -> None:
    st.markdown(literal(say(say_veil(finding)), limit=1500))
    show_chart(
        charts.veil_chart(finding),
        title=say(Message("searches-chart-light")),
        description=charts.veil_alt(finding),
        note=say(Message("searches-chart-light-note")),
    )
    show_table(tables.veil_table(finding, 1), columns=tables.VEIL)
    with st.expander(literal(say(Message("searches-more-hours")))):
        show_table(tables.veil_hours_table(finding, 1))
        if finding.veil.place is not None:
            show_table(tables.veil_places_table(finding, 1))
    for warning in finding.veil.warnings:
        st.warning(literal(warning, limit=900))
    for text in notes(VEIL_ASSUMES):
        st.markdown(f"- {literal(text, limit=600)}")
