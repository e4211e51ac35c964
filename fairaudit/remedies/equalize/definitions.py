"""What words of scores that are spread alike mean."""

from __future__ import annotations


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "One score for all groups",
            "A model that is fitted both to be accurate and to give its scores the same distribution in all groups, "
            "among the rows of either outcome. Known as equalized distributions.",
        ),
    )
