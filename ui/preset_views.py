"""The form of a rule on a page: which form, its columns, its tables, and where they go."""

from __future__ import annotations

import zlib
from typing import Any

import streamlit as st

from fairaudit.plan import AuditPlan, DataPlan, OutcomePlan
from fairaudit.plan_presets import PresetPlan
from fairaudit.presets import Preset, PresetFinding, PresetRole, list_presets, suggest_columns
from fairaudit.report import to_pdf
from fairaudit.report.chapters.presets import preset_document, shown_table
from fairaudit.report.preset_csv import preset_csv
from fairaudit.report.preset_html import preset_html
from fairaudit.report.preset_words import how_computed, preset_verdict
from fairaudit.report.tables_presets import facts, means_table, rates_table
from ui import preset_entries
from ui.frame import next_step
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal, shortened
from ui.widgets import start, start_choice

MOST_VALUES = 50


def choose_form(state: AuditState) -> Preset:
    """Draw the choice of the form and what it covers."""
    presets = {preset.key: preset for preset in list_presets()}
    # Of an amount there are no rates: a form with means can tell of it.
    amount = state.decision is not None and state.decision.amount
    first = next((key for key, each in presets.items() if each.roles_of("amount") or not amount), next(iter(presets)))
    kept = next((part.preset for part in state.presets if part.preset in presets), first)
    key = st.selectbox(
        "Form",
        list(presets),
        format_func=lambda key: shortened(presets[key].title, 90),
        key=start_choice("presets_form", kept, list(presets)),
    )
    preset = presets[key]
    st.markdown(
        f"{literal(preset.rule, limit=300)}, **{literal(preset.section, limit=300)}**  \n"
        f"{literal(preset.date, limit=300)}"
    )
    st.info(literal(preset.notice, limit=600))
    with st.expander("What it covers, and what not"):
        st.markdown("**It covers**\n" + "".join(f"\n- {literal(each, limit=600)}" for each in preset.covers))
        missing = "".join(f"\n- {literal(each, limit=600)}" for each in preset.does_not_cover)
        st.markdown(f"**It does not cover**\n{missing}")
        if preset.url:
            st.markdown(f"To be read at {literal(preset.url)}")
    return preset


def show_columns(state: AuditState, preset: Preset) -> PresetPlan | None:
    """Draw the columns and settings of a form; return them, or None while something is missing."""
    kept = next((part for part in state.presets if part.preset == preset.key), None)
    suggested = {role: (name,) for role, name in suggest_columns(preset, state.table.columns).items()}
    columns = {}
    places = st.columns(2)
    for place, role in enumerate(preset.roles):
        known = kept.columns.get(role.role, ()) if kept else suggested.get(role.role, ())
        with places[place % 2]:
            chosen = _role(state, preset, role, known if role.kind == "group" or kept else ())
        if chosen:
            columns[role.role] = chosen
    groups = [role for role in preset.roles_of("group") if role.role in columns]
    lacking = [role.label for role in preset.roles if not role.optional and role.role not in columns]
    if lacking or not groups:
        st.info(f"Say which column holds: {literal(', '.join(lacking) or 'one of the groups', limit=200)}.")
        return None
    scored = any(role.role in columns for role in preset.roles_of("score"))
    same = (part for part in state.presets if preset_entries.kind_of(part) == (preset.key, scored))
    kept = next(same, None)
    settings = _settings(state, preset, columns, groups, kept, f"presets_{preset.key}_{'score' if scored else 'rate'}")
    return PresetPlan(preset=preset.key, columns=columns, title=kept and kept.title, **settings)


def _role(state: AuditState, preset: Preset, role: PresetRole, known: tuple[str, ...]) -> tuple[str, ...]:
    numeric = role.kind != "group"
    options = [name for name, column in state.table.columns.items() if not numeric or column.kind == "number"]
    key = f"presets_{preset.key}_{role.role}_{state.data_key}"
    if role.kind == "amount":
        if not known and state.decision is not None and state.decision.amount:
            known = (state.decision.column,)
        return tuple(
            st.multiselect(
                role.label, options, format_func=labels(options), key=start_choice(key, list(known), options)
            )
        )
    words = f"{role.label} (takes the place of the decision)" if role.kind == "score" else role.label
    chosen = st.selectbox(
        words,
        options,
        index=None,
        placeholder="none" if role.optional else "choose a column",
        format_func=labels(options),
        key=start_choice(key, known[0] if known else None, [None, *options]),
    )
    return (chosen,) if chosen else ()


def _settings(
    state: AuditState,
    preset: Preset,
    columns: dict[str, tuple[str, ...]],
    groups: list[PresetRole],
    kept: PresetPlan | None,
    key: str,
) -> dict[str, Any]:
    settings: dict[str, Any] = {"where": _population(state, kept, key)}
    shares = [check.smallest_share for check in preset.checks if check.smallest_share]
    if shares:
        usual = any(check.leave_out_small for check in preset.checks)
        first = kept.leave_out_small if kept and kept.leave_out_small is not None else usual
        out = st.checkbox(
            f"Leave groups with less than {max(shares) * 100:g} % of the data out of the ratios",
            key=start(f"{key}_leave_out", first),
            help="Their number and rate stay in the tables.",
        )
        settings["leave_out_small"] = None if out == usual else out
        if out:
            reason = st.text_input("Reason", key=start(f"{key}_reason", (kept and kept.reason) or ""))
            settings["reason"] = reason.strip() or None
    if any(check.reference == "largest" for check in preset.checks):
        settings["references"] = _references(state, columns, groups, kept, key)
    if preset.publishes:
        words = st.text_input(
            "Source and explanation of the data", key=start(f"{key}_data_words", (kept and kept.data_words) or "")
        )
        dates = st.text_input("Dates of audit and use", key=start(f"{key}_dates", (kept and kept.dates) or ""))
        settings |= {"data_words": words.strip() or None, "dates": dates.strip() or None}
    return settings


def _population(state: AuditState, kept: PresetPlan | None, key: str) -> str | None:
    """Return the filter of a form: none, unless the person wants that of the form in the report or of the question."""
    known = (kept and kept.where) or ""
    options = list(dict.fromkeys(("", known, state.check.where or "")))
    if len(options) == 1:
        return None
    # A choice of None would be drawn as no choice at all, so the text of "everybody" is empty.
    chosen = st.selectbox(
        "Who is looked at",
        options,
        format_func=lambda where: shortened(f"only where {where}", 120) if where else "everybody in the data",
        key=start_choice(f"{key}_where_{len(options)}_{state.data_key}", known, options),
    )
    return chosen or None


def _references(
    state: AuditState,
    columns: dict[str, tuple[str, ...]],
    groups: list[PresetRole],
    kept: PresetPlan | None,
    key: str,
) -> dict[str, str]:
    chosen = {}
    for role in groups:
        column = columns[role.role][0]
        found = state.remember(
            "preset_values", column, lambda column=column: state.table.values(column, limit=MOST_VALUES)
        )
        values = [str(value) for value in found["value"].dropna().tolist()]
        known = kept.references.get(role.role) if kept else None
        value = st.selectbox(
            f"{role.label}: compare with",
            values,
            index=None,
            placeholder="the largest group",
            format_func=labels(values),
            key=start_choice(f"{key}_{role.role}_base_{state.data_key}_{column}", known, [None, *values]),
        )
        if value is not None:
            chosen[role.role] = value
    return chosen


def plan_of(state: AuditState, preset: Preset, part: PresetPlan) -> AuditPlan | None:
    """Return the audit that a form is filled for; None, and why, while it lacks a decision that the form needs."""
    plan = state.plan(fingerprint=False)
    numbers = [role.role for role in preset.roles if role.kind != "group" and role.role in part.columns]
    if not numbers and (plan is None or plan.decision.amount):
        asked = "Say which column holds the decision and what a good outcome is."
        if plan is not None:
            asked = "The decision is an amount, and this form needs one with a good outcome, or a column of numbers."
        st.info(asked)
        next_step("pages/1_Data.py", "Go to Data")
        return None
    if plan is None:
        decision = OutcomePlan(column=part.columns[numbers[0]][0], amount=True)
        return AuditPlan(data=DataPlan(source=state.source), decision=decision)
    return plan


def show_finding(finding: PresetFinding) -> None:
    """Draw a filled form: the verdict, the tables, how it is computed."""
    answer, spread = preset_verdict(finding)
    st.header(literal(answer, limit=900), anchor=False)
    if spread:
        st.markdown(literal(spread, limit=900))
    st.caption(literal(finding.preset.words.reading, limit=600))
    tables = [rates_table(finding, told, 1, place) for place, told in enumerate(finding.rates, start=1)]
    tables += [means_table(finding, told, 1, place) for place, told in enumerate(finding.means, start=1)]
    for table in tables:
        st.subheader(literal(table.title, limit=200), anchor=False)
        show_table(table, columns=tuple(column.name for column in shown_table(table).columns))
    for note in finding.notes:
        st.caption(literal(note, limit=600))
    with st.expander("The rule, the data and how this is computed"):
        for label, value in facts(finding):
            st.markdown(f"**{literal(label)}**  \n{literal(value, limit=600)}")
        st.markdown("".join(f"\n- {literal(each, limit=900)}" for each in how_computed(finding)))


def show_actions(state: AuditState, finding: PresetFinding) -> None:
    """Draw what can be done with a filled form: publish, report, fill the audit."""
    st.header("What next", anchor=False)
    part = finding.plan
    if state.small_cells.mask:
        st.caption("Small counts are to be hidden: take this form from the report, where they are.")
    else:
        _downloads(finding)
    if state.decision is None:
        st.caption("To put the form into a report, say on the page Data which column holds the decision.")
        next_step("pages/1_Data.py", "Go to Data")
        return
    wanted = st.checkbox(
        "Put this in the report",
        key=start(f"presets_in_report_{zlib.crc32(part.model_dump_json().encode())}", part in state.presets),
    )
    if wanted != (part in state.presets):
        preset_entries.put_in_report(state, part, wanted)
    with st.container(horizontal=True):
        if st.button(
            "Fill the audit from this form",
            key="presets_fill",
            help="Protected columns, one question for each column of groups, comparisons and tolerance.",
        ):
            preset_entries.fill(state, finding)
            st.rerun()
        if preset_entries.can_undo(state) and st.button("Undo filling", key="presets_undo"):
            preset_entries.undo(state)
            st.rerun()
    if preset_entries.can_undo(state):
        told = ", ".join(entry.plan.protected_name or entry.plan.protected for entry in state.checks)
        st.success(f"The audit now asks about: {literal(told, limit=300)}.")
        next_step("pages/3_Check.py", "Look at the questions")
    next_step("pages/12_Report.py", "Make the report")


def _downloads(finding: PresetFinding) -> None:
    with st.container(horizontal=True):
        for label, make, ending, mime in (
            ("Page (HTML)", lambda: preset_html(finding), "html", "text/html"),
            ("CSV", lambda: preset_csv(finding), "csv", "text/csv"),
            ("PDF", lambda: to_pdf(preset_document(finding)), "pdf", "application/pdf"),
        ):
            st.download_button(
                label,
                data=make,
                file_name=f"{finding.preset.key}.{ending}",
                mime=mime,
                key=f"presets_download_{ending}",
                icon=":material/download:",
                on_click="ignore",
            )
