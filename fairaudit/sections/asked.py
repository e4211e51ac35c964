"""What was asked about two groups, as an answer repeats it."""

from __future__ import annotations

from fairaudit.audit.result import AmountFinding, ChangeFinding, CheckFinding, ExplanationFinding


def protected_text(finding: CheckFinding | AmountFinding | ExplanationFinding | ChangeFinding) -> str:
    """Return the protected group as its plan names it, or its condition in words."""
    return finding.plan.protected_name or finding.protected_words


def asked_rows(finding: ExplanationFinding | ChangeFinding) -> tuple[tuple[str, str], ...]:
    """Return what was asked, as label and value."""
    return (
        ("Filter", finding.where_words or "all rows"),
        ("Protected group", protected_text(finding)),
        (finding.decision.kind.label, finding.meaning),
    )
