"""What is asked of a rule set, and the rules that it may be made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import InputError
from fairaudit.estimators.similar_cases import Averages
from fairaudit.measure.limits import SLACK

# The rows that rules are found on: equal ones are merged into one cell with a weight.
#
# Two rows with the same literals, label and group are alike to every rule set, so they count as one cell that weighs
# two.


Tally = NDArray[np.int64] | NDArray[np.float64]
"""Numbers of rows, or what they count."""


@dataclass(frozen=True, eq=False)
class RuleRows:
    """Merged rows."""

    # (n_cells, n_literals) Whether each literal holds.
    literals: NDArray[np.bool_]
    # (n_cells,) Whether the label is positive.
    labels: NDArray[np.bool_]
    # (n_cells,) The index of the group, or of a part of one: its rows in a stratum of similar cases. The last one holds
    # rows that are learned from only, if `has_others`.
    groups: NDArray[np.int64]
    # (n_cells,) How many rows each cell stands for, at least 1; or what these count, where they do not count once.
    weights: NDArray[np.int64] | NDArray[np.float64]
    # What the groups are called.
    group_names: tuple[str, ...]
    # (n_rows,) The cell of each row that was merged.
    cells: NDArray[np.int64]
    # Whether the rows of the last group are not compared with those of others.
    has_others: bool = False
    # Strata of similar cases over which rates are averages; each group has as many parts, one after the other.
    n_strata: int = 1

    @classmethod
    def merge(
        cls,
        literals: NDArray[np.bool_],
        labels: NDArray[np.bool_],
        groups: NDArray[np.int64],
        group_names: Sequence[str],
        *,
        has_others: bool = False,
        row_weights: NDArray[np.float64] | None = None,
        n_strata: int = 1,
    ) -> Self:
        """Merge rows with the same literals, label and group, or part of a group.

        Shapes: `literals` (n_rows, n_literals), `labels` (n_rows,), `groups` (n_rows,), `row_weights` (n_rows,).

        Notes
        -----
        Bits are packed into bytes and sorted: O(n log n) with n_literals / 8 bytes a row.

        Examples
        --------
        >>> rows = RuleRows.merge(np.array([[1], [1], [0]], dtype=bool), np.array([1, 1, 0], dtype=bool),
        ...                       np.zeros(3, dtype=np.int64), ["all"])
        >>> rows.weights.tolist()
        [1, 2]
        """
        packed = np.packbits(np.column_stack([literals, labels]).astype(bool), axis=1)
        group_bytes = np.ascontiguousarray(groups, dtype=">u4").view(np.uint8).reshape(-1, 4)
        whole = np.ascontiguousarray(np.hstack([packed, group_bytes]))
        keys = whole.view(np.dtype((np.void, whole.shape[1]))).ravel()
        _, first, cells, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        weights = counts.astype(np.int64) if row_weights is None else np.bincount(cells.reshape(-1), row_weights)
        return cls(
            literals=np.ascontiguousarray(literals[first], dtype=bool),
            labels=np.asarray(labels[first], dtype=bool),
            groups=np.asarray(groups[first], dtype=np.int64),
            weights=weights,
            group_names=tuple(group_names),
            cells=cells.reshape(-1).astype(np.int64),
            has_others=has_others,
            n_strata=n_strata,
        )

    @property
    def n_cells(self) -> int:
        """Cells."""
        return len(self.weights)

    @property
    def n_rows(self) -> float:
        """Rows that the cells stand for; what they count."""
        return self.weights.sum().item()

    @property
    def are_whole(self) -> bool:
        """Whether each row counts once, so that losses are whole numbers."""
        return self.weights.dtype.kind == "i"

    def tally(self, codes: NDArray[np.int64], counts: NDArray[np.generic], n_codes: int) -> Tally:
        """Add up by code; of whole rows, whole numbers. Shapes: `codes` (n,), `counts` (n,); returns (n_codes,)."""
        sums = np.bincount(codes, weights=counts, minlength=n_codes)
        return sums.astype(np.int64) if self.are_whole else sums.astype(np.float64)

    @property
    def n_literals(self) -> int:
        """Literals."""
        return self.literals.shape[1]

    @property
    def n_groups(self) -> int:
        """Groups or, among similar cases, their parts."""
        return len(self.group_names) * self.n_strata

    @property
    def totals(self) -> Tally:
        """Rows of each group with a negative and with a positive label, shape (n_groups, 2)."""
        return self.tally(2 * self.groups + self.labels, self.weights, 2 * self.n_groups).reshape(-1, 2)

    @property
    def compared(self) -> Tally:
        """The same, without rows of a last group that is not compared."""
        totals = self.totals
        if self.has_others:
            totals[-self.n_strata :] = 0
        return totals


# What must be alike between groups, as linear rates of the master problem and as the true rates of predictions.
#
# Each rate of a group g is ``constant_g + missed_g * M_g + hit_g * H_g``. M_g are the positive rows of the group that
# no rule covers. H_g are its covered negative rows: counted once in the true rate, and once for each rule that covers
# them in the Hamming form that the master problem holds. Where no negative row is covered twice, both are the same.
# Among similar cases a group has a part in each stratum, M and H are counted there, and the rate adds the parts up,
# each times the share W_s of all people of whom the rate is one: ``missed_gs = W_s / P_gs`` takes the place of 1 / P_g.
#
# ========================= =============================== ========================= ============
# fairness                  rates that must be alike        M_g times                 H_g times
# ========================= =============================== ========================= ============
# ``equal_opportunity``     fnr                             1 / P_g                   0
# ``fpr``                   fpr                             0                         1 / N_g
# ``equalized_odds``        both of these
# ``demographic_parity``    selection_rate, P_g / n_g plus  -1 / n_g                  1 / n_g
# ``error_rate``            error_rate                      1 / n_g                   1 / n_g
# ========================= =============================== ========================= ============
#
# A group without the rows that a rate is a share of has no such rate, and is not compared in it.

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rate:
    """A rate that must be alike: how it follows from missed positive and covered negative rows of a group."""

    # The field's name of the rate.
    name: str
    # Takes rows by group and label, shape (n_groups, 2); returns the rows that the rate is a share of.
    base: Callable[[Tally], Tally]
    # missed, hit: The sign with which missed positive and covered negative rows count: 1, 0 or -1.
    missed: int
    hit: int
    # Whether the positive rows of the group are counted to begin with.
    starts_at_positives: bool = False


def _positives(totals: Tally) -> Tally:
    return totals[:, 1]


def _negatives(totals: Tally) -> Tally:
    return totals[:, 0]


def _all(totals: Tally) -> Tally:
    sums: Tally = totals.sum(axis=1)
    return sums


FNR: Final = Rate("fnr", _positives, 1, 0)
FPR: Final = Rate("fpr", _negatives, 0, 1)
SELECTION: Final = Rate("selection_rate", _all, -1, 1, starts_at_positives=True)
ERROR: Final = Rate("error_rate", _all, 1, 1)

RATES: Final[dict[str, tuple[Rate, ...]]] = {
    "equalized_odds": (FNR, FPR),
    "equal_opportunity": (FNR,),
    "fpr": (FPR,),
    "demographic_parity": (SELECTION,),
    "error_rate": (ERROR,),
}
"""The rates that each kind of fairness compares."""


@dataclass(frozen=True, eq=False)
class LinearGroupRate:
    """One rate of all groups on given rows, linear in missed positive and covered negative rows."""

    # The field's name of the rate.
    name: str
    # (n_rated,) See the module; 0 for groups without the rate.
    constant: Floats
    # missed, hit: (n_rated, n_groups) What a row of each group, or part of one, adds to the rate of each group.
    missed: Floats
    hit: Floats
    # (n_rated,) Whether the group has rows that the rate is a share of.
    defined: NDArray[np.bool_]

    def times(self, factor: float) -> Self:
        """Return the rate times a factor."""
        return replace(self, constant=self.constant * factor, missed=self.missed * factor, hit=self.hit * factor)

    def of(self, missed: Tally, hits: Tally) -> Floats:
        """Return the rate of each group, NaN where it has none.

        Shapes: `missed` (..., n_groups), `hits` (..., n_groups); returns (..., n_rated).
        """
        rates = self.constant + missed @ self.missed.T + hits @ self.hit.T
        return np.where(self.defined, rates, np.nan)


def group_rates(fairness: str | None, totals: Tally, n_strata: int = 1) -> tuple[LinearGroupRate, ...]:
    """Return the rates that must be alike, averages where there are several strata of similar cases.

    Shapes: `totals` (n_groups, 2).

    Examples
    --------
    >>> [rate.name for rate in group_rates("equalized_odds", np.array([[3, 1], [2, 2]]))]
    ['fnr', 'fpr']
    """
    if fairness is None:
        return ()
    if fairness not in RATES:
        raise InputError(f"'fairness' must be one of {', '.join(RATES)} or None, got {fairness!r}.")
    rates = []
    for rate in RATES[fairness]:
        sizes = rate.base(totals).reshape(-1, n_strata).astype(np.float64)
        share = Averages(sizes).per_row
        # What rows of each part add to their own group, and nothing to others.
        own = np.repeat(np.eye(len(sizes)), n_strata, axis=1) * share.ravel()
        constant = own @ totals[:, 1] if rate.starts_at_positives else np.zeros(len(sizes))
        defined = np.asarray(share.any(axis=1))
        rates.append(LinearGroupRate(rate.name, constant, rate.missed * own, rate.hit * own, defined))
    return tuple(rates)


def largest_gap(rates: tuple[LinearGroupRate, ...], missed: Tally, hits: Tally) -> float:
    """Return the largest difference between two groups in any rate; 0 where fewer than two groups have one.

    Shapes: `missed` (n_groups,), `hits` (n_groups,).
    """
    gaps = [np.ptp(rate.of(missed, hits)[rate.defined]) for rate in rates if rate.defined.sum() > 1]
    return float(max(gaps, default=0.0))


Objective = Literal["hamming", "zero_one"]
"""Hamming loss counts a covered negative row once for each rule that covers it, 0-1 loss once."""

BOUND_ROUNDING: Final = 1e-6
"""By how much a bound is lowered, as a share of it, before it is rounded up."""
LEAST_STEP: Final = 1e-6
"""By how much a loss must be better where rows do not count once, as a share of it."""
RuleSearch = Literal["auto", "search", "scip", "published"]
"""Who looks for new rules: our own searches and, on small tables, SCIP; one of both alone; or all as published."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A rule set is to be found: on which rows, how complex it may be, and what must be alike."""

    rows: RuleRows
    # The sum over rules of 1 + literals may be at most this (C).
    max_complexity: int
    fairness: str | None = None
    # How far the rates of two groups may be apart (epsilon).
    max_difference: float = 1.0
    # The loss that is minimised.
    objective: str = "hamming"
    # Literals of a rule, at most (D); never more than `max_complexity` - 1.
    max_rule_length: int = 10**6
    # Who looks for new rules.
    method: str = "auto"
    # What each rate is multiplied by before it is held against `max_difference`; none: 1 each.
    factors: tuple[float, ...] = ()

    @cached_property
    def rates(self) -> tuple[LinearGroupRate, ...]:
        """The rates that must be alike, on these rows, times their factors."""
        rates = group_rates(self.fairness, self.rows.compared, self.rows.n_strata)
        factors = self.factors or (1.0,) * len(rates)
        return tuple(rate.times(factor) if factor != 1 else rate for rate, factor in zip(rates, factors, strict=True))

    @property
    def counts_rows_once(self) -> bool:
        """Whether the loss is the number of wrong rows: 0-1 loss, or room for a single rule."""
        return self.objective == "zero_one" or self.max_complexity < 4

    def step(self, loss: float) -> float:
        """Return by how much a loss must be less than another one, at least, to be looked for: one row, or a trifle.

        Bounds on losses of rows that do not count once are lower by as much.
        """
        return 1.0 if self.rows.are_whole or not math.isfinite(loss) else LEAST_STEP * (1 + loss)

    def rounded_up(self, bound: float) -> float:
        """Return the loss that a lower bound comes to: a whole number of rows, where each counts once.

        Examples
        --------
        >>> nothing = np.zeros((2, 0), dtype=bool)
        >>> problem = Problem(RuleRows.merge(nothing, nothing.any(axis=1), np.zeros(2, dtype=np.int64), ["all"]), 5)
        >>> problem.rounded_up(6.2), problem.rounded_up(7.0000001), problem.rounded_up(-3.0)
        (7.0, 7.0, 0.0)
        """
        least = bound - BOUND_ROUNDING * (1 + abs(bound))
        return float(max(math.ceil(least) if self.rows.are_whole else least, 0))

    def is_proven(self, loss: float, bound: float) -> bool:
        """Say whether a bound shows that nothing is better than a loss."""
        return bound >= loss - (BOUND_ROUNDING if self.rows.are_whole else 4 * self.step(loss))

    @property
    def asks_scip(self) -> bool:
        """Whether SCIP alone looks for rules that are left."""
        return self.method in ("scip", "published")

    @property
    def longest(self) -> int:
        """The literals that a rule can have at most."""
        return min(self.max_rule_length, self.max_complexity - 1)


@dataclass(frozen=True, eq=False)
class RuleColumns:
    """Rules that a rule set may be made of, each a column of the master problem."""

    # The literals of each rule, as increasing indices into ``rows.literals``; no rule twice.
    rules: tuple[tuple[int, ...], ...]
    # (n_rules, n_cells) Which cells each rule covers.
    covers: NDArray[np.bool_]

    @classmethod
    def of(cls, rules: Iterable[Iterable[int]], rows: RuleRows) -> Self:
        """Return the columns of rules on rows."""
        kept = tuple(dict.fromkeys(tuple(sorted(set(rule))) for rule in rules))
        covers = np.empty((len(kept), rows.n_cells), dtype=bool)
        for place, rule in enumerate(kept):
            covers[place] = rows.literals[:, list(rule)].all(axis=1)
        return cls(kept, covers)

    @property
    def costs(self) -> NDArray[np.int64]:
        """What each rule adds to the complexity: 1 + its literals (c_k)."""
        return np.array([1 + len(rule) for rule in self.rules], dtype=np.int64)

    def __len__(self) -> int:
        return len(self.rules)

    def take(self, places: Sequence[int] | NDArray[np.int64]) -> Self:
        """Return some of the columns."""
        return type(self)(tuple(self.rules[place] for place in places), self.covers[np.asarray(places, dtype=int)])

    def joined(self, other: Self) -> Self:
        """Return these columns and those of the other that are not among them."""
        known = set(self.rules)
        new = [place for place, rule in enumerate(other.rules) if rule not in known]
        return type(self)(
            self.rules + tuple(other.rules[place] for place in new), np.vstack([self.covers, other.covers[new]])
        )


@dataclass(frozen=True)
class RuleSetOutcome:
    """What a set of rules does on the rows."""

    # The sum over rules of 1 + literals.
    complexity: int
    # Missed positive rows, and covered negative rows once for each rule that covers them.
    hamming: float
    # Rows that are predicted wrongly: the 0-1 loss.
    errors: float
    # The largest true difference between two groups in a rate that must be alike.
    gap: float
    # The same with negative rows counted once for each rule: what the Hamming form of the master problem holds.
    proxy_gap: float

    def meets(self, problem: Problem) -> bool:
        """Say whether the true gap is within what is allowed, and the rule set is not too complex."""
        return self.gap <= problem.max_difference + SLACK and self.complexity <= problem.max_complexity

    def loss(self, problem: Problem) -> float:
        """Return the loss that the problem minimises."""
        return self.hamming if problem.objective == "hamming" else self.errors

    def fits_master(self, problem: Problem) -> bool:
        """Say whether it meets the rows of the master problem, which bounds the proxy in the Hamming form."""
        gap = self.proxy_gap if problem.objective == "hamming" else self.gap
        return gap <= problem.max_difference + SLACK and self.complexity <= problem.max_complexity

    def optimality_gap(self, problem: Problem, bound: float) -> float:
        """Return how far the loss can be above the least, as a share of the loss.

        NaN where the rates are within the limit only as they are, and not in the form that the bound is over.
        """
        if not self.fits_master(problem):
            return math.nan
        loss = float(self.loss(problem))
        return max(loss - bound, 0.0) / max(loss, 1.0)

    def rank(self, problem: Problem) -> tuple[float, bool, float, float, int]:
        """Return what rule sets within the limit are chosen by: wrong rows, then what can be proven of the loss."""
        return self.errors, not self.fits_master(problem), self.loss(problem), self.gap, self.complexity


def outcome_of(problem: Problem, columns: RuleColumns, places: Sequence[int] | NDArray[np.int64]) -> RuleSetOutcome:
    """Return what a set of rules does on the rows."""
    rows, places = problem.rows, np.asarray(places, dtype=int)
    met = columns.covers[places].sum(axis=0) if len(places) else np.zeros(rows.n_cells, dtype=np.int64)
    missed = _by_group(rows, rows.labels & (met == 0))
    hits = _by_group(rows, ~rows.labels & (met > 0))
    counted = _by_group(rows, ~rows.labels, met)
    return RuleSetOutcome(
        complexity=int(columns.costs[places].sum()) if len(places) else 0,
        hamming=(missed.sum() + counted.sum()).item(),
        errors=(missed.sum() + hits.sum()).item(),
        gap=largest_gap(problem.rates, missed, hits),
        proxy_gap=largest_gap(problem.rates, missed, counted),
    )


def least_errors(problem: Problem) -> float:
    """Return wrong rows that no rule set within the limits can have fewer of, whatever its complexity.

    Notes
    -----
    A linear program over all classifiers of these literals, which may also draw lots: x_p is the share of pattern p
    that is predicted 1, P_pg and N_pg its positive and negative rows in group g::

        minimise    sum over p and g of P_pg (1 - x_p) + N_pg x_p
        subject to  level_r <= rate r of group g <= level_r + epsilon

    In the Hamming form the integer program holds covered rows otherwise, so that rates with hits are left out there.

    Examples
    --------
    >>> rows = RuleRows.merge(np.array([[1], [1], [1], [0]], dtype=bool), np.array([1, 1, 0, 0], dtype=bool),
    ...                       np.zeros(4, dtype=np.int64), ["all"])
    >>> least_errors(Problem(rows, 15))
    1.0
    """
    from scipy.optimize import linprog

    rows, rates = problem.rows, [rate for rate in problem.rates if rate.defined.sum() > 1]
    if not problem.counts_rows_once:
        rates = [rate for rate in rates if not rate.hit.any()]
    _, pattern = np.unique(np.packbits(rows.literals, axis=1), axis=0, return_inverse=True)
    n = int(pattern.max(initial=-1)) + 1
    cells = (pattern.reshape(-1) * rows.n_groups + rows.groups) * 2 + rows.labels
    counts = np.bincount(cells, weights=rows.weights, minlength=2 * n * rows.n_groups).reshape(n, rows.n_groups, 2)
    negative, positive = counts[..., 0], counts[..., 1]
    errors = positive.sum() + np.minimum((negative - positive).sum(axis=1), 0.0).sum()
    if not rates:
        return float(errors)
    lhs, rhs = [], []
    for place, rate in enumerate(rates):
        level = -np.eye(len(rates))[place]
        for group in np.flatnonzero(rate.defined).tolist():
            factors = negative @ rate.hit[group] - positive @ rate.missed[group]
            constant = rate.constant[group] + positive.sum(axis=0) @ rate.missed[group]
            # level <= rate <= level + epsilon: a row for each side
            lhs += [np.append(factors, level), np.append(-factors, -level)]
            rhs += [problem.max_difference + SLACK - constant, constant]
    costs = np.append((negative - positive).sum(axis=1), np.zeros(len(rates)))
    bounds = [(0, 1)] * n + [(None, None)] * len(rates)
    solved = linprog(costs, A_ub=np.array(lhs), b_ub=np.array(rhs), bounds=bounds, method="highs")
    return float(errors) if solved.status != 0 else max(float(errors), float(positive.sum() + solved.fun))


def covered_sums(
    problem: Problem, columns: RuleColumns, places: Sequence[int] | NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the rows that a set of rules covers by group and label, shape (2 n_groups,): negative, then positive."""
    rows = problem.rows
    covered = columns.covers[np.asarray(places, dtype=int)].any(axis=0)
    sums = np.zeros(2 * rows.n_groups)
    for label in (0, 1):
        sums[label::2] = _by_group(rows, covered & (rows.labels == label))
    return sums


def _by_group(rows: RuleRows, chosen: NDArray[np.bool_], times: NDArray[np.int64] | None = None) -> Tally:
    weights = rows.weights[chosen] if times is None else rows.weights[chosen] * times[chosen]
    return rows.tally(rows.groups[chosen], weights, rows.n_groups)


# Cells that the same rules cover count as one: what is left of the rows when few rules may be chosen from.
#
# Adult has 23,000 cells; 250 rules distinguish only some 1,500 of its positive ones.


@dataclass(frozen=True, eq=False)
class Patterns:
    """Cells merged by which rules cover them."""

    # (n_patterns, n_rules) Which rules cover each pattern.
    covers: NDArray[np.bool_]
    # positives, negatives: (n_patterns, n_groups) How many rows of each group and label each pattern stands for.
    positives: Tally
    negatives: Tally

    @classmethod
    def of(cls, problem: Problem, columns: RuleColumns, *, merge: bool = True) -> Self:
        """Return the patterns of the cells that have to be distinguished."""
        rows = problem.rows
        cells = np.flatnonzero(rows.labels | (problem.objective == "zero_one"))
        covers = np.ascontiguousarray(columns.covers[:, cells].T)
        first = places = np.arange(len(cells))
        if merge and covers.size:
            packed = np.packbits(covers, axis=1)
            keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
            _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        counts = np.zeros((2, len(first), rows.n_groups), dtype=rows.weights.dtype)
        labels = rows.labels[cells].astype(np.int64)
        np.add.at(counts, (labels, places.reshape(-1), rows.groups[cells]), rows.weights[cells])
        return cls(covers[first], counts[1], counts[0])

    def __len__(self) -> int:
        return len(self.covers)


def equivalents(problem: Problem, columns: RuleColumns) -> NDArray[np.int64]:
    """Return for each rule the place of the least complex one that covers the same cells.

    Shapes: returns (n_rules,).
    """
    costs = columns.costs
    packed = np.packbits(columns.covers, axis=1)
    best: dict[bytes, int] = {}
    for place in np.argsort(costs, kind="stable").tolist():
        best.setdefault(packed[place].tobytes(), place)
    found = np.array([best[cover.tobytes()] for cover in packed], dtype=np.int64)
    return np.where(costs[found] <= problem.max_complexity, found, -1) if len(found) else found
