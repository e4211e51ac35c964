"""Choose by cross-validation what equal rates are worth, and how much stricter than asked they are held.

Labels of leaves that only just keep a constraint on the rows that are learned from break it on about every second new
table. How much stricter they must be depends on how many rows of each group a new table has: by chance alone, what is
held varies there with a standard deviation of::

    s_k = sqrt( p (1 - p) * sum_i G_ki^2 ),      G_ki = what a positive prediction of row i of it adds to form k

with p the share of positive labels. Margins of 0 to `MOST_DEVIATIONS` of the largest s_k are tried, with several prices
and sizes of trees. Each is judged in held-out rows by its accuracy, and by how likely the constraint is to hold on a
new table of that size, see `chance`.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.lookahead.chance import N_DRAWS, Chance, HeldOut, chance_of_keeping
from fairaudit.estimators.trees.lookahead.coded_table import CodedTable
from fairaudit.estimators.trees.lookahead.growing import iter_grown
from fairaudit.estimators.trees.lookahead.growing_rows import MOST_MARGIN, Growing, GrowingRows, Grown
from fairaudit.estimators.trees.lookahead.pruning import pruned
from fairaudit.estimators.trees.lookahead.repairing import labels_of
from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.findings import Argument, Count, Message, Share
from fairaudit.measure.bins import sums_by_code
from fairaudit.measure.limits import SLACK
from fairaudit.messages import say
from fairaudit.work import Budget

WEIGHTS: Final = (0.02, 0.2, 1.0)
"""The prices that are tried: those of the paper from 0.02 to 1, in coarser steps."""

MOST_DEVIATIONS: Final = 3.0
"""The largest margin that is tried, in standard deviations of what is held on a new table."""

N_MARGINS: Final = 7

WORTHS: Final = (0.0, 0.001, 0.003, 0.008)
"""The shares of rows that a split must be worth."""

UNTRIED: Final = 0.1
"""The price where nothing could be tried."""

SAFE: Final = 0.95
"""A constraint that is as likely as this to hold on a new table is taken to be safe."""

PRICE_OF_CHANCE: Final = 0.4
"""What accuracy is given for chance below: four points of accuracy for ten of chance."""

N_FOLDS: Final = 4

MOST_REPEATS: Final = 3

ENOUGH_ROWS: Final = 1000
"""Folds are drawn again until so many rows were held out, which small tables need."""

FEWEST_ROWS: Final = 12
"""With fewer rows of the smaller class, folds say too little."""


@dataclass(frozen=True)
class Trial:
    """One way to grow a tree.

    Parameters
    ----------
    growing : Growing
        How: beta, by how much stricter than asked the constraint was held, how far was looked ahead, and what a split
        had to be worth.
    accuracy : float
        The mean share of right rows in the held-out folds.
    chance : Chance
        How likely the constraint is to hold on a new table of the size of a fold.
    """

    growing: Growing
    accuracy: float
    chance: Chance

    @property
    def rank(self) -> tuple[float, float]:
        """What is larger for the better of two: accuracy less the price of chance, then chance."""
        missing = max(SAFE - self.chance.of_counted, 0.0)
        return round(self.accuracy - PRICE_OF_CHANCE * missing, 4), self.chance.of_all


def margins_to_try(rows: GrowingRows) -> tuple[float, ...]:
    """Return by how much stricter than asked a constraint is held in trials."""
    if not len(rows.bounds):
        return (0.0,)
    share = rows.labels.mean()
    deviations = np.sqrt(N_FOLDS * share * (1 - share) * (rows.forms**2 @ rows.strata.weights))
    most = MOST_MARGIN if rows.constraint == "four_fifths" else float(rows.bounds.max())
    largest = min(MOST_DEVIATIONS * float(deviations.max()), most)
    return tuple(np.unique(np.linspace(0.0, largest, N_MARGINS)).tolist())


def untried(rows: GrowingRows, growing: Growing) -> Growing:
    """Return how to grow a tree where nothing could be tried: with the price `UNTRIED` and half the largest margin."""
    margins = margins_to_try(rows)
    return replace(growing, weight=UNTRIED, margin=margins[len(margins) // 2], labels_only=True)


def notes_on_choice(chosen: Trial | None, n_rows: int) -> list[str]:
    """Return what should be known about a choice."""
    if chosen is None:
        return []
    often: dict[str, Argument] = {"share": Share(chosen.chance.of_all), "n": Count(n_rows // N_FOLDS)}
    return [say(Message("tree-note-chance", often))]


def iter_trials(
    rows: GrowingRows, growing: Growing, budget: Budget
) -> Generator[Progress | Incumbent, Command | None, tuple[Trial, ...]]:
    """Try prices, margins and sizes of trees in held-out rows.

    Notes
    -----
    In each fold a tree is grown once, pruned for each worth of a split, and its leaves are labeled for each price and
    margin.
    """
    trees = []
    folds = _folds(rows, growing.seed)
    plain = replace(growing, worth=0.0, labels_only=True)
    for place, (learn, held_out) in enumerate(folds):
        part = _part(rows, learn)
        share = budget.part(max(0.8 * budget.left / (len(folds) - place), 0.05))
        grown = yield from _iter_quiet(iter_grown(part, plain, share), place, len(folds))
        if grown is None or budget.is_over:
            return ()
        trees.append((part, grown, held_out))
    trials: list[Trial] = []
    for worth, weight in product(WORTHS if trees else (), WEIGHTS):
        here = replace(plain, weight=weight, worth=worth)
        labelings = [_Labeling.of(rows, here, *tree) for tree in trees]
        for margin in margins_to_try(rows):
            here = replace(here, margin=margin)
            held = [labeling.held_out(rows, here, budget) for labeling in labelings]
            accuracy = float(np.mean([labeling.accuracy for labeling in labelings]))
            budget.spend(calls=40, elements=4 * N_DRAWS * rows.strata.n_cells)
            trials.append(Trial(here, accuracy, chance_of_keeping(rows, held, growing.seed)))
            figures = {"weight": weight, "margin": margin, "accuracy": accuracy, "chance": trials[-1].chance.of_all}
            best = trials[-1] == max(trials, key=lambda trial: trial.rank)
            if (yield Incumbent("weight", figures, best=best)) is STOP or budget.is_over:
                return tuple(trials)
    return tuple(trials)


@dataclass
class _Labeling:
    """The tree of a fold, whose leaves get labels for one margin after the other."""

    part: GrowingRows
    tree: Grown
    leaf: NDArray[np.int64]
    where: NDArray[np.int64]
    values: dict[int, float] = field(default_factory=dict)
    accuracy: float = 0.0

    @classmethod
    def of(cls, rows: GrowingRows, here: Growing, part: GrowingRows, grown: Grown, where: NDArray[np.int64]) -> Any:
        tree = pruned(part, here, grown)
        return cls(part, tree, rows.table.leaves(tree.splits, where), where)

    def held_out(self, rows: GrowingRows, here: Growing, budget: Budget) -> HeldOut:
        # The best labels for a smaller margin are the best for this one too, where they keep it.
        if not self.values or not self._keeps(here.margin):
            part = Budget(min(max(budget.left / 20, 0.2), 2.0), budget)
            self.values, _ = labels_of(self.part, here, self.tree, part)
        budget.spend(calls=20, elements=20 * (len(self.where) + self.part.n_rows))
        predicted = np.array([self.values[number] for number in self.leaf.tolist()])
        self.accuracy = float((predicted == rows.labels[self.where]).mean())
        cells, n_strata = rows.strata.cells[self.where], rows.strata.n_cells
        sizes = np.bincount(cells, minlength=n_strata).astype(float)
        labels = set(self.values.values())
        only = labels.pop() if len(labels) == 1 else None
        return HeldOut(sizes, sums_by_code(cells, predicted, n_strata), only)

    def _keeps(self, margin: float) -> bool:
        predicted = np.array([self.values[number] for number in self.tree.leaf.tolist()])
        held = self.part.held(predicted, np.arange(self.part.n_rows))
        return bool((held <= self.part.stricter(margin) + SLACK).all())


def _folds(rows: GrowingRows, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the places of learning and held-out rows: of each group and label the same share is held out."""
    if min(rows.labels.sum(), (1 - rows.labels).sum()) < FEWEST_ROWS or not len(rows.bounds):
        return []
    random, folds = np.random.default_rng(seed), []
    for _ in range(min(math.ceil(ENOUGH_ROWS / rows.n_rows), MOST_REPEATS)):
        shuffled = random.permutation(rows.n_rows)
        fold = np.empty(rows.n_rows, dtype=np.int64)
        fold[shuffled[np.argsort(rows.strata.cells[shuffled], kind="stable")]] = np.arange(rows.n_rows) % N_FOLDS
        folds += [(np.flatnonzero(fold != place), np.flatnonzero(fold == place)) for place in range(N_FOLDS)]
    return folds


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
