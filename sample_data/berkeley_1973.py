"""Write out the Berkeley admissions of autumn 1973, one row an applicant, from the published counts."""

from __future__ import annotations

from fairaudit.columns import ReadOptions
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, ControlPlan, ExplanationPlan

TITLE = "Berkeley admissions 1973 (real)"
EXPLAINED_TITLE = "Berkeley admissions 1973, what explains the gap (real)"
READING = ReadOptions()
VERB = {"verb": "were admitted"}
OTHERS: dict[str, str] = {"women": "men"}
SIMILAR = {"department": "within departments"}
"""What the decision, the other group and strata are called in sentences."""

# department: men admitted, men rejected, women admitted, women rejected
COUNTS = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}
CELLS = (("Men", "Admitted"), ("Men", "Rejected"), ("Women", "Admitted"), ("Women", "Rejected"))


def columns() -> dict[str, list[object]]:
    """Return the columns of the table, in the order of the published counts."""
    rows = [
        (department, gender, decision)
        for department, counts in COUNTS.items()
        for (gender, decision), n in zip(CELLS, counts, strict=True)
        for _ in range(n)
    ]
    names = ("department", "gender", "decision")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def plan(data: DataPlan) -> AuditPlan:
    """Return the ready audit of these admissions."""
    return AuditPlan(
        data=data,
        decision=OutcomePlan(column="decision", favorable=("Admitted",), meaning="admitted", is_outcome=False),
        protected_columns=("gender",),
        checks=(
            CheckPlan(
                title="Admission of women and men",
                protected="gender = 'Women'",
                protected_name="women",
                strata=("department",),
                compare=(("gender",),),
            ),
        ),
        report=ReportPlan(
            title="Were women and men admitted alike?",
            purpose="The six largest departments, autumn 1973: all together, and department by department.",
        ),
    )


def explained_plan(data: DataPlan) -> AuditPlan:
    """Return an audit of the same admissions that asks how much of the gap comes from where people applied."""
    first = plan(data)
    check = first.checks[0]
    reason = (
        "Departments decide on their own, and applicants choose where they apply. Why women applied where fewer are "
        "admitted is another question."
    )
    return first.model_copy(
        update={
            "checks": (check.model_copy(update={"compare": ()}),),
            "explanations": (
                ExplanationPlan(
                    protected=check.protected,
                    reference="similar",
                    protected_name=check.protected_name,
                    controls=(ControlPlan(column="department", reason=reason),),
                ),
            ),
            "report": ReportPlan(
                title="What explains the gap in admissions?",
                purpose="How much of the gap comes from where women and men applied, and what is left.",
            ),
        }
    )
