"""Audits that were published before, from the folders of their reports: made again, and compared with these."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from copy import copy
from pathlib import Path

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import run
from fairaudit.data.table import Table
from fairaudit.disclosure.gate import exported, hidden_beside
from fairaudit.errors import ReportError, quote
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.report.json_export import to_json
from fairaudit.report.manifest import MANIFEST, MOST_BYTES, Manifest
from fairaudit.report.result_files import ResultFiles, is_plain, open_results
from fairaudit.report.verification import RESULT, is_same_result, known_as_reported, plan_in, values_of, verify


def published_audits(folders: Iterable[str | Path | bytes], table: Table) -> tuple[AuditResult, ...]:
    """Make audits again that were published on the same data; each may have been hidden beside those before it.

    Raises
    ------
    ReportError
        If a folder holds no report, was changed, or is of other data.
    """
    found: list[AuditResult] = []
    for folder in folders:
        called = quote(folder) if isinstance(folder, str | Path) else "What was published"
        if verify(folder).verdict != "unchanged":
            raise ReportError(f"{called} is not as it was written.", hint="Take the report that was published.")
        files = open_results(folder)
        plan = plan_in(files)
        before = hidden_beside(plan, found)
        result = _again(files, plan, table, before)
        reported = files.read(RESULT)
        known = known_as_reported(exported(result), values_of(reported))
        if not is_same_result(reported, to_json(known).encode()):
            raise ReportError(f"{called} was not made from these data.", hint="Name a report on the same data.")
        found.append(result)
    return tuple(found)


def listed_plan(folder: str | Path | bytes) -> str:
    """Return the digest of the audit of a report, as its list of files says."""
    files = open_results(folder)
    if MANIFEST not in files.openers:
        raise ReportError(f"There is no {MANIFEST} in it.", hint="Bring the zip with all files of a report.")
    return Manifest.read(files.read(MANIFEST, MOST_BYTES)).compared.plan


def _again(files: ResultFiles, plan: AuditPlan, table: Table, before: Sequence[AuditResult]) -> AuditResult:
    own = copy(table)
    own.name = plan.data.name or own.name
    with tempfile.TemporaryDirectory() as base:
        for form in plan.presets:
            if is_plain(form.preset) and form.preset in files.openers:
                (Path(base) / form.preset).write_bytes(files.read(form.preset))
        return run(plan, table=own, base=base, ignore_fingerprint=True, published=before)
