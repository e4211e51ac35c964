"""What relabelling did to the rows that the final model learned from.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting
from fairaudit.measure.plain import Hideable, columns

FLIPPED = columns(
    group=(str, "The group: protected or reference."),
    label=(int, "The decision before any was changed; 1: good."),
    n=(Hideable[int], "Rows."),
    n_flipped=(Hideable[int], "Decisions changed."),
)


@dataclass(frozen=True, eq=False)
class RelabelDetails:
    """What was changed in the decisions that the second model learned from (not held out).

    Parameters
    ----------
    n_risk, n_relabeled : int
        Rows the first model learned from; rows whose decisions could be changed.
    n_protected, n_reference : int
        Of the latter, protected and reference rows in the population.
    n_flipped : int
        Labels that the algorithm changed; all of protected rows.
    direction : {"raised", "lowered", "none"}
        What happened to the protected group's share of good outcomes.
    risk_shift : float
        Subtracted from the protected rows' risk scores (``risk_adjustment``); 0 where there was no shift.
    gap_before, gap_after : float
        Protected minus reference in the share of good labels, before and after.
    flipped : DataFrame
        One row for each group and label: the protected and reference rows in the population.
    n_epochs : int, optional
        Rounds through the rows that the final model took.
    stopped : bool
        Whether a person stopped the fit before its end.
    weight_ratio : float
        The weight of a protected row with the good label over one with the bad label in the final fit; 1 where they
        were not weighed.
    threshold : float, optional
        The final model predicts the good outcome from this score on, chosen so that no group is worse off; None where
        that was not asked.
    """

    n_risk: int = learned()
    n_relabeled: int = learned()
    n_protected: int = learned()
    n_reference: int = learned()
    n_flipped: int = learned()
    direction: str = held_out()
    risk_shift: float = learned()
    gap_before: float = learned()
    gap_after: float = learned()
    flipped: pd.DataFrame = learned(FLIPPED)
    n_epochs: int | None = setting(default=None)
    stopped: bool = setting(default=False)
    weight_ratio: float = learned(default=1.0)
    threshold: float | None = learned(default=None)
