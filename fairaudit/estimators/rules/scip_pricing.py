"""The pricing problem as an integer program, for when the branch and bound of `exact_pricing` does not come to its end.

=============== =============================================================================================
symbol          meaning
=============== =============================================================================================
z_j             whether the rule has literal j
d_i             whether the rule covers pattern i (a row of the table, with its net coefficient)
S_i             literals that do not hold on pattern i
D               literals of a rule, at most
lambda          the price of complexity
=============== =============================================================================================
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.duals import Duals
from fairaudit.estimators.rules.exact_pricing import Searched
from fairaudit.estimators.rules.pricing import LiteralTable
from fairaudit.events import Command, Incumbent, Progress
from fairaudit.solver import add_row, iter_solve, minimise, new_model
from fairaudit.work import Budget

ROUNDING: Final = 1e-6
"""The tolerance of SCIP."""
LARGEST: Final = 400_000
"""Entries of the matrix at most; beyond, the model takes longer to make than there is time."""


def is_for_scip(table: LiteralTable) -> bool:
    """Say whether the table is small enough for an integer program."""
    return 0 < table.literals.size <= LARGEST


def iter_scip_search(
    table: LiteralTable, duals: Duals, longest: int, *, below: float = 0.0, budget: Budget | None = None
) -> Generator[Progress | Incumbent, Command | None, Searched]:
    """Search for the rule with the least reduced cost."""
    net = table.net(duals.coefficients)
    patterns = np.flatnonzero(net)
    with new_model("pricing", budget) as model:
        literals = [model.addVar(f"z_{literal}", vtype="B") for literal in table.kept.tolist()]
        add_row(model, literals, [1.0] * len(literals), at_least=1, at_most=longest, name="length")
        covered = [
            _add_pattern(model, literals, ~table.literals[pattern], net[pattern] < 0, longest, pattern)
            for pattern in patterns.tolist()
        ]
        prices = [duals.price] * len(literals)
        minimise(model, literals + covered, [*prices, *net[patterns].tolist()], constant=duals.price)
        solved = yield from iter_solve(model, variables=literals, what="Looking for any rule that is left")
    found: dict[tuple[int, ...], float] = {}
    for solution in solved.solutions:
        rule = tuple(np.flatnonzero(solution > 0.5).tolist())
        cost = float(net[table.literals[:, list(rule)].all(axis=1)].sum() + duals.price * (1 + len(rule)))
        if cost < below:
            found[table.named(rule)] = cost
    best = sorted((cost, rule) for rule, cost in found.items())
    floor = solved.bound - ROUNDING * (1 + abs(solved.bound))
    return Searched(tuple(rule for _, rule in best), np.array([cost for cost, _ in best]), floor, complete=True)


def _add_pattern(
    model: Any, literals: list[Any], fails: NDArray[np.bool_], helps: bool, longest: int, pattern: int
) -> Any:
    """Add d_i and its row; return d_i."""
    covered = model.addVar(f"d_{pattern}", vtype="B" if helps else "C", lb=0, ub=1)
    against = [literals[place] for place in np.flatnonzero(fails).tolist()]
    if helps:
        # D d_i + sum over S_i of z_j <= D
        add_row(model, [covered, *against], [longest] + [1.0] * len(against), at_most=longest, name=f"out_{pattern}")
    else:
        # d_i + sum over S_i of z_j >= 1
        add_row(model, [covered, *against], [1.0] * (1 + len(against)), at_least=1, name=f"in_{pattern}")
    return covered
