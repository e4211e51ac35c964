"""Make the synthetic risk scores: right on average in every group, and yet wrong in different ways."""

from __future__ import annotations

import numpy as np

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, NamesPlan, ReportPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan, SubgroupsPlan
from fairaudit.remedies.rules.plan import RulesPlan
from sample_data.draws import Draws, sigmoid

TITLE = "Reoffending and a risk score (synthetic)"
RULES_TITLE = "Reoffending, with rules to read aloud (synthetic)"
WORST_TITLE = "Reoffending, where the score errs most (synthetic)"
SEED = 2016
READING = ReadOptions()
VERB = {"unfavorable_verb": "reoffended within two years"}
OTHERS: dict[str, str] = {}
PEOPLE = {
    "race": {
        "African-American": "African-Americans",
        "Caucasian": "white people",
        "Hispanic": "Hispanic people",
        "Other": "people of other races",
        "Asian": "Asian people",
        "Native American": "Native Americans",
    },
    "sex": {"male": "men", "female": "women"},
}
TRAITS = {
    "sex": {"male": "who are men", "female": "who are women"},
    "age_group": {"under 25": "under 25", "25 to 45": "from 25 to 45", "over 45": "over 45"},
    "charge_degree": {"felony": "charged with a felony", "misdemeanour": "charged with a misdemeanour"},
}
SIMILAR = {"age_group": "at similar ages"}
"""What the decision, the other group and strata are called in sentences."""

# rows, mean of log(1 + earlier offences), mean age
GROUPS = {
    "African-American": (3_300, 1.20, 31.0),
    "Caucasian": (2_500, 0.72, 36.0),
    "Hispanic": (750, 0.62, 34.0),
    "Other": (400, 0.50, 34.0),
    "Asian": (38, 0.45, 36.0),
    "Native American": (12, 1.20, 31.0),
}


def columns() -> dict[str, list[object]]:
    """Return the columns of the table, shuffled rows."""
    draws = Draws(SEED)
    sizes = [size for size, _, _ in GROUPS.values()]
    n = sum(sizes)
    race = np.repeat(np.array(list(GROUPS), dtype=object), sizes)
    log_priors = np.repeat([mean for _, mean, _ in GROUPS.values()], sizes)
    mean_age = np.repeat([mean for _, _, mean in GROUPS.values()], sizes)

    male = draws.flag(0.80, n)
    age = np.minimum(18 + np.floor((mean_age - 18) * np.exp(draws.normal(n, -0.30, 0.75))), 80).astype(int)
    priors = np.floor(np.expm1(np.maximum(0, log_priors + draws.normal(n, 0, 0.95)))).astype(int)
    priors = np.minimum(priors, 38)
    juvenile = np.where(draws.flag(np.clip(0.03 * priors, 0.02, 0.4), n), 1 + (draws.uniform(n) < 0.2), 0).astype(int)
    felony = draws.flag(0.64, n)

    # Race plays no part here: at equal history, equal risk. The groups differ in recorded history only.
    risk = sigmoid(-1.55 + 0.78 * np.log1p(priors) - 0.045 * (age - 33) + 0.5 * juvenile + 0.20 * felony + 0.30 * male)
    probability = np.clip(np.round(risk, 3), 0.01, 0.99)
    reoffended = draws.flag(risk, n)
    rank = np.empty(n)
    rank[np.argsort(probability, kind="stable")] = np.arange(n)
    decile = 1 + np.floor(10 * rank / n).astype(int)
    # equal probabilities share a decile, the lowest one that any of them has
    _, inverse = np.unique(probability, return_inverse=True)
    lowest = np.full(inverse.max() + 1, 10)
    np.minimum.at(lowest, inverse, decile)
    decile = lowest[inverse]

    table: dict[str, list[object]] = {
        "race": list(race),
        "sex": ["male" if flag else "female" for flag in male],
        "age": age.tolist(),
        "age_group": [_age_group(value) for value in age],
        "prior_offences": priors.tolist(),
        "juvenile_offences": juvenile.tolist(),
        "charge_degree": ["felony" if flag else "misdemeanour" for flag in felony],
        "risk_probability": [f"{value:.3f}" for value in probability],
        "risk_decile": decile.tolist(),
        "reoffended_within_two_years": reoffended.astype(int).tolist(),
    }
    order = draws.order(n)
    shuffled = {name: [values[i] for i in order] for name, values in table.items()}
    return {"case_number": list(range(1, n + 1))} | shuffled


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of these cases."""
    return AuditPlan(
        data=data,
        decision=OutcomePlan(
            column="reoffended_within_two_years",
            favorable=(0,),
            meaning="no new offence within two years",
            other_meaning="a new offence within two years",
            is_outcome=True,
        ),
        prediction=OutcomePlan(
            column="risk_decile",
            favorable_when="risk_decile <= 5",
            meaning="rated a lower risk",
            unfavorable_verb="were rated high risk",
        ),
        names=NamesPlan(groups=PEOPLE),
        score=ScorePlan(column="risk_probability", higher_is_favorable=False),
        positive="unfavorable",
        protected_columns=("race", "sex", "age_group"),
        checks=(
            CheckPlan(
                title="Do the groups reoffend alike?",
                protected="race = 'African-American'",
                protected_name="African-American people",
                strata=("age_group",),
                compare=(("race",), ("sex",)),
            ),
        ),
        errors=(
            ErrorsPlan(by=("race",), cost_false_positive=2.0, cost_false_negative=1.0),
            ErrorsPlan(by=("sex",)),
        ),
        report=ReportPlan(
            title="Whom does the risk score get wrong?",
            purpose="Example on synthetic data: a score can be right on average in each group and still err unequally.",
        ),
    )


def rules_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the same cases in which a rule set takes the place of the score."""
    first = plan(data)
    [check] = first.checks
    return AuditPlan(
        data=data,
        decision=first.decision,
        protected_columns=first.protected_columns,
        checks=(check,),
        models=ModelsPlan(
            features=("age", "prior_offences", "juvenile_offences", "charge_degree"),
            protected=check.protected,
            protected_name=check.protected_name,
        ),
        positive=first.positive,
        remedies=(RulesPlan(max_complexity=8, fairness="fpr", margin=0.02),),
        report=ReportPlan(
            title="Can rules to read aloud stand in for the risk score?",
            purpose="Example on synthetic data: short rules that wrongly catch people of all groups about alike.",
        ),
    )


def worst_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the same cases that looks for whom the score wrongly rates a higher risk most often."""
    first = plan(data)
    columns = ("race", "sex", "age_group", "charge_degree")
    return AuditPlan(
        data=data,
        decision=first.decision,
        prediction=first.prediction,
        positive=first.positive,
        protected_columns=first.protected_columns,
        checks=first.checks,
        names=NamesPlan(groups=PEOPLE, values=TRAITS),
        # Of those without a new offence, who is not rated a lower risk.
        subgroups=(
            SubgroupsPlan(columns=columns, protected=("race", "sex"), measure="fpr", direction="higher"),
            SubgroupsPlan(columns=columns, max_conditions=2),
        ),
        report=ReportPlan(
            title="Where does the risk score err most?",
            purpose="Example on synthetic data: groups that nobody named beforehand, judged on rows that the search "
            "never saw.",
        ),
    )


def _age_group(age: int) -> str:
    return "under 25" if age < 25 else "25 to 45" if age <= 45 else "over 45"
