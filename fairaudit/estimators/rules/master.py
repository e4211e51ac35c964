"""The restricted master problem of column generation, and the pool of rules that it is made from.

The linear relaxation of the master problem over some rules, with duals.

=============== =============================================================================================
symbol          meaning
=============== =============================================================================================
w_k             how much of rule k is taken; at least 0, with no upper bound, or columns would be found again
c_k             what rule k adds to the complexity: 1 + its literals; their sum is at most C
n_i, s_i        rows that cell i stands for; sum of w_k over the rules that cover it
zeta_i          how far the positive cell i is missed
M_g, H_g        missed positive rows and hits (covered negative rows) of group g
level_r         the least rate r of any group
excess          how far a rate is above its level and epsilon, at a high price
=============== =============================================================================================

Two aggregations keep it small and its value the same. All that counts of the zetas is the sum M_g, which is convex in
w: the sum over positive cells of ``n_i max(0, 1 - s_i)``. So there is one variable for each part of the positive
cells of a group, and no zeta: it is at least the sum of ``n_i (1 - s_i)`` over any of the part's cells, and such
rows come in as cuts where they are violated. Cells that the rules in use cover alike make a part, so that few cuts
are needed. And the rows ``C zeta_i + 2 s_i <= C`` become one row a group: any M_g between the sum of ``max(0, 1 -
s_i)`` and that of ``1 - 2 s_i / C`` can be reached, and that sum is an upper limit of M_g. In the 0-1 form H_g lies
likewise between the sums of ``2 s_i / C`` and of ``min(1, s_i)``; the latter is concave, and comes in as cuts, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from fairaudit.errors import SolverError
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows, outcome_of
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.limits import SLACK
from fairaudit.work import ELEMENTS_PER_S, Budget

# What covering a cell is worth, and the bound on the relaxation of the master problem that follows from it.
#
# =============== =============================================================================================
# symbol          meaning
# =============== =============================================================================================
# n_i             rows that cell i stands for
# s_i             sum of w_k over the rules that cover cell i
# zeta_i          how far the positive cell i is missed; in the 0-1 form also how far the negative cell i is hit
# y_i             the dual of s_i: what it is worth to cover cell i
# delta_rg        the dual of rate r in group g, above its level minus below it; sums to 0 over the groups
# lambda          the price of a unit of complexity; C, how complex a rule set may be
# =============== =============================================================================================
#
# For any y and delta the Lagrangian relaxation falls apart into cells, whose least values have a closed form, and
# rules, which add nothing where no reduced cost is negative. So a bound needs no trust in the tolerances of the linear
# solver.

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Duals:
    """What each cell adds to the reduced cost of a rule that covers it, and a bound on the relaxation."""

    # (n_cells,) Negative where covering helps.
    coefficients: Floats
    # The price of a unit of complexity (lambda); at least 0.
    price: float
    # The dual objective without the price of complexity.
    constant: float
    max_complexity: int

    @property
    def value(self) -> float:
        """The dual objective: a lower bound on the relaxation over all rules whose reduced costs are not negative."""
        return self.constant - self.max_complexity * self.price

    def raised(self, price: float) -> Self:
        """Return the duals with another price of complexity."""
        return replace(self, price=price)

    def mixed(self, other: Duals, share: float) -> Self:
        """Return the duals on the way to others; the dual objective is concave, so the constant is no overestimate."""
        return replace(
            self,
            coefficients=(1 - share) * self.coefficients + share * other.coefficients,
            price=(1 - share) * self.price + share * other.price,
            constant=(1 - share) * self.constant + share * other.constant,
        )

    def reduced_costs(self, covers: NDArray[np.bool_], costs: NDArray[np.int64]) -> Floats:
        """Return the reduced cost of each rule.

        Shapes: `covers` (n_rules, n_cells), `costs` (n_rules,); returns (n_rules,).
        """
        return weighted_covers(covers, self.coefficients[:, None])[:, 0] + self.price * costs


def weighted_covers(covers: NDArray[np.bool_], weights: Floats) -> Floats:
    """Return the sums of weights over the cells that each rule covers, shape (n_rules, n_weights).

    Rules are taken in blocks, so that no copy of all covers as numbers is needed.
    """
    block = max(1, 4_000_000 // max(1, covers.shape[1]))
    sums = np.empty((len(covers), weights.shape[1]))
    for start in range(0, len(covers), block):
        sums[start : start + block] = covers[start : start + block].astype(np.float64) @ weights
    return sums


def duals_of(problem: Problem, worth: Floats, balances: Floats, price: float) -> Duals:
    """Return the duals that follow from what covering cells is worth and from the duals of the rates.

    Shapes: `worth` (n_cells,), `balances` (n_rates, n_rated).
    """
    rows, n = problem.rows, problem.rows.weights.astype(np.float64)
    per_missed, per_hit, constant = np.ones(rows.n_groups), np.ones(rows.n_groups), 0.0
    for rate, balance in zip(problem.rates, balances, strict=True):
        centred = np.where(rate.defined, balance - balance[rate.defined].sum() / max(1, rate.defined.sum()), 0.0)
        per_missed, per_hit = per_missed + centred @ rate.missed, per_hit + centred @ rate.hit
        constant += float(rate.constant @ centred) - problem.max_difference * float(np.maximum(centred, 0).sum())
    half = problem.max_complexity / 2
    # zeta_i >= 1 - s_i, zeta_i <= 1 - 2 s_i / C, zeta_i >= 0: corners (s, zeta) = (0, 1), (1, 0), (C / 2, 0)
    positive = rows.labels
    y, missed = worth[positive], (n * per_missed[rows.groups])[positive]
    coefficients = np.empty(rows.n_cells)
    coefficients[positive] = -y
    constant += float(np.minimum(missed, np.minimum(y, half * y)).sum())
    hit = (n * per_hit[rows.groups])[~positive]
    if problem.objective == "hamming":
        coefficients[~positive] = hit
    else:
        # 2 s_i / C <= zeta_i <= min(1, s_i): corners (s, zeta) = (0, 0), (1, 1), (C / 2, 1)
        y = worth[~positive]
        coefficients[~positive] = -y
        constant += float(np.minimum(0.0, hit + np.minimum(y, half * y)).sum())
    return Duals(coefficients, max(0.0, price), constant, problem.max_complexity)


PENALTY: Final = 20.0
"""What an excess of 1 costs, as a multiple of the rows."""
OUT_OF_ITERATIONS: Final = 1
"""SciPy's status."""
ITERATION_ELEMENTS: Final = 2000
"""What an iteration of the simplex method takes beside an element for each row and column."""
MOST_SIMPLEX_STEPS: Final = 2**31 - 1
FEWEST_ITERATIONS: Final = 1000
"""So many are always allowed: then small programs are solved also where no work is left."""
MAX_CUTS: Final = 25
"""Most rounds of cuts on the hits of the 0-1 form in one solve."""
MAX_MISSED_CUTS: Final = 300
"""The same for cuts on missed rows."""
MOST_PARTS: Final = 80
"""Parts of the positive cells, at most, where there are no more groups."""
MOST_USED: Final = 30
"""Rules that parts are made by: those in use, and then those that cover most of what is worth covering."""
MOST_KEPT: Final = 12
"""Sets of missed cells from earlier solves whose cuts the next begins with: the last two, and those that bound most."""
LOOSENESS: Final = 0.1
"""The share of the distance from the value to a bound by which cuts may be violated in sum."""
CENTRE: Final = 0.3
"""Cuts are made at the mean of what solutions cover, which each moves towards itself by this share."""
PRICED: Final = 6
"""Digits of prices compared; further digits depend on the CPU."""
DEEP: Final = 0.2
"""The share of what a solution violates that a cut must be violated by, or one is made at the solution itself."""
CUT: Final = 1e-8
"""A cut is made where it is violated by this share of the value."""


@dataclass(frozen=True, eq=False)
class MasterSolution:
    """An optimum of the relaxation over some rules."""

    value: float
    # (n_rules,) w.
    taken: Floats
    duals: Duals
    # How far the largest difference stays above what is allowed: 0 where the rules can meet it.
    excess: float
    # Whether cuts are missing, so that the value is too low by as much as was allowed.
    is_loose: bool = False


class Master:
    """The relaxation, solved over any set of rules."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        rows = problem.rows
        self.positive = np.flatnonzero(rows.labels)
        self.tallies = np.zeros((rows.n_cells, 2 * rows.n_groups))
        self.tallies[np.arange(rows.n_cells), 2 * rows.groups + rows.labels] = rows.weights
        self.rated_places = [place for place, rate in enumerate(problem.rates) if rate.defined.sum() > 1]
        self.rated = [problem.rates[place] for place in self.rated_places]
        self.counts_missed = any(rate.missed.any() for rate in self.rated)
        self.counts_hits = problem.objective == "zero_one" and any(rate.hit.any() for rate in self.rated)
        self.cuts: list[tuple[int, NDArray[np.bool_]]] = []
        # Positive cells that earlier solves missed in part, and what their rules in use covered of all of them.
        self.missed: list[NDArray[np.bool_]] = []
        self.used: NDArray[np.bool_] = np.zeros((0, len(self.positive)), dtype=bool)

    def tally(self, covers: NDArray[np.bool_]) -> Floats:
        """Return the rows that rules cover by group and label, shape (n_rules, 2 n_groups): negative, then positive."""
        return weighted_covers(covers, self.tallies)

    def solve(
        self,
        covers: NDArray[np.bool_],
        costs: NDArray[np.int64],
        tallies: Floats | None = None,
        *,
        budget: Budget | None = None,
        bound: float | None = None,
    ) -> MasterSolution | None:
        """Solve over some rules; where a bound is given, only so near as its distance makes worth while.

        Shapes: `covers` (n_rules, n_cells), `costs` (n_rules,), `tallies` (n_rules, 2 n_groups).
        """
        budget = Budget() if budget is None else budget
        tallies = self.tally(covers) if tallies is None else tallies
        solution, n_hit_cuts = None, 0
        budget.spend(calls=2 * len(covers), elements=2 * covers.size)
        program = _Program(self, covers, costs, tallies)
        for _ in range(MAX_MISSED_CUTS):
            solved = program.solve(budget)
            if solved is None:
                break
            # Without its last cuts the relaxation is weaker, and its duals bound as well.
            solution = solved
            if bound is not None and 0 < program.violation(solution) <= LOOSENESS * (solution.value - bound):
                solution = replace(solution, is_loose=True)
                break
            is_cut = program.cut_missed(solution)
            if self.counts_hits and not is_cut and n_hit_cuts < MAX_CUTS and self._cut(covers, solution.taken, program):
                n_hit_cuts += 1
                is_cut = True
            if not is_cut or budget.is_over:
                break
        program.leave(solution)
        return solution

    def _cut(self, covers: NDArray[np.bool_], taken: Floats, program: _Program) -> bool:
        """Add a cut for each group whose hits are above the sum of min(1, s_i); say whether there was one."""
        rows, used = self.problem.rows, taken > SLACK
        met = taken[used] @ covers[used]
        found = False
        for group in range(rows.n_groups):
            cells = ~rows.labels & (rows.groups == group)
            most = float(np.minimum(1.0, met[cells]) @ rows.weights[cells])
            if program.hits[group] > most + 1e-6 * (1 + most):
                self.cuts.append((group, cells & (met >= 1.0)))
                program.add_hit_cut(group, self.cuts[-1][1], covers)
                found = True
        return found


class _Program:
    """One linear program over w, the missed rows of each part, H, levels and the excess."""

    def __init__(self, master: Master, covers: NDArray[np.bool_], costs: NDArray[np.int64], tallies: Floats) -> None:
        self.master, self.problem = master, master.problem
        rows, self.n_rules = self.problem.rows, len(costs)
        self.covers = sparse.csr_matrix(covers[:, master.positive], dtype=np.float64)
        self.weights = rows.weights[master.positive].astype(np.float64)
        self._divide()
        self.hits = np.zeros(rows.n_groups)
        self.few: list[Floats] = []
        self.sides: list[float] = []
        self.hit = self.n_rules + self.n_parts
        self.level = self.hit + (rows.n_groups if master.counts_hits else 0)
        self.excess = self.level + len(master.rated)
        self.n_variables = self.excess + (1 if master.rated else 0)
        self.scale = rows.n_rows / rows.n_groups
        self.cuts: list[tuple[int, int, Floats]] = []
        self.centre: Floats | None = None
        self.priced: list[float] = []
        # Rows for missed cells: the matrix, the sides, the parts and the cells of each time that cuts were made.
        self.missed: list[tuple[sparse.csr_matrix, Floats, NDArray[np.int64], NDArray[np.bool_]]] = []
        self._add_rows(covers, costs, tallies)
        for cells in (np.ones(len(self.weights), dtype=bool), *master.missed):
            self._add_missed(cells, np.arange(self.n_parts))

    def _divide(self) -> None:
        """Divide the positive cells of each group into parts that the rules in use cover alike, or nearly."""
        rows, used = self.problem.rows, self.master.used
        groups = rows.groups[self.master.positive]
        keys = np.ascontiguousarray(np.packbits(np.vstack([used, np.ones((1, len(groups)), dtype=bool)]), axis=0).T)
        _, alike = np.unique(keys.view(np.dtype((np.void, keys.shape[1]))).ravel(), return_inverse=True)
        alike = alike.reshape(-1)
        n_alike = int(alike.max(initial=0)) + 1
        most = max(1, MOST_PARTS // rows.n_groups)
        alike = alike if n_alike <= most else alike * most // n_alike
        _, first, parts = np.unique(groups * (n_alike + 1) + alike, return_index=True, return_inverse=True)
        self.parts, self.part_groups, self.n_parts = parts.reshape(-1), groups[first], len(first)

    def _add(self, row: Floats, side: float) -> int:
        """Add row x <= side; return its place among the few rows."""
        self.few.append(row)
        self.sides.append(side)
        return len(self.few) - 1

    def _row(self, taken: Floats | NDArray[np.int64] | float = 0.0) -> Floats:
        row = np.zeros(self.n_variables)
        row[: self.n_rules] = taken
        return row

    def _add_rows(self, covers: NDArray[np.bool_], costs: NDArray[np.int64], tallies: Floats) -> None:
        master, problem = self.master, self.problem
        rows, part = problem.rows, 2 / problem.max_complexity
        negatives, positives = tallies[:, 0::2], tallies[:, 1::2]
        parts = slice(self.n_rules, self.n_rules + self.n_parts)
        missed, hit = [], []
        for group in range(rows.n_groups):
            row = self._row()
            row[parts] = self.part_groups == group
            missed.append(row)
            row = self._row(negatives[:, group] * (1.0 if problem.objective == "hamming" else part))
            if master.counts_hits:
                row = self._row()
                row[self.hit + group] = 1.0
            hit.append(row)
        self.objective = np.sum(missed, axis=0) + np.sum(hit, axis=0)
        self.complexity = self._add(self._row(costs), problem.max_complexity)
        self.most_missed, self.least_hit, self.most_hit = [], [], []
        for group in range(rows.n_groups):
            if master.counts_missed:
                row = missed[group] + self._row(part * positives[:, group])
                self.most_missed.append(self._add(row, float(rows.totals[group, 1])))
            if master.counts_hits:
                self.least_hit.append(self._add(self._row(part * negatives[:, group]) - hit[group], 0.0))
                self.most_hit.append(self._add(hit[group] - self._row(negatives[:, group]), 0.0))
        for group, met in master.cuts if master.counts_hits else []:
            self.add_hit_cut(group, met, covers)
        self._add_rates(missed, hit)

    def add_hit_cut(self, group: int, met: NDArray[np.bool_], covers: NDArray[np.bool_]) -> None:
        """Add H_g - sum of n_i s_i over the cells that are not met <= rows that are met."""
        rows = self.problem.rows
        counted = np.where(~rows.labels & (rows.groups == group) & ~met, rows.weights, 0.0)
        row = self._row(-weighted_covers(covers, counted[:, None])[:, 0])
        row[self.hit + group] = 1.0
        self.cuts.append((self._add(row, float(rows.weights[met].sum())), group, counted))

    def _add_missed(self, cells: NDArray[np.bool_], parts: NDArray[np.int64]) -> None:
        """Add sum of n_i (1 - s_i) over the cells of a part <= its missed rows, for some parts."""
        counted = self.weights * cells
        in_part = sparse.csr_matrix((counted, (np.arange(len(cells)), self.parts)), shape=(len(cells), self.n_parts))
        taken = (self.covers @ in_part).T.tocsr()[parts]
        own = sparse.csr_matrix(
            (-np.ones(len(parts)), (np.arange(len(parts)), parts)), shape=(len(parts), self.n_parts)
        )
        rest = sparse.csr_matrix((len(parts), self.n_variables - self.n_rules - self.n_parts))
        sides = -sums_by_code(self.parts, counted, self.n_parts)[parts]
        self.missed.append((sparse.hstack([-taken, own, rest], format="csr"), sides, parts, cells))

    def violation(self, solution: MasterSolution) -> float:
        """Return how many more rows a solution misses than it counts."""
        if not self.n_variables:
            return 0.0
        return float(np.maximum(self._least_missed(solution.taken @ self.covers) - self.reached, 0.0).sum())

    def _least_missed(self, covered: Floats) -> Floats:
        """Return the rows of each part that are missed where cells are covered so much."""
        return sums_by_code(self.parts, self.weights * np.maximum(1.0 - covered, 0.0), self.n_parts)

    def cut_missed(self, solution: MasterSolution) -> bool:
        """Add the cuts on missed rows that a solution violates; say whether there was one."""
        if not self.n_variables:
            return False
        covered, least = solution.taken @ self.covers, CUT * (1 + abs(solution.value))
        over = self._least_missed(covered) - self.reached
        if (over <= least).all():
            return False
        # Solutions jump. A cut between them, if it is violated by enough, holds for more of those to come.
        self.centre = covered if self.centre is None else (1 - CENTRE) * self.centre + CENTRE * covered
        inner = self.centre < 1
        there = sums_by_code(self.parts, self.weights * (1 - covered) * inner, self.n_parts) - self.reached
        if np.maximum(there, 0.0).sum() > DEEP * np.maximum(over, 0.0).sum() and (there > least).any():
            self._add_missed(inner, np.flatnonzero(there > least))
        else:
            self._add_missed(covered < 1, np.flatnonzero(over > least))
        return True

    def leave(self, solution: MasterSolution | None) -> None:
        """Leave the next solve what it can begin with."""
        if solution is not None:
            # The rows for all cells are made anew each time, and the last cuts may be made for a program not solved.
            last = len(self.priced) - 2
            kept = [place for place in range(1, len(self.priced)) if place >= last or self.priced[place] > 0]
            kept.sort(key=lambda place: (place < last, -self.priced[place], place))
            self.master.missed = [self.missed[place][3] for place in sorted(kept[:MOST_KEPT])]
            reduced = self.covers @ solution.duals.coefficients[self.master.positive]
            order = np.lexsort((reduced, -solution.taken))[:MOST_USED]
            self.master.used = self.covers[order].toarray() > 0

    def _add_rates(self, missed: list[Floats], hit: list[Floats]) -> None:
        """Add level <= rate <= level + epsilon + excess, in rows of a mean group, a scale the solver likes."""
        self.limits: list[tuple[int, int, int, int]] = []
        of_missed, of_hit = np.array(missed), np.array(hit)
        for place, rate in enumerate(self.master.rated):
            for group in np.flatnonzero(rate.defined).tolist():
                row = self.scale * (rate.missed[group] @ of_missed + rate.hit[group] @ of_hit)
                row[self.level + place] = -1.0
                constant = self.scale * float(rate.constant[group])
                at_least = self._add(-row, constant)
                row[self.excess] = -1.0
                at_most = self._add(row, self.scale * self.problem.max_difference - constant)
                self.limits.append((place, group, at_least, at_most))
        if self.master.rated:
            self.objective[self.excess] = PENALTY * self.problem.rows.n_groups

    def solve(self, budget: Budget) -> MasterSolution | None:
        """Solve it and read the duals; None where that would be more work than is allowed."""
        if not self.n_variables:
            # No positive row, no rule and no rate to compare: nothing is lost, and the solver takes no empty program.
            return MasterSolution(0.0, np.zeros(0), self._duals(np.zeros(0), np.zeros(len(self.sides))), 0.0)
        matrix = sparse.vstack(
            [*(rows for rows, *_ in self.missed), sparse.csr_matrix(np.array(self.few))], format="csr"
        )
        sides = np.concatenate([*(sides for _, sides, *_ in self.missed), self.sides])
        bounds = np.zeros((self.n_variables, 2))
        bounds[:, 1] = np.inf
        bounds[self.level : self.level + len(self.master.rated), 0] = -np.inf
        per_iteration = ITERATION_ELEMENTS + sum(matrix.shape)
        most = max(min(budget.left * ELEMENTS_PER_S / per_iteration, MOST_SIMPLEX_STEPS), FEWEST_ITERATIONS)
        result = linprog(
            self.objective,
            A_ub=matrix,
            b_ub=sides,
            bounds=bounds,
            method="highs-ds",
            options={"maxiter": int(most)},
        )
        budget.spend(calls=100, elements=10 * matrix.nnz + result.nit * per_iteration)
        if result.status == OUT_OF_ITERATIONS:
            return None
        if result.status != 0:
            raise SolverError(f"The linear relaxation was not solved: {result.message}")
        prices, n_cuts = -result.ineqlin.marginals, len(sides) - len(self.sides)
        times = np.repeat(np.arange(len(self.missed)), [len(parts) for _, _, parts, _ in self.missed])
        self.priced = np.round(np.bincount(times, np.maximum(prices[:n_cuts], 0.0), len(self.missed)), PRICED).tolist()
        self.reached = result.x[self.n_rules : self.n_rules + self.n_parts]
        if self.master.counts_hits:
            self.hits = result.x[self.hit : self.level]
        return MasterSolution(
            value=float(result.fun),
            taken=np.maximum(result.x[: self.n_rules], 0.0),
            duals=self._duals(prices[:n_cuts], prices[n_cuts:]),
            excess=float(result.x[self.excess]) / self.scale if self.master.rated else 0.0,
        )

    def _duals(self, mu: Floats, prices: Floats) -> Duals:
        problem, rows = self.problem, self.problem.rows
        n, part = rows.weights.astype(np.float64), 2 / problem.max_complexity
        worth, positive = np.zeros(rows.n_cells), self.master.positive
        start = 0
        for _, _, parts, cells in self.missed:
            price = np.zeros(self.n_parts)
            price[parts] = mu[start : start + len(parts)]
            worth[positive] += n[positive] * price[self.parts] * cells
            start += len(parts)
        if self.most_missed:
            worth -= np.where(rows.labels, part * n * prices[self.most_missed][rows.groups], 0.0)
        if self.master.counts_hits:
            hit = n * (prices[self.most_hit] - part * prices[self.least_hit])[rows.groups]
            hit += sum(prices[place] * counted for place, _, counted in self.cuts)
            worth[~rows.labels] = hit[~rows.labels]
        else:
            worth[~rows.labels] = -part * n[~rows.labels]
        balances = np.zeros((len(problem.rates), len(rows.group_names)))
        for place, group, at_least, at_most in self.limits:
            balances[self.master.rated_places[place], group] = self.scale * (prices[at_most] - prices[at_least])
        return duals_of(problem, worth, balances, float(prices[self.complexity]))


# The rules found so far, with what they cover, and which of them the linear program holds at the moment.

MOST_COVERS: Final = 600_000_000
"""Truth values that the pool may hold, one for each rule and cell."""
MOST_POOLED: Final = 20_000
FEWEST_POOLED: Final = 500


class ColumnPool:
    """Rules that differ in what they cover.

    Of rules that cover the same cells the first with the least complexity stays: no other can do better.
    """

    def __init__(self, rows: RuleRows, master: Master) -> None:
        self.rows, self.master = rows, master
        self.capacity = int(np.clip(MOST_COVERS // max(1, rows.n_cells), FEWEST_POOLED, MOST_POOLED))
        self.rules: list[tuple[int, ...]] = []
        self.covers = np.empty((0, rows.n_cells), dtype=bool)
        self.costs = np.empty(0, dtype=np.int64)
        self.tallies = np.empty((0, 2 * rows.n_groups))
        self.active = np.empty(0, dtype=bool)
        self._seen: dict[int, int] = {}
        self._keys: list[int] = []
        self._hashes = np.random.default_rng(1).integers(1, 2**63, rows.n_cells).astype(np.uint64)

    def __len__(self) -> int:
        return len(self.rules)

    def add(self, rules: Iterable[tuple[int, ...]], *, active: bool) -> int:
        """Add rules that cover what none before covers, or do so at a lower cost; return how many."""
        new: dict[int, tuple[int, ...]] = {}
        covers: dict[int, NDArray[np.bool_]] = {}
        known = set(self.rules)
        for rule in rules:
            if rule in known:
                continue
            cover = np.all(self.rows.literals[:, list(rule)], axis=1)
            if not cover.any():
                continue
            key = int(self._hashes[cover].sum())
            before = self._seen.get(key)
            shorter = before is None or len(rule) < len(self.rules[before])
            if shorter and (key not in new or len(rule) < len(new[key])):
                new[key], covers[key] = rule, cover
        replaced = [key for key in new if key in self._seen]
        for key in replaced:
            place = self._seen[key]
            self.rules[place], self.costs[place] = new[key], 1 + len(new[key])
            self.active[place] |= active
        added = [key for key in new if key not in self._seen]
        if added:
            block = np.array([covers[key] for key in added])
            self._seen |= {key: len(self.rules) + place for place, key in enumerate(added)}
            self._keys += added
            self.rules += [new[key] for key in added]
            self._grow(block)
            self.costs = np.concatenate([self.costs, [1 + len(new[key]) for key in added]])
            self.tallies = np.vstack([self.tallies, self.master.tally(block)])
            self.active = np.concatenate([self.active, np.full(len(added), active)])
        return len(new)

    def _grow(self, block: NDArray[np.bool_]) -> None:
        """Append covers, in storage that doubles, so that they are not copied each round."""
        size = len(self.covers) + len(block)
        base = self.covers.base if self.covers.base is not None else self.covers
        if len(base) < size:
            larger = np.empty((max(2 * len(base), size, 256), self.rows.n_cells), dtype=bool)
            larger[: len(self.covers)] = self.covers
            base = larger
        base[len(self.covers) : size] = block
        self.covers = base[:size]

    def reduced_costs(self, duals: Duals) -> NDArray[np.float64]:
        """Return the reduced cost of each rule."""
        return duals.reduced_costs(self.covers, self.costs)

    def keep(self, places: NDArray[np.int64]) -> None:
        """Forget all rules but some."""
        self.rules = [self.rules[place] for place in places.tolist()]
        self._keys = [self._keys[place] for place in places.tolist()]
        self._seen = {key: place for place, key in enumerate(self._keys)}
        self.covers = self.covers[places].copy()
        self.costs, self.tallies, self.active = self.costs[places], self.tallies[places], self.active[places]

    def columns(self, places: NDArray[np.int64]) -> RuleColumns:
        """Return some of the rules as columns."""
        return RuleColumns(tuple(self.rules[place] for place in places.tolist()), self.covers[places])


# Rule sets from a fractional solution: rules in the order of their shares, until the complexity is used up.


N_ORDERS: Final = 4
"""Orders that are tried: by share, and by share times chance."""
MOST_TAKEN: Final = 120
"""Rules with the largest shares that are looked at."""


class Rounder:
    """Keeps the best rule set that rounding has found.

    Attributes
    ----------
    loss : float
        Of the best rule set; NaN while there is none that meets the constraint.
    rules : tuple of tuple of int
        The best rule set; empty while there is none.
    """

    def __init__(self, problem: Problem, random_state: int | None) -> None:
        self.problem = problem
        self.loss = np.nan
        self.rules: tuple[tuple[int, ...], ...] = ()
        self._random = np.random.default_rng(random_state)
        self.offer(())

    def offer(self, rules: tuple[tuple[int, ...], ...]) -> None:
        """Take a rule set over if it is better than the best so far."""
        columns = RuleColumns.of(rules, self.problem.rows)
        self._try(columns, np.arange(len(columns)))

    def improve(self, pool: ColumnPool, places: NDArray[np.int64], taken: Floats) -> bool:
        """Round a fractional solution; return whether the best rule set has become better.

        Shapes: `places` (n,), `taken` (n,).
        """
        used = np.argsort(-taken, kind="stable")[:MOST_TAKEN]
        used = used[taken[used] > SLACK]
        places, shares = places[used], taken[used]
        better = False
        for turn in range(N_ORDERS):
            luck = self._random.random(len(places)) if turn else np.ones(len(places))
            order = places[np.argsort(-shares * luck, kind="stable")]
            order = order[self._fitting(pool.costs[order])]
            if len(order):
                chosen = order[: self._best_prefix(pool, order)]
                better |= self._try(pool.columns(chosen), np.arange(len(chosen)))
        return better

    def _fitting(self, costs: NDArray[np.int64]) -> list[int]:
        """Return the places that fit one after the other, passing over those that do not."""
        left, fitting = self.problem.max_complexity, []
        for place, cost in enumerate(costs.tolist()):
            if cost <= left:
                fitting.append(place)
                left -= cost
        return fitting

    def _best_prefix(self, pool: ColumnPool, order: NDArray[np.int64]) -> int:
        """Return how many rules of an order lose least while the rates stay alike; 0 where none do."""
        problem = self.problem
        covered = weighted_covers(np.logical_or.accumulate(pool.covers[order], axis=0), pool.master.tallies)
        missed = problem.rows.totals[:, 1] - covered[:, 1::2]
        hits = covered[:, 0::2]
        counted = np.cumsum(pool.tallies[order][:, 0::2], axis=0)
        false = counted if problem.objective == "hamming" else hits
        loss = missed.sum(axis=1) + false.sum(axis=1)
        for rate in problem.rates:
            if rate.defined.any():
                true, proxy = (rate.of(missed, each)[:, rate.defined] for each in (hits, false))
                gap = np.maximum(np.ptp(true, axis=1), np.ptp(proxy, axis=1))
                loss = np.where(gap <= problem.max_difference + SLACK, loss, np.inf)
        best = int(np.argmin(loss))
        return best + 1 if np.isfinite(loss[best]) else 0

    def _try(self, columns: RuleColumns, places: NDArray[np.int64]) -> bool:
        outcome = outcome_of(self.problem, columns, places)
        if not (outcome.meets(self.problem) and outcome.fits_master(self.problem)):
            return False
        loss = outcome.loss(self.problem)
        if loss >= self.loss:
            return False
        self.loss, self.rules = float(loss), columns.rules
        return True
