"""The search for trees of depth 2 to 4 over more splits than all conjunctions can be summed for.

1. The best trees of depth 2 over all splits show which splits promise most. Trees over these give good multipliers and
   a good tree.
2. For these multipliers the bounds of all roots are raised, the least one first (`root_bounds`), until no root is left
   that a better tree may have, or the least bound is exact. Then the next multipliers, for the roots that are left.
   At depth 2 all bounds are exact at once (`pair_roots`).
3. What is left is closed by all trees over the few splits that a better tree may have.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.cutting_planes import DualMaster
from fairaudit.estimators.trees.dual.terms import Multipliers
from fairaudit.estimators.trees.frontier.ascent import CLOSE, MOST_ROUNDS, NEAR, iter_ascend
from fairaudit.estimators.trees.frontier.conjunction_sums import ConjunctionSums, fits
from fairaudit.estimators.trees.frontier.deepening import Deepening
from fairaudit.estimators.trees.frontier.pair_roots import PairRoots
from fairaudit.estimators.trees.frontier.relabeling import relabeled
from fairaudit.estimators.trees.frontier.root_bounds import DeepRoots, Prices, ShallowRoots
from fairaudit.estimators.trees.frontier.state import PROVEN, Event, SearchState
from fairaudit.estimators.trees.frontier.sums_below import MOST_BYTES, SumsBelow
from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape
from fairaudit.events import Command

Events = Generator[Event, Command | None, None]

Roots = PairRoots | ShallowRoots | DeepRoots

KINDS: Final[dict[int, type[Roots]]] = {2: PairRoots, 3: ShallowRoots, 4: DeepRoots}
"""By depth."""
MOST_SPLITS: Final = 2_000
"""At depth 3 and 4: sums of each two splits below one set take so many squared numbers."""
AT_ONCE: Final = 4
"""Tables of sums below one set that are held at once."""
TABLES: Final = 12
"""Tables of each two splits that the best trees of depth 2 come from, beside those of sums."""
N_SIGNS: Final = 3
"""Parts that are summed where kinds of rows are not few."""
SHARE_FIRST: Final = 0.25
"""The share of the work for what the search begins with, at most."""
SHARE_CLOSING: Final = 0.8
"""The share of the work until which the last search looks for its bound, at most."""
LOOKING: Final = "Looking for the bound"


def goes_by_roots(state: SearchState, n_splits: int) -> bool:
    """Say whether the search is for a problem, and its sums find room."""
    depth, kinds = state.problem.max_depth, state.terms.kinds
    if depth not in KINDS:
        return False
    n_parts, n_pairs = N_SIGNS if kinds is None else len(kinds.costs), float(n_splits + 1) ** 2
    if depth == 2:
        return 8.0 * (TABLES + 2 * n_parts) * n_pairs <= MOST_BYTES
    n_bytes = 8.0 * AT_ONCE * n_parts * n_pairs if depth == 3 else 16.0 * n_splits**3
    return n_splits <= MOST_SPLITS and n_bytes <= MOST_BYTES


def iter_by_roots(state: SearchState, splits: NDArray[np.int64], seconds: float) -> Events:
    """Search.

    Shapes: `splits` (L,): none constant, no two alike; `seconds` of work for the sums of one table of conjunctions.
    """
    search = _ByRoots(state, splits, seconds)
    multipliers = yield from search.iter_first()
    bounds = yield from search.iter_raise(multipliers)
    if bounds is not None and state.slack >= 0 and not state.is_over:
        yield from search.iter_close(bounds)


class _ByRoots:
    """The steps of the search."""

    def __init__(self, state: SearchState, splits: NDArray[np.int64], seconds: float) -> None:
        self.state, self.splits, self.seconds = state, splits, seconds
        self.master = DualMaster(state.terms)
        self.sums: SumsBelow | None = None
        self.known = np.full(len(splits), -np.inf)
        """What trees with each root cost at least, whatever the multipliers."""
        self._constant = 0.0

    def iter_first(self) -> Generator[Event, Command | None, Multipliers]:
        """Find good multipliers, and a tree to begin with."""
        state, depth = self.state, self.state.problem.max_depth
        state.begin_part(SHARE_FIRST)
        sums = ConjunctionSums(state.terms, self.splits, 2, self.seconds, state.budget)
        point = yield from iter_ascend(state, sums, master=self.master)
        if state.terms.n_forms and not state.is_over:
            part = ConjunctionSums(state.terms, sums.promising(point.trees), depth, self.seconds, state.budget)
            point = yield from iter_ascend(state, part, master=self.master)
        state.end_part()
        return point.multipliers

    def iter_raise(self, multipliers: Multipliers) -> Generator[Event, Command | None, Roots | None]:
        """Raise the bounds of all roots; return those for the last multipliers, or None where the work is done."""
        state, terms = self.state, self.state.terms
        for _ in range(MOST_ROUNDS):
            bounds = self._bounds(multipliers)
            for _ in bounds.iter_begin():
                yield from state.iter_show(LOOKING)
                if state.is_over:
                    return None
            if not np.isfinite(bounds.roots).any():
                # Every split makes a leaf that is too small.
                state.bound = state.objective
                return None
            self._constant = terms.base + multipliers.constant
            root = yield from self._iter_raise(bounds)
            if state.slack < 0 or state.is_over:
                return None
            tree = self._on_columns(bounds.tree(root))
            h = tree.predict(state.problem.rows.holds)
            state.offer(relabeled(terms, tree))
            self.master.add(
                float(terms.base + terms.costs @ h + state.problem.split_price * tree.n_splits), terms.forms @ h
            )
            solved = self.master.solve(state.budget) if terms.n_forms else None
            if solved is None or solved[1] - state.bound <= max(NEAR * state.slack, CLOSE):
                return bounds
            multipliers = solved[0]
        return bounds

    def _iter_raise(self, bounds: Roots) -> Generator[Event, Command | None, int]:
        """Raise the least bound until it cannot be raised; return its root."""
        state, best = self.state, np.inf
        while True:
            now = np.maximum(self.known, bounds.roots + self._constant)
            root = int(np.argmin(now))
            state.bound = max(state.bound, min(float(now[root]), state.objective))
            if bounds.best < best - PROVEN:
                best = bounds.best
                state.offer(relabeled(state.terms, self._on_columns(bounds.tree(bounds.best_root()))))
            yield from state.iter_show(LOOKING)
            if state.slack < 0 or state.is_over or not bounds.raise_root(root):
                self.known = now
                return root

    def iter_close(self, bounds: Roots) -> Events:
        """Search all trees over the splits of the cheapest trees; a tree with another one is no cheaper than these."""
        state, depth = self.state, self.state.problem.max_depth
        if isinstance(bounds, DeepRoots):
            return
        least = np.full(len(self.splits), np.inf)
        for root in np.flatnonzero(self.known <= state.bound + state.slack).tolist():
            least = np.minimum(least, np.maximum(bounds.with_each(root) + self._constant, self.known[root]))
            yield from state.iter_show(LOOKING)
            if state.is_over:
                return
        order = np.argsort(least, kind="stable")
        n = int((least <= state.bound + state.slack).sum())
        while n and not fits(state.terms, n, min(depth, n), self.seconds):
            n -= 1
        if not n:
            return
        state.begin_part()
        part = ConjunctionSums(state.terms, self.splits[np.sort(order[:n])], depth, self.seconds, state.budget)
        point = yield from iter_ascend(state, part, share=SHARE_CLOSING)
        if state.slack >= 0 and not state.is_over:
            yield from Deepening(state, part, point).iter_run()
        of_part = state.bound
        state.end_part()
        others = float(least[order[n]]) if n < len(order) else np.inf
        # Roots that were left out have no tree that is better than the best was.
        state.bound = max(state.bound, min(of_part, others, state.objective))

    def _bounds(self, multipliers: Multipliers) -> Roots:
        """Return the first bounds for multipliers; sums over rows of few kinds are made once."""
        terms, rows, kinds = self.state.terms, self.state.problem.rows, self.state.terms.kinds
        weights = rows.weights.astype(np.float64)
        if kinds is not None:
            parts = [weights * (kinds.of_cells == kind) for kind in range(len(kinds.costs))]
            prices = Prices.of_kinds(kinds.priced(multipliers))
        else:
            costs = terms.cell_costs(multipliers)
            parts, prices = [np.maximum(-costs, 0.0), np.maximum(costs, 0.0), weights], Prices.of_signs()
        if self.sums is None or kinds is None:
            self.sums = SumsBelow(rows.holds[:, self.splits], parts, self.state.budget)
        return KINDS[self.state.problem.max_depth](self.state.problem, self.sums, prices, self.state.budget)

    def _on_columns(self, shape: TreeShape) -> TreeShape:
        """Return a tree over the splits by their places as one over those of the problem."""
        return TreeShape(
            tuple(NO_SPLIT if split == NO_SPLIT else int(self.splits[split]) for split in shape.splits), shape.values
        )
