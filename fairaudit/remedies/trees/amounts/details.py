"""What was done to make a tree of amounts. Results that hold frames are compared by identity."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting


@dataclass(frozen=True, eq=False)
class AmountTreeDetails:
    """A tree of amounts in words, who comes to which node, and how far from optimal it can be.

    "Learned" rows are the training rows of known groups. Rows of no known group count in none of this.

    Parameters
    ----------
    nodes : DataFrame
        As ``TreesDetails.nodes``; `prediction` is the amount in a leaf (the mean where it weighs columns).
    counts : DataFrame
        One row for each node and group: ``node, group, n_learned, learned_mean, n, actual, predicted``. The last three
        are about held-out rows: how many come to the node, their mean amount and the mean of what is predicted.
    leaves : DataFrame
        One row for each leaf, from left to right, over all groups: ``leaf, path, prediction, n_learned, n, actual,
        predicted, mae``. `prediction` is in words; the last four are about held-out rows.
    max_depth, depth, n_leaves : int
        What was allowed, and what the tree has.
    branching : {"single", "linear"}
        How nodes split.
    leaf_kind : {"constant", "linear"}
        What a leaf predicts.
    constraint : {"demographic_parity"} or None
        Whether mean predictions must be alike.
    max_difference : float
        How far they may be apart on the training rows; NaN where nothing must be alike.
    trained_gap, tuned_gap, held_out_gap : float
        How far the largest mean prediction of a group is above the smallest, on each part of the rows.
    discrimination : str or None
        Which index is priced or bounded: "didi", "dtdi" or "both".
    fairness_weight : float
        Its price in the loss.
    max_discrimination : float or None
        What the index may be at most on the training rows.
    trained_mae, tuned_mae : float
        Mean absolute error there.
    search : {"optimal"}
        How it was searched for.
    status : str
        How the search ended: "optimal", "gap" (a gap to the bound is left), "time_limit", "stopped" or "infeasible".
    objective, bound, optimality_gap : float
        What was made small, the proven bound, and how far apart they are as a share of `objective`.
    objective_words : str
        What was made small, in plain words.
    method : str
        Which search ran: "frontier" or "scip".
    n_splits : int
        Splits that were considered.
    bounds : DataFrame
        ``seconds, objective, bound``: how the search closed in; NaN where there is none yet.
    similar : DataFrame
        As ``TreesDetails.similar``, of amounts: among held-out rows, how far the mean prediction for similar people of
        the own group is from that for all similar people. One bin holds differences up to `alike_within`.
    alike : DataFrame
        As ``TreesDetails.alike``: those for whom the difference is at most `alike_within`, by group.
    alike_within : float
        Up to what difference similar people are treated alike: a tenth of the spread of the training amounts, rounded.
    settings : DataFrame
        As ``TreesDetails.settings``, with ``trained_mae`` and ``mae``, the mean absolute errors, in place of
        accuracies. `limit` is in the unit of the amount; `gap` is as `tuned_gap`.
    notes : tuple of str
        What happened on the way.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    nodes: pd.DataFrame = setting()
    counts: pd.DataFrame = held_out()
    leaves: pd.DataFrame = held_out()
    max_depth: int = setting()
    depth: int = setting()
    n_leaves: int = setting()
    branching: str = setting()
    leaf_kind: str = setting()
    constraint: str | None = setting()
    max_difference: float = setting()
    trained_gap: float = learned()
    tuned_gap: float = learned()
    held_out_gap: float = held_out()
    discrimination: str | None = setting()
    fairness_weight: float = setting()
    max_discrimination: float | None = setting()
    trained_mae: float = learned()
    tuned_mae: float = learned()
    search: str = setting()
    status: str = setting()
    objective: float = learned()
    bound: float = learned()
    optimality_gap: float = learned()
    objective_words: str = setting()
    method: str = setting()
    n_splits: int = setting()
    bounds: pd.DataFrame = learned()
    similar: pd.DataFrame = held_out()
    alike: pd.DataFrame = held_out()
    alike_within: float = setting()
    settings: pd.DataFrame = learned()
    notes: tuple[str, ...] = learned(default=())
    stopped: bool = setting(default=False)
