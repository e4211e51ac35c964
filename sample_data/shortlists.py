"""Make synthetic shortlists of an employer: at equal test points, women stand lower in each posting."""

from __future__ import annotations

import numpy as np

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.sections.rankings.plan import RankingsPlan
from sample_data.draws import Draws, effect

TITLE = "Shortlists of applicants (synthetic)"
SEED = 61
READING = ReadOptions()
VERB = {"verb": "were invited"}
OTHERS = {"women": "men"}
SIMILAR = {"kind": "for the same kind of work"}
"""What the decision, the other group and strata are called in sentences."""

N_POSTINGS = 80
FIRST = 5
"""How many of each posting are invited."""
KINDS = {"office": 0.45, "care": 0.25, "workshop": 0.30}
WOMEN = {"care": 0.25, "workshop": -0.30}


def columns() -> dict[str, list[object]]:
    """Return the columns of the table."""
    draws = Draws(SEED)
    kinds = draws.pick(KINDS, N_POSTINGS)
    sizes = np.clip(np.round(draws.normal(N_POSTINGS, 18, 9)), 3, 45).astype(int)
    posting = np.repeat(np.arange(1, N_POSTINGS + 1), sizes)
    kind, n = kinds[posting - 1], len(posting)
    woman = draws.flag(0.46 + effect(kind, WOMEN), n)
    points = np.clip(np.round(draws.normal(n, 60, 14)), 5, 100).astype(int)
    # Whoever screens goes by the test, and takes six points off for women; half points make ties.
    score = np.round(2 * (points - 6 * woman + draws.normal(n, 0, 7)) / 10) / 2
    order = np.lexsort((np.arange(n), -score, posting))
    place = np.empty(n, dtype=int)
    place[order] = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
    return {
        "application": list(range(40_001, 40_001 + n)),
        "posting": posting.tolist(),
        "kind": list(kind),
        "sex": ["woman" if flag else "man" for flag in woman],
        "test_points": points.tolist(),
        "score": score.tolist(),
        "invited": ["yes" if each <= FIRST else "no" for each in place],
    }


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of these shortlists."""
    return AuditPlan(
        data=data,
        decision=OutcomePlan(column="invited", favorable=("yes",), meaning="invited", is_outcome=False),
        protected_columns=("sex",),
        checks=(CheckPlan(title="Women and men", protected="sex = 'woman'", protected_name="women", strata=("kind",)),),
        rankings=(
            RankingsPlan(
                protected="sex = 'woman'",
                protected_name="women",
                others_name="men",
                score="score",
                first=FIRST,
                lists=("posting",),
                merit="test_points",
                strata=("kind",),
            ),
        ),
        report=ReportPlan(
            title="Who stands among the first five?",
            purpose="Example on synthetic data: lists of applicants, with ties, and lists too short to say anything.",
        ),
    )
