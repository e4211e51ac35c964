"""All sets of a few rules that are nearly as accurate as the best: how many, how unequal, whom they decide how.

Rules are conjunctions of a few conditions, and a set predicts 1 where at least one of its rules holds. Rows that no
condition tells apart are merged into patterns; with ``w`` the rows of a pattern with label 0 less those with label 1, a
set that covers the patterns ``C`` is wrong for ``sum of label 1 + sum over C of w``. Rules that hold for the same rows
are one rule. A set in which a rule holds for no row by itself is left out: it is a smaller set, written at more length.

Sets of k rules are those of k - 1 with one more, later in the order of the rules: all that one set can be extended to
is one product of matrices. A set is extended where the rows of label 0 that it covers, and those that no set can be
right for, do not already exceed what is allowed: neither becomes fewer with more rules. So what remains is complete.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from numbers import Integral
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils._param_validation import Interval

from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.parameters import (
    COUNT,
    POSITIVE,
    SHARE,
    Constraints,
    Features,
    Groups,
    Labels,
    Seed,
    check_values,
    measures,
)
from fairaudit.estimators.rules.literals import Literal, RuleSet, as_frame
from fairaudit.estimators.trees.frontier.conjunctions import distinct_splits, patterns_of
from fairaudit.estimators.trees.inputs import GAP_CONSTRAINTS
from fairaudit.estimators.trees.near_optimal import EndStatus, ReadTable, TableReader
from fairaudit.events import STOP, Command, Event, Finished, Progress, Searching, Started, result_of
from fairaudit.measure.vocabulary import read_word
from fairaudit.work import PRODUCTS_PER_S, Budget

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]

MOST_RULES: Final = 4
"""Rules of a set, at most: there are too many larger sets to go through all of them."""
LONGEST_RULE: Final = 3
"""Conditions of a rule, at most."""
USUAL_SPLITS: Final = 16
"""Conditions that rules are made of, with their opposites, where nobody says how many."""
MOST_SETS: Final = 2_000_000
"""Sets, or beginnings of sets, that are kept in memory."""
ELEMENTS_AT_ONCE: Final = 1 << 22
"""Numbers in a product of matrices."""
TASK: Final = "Counting nearly optimal rule sets"

PARAMETERS: Final[Constraints] = {
    "max_rules": [Interval(Integral, 1, MOST_RULES, closed="both")],
    "max_length": [Interval(Integral, 1, LONGEST_RULE, closed="both")],
    "within": [SHARE],
    "constraint": [measures(GAP_CONSTRAINTS)],
    "max_splits": [COUNT],
    "use_sensitive": ["boolean"],
    "n_listed": [Interval(Integral, 0, 1_000, closed="both")],
    "time_limit": [POSITIVE],
    "random_state": ["random_state"],
}


@dataclass(frozen=True, eq=False)
class NearOptimalRuleSet:
    """One rule set, with its figures on the rows that were learned from."""

    rules: RuleSet
    # The share of wrong rows.
    loss: float
    # The largest difference of rates of two groups.
    gap: float


@dataclass(frozen=True, eq=False)
class NearOptimalRuleSets:
    """All sets of up to `max_rules` rules whose share of wrong rows is at most that of the best plus `within`.

    Figures are of the rows that were learned from, and exact: each set was gone through.

    Parameters
    ----------
    status : {"complete", "work_limit", "stopped"}
        Whether all sets of as many rules as were asked for were gone through, and if not, why the search ended.
    max_rules : int
        Rules of a set, at most: as many as were asked for or, without the work for all of those, the most for which
        all sets were gone through. 0: the empty set alone.
    max_length : int
        Conditions of a rule, at most.
    within : float
        How much larger the share of wrong rows may be than that of the best of these sets.
    n_sets : int
        How many there are. Rules that hold for the same rows are one, and each rule of a set holds for some row alone.
    least_loss : float
        The share of wrong rows of the best.
    smallest_gap, largest_gap : float
        The smallest and the largest gap between groups of any of these sets.
    sets : tuple of NearOptimalRuleSet
        Some that decide differently, those with the smallest gaps first.
    can_be : ndarray of bool, shape (n_rows, 2)
        Whether some set decides a row 0, and 1.
    weights : ndarray of float, shape (n_rows,)
        How often each row counts.
    rules : tuple of tuple of Literal
        All rules.
    members : ndarray of int, shape (n_sets, max_rules)
        The rules of each set, as places in `rules`; -1 after the last.
    n_splits_considered : int
        Conditions that rules are made of, beside their opposites.
    notes : tuple of str
        What should be known, as sentences.
    """

    status: EndStatus
    max_rules: int
    max_length: int
    within: float
    n_sets: int
    least_loss: float
    smallest_gap: float
    largest_gap: float
    sets: tuple[NearOptimalRuleSet, ...]
    can_be: Mask
    weights: Floats
    rules: tuple[tuple[Literal, ...], ...]
    members: NDArray[np.int32]
    n_splits_considered: int
    notes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether all sets of as many rules as were asked for were gone through."""
        return self.status == "complete"

    @cached_property
    def ambiguous(self) -> Mask:
        """Whether sets decide a row both ways, shape (n_rows,)."""
        return np.asarray(self.can_be.all(axis=1))

    @property
    def ambiguity(self) -> float:
        """The share of rows that sets decide both ways."""
        return float(self.weights @ self.ambiguous / self.weights.sum())

    def decides_both(self, X: Features) -> Mask:
        """Say which rows of a table sets decide both ways. Shapes: `X` (n, n_features); returns (n,)."""
        frame = as_frame(X)
        used = np.unique(self.members[self.members >= 0])
        if not len(used):
            return np.zeros(len(frame), dtype=bool)
        literals = {literal: literal.holds(frame) for rule in used.tolist() for literal in self.rules[rule]}
        covered = np.zeros((len(frame), len(self.rules)), dtype=bool)
        for rule in used.tolist():
            covered[:, rule] = np.logical_and.reduce([literals[literal] for literal in self.rules[rule]])
        codes, first = patterns_of(covered)
        return np.asarray(decided_ways(covered[first].T, self.members).all(axis=1))[codes]


def decided_ways(covered: Mask, members: NDArray[np.int32]) -> Mask:
    """Say whether some set decides each pattern 0, and 1. Shapes: `covered` (n_rules, n); returns (n, 2)."""
    n = covered.shape[1]
    used = np.unique(members[members >= 0])
    found = np.column_stack([np.zeros(n, dtype=bool), covered[used].any(axis=0)])
    for part in _parts(len(members), n):
        open_ = np.flatnonzero(~found[:, 0])
        if not len(open_):
            break
        found[open_, 0] = ~_unions(covered[:, open_], members[part]).all(axis=0)
    return found


def _unions(covered: Mask, members: NDArray[np.integer]) -> Mask:
    """Return what each set covers. Shapes: `covered` (n_rules, n), `members` (n_sets, k); returns (n_sets, n)."""
    padded = np.vstack([covered, np.zeros(covered.shape[1], dtype=bool)])
    found = np.zeros((len(members), covered.shape[1]), dtype=bool)
    for column in members.T:
        found |= padded[column]
    return found


def _parts(n: int, width: int) -> Iterator[slice]:
    size = max(ELEMENTS_AT_ONCE // max(width, 1), 1)
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def near_optimal_rule_sets(X: Features, y: Labels, **asked: Any) -> NearOptimalRuleSets:
    """Find all rule sets that are nearly as accurate as the best; `asked` is as in `iter_near_optimal_rule_sets`.

    Examples
    --------
    >>> X = np.array([[1, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1], [7, 0], [8, 1]])
    >>> found = near_optimal_rule_sets(X, X[:, 0] > 4, max_rules=1, max_length=1, within=0.125)
    >>> found.n_sets, found.complete, found.ambiguity
    (3, True, 0.25)
    """
    found: NearOptimalRuleSets = result_of(iter_near_optimal_rule_sets(X, y, **asked))
    return found


def iter_near_optimal_rule_sets(
    X: Features,
    y: Labels,
    *,
    sensitive_features: Groups = None,
    sample_weight: ArrayLike | None = None,
    max_rules: int = 3,
    max_length: int = 2,
    within: float = 0.01,
    constraint: str = "demographic_parity",
    max_splits: int = USUAL_SPLITS,
    use_sensitive: bool = False,
    n_listed: int = 10,
    time_limit: float = 60,
    random_state: Seed = None,
) -> Generator[Event, Command | None, None]:
    """Find all rule sets that are nearly as accurate as the best, yielding events; a stop keeps what is complete.

    Parameters
    ----------
    X : DataFrame or array_like, shape (n, n_features)
        The features.
    y : array_like, shape (n,)
        Labels of two classes; a rule set predicts the second in order where one of its rules holds.
    sensitive_features : Series, DataFrame, array or list, optional
        The group of each row; crossings of several columns are groups of their own. None: one group.
    sample_weight : array_like of int, shape (n,), optional
        How often each row counts, in whole numbers.
    max_rules : int
        Rules of a set, at most: 1 to 4.
    max_length : int
        Conditions of a rule, at most: 1 to 3.
    within : float
        How much larger the share of wrong rows may be than that of the best set, from 0 to 1.
    constraint : {"demographic_parity", "equal_opportunity", "equalized_odds"}
        Of which rates the gap is the largest difference between two groups.
    max_splits : int
        Of how many conditions rules are made, at most; the opposite of each is one, too.
    use_sensitive : bool
        Whether conditions may be about columns with the name of a sensitive feature, or from whose values the groups
        follow.
    n_listed : int
        Sets that are listed, at most.
    time_limit : float
        About so many seconds of work, counted and not timed. Where it does not suffice for sets of `max_rules` rules,
        the result is about sets of fewer.
    random_state : int, RandomState or None
        For the choice of conditions.

    Yields
    ------
    Started, Progress or Finished
        ``Finished.result`` is a `NearOptimalRuleSets`.

    Raises
    ------
    InputError
        If an argument breaks a rule, or weights are no whole numbers.

    Notes
    -----
    With R rules and P patterns, sets of k rules take O(R^k P / k!) multiplications, less what is left out.

    References
    ----------
    Semenova, L., Rudin, C. and Parr, R. (2022). On the existence of simpler machine learning models. FAccT: sets of
    nearly optimal models.
    Angelino, E., Larus-Stone, N., Alabi, D., Seltzer, M. and Rudin, C. (2018). Learning certifiably optimal rule lists
    for categorical data. JMLR: rows that no model can be right for.
    """
    given = {
        "max_rules": max_rules, "max_length": max_length, "within": within, "constraint": constraint,
        "max_splits": max_splits, "use_sensitive": use_sensitive, "n_listed": n_listed, "time_limit": time_limit,
        "random_state": random_state,
    }  # fmt: skip
    check_values(PARAMETERS, given)
    stopped = (yield Started(TASK, TOTAL)) is STOP
    stopped = (yield Progress("Choosing conditions", 0, TOTAL)) is STOP or stopped
    reader = TableReader(
        max_length,
        constraint=read_word(constraint, GAP_CONSTRAINTS, warn=False),
        max_loss=within,
        max_splits=max_splits,
        use_sensitive=use_sensitive,
        random_state=random_state,
    )
    read = reader.read(X, y, sensitive_features, sample_weight)
    search = RuleSetSearch(read, int(max_length), float(within), Budget(time_limit), stopped=stopped)
    yield from search.iter_run(int(max_rules))
    yield Finished(search.result(int(n_listed)))


@dataclass(frozen=True, eq=False)
class _Layer:
    """Sets of one size. Shapes: `members` (n, size), `wrong` (n,)."""

    members: NDArray[np.int32]
    wrong: Floats


class RuleSetSearch:
    """The patterns and rules of a table, and the sets that were gone through."""

    def __init__(self, read: ReadTable, max_length: int, within: float, budget: Budget, *, stopped: bool) -> None:
        self.read, self.max_length, self.within, self.budget, self.stopped = read, max_length, within, budget, stopped
        prepared = read.prepared
        problem, rows = prepared.problem, prepared.problem.rows
        columns = distinct_splits(rows.holds)
        splits = [prepared.candidates.splits[column] for column in columns.tolist()]
        self.literals = [literal for split in splits for literal in (split, split.negated())]
        holds = [np.asarray(literal.holds(prepared.frame), dtype=bool) for literal in self.literals]
        table = np.column_stack(holds) if holds else np.zeros((len(prepared.targets), 1), dtype=bool)
        self.codes, first = patterns_of(table)
        counts = np.ones(len(table)) if prepared.weights is None else prepared.weights
        self.n_rows = float(counts.sum())
        negative, positive = (
            np.bincount(self.codes, weights=counts * (prepared.targets == label), minlength=len(first))
            for label in (0, 1)
        )
        self.n_positive, self.never_right = float(positive.sum()), float(np.minimum(negative, positive).sum())
        self.costs, self.beyond = negative - positive, np.maximum(negative - positive, 0.0)
        # The differences of rates, as sums over the patterns that a set covers.
        forms = np.zeros((0, rows.n_cells)) if problem.limit is None else problem.limit.forms.toarray()
        of_rows = forms[:, rows.cells] / rows.weights[rows.cells] * counts
        self.forms = np.array([np.bincount(self.codes, weights=each, minlength=len(first)) for each in of_rows])
        self.forms = self.forms.reshape(len(forms), len(first))
        self.rules, self.covered = self._make_rules(table[first])
        # Whole numbers below 2^24 are exact in single precision.
        self.kind = np.float32 if self.n_rows < 2**24 else np.float64
        self.layers = [_Layer(np.zeros((1, 0), dtype=np.int32), np.array([self.n_positive]))]
        self.least = self.n_positive
        self.asked = 0

    def _make_rules(self, patterns: Mask) -> tuple[list[tuple[int, ...]], Mask]:
        """Return the rules as places of literals, and the patterns that each covers, once each; short ones first."""
        rules, covered = [], []
        for length in range(1, self.max_length + 1):
            for splits in combinations(range(len(self.literals) // 2), length):
                for sides in product((0, 1), repeat=length):
                    literals = tuple(2 * split + side for split, side in zip(splits, sides, strict=True))
                    held = patterns[:, literals].all(axis=1)
                    if held.any():
                        rules.append(literals)
                        covered.append(held)
        if not rules:
            return [], np.zeros((0, len(patterns)), dtype=bool)
        table = np.array(covered)
        _, kept = np.unique(np.packbits(table, axis=1), axis=0, return_index=True)
        kept = np.sort(kept)
        return [rules[place] for place in kept.tolist()], table[kept]

    @property
    def most_wrong(self) -> float:
        """Wrong rows that a set may have, as far as is known."""
        return math.floor(self.least + self.within * self.n_rows + 1e-6)

    def iter_run(self, max_rules: int) -> Searching[None]:
        """Go through the sets of one rule, then of two, and so on, while the work suffices."""
        self.asked = max_rules
        prefixes = _Layer(np.zeros((1, 0), dtype=np.int32), np.array([self.n_positive]))
        for size in range(1, max_rules + 1):
            least = self.least
            made = yield from self._iter_layer(prefixes, is_last=size == max_rules)
            if made is None:
                # What was seen of these sets says nothing of the smaller ones.
                self.least = least
                return
            layer, prefixes = made
            self.layers.append(layer)

    def _iter_layer(self, prefixes: _Layer, *, is_last: bool) -> Searching[tuple[_Layer, _Layer] | None]:
        """Extend sets by one rule each; None where the work does not suffice. The best are extended first."""
        n_rules, n_patterns = self.covered.shape
        size = prefixes.members.shape[1] + 1
        each = float(n_rules) * n_patterns * (1 if is_last else 2)
        if self.stopped or self.budget.is_over or len(prefixes.members) * each / PRODUCTS_PER_S > self.budget.left:
            return None
        found: list[_Layer] = []
        further: list[_Layer] = []
        n_kept = 0
        order = np.argsort(prefixes.wrong, kind="stable")
        rules_of = np.ascontiguousarray(self.covered.T, dtype=self.kind)
        for part in _parts(len(order), max(n_rules, n_patterns)):
            members, wrong = prefixes.members[order[part]], prefixes.wrong[order[part]]
            open_ = ~_unions(self.covered, members)
            later = np.arange(n_rules) > (members[:, -1:] if size > 1 else np.full((len(members), 1), -1))
            total = wrong[:, None] + (open_ * self.costs.astype(self.kind)) @ rules_of
            self.least = min(self.least, float(total[later].min(initial=np.inf)))
            found.append(self._extended(members, total, later & (total <= self.most_wrong)))
            n_kept += len(found[-1].wrong)
            if not is_last:
                locked = self.never_right + ((~open_) @ self.beyond)[:, None]
                locked = locked + (open_ * self.beyond.astype(self.kind)) @ rules_of
                further.append(self._extended(members, total, later & (locked <= self.most_wrong)))
                n_kept += len(further[-1].wrong)
            self.budget.spend(products=len(members) * each, elements=8 * total.size, calls=10)
            self.stopped |= (yield Progress("Going through rule sets", self.budget.steps(TOTAL), TOTAL)) is STOP
            if self.stopped or self.budget.is_over or n_kept > MOST_SETS:
                return None
        return _joined(found, size), _joined(further, size)

    def _extended(self, members: NDArray[np.int32], wrong: NDArray[Any], kept: Mask) -> _Layer:
        """Return sets with one more rule each, where each rule covers a pattern that no other of the set does."""
        place, rule = np.nonzero(kept)
        sets = np.column_stack([members[place], rule.astype(np.int32)])
        alone = self._each_alone(sets)
        return _Layer(sets[alone], wrong[place, rule][alone].astype(np.float64))

    @cached_property
    def _packed(self) -> NDArray[np.uint8]:
        return np.packbits(self.covered, axis=1)

    def _each_alone(self, sets: NDArray[np.int32]) -> Mask:
        found = np.ones(len(sets), dtype=bool)
        for part in _parts(len(sets), self._packed.shape[1]):
            parts = [self._packed[column] for column in sets[part].T]
            for own in range(len(parts)):
                others = np.zeros_like(parts[own])
                for place, each in enumerate(parts):
                    if place != own:
                        others |= each
                found[part] &= (parts[own] & ~others).any(axis=1)
        self.budget.spend(elements=sets.shape[1] ** 2 * len(sets) * self._packed.shape[1] / 8)
        return found

    def result(self, n_listed: int) -> NearOptimalRuleSets:
        """Return what is known of the sets of all sizes that were gone through."""
        size = len(self.layers) - 1
        members = np.full((sum(len(layer.wrong) for layer in self.layers), size), -1, dtype=np.int32)
        start = 0
        for layer in self.layers:
            members[start : start + len(layer.wrong), : layer.members.shape[1]] = layer.members
            start += len(layer.wrong)
        wrong = np.concatenate([layer.wrong for layer in self.layers])
        inside = wrong <= self.most_wrong
        members, wrong = members[inside], wrong[inside]
        gaps = np.zeros(len(members))
        for part in _parts(len(members), len(self.costs)):
            covered = _unions(self.covered, members[part])
            if len(self.forms):
                gaps[part] = np.maximum((covered.astype(np.float64) @ self.forms.T).max(axis=1), 0.0)
        rules = tuple(tuple(self.literals[place] for place in rule) for rule in self.rules)
        weights = self.read.weights
        kept = self.read.prepared.weights
        can_be = decided_ways(self.covered, members)[self.codes]
        counted = np.ones(len(self.codes)) if kept is None else kept
        if weights.rows is not None:
            whole, ways = np.zeros(weights.n_given), np.zeros((weights.n_given, 2), dtype=bool)
            whole[weights.rows], ways[weights.rows] = counted, can_be
            counted, can_be = whole, ways
        return NearOptimalRuleSets(
            status="complete" if size == self.asked else "stopped" if self.stopped else "work_limit",
            max_rules=size,
            max_length=self.max_length,
            within=self.within,
            n_sets=len(members),
            least_loss=self.least / self.n_rows,
            smallest_gap=float(gaps.min()),
            largest_gap=float(gaps.max()),
            sets=tuple(self._listed(members, wrong, gaps, rules, n_listed)),
            can_be=can_be,
            weights=counted,
            rules=rules,
            members=members,
            n_splits_considered=len(self.literals) // 2,
            notes=self.read.prepared.notes,
        )

    def _listed(
        self,
        members: NDArray[np.int32],
        wrong: Floats,
        gaps: Floats,
        rules: tuple[tuple[Literal, ...], ...],
        n_listed: int,
    ) -> Iterator[NearOptimalRuleSet]:
        """Iterate over sets that decide differently, those with the smallest gaps first."""
        seen: set[bytes] = set()
        for place in np.lexsort((wrong, np.round(gaps, 9))).tolist():
            if len(seen) >= n_listed:
                return
            covered = _unions(self.covered, members[place : place + 1]).tobytes()
            if covered not in seen:
                seen.add(covered)
                chosen = [rules[rule] for rule in members[place].tolist() if rule >= 0]
                found = RuleSet.of(chosen, outcome=self.read.outcomes[1])
                yield NearOptimalRuleSet(found, float(wrong[place]) / self.n_rows, float(gaps[place]))


def _joined(layers: list[_Layer], size: int) -> _Layer:
    members = [layer.members for layer in layers] or [np.zeros((0, size), dtype=np.int32)]
    return _Layer(np.concatenate(members), np.concatenate([layer.wrong for layer in layers] or [np.zeros(0)]))
