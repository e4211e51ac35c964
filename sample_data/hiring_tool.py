"""Make the synthetic applications that a scoring tool sorted: some groups score lower, and few are of some groups."""

from __future__ import annotations

import numpy as np

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.presets.plan import PresetPlan
from sample_data.draws import Draws, blank, effect

TITLE = "Applications sorted by a tool (synthetic)"
SEED = 144
READING = ReadOptions(not_known=(("race_ethnicity", ("Unknown",)),))
VERB = {"verb": "moved on to an interview"}
OTHERS: dict[str, str] = {"women": "men"}
SIMILAR = {"gap_in_work": "with the same breaks in work"}
"""What the decision, the other group and strata are called in sentences."""

N_ROWS = 4_000
RACES = {
    "Hispanic or Latino": 0.19,
    "White": 0.36,
    "Black or African American": 0.20,
    "Native Hawaiian or Pacific Islander": 0.012,
    "Asian": 0.18,
    "Native American or Alaska Native": 0.011,
    "Two or More Races": 0.047,
}
"""Shares of the categories of the EEO-1 report, invented."""
ROLES = {"sales": 0.34, "support": 0.30, "data": 0.22, "warehouse": 0.14}
CUTS = {"sales": 58, "support": 55, "data": 66, "warehouse": 50}


def columns() -> dict[str, list[object]]:
    """Return the columns of the table."""
    draws = Draws(SEED)
    n = N_ROWS
    woman = draws.flag(0.47, n)
    race = draws.pick(RACES, n)
    role = draws.pick(ROLES, n)
    years = np.clip(np.round(draws.normal(n, 7, 4.5), 1), 0, 35)
    gap = draws.flag(np.where(woman, 0.38, 0.12), n)
    referral = draws.flag(0.08 + effect(race, {"White": 0.24, "Asian": 0.12}), n)
    # The tool looks at years, gaps in work and referrals, not at sex or race.
    score = 50 + 1.4 * np.minimum(years, 15) - 10.0 * gap + 11.0 * referral + draws.normal(n, 0, 11)
    score = np.clip(np.round(score), 0, 100).astype(int)
    advanced = score >= np.array([CUTS[name] for name in role])
    sex = np.where(draws.flag(0.03, n), "Unknown", np.where(woman, "Female", "Male"))
    return {
        "application": list(range(500_001, 500_001 + n)),
        "sex": blank(sex, draws.flag(0.01, n)),
        "race_ethnicity": blank(race, draws.flag(0.05, n), "Unknown"),
        "job": list(role),
        "years_of_work": [f"{value:g}" for value in years],
        "gap_in_work": ["yes" if flag else "no" for flag in gap],
        "referred": ["yes" if flag else "no" for flag in referral],
        "score": score.tolist(),
        "advanced": ["yes" if flag else "no" for flag in advanced],
    }


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of these applications."""
    groups = {"sex": ("sex",), "race": ("race_ethnicity",)}
    words = "Synthetic applications made for this example; no real tool and no real person."
    return AuditPlan(
        data=data,
        decision=OutcomePlan(
            column="advanced", favorable=("yes",), meaning="moved on to an interview", is_outcome=False
        ),
        score=ScorePlan(column="score"),
        protected_columns=("sex", "race_ethnicity"),
        checks=(
            CheckPlan(
                title="Women and men",
                where="sex IN ('Female', 'Male')",
                protected="sex = 'Female'",
                protected_name="women",
                strata=("gap_in_work",),
                compare=(("race_ethnicity",),),
            ),
        ),
        presets=(
            PresetPlan(preset="nyc144", columns=groups, data_words=words),
            PresetPlan(
                preset="nyc144",
                title="NYC Local Law 144: bias audit of the score",
                columns=groups | {"score": ("score",)},
                leave_out_small=True,
                reason="too few people for a stable rate",
                data_words=words,
            ),
            PresetPlan(preset="eeoc_uniform_guidelines", columns=groups),
        ),
        report=ReportPlan(
            title="Does the tool move people on alike?",
            purpose="Example on synthetic data: the tables of two rules on hiring.",
        ),
    )
