"""Which counts to hide so that no small count can be worked out from those that stay.

This is cell suppression with an auditor: hide the small counts, look for one that still follows from the equations
between counts, hide the least useful count that gives it away, and repeat. Whether a count follows is decided first by
substitution, then by integer programming: a hidden small count must keep a range of possible values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

MOST_DENSE = 1500
"""The most unknown counts for which it is looked up which of them are fixed."""

TINY = 1e-9

ROWS = "rows"
"""The key of the count of all rows."""

MAIN = 100
"""What is lost with a count of a main comparison: hidden only where nothing else protects."""


@dataclass
class Ledger:
    """Counts, which of them are published, and the equations that tie them.

    Parameters
    ----------
    total : int
        The rows of the table: no count is larger. Where this is hidden too, a reader knows no such bound, and twice
        as many stand for it.
    minimum : int
        Counts under it are small.
    """

    total: int
    minimum: int
    values: list[int | None] = field(default_factory=list)
    cost: list[int] = field(default_factory=list)
    published: set[int] = field(default_factory=set)
    sensitive: set[int] = field(default_factory=set)
    equations: list[tuple[dict[int, int], int]] = field(default_factory=list)
    keys: dict[Hashable, int] = field(default_factory=dict)
    companions: list[tuple[int, int, int]] = field(default_factory=list)
    """Counts that are hidden together: once one of the three is, so are the second and the third."""

    def count(self, value: int | None, *, key: Hashable = None, cost: int | None = None, small: bool = False) -> int:
        """Add a count, or find the one with the same key.

        Parameters
        ----------
        value : int or None
            Its true value; None where even we do not know it.
        key : hashable, optional
            Names the count, so that it is the same one wherever it appears.
        cost : int, optional
            How much is lost by hiding it; a count without cost is not published, but might be worked out.
        small : bool
            Whether it must not be worked out.

        Returns
        -------
        int
            Its number in the ledger.
        """
        if key is not None and key in self.keys:
            number = self.keys[key]
        else:
            number = len(self.values)
            self.values.append(value)
            self.cost.append(0)
            if key is not None:
                self.keys[key] = number
        if cost is not None:
            self.published.add(number)
            self.cost[number] = max(cost, self.cost[number])
        if small:
            self.sensitive.add(number)
        return number

    def tie(self, whole: Iterable[int], parts: Iterable[int], constant: int = 0) -> None:
        """State that the counts of `whole` add up to those of `parts` plus `constant`."""
        terms: dict[int, int] = {}
        for sign, numbers in ((1, whole), (-1, parts)):
            for number in numbers:
                terms[number] = terms.get(number, 0) + sign
        terms = {number: factor for number, factor in terms.items() if factor}
        if terms:
            self.equations.append((terms, constant))


def hidden_counts(ledger: Ledger) -> set[int]:
    """Choose the counts to hide.

    Parameters
    ----------
    ledger : Ledger
        All counts and equations.

    Returns
    -------
    set of int
        Small counts and those that would give them away; the same for the same ledger.

    Notes
    -----
    Each round hides one more count, so it ends. A round costs one substitution and, once that finds nothing, integer
    programs over the counts that are not known: two for each small count at most, most often far fewer.
    """
    hidden = {number for number in ledger.sensitive if number in ledger.published}
    if not ledger.sensitive:
        return hidden
    touching: dict[int, list[int]] = {}
    for i, (terms, _) in enumerate(ledger.equations):
        for number in terms:
            touching.setdefault(number, []).append(i)
    while True:
        _hide_companions(ledger, hidden)
        known, reasons = _substitute(ledger, hidden, touching)
        exposed = sorted(number for number in ledger.sensitive if number in known)
        if exposed:
            candidates = _support(exposed[0], ledger, hidden, reasons)
        else:
            number = _pinned(ledger, known)
            candidates = set() if number is None else _nearest(number, ledger, hidden, touching)
        if not candidates:
            return hidden - _needless(ledger, hidden, known)
        hidden.add(min(candidates, key=lambda n: (ledger.values[n] == 0, ledger.cost[n], ledger.values[n], n)))


def _hide_companions(ledger: Ledger, hidden: set[int]) -> None:
    changed = True
    while changed:
        before = len(hidden)
        for whole, one, other in ledger.companions:
            if whole in hidden or one in hidden or other in hidden:
                hidden.update((one, other))
        changed = len(hidden) > before


def _needless(ledger: Ledger, hidden: set[int], known: set[int]) -> set[int]:
    """Return counts that were hidden to protect others but follow from what is shown: they may as well be shown."""
    free, matrix, _ = _open_equations(ledger, known)
    needless = (hidden & known) - ledger.sensitive
    if free and matrix.shape[0] and len(free) <= MOST_DENSE:
        directions = null_space(matrix.toarray())
        fixed = np.abs(directions).max(axis=1, initial=0) < TINY
        needless |= {
            number for number, is_fixed in zip(free, fixed, strict=True) if is_fixed
        } & hidden - ledger.sensitive
    changed = True
    while changed:
        before = len(needless)
        for whole, one, other in ledger.companions:
            if not {whole, one, other} & hidden <= needless:
                needless -= {one, other}
        changed = len(needless) < before
    return needless


def _substitute(
    ledger: Ledger, hidden: set[int], touching: dict[int, list[int]]
) -> tuple[set[int], dict[int, int | None]]:
    known = ledger.published - hidden
    reasons: dict[int, int | None] = dict.fromkeys(known)
    open_terms = [sum(number not in known for number in terms) for terms, _ in ledger.equations]
    queue = deque(i for i, left in enumerate(open_terms) if left == 1)
    while queue:
        i = queue.popleft()
        found = [number for number in ledger.equations[i][0] if number not in known]
        if len(found) != 1:
            continue
        _settle(ledger, i, found[0])
        known.add(found[0])
        reasons[found[0]] = i
        for j in touching[found[0]]:
            open_terms[j] -= 1
            if open_terms[j] == 1:
                queue.append(j)
    return known, reasons


def _settle(ledger: Ledger, equation: int, number: int) -> None:
    """Work a count out from an equation where its value is not noted yet."""
    if ledger.values[number] is None:
        terms, constant = ledger.equations[equation]
        rest = sum(factor * ledger.values[n] for n, factor in terms.items() if n != number)
        ledger.values[number] = (constant - rest) // terms[number]


def _support(number: int, ledger: Ledger, hidden: set[int], reasons: dict[int, int | None]) -> set[int]:
    """Return published counts of the derivation of one that should not follow; hiding one of them breaks it.

    Where the equation already holds another hidden count, that one's derivation is to be broken, so that hidden counts
    protect each other instead of being joined by ever more.
    """
    following, seen, last = [number], {number}, set()
    while following:
        current = following.pop(0)
        if reasons[current] is None:
            continue
        others = [other for other in ledger.equations[reasons[current]][0] if other != current]
        partners = [other for other in others if other in hidden and other not in seen]
        if partners:
            following.insert(0, min(partners))
            seen.add(min(partners))
            continue
        found = {other for other in others if other in ledger.published and other not in hidden}
        spare = {other for other in found if ledger.cost[other] < MAIN}
        if spare:
            return spare
        last |= found
        fresh = [other for other in others if other not in seen]
        seen.update(fresh)
        following += fresh
    return last


def _nearest(number: int, ledger: Ledger, hidden: set[int], touching: dict[int, list[int]]) -> set[int]:
    layer, seen, last = [number], {number}, set()
    while layer:
        around = {other for current in layer for i in touching.get(current, ()) for other in ledger.equations[i][0]}
        found = {other for other in around if other in ledger.published and other not in hidden}
        spare = {other for other in found if ledger.cost[other] < MAIN}
        if spare or last:
            return spare or last
        last = found
        layer = sorted(around - seen)
        seen |= around
    return last


def _pinned(ledger: Ledger, known: set[int]) -> int | None:
    """Return a small count that can take (nearly) one value only, or None."""
    free, matrix, right = _open_equations(ledger, known)
    column = {number: i for i, number in enumerate(free)}
    targets = [column[number] for number in sorted(ledger.sensitive)]
    if not right:
        return None
    most = ledger.total if ledger.keys.get(ROWS) in known else 2 * ledger.total
    program = _Program(matrix, right, most)
    spread = (ledger.minimum + 1) // 2
    for direction in (1.0, -1.0):
        weights = np.zeros(len(free))
        weights[targets] = direction
        program.solve(weights)
    for target in targets:
        for direction in (1.0, -1.0):
            if program.high[target] - program.low[target] < spread:
                weights = np.zeros(len(free))
                weights[target] = direction
                program.solve(weights)
        if program.high[target] - program.low[target] < spread:
            return free[target]
    return None


def _open_equations(ledger: Ledger, known: set[int]) -> tuple[list[int], coo_array, list[int]]:
    """Return the counts that are not known, the matrix of the equations between them, and its right side."""
    free = [number for number in range(len(ledger.values)) if number not in known]
    column = {number: i for i, number in enumerate(free)}
    rows, columns, factors, right = [], [], [], []
    for terms, constant in ledger.equations:
        left = {number: factor for number, factor in terms.items() if number in column}
        if left:
            right.append(constant - sum(f * ledger.values[n] for n, f in terms.items() if n not in column))
            for number, factor in left.items():
                rows.append(len(right) - 1)
                columns.append(column[number])
                factors.append(factor)
    return free, coo_array((factors, (rows, columns)), shape=(len(right), len(free))), right


class _Program:
    """All tables of counts that agree with what is published, as integer points."""

    def __init__(self, matrix: coo_array, right: Sequence[int], total: int):
        self.constraint = LinearConstraint(matrix.tocsr(), right, right)
        self.bounds = Bounds(0, total)
        self.low = np.full(matrix.shape[1], np.inf)
        self.high = np.full(matrix.shape[1], -np.inf)

    def solve(self, weights: np.ndarray) -> None:
        """Find one table that minimises `weights`, and note the value of each count in it."""
        found = milp(weights, integrality=np.ones(len(weights)), bounds=self.bounds, constraints=self.constraint)
        if found.x is not None:
            point = np.round(found.x)
            self.low, self.high = np.minimum(self.low, point), np.maximum(self.high, point)
