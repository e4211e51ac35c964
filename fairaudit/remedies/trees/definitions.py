"""What words of decision trees mean."""

from __future__ import annotations

BOUND = (
    "Proven bound, of a tree",
    "A number that what the search makes small cannot be below, for any tree of the allowed depth made of the "
    "questions that were considered. It is proven by mathematics, not estimated; it says nothing about other rows.",
)


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "Decision tree, depth, leaf",
            "Questions that are asked one after another, each with two answers; a leaf, where they end, says what is "
            "predicted. The depth is the most questions on the way to a leaf. Known as an optimal tree where the "
            "best one is searched for, and as a look-ahead tree where one is grown question by question.",
        ),
        BOUND,
        (
            "Margin",
            "How much less than the allowed difference was allowed on the training rows, so that other rows have room"
            " for chance.",
        ),
    )
