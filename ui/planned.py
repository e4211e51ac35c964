"""The audit of a session as a plan, and the forms of a plan that the present table can fill."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePath
from typing import Any

from fairaudit.defaults import USUAL_POSITIVE
from fairaudit.errors import FairauditError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import WITHOUT_DECISION, AuditPlan, DataPlan, goes_with
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ABOUT_OPEN
from fairaudit.plan.roles import in_labels
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import names_file, open_preset
from ui.session_audit import SessionAudit

# The audit of a session as a plan.


def plan_of(state: SessionAudit) -> AuditPlan | None:
    """Return the audit as a plan; None without data, or without a decision where something is asked that needs one.

    What does not go with the kind of the decision is left out, and errors without a prediction; both stay in the
    session, should that change back.
    """
    undecided: dict[str, Any] = {**state.asked_without_decision}
    if state.table is None or (state.decision is None and not undecided):
        return None
    facts = state.table.connection
    source = {} if facts is None else {name: getattr(facts, name) for name in ("connection", "table", "query")}
    of_decision = {} if state.decision is None else _of_decision(state, state.decision)
    unsaid = state.report.model_copy(update={"opens_with": None})
    plan = AuditPlan(
        data=DataPlan(source=state.source, name=state.table.name, **source),
        protected_columns=state.protected_columns,
        small_cells=state.small_cells,
        names=state.names,
        report=unsaid,
        seed=state.seed,
        seal=state.seal,
        **undecided,
        **of_decision,
    )
    if state.report.opens_with in plan.asking_parts and state.report.opens_with != plan.opens_with:
        plan = plan.model_copy(update={"report": state.report})
    plan = plan if plan.counts_positive else plan.model_copy(update={"positive": USUAL_POSITIVE})
    return in_labels(plan, state.table)


def _of_decision(state: SessionAudit, decision: OutcomePlan) -> dict[str, Any]:
    """Return the parts of the plan that rest on the decision."""
    kind = decision.kind
    scored, cut = state.score is not None, state.score is not None and state.score.cut is not None
    judged, predicted = (kind.has_good_outcome and (state.prediction is not None or by) for by in (scored, cut))
    going = [s for s in state.subgroups if s.goes_with(has_good_outcome=kind.has_good_outcome)]
    subgroups = [search for search in going if predicted or not search.needs_prediction]
    kept = state.remedies if state.models is not None else ()
    asked = [entry.plan for entry in state.checks if entry.in_report and entry.plan.protected]
    other_kind = (
        {"amount_tolerance": None, "similar_by": (), **ABOUT_OPEN} if kind.has_good_outcome else {"cluster": None}
    )
    prediction, errors = state.prediction, state.errors
    if prediction is not None and prediction.levels and prediction.apart_in(decision) is not None:
        prediction = prediction.model_copy(update={"levels": (), "ordered": False})
    if prediction is None or not prediction.levels:
        errors = [asked.model_copy(update={"strata": ()}) for asked in errors]
    of_change = {name: None for name in ("amount_tolerance", "cluster") if name in other_kind}
    parts = {kind: tuple(asked) for kind, asked in state.follow_ups.items() if kind not in WITHOUT_DECISION} | {
        "decision": decision,
        "prediction": prediction,
        "score": state.score,
        "positive": state.positive,
        "measure": state.measure if kind.has_good_outcome else None,
        "checks": tuple(check.model_copy(update=other_kind) for check in asked),
        "errors": tuple(errors) if judged else (),
        "subgroups": tuple(subgroups),
        "explanations": tuple(asked for asked in state.explanations if not asked.lacks_reason),
        "alternatives": tuple(state.alternatives) if state.models is not None and kind.has_good_outcome else (),
        "watches": tuple(state.watches) if kind.has_good_outcome else (),
        "changes": tuple(change.model_copy(update=of_change) for change in state.changes),
        "models": state.models,
        "presets": tuple(state.presets),
        "remedies": tuple(each.plan for each in kept if each.in_report and goes_with(each.plan, kind)),
    }
    return {name: part for name, part in parts.items() if name not in state.left_out}


# Which forms of an audit can be filled with the present table.


def usable_forms(parts: Iterable[PresetPlan], columns: Collection[str]) -> tuple[list[PresetPlan], list[str]]:
    """Return the forms whose columns the table has, and a sentence for each of the others.

    A form in a file is not opened: a plan comes from the person at the browser, and must not say which files of the
    server are read.
    """
    usable, dropped = [], []
    for part in parts:
        gone = [name for names in part.columns.values() for name in names if name not in columns]
        if names_file(part.preset):
            dropped.append(say(Message("form-file-not-opened", {"name": Phrase(PurePath(part.preset).name)})))
        elif gone:
            lacking = {"column": Phrase(quote(gone[0])), "title": Phrase(part.title or part.preset)}
            dropped.append(say(Message("form-no-column", lacking)))
        else:
            usable.append(_with_digest(part))
    return usable, dropped


def _with_digest(part: PresetPlan) -> PresetPlan:
    """Return a form that records the office's file as it is, where the plan recorded none."""
    if part.file_digest is not None:
        return part
    try:
        return part.model_copy(update={"file_digest": open_preset(part.preset).digest})
    except FairauditError:
        # The page where it is drawn says that there is no such form.
        return part
