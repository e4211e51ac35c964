"""The form of a rule on a page: which form, its columns, its tables, and where they go."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Argument, Count, Group, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import TableBlock
from fairaudit.presets.document import preset_document, preset_html
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.fitting import needed_roles, suggest_columns
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetFile, PresetRole, find_presets
from fairaudit.presets.status import today
from fairaudit.presets.tables import facts, figure_tables, preset_csv, shown_columns, stated_table
from fairaudit.report.pdf import to_pdf
from fairaudit.sections.forms import say_form
from fairaudit.sections.forms.charts import form_chart, form_chart_text, form_chart_title, has_chart
from fairaudit.sections.forms.details import how_computed, own_notes, say_pay_table
from fairaudit.sections.forms.reading import leading_rates, unnamed_roles
from fairaudit.sections.forms.records import record_yaml
from fairaudit.sections.forms.saying import status_facts
from ui.check.questions import cases, show_about
from ui.frame import next_step, show_error
from ui.look import beside
from ui.presets import entries as preset_entries
from ui.presets.entries import MOST_SHOWN
from ui.presets.records import context, show_items, show_questions, show_record_picture
from ui.presets.settings import Columns, settings_key, show_settings, side_by_side
from ui.result import OfferedFile, offer_files, show_caution, show_picture, show_said, show_table
from ui.state import AuditState
from ui.text import labels, literal, shortened, stated
from ui.widgets import IN_REPORT, settled, start_choice, was_answered

SETTINGS = "form_change"
_TICKED = "preset_ticked"


def choose_form(state: AuditState) -> PresetFile | None:
    """Draw the choice of the form; say which files of the office cannot be used. None until one is chosen."""
    found, errors = find_presets()
    for error in errors:
        show_error(error)
    files = {file.preset.key: file for file in found}
    presets = {key: file.preset for key, file in files.items()}
    last = preset_entries.last_form(state)
    kept = last if last in presets else _first_form(state, presets)
    key = st.selectbox(
        "Form",
        list(presets),
        index=settled("presets_form"),
        placeholder=say(Message("form-choose")),
        format_func=lambda key: shortened(presets[key].title, 90),
        key=start_choice("presets_form", kept, list(presets)),
    )
    return None if key is None else files[key]


def _first_form(state: AuditState, presets: dict[str, Preset]) -> str | None:
    """Return the form on pay where a column is called pay: that of the decision, or one beside all others it needs.

    Which law is that of another amount, or of a decision with a favourable result, nothing in a table says.
    """
    if state.decision is not None and state.decision.kind.has_good_outcome:
        return None

    def is_meant(preset: Preset) -> bool:
        if state.decision is not None:
            decided = {state.decision.column: state.present_table.column(state.decision.column)}
            return bool(suggest_columns(preset, decided).keys() & set(preset.of_pay))
        found = suggest_columns(preset, state.present_table.columns)
        return all(role.role in found for role in preset.roles if not role.optional)

    def is_special(key: str) -> tuple[bool, bool]:
        """Return what comes last: forms on one worker or finding, and those that compare by what is not there."""
        each = presets[key]
        found = suggest_columns(each, state.present_table.columns)
        return each.is_joint or each.answers_worker, not all(role in found for role in each.sided)

    return next(
        (key for key in sorted(presets, key=is_special) if presets[key].of_pay and is_meant(presets[key])), None
    )


def show_columns(state: AuditState, file: PresetFile) -> PresetPlan | None:
    """Draw the columns and settings of a form; return them, or None while something is missing."""
    if file.preset.is_record:
        return show_questions(state, file)
    preset = file.preset
    kept = preset_entries.last_version(state, preset.key)
    fitting = {role: (name,) for role, name in suggest_columns(preset, state.present_table.columns).items()}
    suggested = _asked(state, preset, taken=set(fitting.values())) | fitting
    columns, key = {}, f"presets_{preset.key}"
    first = next((role.role for role in preset.roles_of("amount")), None)
    for place, role in zip(side_by_side(len(preset.roles)), preset.roles, strict=True):
        known = kept.columns.get(role.role, ()) if kept else suggested.get(role.role, ())
        with place:
            # Of amounts to compare there may be many; what a form on pay asks for has one column, mostly.
            guessed = kept or role.kind == "group" or role.role in preset.of_pay
            chosen = _role(state, key, role, known if guessed else (), is_decision=role.role == first)
        if chosen:
            columns[role.role] = chosen
    groups = [role for role in preset.roles_of("group") if role.role in columns]
    needed = needed_roles(preset, state.present_table)
    lacking = [role.label for role in needed if role.role not in columns]
    if lacking or not groups:
        args = {"roles": Phrase(", ".join(lacking or [role.label for role in preset.roles_of("group")]))}
        st.info(stated("form-lacking", **args, limit=300))
        return None
    scored = any(role.role in columns for role in preset.roles_of("score"))
    kept = preset_entries.last_version(state, preset.key, scored)
    settings = show_settings(state, preset, columns, kept, settings_key(preset.key, scored))
    if preset.answers_worker and settings["worker"] is None:
        st.info(stated("form-worker-lacking"))
        return None
    # That the office's file has changed is said until the person takes the form out of the report.
    reported = preset_entries.in_report(state, (preset.key, scored))
    digest = reported.file_digest if reported is not None else file.digest
    part = PresetPlan(
        preset=preset.key, columns=columns, title=None if kept is None else kept.title, file_digest=digest, **settings
    )
    preset_entries.keep_draft(state, part)
    return part


def _asked(state: AuditState, preset: Preset, *, taken: Collection[tuple[str, ...]]) -> Columns:
    """Return the columns of the present question for a form on pay: who is protected, and inside what is compared."""
    columns: Columns = {}
    for name in preset.sided:
        role = preset.role(name)
        with suppress(FairauditError):
            condition = state.present_table.condition(state.check.protected)
            asked = () if condition is None else condition.columns
            values = {str(value).casefold() for column in asked for value in state.present_table.common_values(column)}
            if len(asked) == 1 and values.intersection((*role.compared, *role.compared_with)):
                columns[name] = asked
        for category in {names[1] for check in preset.checks for names in check.by if names[0] == name and names[1:]}:
            columns[category] = state.check.whole_strata[:1]
    return {role: names for role, names in columns.items() if names and names not in taken}


def _role(
    state: AuditState, key: str, role: PresetRole, known: tuple[str, ...], *, is_decision: bool
) -> tuple[str, ...]:
    numeric = role.kind != "group"
    options = [name for name, column in state.present_table.columns.items() if not numeric or column.kind == "number"]
    key = f"{key}_{role.role}_{state.data_key}"
    if role.kind == "amount":
        if is_decision and not known and state.decision is not None and not state.decision.kind.has_good_outcome:
            known = (state.decision.column,)
        several = st.multiselect(
            role.label,
            options,
            format_func=labels(options),
            key=start_choice(key, list(known), options),
        )
        if len(several) > 1:
            st.caption(say(Message("form-not-added")))
        return tuple(several)
    chosen = st.selectbox(
        role.label,
        options,
        index=None,
        placeholder="none" if role.optional else "Choose a column",
        format_func=labels(options),
        key=start_choice(key, known[0] if known else None, [None, *options]),
    )
    return (chosen,) if chosen else ()


def plan_of(state: AuditState, preset: Preset, part: PresetPlan) -> AuditPlan | None:
    """Return the audit that a form is filled for; None, and why, while it lacks a decision that the form needs."""
    plan = preset_entries.plan_for(state, preset, part)
    if plan is None:
        instead = [role.label for role in preset.roles if role.kind != "group"]
        key = "form-needs-decision-or" if instead else "form-needs-decision"
        st.info(stated(key, roles=Phrase(", ".join(instead)), limit=300))
        next_step("pages/1_Data.py", "Go to Data")
    return plan


def is_answered(state: AuditState) -> bool:
    """Whether there was an answer when the page was drawn last, so that the form is a setting below it."""
    return was_answered("forms", state.data_key, True)


def show_context(state: AuditState, finding: PresetFinding) -> None:
    """Draw which form it is, and of how many people."""
    if finding.record is not None:
        show_about(context(finding))
        return
    words = finding.preset.words
    # The filter of a form is its own.
    args: dict[str, Argument] = {"title": Phrase(finding.title), "cases": cases(state, finding.where)}
    key, sides = "form-context", finding.sides[0] if finding.sides else None
    if sides is not None and None not in (sides.n_protected, sides.n_reference):
        args |= {"n": Count(sides.n_protected), "m": Count(sides.n_reference)}
        args |= {"protected": Group(words.compared), "others": Group(words.compared_with)}
        key = "form-context-pay"
    elif sides is None and finding.n_population is not None:
        args |= {"n": Count(finding.n_population), "people": Phrase(words.people)}
        key = "form-context-rates"
    show_about(Message(key, args))


def show_answer(finding: PresetFinding) -> None:
    """Draw what a filled form comes to, the table that the rule prescribes, and its picture."""
    said = say_form(finding)
    show_said(said)
    if finding.record is not None:
        show_record_picture(finding)
        show_caution(said)
        return
    left, right = beside("form_picture", (6, 5)) if has_chart(finding) else (st.container(), None)
    with left:
        for table in _first_tables(finding):
            st.markdown(f"**{literal(table.title, limit=200)}**")
            with st.container(key=f"form_stated_{table.key}"):
                show_table(replace(table, note=None), columns=_first_columns(table), download=False)
        for note in own_notes(finding):
            st.caption(literal(note, limit=MOST_SHOWN))
        for role in unnamed_roles(finding):
            name = say(Message("form-name-column", {"role": Phrase(role.label)}))
            st.button(literal(name, limit=120), key=f"presets_name_{role.role}", on_click=_open_settings)
    if right is not None:
        with right:
            show_picture(finding, form_chart, form_chart_title, form_chart_text)
    show_caution(said)


def _open_settings() -> None:
    st.session_state[SETTINGS] = True


def _first_tables(finding: PresetFinding) -> tuple[TableBlock, ...]:
    """Return the tables that the rule prescribes and that the answer is about."""
    if finding.pay:
        return (stated_table(finding),)
    tables, leading = figure_tables(finding), leading_rates(finding)
    return tuple(table for table, rates in zip(tables, finding.rates, strict=False) if rates in leading) or tuple(
        tables[:1]
    )


def _first_columns(table: TableBlock) -> tuple[str, ...]:
    """Return the columns of the prescribed table that stand on the first screen; all others are under More."""
    names = tuple(column.name for column in table.columns)
    groups = tuple(name for name in names if name.startswith("group_"))
    if "impact_ratio" in names:
        # What counts comes first: on a narrow screen the others are out of sight.
        return (*groups, "impact_ratio", "rate", "n")
    wanted = ("n", "mean", "difference", "share", "own", "protected", "reference", "gap")
    return (*groups, *(name for name in names if name in wanted))


def show_tables(finding: PresetFinding) -> None:
    """Draw all tables of a filled form."""
    if finding.record is not None:
        show_items(finding)
        return
    st.subheader(stated("form-more-tables"), anchor=False)
    tables = figure_tables(finding)
    alone = [None] * (len(tables) - len(finding.pay))
    for table, pay in zip(tables, (*alone, *finding.pay), strict=True):
        st.markdown(f"**{literal(table.title, limit=200)}**")
        if pay is not None:
            st.markdown(literal(say(say_pay_table(finding, pay)), limit=MOST_SHOWN))
            st.caption(literal(pay.check.asks or "", limit=MOST_SHOWN))
        if pay is None or not pay.is_unknowable:
            show_table(table, columns=shown_columns(table))


def show_computed(finding: PresetFinding) -> None:
    """Draw how a filled form is computed, and of which data."""
    if finding.record is not None:
        return
    st.subheader(stated("form-more-computed"), anchor=False)
    if finding.rates:
        st.markdown(literal(finding.preset.words.reading, limit=MOST_SHOWN))
    for label, value in facts(finding, status=False):
        st.markdown(f"**{literal(label)}**  \n{literal(value, limit=MOST_SHOWN)}")
    st.markdown("".join(f"\n- {literal(each, limit=MOST_SHOWN)}" for each in how_computed(finding)))


def show_rule(preset: Preset) -> None:
    """Draw the rule of a form: how it stands with it, what it covers, what not, and that this is no legal advice."""
    st.subheader(stated("form-more-rule"), anchor=False)
    st.markdown(literal(preset.notice, limit=MOST_SHOWN))
    st.markdown(
        f"{literal(preset.rule, limit=300)}, **{literal(preset.section, limit=300)}**  \n"
        f"{literal(preset.date, limit=300)}"
    )
    for label, text in status_facts(preset, is_overdue=preset.is_overdue(today().isoformat())):
        st.markdown(f"**{literal(label)}**  \n{literal(text, limit=MOST_SHOWN)}")
    for key, parts in (("form-covers", preset.covers), ("form-covers-not", preset.does_not_cover)):
        listed = "".join(f"\n- {literal(each, limit=MOST_SHOWN)}" for each in parts)
        st.markdown(f"**{say(Message(key))}**\n{listed}")
    if preset.url:
        st.markdown(literal(preset.url))


def show_ways_on(state: AuditState, finding: PresetFinding) -> None:
    """Draw the button that leads on, whether the form is in the report, and the form to take away."""
    with st.container(horizontal=True, vertical_alignment="center", key="presets_ways"):
        if state.decision is None:
            next_step("pages/1_Data.py", "Go to Data", first=True)
        else:
            next_step("pages/4_Report.py", "Go to the report", first=True)
            # The answer to one worker is not for those who read a report.
            if not finding.preset.answers_worker or finding.plan in state.presets:
                _show_tick(state, finding.plan)
        with st.popover("Download the form"):
            _offer_form(finding)


def show_audit(state: AuditState, finding: PresetFinding) -> None:
    """Draw what makes questions of a filled form, and what brings the old ones back."""
    if state.decision is None or finding.record is not None or any(pay.of_means for pay in finding.pay):
        # Of means, nothing but a form can be asked.
        return
    st.subheader(stated("form-more-audit"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Fill the audit",
            key="presets_fill",
            help="One question for each column of groups.",
        ):
            preset_entries.fill(state, finding)
            st.rerun()
        if preset_entries.can_undo(state) and st.button("Undo filling", key="presets_undo"):
            preset_entries.undo(state)
            st.rerun()
    if preset_entries.can_undo(state):
        said = ", ".join(entry.plan.protected_name or entry.plan.protected for entry in state.checks)
        st.success(stated("form-audit-asks", names=Phrase(said), limit=400))
        next_step("pages/3_Check.py", "Go to Check")


def _show_tick(state: AuditState, part: PresetPlan) -> None:
    """Draw the tick that puts a form in the report, which follows what is changed while it is set."""
    preset, scored = kind = preset_entries.kind_of(part)
    said, wanted = state.drafts.pop(_TICKED, (kind, None))
    held = preset_entries.follow(state, part, wanted if said == kind else None)
    key = f"presets_in_report_{preset}_{'score' if scored else 'rate'}"
    # Said each time: the browser forgets it while the form cannot be filled.
    st.session_state[key] = held

    def tick() -> None:
        state.drafts[_TICKED] = (kind, st.session_state[key])

    other = preset_entries.in_report(state, kind) is not None and not held
    st.checkbox(
        IN_REPORT,
        key=key,
        on_change=tick,
        help="It takes the place of the other version of this form." if other else None,
    )


def _offer_form(finding: PresetFinding) -> None:
    """Draw the buttons that take the form away."""
    name = finding.preset.key
    offer_files(
        (
            OfferedFile(label, f"{name}.{ending}", mime, make, key=f"presets_download_{ending}")
            for label, ending, mime, make in (
                ("Page (HTML)", "html", "text/html", lambda: preset_html(finding)),
                ("CSV", "csv", "text/csv", lambda: preset_csv(finding)),
                ("PDF", "pdf", "application/pdf", lambda: to_pdf(preset_document(finding))),
                *(
                    (("YAML", "yaml", "application/yaml", lambda: record_yaml(finding)),)
                    if finding.preset.as_yaml
                    else ()
                ),
            )
        ),
        prominent=True,
    )
