"""Every table of an audit, for the CSV bundle and the annexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import SECTIONS
from fairaudit.data.quality import QualityIssue
from fairaudit.errors import sure
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import declared_by, heads, rows_of
from fairaudit.report.remedy_tables import TABLES as REMEDY_TABLES

if TYPE_CHECKING:
    pass


def all_tables(result: AuditResult) -> tuple[TableBlock, ...]:
    """Return every table of an audit, in the order of the report."""
    tables: list[TableBlock] = []
    for section in SECTIONS:
        if findings := section.found(result):
            tables += section.joint_tables(findings)
        for number, found in enumerate(findings, start=1):
            tables += section.tables(found, number)
    if result.tried is not None:
        tables += REMEDY_TABLES[result.plan.decision.kind](result.tried)
    if result.quality is not None:
        tables += quality_tables(result)
    return tuple(tables)


def quality_tables(result: AuditResult) -> list[TableBlock]:
    """Return what is remarkable about the data, one row an issue; empty without a quality report."""
    issues = sure(result.quality).issues
    declared, names = declared_by(QualityIssue), ("column", "code", "n", "message", "advice")
    rows = tuple(
        (each.column, *cells[1:]) for each, cells in zip(issues, rows_of(issues, declared, names), strict=True)
    )
    return [TableBlock("quality", "What to know about the data", heads(declared, names), rows)]
