"""What words of thresholds by group mean."""

from __future__ import annotations


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Threshold",
            "The score from which on, or up to which where a lower score is better, the good outcome is predicted. "
            "Thresholds by group are at another score in each group. Known as group-specific thresholds; the search "
            "for them that goes by chance is known as a particle swarm.",
        ),
    )
