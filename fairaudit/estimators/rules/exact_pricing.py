"""Find all rules with a reduced cost below a limit, or prove that there is none, by branch and bound.

The search tree adds literals in one order, so each conjunction has one place. A node holds only the cells that its rule
covers and only the literals that may still be added, and is cut off where not even the negative coefficients alone
could bring the reduced cost below the limit. Three things keep it small:

* cells that the remaining literals cannot distinguish are merged and their coefficients summed, at every node anew;
  coefficients that cancel there cannot help any more;
* a literal that holds on all remaining cells, or where another remaining one holds, adds nothing;
* a pair of literals is looked at from one matrix product of all pairs, so a child that has none is never made.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.pricing import BLOCK, LiteralTable
from fairaudit.measure.bins import sums_by_code
from fairaudit.work import PRODUCTS_PER_S, Budget

Floats = NDArray[np.float64]

ROUNDING: Final = 1e-7
"""A reduced cost this near to a limit counts as at the limit."""
WORK_A_TICK: Final = 2e9
"""Multiplications between two moments at which the search can be interrupted."""


@dataclass(frozen=True, eq=False)
class Searched:
    """What an exact search has found and proven.

    Parameters
    ----------
    rules : tuple of tuple of int
        The literals of each rule, as increasing indices among all literals; the least reduced cost first.
    reduced_costs : ndarray of float, shape (n_rules,)
        Their reduced costs.
    floor : float
        Where `complete`: no rule that is not listed, nor one that covers the same as a listed one at a higher cost, has
        a reduced cost below this.
    complete : bool
        Whether the search came to its end.
    least_share : float
        No rule's reduced cost for each unit of its complexity is below this, where that is known beside the floor.
    """

    rules: tuple[tuple[int, ...], ...]
    reduced_costs: Floats
    floor: float
    complete: bool
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
) -> Generator[None, None, Searched]:
    """Search all conjunctions.

    Shapes: `coefficients` (n_cells,).
    """
    budget = Budget() if budget is None else budget
    search = _Search(price, longest, below - ROUNDING, keep, every_cover)
    net = table.net(coefficients)
    cells = np.arange(len(net)) if every_cover else np.flatnonzero(net)
    # The root looks at all pairs at once, which cannot be interrupted.
    if 3.0 * len(cells) * table.literals.shape[1] ** 2 > min(max_work, PRODUCTS_PER_S * budget.left):
        return Searched((), np.zeros(0), -math.inf, False)
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


class _Search:
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

    def result(self, table: LiteralTable, complete: bool) -> Searched:
        """Return what was found, the best first."""
        best = sorted((-cost, tuple(sorted(rule))) for cost, rule in self.found)
        rules = tuple(table.named(rule) for _, rule in best)
        return Searched(rules, np.array([cost for cost, _ in best]), self.limit, complete)

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

    def next_child(self, search: _Search) -> _Node | None:
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

    def look(self, search: _Search) -> None:
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

    def _list(self, search: _Search, costs: Floats, rules: list[tuple[int, ...]]) -> None:
        for place in np.argsort(costs, kind="stable").tolist():
            if costs[place] >= search.limit:
                break
            search.add(rules[place], float(costs[place]))


def _sums(cells: NDArray[np.bool_], weights: Floats) -> tuple[Floats, ...]:
    """Return the sum of each weight over the cells on which each literal holds."""
    sums = np.zeros((weights.shape[1], cells.shape[1]))
    block = max(1, BLOCK // max(1, cells.shape[1]))
    for start in range(0, len(cells), block):
        part = slice(start, start + block)
        sums += weights[part].T @ cells[part].astype(np.float64)
    return tuple(sums)


def _pair_sums(cells: NDArray[np.bool_], *weights: Floats) -> tuple[Floats, ...]:
    """Return the sum of each weight, and the count, over the cells on which each pair of literals holds."""
    size = cells.shape[1]
    sums = [np.zeros((size, size)) for _ in range(len(weights) + 1)]
    block = max(1, BLOCK // max(1, size))
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
