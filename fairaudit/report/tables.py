"""Every table of an audit, for the CSV bundle and the annexes."""

from __future__ import annotations

from operator import attrgetter

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import SECTIONS
from fairaudit.data.quality import QualityIssue
from fairaudit.errors import require
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import declared_by, record_table
from fairaudit.sections.compare.models import remedies_tables


def all_tables(result: AuditResult) -> tuple[TableBlock, ...]:
    """Return every table of an audit, in the order of the report."""
    tables: list[TableBlock] = []
    for section in SECTIONS:
        if findings := section.found(result):
            tables += section.joint_tables(findings)
        for number, found in enumerate(findings, start=1):
            tables += section.tables(found, number)
    if result.tried is not None:
        tables += remedies_tables(result.tried)
    if result.quality is not None:
        tables += quality_tables(result)
    return tuple(tables)


def quality_tables(result: AuditResult) -> list[TableBlock]:
    """Return what is remarkable about the data, one row an issue; empty without a quality report."""
    return [
        record_table(
            "quality",
            "What to know about the data",
            require(result.quality).issues,
            declared_by(QualityIssue),
            ("column", "code", "n", "message", "advice"),
            cells={"column": attrgetter("column")},
        )
    ]
