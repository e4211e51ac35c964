"""How the score distributions were brought together.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting


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
        ``model, group, label, bin_low, bin_high, n, share`` on the held-out rows; model is "before" or "after".
    sweep : DataFrame
        ``accuracy_weight, accuracy, tpr_gap, fpr_gap, threshold`` on the tuning rows.
    stopped : bool
        Whether a person stopped the fit before its end.
    """

    loss_first: float = learned()
    loss_last: float = learned()
    n_iterations: int = setting()
    smoothing: float = setting()
    threshold: float = setting()
    distribution: pd.DataFrame = held_out()
    sweep: pd.DataFrame = learned()
    stopped: bool = setting(default=False)
