"""What may leave of questions beside the checks where small counts are hidden: no figure.

The ledger does not count people by subgroups, controls, clusters, periods or finds, so it cannot prove what these
figures leave open. Only what was asked is exported, and the report says what to leave out to see the rest.
"""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.follow_up_results import ChangeFinding, ExplanationFinding
from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.audit.result import SubgroupsFinding
from fairaudit.disclosure.amounts import without_tolerances
from fairaudit.disclosure.hidden import without_figures
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.salt import salted


def masked_subgroups(finding: SubgroupsFinding) -> SubgroupsFinding:
    """Return the question without its answer: subgroups divide people by any columns."""
    return replace(finding, result=without_figures(finding.result), groups=())


def masked_explanation(finding: ExplanationFinding) -> ExplanationFinding:
    """Return the question without its answer."""
    return replace(finding, result=without_figures(finding.result))


def masked_change(finding: ChangeFinding) -> ChangeFinding:
    """Return the question without its answer."""
    return replace(
        finding,
        plan=_without_fingerprint(finding.plan),
        result=None if finding.result is None else without_tolerances(without_figures(finding.result)),
        line=None if finding.line is None else without_figures(finding.line),
        second_fingerprint=None if finding.second_fingerprint is None else salted(finding.second_fingerprint),
    )


def masked_inspection(finding: InspectionFinding) -> InspectionFinding:
    """Return the question without its answer."""
    parts = {name: getattr(finding, name) for name in ("outcome", "thresholds", "veil")}
    return replace(finding, groups=(), **{name: part and without_figures(part) for name, part in parts.items()})


def masked_questions(plan: AuditPlan) -> AuditPlan:
    """Return a plan whose questions about changes hold no fingerprint that values could be tried out on."""
    return plan.model_copy(update={"changes": tuple(map(_without_fingerprint, plan.changes))}) if plan.changes else plan


def _without_fingerprint(asked):
    recorded = asked.second_fingerprint and salted(asked.second_fingerprint)
    return asked.model_copy(update={"second_fingerprint": recorded})
