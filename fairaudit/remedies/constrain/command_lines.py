"""What the command line prints of a model that was trained to meet constraints."""

from __future__ import annotations

from fairaudit.study.findings import RemedyFinding, StudyFacts


def command_lines(finding: RemedyFinding, facts: StudyFacts) -> list[str]:
    """Return in one line whether constraints are met; nothing of what is hidden."""
    details = finding.details
    parts = []
    if details.feasible is not None:
        counts = "" if details.n_pairs_met is None else f" ({details.n_pairs_met:,} of {details.n_pairs:,})"
        parts.append(f"{'met' if details.feasible else 'not met'} on the tuning rows{counts}")
    if details.n_pairs_within is not None:
        within = f"{details.n_pairs_within:,} of {details.n_pairs:,}"
        parts.append(f"{within} within what is allowed on held-out rows")
    return [f"{finding.name}: constraints {', '.join(parts)}"] if parts else []
