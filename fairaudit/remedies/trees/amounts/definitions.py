"""What words of trees of amounts mean."""

from __future__ import annotations

from fairaudit.remedies.trees.definitions import BOUND


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Tree of amounts",
            "Yes-or-no questions, asked one after the other. Each way through them ends in a leaf, which predicts one"
            " amount for all who come there or, where that was allowed, weighs columns of numbers. The search makes "
            "the mean absolute error small.",
        ),
        (
            "Mean amounts alike (statistical parity)",
            "The mean predictions of any two groups differ by at most what is allowed, on the rows that the tree is "
            "learned from.",
        ),
        BOUND,
    )
