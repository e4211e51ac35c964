"""Where small counts are hidden, nothing of what explains a gap or whether it changed gives one away."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from held_figures import figures_of
from whole_report import whole_report

from fairaudit import AuditPlan, run
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ControlPlan, ExplanationPlan
from fairaudit.present.blocks import Chart, Items, KeyValues, Note, Paragraph, TableBlock
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.sections.explain import NOT_SHOWN

REASON = "it says what the work asks for"


def people(few: int = 3) -> pd.DataFrame:
    """Return people of whom a few women in area z alone were hired."""
    rng = np.random.default_rng(0)
    n = 800
    sex, area, year = (
        rng.choice(["F", "M"], n),
        rng.choice(["x", "y", "z"], n, p=[0.6, 0.39, 0.01]),
        np.arange(n) % 3 + 2021,
    )
    frame = pd.DataFrame({"sex": sex, "area": area, "year": year, "hired": rng.choice(["yes", "no"], n)})
    rare = frame.index[(frame["sex"] == "F") & (frame["area"] == "z")]
    frame.loc[rare, "hired"] = "no"
    frame.loc[rare[:few], "hired"] = "yes"
    return frame


def audit(*, mask: bool = True, questions: bool = True, second: str | None = None) -> AuditPlan:
    asked = {}
    controls = (ControlPlan(column="area", reason=REASON),)
    if questions:
        asked["explanations"] = (
            ExplanationPlan(protected="sex = 'F'", controls=controls),
            ExplanationPlan(
                protected="sex = 'F'",
                controls=(ControlPlan(column="area", reason=REASON),),
                method="regression",
                cluster="year",
            ),
        )
        asked["changes"] = (
            ChangePlan(protected="sex = 'F'", column="year", cuts=(2022,), strata=("area",)),
            ChangePlan(protected="sex = 'F'", column="year", cuts=(2022, 2023)),
        )
        if second is not None:
            asked["changes"] = (ChangePlan(protected="sex = 'F'", second=second, second_fingerprint="0" * 64),)
    return AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="hired", favorable=("yes",)),
        checks=(CheckPlan(protected="sex = 'F'"),),
        small_cells=SmallCellsPlan(mask=mask),
        **asked,
    )


def test_no_figure_is_left_of_either_question():
    shown = exported(run(audit(), table=people()))
    assert len(shown.explanations) == len(shown.changes) == 2
    for finding in (*shown.explanations, *shown.changes):
        assert figures_of(finding) == []


def test_all_figures_are_there_where_nothing_is_hidden():
    shown = exported(run(audit(mask=False), table=people()))
    assert all(figures_of(finding) for finding in (*shown.explanations, *shown.changes))


@pytest.mark.thorough
@pytest.mark.parametrize("few", [0, 1, 2])
def test_what_few_people_got_changes_no_byte_of_the_answers(few):
    one, other = (run(audit(), table=people(n)) for n in (few, 3))
    for write in (answers_in_json, answers_in_tables, answers_in_report):
        assert write(one) == write(other), write.__name__


@pytest.mark.thorough
@pytest.mark.parametrize("few", [0, 1])
def test_what_few_people_are_paid_changes_no_byte_of_the_answers(few):
    def paid(n: int) -> pd.DataFrame:
        frame = people(n)
        rare = frame.index[(frame["sex"] == "F") & (frame["year"] == 2021)]
        pay = pd.Series(np.random.default_rng(1).normal(3_000, 300, len(frame)).round(), index=frame.index)
        return frame.assign(pay=pay.mask(pay.index.isin(rare[:n]), 90_000.0))

    plan = audit().model_copy(update={"decision": OutcomePlan(column="pay", amount=True)})
    one, other = (run(plan, table=paid(n)) for n in (few, 3))
    assert one.changes[0].result.before.tolerance != other.changes[0].result.before.tolerance
    for write in (answers_in_json, answers_in_tables, answers_in_report):
        assert write(one) == write(other), write.__name__


def test_the_rest_of_an_export_is_what_it_is_without_the_questions():
    with_them, without = (run(audit(questions=asked), table=people()) for asked in (True, False))
    one, other = (json.loads(to_json(result)) for result in (with_them, without))
    for name in ("checks", "data", "quality"):
        assert one[name] == other[name]


def test_no_fingerprint_of_a_later_table_stands_beside_hidden_counts(tmp_path):
    people().to_csv(tmp_path / "later.csv", index=False)
    result = run(audit(second="later.csv"), table=people(), base=tmp_path, ignore_fingerprint=True)
    found = exported(result)
    assert result.changes[0].second_fingerprint is not None
    assert found.changes[0].second_fingerprint is None
    assert found.changes[0].plan.second_fingerprint is None and found.plan.changes[0].second_fingerprint is None


def answers_in_json(result) -> list:
    document = json.loads(to_json(result))
    return [document["explanations"], document["changes"]]


def answers_in_tables(result) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist() if name.startswith(("explanation", "change"))}


def answers_in_report(result) -> list[str]:
    blocks = whole_report(result).blocks
    texts = []
    inside = False
    for block in blocks:
        text = getattr(block, "text", "")
        if hasattr(block, "level") and block.level == 1:
            inside = text in ("What explains it", "Change over time")
        if inside:
            assert not isinstance(block, Chart)
            assert isinstance(block, Paragraph | KeyValues | Items | Note | TableBlock) or hasattr(block, "level")
            texts.append(repr(block))
    not_shown = say(NOT_SHOWN), say(Message("change-not-shown-few"))
    assert sum(why in text for text in texts for why in not_shown) == 4
    return texts
