"""Errors and scores are read against the tolerance that is asked for, in Python as in a saved audit."""

from __future__ import annotations

import pytest
from places import SAMPLES

from fairaudit import AuditPlan, check_errors, check_scores, run
from fairaudit.errors import InputError

DATA = SAMPLES / "recidivism.csv"
ASKED = {"outcome": "reoffended_within_two_years", "favorable": 0, "by": "race"}
PLAN = """schema_version = 1
[data]
source = "recidivism.csv"
[decision]
column = "reoffended_within_two_years"
favorable = ["0"]
is_outcome = true
[prediction]
column = "risk_decile"
favorable = ["1", "2", "3", "4"]
[[errors]]
by = ["race"]
tolerance = {tolerance}
"""


def verdict(said):
    return str(said).splitlines()[0]


@pytest.mark.parametrize("tolerance", [0.05, 0.2, 0.4])
def test_the_verdict_on_errors_is_that_of_a_saved_audit(tolerance):
    found = check_errors(DATA, prediction="risk_decile < 5", tolerance=tolerance, **ASKED)
    [saved] = run(AuditPlan.from_toml(PLAN.format(tolerance=tolerance)), base=SAMPLES).errors
    assert verdict(found) == run_said(saved)


def run_said(saved):
    from fairaudit.catalog import SECTIONS
    from fairaudit.messages import say

    section = next(each for each in SECTIONS if each.kind == "errors")
    return say(section.say(saved).verdict)


def test_a_wider_tolerance_is_met():
    verdicts = {
        verdict(check_errors(DATA, prediction="risk_decile < 5", tolerance=t, **ASKED)) for t in (0.05, 0.2, 0.4)
    }
    assert len(verdicts) == 3


@pytest.mark.parametrize(
    ("check", "more"), [(check_errors, {"prediction": "risk_decile < 5"}), (check_scores, {"score": "risk_decile"})]
)
def test_a_tolerance_out_of_range_is_refused(check, more):
    with pytest.raises(InputError, match="'tolerance' must be a number from 0 to 1, got 5"):
        check(DATA, tolerance=5, **more, **ASKED)
