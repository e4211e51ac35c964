"""The final choice: of the solutions found, the one with the least 0-1 loss that meets the true constraint.

Of equal ones it is the one of which most can be proven. The master problem holds a stand-in for both, so its best
solution need not be the best rule set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.improving import Weighing, improve
from fairaudit.estimators.rules.problem import Outcome, Problem, RuleColumns, covered_sums, outcome_of
from fairaudit.measure.limits import SLACK
from fairaudit.work import Budget

STARTS: Final = 5
"""How many of the best solutions are improved: each takes up to a second on Adult."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """A rule set for good.

    Parameters
    ----------
    rules : tuple of tuple of int
        The literals of each rule, in increasing order.
    outcome : Outcome
        What it does; ``outcome.meets(problem)`` says whether it meets the true constraint.
    """

    rules: tuple[tuple[int, ...], ...]
    outcome: Outcome


def choose(
    problem: Problem,
    columns: RuleColumns,
    solutions: Iterable[Sequence[int]],
    budget: Budget | None = None,
    *,
    floors: Floors | None = None,
) -> Chosen:
    """Return the best rule set that can be made from some solutions.

    Floors are under sums of the covered rows by group and label, see :func:`covered_sums`.

    Notes
    -----
    The `STARTS` best solutions are improved by `improve`, so rules can come out that are not among the columns. The
    result depends only on the arguments.
    """
    budget = Budget() if budget is None else budget
    tried = {tuple(sorted(places)) for places in solutions} | {()}
    budget.spend(calls=10 * len(tried), elements=4 * len(tried) * problem.rows.n_cells)
    ranked = sorted((_judged(problem, columns, places, floors)[0], places) for places in tried)
    weighing = Weighing(problem, columns, floors=floors)
    found = []
    for _, places in ranked[:STARTS]:
        start = tuple(sorted(columns.rules[place] for place in places))
        improved = improve(weighing, start, budget)
        for rules in (start, tuple(sorted(improved))):
            made = RuleColumns.of(rules, problem.rows)
            score, outcome = _judged(problem, made, range(len(made)), floors)
            found.append((score, made.rules, outcome))
    _, rules, outcome = min(found, key=lambda made: made[:2])
    return Chosen(rules, outcome)


def _judged(
    problem: Problem, columns: RuleColumns, places: Sequence[int], floors: Floors | None
) -> tuple[tuple[float, ...], Outcome]:
    """Return what is compared, the first part first, and what rules do."""
    outcome = outcome_of(problem, columns, places)
    excess = outcome.gap if outcome.gap > problem.max_difference + SLACK else 0.0
    if floors is not None:
        missing = float(floors.missing(covered_sums(problem, columns, places)).max(initial=0.0))
        excess += missing if missing > SLACK else 0.0
    return (excess, *outcome.rank(problem)), outcome
