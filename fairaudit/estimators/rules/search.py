"""The search for a rule set: generate rules and choose among them in turn, until the best is proven or work is done."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from fairaudit.errors import sure
from fairaudit.estimators.progress import TOTAL, iter_stage
from fairaudit.estimators.rules.approaching import iter_approach
from fairaudit.estimators.rules.deciding import Decided, decide_now, iter_decide
from fairaudit.estimators.rules.final_choice import Chosen
from fairaudit.estimators.rules.generation import Begun, Generated, Round, iter_generate, iter_silent
from fairaudit.estimators.rules.listing import iter_list
from fairaudit.estimators.rules.problem import Problem, RuleColumns
from fairaudit.events import Command, Event
from fairaudit.findings import Message, Points
from fairaudit.messages import say
from fairaudit.work import Budget

GENERATION = 0.6
"""Share of the work that is left which a generation gets."""

SHORTER = (2, 3)
"""Before longer rules are looked for, the relaxation over rules of at most so many conditions is."""

GROWING = 0.2
"""Share of the work that is left which each of these gets."""

APPROACHING = 0.2
"""Share of the work that is left for a rule set that is made step by step."""

MOST_WEIGHED = 300
"""Rules that it may be made of beside those near them."""

LISTING = 0.3
"""Share of the work that is left for listing the rules that could still help."""

MOST_PASSES = 4
"""Passes at most: a pass that brings nothing new is the last one anyway."""

ROUNDING = 1e-6
"""Share of a bound that may be rounding."""

MOST_KNOWN = 50
"""Solutions that a pass hands on to the next."""

Rules = tuple[tuple[int, ...], ...]
Status = Literal["optimal", "gap", "work_limit", "stopped"]


@dataclass(frozen=True)
class LengthBound:
    """What is proven about short rules.

    Parameters
    ----------
    max_rule_length : int
        Conditions of each rule, at most.
    bound : float
        No rule set made of such rules has a lower loss.
    """

    max_rule_length: int
    bound: float


@dataclass(frozen=True, eq=False)
class Found:
    """The end of a search.

    Parameters
    ----------
    problem : Problem
        What was asked in the end; another difference is allowed where none was found that is as small as asked.
    chosen : Chosen
        The rule set to use.
    columns : RuleColumns
        The rules that were considered.
    best_objective : float
        The least loss seen within the rows of the master problem; the rule set to use can be another one.
    lp_bound, bound : float
        Lower bounds on the loss of all rule sets within the rows of the master problem whose rules are short enough:
        by linear relaxation, and the best proven.
    bounds : tuple of LengthBound
        The best proven for shorter rules, and last for the longest that are allowed.
    status : str
        See :class:`~fairaudit.estimators.rules.classifier.RuleSetClassifier`.
    path : tuple of Round
        The rounds of generation.
    notes : tuple of str
        What happened on the way.
    """

    problem: Problem
    chosen: Chosen
    columns: RuleColumns
    best_objective: float
    lp_bound: float
    bound: float
    bounds: tuple[LengthBound, ...]
    status: Status
    path: tuple[Round, ...]
    notes: tuple[str, ...]

    @property
    def objective(self) -> float:
        """The loss of the rule set to use."""
        return float(self.chosen.outcome.loss(self.problem))

    @property
    def errors_bound(self) -> float:
        """Wrong rows that no rule set within the constraint can have fewer of."""
        proven = self.bound if self.problem.counts_rows_once else 0.0
        return max(proven, float(self.problem.rows.unavoidable_errors))

    @property
    def optimality_gap(self) -> float:
        """How far objective and bound are apart, as a share of the objective; NaN where the bound is about others."""
        return self.chosen.outcome.optimality_gap(self.problem, self.bound)


def iter_find(
    problem: Problem, *, budget: Budget, pricing_limit: float, seed: int, stopped: bool = False
) -> Generator[Event, Command | None, Found]:
    """Search for the best rule set."""
    search = _Search(problem, budget, pricing_limit, seed)
    if stopped or not problem.rows.n_literals:
        search.take(decide_now(problem, search.columns, (), budget))
        if not stopped:
            search.lp_bound = search.bound = search.decided.objective
        return search.found(stopped)
    return (yield from search.iter_run())


def rounded_up(bound: float) -> float:
    """Return the whole number of rows that a lower bound comes to.

    Examples
    --------
    >>> rounded_up(6.2), rounded_up(7.0000001), rounded_up(-3.0)
    (7.0, 7.0, 0.0)
    """
    return float(max(math.ceil(bound - ROUNDING * (1 + abs(bound))), 0))


class _Search:
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
        self._decided: Decided | None = None
        self.done, self.stopped = 0, False

    def iter_run(self) -> Generator[Event, Command | None, Found]:
        """Run passes over rules of all lengths, after what short ones come to."""
        grown = Begun()
        for length in SHORTER:
            if length < self.problem.longest and not self.stopped:
                grown = yield from self._iter_grow(length, grown)
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
            reached = (generated.lp_value * (1 + ROUNDING), self.decided.objective)
            if not is_relaxed and before[0] <= reached[0] and before[1] <= reached[1]:
                break
            before = (generated.lp_value, self.decided.objective)
        return self.found(self.stopped)

    @property
    def decided(self) -> Decided:
        """What was decided last."""
        return sure(self._decided)

    @property
    def is_proven(self) -> bool:
        """Whether the best solution cannot be bettered."""
        return self.bound >= self.decided.objective - ROUNDING

    def found(self, stopped: bool) -> Found:
        """Return the end."""
        decided, notes = self.decided, []
        gap = decided.chosen.outcome.gap
        if not decided.chosen.outcome.meets(replace(self.problem, max_difference=self.asked)):
            limits = {"size": Points(self.asked, 1), "closest": Points(gap, 1)}
            notes.append(say(Message("rules-note-limit", limits)))
        bound = min(self.bound, decided.objective)
        # The best solution of the master problem can be proven while another rule set is used.
        is_best = self.is_proven and decided.chosen.outcome.optimality_gap(self.problem, bound) <= ROUNDING
        ended: Status = "optimal" if is_best else "gap" if self.is_proven or not self.budget.is_late else "work_limit"
        return Found(
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
        )

    def _bounds(self) -> tuple[LengthBound, ...]:
        """Return the bounds by length; what holds for longer rules holds for shorter ones."""
        longest = LengthBound(self.problem.longest, min(self.bound, self.decided.objective))
        found = [longest]
        for length in sorted(self.shorter, reverse=True):
            found.append(LengthBound(length, max(self.shorter[length], found[-1].bound)))
        return tuple(reversed(found))

    def take(self, decided: Decided) -> bool:
        """Take over what was decided; say whether less is asked than before, which makes bounds void."""
        is_relaxed = decided.problem.max_difference > self.problem.max_difference
        if is_relaxed:
            self.problem, self.lp_bound, self.bound, self.shorter = decided.problem, 0.0, 0.0, {}
        rules = self.columns.rules
        self.known |= {tuple(rules[place] for place in places): None for places in decided.solutions[:MOST_KNOWN]}
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

    def _rank(self, chosen: Chosen) -> tuple[Any, ...]:
        return not chosen.outcome.meets(self.problem), *chosen.outcome.rank(self.problem)

    def raise_bound(self, bound: float) -> None:
        """Take over a bound on the loss of all rule sets."""
        self.bound = max(self.bound, rounded_up(bound))

    def _iter_grow(self, length: int, begun: Begun) -> Generator[Event, Command | None, Begun]:
        """Bound what short rules come to; return what was found to begin with."""
        budget = self.budget.part(GROWING * self.budget.left)
        # The shortest rules are so few that none need be known to begin with.
        events = iter_generate(
            replace(self.problem, max_rule_length=length),
            budget=budget,
            pricing_limit=self.pricing_limit,
            begun=replace(begun, mines=length > SHORTER[0]),
            random_state=self.seed,
        )
        # Their figures are bounds on other rules than those that are asked for.
        generated, _ = yield from self._iter_stage(iter_silent(events, budget), parts=8)
        self.shorter[length] = rounded_up(generated.bound)
        return Begun(generated.columns.rules, prices=generated.prices)

    def _iter_generate(self, begun: Begun | None) -> Generator[Event, Command | None, Generated]:
        events = iter_generate(
            self.problem,
            budget=self.budget.part(GENERATION * self.budget.left),
            pricing_limit=self.pricing_limit,
            start=self.columns if begun is None else None,
            begun=begun,
            random_state=self.seed,
        )
        generated = yield from self._iter_stage(events)
        self.columns = generated.columns
        self.known[tuple(generated.columns.rules[place] for place in generated.rounded)] = None
        n_before = len(self.path)
        self.path += [replace(each, round=n_before + each.round) for each in generated.path]
        self.lp_bound = max(self.lp_bound, generated.bound)
        return generated

    def _iter_approach(self, generated: Generated) -> Generator[Event, Command | None, None]:
        """Make a rule set of the rules with the least reduced costs, and of rules near them."""
        compared = any(rate.defined.sum() > 1 for rate in self.problem.rates)
        if self.stopped or not compared or generated.incumbent <= rounded_up(generated.bound):
            return
        reduced = generated.duals.reduced_costs(self.columns.covers, self.columns.costs)
        # Rounded, as the last bits hang on the processor.
        best = np.sort(np.argsort(np.round(reduced, 6), kind="stable")[:MOST_WEIGHED])
        budget = self.budget.part(APPROACHING * self.budget.left)
        rules = yield from self._iter_stage(iter_approach(self.problem, self.columns.take(best), budget), parts=8)
        if rules is not None:
            self.columns = self.columns.joined(RuleColumns.of(rules, self.problem.rows))
            self.known[rules] = None

    def _iter_decide(self, generated: Generated) -> Generator[Event, Command | None, bool]:
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

    def _iter_prove(self, generated: Generated) -> Generator[Event, Command | None, None]:
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
        self, events: Generator[Event, Command | None, Any], *, parts: int = 2
    ) -> Generator[Event, Command | None, Any]:
        """Run a stage, which gets a part of the steps that are left: how many will follow is not known."""
        end = self.done + (TOTAL - self.done) // parts
        result, stopped = yield from iter_stage(events, start=self.done, end=end)
        self.done, self.stopped = end, self.stopped or stopped
        return result
