"""A named maximum reveals a bound on hidden rates: none is above it. A missing name can reveal that one is.

So whether the reference is shown must not depend on hidden rates alone: in a group of few people, only one count may
make its rate the highest. The check assumes in turn that no hidden rate is above the highest one shown, and that one
is. If all small counts stay open in both cases, the reference is shown whenever it can be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.optimize import LinearConstraint

from fairaudit.disclosure.consistent_counts import Program, open_equations
from fairaudit.disclosure.ledger import Ledger, known_counts, most_of, spread_of


class RankCheck:
    """Whether small counts stay open when a reader knows which group has the highest rate.

    Parameters
    ----------
    ledger : Ledger
        All counts and equations.
    hidden : set of int
        The published counts that are hidden.

    Notes
    -----
    Tables are checked one after the other; what the shown reference of one reveals is known when the next is checked.
    """

    def __init__(self, ledger: Ledger, hidden: set[int]):
        known = known_counts(ledger, hidden)
        self.values = ledger.values
        self.free, self.matrix, self.right = open_equations(ledger.values, ledger.equations, known)
        self.column = {number: i for i, number in enumerate(self.free)}
        self.targets = [self.column[number] for number in sorted(ledger.sensitive) if number in self.column]
        self.most = most_of(ledger, known)
        self.spread = spread_of(ledger)
        self.stated: list[LinearConstraint] = []

    def leaves_open(self, groups: Sequence[tuple[int, int]], rate: Fraction) -> bool:
        """Say whether small counts stay open, whether no hidden rate is above the highest one shown or one is."""
        return self._open([self._none_above(groups, rate)]) and self._open(
            [[self._inequality(*group, rate, above=True)] for group in groups]
        )

    def note(self, groups: Sequence[tuple[int, int]], rate: Fraction) -> None:
        """Take as known that none of these groups has a rate above this one, as a shown reference says."""
        self.stated += self._none_above(groups, rate)

    def _none_above(self, groups: Sequence[tuple[int, int]], rate: Fraction) -> list[LinearConstraint]:
        return [self._inequality(*group, rate, above=False) for group in groups]

    def _open(self, cases: Sequence[Sequence[LinearConstraint]]) -> bool:
        """Say whether each small count keeps values far apart, in one of the cases or another; or no case can be."""
        low, high = np.full(len(self.free), np.inf), np.full(len(self.free), -np.inf)
        narrow, possible = self.targets, False
        for case in cases:
            program = Program(self.matrix, self.right, self.most, also=[*self.stated, *case])
            if program.solve(np.zeros(len(self.free))):
                possible = True
                program.low, program.high = np.minimum(low, program.low), np.maximum(high, program.high)
                narrow = list(program.narrow(narrow, self.spread))
                low, high = program.low, program.high
            if not narrow:
                return True
        return not possible

    def _inequality(self, selected: int, whole: int, rate: Fraction, *, above: bool) -> LinearConstraint:
        """Return ``selected <= rate * whole``, or ``selected > rate * whole``, on the counts that are not known."""
        row, most, step = np.zeros((1, len(self.free))), Fraction(0), Fraction(1, rate.denominator)
        for number, factor in ((selected, Fraction(1)), (whole, -rate)):
            if number in self.column:
                row[0, self.column[number]] = float(factor)
            else:
                most -= factor * self.values[number]
        if whole not in self.column:
            most, step = Fraction(math.floor(most)), Fraction(1)
        return (
            LinearConstraint(row, float(most + step), np.inf) if above else LinearConstraint(row, -np.inf, float(most))
        )
