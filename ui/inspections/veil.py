"""Light against darkness as the page offers it: by which columns, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import available_timezones

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit import Condition
from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.audit.inspections import run_veil
from fairaudit.data.quality import days_as_text
from fairaudit.errors import quote
from fairaudit.plan.inspections import InspectionPlan, VeilPlan
from fairaudit.present import inspection_words as words
from fairaudit.present.charts import inspections as charts
from fairaudit.report import inspection_tables as tables
from ui.charts import show_chart
from ui.frame import errors_shown, next_step
from ui.inspections.asking import asked_before, keep
from ui.inspections.roles import is_counted
from ui.inspections.typed import type_number
from ui.look import beside, show_chip
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.values import known_values
from ui.widgets import start, start_choice

SUN, COLUMN = "by the sun, from date and place", "a column says so"
HOURS = {"evening": "around dusk", "morning": "around dawn", "both": "around dusk and dawn"}
DEGREES = "a number for all rows"
EVERY, LOOKED_AT = "every row", "only rows that were looked at"


def show_veil(state: AuditState, asked: InspectionPlan, finding: InspectionFinding) -> None:
    """Draw the choice of columns, and the answer once they are all said."""
    st.caption(
        "Where it is dark, it is harder to see who somebody is. At hours that are sometimes light and sometimes dark, "
        "is a group a larger share of those stopped in light? This asks who was stopped, not what was found."
    )
    before = asked_before(state)
    answered, draft = None if before is None else before.veil, f"veil_{state.data_key}"
    # As it was first: what is said below a field that is changed must not fold away with it.
    is_open = st.session_state.setdefault(f"searches_veil_open_{state.data_key}", answered is None)
    with st.expander("By which columns", expanded=is_open):
        veil = _choose(state, answered or state.drafts.get(draft))
    if veil is not None:
        # Also what cannot be answered with this filter is there to be gone on with.
        state.drafts[draft] = veil
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


def _choose(state: AuditState, present: VeilPlan | None) -> VeilPlan | None:
    key = f"searches_veil_{state.data_key}"
    kinds = {name: column.kind for name, column in state.table.columns.items()}
    days = [name for name, kind in kinds.items() if kind in ("date", "timestamp")]
    acted_only = _choose_stops(state, present)
    first = COLUMN if not days or (present is not None and present.light is not None) else SUN
    how = st.radio("When it was light is said", (SUN, COLUMN), key=start(f"{key}_how", first), horizontal=True)
    values = _by_sun(state, present, key, days) if how == SUN else _by_column(state, present, key)
    if acted_only is None:
        st.info("Say which rows are stops: every row, or only those that were looked at.")
        return None
    return None if values is None else VeilPlan(**values, acted_only=acted_only)


def _choose_stops(state: AuditState, present: VeilPlan | None) -> bool | None:
    """Draw which rows count as stops, and return whether only those looked at do; None while it is not said."""
    if is_counted(state, state.acted):
        return False
    said = st.radio(
        "Which rows are stops?",
        (EVERY, LOOKED_AT),
        index=None,
        key=start(f"searches_stops_{state.data_key}", present and (LOOKED_AT if present.acted_only else EVERY)),
        horizontal=True,
        help="Where police record stops, each row is one, and only some lead to a search: every row. In a table of "
        "inspections also of places where nobody went, only rows that were looked at happened in light or darkness.",
    )
    return None if said is None else said == LOOKED_AT


def _within(state: AuditState, present: VeilPlan | None, key: str, places: Sequence[DeltaGenerator]) -> dict:
    """Draw inside which places and at which hours stops are compared."""
    columns = list(state.table.columns)
    return {
        "hours": places[0].selectbox(
            "Hours",
            list(HOURS),
            format_func=HOURS.get,
            key=start(f"{key}_hours", "evening" if present is None else present.hours),
        ),
        "place": places[1].selectbox(
            "Compared within each",
            columns,
            index=None,
            format_func=labels(columns),
            placeholder="all places together",
            key=start_choice(f"{key}_place", None if present is None else present.place, columns),
        ),
    }


def _by_sun(state: AuditState, present: VeilPlan | None, key: str, days: list[str]) -> dict | None:
    if not days:
        _say_no_dates(state)
        return None
    columns = list(state.table.columns)
    numbers = [name for name, column in state.table.columns.items() if column.kind == "number"]
    left, middle, right, last = st.columns(4)
    date = left.selectbox(
        "Date",
        days,
        index=None,
        format_func=labels(days),
        placeholder="Choose a column",
        key=start_choice(f"{key}_date", None if present is None else present.date, days),
    )
    holds_hours = date is not None and state.table.columns[date].kind == "timestamp"
    time = left.selectbox(
        "Time of day",
        columns,
        index=None,
        format_func=labels(columns),
        placeholder="in the column of dates" if holds_hours else "Choose a column",
        key=start_choice(f"{key}_time", None if present is None else present.time, columns),
    )
    position = {}
    for name in ("latitude", "longitude"):
        position[name] = _degrees(middle, name, numbers, None if present is None else getattr(present, name), key)
    zones = sorted(available_timezones())
    zone = right.selectbox(
        "Clock of",
        zones,
        index=None,
        placeholder="such as Europe/Berlin",
        key=start_choice(f"{key}_zone", None if present is None else present.time_zone, zones),
        help="The time zone of the times in the table.",
    )
    within = _within(state, present, key, (right, last))
    if date is None or (time is None and not holds_hours):
        st.info("Choose the columns of date and time.")
        return None
    if None in position.values() or zone is None:
        st.info("Say where it was and by which clock: sunset follows from date, position and time zone.")
        return None
    return {"date": date, "time": time, "time_zone": zone, **position, **within}


def _say_no_dates(state: AuditState) -> None:
    """Say that there are no dates, and where a column looks like days how it is read as such."""
    why = "There is no column of dates, and hours without dates do not say whether it was light."
    looks = state.remember("days_as_text", "", lambda: days_as_text(state.table))
    if not looks:
        st.info(why)
        return
    name, value = next(iter(looks.items()))
    said = f"The column {quote(name)} looks like days, such as {value}, but was read as text."
    way = "Open “How the file was read” on the page Data, choose how “Days are written”, and read the file again."
    if state.content is None:
        way = "Write its days as 2025-07-30 where the table is kept."
    st.info(literal(f"{why} {said} {way}", limit=600))
    next_step("pages/1_Data.py", "Go to Data")


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
        placeholder="such as 52.37 or 52,37" if name == "latitude" else "such as 4.89 or 4,89",
    )


def _by_column(state: AuditState, present: VeilPlan | None, key: str) -> dict | None:
    columns = list(state.table.columns)
    kept = None
    if present is not None and present.light is not None:
        kept = Condition.parse(present.light, state.table.columns).listed
    left, middle, right, last = st.columns(4)
    column = left.selectbox(
        "Column that says it",
        columns,
        index=None,
        format_func=labels(columns),
        placeholder="Choose a column",
        key=start_choice(f"{key}_light", kept and kept[0], columns),
    )
    time = right.selectbox(
        "Time of day",
        columns,
        index=None,
        format_func=labels(columns),
        placeholder="Choose a column",
        key=start_choice(f"{key}_light_time", None if present is None else present.time, columns),
    )
    chosen = []
    if column is not None:
        known, _ = known_values(state, column)
        chosen = middle.multiselect(
            "It was light, if it is",
            known,
            format_func=labels(known),
            key=start_choice(f"{key}_light_values_{column}", list(kept[1]) if kept else [], known),
        )
    within = _within(state, present, key, (last, right))
    if not chosen or time is None:
        st.info("Choose the column and the value that say it was light, and the time of day.")
        return None
    return {"light": str(Condition.one_of(column, chosen, state.table.columns)), "time": time, **within}


def _show(finding: InspectionFinding) -> None:
    left, right = beside("searches_veil")
    with left, st.container(border=True, key="searches_veil_verdict"):
        show_chip(words.veil_chip(finding))
        st.header(literal(words.veil_headline(finding), limit=900), anchor=False)
        st.markdown(literal(words.veil_details(finding), limit=1500))
        st.caption(literal(words.VEIL_ASSUMES, limit=1500))
    with right, st.container(border=True, key="searches_veil_chart"):
        show_chart(
            charts.veil_chart(finding),
            title="Share among stops, by the half hour",
            description=charts.veil_alt(finding),
            note="One point for each half hour, larger with more stops of the group.",
        )
        with st.expander("The same as a table"):
            show_table(tables.veil_table(finding, 1), columns=tables.VEIL)
            show_table(tables.veil_hours_table(finding, 1))
            if finding.veil.place is not None:
                show_table(tables.veil_places_table(finding, 1))
    for warning in finding.veil.warnings:
        st.warning(literal(warning, limit=900))
