"""Running an audit while a line on stderr shows how far it is."""

from __future__ import annotations

from pathlib import Path

from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import iter_run
from fairaudit.cli.terminal import ProgressLine
from fairaudit.data.table import Table
from fairaudit.events import Finished, Progress
from fairaudit.interrupts import check
from fairaudit.plan.audit_plan import AuditPlan


def watched_run(
    plan: AuditPlan, table: Table, *, ignore_fingerprint: bool = False, base: Path | None = None
) -> AuditResult:
    """Run an audit and return its result."""
    line = ProgressLine()
    try:
        for event in iter_run(plan, table=table, base=base, ignore_fingerprint=ignore_fingerprint):
            check()
            if isinstance(event, Progress):
                line.show(event.what)
            elif isinstance(event, Finished):
                result = event.result
        check()
    finally:
        line.clear()
    return result
