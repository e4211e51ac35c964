"""The thresholds of each group, and what they came to on the tuning rows.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import learned, setting


@dataclass(frozen=True, eq=False)
class ThresholdDetails:
    """The thresholds of each group and where they put it, on the tuning rows.

    Parameters
    ----------
    thresholds : DataFrame
        ``group, before, after, tpr_before, fpr_before, tpr_after, fpr_after, n_positive, n_negative``; thresholds in
        the numbers of the score, as the data have it.
    roc : DataFrame
        ``group, threshold, fpr, tpr``, thinned for drawing.
    sweep : DataFrame
        ``fairness_weight, accuracy, gap``: the exact optimum at other weights; the weight multiplies the gap.
    objective, optimal_objective : float
        Accuracy minus weighted gaps at the thresholds used, and at the exact optimum.
    accuracy, gap : float
        The two parts of `objective`.
    stopped : bool
        Whether a person stopped the search before its end.
    turned : bool
        Whether a lower score is better: the good outcome is predicted up to a threshold then, not from it on.
    """

    thresholds: pd.DataFrame = learned()
    roc: pd.DataFrame = learned()
    sweep: pd.DataFrame = learned()
    objective: float = learned()
    optimal_objective: float = learned()
    accuracy: float = learned()
    gap: float = learned()
    stopped: bool = setting(default=False)
    turned: bool = setting(default=False)
