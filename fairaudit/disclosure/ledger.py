"""Which counts to hide so that no small count can be worked out from those that stay.

Every count is a sum over the people of an audit by all that its figures depend on (:mod:`fairaudit.audit.people`). A
reader knows the counts that are shown, that no count is negative, and which combinations of attributes occur. What is
hidden is safe if there are two tables of people that agree with all of this and differ in it by at least half the
minimum; one of them may be the true table. The others are put together from moves of few people
(:mod:`fairaudit.disclosure.null_space`), or searched by a linear program, in which a shown count may differ at its
cost. What the cheapest table changes is hidden, and the tables, in whole numbers, are the proof. What is not proved
that way is made safe by hiding more. No search is limited by a clock, so all machines hide the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, eye_array, hstack

from fairaudit.disclosure.null_space import Moves, Room, few_people, part_key
from fairaudit.errors import LimitError

NODES, GAP = 20, 0.1
"""How often a program branches, and how near the best a table must come."""
COST_PER_MOVED_PERSON = 1e-5
"""What it costs to move one person, so that a table moves few."""

BATCHES = 16
"""The most programs that move many counts at once."""
MANY = 20
"""Where so many counts are not proved to stay open, programs that move many at once are worth their time."""
TRIED, FRESH = 8, 0.9
"""The most moves that are tried for one count, and the share of counts that must be left for another round of them."""

BESIDE = 1e-4
"""What it is worth to move a count that is not the aim of a program; little beside what is lost with any count."""
LOST = 0.25
"""What a count is still worth once all figures that it is part of are lost, as a share."""
SEARCHED = 20
"""The most tables that are searched to prove that a count may be shown again."""

MOST_CELLS = 100_000_000
"""The most counts times combinations of people that a ledger holds."""
MOST_PARTS = 4000
"""The most parts of the people that no count divides."""

MOST_WORK = 40_000_000
"""The most entries of all programs together; about a minute of one processor."""
MOST_NEEDLESS = MOST_WORK // 2
"""After so much work nothing more is shown again."""
MOVED = 20
"""So many entries of moves are as much work as one of a program."""
BRANCHING = 20
"""A program that branches is worth so many that do not."""

MOST_SUMS = 200
"""The most sums of hidden counts that are protected at once."""
TINY = 1e-6

Mask = np.ndarray
"""Whom a count is of: one boolean for each row of the people's table."""


@dataclass
class Ledger:
    """The counts of an export: whom each is of, what is lost with it, and which are hidden together.

    Parameters
    ----------
    people : ndarray of int, shape (n_atoms,)
        How many people each combination of attributes and outcomes has.
    minimum : int
        Counts under it are small.
    """

    people: np.ndarray
    minimum: int
    masks: list[Mask] = field(default_factory=list)
    cost: dict[int, float] = field(default_factory=dict)
    """What is lost with each count that is published."""
    figures: dict[int, list[set[int]]] = field(default_factory=dict)
    """For each count, the sets of counts that figures are made of, such as a gap of two groups."""
    small: set[int] = field(default_factory=set)
    """Counts that must not be known."""
    rules: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    """Once one of the first is hidden, so are all of the second."""
    facts: list[tuple[dict[int, float], float]] = field(default_factory=list)
    """What a reader knows besides: counts that, each times its weight, add up to at least a number."""
    numbers: dict[bytes, int] = field(default_factory=dict)
    blocks: list[set[int]] = field(default_factory=list)
    """Counts that belong to one question or form."""
    tables: list[dict[int, int]] = field(default_factory=list)
    """Counts of people who are apart, such as the women of each stratum: what of a table is hidden, by the published
    counts that it is hidden with, adds up."""
    behind: np.ndarray | None = None
    """How many of each combination's attributes have an outcome; 0 where it is no secret that nobody has this one."""
    searches: list[_Search] = field(default_factory=list)
    """What was searched, with the tables of people that prove what stays open."""
    known: set[int] = field(default_factory=set)
    """Counts that a reader may know from elsewhere; of those inside them it must stay open what they are part of."""
    out: set[int] = field(default_factory=set)
    """Counts that were published before: every reader knows them, whatever is hidden here."""
    given: set[int] = field(default_factory=set)
    """Counts that every reader is taken to know, with the same for those inside them."""

    def count(self, mask: Mask, *, cost: float | None = None, small: bool | None = None) -> int:
        """Add a count or find the same one; it is published if it has a cost."""
        if (len(self.masks) + 1) * len(self.people) > MOST_CELLS:
            raise LimitError(f"The ledger has too many counts of {len(self.people):,} combinations of people.")
        number = self.numbers.setdefault(np.packbits(mask).tobytes(), len(self.masks))
        if number == len(self.masks):
            self.masks.append(mask)
        if cost is not None:
            self.cost[number] = max(cost, self.cost.get(number, 0))
        if small if small is not None else 0 < self.value(number) < self.minimum:
            self.small.add(number)
        return number

    def value(self, number: int) -> int:
        """Return a count."""
        return int(self.people[self.masks[number]].sum())

    def together(self, *numbers: int) -> None:
        """State that counts are hidden together."""
        self.rules.append((numbers, numbers))

    def figure(self, *numbers: int) -> None:
        """State that a figure is made of these counts: once one of them is hidden, the others are worth less."""
        for number in numbers:
            self.figures.setdefault(number, []).append(set(numbers))

    def left_of(self, number: int, hidden: set[int]) -> float:
        """Return what would be lost with a count beside others that are hidden already."""
        figures = self.figures.get(number, ())
        is_lost = figures and not any(hidden.isdisjoint(figure) for figure in figures)
        return self.cost[number] * (LOST if is_lost else 1)

    def closed(self, hidden: set[int]) -> set[int]:
        """Return published counts with all that are hidden once they are."""
        hidden = set(hidden)
        changed = True
        while changed:
            before = len(hidden)
            for first, second in self.rules:
                if not hidden.isdisjoint(first):
                    hidden.update(second)
            changed = len(hidden) > before
        return {number for number in hidden if number in self.cost}

    def opened(self, number: int, hidden: set[int]) -> set[int]:
        """Return the hidden counts that have to be shown so that one of them can be."""
        again = {number}
        changed = True
        while changed:
            before = len(again)
            for first, second in self.rules:
                if not again.isdisjoint(second):
                    again.update(hidden.intersection(first))
            changed = len(again) > before
        return again

    @property
    def spread(self) -> int:
        """How far apart the possible values of a hidden count must be."""
        return (self.minimum + 1) // 2


def hidden_counts(ledger: Ledger) -> set[int]:
    """Choose the counts to hide, and prove that what is hidden, and each small part of the people, stays open."""
    searches = ledger.searches = [
        _Search(ledger, sorted(ledger.given | known)) for known in ([set(), ledger.known] if ledger.known else [set()])
    ]
    hidden, before = set[int](), None
    while hidden != before:
        before = hidden
        for search in searches:
            hidden = search.hidden(hidden)
    return _without_needless(ledger, hidden, searches)


def _without_needless(ledger: Ledger, hidden: set[int], searches: Sequence[_Search]) -> set[int]:
    """Show again what others that were hidden later made needless to hide, first what is worth most."""
    needed = ledger.closed(ledger.small & set(ledger.cost))
    ranked = sorted(hidden - needed, key=lambda n: (-ledger.cost[n], -ledger.value(n), n))
    for part in (*ledger.blocks, *({number} for number in ranked)):
        if any(search.work > MOST_NEEDLESS for search in searches):
            break
        again = {n for n in part & hidden if ledger.opened(n, hidden).isdisjoint(needed)}
        again = set().union(*(ledger.opened(n, hidden) for n in again))
        proofs = [search.proofs for search in searches]
        try:
            if again and all(search.stays_open(hidden - again) for search in searches):
                hidden = hidden - again
                continue
        except LimitError:
            break
        for search, proof in zip(searches, proofs, strict=True):
            search.proofs = proof
    return hidden


class _Search:
    """People in the same counts are one part; counts are sums of parts; tables are numbers of people that agree."""

    def __init__(self, ledger: Ledger, known: Sequence[int]):
        self.ledger, self.spread = ledger, ledger.spread
        masks = np.array(ledger.masks, dtype=bool).reshape(len(ledger.masks), len(ledger.people))
        bits = np.ascontiguousarray(np.packbits(masks, axis=0).T)
        _, first, place = np.unique(bits.view(f"V{bits.shape[1]}").ravel(), return_index=True, return_inverse=True)
        if len(first) > MOST_PARTS:
            raise LimitError(f"The ledger divides the people into {len(first):,} parts, more than {MOST_PARTS:,}.")
        self.work = 0
        self.people = np.bincount(place.ravel(), weights=ledger.people).round()
        self.rows = masks[:, first].astype(float)
        self.values = self.rows @ self.people
        self.facts = np.zeros((len(ledger.facts), len(self.people)))
        for fact, (weights, _) in zip(self.facts, ledger.facts, strict=True):
            for number, weight in weights.items():
                fact += weight * self.rows[number]
        # What a change must add up to at least, so that facts stay true of people + change.
        self.least = np.array([least for _, least in ledger.facts], dtype=float) - self.facts @ self.people
        self.none = np.zeros(len(self.people), dtype=bool)
        """Parts that nobody is in, though they could be."""
        if ledger.behind is not None:
            self.none[place.ravel()[ledger.behind > 0]] = True
            self.none &= self.people == 0
        self.fixed = self.rows[sorted({*known, *ledger.out})]
        self.is_beside_known = bool(known)
        self.room = Room(self.people, self.facts, self.least)
        self.published = sorted(ledger.cost)
        self.targets = np.zeros((0, len(self.people)))
        self.low, self.high, self.need = np.zeros(0), np.zeros(0), np.zeros(0)
        self.changes: list[np.ndarray] = []
        self.aimed: dict[bytes, float] = {}
        """How far apart the possible values of each target must be."""
        self.sums: set[bytes] = set()
        """Targets only because others of a table are shown."""
        self.kept: tuple[tuple[int, ...], Moves] | None = None
        self.opened: set[int] = set()
        """Targets that would not be open if nothing had been hidden for them."""
        self.moved_few: list[np.ndarray] = []
        self.few = few_people(self.rows, self.people, ledger.minimum)
        self.few_needs = self._needs(self.few)

    def hidden(self, hidden: set[int]) -> set[int]:
        """Return what is to be hidden besides what is hidden already."""
        ledger = self.ledger
        hidden = ledger.closed(hidden | ledger.small & set(ledger.cost))
        self._aim(self.rows[sorted(self._targets(hidden))])
        self._aim(np.eye(len(self.people))[self.none | (self.people > 0) & (self.people < ledger.minimum)])
        self._renew()
        self._move_many(self._shown(hidden), BATCHES)
        while True:
            closed = self._closed()
            if not closed.size and not self._aim_more(hidden):
                return hidden
            if closed.size and (more := self._cheapest(int(closed[0]), hidden)):
                self.opened.add(int(closed[0]))
                hidden = self.ledger.closed(hidden | more)
                self._aim(self.rows[sorted(self._targets(hidden))])
                self._renew()
            self._move_many(self._shown(hidden), 2)

    def _targets(self, hidden: set[int]) -> set[int]:
        """Return the counts that must stay open: beside what a reader may know from elsewhere, the small ones."""
        return self.ledger.small if self.is_beside_known else hidden | self.ledger.small

    @property
    def proofs(self) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
        """The tables found, what they change of few people, and how far apart values must be."""
        return list(self.changes), list(self.moved_few), self.need

    @proofs.setter
    def proofs(self, proofs: tuple[list[np.ndarray], list[np.ndarray], np.ndarray]) -> None:
        changes, moved_few, need = proofs
        later = list(self.aimed.items())[len(need) :]
        self.need = np.append(need, [0.0 if key in self.sums else least for key, least in later])
        self._take(changes, moved_few)

    def stays_open(self, hidden: set[int]) -> bool:
        """Say whether all stays open if only this is hidden, fewer counts than before; the proofs are then of that."""
        shown = self._shown(hidden)
        self._keep((self.rows[shown] @ np.array(self.changes).T == 0).all(axis=0) if self.changes else ())
        self._renew()
        # What is shown need not stay open.
        known = {part_key(self.rows[number]) for number in shown}
        self.need = np.array([0.0 if key in known else least for key, least in zip(self.aimed, self.need, strict=True)])
        return self._opens(shown, hidden)

    def stays_open_among(self, agree: Iterable[bool], hidden: set[int]) -> bool:
        """Say whether all stays open if of the tables found only these agree; these are then the proofs."""
        before = self.proofs
        self._keep(agree)
        if self._closed().size or self._aim_more(hidden):
            self.proofs = before
            return False
        return True

    def _keep(self, agree: Iterable[bool]) -> None:
        kept = list(agree)
        self._take(*(list(itertools.compress(proofs, kept)) for proofs in (self.changes, self.moved_few)))

    def _renew(self) -> None:
        """Protect sums of hidden counts no longer; those that are narrow with what is hidden now are found again."""
        self.need = np.array([0.0 if key in self.sums else least for key, least in self.aimed.items()])

    def _aim_more(self, hidden: set[int]) -> bool:
        """Protect also few people who are as many, or nearly, in all tables found; say whether there are more."""
        known = {part_key(self.rows[number]) for number in self._shown(hidden)}
        narrow = (row for row in self._narrow_sums(hidden) if part_key(row) not in known)
        rows = {part_key(row): row for row in itertools.islice(narrow, MOST_SUMS)}
        sums, is_more = self.sums | (rows.keys() - self.aimed.keys()), self._aim(rows.values())
        self.sums = sums
        return self._aim(self._narrow_few()) or is_more

    def _narrow_sums(self, hidden: set[int]) -> Iterator[np.ndarray]:
        """Yield the few people of two or all hidden counts of a table that are nearly as many in all tables found."""
        least, changes = self.ledger.minimum, np.array([np.zeros(len(self.people)), *self.changes]).T
        for table in self.ledger.tables:
            numbers = sorted(table[n] for n in table.keys() & hidden)
            if self.values[numbers].sum() < least:
                yield from self._narrow(self.rows[numbers].sum(axis=0)[None, :], changes)
            some = [n for n in numbers if self.values[n] < least]
            moved = self.rows[some] @ changes
            self._spend(len(some) * moved.size // MOVED)
            for place, number in enumerate(some):
                is_narrow = np.ptp(moved[place] + moved[place + 1 :], axis=1) < self.ledger.spread
                rows = self.rows[number] + self.rows[list(itertools.compress(some[place + 1 :], is_narrow))]
                yield from self._narrow(rows[rows @ self.people < least], changes)

    def _narrow(self, rows: np.ndarray, changes: np.ndarray) -> Iterator[np.ndarray]:
        """Yield of some counts those of few people who are as many, or nearly, in all tables found."""
        yield from rows[(rows @ self.people > 0) & (np.ptp(rows @ changes, axis=1) < self._needs(rows))]

    def _opens(self, shown: Sequence[int], hidden: set[int]) -> bool:
        """Search a table for each count that is not proved to stay open; say whether there is one for all."""
        for _ in range(SEARCHED):
            if not self._moves(shown).can_change(self.targets[self._closed()]).all():
                return False
            self._move_many(shown, 2)
            closed = self._closed()
            # First those that had to be opened by hiding.
            closed = closed[np.argsort([target not in self.opened for target in closed], kind="stable")]
            if closed.size and not self._widens(int(closed[0]), shown):
                return False
            if not closed.size and not self._aim_more(hidden):
                return True
        return False

    def _widens(self, target: int, shown: Sequence[int]) -> bool:
        """Search tables in which a target is as far from its true value as can be; say whether it is open then."""
        for sign in (1.0, -1.0):
            aim = (sign * self.targets[target], self._missing(target, sign))
            change = self._least(self._others() - aim[0], shown, reach=4 * self.ledger.minimum, aim=aim)
            if change is not None and self._note(change, shown) and self._is_open(target):
                return True
        return False

    def _missing(self, target: int, sign: float) -> float:
        """Return how far a target must be from its true value, up or down, to be open."""
        return self.need[target] + (self.low[target] if sign > 0 else -self.high[target])

    def _take(self, changes: list[np.ndarray], moved_few: list[np.ndarray]) -> None:
        """Have these changes of the people as the proofs."""
        self.changes, self.moved_few = changes, moved_few
        moved = self.targets @ np.array([np.zeros(len(self.people)), *changes]).T
        self.low, self.high = moved.min(axis=1), moved.max(axis=1)

    def _is_open(self, target: int) -> bool:
        return self.high[target] - self.low[target] >= self.need[target]

    def _closed(self) -> np.ndarray:
        """Return the targets that are not proved to stay open."""
        return np.flatnonzero(self.high - self.low < self.need)

    def _needs(self, rows: np.ndarray | csr_array) -> np.ndarray:
        """Return how far apart the possible values of counts must be: at most as many as a reader may know of."""
        need, sizes = np.full(rows.shape[0], float(self.spread)), rows.sum(axis=1)
        for fixed in self.fixed:
            inside = rows @ (1 - fixed) == 0
            need[inside] = np.minimum(need[inside], fixed @ self.people)
            need[inside & (sizes == fixed.sum())] = 0
        return need

    def _aim(self, parts: Iterable[np.ndarray]) -> bool:
        """Protect counts that are sums of these parts; say whether one of them is new."""
        rows = {part_key(row): row for row in parts if row.any()}
        again, self.sums = self.sums & rows.keys(), self.sums - rows.keys()
        for target, key in enumerate(self.aimed if again else ()):
            if key in again:
                self.need[target] = self.aimed[key]
        fresh = {key: row for key, row in rows.items() if key not in self.aimed}
        if not fresh:
            return bool(again)
        targets = np.array(list(fresh.values()))
        needs = self._needs(targets)
        self.aimed |= dict(zip(fresh, needs.tolist(), strict=True))
        moved = targets @ np.array([np.zeros(len(self.people)), *self.changes]).T
        self.need = np.append(self.need, needs)
        self.targets = np.vstack([self.targets, targets])
        self.low, self.high = np.append(self.low, moved.min(axis=1)), np.append(self.high, moved.max(axis=1))
        return True

    def _narrow_few(self) -> np.ndarray:
        """Return the sets of few people that are as many, or nearly, in all tables found."""
        low, high = np.zeros(len(self.few_needs)), np.zeros(len(self.few_needs))
        for moved in self.moved_few:
            np.minimum(low, moved, out=low)
            np.maximum(high, moved, out=high)
        return self.few[np.flatnonzero(high - low < self.few_needs)].toarray()

    def _shown(self, hidden: set[int]) -> list[int]:
        return [number for number in self.published if number not in hidden]

    def _note(self, change: np.ndarray, shown: Sequence[int]) -> bool:
        """Take a change of the people, in whole numbers, as a proof if it agrees with what is shown."""
        if (self._stay(shown) @ change != 0).any() or not self.room.has(change):
            return False
        self.changes.append(change)
        self.moved_few.append((self.few @ change).astype(np.float32))
        moved = self.targets @ change
        self.low, self.high = np.minimum(self.low, moved), np.maximum(self.high, moved)
        return True

    def _spend(self, work: int) -> None:
        """Count work, and end the search where it is too much."""
        self.work += work
        if self.work > MOST_WORK:
            raise LimitError("The ledger has too many counts that need others to be hidden.")

    def _stay(self, shown: Sequence[int]) -> np.ndarray:
        """Return the counts that are the same in all tables: what is shown, and what a reader may know."""
        return np.vstack([self.rows[shown], self.fixed])

    def _moves(self, shown: Sequence[int]) -> Moves:
        """Return the moves of people that what is shown allows; those of the last time are kept."""
        if self.kept is None or self.kept[0] != tuple(shown):
            stay = self._stay(shown)
            self._spend(stay.size)
            self.kept = tuple(shown), Moves(stay, self.people)
        return self.kept[1]

    def _move_many(self, shown: Sequence[int], times: int) -> None:
        """Search tables in which many counts are far from the true ones: by moves, and then by linear programs."""
        self._move_parts(shown)
        rng = np.random.default_rng(0)
        for turn in range(times):
            left = self.high - self.low < self.need
            if left.sum() <= MANY:
                return
            aim = self.targets[left].T @ rng.choice([0.0, 1.0, 1.0, -0.5], left.sum())
            change = self._least(-aim if turn % 2 == 0 else aim, shown, reach=self.ledger.minimum)
            if change is not None:
                self._note(change, shown)

    def _move_parts(self, shown: Sequence[int]) -> None:
        """Put moves of people together to tables, each with many counts that are far from the true ones."""
        moves = np.concatenate([sign * self._moves(shown).each for sign in (1.0, -1.0)])
        self._spend(moves.size // MOVED)
        times = np.minimum(self.room.times(moves, moved := self.room.moved(moves)), self.spread)
        moves, moved, times = moves[times > 0], moved[times > 0], times[times > 0]
        is_fresh = bool(len(moves))
        while is_fresh and (left := self._closed()).size:
            gains = (self.targets[left] @ moves.T) * times
            for sign in (1.0, -1.0):
                change = np.zeros(len(self.people))
                for target, gain in zip(left, sign * gains, strict=True):
                    row, need = sign * self.targets[target], self._missing(target, sign)
                    if row @ change < need - TINY:
                        best = np.argsort(-np.minimum(gain, self.need[target]), kind="stable")[:TRIED]
                        best = best[gain[best] > 0]
                        change = self.room.climbed(moves[best], row, need, change, moved[best])
                if change.any():
                    self._note(change, shown)
            is_fresh = self._closed().size < FRESH * left.size

    def _cheapest(self, target: int, hidden: set[int]) -> set[int]:
        """Return the shown counts that change in the cheapest table in which a target is far from its true value."""
        shown = self._shown(hidden)
        cost = np.array([self.ledger.left_of(n, hidden) for n in shown])
        found, missing = self._priced(target, 1.0, shown, cost), self._missing(target, 1.0)
        if found is None or found[1]:
            if self._widens(target, shown):
                return set()
            up = found if self._missing(target, 1.0) == missing else self._priced(target, 1.0, shown, cost)
            both = [each for each in (up, self._priced(target, -1.0, shown, cost)) if each is not None]
            found = min(both, key=lambda each: each[0], default=None)
        if found is None:
            return self._around(target, shown, hidden)
        _, more, change = found
        self._note(change, self._shown(self.ledger.closed(hidden | more)))
        return more if more or self._is_open(target) else self._around(target, shown, hidden)

    def _priced(
        self, target: int, sign: float, shown: Sequence[int], cost: np.ndarray
    ) -> tuple[float, set[int], np.ndarray] | None:
        """Return the price, the shown counts that change, and the change by which a target is open up or down."""
        aim = (sign * self.targets[target], self._missing(target, sign))
        change = self._least(self._others(), shown, reach=4 * self.ledger.minimum, aim=aim, cost=cost)
        if change is None:
            return None
        moved = self.rows[shown] @ change
        return float(np.abs(moved) @ cost), {number for number, by in zip(shown, moved, strict=True) if by}, change

    def _others(self) -> np.ndarray:
        """Return small weights of the people that move other counts, too, which are not proved to stay open yet."""
        left = self.high - self.low < self.need
        aim = self.targets[left].T @ np.random.default_rng(len(self.changes)).choice([-1.0, 1.0], left.sum())
        return BESIDE * aim / max(np.abs(aim).max(initial=0), 1)

    def _least(
        self,
        weights: np.ndarray,
        shown: Sequence[int],
        *,
        reach: int,
        aim: tuple[np.ndarray, float] | None = None,
        cost: np.ndarray | None = None,
    ) -> np.ndarray | None:
        """Return a change of the people in whole numbers with the least weight, or nearly so; None if none is found.

        What is aimed at changes by so much, at least where what is shown may change, too, each count at its cost; and
        at most where nothing that is shown may.

        The corners of a linear program are often whole, or near a change that is. Where they are not, people are
        branched on.
        """
        size, limits = len(self.people), []
        # change = up - down; shown counts of the change = more - less
        extra = [] if cost is None else [-eye_array(len(cost)), eye_array(len(cost))]
        n_extra = 0 if cost is None else 2 * len(cost)

        def limit(rows: np.ndarray, least: np.ndarray | float, most: float, apart: list) -> None:
            if len(rows):
                rows = csr_array(rows)
                limits.append(LinearConstraint(hstack([rows, -rows, *apart]).tocsr(), least, most))

        def unmoved(rows: np.ndarray) -> list:
            return [csr_array((len(rows), n_extra))] if n_extra else []

        limit(self.rows[shown], 0, 0, extra)
        limit(self.fixed, 0, 0, unmoved(self.fixed))
        limit(self.facts, np.ceil(self.least - TINY), np.inf, unmoved(self.facts))
        if aim is not None:
            low, high = (-np.inf, np.ceil(aim[1] - TINY)) if cost is None else (np.ceil(aim[1] - TINY), np.inf)
            limit(aim[0][None, :], low, high, unmoved(aim[0][None, :]))
        most = np.concatenate([np.full(size, float(reach)), np.minimum(self.people, reach), np.full(n_extra, np.inf)])
        price = np.zeros(0) if cost is None else np.concatenate([cost, cost])
        steps = [np.concatenate([COST_PER_MOVED_PERSON + weights, COST_PER_MOVED_PERSON - weights, price])]
        nudges = COST_PER_MOVED_PERSON * np.random.default_rng(0).uniform(1, 2, 2 * size)
        steps.append(np.concatenate([nudges, price]))
        branched = {
            "integrality": np.concatenate([np.ones(2 * size), np.zeros(n_extra)]),
            "options": {"node_limit": NODES, "mip_rel_gap": GAP},
        }
        for aimed, options in ((steps[0], {}), (steps[1], {}), *([(steps[0], branched)] if n_extra else [])):
            self._spend(sum(limit.A.nnz for limit in limits) * (BRANCHING if options else 1))
            found = milp(aimed, bounds=Bounds(0, most), constraints=limits, **options).x
            if found is None:
                return None
            found = found[:size] - found[size : 2 * size]
            change = np.round(found)
            if np.abs(change - found).max() < TINY:
                return change
            room = np.minimum(found + np.minimum(self.people, reach), reach - found)
            change = self._whole(found, shown, room, aim, must=cost is not None)
            if change is not None:
                return change
        return None

    def _whole(
        self,
        change: np.ndarray,
        shown: Sequence[int],
        room: np.ndarray,
        aim: tuple[np.ndarray, float] | None,
        *,
        must: bool,
    ) -> np.ndarray | None:
        """Return a change in whole numbers near another one, in which the same shown counts stay.

        What is aimed at must change by as much as is asked for, or may change by less.
        """
        stay = self._stay([n for n in shown if abs(self.rows[n] @ change) < TINY])
        self._spend(stay.size)
        moves = Moves(stay, room)
        for start in (*moves.near(change), np.zeros_like(change)):
            if self.room.has(start):
                found = start if aim is None else self.room.climbed(moves.each, *aim, start)
                if found.any() and (aim is None or not must or aim[0] @ found >= aim[1] - TINY):
                    return found
        return None

    def _around(self, target: int, shown: Sequence[int], hidden: set[int]) -> set[int]:
        """Return the cheapest shown count that a target has people in common with, or else the cheapest of all."""
        touching = [n for n in shown if self.rows[n] @ self.targets[target]] or list(shown)
        cheapest = min(touching, key=lambda n: (self.ledger.left_of(n, hidden), self.values[n], n), default=None)
        if cheapest is None:
            # Nothing is shown: there is nothing to work it out from.
            self.high[target] = self.low[target] + self.need[target]
            return set()
        return {cheapest}
