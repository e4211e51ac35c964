"""Choose by cross-validation what equal rates are worth, and how much stricter than asked they are held.

Labels of leaves that only just keep a constraint on the rows that are learned from break it on about every second new
table. A price does not help where the best trees are either at the constraint or far within it, so both are tried.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.rules.stages import Clock
from fairaudit.trees.lookahead.coded_table import CodedTable
from fairaudit.trees.lookahead.growing import iter_grown
from fairaudit.trees.lookahead.growing_rows import Growing, GrowingRows
from fairaudit.trees.lookahead.pruning import pruned
from fairaudit.trees.lookahead.repairing import labels_of

WEIGHTS: Final = (0.02, 0.2, 0.5, 1.0)
"""The prices that are tried: those of the paper from 0.02 to 1, in coarser steps."""

MARGINS: Final = (0.0, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15)
"""By how much stricter the constraint is held."""

USUAL: Final = 0.25
"""The quantile of the standard deviations of all trials that each has at least."""

WORTHS: Final = (0.0, 0.001, 0.003, 0.008)
"""The shares of rows that a split must be worth."""

UNTRIED: Final = (0.1, 0.02)
"""Price and margin where nothing could be tried."""

SAFE: Final = 2.0
"""Standard deviations by which the constraint has to hold in held-out rows: with four folds, nine of ten new tables."""

N_FOLDS: Final = 4

FEWEST_ROWS: Final = 40
"""With fewer rows of the smaller class, folds say too little."""


@dataclass(frozen=True)
class Trial:
    """One price.

    Parameters
    ----------
    growing : Growing
        How: beta, by how much stricter than asked the constraint was held, how far was looked ahead, and what a split
        had to be worth.
    accuracy : float
        The mean share of right rows in the held-out folds.
    kept, spread : float
        By how much the rates keep within what is asked there, in the worst pair: mean and standard deviation, but no
        less than the lower quartile of all trials, for that of four folds is often too small by chance.
    """

    growing: Growing
    accuracy: float
    kept: float
    spread: float

    @property
    def is_safe(self) -> bool:
        """Whether the constraint would be kept on most new tables of this size."""
        return self.kept - SAFE * self.spread >= 0

    @property
    def rank(self) -> tuple[bool, float, float]:
        """What is larger for the better of two."""
        sure = self.kept - SAFE * self.spread
        return (True, round(self.accuracy, 4), sure) if self.is_safe else (False, sure, 0.0)


def iter_trials(
    rows: GrowingRows, growing: Growing, clock: Clock
) -> Generator[Progress | Incumbent, Command | None, tuple[Trial, ...]]:
    """Try prices and margins in held-out rows.

    Parameters
    ----------
    rows : GrowingRows
        The rows that the tree will be grown on.
    growing : Growing
        How; its weight, margin and worth are not read.
    clock : Clock
        When to end.

    Yields
    ------
    Progress or Incumbent
        ``Incumbent("weight")`` for all that was tried.

    Returns
    -------
    tuple of Trial
        All that were tried; empty where rows or time were too few.

    Notes
    -----
    In each fold a tree is grown once, pruned for each worth of a split, and its leaves are labeled for each price and
    margin.
    """
    trees = []
    folds = _folds(rows, growing.seed)
    plain = replace(growing, weight=0.0, margin=0.0, worth=0.0)
    for place, (learn, held_out) in enumerate(folds):
        part = _part(rows, learn)
        share = Clock(max(0.8 * clock.left_s / (len(folds) - place), 0.05))
        grown = yield from _iter_quiet(iter_grown(part, plain, share), place, len(folds))
        if grown is None or clock.left_s <= 0.0:
            return ()
        trees.append((part, grown, _part(rows, held_out), held_out))
    trials: list[Trial] = []
    tried = list(product(WEIGHTS, MARGINS))
    for worth in WORTHS if trees else ():
        smaller = [
            (part, pruned(part, replace(plain, worth=worth), tree), held, where) for part, tree, held, where in trees
        ]
        leaves = [rows.table.leaves(tree.splits, where) for _, tree, _, where in smaller]
        for weight, margin in tried:
            here = replace(plain, weight=weight, margin=margin, worth=worth)
            trials.append(_tried(here, smaller, leaves, clock))
            figures = {
                "weight": weight, "margin": margin, "accuracy": trials[-1].accuracy, "kept": trials[-1].kept
            }  # fmt: skip
            best = trials[-1] == max(trials, key=lambda trial: trial.rank)
            if (yield Incumbent("weight", figures, best=best)) is STOP or clock.left_s <= 0.0:
                return _with_usual_spread(trials)
    return _with_usual_spread(trials)


def _with_usual_spread(trials: list[Trial]) -> tuple[Trial, ...]:
    usual = float(np.quantile([trial.spread for trial in trials], USUAL)) if trials else 0.0
    return tuple(replace(trial, spread=max(trial.spread, usual)) for trial in trials)


def _tried(here: Growing, trees: list[Any], leaves: list[NDArray[np.int64]], clock: Clock) -> Trial:
    right, kept = [], []
    for (part, tree, held_out, _), leaf in zip(trees, leaves, strict=True):
        values, _ = labels_of(part, here, tree, time_limit=min(max(clock.left_s / 20, 0.2), 2.0))
        predicted = np.array([values[number] for number in leaf.tolist()])
        right.append(float((predicted == held_out.labels).mean()))
        everyone = np.arange(held_out.n_rows)
        if len(held_out.bounds):
            kept.append(float((held_out.bounds - held_out.held(predicted, everyone)).min()))
    return Trial(here, float(np.mean(right)), float(np.mean(kept or [0.0])), float(np.std(kept or [0.0])))


def _folds(rows: GrowingRows, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    smallest = min(rows.labels.sum(), (1 - rows.labels).sum())
    if smallest < FEWEST_ROWS or not len(rows.bounds):
        return []
    return list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(rows.labels, rows.labels))


def _part(rows: GrowingRows, kept: NDArray[np.int64]) -> GrowingRows:
    table = CodedTable(rows.table.columns, tuple(codes[kept] for codes in rows.table.codes))
    return GrowingRows(table, rows.labels[kept], rows.groups[kept], rows.group_names, rows.constraint, rows.difference)


def _iter_quiet(
    events: Generator[Progress, Command | None, Any], place: int, n_folds: int
) -> Generator[Progress, Command | None, Any]:
    """Run a part to its end; return None where the caller stopped it."""
    command, stopped = None, False
    while True:
        try:
            event = events.send(command)
        except StopIteration as end:
            return None if stopped else end.value
        command = None
        if isinstance(event, Progress):
            command = yield Progress("Trying how much equal rates should count", place, n_folds)
            stopped = stopped or command is STOP
