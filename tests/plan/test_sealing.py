"""A seal shows whether what a plan asks changed since it was set, and says nothing of the data."""

from __future__ import annotations

import datetime

import pytest
from places import SAMPLES

from fairaudit import AuditPlan, run
from fairaudit.errors import PlanError
from fairaudit.findings import Message
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.plan.data import open_data, record_data
from fairaudit.report.first_pages import say_sealed

WHEN = datetime.datetime(2026, 11, 30, 9, tzinfo=datetime.UTC)


@pytest.fixture
def plan():
    return AuditPlan.load(SAMPLES / "berkeley_1973.toml")


def test_a_plan_without_a_seal_says_nothing_and_keeps_its_digest(plan):
    assert plan.seal is None and plan.changed_since_seal is None
    assert "seal" not in plan.to_toml()


def test_a_seal_comes_back_from_a_file(plan):
    sealed = plan.sealed(by="A. Auditor", at=WHEN)
    again = AuditPlan.from_toml(sealed.to_toml())
    assert again == sealed and again.seal.code == sealed.seal.code
    assert (again.seal.at, again.seal.by, again.changed_since_seal) == ("2026-11-30T09:00:00Z", "A. Auditor", ())


def test_what_changes_no_answer_breaks_no_seal(plan):
    sealed = plan.sealed(at=WHEN)
    report = plan.report.model_copy(update={"author": "B", "date": "2026-12-01"})
    recorded = record_data(sealed, open_data(plan, base=SAMPLES))
    titled = tuple(check.model_copy(update={"title": "Another", "protected_name": "they"}) for check in plan.checks)
    assert recorded.model_copy(update={"checks": titled}).changed_since_seal == ()
    assert recorded.data.fingerprint and recorded.model_copy(update={"report": report}).changed_since_seal == ()


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("checks", lambda plan: (plan.checks[0].model_copy(update={"tolerance": 0.2}),)),
        ("seed", lambda plan: 1),
        ("small_cells", lambda plan: SmallCellsPlan(mask=True)),
        ("data", lambda plan: plan.data.model_copy(update={"source": "other.csv"})),
    ],
)
def test_what_was_changed_after_is_named(plan, field, change):
    sealed = plan.sealed(at=WHEN).model_copy(update={field: change(plan)})
    assert sealed.changed_since_seal == (field,)


def test_a_seal_holds_nothing_of_the_data(plan):
    recorded = record_data(plan, open_data(plan, base=SAMPLES))
    others = recorded.data.model_copy(update={"fingerprint": "0" * 64, "n_rows": 1})
    other = recorded.model_copy(update={"data": others})
    assert recorded.sealed(at=WHEN).seal == other.sealed(at=WHEN).seal
    assert recorded.question == other.question


def test_the_code_depends_on_when_by_whom_and_what(plan):
    codes = {
        plan.sealed(at=WHEN).seal.code,
        plan.sealed(at=WHEN, by="A").seal.code,
        plan.sealed(at=WHEN + datetime.timedelta(seconds=1)).seal.code,
        plan.model_copy(update={"seed": 3}).sealed(at=WHEN).seal.code,
    }
    assert len(codes) == 4


def test_a_report_says_that_the_question_was_fixed_first_or_what_changed_after(plan):
    sealed = plan.sealed(by="A. Auditor", at=WHEN)
    result = run(sealed, base=SAMPLES)
    assert result.changed_since_seal == () and say_sealed(result).key == "report-sealed"
    changed = run(sealed.model_copy(update={"seed": 4}), base=SAMPLES)
    assert changed.changed_since_seal == ("seed",)
    said = say_sealed(changed)
    assert said.key == "report-sealed-changed" and isinstance(said, Message)
    assert say_sealed(run(plan, base=SAMPLES)) is None


@pytest.mark.parametrize("at", ["yesterday", "2026-11-30", "2026-11-30T09:00:00+01:00"])
def test_a_time_that_is_none_is_refused(plan, at):
    text = plan.sealed(at=WHEN).to_toml().replace("2026-11-30T09:00:00Z", at)
    with pytest.raises(PlanError, match="at"):
        AuditPlan.from_toml(text)
