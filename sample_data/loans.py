"""Make the synthetic loan applications: a gap between women and men that income explains only in part."""

from __future__ import annotations

import numpy as np

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from sample_data.draws import Draws, blank, effect

TITLE = "Loan applications (synthetic)"
SEED = 80
READING = ReadOptions(missing=("?",))
VERB = {"verb": "were approved"}
OTHERS: dict[str, str] = {"women": "men", "applicants under 30": "applicants of 30 and over"}
SIMILAR = {"income_band": "at similar incomes", "purpose": "for the same purpose"}
"""What the decision, the other group and strata are called in sentences."""

N_ROWS = 6_000
PURPOSES = {"car": 0.31, "home improvement": 0.24, "debt consolidation": 0.19, "business": 0.12, "education": 0.08}
REGIONS = {"North": 0.28, "South": 0.22, "East": 0.18, "West": 0.20, "Capital": 0.12}
SIZES = {"car": 0.28, "home improvement": 0.42, "debt consolidation": 0.35, "business": 0.75, "education": 0.30}
BANDS = ((20_000, "1: under 20,000"), (35_000, "2: 20,000 to 34,999"), (55_000, "3: 35,000 to 54,999"))
TOP_BAND = "4: 55,000 or more"


def columns() -> dict[str, list[object]]:
    """Return the columns of the table."""
    draws = Draws(SEED)
    n = N_ROWS
    woman = draws.flag(0.45, n)
    age = np.clip(np.round(draws.normal(n, 41, 12)), 18, 79).astype(int)
    region = draws.pick(REGIONS, n)
    employment = draws.pick({"employed": 0.74, "self-employed": 0.14, "retired": 0.07, "not employed": 0.05}, n)
    purpose = draws.pick(PURPOSES, n)
    log_income = (
        np.log(40_000)
        - 0.24 * woman
        + 0.012 * np.minimum(age - 35, 20)
        + effect(region, {"Capital": 0.22, "North": -0.06})
        + effect(employment, {"retired": -0.45, "not employed": -0.85})
        + draws.normal(n, 0, 0.42)
    )
    income = np.round(np.exp(log_income), -2).astype(int)
    share = np.array([SIZES[p] for p in purpose]) * np.exp(draws.normal(n, 0, 0.45))
    amount = np.maximum(1_000, np.round(income**0.7 * 40_000**0.3 * share, -2)).astype(int)
    history = np.clip(np.round((age - 19) * draws.uniform(n, 0.1, 0.9), 1), 0, None)

    standing = (
        0.75
        + 1.5 * np.log(income / 38_000)
        - 1.6 * (amount / income - 0.40)
        + 0.07 * (history - 10)
        - 0.45 * woman
        + effect(employment, {"self-employed": -0.4, "not employed": -1.0})
        + effect(purpose, {"business": -0.3, "home improvement": 0.2})
        + effect(region, {"South": -0.15})
    )
    approved = standing + draws.logistic(n) > 0
    no_income = draws.flag(np.where(employment == "self-employed", 0.09, 0.02), n)
    return {
        "applicant_number": list(range(100_001, 100_001 + n)),
        "sex": blank(np.where(woman, "woman", "man"), draws.flag(0.01, n)),
        "age": age.tolist(),
        "region": list(region),
        "employment": list(employment),
        "income": blank(income.tolist(), no_income),
        "income_band": blank([_band(value) for value in income], no_income),
        "loan_amount": amount.tolist(),
        "purpose": blank(purpose, draws.flag(0.015, n), "?"),
        "credit_history_years": blank([f"{value:g}" for value in history], draws.flag(0.02, n), "?"),
        "approved": ["yes" if flag else "no" for flag in approved],
    }


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of these applications."""
    shared = {"protected": "sex = 'woman'", "protected_name": "women"}
    return AuditPlan(
        data=data,
        decision=OutcomePlan(column="approved", favorable=("yes",), meaning="loan approved", is_outcome=False),
        protected_columns=("sex", "age"),
        checks=(
            CheckPlan(
                title="All applications",
                strata=("income_band",),
                compare=(("sex",), ("region",), ("sex", "region")),
                **shared,
            ),
            CheckPlan(
                title="Middle incomes with some credit history",
                where="income BETWEEN 30000 AND 60000 AND credit_history_years >= 5",
                strata=("purpose",),
                **shared,
            ),
            CheckPlan(title="Younger applicants", protected="age < 30", protected_name="applicants under 30"),
        ),
        models=ModelsPlan(
            features=("region", "employment", "income", "loan_amount", "purpose", "credit_history_years"),
            divisions=5,
            **shared,
        ),
        remedies=(
            RelabelPlan(algorithm="risk_flipping"),
            ThresholdsPlan(search="exact"),
            EqualizePlan(),
            ConstrainPlan(constraints=("demographic_parity by sex <= 0.05",)),
        ),
        report=ReportPlan(
            title="Are loans given alike to women and men?",
            purpose="Example on synthetic data: how much of the gap remains when income is alike?",
        ),
    )


def _band(income: int) -> str:
    return next((name for below, name in BANDS if income < below), TOP_BAND)
