"""The way to the best multipliers: each point tried gives a bound, a tree, and good trees with its splits."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np

from fairaudit.errors import sure
from fairaudit.estimators.trees.dual.cutting_planes import DualMaster
from fairaudit.estimators.trees.dual.terms import Multipliers
from fairaudit.estimators.trees.frontier.conjunction_sums import ConjunctionSums
from fairaudit.estimators.trees.frontier.relabeling import relabeled
from fairaudit.estimators.trees.frontier.state import Event, SearchState
from fairaudit.estimators.trees.frontier.subtrees import BestSubtrees
from fairaudit.events import Command

MOST_ROUNDS: Final = 400
"""Points tried, at most."""
NEAR: Final = 0.02
"""The ascent ends where so little of the distance between bound and objective can still be closed by it."""
CLOSE: Final = 1e-6
"""It ends, too, where the bound can rise by no more: what the tolerances of limits and of the linear solver come to."""


@dataclass(frozen=True, eq=False)
class DualPoint:
    """Multipliers, with the best subtrees for them.

    Parameters
    ----------
    multipliers : Multipliers
        The point.
    trees : BestSubtrees
        For the costs that they make.
    bound : float
        What no allowed tree can be better than.
    """

    multipliers: Multipliers
    trees: BestSubtrees
    bound: float


def iter_ascend(
    state: SearchState, sums: ConjunctionSums, *, share: float = 1.0, master: DualMaster | None = None
) -> Generator[Event, Command | None, DualPoint]:
    """Ascend the dual; trees that are found join those of a master program."""
    terms = state.terms
    master = DualMaster(terms) if master is None else master
    all_ones = float(terms.costs.sum())
    master.add(terms.base, np.zeros(terms.n_forms))
    master.add(terms.base + all_ones, terms.forms.sum(axis=1))
    aim, upper = master.start(), np.inf
    tried = aim
    best: DualPoint | None = None
    for _ in range(MOST_ROUNDS):
        point = _tried(state, sums, master, tried)
        if best is None:
            state.least_loss = point.bound
        rose = best is None or point.bound > best.bound
        if best is None or rose:
            best = point
            state.bound = max(state.bound, point.bound)
        yield from state.iter_show("Looking for the bound")
        left = upper - best.bound
        if state.slack < 0 or state.budget.spent > share * state.budget.limit or state.is_over:
            break
        if not terms.n_forms or left <= max(NEAR * state.slack, CLOSE) or best.bound > state.highest:
            break
        solved = master.solve(state.budget)
        if solved is None:
            break
        aim, upper = solved
        # Half the way to the optimum of the master as long as that rises; the optimum itself where it does not.
        tried = best.multipliers.mixed(aim, 0.5) if rose and len(terms.bounds) + master.n_measured > 2 else aim
    return sure(best)


def _tried(state: SearchState, sums: ConjunctionSums, master: DualMaster, multipliers: Multipliers) -> DualPoint:
    """Find the best tree for multipliers, and hand it on."""
    terms, problem = state.terms, state.problem
    trees = sums.best(multipliers)
    shape = trees.shape(sums.columns, problem.max_depth)
    h = sums.predictions(shape, multipliers)
    state.budget.spend(calls=30, elements=4 * problem.rows.n_cells)
    master.add(float(terms.base + terms.costs @ h + problem.split_price * shape.n_splits), terms.forms @ h)
    state.offer(relabeled(terms, shape))
    return DualPoint(multipliers, trees, terms.base + multipliers.constant + trees.value)
