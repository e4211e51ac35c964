"""The rows that no model has seen, and the judgement on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE, Positive
from fairaudit.errors import InputError, quote
from fairaudit.estimators.base import boolean_rows
from fairaudit.estimators.constraints.polishing import WorseOffRate
from fairaudit.findings import REST as NOT_PROTECTED
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import controlled_from_counts
from fairaudit.measure.errors_by_group import check_positive, errors_from_counts
from fairaudit.measure.grouping import MISSING
from fairaudit.measure.rates import CELLS, binary_labels
from fairaudit.measure.results import ControlledFairness, ErrorComparison, Interval
from fairaudit.study.judging.changes import (
    RATES,
    UNDEFINED,
    Figure,
    Pair,
    beside_decisions,
    gap_change,
    group_change,
    performance,
    performance_changes,
    share_change,
    share_variance,
)
from fairaudit.study.judging.results import (
    MEASURES,
    BesideDecisions,
    Change,
    Evaluation,
    GroupChange,
    Judged,
    Measured,
)

PROTECTED, REST, OUTSIDE = range(3)
"""Where a row stands for the gap: protected, the rest, or not looked at."""

CODES = {"tn": 0, "fp": 1, "fn": 2, "tp": 3}
"""Cells as twice the label plus the prediction."""


@dataclass(frozen=True)
class JudgeWords:
    """What the held-out rows stand for, in words.

    Parameters
    ----------
    decision : str
        The decision column.
    favorable : str
        The condition of the good outcome.
    protected : str
        Who is protected, in words.
    protected_condition : str
        The same as a condition.
    where : str or None
        The filter of the population.
    positive_meaning : str
        The outcome that is called positive, in words.
    """

    decision: str = "decision"
    favorable: str = "the favourable result"
    protected: str = "the protected group"
    protected_condition: str = "protected"
    where: str | None = None
    positive_meaning: str = "the favourable result"


class HeldOut:
    """The held-out rows: they know the outcomes and judge every model alike.

    Parameters
    ----------
    y : array_like of bool or 0/1, shape (n,)
        1 where the outcome is good.
    protected : array_like of bool, shape (n,), optional
        Who is protected. None means nobody.
    population : array_like of bool, shape (n,), optional
        Who is looked at for the gap between the protected group and the rest. None means all.
    groups : array_like of str, shape (n,), optional
        The group of each row, for the other gaps. None means one group.
    group_names : sequence of str, optional
        The order of the groups; without it they ascend, with ``"missing"`` last. A group without rows is left out.
    names : JudgeWords
        What all this stands for.
    tolerance : float
        The largest gap between the protected group and the rest that still counts as alike, between 0 and 1.
    confidence : float
        Of the intervals, 0.5 or above and below 1.
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive in error rates.

    Raises
    ------
    InputError
        If lengths differ, a value is missing or of another kind, or a setting is out of range.

    Notes
    -----
    All intervals cover the draw of the held-out rows: other rows from the same source would give other figures. The
    model is taken as it is. What another draw of the rows that it *learned* from would change is not in them, nor is a
    drift of the source.

    Examples
    --------
    >>> held_out = HeldOut([1, 0, 1, 0], protected=[1, 1, 0, 0], groups=list("aabb"))
    >>> evaluation = held_out.evaluate("a model", [1, 0, 1, 1])
    >>> evaluation.measure("accuracy").value, evaluation.measure("gap").value
    (0.75, 0.5)
    """

    def __init__(
        self,
        y: ArrayLike,
        *,
        protected: ArrayLike | None = None,
        population: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        group_names: Sequence[str] | None = None,
        names: JudgeWords = JudgeWords(),
        tolerance: float = USUAL_TOLERANCE,
        confidence: float = USUAL_CONFIDENCE,
        positive: Positive = "favorable",
    ):
        check_settings(tolerance, confidence)
        check_positive(positive)
        self.words, self.tolerance, self.confidence, self.positive = names, tolerance, confidence, positive
        self._y = binary_labels(y, "y")
        n = len(self._y)
        if n == 0:
            raise InputError("There must be at least one test case, got 0.", hint="Bring more rows.")
        self._protected = boolean_rows(protected, n, "protected", default=False)
        in_population = boolean_rows(population, n, "population", default=True)
        self._standing = np.where(in_population, np.where(self._protected, PROTECTED, REST), OUTSIDE)
        self._group, self.groups = _read_groups(groups, group_names, n)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self._y)

    @property
    def settings(self) -> dict[str, Any]:
        """What rows of another division are judged with, too."""
        return {
            "names": self.words,
            "tolerance": self.tolerance,
            "confidence": self.confidence,
            "positive": self.positive,
        }

    @property
    def people(self) -> pd.DataFrame:
        """Who each row is, and whether the outcome is good."""
        who = {"group": np.array(self.groups, dtype=object)[self._group], "protected": self._protected}
        return pd.DataFrame({**who, "inside": self._standing != OUTSIDE, "good": self._y == 1})

    def decisions(self) -> ControlledFairness:
        """Return how alike the true outcomes of the protected group and the rest are."""
        return self._fairness(self._y)

    def evaluate(
        self, name: str, prediction: NDArray[np.int64], score: NDArray[np.float64] | None = None
    ) -> Evaluation:
        """Judge one model.

        Shapes: `prediction` (n,), `score` (n,).

        Notes
        -----
        A rate of a group is compared where it is a share of at least 30 rows; the warnings of ``errors`` name those
        that are left out. Of many groups the largest gap is larger than it truly is by chance alone, and no interval
        here takes that off.
        """
        judged = self._read(Judged(prediction, score))
        return Evaluation(name, self.n, *self._measured(judged), judged.prediction)

    def changes(
        self, before: Judged, after: Judged, pairs: Mapping[str, Pair] = MappingProxyType({})
    ) -> tuple[Change, ...]:
        """Compare two models row by row.

        Parameters
        ----------
        before, after : Judged
            What either model says.
        pairs : mapping of str to pair of str
            The two groups of each gap between groups, chosen on other rows. Of two groups in all, these two; a gap
            between more without a pair is NaN.

        Notes
        -----
        Both models are judged on the same rows, and the intervals make use of it: they are narrower than two separate
        intervals suggest. Accuracy: :func:`~fairaudit.study.judging.changes.share_difference`; balanced accuracy: the
        same in each class, by square and add; area under the ROC curve: DeLong's paired interval, NaN unless both have
        scores for the same rows, and from 0 to 0 where both rank all rows alike. Gaps:
        :func:`~fairaudit.study.judging.changes.gap_change`, with a sign: a model that turns a gap of -0.1
        into one of 0.1 changes it by 0.2.
        """
        one, other = self._read(before), self._read(after)
        found = {
            name: Change(name, was, is_now, is_now - was, interval)
            for name, (was, is_now, interval) in performance_changes(self._y, one, other, self.confidence).items()
        }
        inside, outside = (self._cells(self._standing == side, one, other) for side in (PROTECTED, REST))
        found["gap"] = gap_change("gap", (self.words.protected, NOT_PROTECTED), (inside, outside), self.confidence)
        turned = [Judged(self._turned(each.prediction)) for each in (one, other)]
        both = (self.groups[0], self.groups[1]) if len(self.groups) == 2 else None
        for gap in RATES:
            pair = pairs.get(gap, both)
            if pair is None or not set(pair) <= set(self.groups):
                found[gap] = Change(gap, np.nan, np.nan, np.nan, UNDEFINED)
                continue
            first, second = (self._cells(self._group == self.groups.index(name), *turned) for name in pair)
            found[gap] = gap_change(gap, pair, (first, second), self.confidence)
        return tuple(found[name] for name in MEASURES if name in found)

    def beside_decisions(self, model: Judged) -> BesideDecisions | None:
        """Compare a model with the decisions row by row: how many get the good outcome, and how wide the gap is."""
        given = self._read(Judged(model.prediction)).prediction
        sides = (self._standing == PROTECTED, self._standing == REST)
        values = (self._y.astype(float), given.astype(float))
        return beside_decisions(*values, sides, self.confidence, share_variance, most=1.0)

    def accuracy_change(self, before: Judged, after: Judged) -> Change:
        """Compare how often two models are right, row by row; the same as in :meth:`changes`."""
        was, is_now = (self._read(Judged(each.prediction)).prediction == self._y for each in (before, after))
        difference, interval = share_change(was, is_now, self.confidence)
        return Change("accuracy", float(was.mean()), float(is_now.mean()), difference, interval)

    def group_changes(self, before: Judged, after: Judged, rates: Sequence[WorseOffRate]) -> tuple[GroupChange, ...]:
        """Return how rates of groups changed; those of a metric that a user made are left out."""
        turned = [Judged(self._turned(self._read(each).prediction)) for each in (before, after)]
        found = []
        for rate in rates:
            inside = np.zeros(self.n, dtype=bool)
            inside[rate.rows] = True
            cells = self._cells(inside, *turned)
            found.append(group_change(rate, cells, self.confidence, positive_is_good=self.positive == "favorable"))
        return tuple(change for change in found if change is not None)

    def _read(self, judged: Judged) -> Judged:
        prediction = binary_labels(judged.prediction, "prediction")
        if len(prediction) != self.n:
            raise InputError(f"'prediction' must have {self.n:,} rows like the test cases, got {len(prediction):,}.")
        if judged.score is None:
            return Judged(prediction)
        score = np.asarray(judged.score, dtype=float)
        if score.shape != (self.n,):
            raise InputError(f"'score' must have one number for each of {self.n:,} rows, got the shape {score.shape}.")
        return Judged(prediction, score)

    def _measured(self, judged: Judged) -> tuple[tuple[Measured, ...], ErrorComparison, ControlledFairness]:
        errors, fairness = self._errors(judged.prediction), self._fairness(judged.prediction)
        found = performance(self._y, judged, self.confidence)
        found["gap"] = (abs(fairness.difference), _folded(fairness.difference_interval))
        for measure, rate in RATES.items():
            gap = errors.gaps.loc[rate]
            interval = Interval(max(float(gap["low"]), 0.0), float(gap["high"]))
            found[measure] = (float(gap["difference"]), interval)
        found["odds_gap"] = _larger(found["tpr_gap"], found["fpr_gap"])
        return tuple(Measured(name, *found[name]) for name in MEASURES), errors, fairness

    def _turned(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        return values if self.positive == "favorable" else 1 - values

    def _cells(self, rows: NDArray[np.bool_], before: Judged, after: Judged) -> NDArray[np.int64]:
        """Count some rows by label and both predictions."""
        codes = self._turned(self._y) * 4 + before.prediction * 2 + after.prediction
        return np.bincount(codes[rows], minlength=8)

    def _errors(self, prediction: NDArray[np.int64]) -> ErrorComparison:
        counts = counts_by_group(self._group, self.groups, self._turned(self._y), self._turned(prediction))
        return errors_from_counts(
            counts.assign(unknown=0),
            positive=self.positive,
            positive_meaning=self.words.positive_meaning,
            where=None,
            confidence=self.confidence,
        )

    def _fairness(self, outcome: NDArray[np.int64]) -> ControlledFairness:
        sides = []
        for standing in (PROTECTED, REST):
            rows = outcome[self._standing == standing]
            sides.append({"n": len(rows), "positives": int(rows.sum()), "undecided": 0})
        return controlled_from_counts(
            *sides,
            unknown=0,
            n_rows=self.n,
            protected=self.words.protected,
            protected_condition=self.words.protected_condition,
            decision=self.words.decision,
            favorable=self.words.favorable,
            where=self.words.where,
            tolerance=self.tolerance,
            confidence=self.confidence,
        )


def counts_by_group(
    codes: NDArray[np.int64], names: Sequence[str], y: NDArray[np.int64], prediction: NDArray[np.int64]
) -> pd.DataFrame:
    """Count the cells of the confusion table of each group.

    Shapes: `codes` (n,), `y` (n,), `prediction` (n,). Columns: group, tp, fp, tn, fn.
    """
    cells = np.bincount((codes * 2 + y) * 2 + prediction, minlength=4 * len(names)).reshape(-1, 4)
    return pd.DataFrame({"group": list(names)} | {cell: cells[:, CODES[cell]] for cell in CELLS})


def _larger(first: Figure, second: Figure) -> Figure:
    """Return the larger of two gaps with its interval; NaN where one is."""
    return first if np.isnan(first[0]) or first[0] > second[0] else second


def _folded(gap: Interval) -> Interval:
    """Return the interval of a gap without its sign."""
    ends = sorted((abs(gap.low), abs(gap.high)))
    return Interval(0.0 if gap.low < 0 < gap.high else ends[0], ends[1])


def _read_groups(groups: object, order: Sequence[str] | None, n: int) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return the place of each row's group, and the groups that have rows."""
    if groups is None:
        groups = np.full(n, "all", dtype=object)
    labels = np.asarray(groups, dtype=object)
    if labels.shape != (n,):
        raise InputError(f"'groups' must have one name for each of {n:,} rows, got the shape {labels.shape}.")
    if pd.isna(labels).any():
        raise InputError("'groups' must have no missing values.", hint=f'Give such rows a group "{MISSING}".')
    codes, names = pd.factorize(labels)
    if order is None:
        order = sorted(names, key=lambda name: (name == MISSING, str(name)))
    unnamed = [name for name in names if name not in set(order)]
    if unnamed:
        raise InputError(f"'group_names' must hold every group, {quote(unnamed[0])} is missing.")
    found = dict(zip(names, range(len(names)), strict=True))
    kept = [name for name in dict.fromkeys(order) if name in found]
    place = np.empty(len(names), dtype=np.int64)
    place[[found[name] for name in kept]] = np.arange(len(kept))
    return place[codes], tuple(str(name) for name in kept)
