"""Which of the rules that were found make the best rule set: the restricted problem and its search by SCIP.

The restricted integer problem: which of some given rules to take.

=============== =============================================================================================
symbol          meaning
=============== =============================================================================================
w_k             whether rule k is taken
c_k             what rule k adds to the complexity: 1 + its literals; C, the most that all may add
zeta_p          whether no rule that covers pattern p is taken; the same for its rows of all groups and labels
K_p             rules that cover pattern p
q_p             how many rules of K_p fit into C: at most the C / 2 of the paper
M_g, H_g        missed positive rows and hits (covered negative rows) of group g; linear in w and zeta
level_r         the least rate r of any group; epsilon, how far the others may be above it
=============== =============================================================================================

With the Hamming objective only positive rows have a zeta. In the 0-1 form negative rows share it: n_p rows of a
pattern are wrong in any case, those of the label that has fewer, which makes the linear bound as good as it is.
Patterns that no rule covers are constants. Where one rule covers a pattern, its zeta is 1 - w_k and no variable.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import SolverError
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.rules.improving import Weighing, improve
from fairaudit.estimators.rules.master import Master, MasterSolution
from fairaudit.estimators.rules.problem import (
    BOUND_ROUNDING,
    LinearGroupRate,
    Patterns,
    Problem,
    RuleColumns,
    Tally,
    equivalents,
    outcome_of,
)
from fairaudit.events import STOP, Incumbent, Progress, SearchEvent, Searching, iter_relay
from fairaudit.measure.limits import SLACK
from fairaudit.solver import Solved, SolveLimits, Status, add_row, iter_solve, minimise, new_model
from fairaudit.work import Budget

if TYPE_CHECKING:
    from fairaudit.solver.models import Solution, Variable, WorkedModel

Floats = NDArray[np.float64]

RATE_TOLERANCE: Final = 1e-7
"""Rates that are apart by more than is allowed show it by less than a row. SCIP's linear solver can do no less."""

SCIP_SETTINGS: Final = {
    "presolving/maxrounds": 0,
    # Without presolving SCIP 10 can lose its status in a restart, and fails.
    "presolving/maxrestarts": 0,
    "separating/maxrounds": 0,
    "separating/maxroundsroot": 0,
}
"""Measured with the Hamming objective: the first bound is within 1 % of the optimum, so branch without preparation."""


@dataclass(frozen=True, eq=False)
class _Sums:
    """Rows that are wrong in each group: a constant, and what each w, then each zeta adds, (n_groups, n_variables)."""

    constant: Floats
    factors: Floats


@dataclass(frozen=True, eq=False)
class _Rated:
    """A rate of all groups that have it, times a scale: a constant, and a factor for each variable; and its level."""

    constant: Floats
    factors: Floats
    scale: float
    level: Variable | None


class RestrictedModel:
    """The integer problem as a model of SCIP, with named rows and columns."""

    # columns: The rules to choose from.
    # free_gap: Whether to minimise the largest difference of rates in place of the loss, however large it is.
    # merge: False keeps each cell for itself, to compare with.
    def __init__(
        self, model: WorkedModel, problem: Problem, columns: RuleColumns, *, free_gap: bool = False, merge: bool = True
    ):
        self.model, self.problem, self.columns = model, problem, columns
        rates = [rate for rate in problem.rates if rate.defined.sum() > 1]
        self.rules = [model.addVar(f"w_{place}", vtype="B") for place in range(len(columns))]
        self.patterns = Patterns.of(problem, columns, merge=merge)
        self.many = np.flatnonzero(self.patterns.covers.sum(axis=1) > 1)
        self.zetas = [model.addVar(f"zeta_{place}", vtype="B") for place in self.many.tolist()]
        self.variables = [*self.rules, *self.zetas]
        missed, hits = self._missed(), self._hits()
        self.gap = model.addVar("gap", lb=0.0) if free_gap else None
        if self.gap is not None:
            minimise(model, [self.gap], [1.0])
        else:
            # min sum_g M_g + H_g
            loss, constant = (missed.factors + hits.factors).sum(axis=0), (missed.constant + hits.constant).sum()
            minimise(model, self.variables, loss, constant=constant)
        if len(columns):
            # sum_k c_k w_k <= C
            add_row(model, self.rules, columns.costs, at_most=problem.max_complexity, name="complexity")
        # Where missing more rows makes nothing better, zeta_p is as small as it can be by itself.
        self._add_patterns(exact=problem.objective == "zero_one" or any(rate.missed.any() for rate in rates))
        self.rated = [self._add_rate(rate, missed, hits) for rate in rates]
        for variable in self.rules:
            model.chgVarBranchPriority(variable, 1)
        model.setParam("numerics/feastol", RATE_TOLERANCE)
        model.setParams(SCIP_SETTINGS)

    def _missed(self) -> _Sums:
        """Return M_g: the sum of zeta_p over positive rows."""
        return self._in_zetas(self.patterns.positives)

    def _hits(self) -> _Sums:
        """Return H_g: over negative rows the sum of w_k, k in K_p, or that of 1 - zeta_p in the 0-1 form."""
        rows = self.problem.rows
        if self.problem.objective == "zero_one":
            missed = self._in_zetas(self.patterns.negatives)
            return _Sums(rows.totals[:, 0] - missed.constant, -missed.factors)
        factors = np.zeros((rows.n_groups, len(self.variables)))
        for group in range(rows.n_groups):
            weights = np.where(~rows.labels & (rows.groups == group), rows.weights, 0).astype(float)
            factors[group, : len(self.rules)] = self.columns.covers @ weights
        return _Sums(np.zeros(rows.n_groups), factors)

    def _in_zetas(self, weights: Tally) -> _Sums:
        """Return the sum of zeta_p over patterns with weights, shape (n_patterns, n_groups)."""
        n_rules, covered = len(self.rules), self.patterns.covers.sum(axis=1)
        factors = np.zeros((weights.shape[1], len(self.variables)))
        alone = covered == 1
        np.add.at(factors.T, np.nonzero(self.patterns.covers[alone])[1], -weights[alone])
        factors[:, n_rules:] = weights[self.many].T
        return _Sums(weights[covered < 2].sum(axis=0).astype(float), factors)

    def _add_patterns(self, *, exact: bool) -> None:
        costs = self.columns.costs
        for place, zeta in zip(self.many.tolist(), self.zetas, strict=True):
            covering = np.flatnonzero(self.patterns.covers[place])
            variables = [zeta, *(self.rules[rule] for rule in covering)]
            ones = np.ones(len(covering))
            # zeta_p + sum_{K_p} w_k >= 1
            add_row(self.model, variables, [1, *ones], at_least=1, name=f"mu_{place}")
            if exact:
                # q_p zeta_p + sum_{K_p} w_k <= q_p
                most = int((np.cumsum(np.sort(costs[covering])) <= self.problem.max_complexity).sum())
                add_row(self.model, variables, [most, *ones], at_most=most, name=f"alpha_{place}", lazy=True)

    def _add_rate(self, rate: LinearGroupRate, missed: _Sums, hits: _Sums) -> _Rated:
        """Add the rows of a rate, times the rows of the largest group: of two groups one, else two for each group."""
        shares, known = np.abs(np.concatenate([rate.missed, rate.hit])), rate.defined
        scale = 1 / shares[shares > 0].min()
        constant = scale * (rate.constant + rate.missed @ missed.constant + rate.hit @ hits.constant)[known]
        constant -= constant.mean()
        factors = scale * (rate.missed @ missed.factors + rate.hit @ hits.factors)[known]
        if len(constant) == 2:
            self._add_difference(factors[1] - factors[0], constant[1] - constant[0], [], scale, rate.name, least=-1.0)
            return _Rated(constant, factors, scale, None)
        level = self.model.addVar(f"level_{rate.name}", lb=None)
        for row, side, group in zip(factors, constant, np.flatnonzero(known).tolist(), strict=True):
            self._add_difference(row, side, [level], scale, f"{rate.name}_{group}", least=0.0)
        return _Rated(constant, factors, scale, level)

    def _add_difference(
        self, factors: Floats, constant: float, level: list[Variable], scale: float, name: str, *, least: float
    ) -> None:
        """Add the row of a difference of rates, or of a rate and its level, where epsilon may be the free gap.

        least * epsilon <= sum of factors times variables + constant - level <= epsilon
        """
        used = np.flatnonzero(factors)
        variables = [*(self.variables[place] for place in used), *level]
        row = [*factors[used], *(-1.0 for _ in level)]
        if not variables:
            return
        if self.gap is None:
            allowed = scale * (self.problem.max_difference + SLACK / 2)
            lower, upper = least * allowed - constant, allowed - constant
            add_row(self.model, variables, row, at_least=lower, at_most=upper, name=name)
        else:
            variables = [*variables, self.gap]
            add_row(self.model, variables, [*row, -least * scale], at_least=-constant, name=f"{name}_low")
            add_row(self.model, variables, [*row, -scale], at_most=-constant, name=f"{name}_high")

    def require_better(self, new: Sequence[int], below: float, reduced_costs: Floats, spare: float) -> None:
        """Look only for rule sets that take a new rule and lose less than the best.

        Shapes: `reduced_costs` (n_rules,).
        """
        add_row(self.model, [self.rules[place] for place in new], np.ones(len(new)), at_least=1, name="new")
        if np.isfinite(spare):
            add_row(self.model, self.rules, reduced_costs, at_most=spare, name="reduced_costs")
        self.model.setObjlimit(below)

    def add_start(self, places: Sequence[int]) -> None:
        """Add a set of rules that the search starts from; one that breaks a row is passed over."""
        self.model.addSol(self.solution(places))

    def solution(self, places: Sequence[int]) -> Solution:
        """Return a set of rules as a solution of SCIP."""
        taken = np.zeros(len(self.rules), dtype=bool)
        taken[list(places)] = True
        missed = ~(self.patterns.covers[self.many] & taken).any(axis=1)
        values = np.concatenate([taken, missed]).astype(float).tolist()
        start = self.model.createSol()
        for variable, value in zip(self.variables, values, strict=True):
            self.model.setSolVal(start, variable, value)
        gap = 0.0
        for rated in self.rated:
            rates = rated.constant + rated.factors @ values
            gap = max(gap, float(np.ptp(rates)) / rated.scale)
            if rated.level is not None:
                self.model.setSolVal(start, rated.level, float(rates.min()))
        if self.gap is not None:
            self.model.setSolVal(start, self.gap, gap)
        return start


# Select a rule set from a pool of rules: the restricted integer problem, over few columns at a time.
#
# The columns with the least reduced costs come first. When a solution is proven best among them, those that could be
# part of a better one are added, and only solutions that take one of these are looked for, until there are none left.

# Leave rules out of the pool that can be in no better rule set, and remember the best rule set so far.
#
# Any rule set that takes column k loses at least the dual objective plus the reduced cost of k. So once a solution is
# known, most columns can be left out for good, and the others come in as long as there is time.

Places = tuple[int, ...]

FIRST_KEPT: Final = 60
"""Columns to begin with, to be doubled: on Adult that proves 250 in half the time that they take at once."""
FEWEST_KEPT: Final = 30
PATTERNS_PER_S: Final = 100
"""Where there are more patterns to a second of work, fewer columns are kept."""
LP_COVERS_PER_S: Final = 5_000_000
"""Truth values of columns that the relaxation is solved over in a second."""
LP_SHARE: Final = 0.3
"""Share of the work that the relaxation over the pool gets."""
ADDED_TO_ZERO_ONE: Final = 500
IMPROVED_STARTS: Final = 3


class KeptColumns:
    """The columns of a pool that are kept, and what is known of the best rule set.

    Attributes
    ----------
    kept : ndarray of int
        Places of the columns that are kept, increasing.
    new : ndarray of int
        Those of them that came in last; none at first.
    considered : ndarray of int
        Those of them that can be in one rule set with a new one and be better than the best.
    found : dict
        From the rule sets that were seen and meet the rows of the master problem to their loss.
    tried : set
        All rule sets that were seen.
    n_proven : int
        Columns, the most promising ones, for which the best rule set is proven.
    stopped : bool
        Whether the caller has asked to end.
    """

    # budget: The work that may be done.
    def __init__(self, problem: Problem, columns: RuleColumns, budget: Budget):
        self.problem, self.columns, self.budget = problem, columns, budget
        budget.spend(calls=2 * len(columns), elements=2 * columns.covers.size)
        self._stand_in = equivalents(problem, columns)
        # Columns worth considering; `rank` puts those with the least reduced costs first.
        self._order = np.unique(self._stand_in[self._stand_in >= 0])
        self._dual_bound = 0.0
        self._costs: Floats = np.zeros(len(columns))
        self.kept = self.new = self.considered = self._solved = np.zeros(0, dtype=np.int64)
        self._proven: list[float] = []
        self.found: dict[Places, float] = {}
        self.tried: set[Places] = set()
        self.n_proven = 0
        self.stopped = False

    @property
    def loss(self) -> float:
        """The least loss of a rule set that was found, infinite without one."""
        return min(self.found.values(), default=math.inf)

    @property
    def _least(self) -> float:
        """What no rule set is better than where none is better by a step: the least loss, where rows count once."""
        return self.loss if self.problem.rows.are_whole else self.loss - self.problem.step(self.loss)

    @property
    def holds_all(self) -> bool:
        """Whether all columns are kept that are worth considering."""
        return len(self.kept) == len(self._order)

    def rank(self, reduced_costs: Floats | None, dual_bound: float) -> None:
        """Put columns in order of reduced costs. Shapes: `reduced_costs` (n_columns,)."""
        if reduced_costs is not None:
            self._costs, self._dual_bound = np.asarray(reduced_costs, dtype=float), dual_bound
        elif (solution := self._relaxed()) is not None:
            self._costs = solution.duals.reduced_costs(self.columns.covers, self.columns.costs)
            self._dual_bound = solution.duals.value
        else:
            # No work for duals: rules that are better alone come first, and nothing is known of those left out.
            sign: Floats = np.where(self.problem.rows.labels, -1.0, 1.0)
            self._costs, self._dual_bound = self.columns.covers @ (sign * self.problem.rows.weights), -math.inf
        # A rule set takes up to C units of complexity, each of which may have a negative cost.
        least = float((self._costs / self.columns.costs).min(initial=0.0))
        self._costs = self._costs - least * self.columns.costs
        self._dual_bound += self.problem.max_complexity * least
        self._order = self._order[np.argsort(self._costs[self._order], kind="stable")]

    def _relaxed(self) -> MasterSolution | None:
        """Return the relaxation over the pool; None without rules, and where it is too much work."""
        if not len(self._order) or self.columns.covers.size > LP_COVERS_PER_S * self.budget.limit:
            return None
        return Master(self.problem).solve(
            self.columns.covers, self.columns.costs, budget=self.budget.part(LP_SHARE * self.budget.limit)
        )

    def take_starts(self, starts: Iterable[Sequence[int]]) -> None:
        """Keep what starts are made of, after the best of them have been improved, and the first columns."""
        known = [self._standing_in(places) for places in starts]
        self.add([*known, ()])
        weighing = Weighing(self.problem, self.columns.take(self._order), true=False)
        place_of = {self.columns.rules[place]: place for place in self._order.tolist()}
        ranked = sorted({*known, ()}, key=lambda places: (self.found.get(places, math.inf), places))
        for places in ranked[:IMPROVED_STARTS]:
            rules = improve(weighing, [self.columns.rules[place] for place in places], self.budget, new_rules=False)
            self.add([tuple(sorted(place_of[rule] for rule in rules))])
        used = np.array([place for places in self.tried for place in places], dtype=np.int64)
        self.kept = self.considered = np.union1d(self._order[: self._n_first()], used)

    def _standing_in(self, places: Sequence[int]) -> Places:
        return tuple(sorted(set(self._stand_in[list(places)].tolist()) - {-1}))

    def _n_first(self) -> int:
        """Return how many columns to keep first."""
        most, first = PATTERNS_PER_S * self.budget.limit, FIRST_KEPT
        while first > FEWEST_KEPT and len(Patterns.of(self.problem, self.columns.take(self._order[:first]))) > most:
            first = max(FEWEST_KEPT, first // 2)
        return first

    def add(self, solutions: Iterable[Places]) -> None:
        """Take note of rule sets, and of those that meet the rows of the master problem as found."""
        for places in solutions:
            self.tried.add(places)
            outcome = outcome_of(self.problem, self.columns, places)
            if outcome.fits_master(self.problem):
                self.found[places] = outcome.loss(self.problem)

    def learn(self, solved: Solved) -> None:
        """Take over what a solve over the kept columns has found and proved."""
        # Where better ones were asked for, "infeasible" means that there are none.
        proven = self._least if solved.status == "infeasible" else solved.bound
        if len(self.new):
            proven = max(proven, self._dual_bound + float(self._costs[self.new].min()))
        self._proven.append(proven)
        if solved.status in ("optimal", "infeasible"):
            self.n_proven = len(self.kept)
        self._solved = self.kept
        self.add(tuple(self.considered[solution > 0.5].tolist()) for solution in solved.solutions)

    def grow(self) -> bool:
        """Keep more columns, the most promising of those left; say whether there are any."""
        # The relaxation of the 0-1 form is so weak that reduced costs say little, and stages little of the whole.
        most = len(self.kept) if self.problem.objective == "hamming" else ADDED_TO_ZERO_ONE
        self.new = self._left_out()[:most]
        self.kept = self.considered = np.union1d(self.kept, self.new)
        if len(self.new) and self.found:
            # Reduced costs of one rule set add up.
            rest = self.spare - float(self._costs[self.new].min())
            self.considered = self.kept[(self._costs[self.kept] <= rest) | np.isin(self.kept, self.new)]
        return bool(len(self.new))

    @property
    def spare(self) -> float:
        """What the reduced costs of a rule set that is better than the best can add up to."""
        return self.loss - self.problem.step(self.loss) + BOUND_ROUNDING - self._dual_bound

    @property
    def considered_costs(self) -> Floats:
        """Reduced costs of the considered columns."""
        return self._costs[self.considered]

    def _left_out(self) -> NDArray[np.int64]:
        """Return the columns that no solve has held and that could be part of a better rule set."""
        others = self._order[~np.isin(self._order, self._solved)]
        return others[self._costs[others] <= self.spare]

    @property
    def outside(self) -> float:
        """What no rule set with a column that is not kept can be better than, unless it is worse than the best."""
        others = self._costs[np.setdiff1d(self._order, self.kept)]
        return min(self._least, self._dual_bound + float(others.min(initial=math.inf)))

    @property
    def bound(self) -> float:
        """What no rule set made of the columns can be better than."""
        left = self._costs[self._left_out()]
        inside = min(self._proven) if self._proven else self._dual_bound
        lowest = min(inside, self._least, self._dual_bound + float(left.min(initial=math.inf)))
        is_rounded = math.isfinite(lowest) and self.problem.rows.are_whole
        return max(0.0, math.ceil(lowest - BOUND_ROUNDING) if is_rounded else lowest)


@dataclass(frozen=True, eq=False)
class SelectedRules:
    """What was selected from a pool."""

    # Places in the columns, the best first: every rule set seen that meets the rows of the master problem.
    solutions: tuple[Places, ...]
    # The loss of the first, NaN where there is none.
    objective: float
    # What no rule set made of the columns can be better than.
    bound: float
    # "optimal" where bound and objective meet; else see `fairaudit.solver.Status`.
    status: Status
    # Columns that the integer problem held; the others were judged by their reduced costs alone.
    n_kept: int


@dataclass(frozen=True, eq=False)
class LeastGap:
    """The rule set whose rates are nearest to each other."""

    # Its largest difference, in the form that the master problem holds.
    gap: float
    # What no rule set made of the columns can be below.
    bound: float
    # Places in the columns, those with the smallest gap first.
    solutions: tuple[Places, ...]
    status: Status


def iter_select(
    problem: Problem,
    columns: RuleColumns,
    *,
    reduced_costs: NDArray[np.float64] | None = None,
    lp_bound: float = 0.0,
    budget: Budget,
    start: Iterable[Sequence[int]] = ((),),
    random_state: int | None = None,
) -> Searching[SelectedRules]:
    """Select the rules with the least loss, yielding how far it is. Shapes: `reduced_costs` (n_columns,)."""
    pool = KeptColumns(problem, columns, budget)
    if (yield _progress("Weighing rules", pool)) is STOP:
        pool.add([(), *(tuple(sorted(places)) for places in start)])
        return _selected(pool, "stopped")
    pool.rank(reduced_costs, lp_bound)
    pool.take_starts(start)
    if (yield _known(pool)) is STOP:
        return _selected(pool, "stopped")
    status: Status = "work_limit"
    while not budget.is_over:
        try:
            solved = yield from _iter_solve_kept(pool, seed=random_state or 0)
        except SolverError:
            if not pool.found:
                raise
            status = "gap"
            break
        pool.learn(solved)
        if solved.status not in ("optimal", "infeasible") or pool.stopped:
            status = "stopped" if pool.stopped else solved.status
            break
        if not pool.grow():
            # All is searched. What SCIP took for its best solution was beside the constraint by a rounding.
            status = "gap"
            break
    if not pool.stopped:
        yield _known(pool)
    return _selected(pool, status)


def iter_least_gap(
    problem: Problem,
    columns: RuleColumns,
    *,
    budget: Budget,
    start: Iterable[Sequence[int]] = ((),),
    random_state: int | None = None,
) -> Searching[LeastGap]:
    """Find how small the largest difference of rates can be, whatever the loss."""
    pool = KeptColumns(replace(problem, max_difference=0.0), columns, budget)
    status: Status = "stopped"
    bound = 0.0
    if (yield _progress("Weighing rules", pool)) is STOP:
        pool.add([(), *(tuple(sorted(places)) for places in start)])
    else:
        pool.rank(None, 0.0)
        pool.take_starts(start)
        status = "optimal" if pool.found else "work_limit"
        if not pool.found and not budget.is_over:
            solved = yield from _iter_solve_kept(pool, seed=random_state or 0, free_gap=True)
            pool.learn(solved)
            status, bound = solved.status, solved.bound if pool.holds_all else 0.0
    gaps = {places: _gap(problem, columns, places) for places in pool.tried}
    solutions = tuple(sorted(gaps, key=lambda places: (*gaps[places], places)))
    return LeastGap(gaps[solutions[0]][0], max(bound, 0.0), solutions, status)


def _selected(pool: KeptColumns, status: Status) -> SelectedRules:
    solutions = tuple(sorted(pool.found, key=lambda places: (pool.found[places], places)))
    if pool.bound >= pool.loss:
        status = "optimal" if solutions else "infeasible"
    return SelectedRules(solutions, pool.loss if solutions else math.nan, pool.bound, status, len(pool.kept))


def _gap(problem: Problem, columns: RuleColumns, places: Places) -> tuple[float, float]:
    """Return the gap that the master problem holds, and the loss."""
    outcome = outcome_of(problem, columns, places)
    return outcome.proxy_gap if problem.objective == "hamming" else outcome.gap, outcome.loss(problem)


def _iter_solve_kept(pool: KeptColumns, *, seed: int, free_gap: bool = False) -> Searching[Solved]:
    """Solve over the columns that are kept; figures are those of the whole search."""
    place_of = {place: index for index, place in enumerate(pool.considered.tolist())}
    with new_model("rule_set", pool.budget) as model:
        merge = pool.problem.method != "published"
        columns = pool.columns.take(pool.considered)
        restricted = RestrictedModel(model, pool.problem, columns, free_gap=free_gap, merge=merge)
        if len(pool.new) and pool.found:
            new = [place_of[place] for place in pool.new.tolist()]
            restricted.require_better(
                new, pool.loss - pool.problem.step(pool.loss) / 2, pool.considered_costs, pool.spare
            )
        else:
            for places in pool.tried if free_gap else pool.found:
                restricted.add_start([place_of[place] for place in places])
        limits = SolveLimits(seed=seed)
        events = iter_solve(model, limits, variables=restricted.rules, what="Selecting rules")
        solved, stopped = yield from iter_relay(events, _of_gap if free_gap else partial(_of_search, pool))
        pool.stopped = pool.stopped or stopped
        return solved


def _of_gap(event: SearchEvent) -> SearchEvent:
    """Return the event with the objective by its name: it is a difference of rates, which is not drawn with losses."""
    if isinstance(event, Progress):
        return event
    figures = {"gap" if name == "objective" else name: value for name, value in event.figures.items()}
    return Incumbent("least_gap", figures, best=event.best)


def _of_search(pool: KeptColumns, event: SearchEvent) -> SearchEvent:
    if isinstance(event, Progress):
        return _progress(event.what, pool)
    return _known(pool, event.figures["objective"], event.figures["bound"], better=event.best)


def _known(
    pool: KeptColumns, objective: float = math.nan, bound: float = -math.inf, *, better: bool = False
) -> Incumbent:
    """Return figures of the whole search, with those of a solve that is under way."""
    objectives = [value for value in (objective, pool.loss) if math.isfinite(value)]
    # What is proven among the first columns holds for those left out where their reduced costs say so.
    bounds = (pool.bound, min(bound, pool.outside)) if not len(pool.new) else (pool.bound,)
    figures = {
        "objective": min(objectives, default=math.nan),
        "bound": min(max(bounds), *objectives) if objectives else max(bounds),
        "share": pool.budget.share,
        "proven_columns": float(pool.n_proven),
    }
    return Incumbent("solution", figures, best=better)


def _progress(what: str, pool: KeptColumns) -> Progress:
    return Progress(what, pool.budget.steps(TOTAL), TOTAL)
