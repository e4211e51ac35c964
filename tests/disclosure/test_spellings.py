"""However the conditions of a plan are written, the same is hidden."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from spellings import spelled

from fairaudit.audit.running import run
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.json_export import to_json

WRITTEN = (
    "dept='X'",
    "\"dept\" = 'X'",
    "(dept == 'X')",
    "dept in ('X')",
    "NOT dept<>'X'",
    "'X' = DEPT",
    "not(dept != 'X')",
)


def staff() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    n = 400
    frame = pd.DataFrame({name: rng.choice(values, n) for name, values in STAFF.items()})
    frame["pay"] = np.round(np.exp(rng.normal(8, 0.3, n)), 2)
    return frame.astype(dict.fromkeys(STAFF, object))


STAFF = {
    "sex": ["F", "M"],
    "race": ["a", "b", "c"],
    "dept": ["X", "X", "X", "Z"],
    "y": ["good", "bad"],
    "h": ["good", "bad"],
}


def shown(frame: pd.DataFrame, protected: str, where: str, *, everywhere: bool = False) -> dict:
    """Return the export of an audit with hidden counts; a filter of forms alone, or of all that is asked."""
    others = where if everywhere else None
    forms = (
        PresetPlan(preset="nyc144", columns={"sex": "sex", "race": "race"}, where=where),
        PresetPlan(preset="fair_lending", columns={"sex": "sex", "amounts": "pay"}, where=where),
    )
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column="y", favorable=("good",)),
        prediction=OutcomePlan(column="h", favorable=("good",)),
        checks=(CheckPlan(protected=protected, where=others, compare=(("race",),), strata=("race",)),),
        errors=(ErrorsPlan(by=("sex",), where=others),),
        presets=forms,
        models=ModelsPlan(features=("dept", "race"), protected=protected, where=where) if everywhere else None,
        remedies=(PlainPlan(),) if everywhere else (),
        small_cells=SmallCellsPlan(mask=True, minimum=10),
        report=ReportPlan(quality=False),
    )
    return json.loads(to_json(run(plan, table=frame)))


def figures(part):
    """Return all of a JSON but its texts, which say how a condition is written."""
    if isinstance(part, dict):
        return {key: figures(value) for key, value in part.items() if key != "plan"}
    return [figures(each) for each in part] if isinstance(part, list) else "text" if isinstance(part, str) else part


@pytest.mark.parametrize("where", WRITTEN)
def test_a_filter_hides_the_same_however_it_is_written(where):
    frame = staff()
    assert figures(shown(frame, "sex = 'F'", where)) == figures(shown(frame, "sex = 'F'", "dept = 'X'"))


def test_random_spellings_of_all_conditions_hide_the_same():
    frame, rng = staff(), np.random.default_rng(7)
    asked = ("sex = 'F' AND race <> 'c'", "dept = 'X' OR race = 'a'")
    normal = figures(shown(frame, *asked, everywhere=True))
    for _ in range(6):
        written = [spelled(text, rng) for text in asked]
        assert figures(shown(frame, *written, everywhere=True)) == normal, written
