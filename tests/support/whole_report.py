"""Both documents of a report as one: all that it says, for tests that ask whether something stands anywhere in it."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import AuditResult
from fairaudit.present.blocks import Document
from fairaudit.report.composing import compose_annexes, compose_report


def whole_report(result: AuditResult) -> Document:
    """Return the annexes with the blocks of the report before theirs."""
    report, annexes = compose_report(result), compose_annexes(result)
    return replace(annexes, blocks=(*report.blocks, *annexes.blocks))
