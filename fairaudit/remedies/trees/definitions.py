"""What words of decision trees mean."""

from __future__ import annotations

_BOUND = ("Proven bound, of a tree", "What no tree of the allowed depth can be below on the training cases.")


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Decision tree",
            "Yes-or-no questions, one after another. Each way ends in a leaf, which says what is predicted.",
        ),
        _BOUND,
        ("Margin", "How much less than the limit was allowed on the training cases."),
    )


def amount_definitions() -> tuple[tuple[str, str], ...]:
    """Return the same where the decision is an amount."""
    return (
        (
            "Tree of amounts",
            "Yes-or-no questions, one after another. Each way ends in a leaf, which predicts an amount.",
        ),
        _BOUND,
    )
