"""What is asked of a rule set, and the rules that it may be made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.parity import GroupRate, group_rates, largest_gap
from fairaudit.estimators.rules.rows import RuleRows
from fairaudit.measure.limits import SLACK

Objective = Literal["hamming", "zero_one"]
"""Hamming loss counts a covered negative row once for each rule that covers it, 0-1 loss once."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A rule set is to be found: on which rows, how complex it may be, and what must be alike.

    Parameters
    ----------
    rows : RuleRows
        The rows.
    max_complexity : int
        The sum over rules of 1 + literals may be at most this (C).
    fairness : str or None
        A key of :data:`~fairaudit.estimators.rules.parity.RATES`.
    max_difference : float
        How far the rates of two groups may be apart (epsilon).
    objective : {"hamming", "zero_one"}
        The loss that is minimised.
    max_rule_length : int
        Literals of a rule, at most (D); never more than `max_complexity` - 1.
    """

    rows: RuleRows
    max_complexity: int
    fairness: str | None = None
    max_difference: float = 1.0
    objective: str = "hamming"
    max_rule_length: int = 10**6

    @cached_property
    def rates(self) -> tuple[GroupRate, ...]:
        """The rates that must be alike, on these rows."""
        return group_rates(self.fairness, self.rows.totals)

    @property
    def counts_rows_once(self) -> bool:
        """Whether the loss is the number of wrong rows: 0-1 loss, or room for a single rule."""
        return self.objective == "zero_one" or self.max_complexity < 4

    @property
    def longest(self) -> int:
        """The literals that a rule can have at most."""
        return min(self.max_rule_length, self.max_complexity - 1)


@dataclass(frozen=True, eq=False)
class RuleColumns:
    """Rules that a rule set may be made of, each a column of the master problem.

    Parameters
    ----------
    rules : tuple of tuple of int
        The literals of each rule, as increasing indices into ``rows.literals``; no rule twice.
    covers : ndarray of bool, shape (n_rules, n_cells)
        Which cells each rule covers.
    """

    rules: tuple[tuple[int, ...], ...]
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
class Outcome:
    """What a set of rules does on the rows.

    Parameters
    ----------
    complexity : int
        The sum over rules of 1 + literals.
    hamming : int
        Missed positive rows, and covered negative rows once for each rule that covers them.
    errors : int
        Rows that are predicted wrongly: the 0-1 loss.
    gap : float
        The largest true difference between two groups in a rate that must be alike.
    proxy_gap : float
        The same with negative rows counted once for each rule: what the Hamming form of the master problem holds.
    """

    complexity: int
    hamming: int
    errors: int
    gap: float
    proxy_gap: float

    def meets(self, problem: Problem) -> bool:
        """Say whether the true gap is within what is allowed, and the rule set is not too complex."""
        return self.gap <= problem.max_difference + SLACK and self.complexity <= problem.max_complexity

    def loss(self, problem: Problem) -> int:
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

    def rank(self, problem: Problem) -> tuple[int, bool, int, float, int]:
        """Return what rule sets within the limit are chosen by: wrong rows, then what can be proven of the loss."""
        return self.errors, not self.fits_master(problem), self.loss(problem), self.gap, self.complexity


def outcome_of(problem: Problem, columns: RuleColumns, places: Sequence[int] | NDArray[np.int64]) -> Outcome:
    """Return what a set of rules does on the rows."""
    rows, places = problem.rows, np.asarray(places, dtype=int)
    met = columns.covers[places].sum(axis=0) if len(places) else np.zeros(rows.n_cells, dtype=np.int64)
    missed = _by_group(rows, rows.labels & (met == 0))
    hits = _by_group(rows, ~rows.labels & (met > 0))
    counted = _by_group(rows, ~rows.labels, met)
    return Outcome(
        complexity=int(columns.costs[places].sum()) if len(places) else 0,
        hamming=int(missed.sum() + counted.sum()),
        errors=int(missed.sum() + hits.sum()),
        gap=largest_gap(problem.rates, missed, hits),
        proxy_gap=largest_gap(problem.rates, missed, counted),
    )


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


def _by_group(rows: RuleRows, chosen: NDArray[np.bool_], times: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    weights = rows.weights[chosen] if times is None else rows.weights[chosen] * times[chosen]
    return np.bincount(rows.groups[chosen], weights=weights, minlength=rows.n_groups).astype(np.int64)
