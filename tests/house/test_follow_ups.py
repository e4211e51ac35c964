"""The kinds of questions beside the checks name what is there, under one name in plan, result and document."""

from __future__ import annotations

import dataclasses

import pytest

from fairaudit.audit.result import AuditResult
from fairaudit.follow_ups import FOLLOW_UPS, FollowUp
from fairaudit.late import Late
from fairaudit.plan import AuditPlan
from fairaudit.report.json_export import JsonDocument

LATE = [
    (f"{kind.name}.{field.name}", value)
    for kind in FOLLOW_UPS
    for field in dataclasses.fields(FollowUp)
    if isinstance(value := getattr(kind, field.name), Late)
]


@pytest.mark.parametrize(("name", "late"), LATE)
def test_what_a_kind_names_is_there(name, late):
    assert callable(late.find())


@pytest.mark.parametrize("kind", FOLLOW_UPS, ids=lambda kind: kind.name)
def test_a_kind_has_one_name_everywhere(kind):
    assert kind.name in AuditPlan.model_fields
    for holder in (AuditResult, JsonDocument):
        assert kind.name in {field.name for field in dataclasses.fields(holder)}
