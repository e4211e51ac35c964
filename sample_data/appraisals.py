"""Make the synthetic appraisals of a city's staff: part-time staff get lower grades, in each department alike."""

from __future__ import annotations

import numpy as np

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from sample_data.draws import Draws, blank, effect

TITLE = "Appraisals of staff (synthetic)"
SEED = 52
READING = ReadOptions()
VERB = {"verb": "got grade A or B"}
OTHERS = {"part-time staff": "full-time staff", "women": "men"}
SIMILAR = {"department": "in the same department", "pay_band": "in the same pay band"}
"""What the decision, the other group and strata are called in sentences."""

N_ROWS = 3_000
GRADES = ("A", "B", "C", "D", "E")
SHARES = (0.10, 0.35, 0.75, 0.93)
"""Shares of grades up to each, of full-time staff of no department."""
DEPARTMENTS = {"Care": 0.30, "Parks": 0.18, "Finance": 0.17, "Planning": 0.15, "Registry": 0.20}


def columns() -> dict[str, list[object]]:
    """Return the columns of the table."""
    draws = Draws(SEED)
    n = N_ROWS
    department = draws.pick(DEPARTMENTS, n)
    woman = draws.flag(0.42 + effect(department, {"Care": 0.25, "Registry": 0.12, "Parks": -0.15}), n)
    part_time = draws.flag(np.where(woman, 0.40, 0.12), n)
    years = np.round(np.clip(draws.normal(n, 9, 6), 0, 40)).astype(int)
    band = np.array(["1 to 5", "6 to 9", "10 to 13"], dtype=object)[
        np.clip(np.floor(draws.normal(n, 0.9, 0.7) + 0.03 * years), 0, 2).astype(int)
    ]
    # Grades follow one scale: years raise a person on it, part-time work lowers, and departments differ.
    edges = np.log(np.array(SHARES) / (1 - np.array(SHARES)))
    merit = (
        0.03 * (years - 9) - 0.55 * part_time + effect(department, {"Care": -0.35, "Finance": 0.30}) + draws.logistic(n)
    )
    grade = np.array(GRADES, dtype=object)[(merit[:, None] < -edges[None, :]).sum(axis=1)]
    return {
        "staff_number": list(range(70_001, 70_001 + n)),
        "department": list(department),
        "sex": ["woman" if flag else "man" for flag in woman],
        "hours": blank(np.where(part_time, "part-time", "full-time"), draws.flag(0.01, n)),
        "pay_band": list(band),
        "years_of_service": years.tolist(),
        "grade": blank(grade, draws.flag(0.015, n)),
    }


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of these appraisals."""
    return AuditPlan(
        data=data,
        decision=OutcomePlan(
            column="grade",
            favorable=("A", "B"),
            levels=GRADES,
            ordered=True,
            meaning="grade A or B",
            is_outcome=False,
        ),
        protected_columns=("hours", "sex"),
        checks=(
            CheckPlan(
                title="Part-time and full-time staff",
                protected="hours = 'part-time'",
                protected_name="part-time staff",
                strata=("department",),
                compare=(("department",),),
            ),
            CheckPlan(
                title="Women and men",
                protected="sex = 'woman'",
                protected_name="women",
                strata=("pay_band",),
            ),
        ),
        report=ReportPlan(
            title="Are staff graded alike?",
            purpose="Example on synthetic data: who gets which of five grades, and whether departments explain it.",
        ),
    )
