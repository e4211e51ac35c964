"""The small-cell rule."""

from __future__ import annotations

from fairaudit.audit import AuditResult


def exported(result: AuditResult) -> AuditResult:
    return result
