"""What words of rule sets mean."""

from __future__ import annotations


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        (
            "List of rules, complexity",
            "The outcome is predicted where at least one rule holds; a rule holds where all of its conditions do. "
            "Each rule adds 1 to the complexity, and each of its conditions 1. Known as a rule set, or Boolean rules "
            "in disjunctive normal form.",
        ),
        (
            "Difference between groups, of a list of rules",
            "How far a rate that had to be alike is apart between two groups. It is not the gap, which is in good "
            "outcomes, between the protected group and the rest.",
        ),
        (
            "Hamming loss, 0-1 loss",
            "What the search for rules brings down. In both, a row that has the outcome counts once if no rule holds "
            "for it. A row without the outcome counts once for each rule that holds for it (Hamming loss), or once if"
            " any does (0-1 loss). Differences between groups are counted in the same way during the search; the"
            " list that is taken keeps to the limit as everybody would count it, each row once.",
        ),
        (
            "Proven bound, of a list of rules",
            "A number that the loss of no list of rules of the allowed complexity, within the limit on differences on "
            "the training rows, can be below. It is proven by mathematics, not estimated; it says nothing about other "
            "rows. It comes from the loss that there would be if rules could be taken in part, such as half of one: "
            "that is quicker to work out, and never higher.",
        ),
        (
            "Margin",
            "How much less than the allowed difference was allowed on the training rows, so that other rows have room"
            " for chance.",
        ),
    )
