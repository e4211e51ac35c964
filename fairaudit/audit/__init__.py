"""Make a whole audit from a plan, and hold what it found."""

from fairaudit.late import late_names

__all__ = ["AmountFinding", "AuditResult", "CheckFinding", "ErrorsFinding", "iter_run", "run"]

__getattr__ = late_names(
    __name__,
    dict.fromkeys(("AmountFinding", "AuditResult", "CheckFinding", "ErrorsFinding"), "fairaudit.audit.result")
    | dict.fromkeys(("iter_run", "run"), "fairaudit.audit.running"),
)
