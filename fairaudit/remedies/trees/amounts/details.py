"""What was done to make a tree of amounts. Results that hold frames are compared by identity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting
from fairaudit.measure.plain import Hideable, columns
from fairaudit.remedies.trees.details import ALIKE, BOUNDS, NODES, SETTINGS, SIMILAR

if TYPE_CHECKING:
    from fairaudit.study.amounts.findings import AmountStudyFacts

CLOSE: Final = 1e-6
"""Of what is allowed, and of the spread of the amounts: a difference that is above its limit by less is within it."""

AMOUNT_NODES = columns(
    **NODES["columns"]
    | {"prediction": (float, "In a leaf, the amount, or its mean where the leaf weighs columns; NaN elsewhere.")}
)

AMOUNT_COUNTS = columns(
    node=(int, "Number of the node."),
    group=(str, "The group."),
    n_learned=(Hideable[int], "Training rows of the group that come to the node."),
    learned_mean=(float, "Their mean amount."),
    n=(Hideable[int], "Test cases of the group that come to the node."),
    actual=(float, "Their mean amount."),
    predicted=(float, "The mean of what is predicted for them."),
)

AMOUNT_LEAVES = columns(
    leaf=(int, "Number of the node."),
    path=(Hideable[str], "Who comes here, in words."),
    prediction=(Hideable[str], "What is predicted, in words."),
    n_learned=(Hideable[int], "Training rows that come here."),
    n=(Hideable[int], "Test cases that come here."),
    actual=(float, "Their mean amount."),
    predicted=(float, "The mean of what is predicted for them."),
    mae=(float, "Their mean absolute error."),
)

AMOUNT_SIMILAR = columns(
    **SIMILAR["columns"] | {"high": (float, "Upper end; the first bin holds differences up to `alike_within`.")}
)

AMOUNT_ALIKE = columns(
    **ALIKE["columns"] | {"n_alike": (int, "Those of them whose difference is at most `alike_within`.")}
)

AMOUNT_SETTINGS = columns(
    **{name: column for name, column in SETTINGS["columns"].items() if not name.endswith("accuracy")},
    trained_mae=(float, "Mean absolute error on the training rows."),
    mae=(float, "Mean absolute error on the tuning cases."),
)


@dataclass(frozen=True, eq=False)
class AmountTreeDetails:
    """A tree of amounts in words, who comes to which node, and how far from optimal it can be.

    "Learned" rows are the training rows of known groups. Rows of no known group count in none of this.

    Parameters
    ----------
    nodes : DataFrame
        One row for each node, by its number; the root is node 1.
    counts : DataFrame
        One row for each node and group.
    leaves : DataFrame
        One row for each leaf, from left to right, over all groups.
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
        How the search ended: "optimal", "gap" (an optimality gap is left), "work_limit" (the allowed
        work was done), "stopped" or "infeasible".
    objective, bound, optimality_gap : float
        What was made small, the proven bound, and how far apart they are as a share of `objective`.
    objective_words : str
        What was made small, in plain words.
    method : str
        Which search ran: "frontier" or "scip".
    n_splits : int
        Splits that were considered.
    bounds : DataFrame
        One row for each step in which the search closed in.
    similar : DataFrame
        One row for each model and bin of differences: among held-out rows, how far the mean prediction for similar
        people of the own group is from that for all similar people. One bin holds differences up to `alike_within`.
    alike : DataFrame
        One row for each model and group: those for whom the difference is at most `alike_within`.
    alike_within : float
        Up to what difference similar people are treated alike: a tenth of the spread of the training amounts, rounded.
    settings : DataFrame
        One row for each tree of other settings, and for the tree itself. `limit` and `gap` are in the unit of the
        amount.
    notes : tuple of str
        What happened on the way.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    nodes: pd.DataFrame = setting(AMOUNT_NODES)
    counts: pd.DataFrame = held_out(AMOUNT_COUNTS)
    leaves: pd.DataFrame = held_out(AMOUNT_LEAVES)
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
    n_splits: int = learned()
    bounds: pd.DataFrame = learned(BOUNDS)
    similar: pd.DataFrame = held_out(AMOUNT_SIMILAR)
    alike: pd.DataFrame = held_out(AMOUNT_ALIKE)
    alike_within: float = setting()
    settings: pd.DataFrame = learned(AMOUNT_SETTINGS)
    notes: tuple[str, ...] = learned(default=())
    stopped: bool = setting(default=False)

    @property
    def keeps_groups(self) -> bool:
        """Of trees of amounts it cannot be asked that no group is worse off."""
        return False

    @property
    def by_ratio(self) -> bool:
        """Whether means are compared by their ratio: never, as amounts may be zero or below."""
        return False

    def misses_limit(self, facts: AmountStudyFacts) -> bool | None:
        """Say whether mean predictions are further apart on the held-out rows than allowed; None without a limit."""
        gap = self.held_out_gap
        if self.constraint is None or gap is None or not math.isfinite(gap):
            return None
        return is_beyond(gap, self, facts)


def is_beyond(gap: float | None, details: AmountTreeDetails, facts: AmountStudyFacts) -> bool:
    """Say whether mean predictions are further apart than allowed, and not only by rounding; an unknown gap is not."""
    if details.constraint is None or gap is None:
        return False
    return bool(gap > details.max_difference + CLOSE * (details.max_difference + facts.deviation))
