"""The search for a rule set: generate rules and choose among them in turn, until the best is proven or work is done."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import require
from fairaudit.estimators.base import TOTAL, iter_stage
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.generation import GenerationStart, iter_generate, iter_silent
from fairaudit.estimators.rules.improving import Weighing, improve, iter_approach
from fairaudit.estimators.rules.master import Duals
from fairaudit.estimators.rules.pricing import LONGEST, Blocks, LiteralTable, PricingEnd, iter_exact_search
from fairaudit.estimators.rules.problem import (
    BOUND_ROUNDING,
    Problem,
    RuleColumns,
    RuleSetOutcome,
    covered_sums,
    least_errors,
    outcome_of,
)
from fairaudit.estimators.rules.rounds import GeneratedRules, Round
from fairaudit.estimators.rules.selection import SelectedRules, iter_least_gap, iter_select
from fairaudit.events import STOP, Command, Event, Progress, Searching
from fairaudit.findings import Count, Message, Points
from fairaudit.measure.limits import SLACK
from fairaudit.messages import say
from fairaudit.work import Budget

Ended = TypeVar("Ended")

# The final choice: of the solutions found, the one with the least 0-1 loss that meets the true constraint.
#
# Of equal ones it is the one of which most can be proven. The master problem holds a stand-in for both, so its best
# solution need not be the best rule set.

MOST_IMPROVED: Final = 5
"""How many of the best solutions are improved: each takes up to a second on Adult."""


@dataclass(frozen=True, eq=False)
class ChosenRules:
    """The rule set that is kept, with what it does."""

    # The literals of each rule, in increasing order.
    rules: tuple[tuple[int, ...], ...]
    # What it does; ``outcome.meets(problem)`` says whether it meets the true constraint.
    outcome: RuleSetOutcome


def choose(
    problem: Problem,
    columns: RuleColumns,
    solutions: Iterable[Sequence[int]],
    budget: Budget | None = None,
    *,
    floors: Floors | None = None,
) -> ChosenRules:
    """Return the best rule set that can be made from some solutions.

    Floors are under sums of the covered rows by group and label, see :func:`covered_sums`.

    Notes
    -----
    The `MOST_IMPROVED` best solutions are improved by `improve`, so rules can come out that are no columns. The
    result depends only on the arguments.
    """
    budget = Budget() if budget is None else budget
    tried = {tuple(sorted(places)) for places in solutions} | {()}
    budget.spend(calls=10 * len(tried), elements=4 * len(tried) * problem.rows.n_cells)
    ranked = sorted((_judged(problem, columns, places, floors)[0], places) for places in tried)
    weighing = Weighing(problem, columns, floors=floors)
    found = []
    for _, places in ranked[:MOST_IMPROVED]:
        start = tuple(sorted(columns.rules[place] for place in places))
        improved = improve(weighing, start, budget)
        for rules in (start, tuple(sorted(improved))):
            made = RuleColumns.of(rules, problem.rows)
            score, outcome = _judged(problem, made, range(len(made)), floors)
            found.append((score, made.rules, outcome))
    _, rules, outcome = min(found, key=lambda made: made[:2])
    return ChosenRules(rules, outcome)


def _judged(
    problem: Problem, columns: RuleColumns, places: Sequence[int], floors: Floors | None
) -> tuple[tuple[float, ...], RuleSetOutcome]:
    """Return what is compared, the first part first, and what rules do."""
    outcome = outcome_of(problem, columns, places)
    excess = outcome.gap if outcome.gap > problem.max_difference + SLACK else 0.0
    if floors is not None:
        missing = float(floors.missing(covered_sums(problem, columns, places)).max(initial=0.0))
        excess += missing if missing > SLACK else 0.0
    return (excess, *outcome.rank(problem)), outcome


# From rules to a rule set: the integer program, and where nothing meets the constraint, the nearest there is.

SELECTING = 0.9
"""Share of the work for the integer program; the choice among its solutions takes the rest."""

NEARING = 0.5
"""Share of that for finding the smallest difference, where none is as small as asked."""

CHOOSING_S = 10.0
"""Seconds of work that the choice may take also where no work is left: on Adult it takes up to five."""

Places = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RuleSelection:
    """A rule set that was decided on."""

    # What was asked in the end: where no rule set was found that comes as near as asked, a larger difference.
    problem: Problem
    # The rule set to use.
    chosen: ChosenRules
    # Places in the columns of what the integer program found, the best first.
    solutions: tuple[Places, ...]
    # The loss of the first; that of the rule set to use where there is none.
    objective: float
    # What no rule set of these columns can be better than; 0 where nothing is known.
    bound: float


def decide_now(problem: Problem, columns: RuleColumns, start: Sequence[Places], budget: Budget) -> RuleSelection:
    """Decide without an integer program, on the best that is known."""
    return _decided(problem, columns, _known(problem, columns, start), budget)


def iter_decide(
    problem: Problem,
    columns: RuleColumns,
    *,
    budget: Budget,
    start: Sequence[Places] = ((),),
    reduced_costs: NDArray[np.float64] | None = None,
    dual_bound: float = 0.0,
    seed: int = 0,
) -> Generator[Event, Command | None, RuleSelection]:
    """Decide on a rule set."""
    selecting = budget.part(SELECTING * budget.left)
    events = iter_select(
        problem,
        columns,
        reduced_costs=reduced_costs,
        lp_bound=dual_bound,
        budget=selecting.part(),
        start=start,
        random_state=seed,
    )
    selected, stopped = yield from iter_stage(events, start=0, end=TOTAL)
    if selected.solutions or stopped:
        return _decided(problem, columns, selected, budget)
    # Two stages, as in the paper: first how near the rates can be brought, then the least loss as near as that.
    nearing = iter_least_gap(
        problem, columns, budget=selecting.part(NEARING * selecting.left), start=start, random_state=seed
    )
    nearest, stopped = yield from iter_stage(nearing, start=0, end=TOTAL)
    nearer = replace(problem, max_difference=float(nearest.gap))
    if stopped:
        return _decided(problem, columns, _known(nearer, columns, nearest.solutions), budget, nearer)
    events = iter_select(nearer, columns, budget=selecting.part(), start=nearest.solutions, random_state=seed)
    selected, _ = yield from iter_stage(events, start=0, end=TOTAL)
    return _decided(problem, columns, selected, budget, nearer)


def _known(problem: Problem, columns: RuleColumns, start: Sequence[Places]) -> SelectedRules:
    """Return what is known without a search."""
    losses = {
        places: outcome.loss(problem)
        for places in [*start, ()]
        if (outcome := outcome_of(problem, columns, places)).fits_master(problem)
    }
    solutions = tuple(sorted(losses, key=lambda places: (losses[places], places)))
    return SelectedRules(solutions, min(losses.values(), default=math.nan), 0.0, "stopped", 0)


def _decided(
    problem: Problem,
    columns: RuleColumns,
    selected: SelectedRules,
    budget: Budget,
    nearer: Problem | None = None,
) -> RuleSelection:
    """Choose among solutions, and say what was asked in the end."""
    choosing = Budget(max(budget.left, CHOOSING_S), budget)
    chosen = choose(problem, columns, selected.solutions, choosing)
    asked, bound = problem if nearer is None else nearer, selected.bound
    if not chosen.outcome.meets(problem):
        chosen = choose(asked, columns, selected.solutions, choosing)
        if not chosen.outcome.meets(asked):
            # What was proven holds for a smaller difference.
            asked, bound = replace(asked, max_difference=chosen.outcome.gap), 0.0
    objective = selected.objective if selected.solutions else chosen.outcome.loss(problem)
    return RuleSelection(asked, chosen, selected.solutions, float(objective), bound)


# All rules that could still be part of a better rule set, so that the optimum over them is the optimum over all.
#
# Any rule set with rule k loses at least ``dual bound + reduced_cost[k]``, at duals that are feasible for all rules. So
# a rule whose reduced cost is larger than the distance from that bound to the best solution need not be looked at.

MOST_LISTED = 5_000
"""Rules at most: an integer program over more would not end."""

MOST_TRUTHS = 400_000_000
"""Truth values at most, of all rules on all cells."""

LIMIT_SURPLUS = 1e-5
"""What a limit is raised by, as a share of the loss: more than rounding, so that a reduced cost at it is listed."""


@dataclass(frozen=True, eq=False)
class ListedRules:
    """Rules with a small reduced cost."""

    # The rules; of those that cover the same cells, the shortest.
    columns: RuleColumns
    # No rule that covers other cells than each of these has a reduced cost below this; 0 where that is not proven.
    floor: float


def iter_list(problem: Problem, duals: Duals, loss: float, budget: Budget) -> Searching[ListedRules]:
    """List the rules that a rule set with less loss can have."""
    table = LiteralTable.of(problem.rows)
    search = iter_exact_search(
        table,
        Blocks.of(table, problem.longest) if problem.longest <= LONGEST else None,
        duals.coefficients,
        duals.price,
        problem.longest,
        below=max(loss - problem.step(loss) - duals.value, 0.0) + LIMIT_SURPLUS * (1 + loss),
        keep=max(min(MOST_LISTED, MOST_TRUTHS // problem.rows.n_cells), 1),
        every_cover=True,
        budget=budget,
    )
    searched = PricingEnd((), duals.coefficients[:0], 0.0, False)
    while True:
        if (yield Progress("Listing all rules that could still help", 0, 1)) is STOP:
            search.close()
            break
        try:
            next(search)
        except StopIteration as end:
            searched = end.value
            break
    floor = max(searched.floor, 0.0) if searched.complete and math.isfinite(searched.floor) else 0.0
    return ListedRules(RuleColumns.of(searched.rules, problem.rows), floor)


def _iter_progress(
    events: Generator[Event, Command | None, FoundRules], budget: Budget
) -> Generator[Event, Command | None, FoundRules]:
    """Pass on how far a search is, and no figures: they are of another loss."""
    command: Command | None = None
    while True:
        try:
            event = events.send(command)
        except StopIteration as end:
            return end.value
        command = None
        if isinstance(event, Progress):
            command = yield Progress(event.what, budget.steps(TOTAL), TOTAL)


GENERATION = 0.6
"""Share of the work that is left which a generation gets."""

SHORTER_LENGTHS = (2, 3)
"""Rule lengths whose relaxations are solved before that of longer rules."""

GROWING = 0.2
"""Share of the work that is left which each of these gets."""

HAMMING = 0.3
"""Share of the work that is left for the Hamming loss, where another one is asked for."""

APPROACHING = 0.2
"""Share of the work that is left for a rule set that is made step by step."""

MOST_WEIGHED = 300
"""Rules that it may be made of beside those near them."""

LISTING = 0.3
"""Share of the work that is left for listing the rules that could still help."""

MOST_PASSES = 4
"""Passes at most: a pass that brings nothing new is the last one anyway."""

PER_CELL = 300
"""What a cell takes in the program that bounds errors by all classifiers, in elements of arrays."""


MOST_PASSED_ON = 50
"""Solutions that a pass hands on to the next."""

Rules = tuple[tuple[int, ...], ...]
Status = Literal["optimal", "gap", "work_limit", "stopped"]


@dataclass(frozen=True)
class LengthBound:
    """What is proven about short rules."""

    # Conditions of each rule, at most.
    max_rule_length: int
    # No rule set made of such rules has a lower loss.
    bound: float


@dataclass(frozen=True, eq=False)
class FoundRules:
    """The end of a search."""

    # What was asked in the end; another difference is allowed where none was found that is as small as asked.
    problem: Problem
    # The rule set to use.
    chosen: ChosenRules
    # The rules that were considered.
    columns: RuleColumns
    # The least loss seen within the rows of the master problem; the rule set to use can be another one.
    best_objective: float
    # lp_bound, bound: Lower bounds on the loss of all rule sets within the rows of the master problem whose rules are
    # short enough: by linear relaxation, and the best proven.
    lp_bound: float
    bound: float
    # The best proven for shorter rules, and last for the longest that are allowed.
    bounds: tuple[LengthBound, ...]
    status: Status
    path: tuple[Round, ...]
    # What happened on the way.
    notes: tuple[str, ...]
    # Rule sets that were seen.
    known: tuple[Rules, ...] = ()
    # Wrong rows that no classifier of these literals within the limits has fewer of.
    least_errors: float = 0.0

    @property
    def objective(self) -> float:
        """The loss of the rule set to use."""
        return float(self.chosen.outcome.loss(self.problem))

    @property
    def errors_bound(self) -> float:
        """Wrong rows that no rule set within the constraint can have fewer of."""
        proven = self.bound if self.problem.counts_rows_once else 0.0
        return max(proven, self.least_errors)

    @property
    def optimality_gap(self) -> float:
        """How far objective and bound are apart, as a share of the objective; NaN where the bound is about others."""
        return self.chosen.outcome.optimality_gap(self.problem, self.bound)


def iter_find(
    problem: Problem, *, budget: Budget, pricing_limit: float, seed: int, stopped: bool = False
) -> Generator[Event, Command | None, FoundRules]:
    """Search for the best rule set."""
    search = _RuleSearch(problem, budget, pricing_limit, seed)
    if stopped or not problem.rows.n_literals:
        search.take(decide_now(problem, search.columns, (), budget))
        if not stopped:
            search.lp_bound = search.bound = search.decided.objective
        return search.found(stopped)
    return (yield from search.iter_run())


class _RuleSearch:
    """What the passes share: the rules and rule sets that are known, and the best bounds."""

    def __init__(self, problem: Problem, budget: Budget, pricing_limit: float, seed: int):
        self.problem = problem
        self.asked = problem.max_difference
        self.budget, self.pricing_limit, self.seed = budget, pricing_limit, seed
        self.columns = RuleColumns.of([], problem.rows)
        self.known: dict[Rules, None] = {(): None}
        self.path: list[Round] = []
        self.lp_bound = self.bound = 0.0
        self.shorter: dict[int, float] = {}
        self._decided: RuleSelection | None = None
        self.done, self.stopped = 0, False
        self.least_errors = 0.0

    def iter_run(self) -> Generator[Event, Command | None, FoundRules]:
        """Run passes over rules of all lengths, after what short ones come to."""
        self._bound_by_cells()
        if self.problem.method == "published":
            return (yield from self._iter_published())
        grown = GenerationStart()
        for length in SHORTER_LENGTHS:
            if length < self.problem.longest and not self.stopped:
                grown = yield from self._iter_grow(length, grown)
        if not self.stopped and self.problem.objective == "zero_one":
            grown = yield from self._iter_hamming(grown)
        before = (math.inf, math.inf)
        for number in range(MOST_PASSES):
            generated = yield from self._iter_generate(grown if number == 0 else None)
            yield from self._iter_approach(generated)
            is_relaxed = yield from self._iter_decide(generated)
            if not is_relaxed:
                self.raise_bound(generated.bound)
            if self.stopped or self.is_proven or self.budget.is_late:
                break
            if generated.closed and not is_relaxed:
                yield from self._iter_prove(generated)
                break
            reached = (generated.lp_value * (1 + BOUND_ROUNDING), self.decided.objective)
            if not is_relaxed and before[0] <= reached[0] and before[1] <= reached[1]:
                break
            before = (generated.lp_value, self.decided.objective)
        return self.found(self.stopped)

    @property
    def decided(self) -> RuleSelection:
        """What was decided last."""
        return require(self._decided)

    @property
    def is_proven(self) -> bool:
        """Whether the best solution cannot be bettered."""
        return self.problem.is_proven(self.decided.objective, self.bound)

    def found(self, stopped: bool) -> FoundRules:
        """Return the end."""
        decided, notes = self.decided, []
        gap = decided.chosen.outcome.gap
        if not decided.chosen.outcome.meets(replace(self.problem, max_difference=self.asked)):
            limits = {"size": Points(self.asked, 1), "closest": Points(gap, 1)}
            notes.append(say(Message("rules-note-limit", limits)))
        bound = min(self.bound, decided.objective)
        # The best solution of the master problem can be proven while another rule set is used.
        least = BOUND_ROUNDING if self.problem.rows.are_whole else 4 * self.problem.step(1.0)
        is_best = self.is_proven and decided.chosen.outcome.optimality_gap(self.problem, bound) <= least
        ended: Status = "optimal" if is_best else "gap" if self.is_proven or not self.budget.is_late else "work_limit"
        return FoundRules(
            problem=self.problem,
            chosen=decided.chosen,
            columns=self.columns,
            best_objective=decided.objective,
            lp_bound=min(self.lp_bound, decided.objective),
            bound=bound,
            bounds=self._bounds(),
            status="stopped" if stopped else ended,
            path=tuple(self.path),
            notes=tuple(notes),
            known=tuple(self.known),
            least_errors=self.least_errors,
        )

    def _bounds(self) -> tuple[LengthBound, ...]:
        """Return the bounds by length; what holds for longer rules holds for shorter ones."""
        longest = LengthBound(self.problem.longest, min(self.bound, self.decided.objective))
        found = [longest]
        for length in sorted(self.shorter, reverse=True):
            found.append(LengthBound(length, max(self.shorter[length], found[-1].bound)))
        return tuple(reversed(found))

    def take(self, decided: RuleSelection) -> bool:
        """Take over what was decided; say whether less is asked than before, which makes bounds void."""
        is_relaxed = decided.problem.max_difference > self.problem.max_difference
        if is_relaxed:
            self.problem, self.lp_bound, self.bound, self.shorter = decided.problem, 0.0, 0.0, {}
            self._bound_by_cells()
        rules = self.columns.rules
        self.known |= {tuple(rules[place] for place in places): None for places in decided.solutions[:MOST_PASSED_ON]}
        chosen = decided.chosen
        if self._decided is not None and self._rank(self.decided.chosen) < self._rank(chosen):
            chosen = self.decided.chosen
        objective = decided.objective
        if chosen.outcome.fits_master(self.problem):
            # Local changes can lead to rules that are not among the columns, and to less loss than these allow.
            objective = min(objective, float(chosen.outcome.loss(self.problem)))
            self.columns = self.columns.joined(RuleColumns.of(chosen.rules, self.problem.rows))
            self.known[chosen.rules] = None
        self._decided = replace(decided, chosen=chosen, objective=objective)
        return is_relaxed

    def _rank(self, chosen: ChosenRules) -> tuple[float, ...]:
        return not chosen.outcome.meets(self.problem), *chosen.outcome.rank(self.problem)

    def raise_bound(self, bound: float) -> None:
        """Take over a bound on the loss of all rule sets."""
        self.bound = max(self.bound, self.problem.rounded_up(bound))

    def _bound_by_cells(self) -> None:
        """Bound errors by all classifiers of these literals: far better than the relaxation where few rows differ."""
        rows = self.problem.rows
        self.budget.spend(calls=100, elements=PER_CELL * rows.n_cells * (1 + rows.n_groups))
        self.least_errors = self.problem.rounded_up(least_errors(self.problem))
        # The Hamming loss is at least as large.
        self.raise_bound(self.least_errors)

    def _iter_grow(self, length: int, begun: GenerationStart) -> Generator[Event, Command | None, GenerationStart]:
        """Bound what short rules come to; return what was found to begin with."""
        budget = self.budget.part(GROWING * self.budget.left)
        # The shortest rules are so few that none need be known to begin with.
        events = iter_generate(
            replace(self.problem, max_rule_length=length),
            budget=budget,
            pricing_limit=self.pricing_limit,
            begun=replace(begun, mines=length > SHORTER_LENGTHS[0]),
            random_state=self.seed,
        )
        # Their figures are bounds on other rules than those that are asked for.
        generated, _ = yield from self._iter_stage(iter_silent(events, budget), parts=8)
        self.shorter[length] = self.problem.rounded_up(generated.bound)
        return GenerationStart(generated.columns.rules, prices=generated.prices)

    def _iter_hamming(self, grown: GenerationStart) -> Generator[Event, Command | None, GenerationStart]:
        """Search for the best rules in Hamming loss: proven soon, they are hard to better in the 0-1 loss."""
        hamming = replace(self.problem, objective="hamming")
        search = _RuleSearch(hamming, self.budget.part(HAMMING * self.budget.left), self.pricing_limit, self.seed)
        found = yield from self._iter_stage(_iter_progress(search.iter_run(), self.budget), parts=4)
        if found.chosen.outcome.meets(self.problem):
            self.known[found.chosen.rules] = None
        rules = dict.fromkeys((*found.columns.rules, *grown.rules))
        return GenerationStart(tuple(rules), mines=False)

    def _iter_published(self) -> Generator[Event, Command | None, FoundRules]:
        """Search as first published: rules are generated for the Hamming loss, and are all that there is to choose."""
        hamming = replace(self.problem, objective="hamming")
        budget = self.budget.part(GENERATION * self.budget.left)
        events = iter_generate(hamming, budget=budget, pricing_limit=self.pricing_limit, random_state=self.seed)
        is_other = hamming != self.problem
        if is_other:
            generated, _ = yield from self._iter_stage(iter_silent(events, budget))
        else:
            generated = yield from self._iter_stage(events)
            self.path, self.lp_bound = [*generated.path], generated.bound
        self.columns = generated.columns
        start = [(), generated.rounded]
        if self.stopped:
            is_relaxed = self.take(decide_now(self.problem, self.columns, start, self.budget))
        else:
            deciding = iter_decide(self.problem, self.columns, budget=self.budget.part(), start=start, seed=self.seed)
            is_relaxed = self.take((yield from self._iter_stage(deciding)))
        if not is_other and not is_relaxed:
            self.raise_bound(generated.bound)
        found = self.found(self.stopped)
        pooled = Message("rules-note-pool", {"n": Count(int(self.problem.rounded_up(self.decided.bound)))})
        return replace(found, notes=(*found.notes, say(pooled)))

    def _iter_generate(self, begun: GenerationStart | None) -> Generator[Event, Command | None, GeneratedRules]:
        events = iter_generate(
            self.problem,
            budget=self.budget.part(GENERATION * self.budget.left),
            pricing_limit=self.pricing_limit,
            start=self.columns if begun is None else None,
            begun=begun,
            random_state=self.seed,
        )
        generated = yield from self._iter_stage(events)
        known = RuleColumns.of((rule for rules in self.known for rule in rules), self.problem.rows)
        self.columns = generated.columns.joined(known)
        self.known[tuple(generated.columns.rules[place] for place in generated.rounded)] = None
        n_before = len(self.path)
        self.path += [replace(each, round=n_before + each.round) for each in generated.path]
        self.lp_bound = max(self.lp_bound, generated.bound)
        return generated

    def _iter_approach(self, generated: GeneratedRules) -> Generator[Event, Command | None, None]:
        """Make a rule set of the rules with the least reduced costs, and of rules near them."""
        compared = any(rate.defined.sum() > 1 for rate in self.problem.rates)
        if self.stopped or not compared or generated.incumbent <= self.problem.rounded_up(generated.bound):
            return
        reduced = generated.duals.reduced_costs(self.columns.covers, self.columns.costs)
        # Rounded, as the last bits depend on the CPU.
        best = np.sort(np.argsort(np.round(reduced, 6), kind="stable")[:MOST_WEIGHED])
        budget = self.budget.part(APPROACHING * self.budget.left)
        rules = yield from self._iter_stage(iter_approach(self.problem, self.columns.take(best), budget), parts=8)
        if rules is not None:
            self.columns = self.columns.joined(RuleColumns.of(rules, self.problem.rows))
            self.known[rules] = None

    def _iter_decide(self, generated: GeneratedRules) -> Generator[Event, Command | None, bool]:
        """Decide on a rule set; return whether less is asked than before."""
        place_of = {rule: place for place, rule in enumerate(self.columns.rules)}
        start = [tuple(place_of[rule] for rule in rules) for rules in self.known]
        if self.stopped:
            return self.take(decide_now(self.problem, self.columns, start, self.budget))
        duals = generated.duals
        events = iter_decide(
            self.problem,
            self.columns,
            budget=self.budget.part(),
            start=start,
            reduced_costs=None if duals is None else duals.reduced_costs(self.columns.covers, self.columns.costs),
            dual_bound=generated.dual_bound,
            seed=self.seed,
        )
        return self.take((yield from self._iter_stage(events)))

    def _iter_prove(self, generated: GeneratedRules) -> Generator[Event, Command | None, None]:
        """Add all rules that could still help, and decide once more."""
        events = iter_list(
            self.problem, generated.duals, self.decided.objective, self.budget.part(LISTING * self.budget.left)
        )
        listed = yield from self._iter_stage(events)
        self.columns = self.columns.joined(listed.columns)
        if self.stopped:
            return
        yield from self._iter_decide(generated)
        self.raise_bound(min(self.decided.bound, generated.dual_bound + listed.floor))

    def _iter_stage(
        self, events: Generator[Event, Command | None, Ended], *, parts: int = 2
    ) -> Generator[Event, Command | None, Ended]:
        """Run a stage, which gets a part of the steps that are left: how many will follow is not known."""
        end = self.done + (TOTAL - self.done) // parts
        result, stopped = yield from iter_stage(events, start=self.done, end=end)
        self.done, self.stopped = end, self.stopped or stopped
        return result
