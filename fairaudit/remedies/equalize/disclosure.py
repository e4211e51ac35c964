"""What is shown of equalized distributions where small counts are hidden."""

from __future__ import annotations

from typing import Any

from fairaudit.study.findings import RemedyFinding


def shown_in_part(finding: RemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
    """Hide how scores are spread: a bin holds few rows."""
    return {"distribution": finding.details.distribution.iloc[:0]}
