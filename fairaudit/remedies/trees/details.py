"""What was done to make a decision tree, of outcomes or amounts. Results with frames are compared by identity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, column, columns, held_out, learned, setting
from fairaudit.measure.plain import Hideable
from fairaudit.present.numbers import amount_digits
from fairaudit.remedies.shared.group_gaps import GAPS, Reading

if TYPE_CHECKING:
    from fairaudit.study.amounts.findings import AmountStudyFacts


NODES = columns(
    node=column(int, "Number of the node; the children of node t are 2 t, where its split holds, and 2 t + 1."),
    parent=column(int, "The node above; 0 for the root."),
    side=column(Literal["yes", "no", ""], '"yes" where the split above holds, "no" where not or a value is missing.'),
    depth=column(int, "Splits on the way to it."),
    x=column(float, "Where to draw it: leaves lie 1 apart."),
    y=column(float, "Where to draw it: the depth."),
    is_leaf=column(bool, "Whether the way ends here."),
    words=column(Hideable[str], "The split in words, or what the leaf predicts."),
    prediction=column(float, "In a leaf, 1 for the outcome and 0 for the other; NaN elsewhere."),
    path=column(Hideable[str], "The way to it in words."),
    condition=column(Hideable[str], "The same as a condition."),
    uses_protected=column(Hideable[bool], "Whether the split uses a column that reveals the groups."),
    proxies=column(Hideable[str], "Columns in it that come close to revealing the groups, or empty."),
)

COUNTS = columns(
    node=column(int, "Number of the node."),
    group=column(str, "The group."),
    n_learned=column(Hideable[int], "Training rows of the group that come to the node."),
    n_learned_positive=column(Hideable[int], "Those of them that have the outcome."),
    learned_rate=column(float, "The same as a share."),
    n=column(int, "Test cases of the group that come to the node."),
    n_positive=column(int, "Those of them that have the outcome."),
    rate=column(float, "The same as a share."),
    rate_low=column(float, "Lower end of its interval."),
    rate_high=column(float, "Upper end."),
)

LEAVES = columns(
    leaf=column(int, "Number of the node."),
    path=column(Hideable[str], "Who comes here, in words."),
    prediction=column(Hideable[str], "What is predicted, in words."),
    n_learned=column(Hideable[int], "Training rows that come here."),
    n=column(int, "Test cases that come here."),
    n_right=column(int, "Those of them that have what is predicted."),
    accuracy=column(float, "The same as a share."),
    accuracy_low=column(float, "Lower end of its interval."),
    accuracy_high=column(float, "Upper end."),
)

RATIOS = columns(
    first=column(str, "One group."),
    second=column(str, "The other group."),
    trained=column(float, "Ratio on the training rows."),
    tuned=column(float, "Ratio on the tuning cases."),
    held_out=column(float, "Ratio on the test cases."),
    low=column(float, "Lower end of its interval."),
    high=column(float, "Upper end."),
    n_first=column(int, "Test cases that the first share is of."),
    n_second=column(int, "Test cases that the second share is of."),
    reading=column(Reading, "Whether it is within what is allowed, and how clear that is."),
)

INDICES = columns(
    index=column(Literal["didi", "dtdi"], "Disparate impact, or disparate treatment divided by rows and groups."),
    part=column(Literal["trained", "tuned", "held_out"], "Which rows."),
    before=column(float, "Of the model that the tree is compared with."),
    after=column(float, "Of the tree."),
    n=column(int, "Rows that it is about."),
    n_compared=column(int, 'For "dtdi", those with a similar person in each group.'),
    sampled=column(bool, "Whether these rows were drawn from more."),
)

SIMILAR = columns(
    model=column(Literal["before", "after"], "Without or with the remedy."),
    low=column(float, "Lower end of the bin of differences."),
    high=column(float, "Upper end; both are 0 in the bin of those for whom there is no difference."),
    n=column(int, "Test cases."),
    share=column(float, "The same as a share."),
)

ALIKE = columns(
    model=column(Literal["before", "after"], "Without or with the remedy."),
    group=column(str, "The group."),
    n=column(int, "Test cases with similar people in more than one group."),
    n_alike=column(int, "Those of them for whom there is no difference."),
    share=column(float, "The same as a share."),
)

BOUNDS = columns(
    share=column(float, "Of the work that was allowed, until then."),
    objective=column(float, "Of the best tree until then; NaN where there is none yet."),
    bound=column(float, "Proven until then."),
)

SETTINGS = columns(
    setting=column(
        Literal["asked", "free", "depth", "limit", "weight"],
        'What is otherwise than asked; "free": nothing must be alike; "asked": nothing is otherwise.',
    ),
    words=column(str, "The same in words."),
    max_depth=column(int, "Depth that was allowed."),
    limit=column(float, "The difference or else the index that was allowed, before a margin is taken off."),
    weight=column(float, "Price of the index."),
    depth=column(int, "Depth of the tree."),
    n_leaves=column(int, "Leaves."),
    status=column(str, "How the search ended."),
    objective=column(float, "What was made small."),
    bound=column(float, "Proven to be the least possible."),
    trained_accuracy=column(float, "Accuracy on the training rows."),
    trained_gap=column(float, "Largest gap, or smallest ratio, on the training rows."),
    trained_index=column(float, "The index on the training rows."),
    accuracy=column(float, "Accuracy on the tuning cases."),
    gap=column(float, "Largest gap, or smallest ratio, on the tuning cases."),
    index=column(float, "The index on the tuning cases: DTDI where both are priced or bounded."),
    chosen=column(bool, "Whether it is the tree of this remedy."),
)


@dataclass(frozen=True, eq=False)
class TreesDetails:
    """A decision tree in words, who comes to which node, and how far from optimal it can be.

    The outcome that the tree predicts is the one that ``models.positive`` names; rates are of that outcome. "Learned"
    rows are the training rows of known groups. Rows of no known group count in none of this. "Before" is the model
    that the tree is compared with: mostly the same tree without constraint and price.
    """

    nodes: pd.DataFrame = setting("One row for each node, by its number; the root is node 1.", NODES)
    counts: pd.DataFrame = held_out("One row for each node and group.", COUNTS)
    leaves: pd.DataFrame = held_out("One row for each leaf, from left to right, over all groups.", LEAVES)
    gaps: pd.DataFrame = held_out(
        "One row for each rate and pair of groups. A gap is the rate of the first group minus that of the second; "
        'for "four_fifths" it is a difference of shares, and `reading` is about their ratio. Empty where nothing '
        "must be alike.",
        GAPS,
    )
    ratios: pd.DataFrame = held_out(
        'For "four_fifths", one row for each pair of groups: the smaller share over the larger. Empty for other '
        "constraints.",
        RATIOS,
    )
    indices: pd.DataFrame = held_out("One row for each index of discrimination and part of the rows.", INDICES)
    similar: pd.DataFrame = held_out(
        "One row for each model and bin of differences: among held-out rows, how far the share of positive "
        "predictions among similar people of the own group is from that among all similar people.",
        SIMILAR,
    )
    alike: pd.DataFrame = held_out(
        "One row for each model and group: those for whom there is no such difference.", ALIKE
    )
    max_depth: int = setting("What was allowed, and what the tree has.")
    depth: int = setting(AS_ABOVE)
    n_leaves: int = setting(AS_ABOVE)
    search: str = setting("How it was searched for.")
    constraint: str | None = setting("What must be alike.")
    max_difference: float = setting(
        "What is allowed, and what is allowed on the training rows: less by the margin. NaN where there is no "
        "constraint on a difference."
    )
    trained_difference: float = setting(AS_ABOVE)
    trained_gap: float = learned(
        "The largest gap on the training and on the tuning rows; NaN where nothing must be alike. For "
        '"four_fifths" the smallest ratio.'
    )
    tuned_gap: float = learned(AS_ABOVE)
    discrimination: str | None = setting('Which index is priced or bounded: "didi", "dtdi" or "both".')
    fairness_weight: float = setting(
        "Its price in the loss, or that of a difference in a search that looks ahead, where it may have been "
        "chosen by cross-validation."
    )
    max_discrimination: float | None = setting("What the index may be at most on the training rows.")
    branching: str = setting("How nodes split.")
    trained_accuracy: float = learned("On the training and on the tuning rows.")
    tuned_accuracy: float = learned(AS_ABOVE)
    status: str = setting(
        'How the search ended: "optimal", "gap" (an optimality gap is left), "work_limit" (the allowed work was '
        'done), "stopped", or "grown" for a search that looks ahead, which proves nothing.'
    )
    objective: float = learned(
        "What was made small, the proven bound, and how far apart they are as a share of `objective`, rounded up "
        "where counts are hidden. NaN where nothing is proven."
    )
    bound: float = learned(AS_ABOVE)
    optimality_gap: float = learned(AS_ABOVE)
    objective_words: str = setting("What was made small, in plain words.")
    method: str = setting('Which search ran: "frontier", "scip" or "look_ahead".')
    n_splits: int = learned("Splits that were considered at each node.")
    bounds: pd.DataFrame = learned("One row for each step in which the search closed in.", BOUNDS)
    settings: pd.DataFrame = learned("One row for each tree of other settings, and for the tree itself.", SETTINGS)
    notes: tuple[str, ...] = held_out("What happened on the way.", default=())
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)
    keeps_groups: bool = setting(
        "Whether the tree was searched for among those that leave no group worse off on the training rows, at "
        "higher floors where the tuning rows ask for them.",
        default=False,
    )

    @property
    def by_ratio(self) -> bool:
        """Whether shares are compared by their ratio: no group's below four fifths of another's."""
        return self.constraint == "four_fifths"

    @property
    def objective_is_share(self) -> bool:
        """Whether what was made small is a share of rows, and not a sum with prices."""
        return self.discrimination is None or not self.fairness_weight

    @property
    def objective_digits(self) -> int:
        """The decimals of what was made small, where that is no share."""
        return 4

    @property
    def n_mostly_wrong(self) -> int:
        """How many leaves predict what most of their own training cases do not have."""
        sums = self.counts.groupby("node")[["n_learned", "n_learned_positive"]].sum()
        leaves = self.nodes[self.nodes["is_leaf"].astype(bool)]
        n, positive = (sums.loc[leaves["node"], name].to_numpy() for name in ("n_learned", "n_learned_positive"))
        right = np.where(leaves["prediction"].to_numpy() == 1, positive, n - positive)
        return int(((n > 0) & (2 * right < n)).sum())


CLOSE: Final = 1e-6
"""Of what is allowed, and of the spread of the amounts: a difference that is above its limit by less is within it."""

AMOUNT_NODES = columns(
    **{
        **NODES,
        "prediction": column(float, "In a leaf, the amount, or its mean where the leaf weighs columns; NaN elsewhere."),
    }
)

AMOUNT_COUNTS = columns(
    node=column(int, "Number of the node."),
    group=column(str, "The group."),
    n_learned=column(Hideable[int], "Training rows of the group that come to the node."),
    learned_mean=column(float, "Their mean amount."),
    n=column(Hideable[int], "Test cases of the group that come to the node."),
    actual=column(float, "Their mean amount."),
    predicted=column(float, "The mean of what is predicted for them."),
)

AMOUNT_LEAVES = columns(
    leaf=column(int, "Number of the node."),
    path=column(Hideable[str], "Who comes here, in words."),
    prediction=column(Hideable[str], "What is predicted, in words."),
    n_learned=column(Hideable[int], "Training rows that come here."),
    n=column(Hideable[int], "Test cases that come here."),
    actual=column(float, "Their mean amount."),
    predicted=column(float, "The mean of what is predicted for them."),
    mae=column(float, "Their mean absolute error."),
)

AMOUNT_SIMILAR = columns(
    **{**SIMILAR, "high": column(float, "Upper end; the first bin holds differences up to `alike_within`.")}
)

AMOUNT_ALIKE = columns(**{**ALIKE, "n_alike": column(int, "Those of them whose difference is at most `alike_within`.")})

AMOUNT_SETTINGS = columns(
    **{name: each for name, each in SETTINGS.items() if not name.endswith("accuracy")},
    trained_mae=column(float, "Mean absolute error on the training rows."),
    mae=column(float, "Mean absolute error on the tuning cases."),
)


@dataclass(frozen=True, eq=False)
class AmountTreeDetails:
    """A tree of amounts in words, who comes to which node, and how far from optimal it can be.

    "Learned" rows are the training rows of known groups. Rows of no known group count in none of this.
    """

    nodes: pd.DataFrame = setting("One row for each node, by its number; the root is node 1.", AMOUNT_NODES)
    counts: pd.DataFrame = held_out("One row for each node and group.", AMOUNT_COUNTS)
    leaves: pd.DataFrame = held_out("One row for each leaf, from left to right, over all groups.", AMOUNT_LEAVES)
    max_depth: int = setting("What was allowed, and what the tree has.")
    depth: int = setting(AS_ABOVE)
    n_leaves: int = setting(AS_ABOVE)
    branching: str = setting("How nodes split.")
    leaf_kind: str = setting("What a leaf predicts.")
    constraint: str | None = setting("Whether mean predictions must be alike.")
    max_difference: float = setting("How far they may be apart on the training rows; NaN where nothing must be alike.")
    trained_gap: float = learned(
        "How far the largest mean prediction of a group is above the smallest, on each part of the rows."
    )
    tuned_gap: float = learned(AS_ABOVE)
    held_out_gap: float = held_out(AS_ABOVE)
    discrimination: str | None = setting('Which index is priced or bounded: "didi", "dtdi" or "both".')
    fairness_weight: float = setting("Its price in the loss.")
    max_discrimination: float | None = setting("What the index may be at most on the training rows.")
    trained_mae: float = learned("Mean absolute error there.")
    tuned_mae: float = learned(AS_ABOVE)
    search: str = setting("How it was searched for.")
    status: str = setting(
        'How the search ended: "optimal", "gap" (an optimality gap is left), "work_limit" (the allowed work was '
        'done), "stopped" or "infeasible".'
    )
    objective: float = learned(
        "What was made small, the proven bound, and how far apart they are as a share of `objective`."
    )
    bound: float = learned(AS_ABOVE)
    optimality_gap: float = learned(AS_ABOVE)
    objective_words: str = setting("What was made small, in plain words.")
    method: str = setting('Which search ran: "frontier" or "scip".')
    n_splits: int = learned("Splits that were considered.")
    bounds: pd.DataFrame = learned("One row for each step in which the search closed in.", BOUNDS)
    similar: pd.DataFrame = held_out(
        "One row for each model and bin of differences: among held-out rows, how far the mean prediction for "
        "similar people of the own group is from that for all similar people. One bin holds differences up to "
        "`alike_within`.",
        AMOUNT_SIMILAR,
    )
    alike: pd.DataFrame = held_out(
        "One row for each model and group: those for whom the difference is at most `alike_within`.", AMOUNT_ALIKE
    )
    alike_within: float = setting(
        "Up to what difference similar people are treated alike: a tenth of the spread of the training amounts, "
        "rounded."
    )
    settings: pd.DataFrame = learned(
        "One row for each tree of other settings, and for the tree itself. `limit` and `gap` are in the unit of "
        "the amount.",
        AMOUNT_SETTINGS,
    )
    notes: tuple[str, ...] = learned("What happened on the way.", default=())
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)

    @property
    def keeps_groups(self) -> bool:
        """Of trees of amounts it cannot be asked that no group is worse off."""
        return False

    @property
    def by_ratio(self) -> bool:
        """Whether means are compared by their ratio: never, as amounts may be zero or below."""
        return False

    @property
    def objective_is_share(self) -> bool:
        """Whether what was made small is a share of rows: never, as it is an error in the unit of the amount."""
        return False

    @property
    def objective_digits(self) -> int:
        """The decimals of what was made small: one more than amounts have."""
        # What counts as alike is a tenth of the spread, which says how fine amounts are.
        return amount_digits(10 * self.alike_within) + 1

    @property
    def n_mostly_wrong(self) -> int:
        """How many leaves predict what most of their own cases do not have: none, as a leaf is off by some amount."""
        return 0

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
