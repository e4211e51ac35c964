"""Small counts are not hidden beside weighted figures, from which they could be worked out."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit import AuditPlan, Table, run
from fairaudit.disclosure.gate import exported
from fairaudit.errors import DisclosureError, InputError
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.presets.plan import PresetPlan

FRAME = pd.DataFrame(
    {"sex": ["F", "M"] * 50, "ok": ["yes", "no", "no", "yes", "yes"] * 20, "w": [1.0, 2.0, 3.0, 4.0] * 25}
)


def plan(**more) -> AuditPlan:
    return AuditPlan(
        data=DataPlan(source="a.csv", weights="w"),
        decision=OutcomePlan(column="ok", favorable=("yes",)),
        checks=(CheckPlan(protected="sex = 'F'"),),
        **more,
    )


def test_what_a_plan_says_of_weights_holds_for_a_table_that_is_given():
    result = run(plan(), table=Table.from_pandas(FRAME))
    assert result.checks[0].result.design.weights == "w"
    assert exported(result).checks[0].result.difference == result.checks[0].result.difference


def test_small_counts_and_weights_exclude_each_other():
    result = run(plan(small_cells=SmallCellsPlan(mask=True)), table=Table.from_pandas(FRAME))
    with pytest.raises(DisclosureError, match="rows count by the weights in column 'w'"):
        exported(result)


def test_a_plan_with_weights_asks_nothing_that_is_not_defined_with_them():
    asked = plan(presets=(PresetPlan(preset="eeoc_uniform_guidelines", columns={"sex": "sex"}),))
    with pytest.raises(InputError, match="'The legal form' cannot be answered with the sampling weights"):
        run(asked, table=Table.from_pandas(FRAME))
