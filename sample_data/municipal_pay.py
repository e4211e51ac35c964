"""Make the synthetic payroll of a town: a gap between women and men that grade explains only in part."""

from __future__ import annotations

import numpy as np

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, ControlPlan, ExplanationPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.trees.plan import TreesPlan
from sample_data.draws import Draws, blank, effect

TITLE = "Pay of municipal employees (synthetic)"
TREE_TITLE = "Pay of municipal employees, a tree of amounts (synthetic)"
FORMS_TITLE = "Pay of municipal employees, equal pay in the forms of two laws (synthetic)"
EXPLAINED_TITLE = "Pay of municipal employees, what explains the gap (synthetic)"
SEED = 1919
READING = ReadOptions()
VERB = {"verb": "were paid"}
OTHERS: dict[str, str] = {"women": "men", "people who work part-time": "people who work full-time"}
SIMILAR = {"grade": "in the same grade"}
"""What the decision, the other group and strata are called in sentences."""

N_ROWS = 2_000
DEPARTMENTS = {
    "administration": 0.26,
    "child care": 0.24,
    "works": 0.22,
    "order": 0.13,
    "finance": 0.10,
    "culture": 0.05,
}
WOMEN = {"administration": 0.62, "child care": 0.88, "works": 0.16, "order": 0.37, "finance": 0.52, "culture": 0.58}
RANKS = {"administration": 0.3, "child care": -0.5, "works": -0.3, "finance": 1.1, "culture": 0.4}
BASE = 2_450
STEP = 365
SHIFTS = {"works": 0.55, "order": 0.6, "child care": 0.12}
HOURS = 169
JUSTIFIED = {"1": "In this grade mostly men work in shifts, which are paid by the agreement on allowances (made up)."}


def columns() -> dict[str, list[object]]:
    """Return the columns of the table."""
    draws = Draws(SEED)
    n = N_ROWS
    department = draws.pick(DEPARTMENTS, n)
    woman = draws.flag(effect(department, WOMEN), n)
    age = np.clip(np.round(draws.normal(n, 44, 11)), 20, 66).astype(int)
    years = np.floor((age - 19) * draws.uniform(n, 0.05, 0.85)).astype(int)
    part_time = draws.flag(np.where(woman, 0.46, 0.11), n)
    rank = 4.3 + effect(department, RANKS) + 0.07 * years - 0.35 * woman - 0.4 * part_time + draws.normal(n, 0, 1.5)
    grade = np.clip(np.round(rank), 1, 9).astype(int)
    pay = (
        BASE
        + STEP * (grade - 1)
        + 14 * years
        + effect(department, {"works": 40, "finance": 60, "culture": -50})
        - 75 * woman
        - 30 * part_time
        + draws.normal(n, 0, 150)
    )
    # A few are paid by contract, above every grade.
    contract = draws.flag(np.where(grade >= 8, 0.06, 0.0), n)
    pay = pay + np.where(contract, draws.uniform(n, 900, 2_600), 0)
    monthly = np.round(pay, -1).astype(int)
    table = {
        "employee_number": list(range(5_001, 5_001 + n)),
        "department": list(department),
        "sex": blank(np.where(woman, "woman", "man"), draws.flag(0.008, n)),
        "age": age.tolist(),
        "years_of_service": years.tolist(),
        "part_time": ["yes" if flag else "no" for flag in part_time],
        "grade": grade.tolist(),
        "monthly_pay": blank(monthly.tolist(), draws.flag(0.012, n)),
    }
    # Added later, so drawn after all else: what was there before stays as it was.
    shifts = draws.flag(effect(department, SHIFTS), n)
    allowance = np.where(shifts, np.round(draws.uniform(n, 90, 310), -1), 0)
    rewarded = draws.flag(np.clip(0.12 + 0.07 * grade - 0.08 * part_time, 0, 1), n)
    bonus = np.where(rewarded, np.round((260 + 170 * grade) * draws.uniform(n, 0.5, 1.5) * (1 - 0.1 * woman), -1), 0)
    variable = np.round(allowance + bonus / 12).astype(int)
    total = monthly + variable
    known = [pay != "" for pay in table["monthly_pay"]]
    table["bonus"] = bonus.astype(int).tolist()
    table["variable_pay"] = variable.tolist()
    table["total_pay"] = blank(total.tolist(), ~np.array(known))
    table["hourly_pay"] = blank(np.round(total / HOURS, 2).tolist(), ~np.array(known))
    return table


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of this payroll."""
    return AuditPlan(
        data=data,
        decision=OutcomePlan(column="monthly_pay", amount=True, meaning="monthly pay"),
        protected_columns=("sex", "part_time"),
        checks=(
            CheckPlan(
                title="All employees",
                protected="sex = 'woman'",
                protected_name="women",
                amount_tolerance=50,
                strata=("grade",),
                compare=(("sex",), ("department",), ("sex", "part_time")),
                similar_by=("grade", "years_of_service", "department", "part_time"),
            ),
            CheckPlan(
                title="Part-time employees",
                protected="part_time = 'yes'",
                protected_name="people who work part-time",
                amount_tolerance=50,
                strata=("grade",),
            ),
        ),
        report=ReportPlan(
            title="Are women and men paid alike?",
            purpose="Example on synthetic data: a decision that is an amount. How much of the gap in pay remains when "
            "the grade is alike?",
        ),
    )


def tree_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the same payroll in which a tree of few questions says what a job pays."""
    first = plan(data)
    check = first.checks[0]
    return AuditPlan(
        data=data,
        decision=first.decision,
        protected_columns=first.protected_columns,
        checks=(check.model_copy(update={"strata": (), "compare": (), "similar_by": ()}),),
        models=ModelsPlan(
            features=("department", "age", "years_of_service", "grade"),
            protected=check.protected,
            protected_name=check.protected_name,
        ),
        remedies=(PlainPlan(model="linear_regression"), TreesPlan(max_depth=2, amount_difference=100, time_limit=40)),
        report=ReportPlan(
            title="What would a pay scale of four steps do to the gap?",
            purpose="Example on synthetic data: a tree of amounts whose mean predictions for women and men are close.",
        ),
    )


def explained_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the same payroll that asks what explains the gap, with a reason for each column."""
    first = plan(data)
    check = first.checks[0]
    reasons = {
        "years_of_service": "The pay scale rises with the years of service.",
        "part_time": "Monthly pay is for the hours worked.",
        "grade": "The pay scale is by grade. The employer gives grades, too, so a gap in grading would not show.",
    }
    return first.model_copy(
        update={
            "checks": (check.model_copy(update={"strata": (), "compare": (), "similar_by": ()}),),
            "explanations": (
                ExplanationPlan(
                    protected=check.protected,
                    protected_name=check.protected_name,
                    controls=tuple(ControlPlan(column=name, reason=reason) for name, reason in reasons.items()),
                    method="regression",
                ),
            ),
            "report": ReportPlan(
                title="What explains the gap in pay?",
                purpose="Example on synthetic data: a gap in amounts divided by three columns, each with a reason.",
            ),
        }
    )


def forms_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the same payroll that fills the forms on equal pay of the European Union and Great Britain."""
    pay = OutcomePlan(column="total_pay", amount=True, meaning="total pay")
    return AuditPlan(
        data=data,
        decision=pay,
        protected_columns=("sex",),
        presets=(
            PresetPlan(
                preset="eu_pay_transparency",
                columns={
                    "sex": ("sex",),
                    "category": ("grade",),
                    "pay": ("total_pay",),
                    "basic": ("monthly_pay",),
                    "variable": ("variable_pay",),
                },
                justified=JUSTIFIED,
                reported="2027-06-01",
            ),
            PresetPlan(
                preset="uk_gender_pay_gap", columns={"sex": ("sex",), "pay": ("hourly_pay",), "bonus": ("bonus",)}
            ),
        ),
        report=ReportPlan(
            title="Equal pay, in the forms of two laws",
            purpose="Example on synthetic data: the gaps in pay that Directive (EU) 2023/970 and the regulations of "
            "Great Britain ask for, by grade as the category of workers.",
        ),
    )
