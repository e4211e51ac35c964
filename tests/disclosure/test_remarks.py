"""A sentence leaves an audit that hides small counts by what it declares, not by how it is written."""

from __future__ import annotations

import io
import pickle
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from whole_report import whole_report

from fairaudit.audit.running import run
from fairaudit.disclosure.fields import Remark, shown_remarks
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json

SPELLED_OUT = "Three women of the north have no decision."
HARMLESS = "The 12 steps that were allowed were used up."


def audit(frame: pd.DataFrame, decision: OutcomePlan, **parts):
    check = CheckPlan(protected="sex = 'F'")
    hides = SmallCellsPlan(mask=True, minimum=10)
    whole = {"data": DataPlan(source="memory.csv"), "decision": decision, "checks": (check,), "small_cells": hides}
    return run(AuditPlan(**whole, report=ReportPlan(quality=False), **parts), table=frame)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], 900), "area": rng.choice(["n", "s"], 900)})
    return frame.assign(y=np.where(rng.random(900) < 0.5, "good", "bad"))


def said(result, field: str, texts: tuple[str, ...]):
    """Return a result of a remedy that says more."""
    if field == "notes":
        return replace(result, data=replace(result.data, notes=texts))
    if field == "facts":
        return replace(result, remedies=replace(result.remedies, facts=replace(result.remedies.facts, warnings=texts)))
    if field == "remedy":
        [remedy] = result.remedies.remedies
        return replace(result, remedies=replace(result.remedies, remedies=(replace(remedy, warnings=texts),)))
    [check] = result.checks
    return replace(result, checks=(replace(check, result=replace(check.result, warnings=texts)),))


@pytest.mark.parametrize("field", ["notes", "facts", "remedy", "check"])
def test_a_sentence_that_declares_nothing_stays_whatever_its_words(people, field):
    models = ModelsPlan(features=("area",), protected="sex = 'F'")
    result = audit(people, OutcomePlan(column="y", favorable=("good",)), models=models, remedies=(PlainPlan(),))
    kind = "figure" if field == "check" else "setting"
    document = to_json(said(result, field, (SPELLED_OUT, Remark(HARMLESS, kind))))
    assert SPELLED_OUT not in document
    assert HARMLESS in document


def test_where_counts_are_hidden_a_report_and_its_tables_say_that_it_must_stay_alone(people):
    result = audit(people, OutcomePlan(column="y", favorable=("good",)))
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        files = b"".join(map(bundle.read, bundle.namelist())).decode("utf-8", errors="replace")
    warning = say(Message("report-publish-one"))
    assert warning in files and warning in repr(whole_report(result))
    shown = replace(result, plan=result.plan.model_copy(update={"small_cells": SmallCellsPlan()}))
    assert warning not in repr(whole_report(shown))


def test_what_is_made_of_a_remark_declares_nothing():
    remark = Remark("A fit was stopped.", "setting")
    assert shown_remarks((remark, f"{remark}", remark + " Three people."), "setting") == (remark,)
    assert shown_remarks((remark,), "figure") == ()


def test_a_remark_keeps_what_it_declares_in_another_process():
    assert pickle.loads(pickle.dumps(Remark("A fit was stopped.", "setting"))).reveals == "setting"
