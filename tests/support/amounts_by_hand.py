"""A table of pay and its audit, for the tests of the report on amounts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairaudit import AuditPlan
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

CHECK = CheckPlan(
    protected="sex = 'F'",
    protected_name="women",
    amount_tolerance=100,
    strata=("grade",),
    compare=(("sex",), ("area",)),
    similar_by=("grade",),
)
NARROW = CHECK.model_copy(update={"amount_tolerance": 10})
"""With a tolerance that differences inside grades of :func:`reversed_pay` exceed."""


def pay() -> pd.DataFrame:
    """Return 300 people in two grades; five of them in the area "c"."""
    random = np.random.default_rng(21)
    n = 300
    grade, sex = random.integers(1, 3, n), np.where(np.arange(n) % 5 < 2, "F", "M")
    area = np.where(np.arange(n) < 5, "c", np.where(np.arange(n) % 2, "a", "b"))
    amount = 3_000 + 500 * grade - 400 * (sex == "F") + random.normal(0, 300, n)
    return pd.DataFrame({"sex": sex, "grade": grade, "area": area, "pay": np.round(amount)})


def reversed_pay() -> pd.DataFrame:
    """Return people whose difference turns around inside the grades."""
    rows = [("low", "F", 1_010 + 10 * (i % 3)) for i in range(80)] + [("low", "M", 1_000) for _ in range(20)]
    rows += [("high", "F", 3_010 + 10 * (i % 3)) for i in range(20)] + [("high", "M", 3_000) for _ in range(80)]
    return pd.DataFrame(rows, columns=["grade", "sex", "pay"]).assign(area=["a", "b"] * 100)


def plan(*checks: CheckPlan, better: bool = True, minimum: int | None = None) -> AuditPlan:
    """Return an audit of that pay; with a `minimum`, smaller counts are hidden."""
    small = SmallCellsPlan() if minimum is None else SmallCellsPlan(mask=True, minimum=minimum)
    return AuditPlan(
        data=DataPlan(source="pay.csv", name="Pay"),
        decision=OutcomePlan(column="pay", amount=True, higher_is_favorable=better, meaning="monthly pay"),
        checks=checks or (CHECK,),
        small_cells=small,
    )
