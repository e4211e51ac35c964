"""The forms of rules that go into the report, and what a form filled into the audit can be undone to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import iter_run
from fairaudit.errors import FairauditError
from fairaudit.findings import Word
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.filling import fill_plan, run_preset
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.items import PresetItem
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, load_preset
from fairaudit.presets.recording import with_records
from fairaudit.sections.forms import answer_text
from fairaudit.sections.forms.details import own_notes
from fairaudit.sections.forms.reading import is_marked
from ui.entries import CheckEntry
from ui.state import AuditState
from ui.text import literal

_UNDO = "preset_undo"
"""Under which of the session's drafts the audit before it was filled is kept."""

MOST_SHOWN = 20_000
"""The most characters of our own sentences: the names in them are shortened already, and a verdict is not cut."""

IN_BACKGROUND = ("subgroups", "inspections", "alternatives")
"""The questions that a page answers in the background: a record takes what was found last, and asks none of them."""

_DRAFTS, _SHOWN = "preset_drafts", "preset_shown"


@dataclass(frozen=True)
class AuditBefore:
    """What an audit held before a form was filled into it, and of which table."""

    data_key: str
    protected_columns: tuple[str, ...]
    checks: tuple[CheckEntry, ...]
    selected: int


def kind_of(part: PresetPlan) -> tuple[str, bool]:
    """Return what makes two forms versions of one: the rule, and whether a score takes the decision's place."""
    return part.preset, "score" in part.columns


def in_report(state: AuditState, kind: tuple[str, bool]) -> PresetPlan | None:
    """Return the version of a form that is in the report, by :func:`kind_of`."""
    return next((part for part in state.presets if kind_of(part) == kind), None)


def last_version(state: AuditState, preset: str, scored: bool | None = None) -> PresetPlan | None:
    """Return a form as the page had it last with the present table, else as it is in the report."""
    drafts = state.drafts.get(_DRAFTS, {})
    drawn = (part for (data_key, _), part in reversed(drafts.items()) if data_key == state.data_key)
    return next(
        (part for part in (*drawn, *state.presets) if part.preset == preset and scored in (None, kind_of(part)[1])),
        None,
    )


def last_form(state: AuditState) -> str | None:
    """Return the key of the form that the page had last, else of the first one in the report."""
    drafts = list(state.drafts.get(_DRAFTS, {}).values())
    return drafts[-1].preset if drafts else state.presets[0].preset if state.presets else None


def keep_draft(state: AuditState, part: PresetPlan) -> None:
    """Keep a form as the page has it, so that it is the same when the person comes back."""
    drafts = state.drafts.setdefault(_DRAFTS, {})
    drafts.pop((state.data_key, kind_of(part)), None)
    drafts[state.data_key, kind_of(part)] = part


def follow(state: AuditState, part: PresetPlan, wanted: bool | None) -> bool:
    """Write a form that the page has changed into the report where it is there; return whether it is there now.

    Only what the page has shown as the form in the report is followed: another version, or one that cannot be shown
    with the present table as it is, stays until the person says otherwise.
    """
    known = in_report(state, kind_of(part))
    if known is not None and state.drafts.get(_SHOWN) == (state.data_key, known):
        state.presets = [part if each is known else each for each in state.presets]
    if wanted is not None:
        put_in_report(state, part, wanted)
    state.drafts[_SHOWN] = (state.data_key, part) if part in state.presets else None
    return part in state.presets


def put_in_report(state: AuditState, part: PresetPlan, wanted: bool) -> None:
    """Put a form into the report in place of its other versions, or take it out."""
    if wanted:
        same = [place for place, each in enumerate(state.presets) if kind_of(each) == kind_of(part)]
        others = [each for each in state.presets if kind_of(each) != kind_of(part)]
        place = same[0] if same else len(others)
        state.presets = [*others[:place], part, *others[place:]]
    else:
        state.presets = [each for each in state.presets if each != part]


def fill(state: AuditState, finding: PresetFinding) -> None:
    """Fill the audit from a form: protected columns, questions, tolerance; the old ones can be brought back."""
    plan = fill_plan(state.present_plan(fingerprint=False), finding, state.present_table)
    state.drafts[_UNDO] = AuditBefore(state.data_key, state.protected_columns, tuple(state.checks), state.selected)
    state.protected_columns = plan.protected_columns
    state.checks = [CheckEntry(check) for check in plan.checks]
    state.selected = 0


def can_undo(state: AuditState) -> bool:
    """Whether the last filling can be undone: with another table, the questions before it may mean nothing."""
    before = state.drafts.get(_UNDO)
    return isinstance(before, AuditBefore) and before.data_key == state.data_key


def undo(state: AuditState) -> None:
    """Bring back the questions that were there before the audit was filled from a form."""
    before = state.drafts.pop(_UNDO)
    state.protected_columns = before.protected_columns
    state.checks, state.selected = list(before.checks), before.selected


def show_entries(state: AuditState) -> None:
    """Draw the list of forms in the report, and what can be done with each."""
    if not state.presets:
        return
    st.subheader("Legal forms", anchor=False)
    for position, part in enumerate(list(state.presets)):
        with st.container(border=True, key=f"report_preset_card_{position}"):
            title, said = _title_and_verdict(state, part)
            st.markdown(f"**{literal(title, limit=200)}**  \n{literal(said, limit=MOST_SHOWN)}")
            st.button(
                "Remove", key=f"report_preset_remove_{position}", on_click=put_in_report, args=(state, part, False)
            )


def plan_for(state: AuditState, preset: Preset, part: PresetPlan) -> AuditPlan | None:
    """Return the audit that a form is filled for; None while it lacks a decision that the form needs."""
    plan = state.plan(fingerprint=False)
    if preset.is_record:
        return plan
    numbers = [role.role for role in preset.roles if role.kind != "group" and role.role in part.columns]
    if plan is not None and (numbers or plan.decision.kind.has_good_outcome):
        return plan
    if not numbers:
        return None
    decision = OutcomePlan(column=part.columns[numbers[0]][0], amount=True)
    return AuditPlan(data=DataPlan(source=state.source), decision=decision)


def left_out(state: AuditState, preset: Preset, part: PresetPlan) -> tuple[str, ...] | None:
    """Return the groups that a form leaves out of its ratios; None where it cannot be filled."""
    plan = plan_for(state, preset, part)
    try:
        return None if plan is None else filled(state, plan, part).left_out
    except FairauditError:
        # What is wrong with the form stands where it is drawn.
        return None


def marked(state: AuditState, preset: Preset, part: PresetPlan) -> tuple[str, ...]:
    """Return the categories that a form on pay marks; none where it cannot be filled."""
    plan = plan_for(state, preset, part)
    try:
        finding = None if plan is None else filled(state, plan, part)
    except FairauditError:
        # What is wrong with the form stands where it is drawn.
        return ()
    tables = [] if finding is None else finding.pay
    return tuple(dict.fromkeys(row.name for pay in tables for row in pay.table.rows if is_marked(pay, row)))


def filled(state: AuditState, plan: AuditPlan, part: PresetPlan) -> PresetFinding:
    """Return a filled form on the present data, computed once."""
    if load_preset(part.preset).is_record:
        return _filled_record(state, plan, part)
    key = (part.model_dump_json(), plan.decision)
    return state.remember("preset", key, lambda: run_preset(state.present_table, plan, part))


def _filled_record(state: AuditState, plan: AuditPlan, part: PresetPlan) -> PresetFinding:
    """Return a record, filled from what the session has answered; what takes long is taken as it was found last."""
    # Here, because the page Report lists these forms itself.
    from ui.report import making

    whole = plan.model_copy(update={"presets": (part,), "seal": state.seal})
    found = {kind: _found(state, getattr(plan, kind)) for kind in IN_BACKGROUND}
    # A question about a second table waits until that is brought, and a remedy until it is fitted.
    changes = tuple(asked for asked in plan.changes if asked.second is None or asked.second in state.seconds)
    remedies = () if making.unfitted(state) else plan.remedies
    quick = whole.model_copy(update={"changes": changes, "remedies": remedies} | dict.fromkeys(IN_BACKGROUND, ()))

    def answered() -> AuditResult:
        events = iter_run(quick, table=state.table, known=making.known(state), seconds=state.seconds)
        *_, last = events
        return last.result  # type: ignore[union-attr]

    result: AuditResult = state.remember("record", quick.to_toml(), answered)
    asked = {kind: tuple(each.plan for each in parts) for kind, parts in found.items()}
    whole = result.plan.model_copy(update=asked)
    kept = plan.model_copy(update={"presets": tuple(_with(state.presets, part)), "seal": state.seal})
    changed = kept.changed_since_seal
    result = replace(result, plan=whole, changed_since_seal=changed, **found)  # type: ignore[arg-type]
    return with_records(result).presets[0]


def _found(state: AuditState, asked: Iterable[Any]) -> tuple[Any, ...]:
    """Return the answers that the session holds to questions that take long."""
    answers = (state.searched.get(state.search_key(each)) for each in asked)
    return tuple(each for each in answers if each is not None)


def _with(parts: list[PresetPlan], part: PresetPlan) -> list[PresetPlan]:
    """Return the forms of the report with this version of one in its place."""
    same = kind_of(part)
    return [part if kind_of(each) == same else each for each in parts] or [part]


def needed_word(item: PresetItem) -> Word:
    """Say whether a record is not complete without an item."""
    return Word("yes" if item.needed else "no")


def _title_and_verdict(state: AuditState, part: PresetPlan) -> tuple[str, str]:
    """Return the title of a form and what it comes to."""
    try:
        finding = filled(state, state.present_plan(fingerprint=False), part)
    except FairauditError as error:
        return part.title or part.preset, error.message
    return finding.title, " ".join((answer_text(finding), *own_notes(finding)))
