"""Find all rules of up to three literals with a reduced cost below a limit, or prove that there is none.

Literals of one column exclude or imply each other, so a column of eighteen literals has ten different rows. Literals
are put into blocks of few different rows, and the coefficients of all cells are summed up once for each three blocks: a
cube of some thousand sums, from which those of all conjunctions follow by small products. A pass over the cells for
every three blocks takes the place of one for every three literals, a hundredth of the work.

Blocks are passed over where nothing in them can help: where not even the negative coefficients that two literals cover
come below the limit, no third one brings them there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.exact_pricing import ROUNDING, WORK_A_TICK, Searched, iter_search
from fairaudit.estimators.rules.pricing import LiteralTable
from fairaudit.work import CALLS_PER_S, ELEMENTS_PER_S, PRODUCTS_PER_S, Budget

Floats = NDArray[np.float64]

LONGEST: Final = 3
"""Literals of a rule that this search looks at, at most."""
MOST_CODES: Final = 24
"""Different rows of a block of several literals, at most."""
MOST_LITERALS: Final = 32
"""Literals of a block, at most: all conjunctions of three of them are made."""
SPARE: Final = 6
"""Times as many rules are looked at as are to be listed, since several cover the same."""
MOST_HELD: Final = 20_000
"""Rules that are held at once beside those that are looked at, before the worst go."""
CUBE_CALLS: Final = 0.4
"""Small steps that three blocks take beside what they take for each cell."""
FASTER: Final = 4.0
"""Times as many elements and multiplications in a second as elsewhere: sums over cells and small products."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some literals with few different rows.

    Parameters
    ----------
    codes : ndarray of int, shape (n_patterns,)
        Which of these rows each pattern has.
    n_codes : int
        How many there are.
    rules : tuple of tuple of tuple of int
        The conjunctions of one literal of the block, of two and of three: indices among the kept literals.
    truths : tuple of ndarray of float, shape (n_rules, n_codes)
        On which rows each of these holds. No two conjunctions of a block hold on the same rows, and none on no row.
    """

    codes: NDArray[np.int64]
    n_codes: int
    rules: tuple[tuple[tuple[int, ...], ...], ...]
    truths: tuple[Floats, ...]

    @classmethod
    def of(cls, rows: NDArray[np.bool_], codes: NDArray[np.int64], first: int, longest: int) -> Self:
        """Return the block of the literals from `first` on whose different rows are `rows`."""
        seen: set[bytes] = set()
        rules, truths = [], []
        for length in range(1, longest + 1):
            own, held = [], []
            for places in itertools.combinations(range(rows.shape[1]), length):
                truth = rows[:, list(places)].all(axis=1)
                if truth.any() and truth.tobytes() not in seen:
                    seen.add(truth.tobytes())
                    own.append(tuple(first + place for place in places))
                    held.append(truth)
            rules.append(tuple(own))
            truths.append(np.array(held, dtype=np.float64).reshape(len(held), len(rows)))
        return cls(codes, len(rows), tuple(rules), tuple(truths))


@dataclass(frozen=True, eq=False)
class Blocks:
    """All literals of a table in blocks.

    Parameters
    ----------
    table : LiteralTable
        The table.
    blocks : tuple of Block
        Its literals, in their order.
    longest : int
        Literals of a rule, at most.
    """

    table: LiteralTable
    blocks: tuple[Block, ...]
    longest: int

    @classmethod
    def of(cls, table: LiteralTable, longest: int) -> Self:
        """Put literals that stand beside each other together while they have few different rows."""
        blocks, n = [], table.literals.shape[1]
        first, codes, rows = 0, np.zeros(len(table.literals), dtype=np.int64), np.zeros((1, 0), dtype=bool)
        for place in range(n):
            held = table.literals[:, place]
            together = 2 * codes + held
            found = np.flatnonzero(np.bincount(together))
            if place > first and (len(found) > MOST_CODES or place - first == MOST_LITERALS):
                blocks.append(Block.of(rows, codes, first, longest))
                first, rows, together = place, np.zeros((1, 0), dtype=bool), held.astype(np.int64)
                found = np.flatnonzero(np.bincount(together))
            numbers = np.zeros(found[-1] + 1, dtype=np.int64)
            numbers[found] = np.arange(len(found))
            codes = numbers[together]
            rows = np.column_stack([rows[found // 2], found % 2 == 1])
        if n:
            blocks.append(Block.of(rows, codes, first, longest))
        return cls(table, tuple(blocks), longest)

    def work(self, n_cells: int) -> float:
        """Return the multiplications that a search takes at most, about."""
        n = len(self.blocks)
        passes = sum(math.comb(n, length) for length in range(1, self.longest + 1))
        return passes * 2 * n_cells / (FASTER * ELEMENTS_PER_S) * PRODUCTS_PER_S


def iter_short_search(
    blocks: Blocks,
    coefficients: Floats,
    price: float,
    *,
    below: float = 0.0,
    keep: int = 200,
    every_cover: bool = False,
    max_work: float = math.inf,
    budget: Budget | None = None,
) -> Generator[None, None, Searched]:
    """Search all conjunctions of up to ``blocks.longest`` literals.

    Shapes: `coefficients` (n_cells,).
    """
    budget = Budget() if budget is None else budget
    net = blocks.table.net(coefficients)
    active = np.flatnonzero(net)
    if blocks.work(len(active)) > min(max_work, PRODUCTS_PER_S * budget.left):
        return Searched((), np.zeros(0), -math.inf, False)
    search = _Search(blocks, net[active], active, price, below - ROUNDING, SPARE * keep)
    ticked = counted = 0.0
    for _ in search.steps():
        budget.spend(seconds=search.work_s - counted)
        counted = search.work_s
        if budget.is_over:
            return Searched((), np.zeros(0), -math.inf, False)
        if counted - ticked > WORK_A_TICK / PRODUCTS_PER_S:
            ticked = counted
            yield
    searched = search.result(keep, every_cover=every_cover)
    budget.spend(elements=search.n_found * len(net) / 2, calls=search.n_found)
    return searched


class _Search:
    """The cells that count, and the rules found."""

    def __init__(
        self, blocks: Blocks, net: Floats, active: NDArray[np.int64], price: float, limit: float, most: int
    ) -> None:
        self.table, self.blocks, self.longest = blocks.table, blocks.blocks, blocks.longest
        self.net, self.active, self.price, self.limit, self.most = net, active, price, limit, most
        self.codes = [block.codes[active] for block in self.blocks]
        self.negative = np.minimum(net, 0.0)
        self.work_s, self.n_found, self.least_share = 0.0, 0, math.inf
        self.costs: list[Floats] = []
        self.places: list[NDArray[np.int64]] = []

    def steps(self) -> Iterator[None]:
        """Go through all conjunctions, a pair of blocks a step."""
        n = len(self.blocks)
        for i in range(n):
            self._alone(i)
            yield
        for i, j in itertools.combinations(range(n), 2) if self.longest > 1 else ():
            self._count(2 * len(self.net))
            opened = self._pair(i, j)
            yield
            if opened is not None:
                yield from self._triples(i, j, opened)

    def _alone(self, i: int) -> None:
        """Look at all conjunctions within a block."""
        block = self.blocks[i]
        sums = np.bincount(self.codes[i], self.net, block.n_codes)
        self._count(len(self.net))
        for rules, truths in zip(block.rules, block.truths, strict=True):
            for rule, covered in zip(rules, (truths @ sums).tolist(), strict=True):
                self._look(np.array([covered]), len(rule), np.array([self._padded(rule)]))

    def _pair(self, i: int, j: int) -> NDArray[np.bool_] | None:
        """Look at conjunctions within two blocks; return which pairs of literals a third could help, None for none."""
        one, other = self.blocks[i], self.blocks[j]
        codes = self.codes[i] * other.n_codes + self.codes[j]
        shape = one.n_codes, other.n_codes
        sums = np.bincount(codes, self.net, shape[0] * shape[1]).reshape(shape)
        for first, second in ((0, 0), (0, 1), (1, 0)):
            if first + second + 2 <= self.longest:
                self._look_at_pairs(one, first, other, second, one.truths[first] @ sums @ other.truths[second].T)
        if self.longest < LONGEST or j == len(self.blocks) - 1:
            return None
        hopes = np.bincount(codes, self.negative, shape[0] * shape[1]).reshape(shape)
        opened = one.truths[0] @ hopes @ other.truths[0].T + 4 * self.price < self.limit
        return opened if opened.any() else None

    def _triples(self, i: int, j: int, opened: NDArray[np.bool_]) -> Iterator[None]:
        """Look at conjunctions of an open pair of literals and one of a later block."""
        one, other = self.blocks[i], self.blocks[j]
        first, second = np.nonzero(opened)
        # Cells that no open pair of literals covers count in no sum that is wanted.
        wanted = one.truths[0].T @ opened @ other.truths[0] > 0
        codes = self.codes[i] * other.n_codes + self.codes[j]
        kept = np.flatnonzero(wanted.ravel()[codes])
        codes, net = codes[kept], self.net[kept]
        for k in range(j + 1, len(self.blocks)):
            third = self.blocks[k]
            sums = np.bincount(
                codes * third.n_codes + self.codes[k][kept], net, one.n_codes * other.n_codes * third.n_codes
            )
            part = one.truths[0] @ sums.reshape(one.n_codes, -1)
            part = other.truths[0] @ part.reshape(-1, other.n_codes, third.n_codes)
            covered = part[first, second] @ third.truths[0].T
            self._count(2 * len(kept), len(sums) * len(part), part.size * other.n_codes, covered.size * third.n_codes)
            lowest = float(covered.min(initial=math.inf)) + 4 * self.price
            self.least_share = min(self.least_share, lowest / 4)
            if lowest < self.limit:
                pairs, ends = np.nonzero(covered < self.limit - 4 * self.price)
                names = _names(one)[first[pairs]], _names(other)[second[pairs]], _names(third)[ends]
                self._look(covered[pairs, ends], 3, np.column_stack(names))
            yield

    def _look_at_pairs(self, one: Block, first: int, other: Block, second: int, covered: Floats) -> None:
        length = first + second + 2
        self._count(0.0, covered.size * (one.n_codes + other.n_codes))
        lowest = float(covered.min(initial=math.inf)) + self.price * (1 + length)
        self.least_share = min(self.least_share, lowest / (1 + length))
        if lowest >= self.limit:
            return
        left, right = np.nonzero(covered < self.limit - self.price * (1 + length))
        rules = [
            self._padded((*one.rules[first][a], *other.rules[second][b]))
            for a, b in zip(left.tolist(), right.tolist(), strict=True)
        ]
        self._look(covered[left, right], length, np.array(rules))

    def _look(self, covered: Floats, length: int, rules: NDArray[np.int64]) -> None:
        """Take rules of one length over that are below the limit; the worst go where there are too many."""
        costs = covered + self.price * (1 + length)
        self.least_share = min(self.least_share, float(costs.min(initial=math.inf)) / (1 + length))
        below = costs < self.limit
        self.costs.append(costs[below])
        self.places.append(rules[below])
        self.n_found += int(below.sum())
        if self.n_found > self.most + MOST_HELD:
            self._cut()

    def _cut(self) -> None:
        """Keep the best rules, and look for no worse ones from now on."""
        costs, places = np.concatenate(self.costs), np.concatenate(self.places)
        if len(costs) > self.most:
            # Of equal costs the first stay, on each processor the same.
            kept = np.argsort(costs, kind="stable")
            self.limit = float(costs[kept[self.most]])
            kept = np.sort(kept[: self.most])
            costs, places = costs[kept], places[kept]
        self.costs, self.places, self.n_found = [costs], [places], len(costs)

    def result(self, keep: int, *, every_cover: bool) -> Searched:
        """Return the best rules, of those that cover the same the one of least cost."""
        if self.costs:
            self._cut()
        if not self.n_found:
            return Searched((), np.zeros(0), self.limit, True, self._share())
        costs, places = self.costs[0], self.places[0]
        order = np.lexsort((*places.T[::-1], (places < 0).sum(axis=1) * -1, np.round(costs, 9)))
        rows = np.arange(len(self.table.literals)) if every_cover else self.active
        bits = np.packbits(self.table.literals[rows], axis=0).T
        found: list[tuple[int, ...]] = []
        reached: list[float] = []
        seen: set[bytes] = set()
        for place in order.tolist():
            rule = tuple(literal for literal in places[place].tolist() if literal >= 0)
            cover = np.bitwise_and.reduce(bits[list(rule)]).tobytes()
            if cover in seen or not any(cover):
                continue
            if len(found) == keep:
                self.limit = min(self.limit, float(costs[place]))
                break
            seen.add(cover)
            found.append(tuple(sorted(rule)))
            reached.append(float(costs[place]))
        rules = tuple(self.table.named(rule) for rule in found)
        return Searched(rules, np.array(reached), self.limit, True, self._share())

    def _share(self) -> float:
        """Return what no rule's reduced cost for each unit of its complexity is below."""
        # Pairs that were passed over are at the limit at least, with two literals and one more.
        return min(self.least_share, self.limit / 4) - ROUNDING

    def _padded(self, rule: tuple[int, ...]) -> tuple[int, ...]:
        return (*rule, *[-1] * (LONGEST - len(rule)))

    def _count(self, elements: float, *products: float) -> None:
        self.work_s += CUBE_CALLS / CALLS_PER_S
        self.work_s += (elements / ELEMENTS_PER_S + sum(products) / PRODUCTS_PER_S) / FASTER


def _names(block: Block) -> NDArray[np.int64]:
    """Return the literals of a block, those that hold where one before does left out."""
    return np.array([rule[0] for rule in block.rules[0]], dtype=np.int64)


def iter_exact_search(
    table: LiteralTable, blocks: Blocks | None, coefficients: Floats, price: float, longest: int, **options: Any
) -> Generator[None, None, Searched]:
    """Search all conjunctions, short ones by blocks; the options are those of both searches."""
    if blocks is not None:
        return (yield from iter_short_search(blocks, coefficients, price, **options))
    return (yield from iter_search(table, coefficients, price, longest, **options))
