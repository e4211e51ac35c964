"""How a model was trained to meet constraints, and whether it does.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting


@dataclass(frozen=True, eq=False)
class ConstrainDetails:
    """How a model was trained to meet constraints, and whether it does, on tuning and on held-out rows.

    A gap is the metric of the first group minus that of the second, in the metric's own unit. *Before* is the same
    model without constraints (all multipliers 0).

    Parameters
    ----------
    pairs : DataFrame
        One row for each pair of groups that must be alike: ``spec, metric, metric_words, first, second,
        max_difference, multiplier, tuned_before, tuned, met, n_first, n_second, held_out_before, held_out, low, high,
        reading``. `spec` is the text of the constraint; `tuned_before` and `tuned` are gaps on the tuning rows, and
        `met` says whether `tuned` is within `max_difference`; `held_out_before` and `held_out` are gaps on held-out
        rows, with the interval `low` to `high` of the latter; `n_first` and `n_second` are the held-out rows that the
        two rates are shares of; `reading` is "within", "outside", "within, not clear", "outside, not clear" or
        "not defined".
    n_pairs, n_pairs_met, n_pairs_within : int
        All pairs; those met on the tuning rows; those whose gap on the held-out rows is within what is allowed.
    feasible : bool
        Whether all constraints are met on the tuning rows.
    scale : float
        What the constraints were multiplied with to pick the model.
    accuracy_before, accuracy : float
        On the tuning rows.
    path : DataFrame
        One row for each fit: ``fit, multiplier, accuracy, ratio, met, frontier, picked`` on the tuning rows.
        `multiplier` is the largest in size; `ratio` is the largest gap as a multiple of what is allowed; `frontier`
        marks fits that no other beats in both accuracy and `ratio`.
    path_gaps : DataFrame
        ``fit, spec, gap``: the largest gap of each constraint on the tuning rows, without its sign.
    n_fits : int
        Fits made.
    notes : tuple of str
        What happened on the way, such as that the learner takes no weights.
    conflicts : tuple of str
        Why constraints cannot all hold, or only at a price, in plain sentences.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    pairs: pd.DataFrame = held_out()
    n_pairs: int = held_out()
    n_pairs_met: int = learned()
    n_pairs_within: int = held_out()
    feasible: bool = held_out()
    scale: float = setting()
    accuracy_before: float = learned()
    accuracy: float = learned()
    path: pd.DataFrame = learned()
    path_gaps: pd.DataFrame = learned()
    n_fits: int = setting()
    notes: tuple[str, ...] = held_out(default=())
    conflicts: tuple[str, ...] = held_out(default=())
    stopped: bool = setting(default=False)
