"""What words of thresholds by group mean."""

from __future__ import annotations


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Threshold",
            "Where a score is cut: at or above it, the good outcome is predicted. Thresholds by group cut the same "
            "score at another place in each group. Known as group-specific thresholds; the search for them that goes "
            "by chance is known as a particle swarm.",
        ),
    )
