"""The whole audit as data: its parts, reading and writing them, and what they mean in a table."""

from fairaudit.late import late_names

__all__ = [
    "AuditPlan",
    "CheckPlan",
    "DataPlan",
    "ErrorsPlan",
    "ModelsPlan",
    "OutcomePlan",
    "ReportPlan",
    "ScorePlan",
    "SmallCellsPlan",
]

__getattr__ = late_names(
    __name__, dict.fromkeys(__all__, "fairaudit.plan.audit_plan") | {"ModelsPlan": "fairaudit.plan.models"}
)
