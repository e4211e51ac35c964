"""The whole audit as data: its parts, reading and writing them, and what they mean in a table."""

from typing import TYPE_CHECKING

from fairaudit.late import late_names

if TYPE_CHECKING:
    from fairaudit.plan.audit_plan import AuditPlan, DataPlan, NamesPlan, ReportPlan, SmallCellsPlan
    from fairaudit.plan.models import ModelsPlan
    from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
    from fairaudit.plan.questions import CheckPlan, ErrorsPlan

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
