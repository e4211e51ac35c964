"""The counts of one group, by their numbers in the ledger."""

from __future__ import annotations

from dataclasses import dataclass

ABSENT = -1
"""The number of a count that the ledger does not hold."""


@dataclass(frozen=True)
class Cells:
    """The counts of one group by their numbers in the ledger: good outcomes, others, none, and rows with a decision."""

    good: int
    bad: int
    undecided: int
    n: int


NOT_HELD = Cells(ABSENT, ABSENT, ABSENT, ABSENT)
