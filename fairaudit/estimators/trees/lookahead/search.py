"""The search for a look-ahead tree: choose how it is grown, then grow it looking farther and farther ahead."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from fairaudit.errors import sure
from fairaudit.estimators.progress import TOTAL, iter_stage
from fairaudit.estimators.trees.lookahead.growing import iter_grown
from fairaudit.estimators.trees.lookahead.growing_rows import Growing, GrowingRows
from fairaudit.estimators.trees.lookahead.pruning import pruned
from fairaudit.estimators.trees.lookahead.repairing import MOST_S, Repaired, repaired
from fairaudit.estimators.trees.lookahead.weight import Trial, iter_trials, untried
from fairaudit.events import STOP, Command, Event, Incumbent
from fairaudit.work import Budget

SHARE_OF_CHOICE: Final = 0.6
"""The share of the work for the choice by cross-validation, at most."""

QUICK: Final = 0.02
"""After a tree that took less than this share of the work, the next is grown even if it was no better than the last."""


@dataclass(frozen=True)
class Pass:
    """One tree that was grown.

    Parameters
    ----------
    look_ahead : int
        Levels.
    share : float
        Of the work that was allowed, until it was ready.
    objective : float
        Of the tree.
    sample_size : int
        Rows of a node that were searched over, at most.
    """

    look_ahead: int
    share: float
    objective: float
    sample_size: int


def iter_choice(
    rows: GrowingRows, growing: Growing, farthest: int, budget: Budget
) -> Generator[Event, Command | None, tuple[Growing, tuple[Trial, ...], bool]]:
    """Choose by held-out rows: the weight, the margin, what splits must be worth and how far to look ahead.

    Where that is not given, splits without looking ahead are tried first, then looking farther and farther while it
    helps.
    """
    tried: tuple[Trial, ...] = ()
    stopped, chosen = False, untried(rows, growing)
    ways = [replace(growing, look_ahead=look_ahead) for look_ahead in range(growing.look_ahead, farthest + 1)]
    if farthest > growing.look_ahead:
        ways.insert(0, replace(growing, look_ahead=1, is_greedy=True))
    for place, way in enumerate(ways):
        begun = budget.left
        trying = iter_trials(rows, way, budget)
        start = 5 + 10 * place
        trials, stopped = yield from iter_stage(trying, start=start, end=start + 10)
        best = max(tried, key=lambda trial: trial.rank, default=None)
        tried += trials
        here = max(trials, key=lambda trial: trial.rank, default=None)
        is_better = here is not None and (best is None or here.rank > best.rank)
        chosen = sure(here).growing if is_better else chosen
        # Looking farther takes several times as long.
        is_last = not way.is_greedy and (not is_better or budget.left < 4 * (begun - budget.left))
        if stopped or is_last:
            break
    return chosen, tried, stopped


def iter_passes(
    rows: GrowingRows, growing: Growing, farthest: int, budget: Budget, stopped: bool
) -> Generator[Event, Command | None, tuple[Repaired, list[Pass], str]]:
    """Grow trees with more and more look-ahead, while work is left and they get better.

    Where that reaches the depth of the tree, a sample of rows would decide about all of it: then the last is grown once
    more by all rows.
    """
    best: Repaired | None = None
    passes: list[Pass] = []
    ended = "gap"
    ways = [replace(growing, look_ahead=look_ahead) for look_ahead in range(growing.look_ahead, farthest + 1)]
    if farthest >= growing.max_depth and rows.n_rows > growing.sample_size:
        ways.append(replace(ways[-1], sample_size=rows.n_rows))
    goes_on = True
    for here in ways:
        if not goes_on and here.sample_size == growing.sample_size:
            continue
        step, begun = 50 + 12 * len(passes), budget.left
        left = budget.part(0.0 if stopped else 0.9 * budget.left)
        grown, was_stopped = yield from iter_stage(iter_grown(rows, here, left), start=step, end=min(step + 12, TOTAL))
        stopped = stopped or was_stopped
        smaller = pruned(rows, here, grown)
        tree = repaired(rows, here, smaller, Budget(min(MOST_S, max(budget.left, 0.5)), budget))
        is_best = best is None or tree.objective < best.objective
        passes.append(Pass(here.look_ahead, budget.share, tree.objective, here.sample_size))
        if not grown.is_complete:
            ended = "stopped" if stopped else "work_limit"
        figures = {"objective": tree.objective, "bound": float("nan"), "share": budget.share}
        stopped = (yield Incumbent("tree", figures, best=is_best)) is STOP or stopped
        best = tree if is_best else best
        took = begun - budget.left
        # The next pass takes several times as long.
        if stopped or budget.left < 4 * took:
            break
        goes_on = is_best or took < QUICK * budget.limit
    return sure(best), passes, "stopped" if stopped else ended
