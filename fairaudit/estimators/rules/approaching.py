"""Make a rule set step by step while a gap that is too large only costs, more and more until it is as small as asked.

Where no step may make the gap too large, steps end early: the first rules are those that lose few rows, and what brings
rates together comes after.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Final

from fairaudit.estimators.progress import TOTAL
from fairaudit.estimators.rules.improving import Rule, Weighing, improve
from fairaudit.estimators.rules.problem import Problem, RuleColumns, outcome_of
from fairaudit.events import STOP, Command, Progress
from fairaudit.work import Budget

PRICES: Final = (1.5, 2.5, 1.0)
"""What a gap of 1 above what is asked costs at first, as a multiple of the rows."""
RISING: Final = (1.0, 2.0, 4.0, 16.0, math.inf)
"""Multiples of that, in turn; in the end no gap above what is asked is allowed."""


def iter_approach(
    problem: Problem, columns: RuleColumns, budget: Budget
) -> Generator[Progress, Command | None, tuple[Rule, ...] | None]:
    """Return the best rule set that meets the rows of the master problem, None where none does."""
    weighing = Weighing(problem, columns, true=False)
    found: list[tuple[float, tuple[Rule, ...]]] = []
    for price in PRICES:
        if budget.is_over:
            break
        rules: tuple[Rule, ...] = ()
        for rise in RISING:
            if (yield Progress("Improving rules", budget.steps(TOTAL), TOTAL)) is STOP:
                return _best(found)
            rules = improve(weighing, rules, budget, price=rise * price * problem.rows.n_rows)
        rules = tuple(sorted(rules))
        made = RuleColumns.of(rules, problem.rows)
        outcome = outcome_of(problem, made, range(len(made)))
        if outcome.fits_master(problem):
            found.append((outcome.loss(problem), rules))
    return _best(found)


def _best(found: list[tuple[float, tuple[Rule, ...]]]) -> tuple[Rule, ...] | None:
    return min(found)[1] if found else None
