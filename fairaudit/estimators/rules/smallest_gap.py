"""The smallest gap that a rule set can have where it may lose some accuracy, with what is proven over all rules."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.gap_points import GapPoint, losses_of_curve
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleSetOutcome, outcome_of
from fairaudit.estimators.rules.search import ChosenRules, FoundRules, LengthBound, Rules, Status, iter_find
from fairaudit.events import Command, Event, Incumbent, Progress, iter_relay
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

# The most accurate rule set comes first; then the least losses within limits on the gap. A limit within which every
# rule set loses more than is allowed is a bound on the gap: over all rules, as the bounds on the loss are. Some limits
# are spread over the whole curve. The others halve what is left between bound and gap for the loss that was asked for,
# and the last asks whether there is anything below the gap that was found.

SHARE_FREE: Final = 0.25
"""The share of the work for the most accurate rule set."""
SPREAD: Final = (0.75, 0.5, 0.25)
"""Limits for the curve, in parts of the gap of the most accurate rule set."""
N_HALVINGS: Final = 4
LEAST_HALVED: Final = 1e-3
"""A distance of bound and gap that is not halved any more."""
N_FOR_CURVE: Final = 6
"""Limits, at most, for other losses of the curve, each where bound and gap are furthest apart."""
LEAST_OPEN: Final = 0.01
"""A distance of bound and gap that is let be at other losses."""
BELOW: Final = 1e-7
"""By so much less than a gap is asked for to see whether there is one."""


@dataclass(frozen=True, eq=False)
class SmallestGap:
    """The end of a search for the smallest gap."""

    # The rule set, with the last search that was made for it.
    found: FoundRules
    # Of that rule set, and what no rule set that loses no more is below.
    gap: float
    bound: float
    # The least loss that was found, in rows.
    least_loss: float
    status: Status
    curve: tuple[GapPoint, ...]


def iter_smallest_gap(
    problem: Problem, max_loss: float, *, budget: Budget, pricing_limit: float, seed: int, stopped: bool = False
) -> Generator[Event, Command | None, SmallestGap]:
    """Search for the rule set with the smallest gap among those that lose no more than `max_loss` against the best."""
    search = _GapSearch(problem, max_loss, budget, pricing_limit, seed)
    search.stopped = stopped
    yield from search.iter_run()
    return search.end()


class _GapSearch:
    """The rule sets and bounds that are known."""

    def __init__(self, problem: Problem, max_loss: float, budget: Budget, pricing_limit: float, seed: int) -> None:
        self.problem, self.max_loss, self.budget = problem, max_loss, budget
        self.pricing_limit, self.seed, self.stopped = pricing_limit, seed, False
        self.sets: dict[Rules, tuple[float, float, RuleSetOutcome]] = {}
        self.bounds: list[tuple[float, float]] = []
        self._found: FoundRules | None = None

    def iter_run(self) -> Generator[Event, Command | None, None]:
        """Find the most accurate rule set, and then the least losses within limits."""
        free = replace(self.problem, fairness=None, max_difference=1.0)
        yield from self._iter_find(free, SHARE_FREE * self.budget.left)
        widest = self._smallest(0.0)[0]
        n_left = len(SPREAD) + N_HALVINGS + 1
        for share in SPREAD:
            yield from self._iter_within(share * widest, n_left)
            n_left -= 1
        low = 0.0
        for _ in range(N_HALVINGS):
            gap = self._smallest(self.max_loss)[0]
            low = max(low, self._bound(self.max_loss))
            if gap - low <= LEAST_HALVED:
                break
            middle = (low + gap) / 2
            yield from self._iter_within(middle, n_left)
            n_left -= 1
            if self._smallest(self.max_loss)[0] > middle:
                # Whether that is proven or not, there is more to be found above.
                low = middle
        gap = self._smallest(self.max_loss)[0]
        if gap > self._bound(self.max_loss) + BELOW:
            yield from self._iter_within(max(gap - BELOW, 0.0), 2)
        for n_left in range(N_FOR_CURVE, 0, -1):
            point = max(self._curve(), key=lambda point: point.gap - point.bound)
            if self.stopped or self.budget.is_late or point.gap - point.bound <= LEAST_OPEN:
                return
            yield from self._iter_within((point.gap + point.bound) / 2, n_left)

    def _iter_within(self, limit: float, n_left: int) -> Generator[Event, Command | None, None]:
        """Find the least loss within a limit on the gap."""
        if self.stopped or self.budget.is_over:
            return
        found = yield from self._iter_find(replace(self.problem, max_difference=limit), self.budget.left / n_left)
        if found.problem.max_difference <= limit + SLACK:
            self.bounds.append((limit, found.bound))

    def _iter_find(self, problem: Problem, work: float) -> Generator[Event, Command | None, FoundRules]:
        budget = self.budget.part(work)
        events = iter_find(
            problem, budget=budget, pricing_limit=self.pricing_limit, seed=self.seed, stopped=self.stopped
        )
        found, stopped = yield from iter_relay(events, self._as_progress)
        self.stopped = self.stopped or stopped
        self._found = found
        for rules in (*found.known, found.chosen.rules):
            if rules not in self.sets:
                columns = RuleColumns.of(rules, self.problem.rows)
                outcome = outcome_of(self.problem, columns, range(len(columns)))
                gap = outcome.proxy_gap if self.problem.objective == "hamming" else outcome.gap
                if outcome.complexity <= self.problem.max_complexity:
                    self.sets[rules] = (float(outcome.loss(self.problem)), gap, outcome)
        yield self._incumbent()
        return found

    def _as_progress(self, event: Event) -> Progress | None:
        if isinstance(event, Progress):
            return Progress(event.what, self.budget.steps(TOTAL), TOTAL)
        return None

    def _incumbent(self) -> Incumbent:
        gap, bound = self._smallest(self.max_loss)[0], self._bound(self.max_loss)
        return Incumbent("least_gap", {"gap": gap, "bound": bound, "share": self.budget.share}, best=True)

    @property
    def least(self) -> float:
        """The least loss that was found."""
        return min(loss for loss, _, _ in self.sets.values())

    def _allowed(self, lost: float) -> float:
        """Return the largest loss, in rows, of those that lose no more than this."""
        rows = lost * self.problem.rows.n_rows + SLACK
        return self.least + (math.floor(rows) if self.problem.rows.are_whole else rows)

    def _smallest(self, lost: float) -> tuple[float, Rules]:
        """Return the smallest gap that was found, and the rules; of equal gaps those with the fewest errors."""
        allowed = self._allowed(lost)
        within = [(gap, *outcome.rank(self.problem), rules)
                  for rules, (loss, gap, outcome) in self.sets.items() if loss <= allowed]  # fmt: skip
        best = min(within)
        return float(best[0]), best[-1]

    def _bound(self, lost: float) -> float:
        """Return what no gap is below: the largest limit within which each rule set is proven to lose more."""
        allowed = self._allowed(lost)
        proven = max((limit for limit, loss in self.bounds if loss > allowed), default=0.0)
        smallest = self._smallest(lost)[0]
        return smallest if smallest - proven <= 2 * BELOW else min(proven, smallest)

    def end(self) -> SmallestGap:
        """Return the rule set, and the curve."""
        gap, rules = self._smallest(self.max_loss)
        bound = self._bound(self.max_loss)
        status: Status = "optimal" if gap <= bound else "work_limit" if self.budget.is_late else "gap"
        assert self._found is not None  # noqa: S101
        columns = self._found.columns.joined(RuleColumns.of(rules, self.problem.rows))
        outcome = self.sets[rules][2]
        problem = replace(self.problem, max_difference=max(outcome.gap, gap))
        found = replace(
            self._found,
            problem=problem,
            chosen=ChosenRules(rules, outcome),
            columns=columns,
            bounds=(LengthBound(self.problem.longest, bound),),
            notes=(),
        )
        return SmallestGap(found, gap, bound, self.least, "stopped" if self.stopped else status, self._curve())

    def _curve(self) -> tuple[GapPoint, ...]:
        """Return what is possible for each loss, up to one where no gap is left."""
        most = (self.sets[()][0] - self.least) / self.problem.rows.n_rows if () in self.sets else self.max_loss
        points = []
        for lost in losses_of_curve(self.max_loss, most).tolist():
            points.append(GapPoint(lost, self._smallest(lost)[0], self._bound(lost)))
            if points[-1].gap <= SLACK and lost >= self.max_loss:
                break
        return tuple(points)
