"""Which counts to hide so that no small count can be worked out from those that stay.

This is cell suppression with an auditor: hide the small counts, look for one that still follows from the equations
between counts, hide the least useful count that gives it away, and repeat. Whether a count follows is decided first by
substitution, then by integer programming: a hidden small count must keep a range of possible values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import null_space

from fairaudit.disclosure.consistent_counts import Program, open_equations

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
        """Add a count, or find the one with the same key."""
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

    Notes
    -----
    Each round hides one more count, so it ends. A round costs one substitution and, once that finds nothing, integer
    programs over the counts that are not known: two for each small count at most, most often far fewer.
    """
    hidden = {number for number in ledger.sensitive if number in ledger.published}
    if not ledger.sensitive:
        return hidden
    touching = _touching(ledger)
    while True:
        _hide_companions(ledger, hidden)
        known, reasons = _substitute(ledger, hidden, touching)
        exposed = sorted(number for number in ledger.sensitive if number in known)
        if exposed:
            found = (
                _support(number, ledger, hidden, reasons) or _behind(number, ledger, hidden, reasons)
                for number in exposed
            )
            candidates = next((each for each in found if each), set())
        else:
            number = _pinned(ledger, known)
            candidates = set() if number is None else _nearest(number, ledger, hidden, touching)
        if not candidates:
            return hidden - _needless(ledger, hidden, known)
        hidden.add(min(candidates, key=lambda n: (ledger.values[n] == 0, ledger.cost[n], ledger.values[n], n)))


def known_counts(ledger: Ledger, hidden: set[int]) -> set[int]:
    """Return the counts that are shown, and those that follow from them one after the other."""
    return _substitute(ledger, hidden, _touching(ledger))[0]


def most_of(ledger: Ledger, known: set[int]) -> int:
    """Return the most that a reader can take a count to be, see :class:`Ledger`."""
    return ledger.total if ledger.keys.get(ROWS) in known else 2 * ledger.total


def spread_of(ledger: Ledger) -> int:
    """Return how wide the range of possible values of a hidden small count must be."""
    return (ledger.minimum + 1) // 2


def _touching(ledger: Ledger) -> dict[int, list[int]]:
    """Return for each count the equations that it is in."""
    touching: dict[int, list[int]] = {}
    for i, (terms, _) in enumerate(ledger.equations):
        for number in terms:
            touching.setdefault(number, []).append(i)
    return touching


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
    free, matrix, _ = open_equations(ledger.values, ledger.equations, known)
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


def _behind(number: int, ledger: Ledger, hidden: set[int], reasons: dict[int, int | None]) -> set[int]:
    """Return all published counts that the derivation of one rests on: the cheaper ones, if there are any."""
    following, seen = [number], {number}
    while following:
        reason = reasons[following.pop()]
        others = set() if reason is None else set(ledger.equations[reason][0]) - seen
        seen |= others
        following += others
    found = {other for other in seen if other in ledger.published and other not in hidden}
    return {other for other in found if ledger.cost[other] < MAIN} or found


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
    free, matrix, right = open_equations(ledger.values, ledger.equations, known)
    column = {number: i for i, number in enumerate(free)}
    if not right:
        return None
    program = Program(matrix, right, most_of(ledger, known))
    targets = [column[number] for number in sorted(ledger.sensitive)]
    return next((free[found] for found in program.narrow(targets, spread_of(ledger))), None)
