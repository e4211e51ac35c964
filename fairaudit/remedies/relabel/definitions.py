"""What words of retraining mean."""

from __future__ import annotations


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Retraining, changed decisions",
            "As many decisions about the protected group are changed as it takes for both groups to have the good one "
            "equally often in the rows that a new model then learns from. Known as relabelling: where past decisions "
            "are changed as risk-based flipping, where those of a first model are as risk adjustment.",
        ),
    )
