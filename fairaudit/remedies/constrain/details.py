"""How a model was trained to meet constraints, and whether it does.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting
from fairaudit.measure.plain import Hideable, columns
from fairaudit.remedies.shared.gap_columns import Reading

PAIRS = columns(
    spec=(str, "The constraint as text."),
    metric=(str, "Its metric."),
    metric_words=(str, "The metric in words."),
    first=(str, "The first group."),
    second=(str, "The second group."),
    max_difference=(float, "How far the two may be apart."),
    multiplier=(float, "How strongly the pair was pulled together, on the tuning cases."),
    tuned_before=(float, "Gap on the tuning cases without constraints."),
    tuned=(float, "Gap on the tuning cases."),
    met=(Hideable[bool], "Whether that gap is within `max_difference`."),
    n_first=(Hideable[int], "Test cases that the rate of the first group is a share of."),
    n_second=(Hideable[int], "Test cases that the rate of the second group is a share of."),
    held_out_before=(float, "Gap on the test cases without constraints."),
    held_out=(float, "Gap on the test cases."),
    low=(float, "Lower end of the interval of `held_out`."),
    high=(float, "Upper end."),
    reading=(Reading, "Whether `held_out` is within `max_difference`, and how clear that is."),
)

PATH = columns(
    fit=(int, "Number of the fit."),
    multiplier=(float, "The multiplier that is largest in size."),
    threshold=(float, "Another common threshold than the model's own; null for its own, and where all are alike."),
    accuracy=(float, "Accuracy."),
    ratio=(float, "Largest gap as a multiple of what is allowed."),
    met=(Hideable[bool], "Whether all constraints are met."),
    frontier=(Hideable[bool], "Whether no other fit beats it in both accuracy and `ratio`."),
    picked=(Hideable[bool], "Whether it is the model."),
)

PATH_GAPS = columns(
    fit=(int, "Number of the fit."),
    threshold=(float, "As in `path`."),
    spec=(str, "The constraint as text."),
    gap=(float, "Its largest gap, without the sign."),
)


@dataclass(frozen=True, eq=False)
class ConstrainDetails:
    """How a model was trained to meet constraints, and whether it does, on tuning and on held-out rows.

    A gap is the metric of the first group minus that of the second, in the metric's own unit. *Before* is the same
    model without constraints (all multipliers 0).

    Parameters
    ----------
    pairs : DataFrame
        One row for each pair of groups that must be alike.
    n_pairs, n_pairs_met, n_pairs_within : int
        All pairs; those met on the tuning rows; those whose gap on the held-out rows is within what is allowed.
    feasible : bool
        Whether all constraints are met on the tuning rows.
    scale : float
        What the constraints were multiplied with to pick the model.
    accuracy_before, accuracy : float
        On the tuning rows.
    path : DataFrame
        One row for each fit, then one for each other threshold that is the best for some limit, on the tuning rows.
    path_gaps : DataFrame
        One row for each of those and each constraint, on the tuning rows.
    n_fits : int
        Fits made.
    threshold : float
        The score from which on the model says yes, the same for everybody; NaN where the model's own prediction stands,
        or where all get the same.
    constant : {"", "nobody", "everybody"}
        Whom the outcome is predicted for where all get the same.
    notes : tuple of str
        What happened on the way, such as that the learner takes no weights.
    conflicts : tuple of str
        Why constraints cannot all hold, or only at a price, in plain sentences.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    pairs: pd.DataFrame = held_out(PAIRS)
    n_pairs: int = held_out()
    n_pairs_met: int = learned()
    n_pairs_within: int = held_out()
    feasible: bool = held_out()
    scale: float = setting()
    accuracy_before: float = learned()
    accuracy: float = learned()
    path: pd.DataFrame = learned(PATH)
    path_gaps: pd.DataFrame = learned(PATH_GAPS)
    n_fits: int = setting()
    threshold: float = learned(default=math.nan)
    constant: Literal["", "nobody", "everybody"] = setting(default="")
    notes: tuple[str, ...] = held_out(default=())
    conflicts: tuple[str, ...] = held_out(default=())
    stopped: bool = setting(default=False)
