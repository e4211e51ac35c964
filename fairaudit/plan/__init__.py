"""The whole audit as data: its parts, reading and writing them, and what they mean in a table."""

from fairaudit.late import late_names

__all__ = [
    "AuditPlan",
    "CheckPlan",
    "DataPlan",
    "ErrorsPlan",
    "ModelsPlan",
    "NamesPlan",
    "OutcomePlan",
    "ReportPlan",
    "ScorePlan",
    "SmallCellsPlan",
]

__getattr__ = late_names(
    __name__,
    {
        "AuditPlan": "fairaudit.plan.audit_plan",
        "CheckPlan": "fairaudit.plan.questions",
        "DataPlan": "fairaudit.plan.audit_plan",
        "ErrorsPlan": "fairaudit.plan.questions",
        "ModelsPlan": "fairaudit.plan.models",
        "NamesPlan": "fairaudit.plan.audit_plan",
        "OutcomePlan": "fairaudit.plan.outcomes",
        "ReportPlan": "fairaudit.plan.audit_plan",
        "ScorePlan": "fairaudit.plan.outcomes",
        "SmallCellsPlan": "fairaudit.plan.audit_plan",
    },
)
