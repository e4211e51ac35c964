"""The forms of rules that go into the report, and what a form filled into the audit can be undone to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from fairaudit.errors import FairauditError, quote
from fairaudit.plan_presets import PresetPlan
from fairaudit.presets import PresetFinding, fill_plan
from fairaudit.report.preset_words import preset_verdict
from fairaudit.run import run_preset
from ui.text import literal

if TYPE_CHECKING:
    from fairaudit.plan import AuditPlan
    from ui.state import AuditState

_UNDO = "preset_undo"
"""Under which of the session's drafts the audit before it was filled is kept."""


@dataclass(frozen=True)
class Before:
    """What an audit held before a form was filled into it."""

    protected_columns: tuple[str, ...]
    checks: tuple[Any, ...]
    selected: int


def fit_presets(state: AuditState) -> list[str]:
    """Leave out the forms whose columns the table lacks; return a sentence for each."""
    kept, dropped = [], []
    for part in state.presets:
        gone = [name for names in part.columns.values() for name in names if name not in state.table.columns]
        if gone:
            dropped.append(f"There is no column {quote(gone[0])} for the form {quote(part.title or part.preset)}.")
        else:
            kept.append(part)
    state.presets = kept
    return dropped


def kind_of(part: PresetPlan) -> tuple[str, bool]:
    """Return what makes two forms versions of one: the rule, and whether a score takes the decision's place."""
    return part.preset, "score" in part.columns


def put_in_report(state: AuditState, part: PresetPlan, wanted: bool) -> None:
    """Put a form into the report in place of its other versions, or take it out."""
    if wanted:
        others = [each for each in state.presets if kind_of(each) != kind_of(part)]
        state.presets = [*others, part]
    else:
        state.presets = [each for each in state.presets if each != part]


def fill(state: AuditState, finding: PresetFinding) -> None:
    """Fill the audit from a form: protected columns, questions, tolerance; the old ones can be brought back."""
    plan = fill_plan(state.plan(fingerprint=False), finding, state.table)
    state.drafts[_UNDO] = Before(state.protected_columns, tuple(state.checks), state.selected)
    entry = type(state.entry)
    state.protected_columns = plan.protected_columns
    state.checks = [entry(check) for check in plan.checks]
    state.selected = 0


def can_undo(state: AuditState) -> bool:
    """Whether the last filling can be undone."""
    return isinstance(state.drafts.get(_UNDO), Before)


def undo(state: AuditState) -> None:
    """Bring back the questions that were there before the audit was filled from a form."""
    before = state.drafts.pop(_UNDO)
    state.protected_columns = before.protected_columns
    state.checks, state.selected = list(before.checks), before.selected


def show_entries(state: AuditState) -> None:
    """Draw the list of forms in the report, and what can be done with each."""
    if not state.presets:
        return
    st.subheader("Forms of rules", anchor=False)
    for position, part in enumerate(list(state.presets)):
        with st.container(border=True, key=f"report_preset_card_{position}"):
            title, told = _told(state, part)
            st.markdown(f"**{literal(title, limit=200)}**  \n{literal(told, limit=900)}")
            st.button(
                "Remove", key=f"report_preset_remove_{position}", on_click=put_in_report, args=(state, part, False)
            )


def filled(state: AuditState, plan: AuditPlan, part: PresetPlan) -> PresetFinding:
    """Return a filled form on the present data, computed once."""
    key = (part.model_dump_json(), plan.decision)
    return state.remember("preset", key, lambda: run_preset(state.table, plan, part))


def _told(state: AuditState, part: PresetPlan) -> tuple[str, str]:
    """Return the title of a form and what it comes to."""
    try:
        finding = filled(state, state.plan(fingerprint=False), part)
    except FairauditError as error:
        return part.title or part.preset, f"This form cannot be filled on the present data. {error.message}"
    return finding.title, " ".join(sentence for sentence in preset_verdict(finding) if sentence)
