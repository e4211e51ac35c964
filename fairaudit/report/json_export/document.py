"""The JSON export: every number of an audit, stable, as :func:`fairaudit.report.schema` describes it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Final, Literal, Self

from pydantic import Field

from fairaudit.audit.result import AuditResult
from fairaudit.data.quality import QualityReport
from fairaudit.disclosure.gate import exported
from fairaudit.measure.plain import plain
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data_facts import DataFacts
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.report.json_export.added import ExportedNotKnown, in_words
from fairaudit.report.json_export.checks import ExportedAmount, ExportedCheck
from fairaudit.report.json_export.errors import ExportedErrors
from fairaudit.report.json_export.follow_ups import (
    ExportedChange,
    ExportedExplanation,
    ExportedInspection,
    ExportedSubgroups,
)
from fairaudit.report.json_export.forms import ExportedForm
from fairaudit.report.json_export.remedies import ExportedAmountRemedies, ExportedRemedies

SCHEMA_VERSION: Final = 1


def to_json(result: AuditResult) -> str:
    """Return an audit as JSON text.

    The small-cell rule of the plan is applied first: hidden numbers are null.
    """
    values = plain(Document.of(exported(result)))
    return json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


@dataclass(frozen=True, eq=False)
class Document:
    """What an audit found.

    Shares and differences are fractions, not percent; every difference is protected minus reference. null means
    undefined (such as a share of no rows) or hidden by the small-cell rule.

    Parameters
    ----------
    schema_version : {1}
        Version of this schema.
    plan : AuditPlan
        The whole audit as data, as in plan.toml.
    plan_digest : str
        SHA-256 of the plan's content.
    data : DataFacts
        The data that the audit was made on.
    checks : tuple of ExportedCheck
        One for each controlled-fairness question, in the order of the plan.
    amounts : tuple of ExportedAmount
        One for each question, in the order of the plan, where the decision is an amount; else empty.
    errors : tuple of ExportedErrors
        One for each question about errors, in the order of the plan.
    subgroups : tuple of ExportedSubgroups
        One for each search for worst groups, in the order of the plan.
    explanations : tuple of ExportedExplanation
        One for each question about what explains a gap, in the order of the plan.
    changes : tuple of ExportedChange
        One for each question about whether a gap changed, in the order of the plan.
    inspections : tuple of ExportedInspection
        One for each question about searches and inspections, in the order of the plan.
    remedies : ExportedRemedies or None
        None where the plan has no remedies.
    amount_remedies : ExportedAmountRemedies or None
        None where the plan has no remedies, or its decision has a good outcome.
    presets : tuple of ExportedForm
        One for each form of a rule, in the order of the plan.
    not_known : tuple of ExportedNotKnown
        Values that say that a group, a decision or a prediction is not known, in the errors and follow-ups.
    quality : QualityReport or None
        What is remarkable about the data. None where left out.
    versions : dict of str
        Software that computed the numbers.
    counts_hidden_under : int or None
        The minimum of the small-cell rule. None: nothing is hidden.
    """

    schema_version: Literal[1]
    plan: AuditPlan
    plan_digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    data: DataFacts
    checks: tuple[ExportedCheck, ...]
    amounts: tuple[ExportedAmount, ...]
    errors: tuple[ExportedErrors, ...]
    subgroups: tuple[ExportedSubgroups, ...]
    explanations: tuple[ExportedExplanation, ...]
    changes: tuple[ExportedChange, ...]
    inspections: tuple[ExportedInspection, ...]
    remedies: ExportedRemedies | None
    amount_remedies: ExportedAmountRemedies | None
    presets: tuple[ExportedForm, ...]
    not_known: tuple[ExportedNotKnown, ...]
    quality: QualityReport | None
    versions: dict[str, str]
    counts_hidden_under: int | None

    @classmethod
    def of(cls, result: AuditResult) -> Self:
        """Return what is exported of a result that has passed the small-cell rule."""
        small_cells = result.plan.small_cells
        return cls(
            schema_version=SCHEMA_VERSION,
            plan=result.plan,
            plan_digest=result.plan_digest,
            data=result.data,
            checks=tuple(map(ExportedCheck.of, result.checks)),
            amounts=tuple(map(ExportedAmount.of, result.amounts)),
            errors=tuple(map(ExportedErrors.of, result.errors)),
            subgroups=tuple(map(ExportedSubgroups.of, result.subgroups)),
            explanations=tuple(map(ExportedExplanation.of, result.explanations)),
            changes=tuple(map(ExportedChange.of, result.changes)),
            inspections=tuple(map(ExportedInspection.of, result.inspections)),
            remedies=None if result.remedies is None else ExportedRemedies.of(result.remedies),
            amount_remedies=None
            if result.amount_remedies is None
            else ExportedAmountRemedies.of(result.amount_remedies),
            presets=tuple(map(ExportedForm.of, result.presets)),
            not_known=in_words(result.not_known, map(not_known_sentence, result.not_known)),
            quality=result.quality,
            versions=dict(result.versions),
            counts_hidden_under=small_cells.minimum if small_cells.mask else None,
        )
