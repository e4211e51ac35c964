"""What words of models that keep to limits mean."""

from __future__ import annotations


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Constraint, limit",
            "How far any two groups may be apart in a rate. A model is trained again and again with rows counted more"
            " or less, until the gaps on the tuning rows are within that. Each pair of groups has a multiplier, which"
            " says how strongly; 0 is no constraint. Known as training under fairness constraints.",
        ),
    )
