"""The kinds of questions have one name in plan, result and document."""

from __future__ import annotations

import dataclasses

import pytest

from fairaudit.audit.result import AuditResult
from fairaudit.catalog import SECTIONS
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.report.json_export import JsonDocument


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.kind)
def test_a_kind_has_one_name_everywhere(section):
    assert section.kind in AuditPlan.model_fields
    for holder in (AuditResult, JsonDocument):
        assert section.kind in {field.name for field in dataclasses.fields(holder)}
