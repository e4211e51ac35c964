"""Trees that look ahead: margins and prices chosen by cross-validation, and the classifier."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from numbers import Integral
from typing import ClassVar, Final, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval

from fairaudit.errors import InputError, quote, require
from fairaudit.estimators.base import TOTAL, boolean_rows, iter_stage
from fairaudit.estimators.certifying import CertifiesAverages
from fairaudit.estimators.parameters import (
    CERTIFYING,
    COUNT,
    DIFFERENCE_HINT,
    NOT_NEGATIVE,
    POSITIVE,
    SHARE,
    Constraints,
    Features,
    Groups,
    Labels,
    Seed,
    check_parameters,
    documented,
    measures,
    one_of,
)
from fairaudit.estimators.rules.binarizer import columns_that_reveal_groups
from fairaudit.estimators.rules.literals import as_frame
from fairaudit.estimators.similar_cases import STRATA, averages_of, notes_on_strata
from fairaudit.estimators.trees.growing import (
    FARTHEST,
    MOST_LABELING_S,
    MOST_MARGIN,
    CodedTable,
    GrowingRows,
    GrowingSettings,
    GrownTree,
    RepairedTree,
    iter_grown,
    labels_of,
    pruned,
    repaired,
)
from fairaudit.estimators.trees.inputs import (
    CONSTRAINTS,
    DEEPEST,
    USUAL_DIFFERENCE,
    check_difference,
)
from fairaudit.estimators.trees.measures import discrimination_of, notes_on_groups
from fairaudit.estimators.trees.optimal_tree import TreeClassifier
from fairaudit.estimators.trees.search import learned_tree
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress, Searching, Started, iter_relay
from fairaudit.findings import Argument, Count, Message, Phrase, Share
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.grouping import Grouping, group_rows, names_of_groups, value_text
from fairaudit.measure.limits import SLACK
from fairaudit.messages import say
from fairaudit.work import Budget

# How likely a constraint is to hold on another table, by what trees predicted for rows that were held out.

Floats = NDArray[np.float64]

N_DRAWS: Final = 800
"""New tables that are drawn."""


@dataclass(frozen=True, eq=False)
class HeldOutPredictions:
    """What a tree predicted for rows that it was not grown on."""

    # sizes, positives: (n_strata,) Rows of each group and label, see ``GrowingRows.strata``, and positive predictions
    # among them.
    sizes: Floats
    positives: Floats
    # The label of all leaves, where it is the same: then nothing is left to chance.
    constant_label: float | None = None


FEWEST_IN_GROUP: Final = 10
"""With fewer rows of a group in a new table, chance decides about its rates, whatever the tree."""


@dataclass(frozen=True)
class ChanceToHold:
    """How likely a constraint is to hold on a new table, for all groups and for those that are large enough."""

    of_all: float = 1.0
    # For those with at least `FEWEST_IN_GROUP` rows in a new table; 1 where no two have that.
    of_counted: float = 1.0


def chance_of_keeping(rows: GrowingRows, folds: list[HeldOutPredictions], seed: int) -> ChanceToHold:
    """Return the share of new tables, each as large as what one fold held out, on which a constraint would hold.

    A table is drawn as follows: a tree is one of the folds'; its rate q_s of positive predictions in stratum s is drawn
    from ``Beta(k_s + p_s, n_s - k_s + 1 - p_s)``, where it predicted k_s of n_s held-out rows positive and all trees
    together a share p_s; and then rows of each stratum, and positive predictions among them from ``Binomial(q_s)``. So
    trees that differ, rates that are known from few rows, and small groups in the new table all count.
    """
    if not len(rows.bounds) or not folds:
        return ChanceToHold()
    random = np.random.default_rng(seed)
    sizes, positives = np.array([fold.sizes for fold in folds]), np.array([fold.positives for fold in folds])
    shares = (positives.sum(axis=0) + 0.5) / (sizes.sum(axis=0) + 1)
    trees = np.arange(N_DRAWS) % len(folds)
    rates = random.beta(positives[trees] + shares, sizes[trees] - positives[trees] + 1 - shares)
    for place, fold in enumerate(folds):
        if fold.constant_label is not None:
            rates[trees == place] = fold.constant_label
    usual = sizes.mean(axis=0)
    drawn = random.multinomial(round(usual.sum()), usual / usual.sum(), size=N_DRAWS)
    held = _meets_bounds(rows, drawn, random.binomial(drawn, rates))
    fewest = np.minimum(usual @ (rows.forms > 0).T, usual @ (rows.forms < 0).T)
    return ChanceToHold(float(held.all(axis=1).mean()), float(held[:, fewest >= FEWEST_IN_GROUP].all(axis=1).mean()))


def _meets_bounds(rows: GrowingRows, sizes: NDArray[np.int64], positives: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say for each table whether each form keeps its bound, shape (n_tables, n_forms)."""
    if rows.similar is not None:
        return _averages_meet_bounds(rows, sizes, positives)
    # A form is share * mean prediction in some strata - mean prediction in others, see `parity_limit`.
    one, other = (rows.forms > 0).astype(float), (rows.forms < 0).astype(float)
    share = np.maximum(rows.forms, 0.0) @ rows.strata.weights
    n_one, n_other = sizes @ one.T, sizes @ other.T
    gaps = share * (positives @ one.T) / np.maximum(n_one, 1) - (positives @ other.T) / np.maximum(n_other, 1)
    return (gaps <= rows.bounds + SLACK) | (n_one == 0) | (n_other == 0)


def _averages_meet_bounds(
    rows: GrowingRows, sizes: NDArray[np.int64], positives: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Say the same of averages over similar cases, among the strata where a new table has rows of both groups."""
    similar = require(rows.strata.points)[:, 0].astype(np.int64)
    held = np.ones((len(sizes), len(rows.bounds)), dtype=bool)
    for place, form in enumerate(rows.forms):
        gaps, people = np.zeros(len(sizes)), np.zeros(len(sizes))
        for stratum in np.unique(similar[form != 0]):
            one, other = (similar == stratum) & (form > 0), (similar == stratum) & (form < 0)
            n_one, n_other = sizes[:, one].sum(axis=1), sizes[:, other].sum(axis=1)
            own = np.where((n_one > 0) & (n_other > 0), n_one + n_other, 0)
            rates = [positives[:, each].sum(axis=1) / np.maximum(n, 1) for each, n in ((one, n_one), (other, n_other))]
            gaps += own * (rates[0] - rates[1])
            people += own
        held[:, place] = gaps <= (rows.bounds[place] + SLACK) * people
    return held


# Choose by cross-validation what equal rates are worth, and how much stricter than asked they are held.
#
# Labels of leaves that only just keep a constraint on the rows that are learned from break it on about every second new
# table. How much stricter they must be depends on how many rows of each group a new table has: by chance alone, what is
# held varies there with a standard deviation of::
#
#     s_k = sqrt( p (1 - p) * sum_i G_ki^2 ),      G_ki = what a positive prediction of row i of it adds to form k
#
# with p the share of positive labels. Margins of 0 to `MOST_DEVIATIONS` of the largest s_k are tried, with several
# prices and sizes of trees. Each is judged in held-out rows by its accuracy, and by how likely the constraint is to
# hold on a new table of that size, see `chance_of_keeping`.

WEIGHTS_TRIED: Final = (0.02, 0.2, 1.0)
"""The prices that are tried: those of the paper, `PUBLISHED_WEIGHTS`, in coarser steps."""

PUBLISHED_WEIGHTS: Final = tuple(step / 50 for step in range(1, 51))
"""The prices of Wang and others (2022), section 3.1: 0.02, 0.04, ... 1.00."""

MOST_DEVIATIONS: Final = 3.0
"""The largest margin that is tried, in standard deviations of what is held on a new table."""

N_MARGINS: Final = 7

SPLIT_WORTHS: Final = (0.0, 0.001, 0.003, 0.008)
"""The shares of rows that a split must be worth."""

WEIGHT_WITHOUT_TRIALS: Final = 0.1
"""The price where nothing could be tried."""

LIKELY: Final = 0.95
"""A constraint that is as likely as this to hold on a new table is taken to be safe."""

PRICE_OF_CHANCE: Final = 0.4
"""What accuracy is given for chance below: four points of accuracy for ten of chance."""

N_FOLDS: Final = 4

MOST_REPEATS: Final = 3

ENOUGH_ROWS: Final = 1000
"""Folds are redrawn until this many rows were held out, which small tables need."""

FEWEST_ROWS_OF_CLASS: Final = 12
"""With fewer rows of the smaller class, folds say too little."""


@dataclass(frozen=True)
class Trial:
    """One way to grow a tree."""

    growing: GrowingSettings
    # The mean share of right rows in the held-out folds.
    accuracy: float
    # How likely the constraint is to hold on a new table of the size of a fold.
    chance: ChanceToHold

    @property
    def rank(self) -> tuple[float, float]:
        """What is larger for the better of two: accuracy less the price of chance, then chance."""
        missing = max(LIKELY - self.chance.of_counted, 0.0)
        return round(self.accuracy - PRICE_OF_CHANCE * missing, 4), self.chance.of_all


def check_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the prices to be tried, each once, in ascending order."""
    try:
        found = np.unique(np.asarray(weights, dtype=np.float64))
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.size == 0 or not np.isfinite(found).all() or found[0] < 0:
        raise InputError(
            f"'weights_to_try' must be numbers of at least 0, at least one, got {list(weights)}.",
            hint="Try (0.02, 0.2, 1).",
        )
    return tuple(found.tolist())


def margins_to_try(rows: GrowingRows) -> tuple[float, ...]:
    """Return by how much stricter than asked a constraint is held in trials."""
    if not len(rows.bounds):
        return (0.0,)
    share = rows.counted(rows.labels, np.arange(rows.n_rows)).sum() / rows.total
    squares = rows.strata.weights
    if rows.weights is not None:
        squares = np.bincount(rows.strata.cells, rows.weights**2, rows.strata.n_cells)
    deviations = np.sqrt(N_FOLDS * share * (1 - share) * (rows.forms**2 @ squares))
    most = MOST_MARGIN if rows.constraint == "four_fifths" else float(rows.bounds.max())
    largest = min(MOST_DEVIATIONS * float(deviations.max()), most)
    return tuple(np.unique(np.linspace(0.0, largest, N_MARGINS)).tolist())


def settings_without_trials(rows: GrowingRows, growing: GrowingSettings) -> GrowingSettings:
    """Return how to grow without trials: with `WEIGHT_WITHOUT_TRIALS` and half the largest margin."""
    margins = margins_to_try(rows)
    return replace(growing, weight=WEIGHT_WITHOUT_TRIALS, margin=margins[len(margins) // 2], labels_only=True)


def notes_on_choice(chosen: Trial | None, n_rows: int) -> list[str]:
    """Return the notes on what held-out rows chose."""
    if chosen is None:
        return []
    often: dict[str, Argument] = {"share": Share(chosen.chance.of_all), "n": Count(n_rows // N_FOLDS)}
    return [say(Message("tree-note-chance", often))]


def iter_trials(
    rows: GrowingRows, growing: GrowingSettings, budget: Budget, weights: Sequence[float] = WEIGHTS_TRIED
) -> Searching[tuple[Trial, ...]]:
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
        part = _subset(rows, learn)
        share = budget.part(max(0.8 * budget.left / (len(folds) - place), 0.05))
        step = Progress("Trying how much equal rates should count", place, len(folds))
        grown, stopped = yield from iter_relay(iter_grown(part, plain, share), partial(_only_progress, step))
        if stopped or budget.is_over:
            return ()
        trees.append((part, grown, held_out))
    trials: list[Trial] = []
    for worth, weight in product(SPLIT_WORTHS if trees else (), weights):
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
    """The tree of a fold, whose leaves are labeled for one margin after the other."""

    part: GrowingRows
    tree: GrownTree
    leaf: NDArray[np.int64]
    where: NDArray[np.int64]
    values: dict[int, float] = field(default_factory=dict)
    accuracy: float = 0.0

    @classmethod
    def of(
        cls, rows: GrowingRows, here: GrowingSettings, part: GrowingRows, grown: GrownTree, where: NDArray[np.int64]
    ) -> Self:
        tree = pruned(part, here, grown)
        return cls(part, tree, rows.table.leaves(tree.splits, where), where)

    def held_out(self, rows: GrowingRows, here: GrowingSettings, budget: Budget) -> HeldOutPredictions:
        # The best labels for a smaller margin are the best for this one too, where they keep it.
        if not self.values or not self._keeps(here.margin):
            part = Budget(min(max(budget.left / 20, 0.2), 2.0), budget)
            self.values, _ = labels_of(self.part, here, self.tree, part)
        budget.spend(calls=20, elements=20 * (len(self.where) + self.part.n_rows))
        predicted = np.array([self.values[number] for number in self.leaf.tolist()])
        is_right = (predicted == rows.labels[self.where]).astype(float)
        self.accuracy = float(rows.counted(is_right, self.where).sum() / rows.size(self.where))
        cells, n_strata = rows.strata.cells[self.where], rows.strata.n_cells
        # Weighted rows say as much as fewer that count once (Kish).
        worth = 1.0 if rows.weights is None else rows.total / float((rows.weights**2).sum())
        sizes = worth * np.bincount(cells, rows.of(self.where), n_strata).astype(float)
        labels = set(self.values.values())
        constant_label = labels.pop() if len(labels) == 1 else None
        positives = worth * sums_by_code(cells, rows.counted(predicted, self.where), n_strata)
        return HeldOutPredictions(sizes, positives, constant_label)

    def _keeps(self, margin: float) -> bool:
        predicted = np.array([self.values[number] for number in self.tree.leaf.tolist()])
        held = self.part.form_values(predicted, np.arange(self.part.n_rows))
        return bool((held <= self.part.stricter(margin) + SLACK).all())


def _folds(rows: GrowingRows, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the places of learning and held-out rows: of each group and label the same share is held out."""
    if min(rows.labels.sum(), (1 - rows.labels).sum()) < FEWEST_ROWS_OF_CLASS or not len(rows.bounds):
        return []
    random, folds = np.random.default_rng(seed), []
    for _ in range(min(math.ceil(ENOUGH_ROWS / rows.n_rows), MOST_REPEATS)):
        shuffled = random.permutation(rows.n_rows)
        fold = np.empty(rows.n_rows, dtype=np.int64)
        fold[shuffled[np.argsort(rows.strata.cells[shuffled], kind="stable")]] = np.arange(rows.n_rows) % N_FOLDS
        folds += [(np.flatnonzero(fold != place), np.flatnonzero(fold == place)) for place in range(N_FOLDS)]
    return folds


def _subset(rows: GrowingRows, kept: NDArray[np.int64]) -> GrowingRows:
    table = CodedTable(rows.table.columns, tuple(codes[kept] for codes in rows.table.codes))
    labels, groups = rows.labels[kept], rows.groups[kept]
    similar = None if rows.similar is None else rows.similar[kept]
    asked = rows.group_names, rows.constraint, rows.difference
    return GrowingRows(table, labels, groups, *asked, rows.of(kept), similar)


def _only_progress(step: Progress, event: Event) -> Progress | None:
    return step if isinstance(event, Progress) else None


SHARE_OF_CHOICE: Final = 0.6
"""The share of the work for the choice by cross-validation, at most."""

SHARE_OF_QUICK_PASS: Final = 0.02
"""After a tree that took less than this share of the work, the next is grown even if it was no better than the last."""


@dataclass(frozen=True)
class LookaheadPass:
    """One tree that was grown, with the work until then."""

    look_ahead: int
    # Share of the allowed work done until it was ready.
    share: float
    objective: float
    # Rows of a node that were searched over, at most.
    sample_size: int


def iter_choice(
    rows: GrowingRows,
    growing: GrowingSettings,
    farthest: int,
    budget: Budget,
    weights: Sequence[float] = WEIGHTS_TRIED,
) -> Generator[Event, Command | None, tuple[GrowingSettings, tuple[Trial, ...], bool]]:
    """Choose by held-out rows: the weight, the margin, what splits must be worth and how far to look ahead.

    Unless how far is given, splits that do not look ahead are tried first, then more and more levels while that helps.
    """
    tried: tuple[Trial, ...] = ()
    stopped, chosen = False, settings_without_trials(rows, growing)
    ways = [replace(growing, look_ahead=look_ahead) for look_ahead in range(growing.look_ahead, farthest + 1)]
    if farthest > growing.look_ahead:
        ways.insert(0, replace(growing, look_ahead=1, is_greedy=True))
    for place, way in enumerate(ways):
        begun = budget.left
        trying = iter_trials(rows, way, budget, weights)
        start = 5 + 10 * place
        trials, stopped = yield from iter_stage(trying, start=start, end=start + 10)
        best = max(tried, key=lambda trial: trial.rank, default=None)
        tried += trials
        here = max(trials, key=lambda trial: trial.rank, default=None)
        is_better = here is not None and (best is None or here.rank > best.rank)
        chosen = require(here).growing if is_better else chosen
        # Looking farther takes several times as long.
        is_last = not way.is_greedy and (not is_better or budget.left < 4 * (begun - budget.left))
        if stopped or is_last:
            break
    return chosen, tried, stopped


def iter_passes(
    rows: GrowingRows, growing: GrowingSettings, farthest: int, budget: Budget, stopped: bool
) -> Generator[Event, Command | None, tuple[RepairedTree, list[LookaheadPass], str]]:
    """Grow trees with more and more look-ahead, while work is left and they get better.

    Where that reaches the depth of the tree, a sample of rows would decide about all of it: then the last is grown once
    more by all rows.
    """
    best: RepairedTree | None = None
    passes: list[LookaheadPass] = []
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
        tree = repaired(rows, here, smaller, Budget(min(MOST_LABELING_S, max(budget.left, 0.5)), budget))
        is_best = best is None or tree.objective < best.objective
        passes.append(LookaheadPass(here.look_ahead, budget.share, tree.objective, here.sample_size))
        if not grown.is_complete:
            ended = "stopped" if stopped else "work_limit"
        figures = {"objective": tree.objective, "bound": float("nan"), "share": budget.share}
        stopped = (yield Incumbent("tree", figures, best=is_best)) is STOP or stopped
        best = tree if is_best else best
        took = begun - budget.left
        # The next pass takes several times as long.
        if stopped or budget.left < 4 * took:
            break
        goes_on = is_best or took < SHARE_OF_QUICK_PASS * budget.limit
    return require(best), passes, "stopped" if stopped else ended


# A tree for large tables and greater depth, grown by looking a few levels ahead.

TASK: Final = "Growing a tree"


class LookaheadTreeClassifier(CertifiesAverages, TreeClassifier):
    """Grow a tree from the root, each split the first of the best subtree of a few levels, under a constraint.

    At each node all subtrees of K levels are compared by::

        share of wrong rows + a * splits - fairness_weight * F,      a = 1 / (2^(K+1) - 2) rows

    where F is by how much the rates of groups keep within what is allowed in the worst pair. The constraint must hold
    for the whole tree all the time, and at the end the labels of all leaves are chosen together. For tables of any
    size, and deeper trees than ``OptimalTreeClassifier`` can find; how far from the best one it is, is not known.

    Parameters
    ----------
    max_depth : int
        Splits on the way to a leaf, at most: 1 to 8.
    look_ahead : int or "adaptive"
        K, from 1 to 4. "adaptive" begins with 2 and goes on while work is left and the tree gets better. Where
        `fairness_weight` is "cv", held-out rows say what is better, and splits taken one by one, by Gini impurity, are
        among the ways that are tried.
    constraint : {"four_fifths", "demographic_parity", "equal_opportunity", "equalized_odds"}
        What must be alike: no share of positive predictions below 80 % of another; these shares; those among rows
        whose label is positive; those for either label.
    max_difference : float, optional
        How far these shares may be apart on the rows that are learned from, from 0 to 1. None means 0.05. For
        "four_fifths" it must be None.
    fairness_weight : float or "cv"
        beta, at least 0: what a larger F is worth. "cv" chooses it by cross-validation, with by how much stricter than
        asked the constraint is held, and what a split must be worth: what is most accurate in held-out rows, less 4
        points for each 10 points by which the constraint is less than 95 % likely to hold on a new table of a quarter
        of the rows. With fewer than 10 rows of a group there, its rates are mostly chance and do not count.
    weights_to_try : sequence of float, optional
        Those of `fairness_weight` that "cv" tries, each at least 0; 0.02, 0.2 and 1 by default. The paper's fifty are
        ``PUBLISHED_WEIGHTS`` of this module.
    sample_size : int
        Rows of a node that are searched over, at most; nodes below see all of theirs again. Where K reaches
        `max_depth`, so that nothing is below, all rows are searched over once more while work is left.
    min_leaf_size : int
        Rows of each leaf, at least.
    time_limit : float
        Seconds of work, counted and not timed, see the Notes; nodes that were not looked at then stay as they are.
    random_state : int, RandomState or None
        The seed, of samples and folds.
    certify_fraction : float
        Share of the rows that certify, by a test, that the limit holds on new people: at least 0 and below 1. Nothing
        is learned from them; trees within tighter limits share the work, and the most accurate certified one is kept.
    confidence : float
        The chance, over the draw of the certifying rows, with which the limit holds on new people.

    Attributes
    ----------
    tree_ : Tree
        The tree, with the rows and rates of each group in every node.
    status_ : {"gap", "work_limit", "stopped", "infeasible"}
        "gap": all nodes were looked at, which proves nothing about other trees; "infeasible": no labels were found
        with which the constraint holds.
    objective_ : float
        Share of wrong rows and the prices above, of the whole tree.
    bound_, gap_ : float
        NaN: nothing is proven.
    history_ : DataFrame
        "share" (of the work), "primal" (objective), "dual" (NaN) and "look_ahead" of each tree that was grown; 1 also
        where splits were taken by impurity.
    discrimination_ : Discrimination
        Indices and differences of the predictions for the rows that were learned from.
    fairness_weight_, margin_ : float
        beta as it was given or chosen, and by how much stricter than asked the constraint was held.
    trials_ : tuple of Trial
        What was tried to choose it: with accuracy in held-out rows, and how likely the constraint is to hold.
    method_ : "search"
        What searches the subtrees.
    n_splits_considered_ : int
        Cuts and levels that nodes choose from.
    notes_ : tuple of str
        What should be known, as sentences.
    certified_ : Certificate or None
        Whether the limit holds on new people; None where `certify_fraction` is 0.
    max_difference_ : float or None
        Within what difference this tree was grown; None for "four_fifths".
    classes_ : ndarray, shape (2,)
        The classes in order; shares are those of predicting the second.

    Notes
    -----
    The time limit is kept by counting work, whose unit takes about a second: a slower machine takes longer, and finds
    the same tree. Missing values and values never seen go right in every split. Columns that reveal the groups are not
    used. What holds on the rows that are learned from holds on others only roughly.

    References
    ----------
    Wang, Li and Wang (2022), "Synthesizing fair decision trees via iterative constraint solving", algorithm 4 and
    section 4. Errors and splits are counted in shares of rows; the rest of the tree counts
    in each node's constraint, which in the paper sees only the node's rows; and the whole tree is checked at the end.

    Examples
    --------
    >>> X = np.array([[1, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1], [7, 0], [8, 1]])
    >>> model = LookaheadTreeClassifier(2, random_state=0).fit(X, X[:, 0] > 4)
    >>> model.tree_.path(2), model.tree_.n_leaves
    ('x0 is at most 4', 2)
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "max_depth": [Interval(Integral, 1, DEEPEST, closed="both")],
        "look_ahead": [one_of(["adaptive"]), Interval(Integral, 1, FARTHEST, closed="both")],
        "constraint": [measures(CONSTRAINTS)],
        "max_difference": [SHARE, None],
        "fairness_weight": [one_of(["cv"]), NOT_NEGATIVE],
        "weights_to_try": ["array-like", None],
        "sample_size": [Interval(Integral, 2, None, closed="left")],
        "min_leaf_size": [COUNT],
        "time_limit": [POSITIVE],
        "random_state": ["random_state"],
        **CERTIFYING,
    }

    def __init__(
        self,
        max_depth: int = 6,
        *,
        look_ahead: int | str = "adaptive",
        constraint: str = "four_fifths",
        max_difference: float | None = None,
        fairness_weight: float | str = "cv",
        weights_to_try: Sequence[float] | None = None,
        sample_size: int = 8000,
        min_leaf_size: int = 1,
        time_limit: float = 600,
        random_state: Seed = None,
        certify_fraction: float = 0.0,
        confidence: float = 0.9,
    ):
        self.max_depth = max_depth
        self.look_ahead = look_ahead
        self.constraint = constraint
        self.max_difference = max_difference
        self.fairness_weight = fairness_weight
        self.weights_to_try = weights_to_try
        self.sample_size = sample_size
        self.min_leaf_size = min_leaf_size
        self.time_limit = time_limit
        self.random_state = random_state
        self.certify_fraction = certify_fraction
        self.confidence = confidence

    @documented(
        strata=STRATA,
        yields=(
            '``Incumbent("weight")`` with ``weight, margin, accuracy`` and ``chance`` for all that was '
            'tried, and ``Incumbent("tree")`` with ``objective, bound`` (NaN) and ``share`` for each '
            "tree. ``Finished.result`` is the classifier."
        ),
        raises={InputError: "If an argument breaks a rule."},
    )
    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
        strata: Groups = None,
    ) -> Generator[Event, Command | None, None]:
        """Grow the tree, yielding events; a stop keeps the best so far."""
        check_parameters(self, {"max_difference": DIFFERENCE_HINT})
        check_difference(self.must_be_alike, self.max_difference)
        tried = WEIGHTS_TRIED if self.weights_to_try is None else check_weights(self.weights_to_try)
        if self.certify_fraction:
            yield from self._iter_certified(
                X,
                y,
                sensitive_features=sensitive_features,
                sample_weight=sample_weight,
                population=population,
                limit=USUAL_DIFFERENCE if self.max_difference is None else float(self.max_difference),
                task=TASK,
                strata=strata,
            )
            return
        self.certified_, self.max_difference_ = None, self.max_difference
        weights = RowWeights.read(sample_weight, X).in_lowest_terms().as_single(type(self).__name__)
        X, y = weights.keep("X", X), weights.keep("y", y)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, labels = self._read(X, y)
        about = boolean_rows(weights.keep("population", population), len(labels), "population", default=True)
        grouping = group_rows(sensitive_features, len(labels)).among(about)
        similar = self._similar(strata, weights, about)
        budget = Budget(self.time_limit)
        stopped = (yield Started(TASK, TOTAL)) is STOP
        stopped = (yield Progress("Reading columns", 0, TOTAL)) is STOP or stopped
        read = self._rows(as_frame(frame), labels.astype(np.float64), grouping, weights.values, similar)
        rows, notes = read
        growing = GrowingSettings(
            max_depth=self.max_depth,
            look_ahead=min(2 if isinstance(self.look_ahead, str) else self.look_ahead, self.max_depth),
            weight=0.1 if self.fairness_weight == "cv" else float(self.fairness_weight),
            margin=0.0,
            sample_size=self.sample_size,
            min_leaf_size=self.min_leaf_size,
            seed=int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max)),
        )
        self.trials_: tuple[Trial, ...] = ()
        if self.fairness_weight == "cv" and not stopped:
            share = budget.part(SHARE_OF_CHOICE * budget.left)
            choosing = iter_choice(rows, growing, self._farthest(growing), share, tried)
            growing, self.trials_, stopped = yield from choosing
        farthest = growing.look_ahead if self.trials_ else self._farthest(growing)
        best, passes, ended = yield from iter_passes(rows, growing, farthest, budget, stopped)
        self._keep(as_frame(frame), labels.astype(np.float64), grouping, best, passes, ended, growing, rows, notes)
        yield Finished(self)

    def _rows(
        self,
        frame: pd.DataFrame,
        labels: Floats,
        grouping: Grouping,
        weights: Floats | None,
        similar: NDArray[np.int64] | None,
    ) -> tuple[GrowingRows, list[str]]:
        asked, revealing = require(self.must_be_alike), columns_that_reveal_groups(frame, grouping)
        notes = list(notes_on_groups(grouping, asked, labels))
        if similar is not None:
            averages = averages_of(asked, labels, grouping.codes, similar, grouping.n_groups, weights)
            for each in averages:
                each.check("the tree is learned from")
            notes += notes_on_strata(averages)
        if revealing:
            columns = Phrase(", ".join(map(quote, revealing)))
            notes.append(say(Message("tree-note-revealing", {"columns": columns})))
        table = CodedTable.read(frame, [name for name in frame.columns if name not in set(revealing)], weights)
        difference = USUAL_DIFFERENCE if self.max_difference is None else float(self.max_difference)
        groups = grouping.codes.astype(np.int64)
        names = names_of_groups(grouping)
        return GrowingRows(table, labels, groups, names, asked, difference, weights, similar), notes

    def _farthest(self, growing: GrowingSettings) -> int:
        return min(FARTHEST, self.max_depth) if self.look_ahead == "adaptive" else growing.look_ahead

    def _keep(
        self,
        frame: pd.DataFrame,
        labels: NDArray[np.float64],
        grouping: Grouping,
        best: RepairedTree,
        passes: list[LookaheadPass],
        ended: str,
        growing: GrowingSettings,
        rows: GrowingRows,
        notes: list[str],
    ) -> None:
        outcomes = [value_text(value) for value in self.classes_]
        self.tree_ = learned_tree(
            best.splits,
            best.values,
            frame,
            labels,
            rows.groups,
            group_names=rows.group_names,
            outcomes=outcomes,
            weights=rows.weights,
        )
        predicted = self.tree_.predict(frame)
        self.discrimination_ = discrimination_of(predicted, labels, grouping, "classification", weights=rows.weights)
        self.objective_, self.bound_, self.gap_ = best.objective, float("nan"), float("nan")
        self.status_, self.method_ = ended if best.meets_constraint else "infeasible", "search"
        self.fairness_weight_, self.margin_ = growing.weight, growing.margin
        self.history_ = pd.DataFrame(
            [(each.share, each.objective, float("nan"), each.look_ahead) for each in passes],
            columns=["share", "primal", "dual", "look_ahead"],
        )
        self.n_splits_considered_ = sum(len(column.points) for column in rows.table.columns)
        chosen = max(self.trials_, key=lambda trial: trial.rank, default=None)
        notes += notes_on_choice(chosen, len(frame)) if len(rows.bounds) else []
        self.notes_ = tuple(notes)
