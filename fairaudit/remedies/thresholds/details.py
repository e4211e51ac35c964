"""The thresholds of each group, and what they came to on the tuning rows.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import learned, setting
from fairaudit.measure.plain import Hideable, columns

NOTHING_MISSING = 0.00005
"""Less than this is as good as the best."""

THRESHOLDS = columns(
    group=(str, "The group."),
    before=(float, "Threshold without the remedy, in the numbers of the score, as the data have it."),
    after=(float, "Threshold with it."),
    tpr_before=(float, "True positive rate before."),
    fpr_before=(float, "False positive rate before."),
    tpr_after=(float, "True positive rate after."),
    fpr_after=(float, "False positive rate after."),
    n_positive=(Hideable[int], "Truly positive rows."),
    n_negative=(Hideable[int], "Truly negative rows."),
)

ROC = columns(
    group=(str, "The group."),
    threshold=(float, "The threshold; NaN above all scores."),
    fpr=(float, "False positive rate."),
    tpr=(float, "True positive rate."),
)

SWEEP = columns(
    fairness_weight=(float, "What the gap is multiplied with."),
    accuracy=(float, "Accuracy."),
    gap=(float, "Sum of the gaps."),
)


@dataclass(frozen=True, eq=False)
class ThresholdDetails:
    """The thresholds of each group and where they put it, on the tuning rows.

    Parameters
    ----------
    thresholds : DataFrame
        One row for each group.
    roc : DataFrame
        The ROC curve of each group, thinned for drawing.
    sweep : DataFrame
        One row for each other weight: the exact optimum there.
    objective, optimal_objective : float
        Accuracy minus weighted gaps at the thresholds used, and at the exact optimum.
    accuracy, gap : float
        The two parts of `objective`.
    stopped : bool
        Whether a person stopped the search before its end.
    turned : bool
        Whether a lower score is better: the good outcome is predicted up to a threshold then, not from it on.
    """

    thresholds: pd.DataFrame = learned(THRESHOLDS)
    roc: pd.DataFrame = learned(ROC)
    sweep: pd.DataFrame = learned(SWEEP)
    objective: float = learned()
    optimal_objective: float = learned()
    accuracy: float = learned()
    gap: float = learned()
    stopped: bool = setting(default=False)
    turned: bool = setting(default=False)
