"""What words of retraining on relabelled rows mean."""

from __future__ import annotations


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Relabelling",
            "Changing as few labels of the protected group as it takes for both groups to have the good label equally"
            " often in the rows that a new model then learns from.",
        ),
    )
