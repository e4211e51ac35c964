"""Pricing: rules with negative reduced costs, by beam search, by enumeration and by SCIP."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.master import Duals
from fairaudit.estimators.rules.problem import RuleRows
from fairaudit.events import Searching
from fairaudit.measure.bands import sums_by_code
from fairaudit.solver import add_row, iter_solve, minimise, new_model
from fairaudit.work import CALLS_PER_S, ELEMENTS_PER_S, PRODUCTS_PER_S, Budget

if TYPE_CHECKING:
    from fairaudit.solver.models import Variable, WorkedModel

# Find rules with a negative reduced cost by a beam search over conjunctions.
#
# The reduced cost of a rule is the sum of the coefficients of the cells that it covers, plus the price of complexity
# times (1 + its literals). Adding a literal can take away negative coefficients and never adds any, so the negative
# coefficients that are still covered bound all that a rule can grow into.
#
# Cells with the same literals are covered together whatever their label and group, so their coefficients are summed:
# one row of `LiteralTable` stands for them.

Floats = NDArray[np.float64]

TRUTHS_AT_ONCE: Final = 6_000_000
"""So many numbers at most are made of truth values at once."""
OUTLOOKS: Final = (1.0, 0.75, 0.5, 0.25)
"""How much the positive coefficients that a parent still covers count; one view alone misses most good rules."""
LEVELS_WITHOUT_GAIN: Final = 3
"""Levels without a better rule than before, after which the search ends."""
MAX_NEAR: Final = 4
"""So many children of one parent are returned at most, so that the columns vary."""


@dataclass(frozen=True, eq=False)
class LiteralTable:
    """The literals on each combination that occurs, as pricing needs them."""

    # (n_patterns, n_kept) The different rows of the literals, without literals that never hold or hold where one before
    # holds.
    literals: NDArray[np.bool_]
    # (n_kept,) The index of each kept literal among all.
    kept: NDArray[np.int64]
    # (n_cells,) The row of each cell.
    patterns: NDArray[np.int64]

    @classmethod
    def of(cls, rows: RuleRows) -> Self:
        """Return the table of rows."""
        if not rows.n_literals:
            empty = np.zeros((1, 0), dtype=bool)
            return cls(empty, np.zeros(0, dtype=np.int64), np.zeros(rows.n_cells, dtype=np.int64))
        packed = np.ascontiguousarray(np.packbits(rows.literals, axis=1))
        keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, patterns = np.unique(keys, return_index=True, return_inverse=True)
        literals = rows.literals[first]
        columns = np.ascontiguousarray(np.packbits(literals, axis=0).T)
        _, kept = np.unique(columns.view(np.dtype((np.void, columns.shape[1]))).ravel(), return_index=True)
        kept = np.sort(kept)
        kept = kept[literals[:, kept].any(axis=0)]
        return cls(np.ascontiguousarray(literals[:, kept]), kept.astype(np.int64), patterns.reshape(-1))

    def net(self, coefficients: Floats) -> Floats:
        """Return the sum of the cells' coefficients for each row of the table."""
        return sums_by_code(self.patterns, coefficients, len(self.literals))

    def named(self, rule: tuple[int, ...]) -> tuple[int, ...]:
        """Return the literals of a rule as indices among all."""
        return tuple(self.kept[list(rule)].tolist())

    def numbered(self, rules: Sequence[tuple[int, ...]]) -> dict[int, list[tuple[int, ...]]]:
        """Return rules of kept literals by their length, as indices among the kept ones."""
        places = {literal: place for place, literal in enumerate(self.kept.tolist())}
        by_length: dict[int, list[tuple[int, ...]]] = {}
        for rule in rules:
            if rule and all(literal in places for literal in rule):
                by_length.setdefault(len(rule), []).append(tuple(places[literal] for literal in rule))
        return by_length


@dataclass(frozen=True, eq=False)
class PricedRules:
    """Rules that were found."""

    # The literals of each, as increasing indices among all literals; the least reduced cost first.
    rules: tuple[tuple[int, ...], ...]
    # (n_rules,) Their reduced costs.
    reduced_costs: Floats


def beam_search(
    table: LiteralTable,
    coefficients: Floats,
    price: float,
    longest: int,
    *,
    below: float = 0.0,
    width: int = 12,
    keep: int = 100,
    seeds: Sequence[tuple[int, ...]] = (),
) -> PricedRules:
    """Search level by level, from each level's most promising parents only.

    Shapes: `coefficients` (n_cells,).

    Notes
    -----
    A level takes two matrix products of (parents, n_patterns) and (n_patterns, n_literals).
    """
    net = table.net(coefficients)
    active = np.flatnonzero(net)
    literals, net = table.literals[active], net[active]
    sown = table.numbered(seeds)
    parents: list[tuple[int, ...]] = [()]
    found: dict[tuple[float, float], tuple[float, tuple[int, ...], tuple[int, ...]]] = {}
    best, since = np.inf, 0
    for length in range(1, longest + 1):
        masks = np.array([literals[:, list(rule)].all(axis=1) for rule in parents])
        covered, hopeful = _children(masks, literals, net)
        costs = covered + price * (1 + length)
        optimistic = hopeful + price * (2 + length)
        for place, rule in enumerate(parents):
            costs[place, list(rule)] = optimistic[place, list(rule)] = np.inf
        for place, child in _smallest(costs, below, 4 * keep):
            key = (round(covered[place, child], 5), round(hopeful[place, child], 5))
            rule = tuple(sorted((*parents[place], child)))
            if key not in found or costs[place, child] < found[key][0]:
                found[key] = (float(costs[place, child]), rule, parents[place])
        least = float(costs.min(initial=np.inf))
        best, since = (least, 0) if least < best else (best, since + 1)
        if length == longest or since == LEVELS_WITHOUT_GAIN:
            break
        chosen = _promising(optimistic < below, covered, hopeful, width)
        children = [tuple(sorted((*parents[place], child))) for place, child in chosen]
        parents = list(dict.fromkeys(children + sown.get(length, [])))
        if not parents:
            break
    return _varied(table, list(found.values()), keep)


def _children(masks: NDArray[np.bool_], literals: NDArray[np.bool_], net: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients that each parent covers with each literal added: all, and the negative ones."""
    covered = np.zeros((len(masks), literals.shape[1]))
    hopeful = np.zeros_like(covered)
    block = max(1, TRUTHS_AT_ONCE // max(1, literals.shape[1] + 2 * len(masks)))
    for start in range(0, len(net), block):
        part = slice(start, start + block)
        truth = literals[part].astype(np.float32)
        weights = net[part].astype(np.float32)
        parents = masks[:, part].astype(np.float32)
        covered += (parents * weights) @ truth
        hopeful += (parents * np.minimum(weights, 0)) @ truth
    return covered, hopeful


def _smallest(values: Floats, below: float, count: int) -> list[tuple[int, int]]:
    """Return the places of the smallest values below a limit, the smallest first."""
    flat = values.ravel()
    places = np.flatnonzero(flat < below)
    if len(places) > count:
        places = places[np.argpartition(flat[places], count)[:count]]
    places = places[np.argsort(flat[places], kind="stable")]
    rows, columns = np.divmod(places, values.shape[1])
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _promising(open_: NDArray[np.bool_], covered: Floats, hopeful: Floats, width: int) -> list[tuple[int, int]]:
    """Return the places of the best children in each outlook, passing over those that cover the same as one before."""
    chosen: dict[tuple[float, float], tuple[int, int]] = {}
    for outlook in OUTLOOKS:
        wanted = len(chosen) + width
        score = np.where(open_, outlook * covered + (1 - outlook) * hopeful, np.inf)
        for place in _smallest(score, np.inf, 8 * width):
            chosen.setdefault((round(covered[place], 5), round(hopeful[place], 5)), place)
            if len(chosen) == wanted:
                break
    return list(chosen.values())


def _varied(table: LiteralTable, found: list[tuple[float, tuple[int, ...], tuple[int, ...]]], keep: int) -> PricedRules:
    """Keep the best distinct rules, with a limit on the children of each parent."""
    children: dict[tuple[int, ...], int] = {}
    kept, seen = [], set()
    for cost, rule, parent in sorted(found):
        # Two parents can lead to one rule, with costs that differ by rounding.
        if rule in seen:
            continue
        seen.add(rule)
        children[parent] = children.get(parent, 0) + 1
        if children[parent] <= MAX_NEAR:
            kept.append((cost, table.named(rule)))
            if len(kept) == keep:
                break
    return PricedRules(tuple(rule for _, rule in kept), np.array([cost for cost, _ in kept]))


# Find all rules with a reduced cost below a limit, or prove that there is none, by branch and bound.
#
# The search tree adds literals in one order, so each conjunction has one place. A node holds only the cells that its
# rule covers and only the literals that may still be added, and is cut off where not even the negative coefficients
# alone could bring the reduced cost below the limit. Three things keep it small:
#
# * cells that the remaining literals cannot distinguish are merged and their coefficients summed, at every node anew;
#   coefficients that cancel there cannot help any more;
# * a literal that holds on all remaining cells, or where another remaining one holds, adds nothing;
# * a pair of literals is looked at from one matrix product of all pairs, so a child that has none is never made.

COST_TOLERANCE: Final = 1e-7
"""A reduced cost this near to a limit counts as at the limit."""
WORK_A_TICK: Final = 2e9
"""Multiplications between two moments at which the search can be interrupted."""


@dataclass(frozen=True, eq=False)
class PricingEnd:
    """What an exact search has found and proven."""

    # The literals of each rule, as increasing indices among all literals; the least reduced cost first.
    rules: tuple[tuple[int, ...], ...]
    # (n_rules,) Their reduced costs.
    reduced_costs: Floats
    # Where `complete`: no rule that is not listed, nor one that covers the same as a listed one at a higher cost, has a
    # reduced cost below this.
    floor: float
    # Whether the search came to its end.
    complete: bool
    # No rule's reduced cost for each unit of its complexity is below this, where that is known beside the floor.
    least_share: float = -math.inf

    def proven_price(self, price: float) -> float | None:
        """Return the lowest known price of complexity at which no reduced cost is negative; None if not complete."""
        if not self.complete:
            return None
        rise = max(0.0, -self.floor) / 2
        for rule, cost in zip(self.rules, self.reduced_costs.tolist(), strict=True):
            rise = max(rise, -cost / (1 + len(rule)))
        return price + min(rise, max(0.0, -self.least_share))


def iter_search(
    table: LiteralTable,
    coefficients: Floats,
    price: float,
    longest: int,
    *,
    below: float = 0.0,
    keep: int = 200,
    every_cover: bool = False,
    max_work: float = float("inf"),
    budget: Budget | None = None,
) -> Generator[None, None, PricingEnd]:
    """Search all conjunctions. Shapes: `coefficients` (n_cells,)."""
    budget = Budget() if budget is None else budget
    search = _PricingSearch(price, longest, below - COST_TOLERANCE, keep, every_cover)
    net = table.net(coefficients)
    cells = np.arange(len(net)) if every_cover else np.flatnonzero(net)
    # The root looks at all pairs at once, which cannot be interrupted.
    if 3.0 * len(cells) * table.literals.shape[1] ** 2 > min(max_work, PRODUCTS_PER_S * budget.left):
        return PricingEnd((), np.zeros(0), -math.inf, False)
    stack = [search.node((), table.literals[cells], net[cells], np.arange(table.literals.shape[1]))]
    ticked, counted, complete = 0.0, 0.0, True
    while stack:
        budget.spend(products=search.work - counted, calls=4)
        counted = search.work
        if search.work > max_work or budget.is_over:
            complete = False
            break
        if search.work - ticked > WORK_A_TICK:
            ticked = search.work
            yield
        node = stack[-1]
        child = node.next_child(search)
        if child is None:
            stack.pop()
        else:
            stack.append(child)
    return search.result(table, complete)


class _PricingSearch:
    """What all nodes share: the limit, and the rules found."""

    def __init__(self, price: float, longest: int, below: float, keep: int, every_cover: bool) -> None:
        self.price, self.longest, self.limit, self.keep, self.every_cover = price, longest, below, keep, every_cover
        self.found: list[tuple[float, tuple[int, ...]]] = []
        self.work = 0.0

    def add(self, rule: tuple[int, ...], cost: float) -> None:
        """Remember a rule; the worst one goes where there are too many, and its successor is the new limit."""
        heapq.heappush(self.found, (-cost, rule))
        if len(self.found) > self.keep:
            heapq.heappop(self.found)
            self.limit = -self.found[0][0]

    def result(self, table: LiteralTable, complete: bool) -> PricingEnd:
        """Return what was found, the best first."""
        best = sorted((-cost, tuple(sorted(rule))) for cost, rule in self.found)
        rules = tuple(table.named(rule) for _, rule in best)
        return PricingEnd(rules, np.array([cost for cost, _ in best]), self.limit, complete)

    def node(self, rule: tuple[int, ...], cells: NDArray[np.bool_], net: Floats, items: NDArray[np.int64]) -> _Node:
        """Return a node, its children and theirs looked at."""
        if rule:
            cells, net = _merged(cells, net, drop_zeros=not self.every_cover)
        node = _Node(rule, cells, net, items)
        node.look(self)
        return node


class _Node:
    """A rule, the cells that it covers, and the literals that may be added to it."""

    def __init__(self, rule: tuple[int, ...], cells: NDArray[np.bool_], net: Floats, items: NDArray[np.int64]) -> None:
        self.rule, self.cells, self.net, self.items = rule, cells, net, items
        self.pending: list[tuple[int, NDArray[np.int64], float]] = []

    def next_child(self, search: _PricingSearch) -> _Node | None:
        """Return the next child that could still hold a wanted rule; None if there is none left."""
        while self.pending:
            place, others, least = self.pending.pop()
            if least + search.price * (len(self.rule) + 4) < search.limit:
                covered = self.cells[:, place]
                return search.node(
                    (*self.rule, int(self.items[place])),
                    self.cells[np.ix_(covered, others)],
                    self.net[covered],
                    self.items[others],
                )
        return None

    def look(self, search: _PricingSearch) -> None:
        """List the rules with one literal more (of the root) and two more, and the children worth a node."""
        length, price = len(self.rule), search.price
        negative = np.minimum(self.net, 0.0)
        hopeful, covered, counts = _sums(self.cells, np.column_stack([negative, self.net, np.ones(len(self.net))]))
        search.work += 3.0 * self.cells.size
        if length == 0 and search.longest >= 1:
            self._list(search, covered + price * 2, [(item,) for item in self.items.tolist()])
        if length + 2 > search.longest:
            return
        useful = np.flatnonzero((hopeful + price * (length + 3) < search.limit) & (counts < len(self.net)))
        if len(useful) < 2:
            return
        # The least hopeful first: they may be joined by all that follow, the most hopeful by few.
        useful = useful[np.argsort(-hopeful[useful], kind="stable")]
        cells = self.cells[:, useful]
        hopeful2, covered2, counts2 = _pair_sums(cells, negative, self.net)
        search.work += 3.0 * cells.size * len(useful)
        own = np.diag(counts2)
        new = np.triu((counts2 < own[:, None]) & (counts2 < own[None, :]) & (counts2 > 0), 1)
        costs = np.where(new, covered2 + price * (length + 3), np.inf)
        first, second = np.nonzero(costs < search.limit)
        names = self.items[useful]
        rules = [(*self.rule, *pair) for pair in zip(names[first].tolist(), names[second].tolist(), strict=True)]
        self._list(search, costs[first, second], rules)
        if length + 3 > search.longest:
            return
        open_pairs = new & (hopeful2 + price * (length + 4) < search.limit)
        for place in np.flatnonzero(open_pairs.sum(axis=1) > 1).tolist():
            others = np.flatnonzero(open_pairs[place])
            # A third literal leaves no more than the second most hopeful pair.
            least = float(np.partition(hopeful2[place, others], 1)[1])
            self.pending.append((int(useful[place]), useful[others], least))

    def _list(self, search: _PricingSearch, costs: Floats, rules: list[tuple[int, ...]]) -> None:
        for place in np.argsort(costs, kind="stable").tolist():
            if costs[place] >= search.limit:
                break
            search.add(rules[place], float(costs[place]))


def _sums(cells: NDArray[np.bool_], weights: Floats) -> tuple[Floats, ...]:
    """Return the sum of each weight over the cells on which each literal holds."""
    sums = np.zeros((weights.shape[1], cells.shape[1]))
    block = max(1, TRUTHS_AT_ONCE // max(1, cells.shape[1]))
    for start in range(0, len(cells), block):
        part = slice(start, start + block)
        sums += weights[part].T @ cells[part].astype(np.float64)
    return tuple(sums)


def _pair_sums(cells: NDArray[np.bool_], *weights: Floats) -> tuple[Floats, ...]:
    """Return the sum of each weight, and the count, over the cells on which each pair of literals holds."""
    size = cells.shape[1]
    sums = [np.zeros((size, size)) for _ in range(len(weights) + 1)]
    block = max(1, TRUTHS_AT_ONCE // max(1, size))
    for start in range(0, len(cells), block):
        truth = cells[start : start + block].astype(np.float64)
        sums[-1] += truth.T @ truth
        for total, weight in zip(sums, weights, strict=False):
            total += truth.T @ (truth * weight[start : start + block, None])
    return tuple(sums)


def _merged(cells: NDArray[np.bool_], net: Floats, *, drop_zeros: bool) -> tuple[NDArray[np.bool_], Floats]:
    """Merge cells that the remaining literals cannot distinguish, and drop those that none of them covers."""
    packed = np.packbits(cells, axis=1)
    words = np.zeros((len(cells), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    keys = np.zeros(len(cells), dtype=np.uint64)
    for word in words.view(np.uint64).T:
        keys = (keys ^ word) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    _, first, merged = np.unique(keys, return_index=True, return_inverse=True)
    net = sums_by_code(merged.reshape(-1), net)
    cells = cells[first]
    kept = cells.any(axis=1)
    if drop_zeros:
        kept &= np.abs(net) > 1e-12
    return cells[kept], net[kept]


# Find all rules of up to three literals with a reduced cost below a limit, or prove that there is none.
#
# Literals of one column exclude or imply each other, so a column of eighteen literals has ten different rows. Literals
# are put into blocks of few different rows, and the coefficients of all cells are summed up once for each three blocks:
# a cube of some thousand sums, from which those of all conjunctions follow by small products. A pass over the cells for
# every three blocks takes the place of one for every three literals, a hundredth of the work.
#
# Blocks are passed over where nothing in them can help: where not even the negative coefficients that two literals
# cover come below the limit, no third one brings them there.

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
SMALL_PRODUCT_SPEED: Final = 4.0
"""Times as many elements and multiplications in a second as elsewhere: sums over cells and small products."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some literals with few different rows."""

    # (n_patterns,) Which of these rows each pattern has.
    codes: NDArray[np.int64]
    n_codes: int
    # The conjunctions of one literal of the block, of two and of three: indices among the kept literals.
    rules: tuple[tuple[tuple[int, ...], ...], ...]
    # (n_rules, n_codes) On which rows each of these holds. No two conjunctions of a block hold on the same rows, and
    # none on no row.
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
    """All literals of a table in blocks."""

    table: LiteralTable
    # Its literals, in their order.
    blocks: tuple[Block, ...]
    # Literals of a rule, at most.
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
        return passes * 2 * n_cells / (SMALL_PRODUCT_SPEED * ELEMENTS_PER_S) * PRODUCTS_PER_S


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
) -> Generator[None, None, PricingEnd]:
    """Search all conjunctions of up to ``blocks.longest`` literals. Shapes: `coefficients` (n_cells,)."""
    budget = Budget() if budget is None else budget
    net = blocks.table.net(coefficients)
    active = np.flatnonzero(net)
    if blocks.work(len(active)) > min(max_work, PRODUCTS_PER_S * budget.left):
        return PricingEnd((), np.zeros(0), -math.inf, False)
    search = _ShortSearch(blocks, net[active], active, price, below - COST_TOLERANCE, SPARE * keep)
    ticked = counted = 0.0
    for _ in search.steps():
        budget.spend(seconds=search.work_s - counted)
        counted = search.work_s
        if budget.is_over:
            return PricingEnd((), np.zeros(0), -math.inf, False)
        if counted - ticked > WORK_A_TICK / PRODUCTS_PER_S:
            ticked = counted
            yield
    searched = search.result(keep, every_cover=every_cover)
    budget.spend(elements=search.n_found * len(net) / 2, calls=search.n_found)
    return searched


class _ShortSearch:
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
                names = (
                    _single_literals(one)[first[pairs]],
                    _single_literals(other)[second[pairs]],
                    _single_literals(third)[ends],
                )
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

    def result(self, keep: int, *, every_cover: bool) -> PricingEnd:
        """Return the best rules, of those that cover the same the one of least cost."""
        if self.costs:
            self._cut()
        if not self.n_found:
            return PricingEnd((), np.zeros(0), self.limit, True, self._share())
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
        return PricingEnd(rules, np.array(reached), self.limit, True, self._share())

    def _share(self) -> float:
        """Return what no rule's reduced cost for each unit of its complexity is below."""
        # Pairs that were passed over are at the limit at least, with two literals and one more.
        return min(self.least_share, self.limit / 4) - COST_TOLERANCE

    def _padded(self, rule: tuple[int, ...]) -> tuple[int, ...]:
        return (*rule, *[-1] * (LONGEST - len(rule)))

    def _count(self, elements: float, *products: float) -> None:
        self.work_s += CUBE_CALLS / CALLS_PER_S
        self.work_s += (elements / ELEMENTS_PER_S + sum(products) / PRODUCTS_PER_S) / SMALL_PRODUCT_SPEED


def _single_literals(block: Block) -> NDArray[np.int64]:
    """Return the literals of a block, without those that hold just where one before does."""
    return np.array([rule[0] for rule in block.rules[0]], dtype=np.int64)


class SearchOptions(TypedDict, total=False):
    """What both exact searches may be given: where to end, and what to list."""

    below: float
    keep: int
    every_cover: bool
    max_work: float
    budget: Budget | None


def iter_exact_search(
    table: LiteralTable,
    blocks: Blocks | None,
    coefficients: Floats,
    price: float,
    longest: int,
    **options: Unpack[SearchOptions],
) -> Generator[None, None, PricingEnd]:
    """Search all conjunctions, short ones by blocks."""
    if blocks is not None:
        return (yield from iter_short_search(blocks, coefficients, price, **options))
    return (yield from iter_search(table, coefficients, price, longest, **options))


# The pricing problem as an integer program, for when the branch and bound of `iter_search` does not come to its end.
#
# =============== =============================================================================================
# symbol          meaning
# =============== =============================================================================================
# z_j             whether the rule has literal j
# d_i             whether the rule covers pattern i (a row of the table, with its net coefficient)
# S_i             literals that do not hold on pattern i
# D               literals of a rule, at most
# lambda          the price of complexity
# =============== =============================================================================================

SCIP_ROUNDING: Final = 1e-6
"""The tolerance of SCIP."""
MOST_ENTRIES: Final = 400_000
"""Entries of the matrix at most; beyond, the model takes longer to make than there is time."""


def is_for_scip(table: LiteralTable) -> bool:
    """Say whether the table is small enough for an integer program."""
    return 0 < table.literals.size <= MOST_ENTRIES


def iter_scip_search(
    table: LiteralTable, duals: Duals, longest: int, *, below: float = 0.0, budget: Budget | None = None
) -> Searching[PricingEnd]:
    """Search for the rule with the least reduced cost."""
    net = table.net(duals.coefficients)
    patterns = np.flatnonzero(net)
    with new_model("pricing", budget) as model:
        literals = [model.addVar(f"z_{literal}", vtype="B") for literal in table.kept.tolist()]
        add_row(model, literals, [1.0] * len(literals), at_least=1, at_most=longest, name="length")
        covered = [
            _add_pattern(model, literals, ~table.literals[pattern], net[pattern] < 0, longest, pattern)
            for pattern in patterns.tolist()
        ]
        prices = [duals.price] * len(literals)
        minimise(model, literals + covered, [*prices, *net[patterns].tolist()], constant=duals.price)
        solved = yield from iter_solve(model, variables=literals, what="Looking for any rule that is left")
    found: dict[tuple[int, ...], float] = {}
    for solution in solved.solutions:
        rule = tuple(np.flatnonzero(solution > 0.5).tolist())
        cost = float(net[table.literals[:, list(rule)].all(axis=1)].sum() + duals.price * (1 + len(rule)))
        if cost < below:
            found[table.named(rule)] = cost
    best = sorted((cost, rule) for rule, cost in found.items())
    floor = solved.bound - SCIP_ROUNDING * (1 + abs(solved.bound))
    return PricingEnd(tuple(rule for _, rule in best), np.array([cost for cost, _ in best]), floor, complete=True)


def _add_pattern(
    model: WorkedModel, literals: list[Variable], fails: NDArray[np.bool_], helps: bool, longest: int, pattern: int
) -> Variable:
    """Add d_i and its row; return d_i."""
    covered = model.addVar(f"d_{pattern}", vtype="B" if helps else "C", lb=0, ub=1)
    against = [literals[place] for place in np.flatnonzero(fails).tolist()]
    if helps:
        # D d_i + sum over S_i of z_j <= D
        add_row(model, [covered, *against], [longest] + [1.0] * len(against), at_most=longest, name=f"out_{pattern}")
    else:
        # d_i + sum over S_i of z_j >= 1
        add_row(model, [covered, *against], [1.0] * (1 + len(against)), at_least=1, name=f"in_{pattern}")
    return covered
