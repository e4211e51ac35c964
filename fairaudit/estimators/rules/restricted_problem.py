"""The restricted integer problem: which of some given rules to take.

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

With the Hamming objective only positive rows have a zeta. In the 0-1 form negative rows share it: n_p rows of a pattern
are wrong in any case, those of the label that has fewer, which makes the linear bound as good as it is.
Patterns that no rule covers are constants. Where one rule covers a pattern, its zeta is 1 - w_k and no variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.problem import LinearGroupRate, Patterns, Problem, RuleColumns
from fairaudit.measure.limits import SLACK
from fairaudit.solver import add_row, minimise

Floats = NDArray[np.float64]

TOLERANCE: Final = 1e-7
"""Rates that are apart by more than is allowed show it by less than a row. SCIP's linear solver can do no less."""

DIRECT: Final = {
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
    level: Any | None


class RestrictedModel:
    """The integer problem as a model of SCIP, with named rows and columns.

    Parameters
    ----------
    model : pyscipopt.Model
        An empty one.
    problem : Problem
        What is asked.
    columns : RuleColumns
        The rules to choose from.
    free_gap : bool
        Whether to minimise the largest difference of rates in place of the loss, however large it is.
    merge : bool
        False keeps each cell for itself, to compare with.
    """

    def __init__(
        self, model: Any, problem: Problem, columns: RuleColumns, *, free_gap: bool = False, merge: bool = True
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
        if free_gap:
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
        model.setParam("numerics/feastol", TOLERANCE)
        model.setParams(DIRECT)

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

    def _in_zetas(self, weights: NDArray[np.int64]) -> _Sums:
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
        constant = scale * (rate.constant + rate.missed * missed.constant + rate.hit * hits.constant)[known]
        constant -= constant.mean()
        factors = scale * (rate.missed[:, None] * missed.factors + rate.hit[:, None] * hits.factors)[known]
        if len(constant) == 2:
            self._add_difference(factors[1] - factors[0], constant[1] - constant[0], [], scale, rate.name, least=-1.0)
            return _Rated(constant, factors, scale, None)
        level = self.model.addVar(f"level_{rate.name}", lb=None)
        for row, side, group in zip(factors, constant, np.flatnonzero(known).tolist(), strict=True):
            self._add_difference(row, side, [level], scale, f"{rate.name}_{group}", least=0.0)
        return _Rated(constant, factors, scale, level)

    def _add_difference(
        self, factors: Floats, constant: float, level: list[Any], scale: float, name: str, *, least: float
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
        self.model.addSol(start)
