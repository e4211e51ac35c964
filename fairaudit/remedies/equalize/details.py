"""How the score distributions were brought together.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting
from fairaudit.measure.plain import Hideable, columns

DISTRIBUTION = columns(
    model=(Literal["before", "after"], "Without or with the remedy."),
    group=(str, "The group."),
    label=(int, "1: truly positive."),
    bin_low=(float, "Lower end of the bin."),
    bin_high=(float, "Upper end."),
    n=(Hideable[int], "Rows."),
    share=(float, "Share of the group's rows with this label."),
)

SWEEP = columns(
    accuracy_weight=(float, "Weight of accuracy."),
    accuracy=(float, "Accuracy."),
    tpr_gap=(float, "Gap in true positive rates."),
    fpr_gap=(float, "Gap in false positive rates."),
    threshold=(float, "The threshold there."),
)


@dataclass(frozen=True, eq=False)
class EqualizeDetails:
    """How the score distributions were brought together.

    Parameters
    ----------
    loss_first, loss_last : float
        The loss where the fit began and where it ended.
    n_iterations : int
        Steps taken.
    smoothing : float
        The spread of the soft histogram.
    threshold : float
        The one threshold, chosen on the tuning rows.
    distribution : DataFrame
        One row for each model, group, label and bin of scores, on the held-out rows.
    sweep : DataFrame
        One row for each other weight, on the tuning rows.
    stopped : bool
        Whether a person stopped the fit before its end.
    """

    loss_first: float = learned()
    loss_last: float = learned()
    n_iterations: int = setting()
    smoothing: float = setting()
    threshold: float = learned()
    distribution: pd.DataFrame = held_out(DISTRIBUTION)
    sweep: pd.DataFrame = learned(SWEEP)
    stopped: bool = setting(default=False)
