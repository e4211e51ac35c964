"""Questions about searches and inspections in a plan: they come back as written, and bad ones are refused."""

from __future__ import annotations

import pytest

from fairaudit.errors import PlanError
from fairaudit.plan.audit_plan import AuditPlan

TOML = """
schema_version = 1
[data]
source = "x.csv"
[decision]
column = "searched"
favorable = ["N"]
[[inspections]]
acted = "searched = 'Y'"
found = "found = 'Y'"
group = ["race"]
"""
SUN = 'date = "day"\ntime = "hour"\nlatitude = 40.7\nlongitude = "lon"\ntime_zone = "America/New_York"\n'


def test_a_question_comes_back_as_it_was_written():
    more = 'strata = ["place"]\nlocation = ["place"]\nn_placebo = 5\nreference = ["White"]\n'
    text = f"{TOML}{more}[inspections.veil]\n{SUN}acted_only = true\n"
    plan = AuditPlan.from_toml(text)
    [asked] = plan.inspections
    assert asked.veil.acted_only and asked.veil.latitude == 40.7 and asked.veil.named_columns == {"day", "hour", "lon"}
    assert asked.named_columns == {"place", "day", "hour", "lon"}
    assert AuditPlan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("n_placebo = 5\n", "needs 'location'"),
        ('[inspections.veil]\ntime = "hour"\n', "hours without dates"),
        ('[inspections.veil]\nlight = "light = 1"\n', "needs 'time'"),
        ('[inspections.veil]\ndate = "day"\n', "needs 'latitude'"),
        ("tolerance = 2\n", "tolerance"),
    ],
)
def test_what_is_not_said_well_is_refused(more, words):
    with pytest.raises(PlanError, match=words):
        AuditPlan.from_toml(TOML + more)


@pytest.mark.parametrize("field", ["acted", "found", "group"])
def test_each_role_must_be_there(field):
    lines = [line for line in TOML.splitlines() if not line.startswith(field)]
    with pytest.raises(PlanError, match=field):
        AuditPlan.from_toml("\n".join(lines))
