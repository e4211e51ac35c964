"""Rule sets of other settings from rules that are there already: the second phase of the paper."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from fairaudit.estimators.rules.deciding import decide_now, iter_decide
from fairaudit.estimators.rules.problem import Outcome, Problem, RuleColumns
from fairaudit.estimators.rules.stages import TOTAL, Clock, iter_stage
from fairaudit.events import STOP, Command, Event, Progress

MOST_KNOWN = 200
"""Solutions that a setting hands on to the next."""


@dataclass(frozen=True)
class GridPoint:
    """The rule set of one setting.

    Parameters
    ----------
    max_complexity : int
        What was allowed.
    max_difference : float
        How far rates were allowed to be apart.
    rules : tuple of tuple of int
        The literals of each rule, as indices into the literals of the rows.
    outcome : Outcome
        What they do on the rows; its gap is larger than allowed where no rule set was found that comes so near.
    status : {"optimal", "time_limit", "stopped"}
        Whether the solution is proven to be the best that can be made of the rules that are there.
    """

    max_complexity: int
    max_difference: float
    rules: tuple[tuple[int, ...], ...]
    outcome: Outcome
    status: str


def iter_grid(
    problem: Problem,
    columns: RuleColumns,
    settings: Sequence[tuple[int, float]],
    *,
    time_limit: float,
    random_state: int | None = None,
) -> Generator[Event, Command | None, tuple[GridPoint, ...]]:
    """Decide on a rule set for each setting, without generating rules.

    Notes
    -----
    Solutions of a setting are where the next one starts from, so that neighbours should follow each other.
    """
    clock = Clock(time_limit)
    known: dict[tuple[int, ...], None] = {(): None}
    points: list[GridPoint] = []
    stopped = False
    for number, (complexity, difference) in enumerate(settings):
        asked = replace(problem, max_complexity=complexity, max_difference=difference)
        start, end = (TOTAL * done // len(settings) for done in (number, number + 1))
        if not stopped:
            what = f"Complexity {complexity}, difference {difference:.4g}"
            stopped = (yield Progress(what, start, TOTAL)) is STOP
        fitting = list(known)[-MOST_KNOWN:]
        if stopped or clock.left_s <= 0:
            decided = decide_now(asked, columns, fitting)
        else:
            events = iter_decide(
                asked,
                columns,
                time_limit=clock.left_s / (len(settings) - number),
                start=fitting,
                seed=random_state or 0,
            )
            decided, stopped = yield from iter_stage(events, start=start, end=end)
        known |= dict.fromkeys(reversed(decided.solutions))
        is_best = decided.bound >= decided.objective and decided.problem.max_difference == difference
        status = "stopped" if stopped else "optimal" if is_best else "time_limit"
        points.append(GridPoint(complexity, difference, decided.chosen.rules, decided.chosen.outcome, status))
    return tuple(points)
