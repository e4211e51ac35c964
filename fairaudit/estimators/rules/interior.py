"""The relaxation of the master problem in the Hamming form by an interior point method, which ends at central duals.

=============== =============================================================================================
symbol          meaning
=============== =============================================================================================
w, z, l         shares of the rules; how far each positive cell is missed; levels of the rates and the excess
s, f            slacks of ``z_i + s_i(w) >= 1`` and of the few other rows
y, p            prices of these rows; y_i is what it is worth to cover cell i
t               prices of ``w, z, l >= 0``: reduced costs
mu              the mean product of a variable and its price, 0 at an optimum
=============== =============================================================================================

Vertices, where the simplex method ends, are far apart from round to round. Duals in the middle of those that are nearly
optimal are not, and rules that help there help for long. So it ends as far from the optimum as a bound is, and begins
at duals that are proven, where no reduced cost is negative.

Each step solves for w, p and l only: z, s and y stand in one cell each and are eliminated. What is left is a matrix
with a row for each rule (Mehrotra's predictor and corrector). Cells that all rules cover alike are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from fairaudit.estimators.rules.master import PENALTY, Duals, Master, MasterSolution, duals_of
from fairaudit.measure.bands import sums_by_code
from fairaudit.work import Budget

Floats = NDArray[np.float64]

MOST_NEWTON_STEPS: Final = 60
"""Steps of a solve, at most; a dozen or two are the rule."""
LOOSE: Final = 0.5
"""The share of the distance from value to bound that a solve may be from its optimum."""
LOOSEST: Final = 0.02
"""It is never further from it than this share of the value."""
PRECISION: Final = 3e-7
"""Nor need it be nearer than this share."""
FEASIBLE: Final = 1e-6
"""How far rows may be violated at the end."""
INWARD: Final = 0.98
"""The share of the way to the boundary that a step goes."""
BEGINNING: Final = 0.1
"""Where it begins, the mean product comes to this share of the distance between value and duals."""
LEVEL_MARGIN: Final = 1e-3
"""How far levels begin from their limits."""
LEAST_PRODUCT: Final = 0.3
"""Products of variables and prices begin at this share of mu, at least."""
PRICE_SURPLUS: Final = 0.02
"""The proven price of complexity is raised by this share to begin with, so that all reduced costs are positive."""
PRICE_DIGITS: Final = 8
"""Digits of prices kept; further digits depend on the CPU."""
SHARE_DIGITS: Final = 9
"""The same for shares of rules and for the value."""
CELLS_A_BLOCK: Final = 1024
"""Cells whose part of a matrix is made at once, which stays in the processor's memory."""
SQUARE_PRODUCT_SPEED: Final = 22.0
"""Times as many multiplications in a second as elsewhere: products of a matrix with itself."""


@dataclass(frozen=True, eq=False)
class Prices:
    """Prices of the rows that do not depend on the rules."""

    # (n_positive_cells,) What it is worth to cover a row of each positive cell.
    covered: Floats
    # (n_few,) The prices of the other rows; that of complexity, first, is for all of it.
    few: Floats

    def mixed(self, other: Prices, share: float) -> Prices:
        """Return the prices on the way to others."""
        covered = (1 - share) * self.covered + share * other.covered
        return Prices(covered, (1 - share) * self.few + share * other.few)

    def raised(self, price: float) -> Prices:
        """Return the prices with another price of all complexity."""
        return Prices(self.covered, np.concatenate([[price], self.few[1:]]))


@dataclass(frozen=True, eq=False)
class Central:
    """Where a solve ended."""

    # Shares of the rules that are allowed, their value, and central duals, at which no reduced cost of these rules is
    # negative.
    solution: MasterSolution
    # What the duals were made of.
    prices: Prices


class Interior:
    """The relaxation, over the cells and rows of a master problem in the Hamming form."""

    def __init__(self, master: Master) -> None:
        self.master, self.problem = master, master.problem
        rows = self.problem.rows
        self.groups, self.weights = rows.groups[master.positive], rows.weights[master.positive].astype(np.float64)
        self.scale = rows.n_rows / rows.n_groups
        # The few rows of each rate and group, of which the first is for the least level and the next for the most.
        pairs = [
            (place, group)
            for place, rate in zip(master.rated_places, master.rated, strict=True)
            for group in np.flatnonzero(rate.defined).tolist()
        ]
        first = 1 + (rows.n_groups if master.counts_missed else 0)
        self.limits = [(place, group, first + 2 * number) for number, (place, group) in enumerate(pairs)]

    def duals(self, prices: Prices) -> Duals:
        """Return the duals of prices."""
        problem, positive = self.problem, self.master.positive
        worth = np.zeros(problem.rows.n_cells)
        worth[positive] = self.weights * prices.covered
        if self.master.counts_missed:
            each = prices.few[1 : 1 + problem.rows.n_groups] * 2 / problem.max_complexity / self.scale
            worth[positive] -= self.weights * each[self.groups]
        balances = np.zeros((len(problem.rates), len(problem.rows.group_names)))
        for place, group, row in self.limits:
            balances[place, group] = prices.few[row + 1] - prices.few[row]
        return duals_of(problem, worth, balances, float(prices.few[0]) / problem.max_complexity)

    def solve(
        self,
        covers: NDArray[np.bool_],
        costs: NDArray[np.int64],
        tallies: Floats,
        *,
        bound: float | None = None,
        proven: Prices | None = None,
        shares: Floats | None = None,
        budget: Budget | None = None,
    ) -> Central | None:
        """Solve over some rules, at least one; where a bound is given, only so near as its distance makes worth while.

        Where the prices that prove the bound and shares of the rules are given it begins there. None where the steps
        that are allowed, or the work, are not enough, or numbers leave their range.

        Shapes: `covers` (n_rules, n_cells), `costs` and `shares` (n_rules,), `tallies` (n_rules, 2 n_groups).
        """
        budget = Budget() if budget is None else budget
        program = _CentralProgram(self, covers[:, self.master.positive], costs, tallies)
        n_cells, n_rules = program.covers.shape
        budget.spend(calls=100, elements=covers.size)
        point = program.cold() if proven is None or shares is None else program.warm(proven, shares)
        for _ in range(MOST_NEWTON_STEPS):
            if not (np.isfinite(point.first).all() and np.isfinite(point.second).all()):
                break
            budget.spend(calls=60, elements=0.4 * n_cells * n_rules + 20 * n_cells)
            value, residuals = program.value(point), program.residuals(point)
            duals, prices = program.duals(*program.split(point.second)[3:])
            near = PRECISION * (1 + abs(value))
            far = near if bound is None else max(near, min(LOOSE * (value - bound), LOOSEST * abs(value)))
            if program.violation(residuals) < FEASIBLE and value - duals.value <= far:
                taken, excess = point.first[: program.n_rules], program.excess(point)
                return Central(
                    MasterSolution(round(value, SHARE_DIGITS), taken.round(SHARE_DIGITS), duals, excess), prices
                )
            if budget.is_over:
                break
            budget.spend(products=(n_cells * n_rules**2 + n_rules**3) / SQUARE_PRODUCT_SPEED)
            point = program.stepped(point, residuals, 0.5 * far / len(point.first))
        return None


@dataclass(frozen=True, eq=False)
class _Point:
    """Variables w, z, l, s and f one after the other, and their prices t, y and p, all of them above 0."""

    first: Floats
    second: Floats

    @property
    def mu(self) -> float:
        return float((self.first * self.second).mean())

    def stepped_along(self, direction: Self, *, inward: float = 1.0) -> _Point:
        """Step along a direction as far as all stay above 0."""
        return _Point(
            self.first + _step_length(self.first, direction.first, inward) * direction.first,
            self.second + _step_length(self.second, direction.second, inward) * direction.second,
        )


def _step_length(values: Floats, direction: Floats, inward: float) -> float:
    least = float((direction / values).min(initial=0.0))
    return min(1.0, inward / -least) if least < 0 else 1.0


class _CentralProgram:
    """The rows over some rules."""

    def __init__(
        self, interior: Interior, covers: NDArray[np.bool_], costs: NDArray[np.int64], tallies: Floats
    ) -> None:
        self.interior, self.problem, self.costs = interior, interior.problem, costs
        rows, self.n_rules = self.problem.rows, len(costs)
        first, self.cells = _alike(covers, interior.groups)
        self.covers = np.ascontiguousarray(covers[:, first].T).astype(np.float64)
        self.groups, self.n_groups = interior.groups[first], rows.n_groups
        self.n = np.bincount(self.cells, interior.weights, len(first))
        self.negatives = tallies[:, 0::2]
        self.losses = self.negatives.sum(axis=1)
        self.ends = np.cumsum([self.n_rules, len(first), self._n_levels, len(first)])
        self._add_rows(tallies[:, 1::2])

    @property
    def _n_levels(self) -> int:
        rated = len(self.interior.master.rated)
        return rated + 1 if rated else 0

    def _add_rows(self, positives: Floats) -> None:
        """Make the few rows: complexity, the most missed rows of each group, and each rate within its limits."""
        master, problem, scale = self.interior.master, self.problem, self.interior.scale
        self.rules: list[Floats] = [self.costs / problem.max_complexity]
        self.missed: list[Floats] = [np.zeros(self.n_groups)]
        self.levels: list[Floats] = [np.zeros(self._n_levels)]
        sides = [1.0]
        each, part = np.eye(self.n_groups), 2 / problem.max_complexity
        for group in range(self.n_groups) if master.counts_missed else ():
            self.rules.append(part * positives[:, group] / scale)
            self.missed.append(each[group] / scale)
            self.levels.append(np.zeros(self._n_levels))
            sides.append(float(problem.rows.totals[group, 1]) / scale)
        # Levels are 1 above what they stand for, so that they are above 0.
        for place, rate in enumerate(master.rated):
            for group in np.flatnonzero(rate.defined).tolist():
                constant = float(rate.constant[group])
                for sign, side in ((-1.0, 1.0 + constant), (1.0, problem.max_difference - constant - 1.0)):
                    level = np.zeros(self._n_levels)
                    level[-1] = -1.0 if sign > 0 else 0.0
                    level[place] = -sign
                    self.rules.append(sign * (self.negatives @ rate.hit[group]))
                    self.missed.append(sign * rate.missed[group])
                    self.levels.append(level)
                    sides.append(side)
        self.by_rule, self.by_group, self.by_level = np.array(self.rules), np.array(self.missed), np.array(self.levels)
        self.sides, self.level_costs = np.array(sides), np.zeros(self._n_levels)
        self.level_costs[-1:] = PENALTY * problem.rows.n_rows

    def split(self, values: Floats) -> list[Floats]:
        """Return the parts of a point, one for each kind of variable."""
        return np.split(values, self.ends)

    def sums(self, values: Floats) -> Floats:
        """Return the sums over the cells of each group, in the few rows."""
        return self.by_group @ sums_by_code(self.groups, values, self.n_groups)

    def residuals(self, point: _Point) -> list[Floats]:
        """Return what is missing to equality: the rows of w, z and l, of the cells, and the few."""
        w, z, levels, s, f = self.split(point.first)
        t, t_z, t_levels, y, p = self.split(point.second)
        return [
            t - self.losses + self.covers.T @ y - self.by_rule.T @ p,
            t_z - self.n + y - self.n * (self.by_group.T @ p)[self.groups],
            t_levels - self.level_costs - self.by_level.T @ p,
            1.0 - self.covers @ w - z + s,
            self.sides - self.by_rule @ w - self.sums(self.n * z) - self.by_level @ levels - f,
        ]

    def violation(self, residuals: list[Floats]) -> float:
        """Return how far a row is from what is allowed."""
        *_, cells, few = residuals
        return max(float(np.abs(cells).max(initial=0.0)), float((np.abs(few) / (1 + np.abs(self.sides))).max()))

    def excess(self, point: _Point) -> float:
        """Return the excess."""
        levels = self.split(point.first)[2]
        return float(levels[-1]) if len(levels) else 0.0

    def value(self, point: _Point) -> float:
        """Return the objective."""
        w, z, levels, *_ = self.split(point.first)
        return float((self.losses * w).sum() + (self.n * z).sum() + (self.level_costs * levels).sum())

    def duals(self, y: Floats, p: Floats) -> tuple[Duals, Prices]:
        """Return the duals of prices at the least price of complexity at which no rule has a negative reduced cost."""
        prices = Prices(np.round((y / self.n)[self.cells], PRICE_DIGITS), np.round(p, PRICE_DIGITS))
        rows, duals = self.problem.rows, self.interior.duals(prices)
        inside = np.bincount(self.cells, duals.coefficients[self.interior.master.positive], len(self.n))
        outside = np.zeros(self.n_groups)
        for group in range(self.n_groups):
            cells = np.flatnonzero(~rows.labels & (rows.groups == group))
            outside[group] = duals.coefficients[cells[0]] / rows.weights[cells[0]] if len(cells) else 0.0
        reduced = self.covers.T @ inside + self.negatives @ outside
        return duals.raised(max(0.0, float((-reduced / self.costs).max()))), prices

    def cold(self) -> _Point:
        """Return a point to begin with where nothing is known."""
        much = float(self.problem.rows.n_rows)
        w = np.full(self.n_rules, self.problem.max_complexity / (2 * self.costs.sum()))
        z = np.maximum(1 - self.covers @ w, 0.0) + 0.3
        levels = np.ones(self._n_levels)
        levels[-1:] = 0.1
        y, p = 0.5 * self.n, np.ones(len(self.sides))
        p[0] = max(1.0, 0.1 * much)
        f = self.sides - self.by_rule @ w - self.sums(self.n * z) - self.by_level @ levels
        t = np.maximum(self.losses - self.covers.T @ y + self.by_rule.T @ p, 0.01 * much)
        t_levels = np.full(len(levels), 0.1 * much)
        t_levels[-1:] = PENALTY * much
        return _Point(
            np.concatenate(
                [w, z, levels, self.covers @ w + z - 1, np.maximum(f, np.maximum(0.1 * np.abs(self.sides), 0.01))]
            ),
            np.concatenate([t, self.n - y, t_levels, y, p]),
        )

    def warm(self, proven: Prices, shares: Floats) -> _Point:
        """Return a point near proven prices and shares of the rules."""
        p: Floats = np.maximum(proven.few, 1e-9)
        most = self.n * np.maximum(1 + (self.by_group.T @ p)[self.groups], 0.01)
        y: Floats = np.clip(np.bincount(self.cells, self.interior.weights * proven.covered), 0.01 * most, 0.99 * most)
        t = self.losses - self.covers.T @ y + self.by_rule.T @ p
        rise = max(0.0, float((-t / self.by_rule[0]).max())) + PRICE_SURPLUS * p[0] + 1.0
        p[0] += rise
        t += rise * self.by_rule[0]
        t_levels = np.maximum(self.level_costs + self.by_level.T @ p, 1e-3 * self.problem.rows.n_rows)
        loss = float((self.losses * shares).sum() + (self.n * np.maximum(1 - self.covers @ shares, 0.0)).sum())
        distance = max(loss - self.duals(y, p)[0].value, PRECISION * (1 + loss))
        mu = BEGINNING * distance / (self.ends[-1] + len(p))
        w = np.maximum(shares, mu / t)
        w *= min(1.0, 0.98 / float((self.by_rule[0] * w).sum()))
        # s and z are as they are on the central path where they would have these prices.
        rest = 1.0 - self.covers @ w
        s = (2 * mu - most * rest + np.sqrt(4 * mu**2 + (most * rest) ** 2)) / (2 * most)
        z = np.maximum(rest + np.maximum(s, 0.5 * mu / most), 0.5 * mu / most)
        s = np.maximum(z - rest, 0.5 * mu / most)
        levels, f = self._met(w, z)
        f = np.maximum(f, np.minimum(mu / p, 0.01))
        first = np.concatenate([w, z, levels, s, f])
        return _Point(first, np.maximum(np.concatenate([t, most - y, t_levels, y, p]), LEAST_PRODUCT * mu / first))

    def _met(self, w: Floats, z: Floats) -> tuple[Floats, Floats]:
        """Return levels and an excess by which rates are within their limits, and what is left in the few rows."""
        left = self.sides - self.by_rule @ w - self.sums(self.n * z)
        levels = np.full(self._n_levels, LEVEL_MARGIN)
        for place in range(self._n_levels - 1):
            levels[place] = max(LEVEL_MARGIN, float(left[self.by_level[:, place] > 0].min()) - LEVEL_MARGIN)
        if self._n_levels:
            levels[-1] = 0.0
            over = (self.by_level @ levels - left)[self.by_level[:, -1] < 0]
            levels[-1] = max(LEVEL_MARGIN, float(over.max()) + LEVEL_MARGIN)
        return levels, left - self.by_level @ levels

    def stepped(self, point: _Point, residuals: list[Floats], least_mu: float) -> _Point:
        """Take a predictor-corrector step towards the optimum; it aims at no mu below `least_mu`."""
        newton = _Newton(self, point, residuals)
        products = point.first * point.second
        first = newton.direction(-products)
        predicted = point.stepped_along(first)
        mu = max((predicted.mu / point.mu) ** 3 * point.mu, least_mu)
        return point.stepped_along(newton.direction(mu - products - first.first * first.second), inward=INWARD)


class _Newton:
    """The linear system of a step."""

    def __init__(self, program: _CentralProgram, point: _Point, residuals: list[Floats]) -> None:
        self.program, self.point, self.residuals = program, point, residuals
        w, z, levels, s, f = program.split(point.first)
        t, t_z, t_levels, y, p = program.split(point.second)
        n, groups, by_group = program.n, program.groups, program.by_group
        self.by_cell, by_missed = y / s, t_z / z
        self.both = self.by_cell + by_missed
        share = n * self.by_cell / self.both
        shared = np.array([(share * (groups == group)) @ program.covers for group in range(program.n_groups)])
        own = sums_by_code(groups, n**2 / self.both, program.n_groups)
        coupling = program.by_rule - by_group @ shared
        none = np.zeros((len(w), len(levels)))
        matrix = np.block(
            [
                [_squared(program.covers, self.by_cell * by_missed / self.both) + np.diag(t / w), coupling.T, none],
                [coupling, -(by_group * own) @ by_group.T - np.diag(f / p), program.by_level],
                [none.T, program.by_level.T, np.diag(t_levels / levels)],
            ]
        )
        self.factors = scipy.linalg.lu_factor(matrix)

    def direction(self, products: Floats) -> _Point:
        """Return the direction along which residuals vanish and products change by so much."""
        program, point, n, by_group = self.program, self.point, self.program.n, self.program.by_group
        _, z, levels, s, _ = program.split(point.first)
        *_, y, p = program.split(point.second)
        rest_w, rest_z, rest_levels, rest_cells, rest_few = self.residuals
        by_w, by_z, by_levels, by_s, by_f = program.split(products)
        cells = rest_cells + by_s / y
        missed = rest_z + by_z / z + self.by_cell * cells
        known = self.by_cell * (cells - missed / self.both)
        w = program.split(point.first)[0]
        right = [
            rest_w + by_w / w + program.covers.T @ known,
            rest_few - by_f / p - program.sums(n * missed / self.both),
            rest_levels + by_levels / levels,
        ]
        found = scipy.linalg.lu_solve(self.factors, np.concatenate(right))
        d_w, d_p, d_levels = np.split(found, np.cumsum([len(w), len(p)]))
        met = program.covers @ d_w
        d_z = (missed - self.by_cell * met - n * (by_group.T @ d_p)[program.groups]) / self.both
        d_y = self.by_cell * (cells - met - d_z)
        d_s = (by_s - s * d_y) / y
        f = program.split(point.first)[4]
        d_f = (by_f - f * d_p) / p
        first = np.concatenate([d_w, d_z, d_levels, d_s, d_f])
        second = (products - point.second * first) / point.first
        # Prices of cells and few rows follow more exactly from the system than from their products.
        second[program.ends[2] :] = np.concatenate([d_y, d_p])
        return _Point(first, second)


def _squared(rows: Floats, weights: Floats) -> Floats:
    """Return the weighted sum of the products of each row with itself."""
    total, roots, n = np.zeros((rows.shape[1], rows.shape[1])), np.sqrt(weights)[:, None], min(CELLS_A_BLOCK, len(rows))
    block = np.empty((n, rows.shape[1]))
    for start in range(0, len(rows), CELLS_A_BLOCK):
        part = rows[start : start + CELLS_A_BLOCK]
        scaled = np.multiply(part, roots[start : start + CELLS_A_BLOCK], out=block[: len(part)])
        total += scaled.T @ scaled
    return total


def _alike(covers: NDArray[np.bool_], groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first of the cells that all rules cover alike in a group, and which of these each cell is like."""
    packed = np.packbits(covers, axis=0).T
    whole = np.ascontiguousarray(
        np.hstack([packed, np.ascontiguousarray(groups, dtype=">u4").view(np.uint8).reshape(-1, 4)])
    )
    keys = whole.view(np.dtype((np.void, whole.shape[1]))).ravel()
    _, first, cells = np.unique(keys, return_index=True, return_inverse=True)
    return first, cells.reshape(-1)
