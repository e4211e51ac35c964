"""All rules that could still be part of a better rule set, so that the optimum over them is the optimum over all.

Any rule set with rule k loses at least ``dual bound + reduced_cost[k]``, at duals that are feasible for all rules. So a
rule whose reduced cost is larger than the distance from that bound to the best solution need not be looked at.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass

from fairaudit.estimators.rules.duals import Duals
from fairaudit.estimators.rules.exact_pricing import Searched
from fairaudit.estimators.rules.pricing import LiteralTable
from fairaudit.estimators.rules.problem import Problem, RuleColumns
from fairaudit.estimators.rules.short_pricing import LONGEST, Blocks, iter_exact_search
from fairaudit.events import STOP, Command, Progress
from fairaudit.work import Budget

MOST_LISTED = 5_000
"""Rules at most: an integer program over more would not end."""

MOST_TRUTHS = 400_000_000
"""Truth values at most, of all rules on all cells."""

LEAST = 1e-5
"""What a limit is raised by, as a share of the loss: more than rounding, so that a reduced cost at it is listed."""


@dataclass(frozen=True, eq=False)
class Listed:
    """Rules with a small reduced cost.

    Parameters
    ----------
    columns : RuleColumns
        The rules; of those that cover the same cells, the shortest.
    floor : float
        No rule that covers other cells than each of these has a reduced cost below this; 0 where that is not proven.
    """

    columns: RuleColumns
    floor: float


def iter_list(
    problem: Problem, duals: Duals, loss: float, budget: Budget
) -> Generator[Progress, Command | None, Listed]:
    """List the rules that a rule set with less loss can have."""
    table = LiteralTable.of(problem.rows)
    search = iter_exact_search(
        table,
        Blocks.of(table, problem.longest) if problem.longest <= LONGEST else None,
        duals.coefficients,
        duals.price,
        problem.longest,
        # Losses are whole rows.
        below=max(loss - 1 - duals.value, 0.0) + LEAST * (1 + loss),
        keep=max(min(MOST_LISTED, MOST_TRUTHS // problem.rows.n_cells), 1),
        every_cover=True,
        budget=budget,
    )
    searched = Searched((), duals.coefficients[:0], 0.0, False)
    while True:
        if (yield Progress("Listing all rules that could still help", 0, 1)) is STOP:
            search.close()
            break
        try:
            next(search)
        except StopIteration as end:
            searched = end.value
            break
    floor = max(searched.floor, 0.0) if searched.complete and math.isfinite(searched.floor) else 0.0
    return Listed(RuleColumns.of(searched.rules, problem.rows), floor)
