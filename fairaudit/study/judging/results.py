"""What a judgement on held-out rows holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.disclosure.fields import AS_ABOVE, column, columns, figure, never, setting
from fairaudit.errors import InputError
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import ControlledFairness, ErrorComparison, Interval

MEASURES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "auc": "area under the ROC curve",
    "gap": "gap between the two groups",
    "selection_gap": "largest gap in favourable predictions",
    "tpr_gap": "largest gap in true positive rates",
    "fpr_gap": "largest gap in false positive rates",
    "odds_gap": "larger of the gaps in true and false positive rates",
    "fdr_gap": "largest gap in false discovery rates",
    "for_gap": "largest gap in false omission rates",
}
"""The figures that models are compared on, in words. The first three are better when higher, gaps when lower."""

GOOD = ("accuracy", "balanced_accuracy", "auc")
"""Measures of how well a model does; the others are gaps between groups."""

Standing = Literal["worse off", "not worse off", "cannot tell", "too few rows"]

WORSE: Final = "worse off"
NOT_WORSE: Final = "not worse off"
CANNOT_TELL: Final = "cannot tell"
TOO_FEW: Final = "too few rows"

HIT: Final = (
    "The groups that what it predicts hits most: one half of the test cases was searched, the other judged. None where "
    "that was not asked, the cases were too few, or small counts are hidden."
)
"""What the search of predictions is."""

DIVISIONS = columns(
    division=column(
        int,
        "Which repeat; 1: the one of all other figures.",
        "repeat",
        "number",
        "1: the one of all other figures.",
        digits=0,
    ),
    measure=column(str, "Which figure; a gap is of the same two groups throughout.", "field", "code", "Which figure."),
    before=column(
        float,
        "Without the remedy, on its test cases.",
        "without the remedy",
        "number",
    ),
    after=column(float, "With it.", "with the remedy", "number", "With the remedy, on the same cases."),
    difference=column(float, "After minus before.", "change", "difference", name="change"),
)
"""The columns of what a remedy changed on each division of the rows."""

STRATA = columns(
    stratum=column(str, "The values that make it.", "stratum", "group"),
    n_protected=column(Hideable[int], "Test cases of the protected group.", "cases, protected", "count"),
    n_rest=column(Hideable[int], "Test cases of everyone else.", "cases, others", "count"),
    decisions=column(
        float, "The gap of past decisions.", "decisions", "points", "Protected minus others, in fact.", turns=True
    ),
    before=column(
        float, "The gap without the remedy.", "without the remedy", "points", "Without the remedy.", turns=True
    ),
    after=column(float, "The gap with it.", "with the remedy", "points", "The same with the remedy.", turns=True),
    after_low=column(
        float, "Lower end of its range.", "range with the remedy", "points_interval", "Of that gap.", turns=True
    ),
    after_high=column(float, "Upper end."),
)
"""The columns of gaps inside strata."""


@dataclass(frozen=True, eq=False, repr=False)
class Judged:
    """What a model says about the held-out rows.

    Parameters
    ----------
    prediction : array_like of bool or 0/1, shape (n,)
        1 where the good outcome is predicted.
    score : array_like of float, shape (n,), optional
        Higher speaks for the good outcome; NaN where a row has none.
    """

    prediction: NDArray[np.int64]
    score: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Measured:
    """One figure of a model on held-out rows."""

    measure: str = setting("A key of `MEASURES`.")
    value: float = figure("Between 0 and 1: gaps are without a sign. NaN where undefined.")
    interval: Interval = figure("Of the value; NaN where undefined.")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How a model does on the held-out rows."""

    name: str = setting("The model, in words.")
    n: Hideable[int] = figure("Held-out rows.")
    measures: tuple[Measured, ...] = figure("In the order of `MEASURES`.")
    errors: ErrorComparison = figure("Counts, rates and gaps by group, with intervals.")
    fairness: ControlledFairness = figure(
        "The predictions of the protected group against those of the rest, in the filtered population."
    )
    prediction: NDArray[np.int64] | None = never(
        "1 where the good outcome is predicted, shape (n,).", in_json=False, default=None
    )

    @property
    def compared(self) -> ControlledFairness:
        """What it predicts for both groups, where shares are compared."""
        return self.fairness

    @property
    def performance(self) -> float:
        """How often it is right."""
        return self.measure("accuracy").value

    def measure(self, name: str) -> Measured:
        """Return one figure."""
        return measure_of(self.measures, name)


def measure_of(measures: tuple[Measured, ...], name: str) -> Measured:
    """Return one of several figures."""
    return next(measured for measured in measures if measured.measure == name)


@dataclass(frozen=True)
class Change:
    """One figure of two models on the same held-out rows."""

    measure: str = setting("A key of `MEASURES`.", label="field", kind="code", brief="Which figure.")
    before: float = figure(
        "Its value for either model; that of a gap is the rate of the first group minus that of the second.",
        label="without the remedy",
        brief="Without the remedy, on the test cases.",
    )
    after: float = figure(AS_ABOVE, label="with the remedy", brief="With the remedy, on the same cases.")
    difference: float = figure(
        "After minus before.", label="change, points", kind="points", brief="After minus before.", name="change"
    )
    interval: Interval = figure(
        "Of the difference, from rows that both models were judged on (paired).",
        label="range",
        kind="points_interval",
        brief="Of the change; both on the same cases.",
        name="change_interval",
    )
    first: str | None = figure(
        "The two groups of a gap: the protected group and the rest, or the two that the model before left "
        "furthest apart on the rows that were learned from. None for a measure that is no gap.",
        default=None,
    )
    second: str | None = figure(AS_ABOVE, default=None)


@dataclass(frozen=True)
class GroupChange:
    """A rate of one group without and with a remedy, on the same held-out rows."""

    rate: str = setting(
        'Which rate: "good_outcomes", or the metric as a constraint names it.',
        label="field",
        kind="code",
        brief="Which rate.",
    )
    rate_words: str = setting("The same in words.", label="rate", kind="text", brief="The same in words.")
    group: str = figure("The group.", label="group", kind="group", brief="The group.")
    more_is_better: bool = setting(
        "Whether the group is worse off where the rate falls; else where it rises.",
        label="better",
        kind="text",
        brief="Whether more or less of it is better.",
        name="better",
    )
    n: Hideable[int] = figure(
        "Held-out rows of the group that the rate is a share of; of both models the fewer.",
        label="cases",
        kind="count",
        brief="Test cases of the group that the rate is a share of.",
    )
    before: float = figure(
        "The rate without and with the remedy. NaN where it is a share of fewer than 30 rows.",
        label="without the remedy",
        kind="share",
        brief="Without the remedy.",
    )
    after: float = figure(AS_ABOVE, label="with the remedy", kind="share", brief="With the remedy, on the same cases.")
    difference: float = figure(
        "After minus before.", label="change, points", kind="points", brief="After minus before.", name="change"
    )
    interval: Interval = figure(
        "Of the difference, from rows that both models were judged on (paired).",
        label="range",
        kind="points_interval",
        brief="Of the change; both on the same cases.",
        name="change_interval",
    )
    n_lost: Hideable[int] = figure(
        "Rows of the group for which the remedy is worse; where the rate is a share of other rows before and "
        "after, those for which it predicts otherwise.",
        label="fare worse",
        kind="count",
        brief="Cases of the group for which the remedy is worse.",
        name="lost",
    )
    standing: Hideable[Standing] = figure(
        '"worse off" where the whole interval is on the worse side of zero, "not worse off" where none of it is '
        "or no row was lost.",
        label="reading",
        kind="text",
        brief="Whether the group is worse off.",
    )


@dataclass(frozen=True)
class WorseOff:
    """Whether a remedy leaves a group worse off than it was without it."""

    asked: bool = setting("Whether the remedy was to leave no group worse off.")
    kept: Hideable[bool | None] = figure(
        "Whether it leaves none worse off on the tuning rows, where that was chosen; None where it was not asked."
    )
    groups: tuple[GroupChange, ...] = figure(
        "One for each rate that the remedy is about and each group; empty where small counts are hidden."
    )

    @property
    def standing(self) -> Standing | None:
        """What can be said of all groups together; None where nothing can be said, or it is hidden."""
        found = {group.standing for group in self.groups}
        if not found or None in found:
            return None
        return WORSE if WORSE in found else NOT_WORSE if found == {NOT_WORSE} else CANNOT_TELL


@dataclass(frozen=True)
class BesideDecisions:
    """How far a model is from the decisions on the same held-out rows: paired intervals, model minus decisions."""

    compared: Interval = figure(
        "Of the share with the good outcome, or of the mean amount: among all rows compared, and in either group."
    )
    protected: Interval = figure(AS_ABOVE)
    rest: Interval = figure(AS_ABOVE)
    gap: Interval = figure("Of the size of the gap between the groups, whichever way it points in either.")


@dataclass(frozen=True, eq=False)
class WithinStrata:
    """The gap between the protected group and the rest inside strata, without and with a remedy, on held-out rows.

    A gap is that of the protected group minus that of the rest, on average over the strata, as in
    :func:`fairaudit.check_strata`; of amounts, it is a difference of means in their unit.
    """

    columns: tuple[str, ...] = setting("The columns that make the strata.")
    cut: tuple[str, ...] = setting("Those of them that are cut into bands.")
    decisions: float = figure(
        "The gap of the decisions, without the remedy and with it. NaN where no stratum has rows of both groups."
    )
    before: float = figure(AS_ABOVE)
    after: float = figure(AS_ABOVE)
    decisions_interval: Interval = figure("Of each.")
    before_interval: Interval = figure(AS_ABOVE)
    after_interval: Interval = figure(AS_ABOVE)
    change: float = figure(
        "By how much the gap with the remedy differs from that of the decisions or, where these are what truly "
        "happened, from that without the remedy."
    )
    change_interval: Interval = figure("Of that, from rows that have both (paired).")
    tolerance: float = figure("The largest gap that still counts as alike.")
    strata: pd.DataFrame = figure("One row for each stratum that has rows of both groups.", STRATA)


@dataclass(frozen=True, eq=False)
class Yardstick:
    """A simple rule, judged on the same held-out rows as the remedy beside it."""

    kind: str = setting(
        "The same answer for everybody, a model without a remedy, that model with another threshold for all, or "
        "with one for each group; closer ones keep to the gaps of the remedy, which they are ahead of.",
        label="field",
        kind="code",
        brief="Which rule.",
    )
    name: str = setting("The same in words.", label="simple rule", name="answer")
    limit: Hideable[str] = figure(
        "What the remedy is to keep alike on the tuning rows or, where it does not, its own gaps there; in words."
    )
    keeps_limit: Hideable[bool] = figure(
        "Whether it keeps to that.",
        label="keeps the limit when tuned",
        brief="On the tuning cases, by which it is chosen.",
    )
    is_best: bool = setting(
        "Whether of those that do it is right most often on the tuning rows.",
        label="best when tuned",
        brief="yes: of those within the limit right most often.",
        name="best",
    )
    is_ahead: Hideable[bool] = figure(
        "Whether on the tuning rows it is right more often than the remedy, with no larger gap.",
        label="ahead when tuned",
        brief="yes: right more often than the remedy, with no larger gap.",
        name="ahead",
    )
    measures: tuple[Measured, ...] = figure("In the order of `MEASURES`.")
    fairness: ControlledFairness = figure(
        "Its predictions of the protected group against those of the rest, in the filtered population."
    )
    change: Change = figure("Of accuracy, from it to the remedy.")
    threshold: float | None = figure(
        "From it on the good outcome is predicted; None where there is none, or one for each group.",
        label="threshold",
        kind="number",
        brief="The favourable result is predicted from it on.",
        digits=3,
        default=None,
    )
    learner: str | None = setting(
        "What was fitted, as in a plan of a plain model that has this threshold; None where it is none.", default=None
    )
    evaluation: Evaluation | None = never("All of its figures by group; in no export.", default=None)
    holds_in_test: Hideable[bool] | None = figure(
        "Whether on the held-out rows its gaps are within the limit and no larger than the remedy's.",
        default=None,
        in_json=False,
    )

    def measure(self, name: str) -> Measured:
        """Return one figure."""
        return measure_of(self.measures, name)


def non_dominated(points: Iterable[tuple[float, float]]) -> NDArray[np.bool_]:
    """Say which points no other point dominates.

    A point dominates another when its x is no lower and its y is no higher, and one of the two is better.

    Shapes: returns (n,).

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> non_dominated([(0.8, 0.10), (0.7, 0.02), (0.7, 0.10), (0.8, 0.10)]).tolist()
    [True, True, False, True]
    """
    array = np.asarray(list(points), dtype=float)
    if array.size == 0:
        return np.zeros(0, dtype=bool)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"'points' must be pairs of numbers, got the shape {array.shape}.")
    x, y = array.T
    known = np.flatnonzero(~np.isnan(array).any(axis=1))
    order = known[np.lexsort((y[known], -x[known]))]
    # From the highest x down, a point stays when its y is below that of all points with a higher x and the lowest
    # among those with the same x.
    kept = np.zeros(len(array), dtype=bool)
    best, x_of_best = np.inf, np.nan
    for i in order:
        if y[i] < best or (y[i] == best and x[i] == x_of_best) or x_of_best != x_of_best:
            kept[i], best, x_of_best = True, y[i], x[i]
    return kept
