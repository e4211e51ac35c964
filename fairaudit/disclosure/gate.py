"""The small-cell rule: a copy of the findings in which small counts, and all that gives them away, are hidden.

Everything that is exported is made from this copy, so no text, chart or table can say more than it. A figure is shown
only if every count that it is computed from is shown; hidden figures are None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import SECTIONS
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import only_declared, replaced, without_counts
from fairaudit.errors import DisclosureError, InputError, quote
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import DataFacts, salted
from fairaudit.presets.recording import with_records

if TYPE_CHECKING:
    from fairaudit.disclosure.published import Published


@dataclass(frozen=True, eq=False)
class MaskedResult(AuditResult):
    """An audit's findings after the small-cell rule; hidden numbers are None."""


def exported(result: AuditResult) -> AuditResult:
    """Return what of a result may leave the building under its plan."""
    rule = result.plan.small_cells
    clusters = [check.cluster for check in result.plan.checks if check.cluster is not None]
    if rule.mask and clusters:
        raise DisclosureError(
            f"Small counts are to be hidden, and a check allows for rows that depend on each other by the column "
            f"{quote(clusters[0])}: counts by that column could be worked out from its intervals.",
            hint="Choose no such column (cluster) in the checks, or do not hide small counts.",
        )
    if rule.mask and (design := result.data.source.options.design) is not None:
        raise DisclosureError(
            f"Small counts are to be hidden, and rows count by the weights in column {quote(design.weights)}: who "
            "knows these could work counts out from weighted shares.",
            hint="Count each row once (--unweighted), or do not hide small counts.",
        )
    if rule.mask and any(form.preset.answers_worker for form in result.presets):
        raise DisclosureError(
            "Small counts are to be hidden, and an answer to one worker shows what one person is paid.",
            hint="Leave them shown for that answer, which is for the worker alone, or take the form out.",
        )
    averaged = [pay.table.column for form in result.presets for pay in form.pay if pay.of_means]
    if rule.mask and averaged:
        raise DisclosureError(
            f"Small counts are to be hidden, and column {quote(averaged[0])} holds means of several people: whether "
            "one of them makes most of a mean cannot be known from it.",
            hint="Take the form out, or do not hide small counts.",
        )
    said = result.data.source.options.said_of_counts
    if rule.mask and said is not None and not said.is_exact:
        # Cells that are printed exactly would have to be hidden, too, and bounds of those that are not may be narrow.
        raise DisclosureError(
            "Hiding small counts needs exact counts, and some of this table are rounded or hidden: bounds would "
            "tell of single cells.",
            hint="Do not hide small counts: nothing in the report says more than the table that was brought.",
        )
    if rule.mask and not isinstance(result, MaskedResult) and len(result.published) != len(rule.beside):
        raise DisclosureError(
            "Small counts are to be hidden beside a published report, and that is not here.",
            hint="Run the audit with it: --published FOLDER, or published=... in Python.",
        )
    if rule.mask and not isinstance(result, MaskedResult):
        result = masked(result, rule.minimum)
    return only_declared(result)


def with_published(plan: AuditPlan, published: Sequence[AuditResult]) -> AuditPlan:
    """Return a plan that says beside which audits small counts are hidden."""
    digests = tuple(exported(each).plan_digest for each in published)
    if published and not plan.small_cells.mask:
        raise InputError(
            "Small counts are hidden beside a published report only where the audit hides them.",
            hint="Write mask = true under [small_cells] in the saved audit.",
        )
    small_cells = plan.small_cells.model_copy(update={"beside": digests})
    return plan.model_copy(update={"small_cells": small_cells}) if digests else plan


def hidden_beside(plan: AuditPlan, published: Sequence[AuditResult]) -> tuple[AuditResult, ...]:
    """Return the published audits that a plan hides small counts beside, in its order."""
    by_digest = {exported(each).plan_digest: each for each in published}
    lacking = [digest for digest in plan.small_cells.beside if digest not in by_digest]
    if lacking:
        raise InputError(
            f"The audit hides small counts beside audit {lacking[0][:8]}, which is not here.",
            hint="Name the folder of its report: --published FOLDER, or give it as published=... in Python.",
        )
    return tuple(by_digest[digest] for digest in plan.small_cells.beside)


def masked(result: AuditResult, minimum: int) -> MaskedResult:
    """Return a copy of a result in which counts under `minimum` are hidden and cannot be worked out.

    Notes
    -----
    Counts are protected against working out from all figures of the result together, see
    :mod:`fairaudit.disclosure.ledger`. Not covered is what others know or publish about the same data.
    """
    # Imported on first use: only masking needs scipy's integer programs, which take a sixth of a second to import.
    from fairaudit.disclosure.counts import ROWS, HiddenCounts
    from fairaudit.disclosure.remedies import HIDING

    published = [_as_published(earlier, result) for earlier in result.published]
    least = max([minimum, *(earlier.plan.small_cells.minimum for earlier in result.published)])
    counts = HiddenCounts(result, least, published)
    values = {field.name: getattr(result, field.name) for field in fields(AuditResult)}
    notes = shown_remarks(result.data.notes, "setting")
    fingerprint = None if result.data.fingerprint is None else salted(result.data.fingerprint)
    source = replaced(result.data.source, size_bytes=0)
    values["data"] = replaced(result.data, notes=(*notes, *counts.notes), source=source, fingerprint=fingerprint)
    recorded = result.plan.data.fingerprint and salted(result.plan.data.fingerprint)
    values["plan"] = _with_record(result.plan, fingerprint=recorded)
    if counts.hides(ROWS):
        values |= _without_rows(values["plan"], values["data"])
    for section in SECTIONS:
        values[section.kind] = section.hide(section.found(result), counts)
        values["plan"] = section.hide_asked(values["plan"])
    if result.tried is not None:
        kind = result.plan.decision.kind
        values[kind.remedies] = HIDING[kind](result.tried, counts.cases)
    values["not_known"] = without_counts(result.not_known)
    # Records are filled again, from what is left of the other answers.
    return with_records(MaskedResult(**(values | {"quality": None, "people": None, "published": ()})))


def _as_published(earlier: AuditResult, result: AuditResult) -> Published:
    """Return an audit that was published, hidden as it was then."""
    from fairaudit.disclosure.counts import HiddenCounts
    from fairaudit.disclosure.published import Published, refuse_unprovable
    from fairaudit.sections.check.hiding import said_gap

    refuse_unprovable(earlier, result)
    before = [_as_published(each, earlier) for each in earlier.published]
    least = max([earlier.plan.small_cells.minimum, *(each.plan.small_cells.minimum for each in earlier.published)])
    counts = HiddenCounts(earlier, least, before)
    if counts.cases is not None and counts.cases.shown:
        raise DisclosureError("A published report cannot be taken into account that shows figures of remedies.")
    paths = [(check, ("check", number, "strata")) for number, check in enumerate(earlier.checks)]
    gaps = tuple(gap for check, path in paths if (gap := said_gap(check, path, counts)) is not None)
    frame = counts.people.frame
    return Published(counts.ledger, counts.hidden, frame, shows=not counts.hides_all, gaps=gaps)


def _with_record(plan: AuditPlan, **record: object) -> AuditPlan:
    return plan.model_copy(update={"data": plan.data.model_copy(update=record)})


def _without_rows(plan: AuditPlan, data: DataFacts) -> dict[str, object]:
    """Return a plan and facts without how many rows the data have."""
    mismatch = None if data.mismatch is None else "The data are not those that the plan was saved with."
    return {
        "plan": _with_record(plan, n_rows=None),
        "data": replaced(data, n_rows=None, mismatch=mismatch),
    }
