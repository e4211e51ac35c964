"""What was done to make a decision tree, of outcomes or amounts. Results with frames are compared by identity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import pandas as pd

from fairaudit.disclosure.fields import held_out, learned, setting
from fairaudit.measure.plain import Hideable, columns
from fairaudit.remedies.shared.group_gaps import GAPS, Reading

if TYPE_CHECKING:
    from fairaudit.study.amounts.findings import AmountStudyFacts


NODES = columns(
    node=(int, "Number of the node; the children of node t are 2 t, where its split holds, and 2 t + 1."),
    parent=(int, "The node above; 0 for the root."),
    side=(Literal["yes", "no", ""], '"yes" where the split above holds, "no" where not or a value is missing.'),
    depth=(int, "Splits on the way to it."),
    x=(float, "Where to draw it: leaves lie 1 apart."),
    y=(float, "Where to draw it: the depth."),
    is_leaf=(bool, "Whether the way ends here."),
    words=(Hideable[str], "The split in words, or what the leaf predicts."),
    prediction=(float, "In a leaf, 1 for the outcome and 0 for the other; NaN elsewhere."),
    path=(Hideable[str], "The way to it in words."),
    condition=(Hideable[str], "The same as a condition."),
    uses_protected=(Hideable[bool], "Whether the split uses a column that reveals the groups."),
    proxies=(Hideable[str], "Columns in it that come close to revealing the groups, or empty."),
)

COUNTS = columns(
    node=(int, "Number of the node."),
    group=(str, "The group."),
    n_learned=(Hideable[int], "Training rows of the group that come to the node."),
    n_learned_positive=(Hideable[int], "Those of them that have the outcome."),
    learned_rate=(float, "The same as a share."),
    n=(int, "Test cases of the group that come to the node."),
    n_positive=(int, "Those of them that have the outcome."),
    rate=(float, "The same as a share."),
    rate_low=(float, "Lower end of its interval."),
    rate_high=(float, "Upper end."),
)

LEAVES = columns(
    leaf=(int, "Number of the node."),
    path=(Hideable[str], "Who comes here, in words."),
    prediction=(Hideable[str], "What is predicted, in words."),
    n_learned=(Hideable[int], "Training rows that come here."),
    n=(int, "Test cases that come here."),
    n_right=(int, "Those of them that have what is predicted."),
    accuracy=(float, "The same as a share."),
    accuracy_low=(float, "Lower end of its interval."),
    accuracy_high=(float, "Upper end."),
)

RATIOS = columns(
    first=(str, "One group."),
    second=(str, "The other group."),
    trained=(float, "Ratio on the training rows."),
    tuned=(float, "Ratio on the tuning cases."),
    held_out=(float, "Ratio on the test cases."),
    low=(float, "Lower end of its interval."),
    high=(float, "Upper end."),
    n_first=(int, "Test cases that the first share is of."),
    n_second=(int, "Test cases that the second share is of."),
    reading=(Reading, "Whether it is within what is allowed, and how clear that is."),
)

INDICES = columns(
    index=(Literal["didi", "dtdi"], "Disparate impact, or disparate treatment divided by rows and groups."),
    part=(Literal["trained", "tuned", "held_out"], "Which rows."),
    before=(float, "Of the model that the tree is compared with."),
    after=(float, "Of the tree."),
    n=(int, "Rows that it is about."),
    n_compared=(int, 'For "dtdi", those with a similar person in each group.'),
    sampled=(bool, "Whether these rows were drawn from more."),
)

SIMILAR = columns(
    model=(Literal["before", "after"], "Without or with the remedy."),
    low=(float, "Lower end of the bin of differences."),
    high=(float, "Upper end; both are 0 in the bin of those for whom there is no difference."),
    n=(int, "Test cases."),
    share=(float, "The same as a share."),
)

ALIKE = columns(
    model=(Literal["before", "after"], "Without or with the remedy."),
    group=(str, "The group."),
    n=(int, "Test cases with similar people in more than one group."),
    n_alike=(int, "Those of them for whom there is no difference."),
    share=(float, "The same as a share."),
)

BOUNDS = columns(
    share=(float, "Of the work that was allowed, until then."),
    objective=(float, "Of the best tree until then; NaN where there is none yet."),
    bound=(float, "Proven until then."),
)

SETTINGS = columns(
    setting=(
        Literal["asked", "free", "depth", "limit", "weight"],
        'What is otherwise than asked; "free": nothing must be alike; "asked": nothing is otherwise.',
    ),
    words=(str, "The same in words."),
    max_depth=(int, "Depth that was allowed."),
    limit=(float, "The difference or else the index that was allowed, before a margin is taken off."),
    weight=(float, "Price of the index."),
    depth=(int, "Depth of the tree."),
    n_leaves=(int, "Leaves."),
    status=(str, "How the search ended."),
    objective=(float, "What was made small."),
    bound=(float, "Proven to be the least possible."),
    trained_accuracy=(float, "Accuracy on the training rows."),
    trained_gap=(float, "Largest gap, or smallest ratio, on the training rows."),
    trained_index=(float, "The index on the training rows."),
    accuracy=(float, "Accuracy on the tuning cases."),
    gap=(float, "Largest gap, or smallest ratio, on the tuning cases."),
    index=(float, "The index on the tuning cases: DTDI where both are priced or bounded."),
    chosen=(bool, "Whether it is the tree of this remedy."),
)


@dataclass(frozen=True, eq=False)
class TreesDetails:
    """A decision tree in words, who comes to which node, and how far from optimal it can be.

    The outcome that the tree predicts is the one that ``models.positive`` names; rates are of that outcome. "Learned"
    rows are the training rows of known groups. Rows of no known group count in none of this. "Before" is the model
    that the tree is compared with: mostly the same tree without constraint and price.

    Parameters
    ----------
    nodes : DataFrame
        One row for each node, by its number; the root is node 1.
    counts : DataFrame
        One row for each node and group.
    leaves : DataFrame
        One row for each leaf, from left to right, over all groups.
    gaps : DataFrame
        One row for each rate and pair of groups. A gap is the rate of the first group minus that of the second; for
        "four_fifths" it is a difference of shares, and `reading` is about their ratio. Empty where nothing must be
        alike.
    ratios : DataFrame
        For "four_fifths", one row for each pair of groups: the smaller share over the larger. Empty for other
        constraints.
    indices : DataFrame
        One row for each index of discrimination and part of the rows.
    similar : DataFrame
        One row for each model and bin of differences: among held-out rows, how far the share of positive predictions
        among similar people of the own group is from that among all similar people.
    alike : DataFrame
        One row for each model and group: those for whom there is no such difference.
    max_depth, depth, n_leaves : int
        What was allowed, and what the tree has.
    search : {"optimal", "look_ahead"}
        How it was searched for.
    constraint : str or None
        What must be alike.
    max_difference, trained_difference : float
        What is allowed, and what is allowed on the training rows: less by the margin. NaN where there is no constraint
        on a difference.
    trained_gap, tuned_gap : float
        The largest gap on the training and on the tuning rows; NaN where nothing must be alike. For "four_fifths" the
        smallest ratio.
    discrimination : str or None
        Which index is priced or bounded: "didi", "dtdi" or "both".
    fairness_weight : float
        Its price in the loss, or that of a difference in a search that looks ahead, where it may have been chosen by
        cross-validation.
    max_discrimination : float or None
        What the index may be at most on the training rows.
    branching : {"single", "linear"}
        How nodes split.
    trained_accuracy, tuned_accuracy : float
        On the training and on the tuning rows.
    status : str
        How the search ended: "optimal", "gap" (an optimality gap is left), "work_limit" (the allowed
        work was done), "stopped", or "grown" for a
        search that looks ahead, which proves nothing.
    objective, bound, optimality_gap : float
        What was made small, the proven bound, and how far apart they are as a share of `objective`, rounded up where
        counts are hidden. NaN where nothing is proven.
    objective_words : str
        What was made small, in plain words.
    method : str
        Which search ran: "frontier", "scip" or "look_ahead".
    n_splits : int
        Splits that were considered at each node.
    bounds : DataFrame
        One row for each step in which the search closed in.
    settings : DataFrame
        One row for each tree of other settings, and for the tree itself.
    notes : tuple of str
        What happened on the way.
    stopped : bool
        Whether a person stopped the search before its end.
    keeps_groups : bool
        Whether the tree was searched for among those that leave no group worse off on the training rows, at higher
        floors where the tuning rows ask for them.
    """

    nodes: pd.DataFrame = setting(NODES)
    counts: pd.DataFrame = held_out(COUNTS)
    leaves: pd.DataFrame = held_out(LEAVES)
    gaps: pd.DataFrame = held_out(GAPS)
    ratios: pd.DataFrame = held_out(RATIOS)
    indices: pd.DataFrame = held_out(INDICES)
    similar: pd.DataFrame = held_out(SIMILAR)
    alike: pd.DataFrame = held_out(ALIKE)
    max_depth: int = setting()
    depth: int = setting()
    n_leaves: int = setting()
    search: str = setting()
    constraint: str | None = setting()
    max_difference: float = setting()
    trained_difference: float = setting()
    trained_gap: float = learned()
    tuned_gap: float = learned()
    discrimination: str | None = setting()
    fairness_weight: float = setting()
    max_discrimination: float | None = setting()
    branching: str = setting()
    trained_accuracy: float = learned()
    tuned_accuracy: float = learned()
    status: str = setting()
    objective: float = learned()
    bound: float = learned()
    optimality_gap: float = learned()
    objective_words: str = setting()
    method: str = setting()
    n_splits: int = learned()
    bounds: pd.DataFrame = learned(BOUNDS)
    settings: pd.DataFrame = learned(SETTINGS)
    notes: tuple[str, ...] = held_out(default=())
    stopped: bool = setting(default=False)
    keeps_groups: bool = setting(default=False)

    @property
    def by_ratio(self) -> bool:
        """Whether shares are compared by their ratio: no group's below four fifths of another's."""
        return self.constraint == "four_fifths"


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
