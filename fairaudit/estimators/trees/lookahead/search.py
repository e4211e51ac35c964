"""The search for a look-ahead tree: choose how it is grown, then grow it looking farther and farther ahead."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from fairaudit.estimators.progress import TOTAL, Clock, iter_stage
from fairaudit.estimators.trees.lookahead.growing import iter_grown
from fairaudit.estimators.trees.lookahead.growing_rows import Growing, GrowingRows
from fairaudit.estimators.trees.lookahead.pruning import pruned
from fairaudit.estimators.trees.lookahead.repairing import Repaired, repaired
from fairaudit.estimators.trees.lookahead.weight import Trial, iter_trials, untried
from fairaudit.events import STOP, Command, Event, Incumbent

SHARE_OF_CHOICE: Final = 0.6
"""The share of the time for the choice by cross-validation, at most."""

QUICK: Final = 0.02
"""After a tree that took less than this share of the time, the next is grown even if it was no better than the last."""


@dataclass(frozen=True)
class Pass:
    """One tree that was grown.

    Parameters
    ----------
    look_ahead : int
        Levels.
    seconds : float
        When it was ready.
    objective : float
        Of the tree.
    sample_size : int
        Rows of a node that were searched over, at most.
    """

    look_ahead: int
    seconds: float
    objective: float
    sample_size: int


def iter_choice(
    rows: GrowingRows, growing: Growing, farthest: int, clock: Clock
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
        begun = clock.left_s
        trying = iter_trials(rows, way, clock)
        start = 5 + 10 * place
        trials, stopped = yield from iter_stage(trying, start=start, end=start + 10)
        best = max(tried, key=lambda trial: trial.rank, default=None)
        tried += trials
        here = max(trials, key=lambda trial: trial.rank, default=None)
        is_better = here is not None and (best is None or here.rank > best.rank)
        chosen = here.growing if is_better else chosen
        # Looking farther takes several times as long.
        is_last = not way.is_greedy and (not is_better or clock.left_s < 4 * (begun - clock.left_s))
        if stopped or is_last:
            break
    return chosen, tried, stopped


def iter_passes(
    rows: GrowingRows, growing: Growing, farthest: int, clock: Clock, stopped: bool
) -> Generator[Event, Command | None, tuple[Repaired, list[Pass], str]]:
    """Grow trees with more and more look-ahead, while time is left and they get better.

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
        step, begun = 50 + 12 * len(passes), clock.left_s
        left = Clock(0.01 if stopped else 0.9 * clock.left_s)
        grown, was_stopped = yield from iter_stage(iter_grown(rows, here, left), start=step, end=min(step + 12, TOTAL))
        stopped = stopped or was_stopped
        smaller = pruned(rows, here, grown)
        tree = repaired(rows, here, smaller, time_limit=min(10.0, max(clock.left_s, 0.5)))
        is_best = best is None or tree.objective < best.objective
        seconds = clock.limit_s - clock.left_s
        passes.append(Pass(here.look_ahead, seconds, tree.objective, here.sample_size))
        if not grown.is_complete:
            ended = "stopped" if stopped else "time_limit"
        figures = {"objective": tree.objective, "bound": float("nan"), "seconds": seconds}
        stopped = (yield Incumbent("tree", figures, best=is_best)) is STOP or stopped
        best = tree if is_best else best
        took = begun - clock.left_s
        # The next pass takes several times as long.
        if stopped or clock.left_s < 4 * took:
            break
        goes_on = is_best or took < QUICK * clock.limit_s
    return best, passes, "stopped" if stopped else ended
