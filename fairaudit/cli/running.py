"""An audit that a command runs: how far it is, what is not known in its data, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fairaudit.audit.result import AuditResult
from fairaudit.cli.answers import Answered
from fairaudit.cli.terminal import ProgressLine, emit, one_line
from fairaudit.data.table import Table
from fairaudit.events import Finished, Progress
from fairaudit.interrupts import check
from fairaudit.measure.not_known import NotKnown
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.section import Section


def watched_run(
    plan: AuditPlan,
    table: Table,
    *,
    ignore_fingerprint: bool = False,
    base: Path | None = None,
    published: Sequence[AuditResult] = (),
) -> AuditResult:
    """Run an audit and return its result."""
    # Here, because it goes through all kinds of questions, and most commands answer one in lines.
    from fairaudit.audit.running import iter_run

    line = ProgressLine()
    try:
        events = iter_run(plan, table=table, base=base, ignore_fingerprint=ignore_fingerprint, published=published)
        for event in events:
            check()
            if isinstance(event, Progress):
                line.show(event.what)
            elif isinstance(event, Finished):
                result = event.result
        check()
    finally:
        line.clear()
    return result


# Lines on values that say that something is not known, below an answer.


def emit_not_known(parts: Iterable[NotKnown]) -> None:
    """Write a line for each value of a group, decision or prediction that says that it is not known."""
    for part in parts:
        emit(one_line(not_known_sentence(part)))


def answered(section: Section[Any], finding: object) -> Answered:
    """Return what a question of a kind answers."""
    verdicts = frozenset(section.verdicts(finding)).intersection(section.fails.verdicts)
    return Answered(section.command or section.kind, one_line(section.paragraph(finding)), verdicts)
