"""The smallest gap between groups that a tree can have for each loss of accuracy, with what is proven about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from fairaudit.errors import require
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.gap_points import GapPoint, losses_of_curve
from fairaudit.estimators.trees.frontier.conjunctions import ConjunctionSums, distinct_splits
from fairaudit.estimators.trees.frontier.enumeration import (
    ELEMENTS_PER_POINT_PAIR,
    LOOKING_NEAR_BOUND,
    CountedValues,
    Enumeration,
    ExcessPoints,
    Pairs,
    SummedValues,
    TooManyPointsError,
    narrow_bands,
    root_pairs,
    tree_of_points,
)
from fairaudit.estimators.trees.frontier.search import LOOKING, SHARE_SUMS, can_be_summed, iter_frontier
from fairaudit.estimators.trees.leaf_values import with_leaf_values
from fairaudit.estimators.trees.problem import FoundTree, Status, TreeProblem, TreeShape, reachable_leaves
from fairaudit.estimators.trees.relaxation import (
    ALL_LABELINGS,
    PROGRESS_EVERY,
    Multipliers,
    Terms,
)
from fairaudit.events import STOP, Incumbent, Progress, Searching, iter_relay
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

# Of a tree T let e_T be the loss and f_T the forms of the limit: differences of rates, of each two groups in both
# orders. The gap of a tree is the largest of its forms. Prices w >= 0 of the forms, with the sum p, say of each tree::
#
#     V(w) = min over T of e_T + w f_T,     gap_T >= w f_T / p >= (V(w) - e_T) / p
#
# so that a price draws a line below the whole curve (`Line`), and the best tree for it is a point above. All trees
# whose Lagrangian cost e_T + w f_T is at most V(w) + s can be enumerated: of those that are not among them the line is
# s / p higher. So lines come first, for all losses; then trees are enumerated near the line that says most where the
# curve is least known, first for the loss that was asked for.

Floats = NDArray[np.float64]

CLOSED: Final = 1e-9
"""A gap is proven where it is so near its bound."""
NEARLY_CLOSED: Final = 2e-4
"""Beside the loss that was asked for, the curve is not searched where gap and bound are so near."""
NO_GAP: Final = 1e-3
"""The curve ends where so little is left."""
MOST_LINES: Final = 60
"""Lines for one loss, at most."""
LEAST_LINE_RISE: Final = 1e-5
"""Of a gap: lines for a loss end where its bound can rise by no more."""
FIRST_SLACK: Final = 1 / 8
"""The first slack, as a share of what closes the distance."""
SLACK_GROWTH: Final = 2.0
"""Factor from one slack to the next."""
WHOLE_SLACK: Final = 1.2
"""A slack that is so near what closes the distance is made the whole of it."""
SHARE_ASKED: Final = 0.75
"""The share of the work for the loss that was asked for, at most."""
N_HALVINGS: Final = 8
"""Limits that are tried where not all conjunctions can be summed."""


@dataclass(frozen=True, eq=False)
class GapSearchEnd:
    """The end of a search for the smallest gap."""

    # The tree, with the gap as its objective.
    found: FoundTree
    # The loss of the most accurate tree.
    least_loss: float
    curve: tuple[GapPoint, ...] = ()


@dataclass(eq=False)
class Line:
    """What a price of the forms says of all trees."""

    # (n_forms,) The price of each form, and V at it.
    prices: Floats
    value: float
    # All trees within this slack are known.
    slack: float = 0.0

    @property
    def price(self) -> float:
        """The price of the gap: the sum over all forms."""
        return float(self.prices.sum())

    def bounds(self, losses: Floats) -> Floats:
        """Return what the gaps of unknown trees are at least that lose no more than some losses."""
        return (self.value + self.slack - losses) / self.price


class GapCurve:
    """The smallest gaps and their bounds so far, for some losses."""

    def __init__(self, problem: TreeProblem, max_loss: float, budget: Budget) -> None:
        self.problem, self.budget, self.terms = problem, budget, Terms(problem)
        self.max_loss, self.stopped = max_loss, False
        self._shown_at, self._shown_gap = 0.0, math.inf
        self._offered: set[tuple[float, ...]] = set()
        self.begin(math.inf)

    def begin(self, least_loss: float) -> None:
        """Begin the curve at the loss of the most accurate tree; infinite where that is not known yet."""
        self.is_begun = math.isfinite(least_loss)
        ones = float(self.terms.base + self.terms.costs.sum())
        self.least_loss = min(least_loss, self.terms.base, ones)
        alone = min(self.terms.base, ones) - self.least_loss
        self.lost = losses_of_curve(self.max_loss, alone)
        self.losses = self.least_loss + self.lost + SLACK
        self.asked = int(np.searchsorted(self.lost, self.max_loss - SLACK))
        self.gaps, self.lines = np.full(len(self.lost), np.inf), list[Line]()
        self.shapes: list[TreeShape | None] = [None] * len(self.lost)
        self.known = np.zeros(len(self.lost))
        """What the gap is at least, beside the lines."""
        self._offered.clear()
        for value in (0, 1):
            self.offer(TreeShape.stump(self.problem.max_depth, value))

    @property
    def bounds(self) -> Floats:
        """What the gap is at least, by loss; a bound of a larger loss holds for a smaller one."""
        found = self.known.copy()
        for line in self.lines:
            found = np.maximum(found, line.bounds(self.losses))
        found = np.minimum(np.maximum.accumulate(found[::-1])[::-1], self.gaps)
        return np.maximum(found, 0.0)

    @property
    def is_over(self) -> bool:
        """Whether the work is done that may be, or the caller wants an end."""
        return self.stopped or self.budget.is_over

    def offer(self, shape: TreeShape) -> None:
        """Take in a tree with all labels that its leaves can have, or with its own where it has many leaves."""
        shape = shape.tidy()
        leaves = reachable_leaves(shape)
        is_small = len(leaves) <= ALL_LABELINGS
        key = shape.splits if is_small else (*shape.splits, *shape.values)
        if key in self._offered:
            return
        self._offered.add(key)
        terms = self.terms
        self.budget.spend(calls=8, elements=8 * self.problem.rows.n_cells)
        costs, forms = terms.of_leaves(shape)
        costs, forms = costs[leaves], forms[:, leaves].T
        every = np.array(shape.values)[None, leaves]
        if is_small:
            every = (np.arange(1 << len(leaves))[:, None] >> np.arange(len(leaves)) & 1).astype(np.float64)
        gaps = (every @ forms).max(axis=1, initial=0.0)
        for place, row in self.better(terms.base + every @ costs, gaps):
            self.gaps[place], self.shapes[place] = gaps[row], with_leaf_values(shape, every[row]).tidy()

    def better(self, losses: Floats, gaps: Floats) -> list[tuple[int, int]]:
        """Return the losses of the curve, and for each which of some trees is better there than the best so far."""
        first = np.searchsorted(self.losses, losses)
        inside = np.flatnonzero(first < len(self.losses))
        inside = inside[gaps[inside] < self.gaps[first[inside]] - CLOSED / 2]
        found = []
        for place in range(int(first[inside].min(initial=len(self.lost))), len(self.lost)):
            here = inside[first[inside] <= place]
            # Of equal gaps that with the least loss.
            row = int(here[np.lexsort((losses[here], gaps[here]))[0]])
            if gaps[row] < self.gaps[place] - CLOSED / 2:
                found.append((place, row))
        return found

    def iter_show(self, what: str) -> Searching[None]:
        """Yield a smaller gap at once, and progress now and then."""
        gap = float(self.gaps[self.asked])
        if self.is_begun and gap < self._shown_gap - CLOSED:
            self._shown_gap, self._shown_at = gap, self.budget.spent
            figures = {"objective": gap, "bound": float(self.bounds[self.asked]), "share": self.budget.share}
            self.stopped |= (yield Incumbent("tree", figures, best=True)) is STOP
        elif self.budget.spent - self._shown_at >= PROGRESS_EVERY:
            self._shown_at = self.budget.spent
            self.stopped |= (yield Progress(what, self.budget.steps(TOTAL), TOTAL)) is STOP

    def end(self) -> GapSearchEnd:
        """Return the tree for the loss that was asked for, and the curve."""
        bounds, gap = self.bounds, float(self.gaps[self.asked])
        bound = float(bounds[self.asked])
        status: Status = "gap"
        if self.is_begun and gap <= bound + CLOSED:
            status, bound = "optimal", gap
        elif self.is_over:
            status = "stopped" if self.stopped else "work_limit"
        small = np.flatnonzero(self.gaps <= NO_GAP)
        last = max(int(small[0]) if len(small) else len(self.gaps) - 1, self.asked)
        proven = np.where(self.gaps - bounds <= CLOSED, self.gaps, bounds)
        shown = slice(last + 1)
        curve = tuple(
            GapPoint(*map(float, point))
            for point in zip(self.lost[shown], self.gaps[shown], proven[shown], strict=True)
        )
        found = FoundTree(self.shapes[self.asked], gap, bound, status, "search")
        return GapSearchEnd(found, self.least_loss, curve)


def iter_gap_curve(problem: TreeProblem, max_loss: float, *, budget: Budget, seed: int = 0) -> Searching[GapSearchEnd]:
    """Find the tree with the smallest gap among those that lose no more than `max_loss` against the most accurate one.

    The forms of the limit of `problem` make the gap; their bounds do not count.
    """
    curve = GapCurve(problem, max_loss, budget)
    yield from curve.iter_show(LOOKING)
    splits, seconds = distinct_splits(problem.rows.holds), SHARE_SUMS * budget.limit
    if len(splits) and curve.terms.n_forms and not curve.is_over:
        if can_be_summed(curve.terms, len(splits), seconds):
            yield from _ByLines(
                curve, ConjunctionSums(curve.terms, splits, problem.max_depth, seconds, budget)
            ).iter_run()
        else:
            yield from iter_halvings(curve, seed)
    elif not curve.is_over:
        curve.begin(curve.least_loss)
        curve.known = curve.gaps.copy()
        yield from curve.iter_show(LOOKING)
    return curve.end()


class _ByLines:
    """The search with sums over all conjunctions."""

    def __init__(self, curve: GapCurve, sums: ConjunctionSums) -> None:
        self.curve, self.sums, self.terms = curve, sums, curve.terms
        # Two trees that do not split, and then the best for all prices that were tried.
        terms = curve.terms
        self._costs = [terms.base, float(terms.base + terms.costs.sum())]
        self._forms: list[Floats] = [np.zeros(terms.n_forms), terms.forms.sum(axis=1)]
        self._values: CountedValues | SummedValues | None = None

    def iter_run(self) -> Searching[None]:
        """Draw lines for all losses, then enumerate trees near them."""
        curve = self.curve
        free = self._tried(np.zeros(self.terms.n_forms))
        curve.begin(free.value)
        curve.offer(self._last)
        yield from curve.iter_show(LOOKING)
        order = [curve.asked, *(place for place in range(len(curve.lost)) if place != curve.asked)]
        for place in order:
            yield from self._iter_draw(place)
            if curve.is_over:
                return
        part = curve.budget.part(SHARE_ASKED * curve.budget.left)
        yield from self._iter_close([curve.asked], CLOSED, part)
        yield from self._iter_close(order[1:], NEARLY_CLOSED, curve.budget)

    def _tried(self, prices: Floats) -> Line:
        """Return the line of some prices; take in the best tree for them."""
        terms, problem = self.terms, self.curve.problem
        trees = self.sums.best(Multipliers(prices, 0.0))
        shape = trees.shape(self.sums.columns, problem.max_depth)
        h = shape.predict(problem.rows.holds)
        self.curve.budget.spend(calls=30, elements=4 * problem.rows.n_cells)
        self._costs.append(float(terms.base + terms.costs @ h))
        self._forms.append(terms.forms @ h)
        self._last = shape
        return Line(prices, float(terms.base + trees.value))

    def _iter_draw(self, place: int) -> Searching[None]:
        """Draw lines until the bound of one loss rises no more."""
        curve = self.curve
        for _ in range(MOST_LINES):
            prices, highest = self._best_prices(float(curve.losses[place]))
            if prices is None or highest <= float(curve.bounds[place]) + LEAST_LINE_RISE:
                return
            curve.lines.append(self._tried(prices))
            curve.offer(self._last)
            yield from curve.iter_show(LOOKING)
            if curve.is_over:
                return

    def _best_prices(self, loss: float) -> tuple[Floats | None, float]:
        """Return the prices with the highest line over a loss among the trees so far, and how high that is.

        Notes
        -----
        With m = 1 / p and v = w / p::

            maximise  z   subject to   z <= m (e_T - loss) + v f_T for all T,   sum of v = 1,   v, m >= 0
        """
        n_forms = self.terms.n_forms
        costs, forms = np.array(self._costs), np.array(self._forms)
        cuts = np.column_stack([np.ones(len(costs)), loss - costs, -forms])
        most = 2.0 * self.curve.problem.rows.n_rows
        solved = optimize.linprog(
            np.concatenate([[-1.0], np.zeros(1 + n_forms)]),
            A_ub=cuts,
            b_ub=np.zeros(len(costs)),
            A_eq=np.concatenate([[0.0, 0.0], np.ones(n_forms)])[None],
            b_eq=[1.0],
            bounds=[(None, 1.0), (0.0, most), *[(0.0, 1.0)] * n_forms],
            method="highs",
        )
        self.curve.budget.spend(calls=60, elements=solved.nit * cuts.size)
        if solved.status != 0 or solved.x[1] <= 0:
            return None, 0.0
        return np.maximum(solved.x[2:], 0.0) / solved.x[1], float(-solved.fun)

    def _iter_close(self, places: Sequence[int], near: float, budget: Budget) -> Searching[None]:
        """Enumerate trees near lines until gaps and bounds for some losses are near each other."""
        curve, given_up = self.curve, set[int]()
        while not curve.is_over and not budget.is_over:
            apart = curve.gaps - curve.bounds
            open_places = [place for place in places if place not in given_up and apart[place] > near]
            if not open_places:
                return
            place = max(open_places, key=lambda each: float(apart[each]))
            line = max(curve.lines, key=lambda line: float(line.bounds(curve.losses)[place]), default=None)
            if line is None:
                return
            loss, gap = float(curve.losses[place]), float(curve.gaps[place])
            # Up to the first slack nothing new would be said, and trees beyond the second have no smaller gap.
            done, whole = (loss + line.price * each - line.value for each in (gap - apart[place], gap - CLOSED / 2))
            slack = max(SLACK_GROWTH * line.slack, done + FIRST_SLACK * (whole - done), 1 / curve.problem.rows.n_rows)
            slack = whole if slack * WHOLE_SLACK >= whole else slack
            try:
                complete = yield from self._iter_within(line, slack, budget)
            except TooManyPointsError:
                complete = False
            if not complete:
                given_up.add(place)

    def _iter_within(self, line: Line, slack: float, budget: Budget) -> Searching[bool]:
        """Look at all trees within a slack of a line; return whether the work was enough for it."""
        curve, sums = self.curve, self.sums
        if self._values is None:
            self._values = SummedValues(sums) if sums.counts is None else CountedValues(sums)
        trees = sums.best(Multipliers(line.prices, 0.0))
        enumeration = Enumeration(trees, self._values.words, self._values.costs, sums.too_small, slack)
        work = enumeration.iter_points()
        while True:
            looked_at = enumeration.n_looked_at
            try:
                next(work)
            except StopIteration as end:
                points: list[ExcessPoints] = end.value
                break
            finally:
                curve.budget.spend(elements=ELEMENTS_PER_POINT_PAIR * (enumeration.n_looked_at - looked_at), calls=20)
            yield from curve.iter_show(LOOKING_NEAR_BOUND)
            if curve.is_over or budget.is_over:
                return False
        values = self._values.forms(points)
        curve.budget.spend(elements=3 * values.size)
        # What the line may come to say something new of, and how large gaps and losses are there.
        raised = (line.value + slack - curve.losses) / line.price
        unsettled = np.flatnonzero((raised > curve.bounds) & (curve.gaps > curve.bounds))
        most_gap, most_loss = float(curve.gaps[unsettled].max()), float(curve.losses[unsettled].max())
        bands = narrow_bands(self.terms, values, np.inf, np.full(self.terms.n_forms, most_gap))
        for pairs in root_pairs(enumeration, points[1], bands, slack):
            curve.budget.spend(elements=ELEMENTS_PER_POINT_PAIR * len(pairs.excess), calls=20)
            self._take_in(pairs, points, values, most_loss, most_gap)
            yield from curve.iter_show(LOOKING_NEAR_BOUND)
            if curve.is_over or budget.is_over:
                return False
        # For other losses it says nothing that is not known.
        line.slack = slack
        return True

    def _take_in(
        self, pairs: Pairs, points: list[ExcessPoints], values: Floats, most_loss: float, most_gap: float
    ) -> None:
        """Take in the trees that pairs below the root make, if they are better than those known."""
        curve, below = self.curve, points[1]
        losses = self.terms.base + below.costs[pairs.held] + below.costs[pairs.missed]
        near = np.flatnonzero(losses <= most_loss)
        for column in values.T:
            forms = column[pairs.held[near]] + column[pairs.missed[near]]
            near = near[forms < most_gap]
        gaps = (values[pairs.held[near]] + values[pairs.missed[near]]).max(axis=1, initial=0.0)
        for place, row in curve.better(losses[near], gaps):
            here = near[row]
            ends = (int(pairs.choices[here]), int(pairs.held[here]), int(pairs.missed[here]))
            curve.gaps[place] = gaps[row]
            curve.shapes[place] = tree_of_points(self.sums, points, curve.problem.max_depth, *ends).tidy()


def iter_halvings(curve: GapCurve, seed: int = 0) -> Searching[None]:
    """Halve the limit of the gap, and see whether the most accurate tree within it loses more than is allowed."""
    problem, whole = curve.problem, curve.budget

    def iter_most_accurate(gap: float | None, budget: Budget) -> Searching[FoundTree]:
        limit = None if gap is None else replace(require(problem.limit), bounds=np.full(curve.terms.n_forms, gap))
        start = [shape for shape in dict.fromkeys(curve.shapes) if shape is not None]
        events = iter_frontier(replace(problem, limit=limit), budget=budget, start=start, seed=seed)
        found, stopped = yield from iter_relay(events, lambda _: Progress(LOOKING, whole.steps(TOTAL), TOTAL))
        curve.stopped |= stopped
        return found

    free = yield from iter_most_accurate(None, whole.part(whole.left / 4))
    curve.begin(free.objective)
    curve.offer(require(free.shape))
    low, high = 0.0, float(curve.gaps[curve.asked])
    for number in range(N_HALVINGS):
        if curve.is_over or high - low <= NEARLY_CLOSED / 2:
            return
        middle = (low + high) / 2
        found = yield from iter_most_accurate(middle, whole.part(whole.left / (N_HALVINGS - number)))
        if found.shape is not None:
            curve.offer(found.shape)
        # No tree within this limit loses less.
        out_of_reach = found.bound > curve.losses + SLACK
        curve.known[out_of_reach] = np.maximum(curve.known[out_of_reach], middle)
        is_found = curve.gaps[curve.asked] <= middle
        low, high = (low, float(curve.gaps[curve.asked])) if is_found else (middle, high)
