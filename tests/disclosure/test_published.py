"""Beside a report that was published, nothing hidden follows from both together."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from fairaudit import AuditPlan, run, verify
from fairaudit.disclosure.gate import with_published
from fairaudit.errors import DisclosureError, InputError, ReportError
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.report.composing import write_report
from fairaudit.report.json_export import to_json
from fairaudit.report.published import published_audits
from fairaudit.settings import SALT

MINIMUM = 6


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], n), "area": rng.choice(["u", "v"], n), "id": np.arange(n)})
    # Three people of an area of their own, one of whom is a woman.
    frame.loc[:2, "area"], frame.loc[:2, "sex"] = "w", ["F", "M", "M"]
    frame["ok"] = np.where(rng.random(n) < 0.5, "y", "n")
    return frame


def plan(*checks, minimum=MINIMUM, **more):
    return AuditPlan(
        data=DataPlan(source="people.csv"),
        decision=OutcomePlan(column="ok", favorable=("y",)),
        checks=checks,
        small_cells=SmallCellsPlan(mask=True, minimum=minimum),
        **more,
    )


ALL = CheckPlan(protected="sex = 'F'")
BUT_FEW = CheckPlan(protected="sex = 'F'", where="area <> 'w'")


def sizes(result) -> list[int | None]:
    """Return the numbers of people that the first check of an export shows."""
    check = json.loads(to_json(result))["checks"][0]["result"]
    return [check["protected"]["n"], check["reference"]["n"], check["n_population"], check["n_filtered_out"]]


def test_what_two_reports_tell_apart_they_do_not_tell_beside_each_other(people):
    earlier = run(plan(ALL), table=people)
    women, men, everyone, _ = sizes(earlier)
    assert None not in (women, men, everyone)
    alone = sizes(run(plan(BUT_FEW), table=people))
    assert None not in alone[:2], "so one woman and two men of the third area follow by subtraction"
    assert (women - alone[0], men - alone[1]) == (1, 2)
    beside = run(with_published(plan(BUT_FEW), [earlier]), table=people, published=[earlier])
    assert beside.published and sizes(beside)[:2] == [None, None]


def test_a_report_beside_itself_shows_the_same(people):
    earlier = run(plan(ALL), table=people)
    beside = run(with_published(plan(ALL), [earlier]), table=people, published=[earlier])
    assert sizes(beside) == sizes(earlier)


def test_what_the_first_hides_the_second_hides_too(people):
    by_area = CheckPlan(protected="sex = 'F'", compare=(("area",),))
    earlier = run(plan(by_area), table=people)
    rows = json.loads(to_json(earlier))["checks"][0]["groups"][0]["rows"]
    hidden = {str(row["values"]) for row in rows if row["comparison"]["protected"]["n"] is None}
    assert hidden
    again = CheckPlan(protected="sex = 'M'", compare=(("area",),))
    beside = run(with_published(plan(again, minimum=2), [earlier]), table=people, published=[earlier])
    rows = json.loads(to_json(beside))["checks"][0]["groups"][0]["rows"]
    assert {str(row["values"]) for row in rows if row["comparison"]["protected"]["n"] is None} >= hidden


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"small_cells": SmallCellsPlan()}, "hides no small counts"),
        ({"small_cells": SmallCellsPlan(mask=True, minimum=3)}, "shows counts from 3 on"),
        ({"decision": OutcomePlan(column="ok", favorable=("n",))}, "another decision"),
    ],
    ids=["nothing hidden", "hidden under a smaller number", "another outcome"],
)
def test_what_cannot_be_proved_is_refused(people, change, why):
    earlier = run(plan(ALL).model_copy(update=change), table=people)
    later = run(plan(BUT_FEW), table=people, published=[earlier])
    with pytest.raises(DisclosureError, match=why):
        to_json(later)


def test_a_plan_that_names_a_published_audit_is_not_exported_without_it(people):
    earlier = run(plan(ALL), table=people)
    named = with_published(plan(BUT_FEW), [earlier])
    with pytest.raises(DisclosureError, match="not here"):
        to_json(run(named, table=people))
    with pytest.raises(InputError, match="mask"):
        with_published(plan(ALL).model_copy(update={"small_cells": SmallCellsPlan()}), [earlier])


@pytest.mark.thorough
def test_a_published_folder_is_made_again_and_the_second_can_be_checked(people, tmp_path):
    from fairaudit.data.given import as_table

    table = as_table(people)
    first, second = tmp_path / "first", tmp_path / "second"
    write_report(run(plan(ALL), table=table), first)
    published = published_audits([first], table)
    later = run(with_published(plan(BUT_FEW), published), table=table, published=published)
    write_report(later, second)
    assert verify(second, table, published=published).verdict == "made_again"
    with pytest.raises(InputError, match="--published"):
        verify(second, table)
    third = published_audits([first, second], table)
    assert [each.plan.small_cells.beside == () for each in third] == [True, False]
    other = people.assign(ok="y")
    with pytest.raises(ReportError, match="not made from these data"):
        published_audits([first], as_table(other))
    (first / "plan.toml").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="not as it was written"):
        published_audits([first], table)


def test_a_published_report_with_a_salted_fingerprint_is_known_without_the_salt_too(people, tmp_path, monkeypatch):
    from fairaudit.data.given import as_table

    table = as_table(people)
    monkeypatch.setenv(SALT.variable, "a salt of the office")
    write_report(run(plan(ALL), table=table), tmp_path)
    assert len(published_audits([tmp_path], table)) == 1
    monkeypatch.delenv(SALT.variable)
    assert len(published_audits([tmp_path], table)) == 1
    with pytest.raises(ReportError, match="not made from these data"):
        published_audits([tmp_path], as_table(people.assign(ok="y")))
