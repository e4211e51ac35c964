"""A decision tree, of outcomes or amounts, who comes to which node, and how it was found: figures and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import pandas as pd

from fairaudit.conditions.spreadsheet import SpreadsheetLine
from fairaudit.disclosure.fields import AS_ABOVE, Columns, Field, Kind, column, columns, fitted, setting
from fairaudit.findings import Amount, Message
from fairaudit.measure.limits import FOUR_FIFTHS, amount_digits
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import adapted, figures_table, frame_table
from fairaudit.remedies.gap_curve import CURVE, CURVE_MEANING, new_curve
from fairaudit.remedies.tables import GAPS, Reading, differences_table, spreadsheet_table, worded_indices
from fairaudit.study.amounts.findings import AmountStudyFacts

if TYPE_CHECKING:
    from fairaudit.study.amounts.findings import AmountStudyFacts


Confirmed = Literal["yes", "no", "too_large", "no_such_model"]
CONFIRMED: Final = (
    "Whether SCIP finds the tree within all rows of the integer program as first published, with the same objective; "
    '"too_large" where that is not made for this alone, "no_such_model" where it has no such tree.'
)

NODES = columns(
    node=column(
        int,
        "Number of the node; the children of node t are 2 t, where its split holds, and 2 t + 1.",
        "node",
        "number",
        "Its number; the root is 1.",
        digits=0,
    ),
    parent=column(int, "The node above; 0 for the root.", "parent", "number", "The node above.", digits=0),
    side=column(
        Literal["yes", "no", ""],
        '"yes" where the split above holds, "no" where not or a value is missing.',
        "side",
        "text",
        "no: also where a value is missing.",
    ),
    depth=column(int, "Splits on the way to it.", "depth", "number", "Questions on the way.", digits=0),
    x=column(float, "Where to draw it: leaves lie 1 apart."),
    y=column(float, "Where to draw it: the depth."),
    is_leaf=column(bool, "Whether the way ends here.", "leaf"),
    words=column(
        Hideable[str], "The split in words, or what the leaf predicts.", "question or answer", "text", "In words."
    ),
    prediction=column(
        float,
        "In a leaf, 1 for the outcome and 0 for the other; NaN elsewhere.",
        "predicts",
        "number",
        "In a leaf: 1 for the outcome.",
        digits=0,
    ),
    path=column(Hideable[str], "The way to it in words.", "the way to it", "text", "Who comes here."),
    condition=column(Hideable[str], "The same as a condition.", "condition", "code", "As a condition."),
    uses_protected=column(
        Hideable[bool],
        "Whether the split uses a column that reveals the groups.",
        "reveals the group",
        "text",
        "Whether the question does.",
    ),
    proxies=column(
        Hideable[str],
        "Columns in it that come close to revealing the groups, or empty.",
        "nearly reveals it",
        "text",
        "Columns in it that do.",
    ),
)

HERE = "That come here."
NODE = column(int, "Number of the node.", "node", "number", "Its number.", digits=0)
LEAF = column(int, "Number of the node.", "leaf", "number", "Its number.", digits=0)
GROUP = column(str, "The group.", "group", "group")

COUNTS = columns(
    node=NODE,
    group=GROUP,
    n_learned=column(
        Hideable[int], "Training rows of the group that come to the node.", "training cases", "count", HERE
    ),
    n_learned_positive=column(
        Hideable[int], "Those of them that have the outcome.", "training, with the outcome", "count", "Of these."
    ),
    learned_rate=column(float, "The same as a share.", "training, share", "share", "As a share."),
    n=column(int, "Test cases of the group that come to the node.", "test cases", "count", HERE),
    n_positive=column(int, "Those of them that have the outcome.", "test, with the outcome", "count", "Of these."),
    rate=column(float, "The same as a share.", "test, share", "share", "As a share."),
    rate_low=column(float, "Lower end of its interval.", "likely range", "share_interval", "Wilson's."),
    rate_high=column(float, "Upper end."),
)

LEAVES = columns(
    leaf=LEAF,
    path=column(Hideable[str], "Who comes here, in words.", "who comes here", "text", "Who comes here."),
    prediction=column(Hideable[str], "What is predicted, in words.", "answer", "text", "What is predicted."),
    n_learned=column(Hideable[int], "Training rows that come here.", "training cases", "count", HERE),
    n=column(int, "Test cases that come here.", "test cases", "count", HERE),
    n_right=column(int, "Those of them that have what is predicted.", "right", "count", "Of these."),
    accuracy=column(float, "The same as a share.", "right, share", "share", "As a share."),
    accuracy_low=column(float, "Lower end of its interval.", "likely range", "share_interval", "Wilson's."),
    accuracy_high=column(float, "Upper end."),
)

RATIOS = columns(
    first=column(str, "One group.", "one group", "group"),
    second=column(str, "The other group.", "other group", "group"),
    trained=column(
        float, "Ratio on the training rows.", "training", "share", "Ratio, training cases.", beside=FOUR_FIFTHS
    ),
    tuned=column(float, "Ratio on the tuning cases.", "tuning", "share", "Ratio, tuning cases.", beside=FOUR_FIFTHS),
    held_out=column(float, "Ratio on the test cases.", "test", "share", "Ratio, test cases.", beside=FOUR_FIFTHS),
    low=column(
        float,
        "Lower end of its interval.",
        "likely range",
        "share_interval",
        "Of the ratio, test cases.",
        name="held_out_interval",
    ),
    high=column(float, "Upper end."),
    n_first=column(int, "Test cases that the first share is of.", "cases, one", "count", "Test cases."),
    n_second=column(int, "Test cases that the second share is of.", "cases, other", "count", "Test cases."),
    reading=column(
        Reading,
        "Whether it is within what is allowed, and how clear that is.",
        "reading",
        "text",
        "Whether it is at least 80%.",
    ),
)

INDICES = columns(
    index=column(
        Literal["didi", "dtdi"],
        "Disparate impact, or disparate treatment divided by rows and groups.",
        "index",
        "text",
        "Disparate impact (DIDI) or treatment (DTDI).",
    ),
    part=column(Literal["trained", "tuned", "held_out"], "Which rows.", "cases", "text", "Which part of them."),
    before=column(
        float, "Of the model that the tree is compared with.", "without", "number", "Without the remedy.", digits=4
    ),
    after=column(float, "Of the tree.", "with", "number", "With it.", digits=4),
    n=column(int, "Rows that it is about.", "compared", "count", "Cases."),
    n_compared=column(
        int,
        'For "dtdi", those with a similar person in each group.',
        "with similar",
        "count",
        "Cases with a similar one in each group.",
    ),
    sampled=column(
        bool, "Whether these rows were drawn from more.", "drawn", "text", "Whether these are drawn from more."
    ),
)

SIMILAR = columns(
    model=column(Literal["before", "after"], "Without or with the remedy.", "model"),
    low=column(float, "Lower end of the bin of differences.", "from, points", "points", "Lower end."),
    high=column(
        float,
        "Upper end; both are 0 in the bin of those for whom there is no difference.",
        "to, points",
        "points",
        "Upper end; both 0: no difference.",
    ),
    n=column(int, "Test cases.", "test cases", "count", "With such a difference."),
    share=column(float, "The same as a share.", "share", "share", "Of those similar to people of several groups."),
)

ALIKE_COLUMNS = columns(
    model=column(Literal["before", "after"], "Without or with the remedy.", "model"),
    group=GROUP,
    n=column(
        int,
        "Test cases with similar people in more than one group.",
        "test cases",
        "count",
        "Similar to people of several groups.",
    ),
    n_alike=column(
        int,
        "Those of them for whom there is no difference.",
        "treated alike",
        "count",
        "For whom the group makes no difference.",
    ),
    share=column(float, "The same as a share.", "share", "share", "As a share."),
)

BOUNDS = columns(
    share=column(
        float,
        "Of the work that was allowed, until then.",
        "share of the work",
        "share",
        "Of the work allowed, until then.",
    ),
    objective=column(
        float,
        "Of the best tree until then; NaN where there is none yet.",
        "best so far",
        "number",
        "Of the best tree until then.",
        digits=4,
    ),
    bound=column(float, "Proven until then.", "proven bound", "number", "No tree of this size has less.", digits=4),
)

TRAINED, TUNED = "Training cases.", "Tuning cases."

SETTINGS = columns(
    setting=column(
        Literal["asked", "free", "depth", "limit", "weight"],
        'What is otherwise than asked; "free": nothing must be alike; "asked": nothing is otherwise.',
        "field",
        "code",
        "What differs.",
    ),
    words=column(str, "The same in words.", "setting", "text", "In words."),
    max_depth=column(int, "Depth that was allowed.", "questions allowed", "number", "A setting.", digits=0),
    limit=column(
        float,
        "The difference or else the index that was allowed, before a margin is taken off.",
        "allowed",
        "size",
        "A setting.",
    ),
    weight=column(float, "Price of the index.", "price", "number", "Of the index."),
    depth=column(int, "Depth of the tree.", "questions", "number", "In a row.", digits=0),
    n_leaves=column(int, "Leaves.", "answers", "number", "Of the tree.", digits=0),
    status=column(str, "How the search ended.", "search", "code"),
    objective=column(
        float, "What was made small.", "made small", "number", "What is made small, training cases.", digits=4
    ),
    bound=column(
        float,
        "Proven to be the least possible.",
        "proven bound",
        "number",
        "No tree of this size has less, training cases.",
        digits=4,
    ),
    trained_accuracy=column(float, "Accuracy on the training rows.", "right, training", "share", TRAINED),
    trained_gap=column(
        float, "Largest gap, or smallest ratio, on the training rows.", "gap, points, training", "size", TRAINED
    ),
    trained_index=column(float, "The index on the training rows.", "index, training", "number", TRAINED, digits=4),
    accuracy=column(float, "Accuracy on the tuning cases.", "right, tuning", "share", TUNED),
    gap=column(float, "Largest gap, or smallest ratio, on the tuning cases.", "gap, points, tuning", "size", TUNED),
    index=column(
        float,
        "The index on the tuning cases: DTDI where both are priced or bounded.",
        "index, tuning",
        "number",
        TUNED,
        digits=4,
    ),
    chosen=column(bool, "Whether it is the tree of this remedy.", "chosen", "text", "Whether it is this tree."),
)


@dataclass(frozen=True, eq=False)
class TreesDetails:
    """A decision tree in words, who comes to which node, and how far from optimal it can be.

    The outcome that the tree predicts is the one that ``models.positive`` names; rates are of that outcome. "Learned"
    rows are the training rows of known groups. Rows of no known group count in none of this. "Before" is the model
    that the tree is compared with: mostly the same tree without constraint and price.
    """

    nodes: pd.DataFrame = fitted("One row for each node, by its number; the root is node 1.", NODES)
    counts: pd.DataFrame = fitted("One row for each node and group.", COUNTS)
    leaves: pd.DataFrame = fitted("One row for each leaf, from left to right, over all groups.", LEAVES)
    gaps: pd.DataFrame = fitted(
        "One row for each rate and pair of groups. A gap is the rate of the first group minus that of the second; "
        'for "four_fifths" it is a difference of shares, and `reading` is about their ratio. Empty where nothing '
        "must be alike.",
        GAPS,
    )
    ratios: pd.DataFrame = fitted(
        'For "four_fifths", one row for each pair of groups: the smaller share over the larger. Empty for other '
        "constraints.",
        RATIOS,
    )
    indices: pd.DataFrame = fitted("One row for each index of discrimination and part of the rows.", INDICES)
    similar: pd.DataFrame = fitted(
        "One row for each model and bin of differences: among held-out rows, how far the share of positive "
        "predictions among similar people of the own group is from that among all similar people.",
        SIMILAR,
    )
    alike: pd.DataFrame = fitted(
        "One row for each model and group: those for whom there is no such difference.", ALIKE_COLUMNS
    )
    max_depth: int = setting("What was allowed, and what the tree has.", label="questions allowed", kind="count")
    depth: int = setting(AS_ABOVE, label="questions in a row", kind="count")
    n_leaves: int = setting(AS_ABOVE, label="leaves", kind="count")
    search: str = setting("How it was searched for.")
    constraint: str | None = setting("What must be alike.")
    max_difference: float = setting(
        "What is allowed, and what is allowed on the training rows: less by the margin. NaN where there is no "
        "constraint on a difference."
    )
    trained_difference: float = setting(AS_ABOVE)
    trained_gap: float = fitted(
        "The largest gap on the training and on the tuning rows; NaN where nothing must be alike. For "
        '"four_fifths" the smallest ratio.'
    )
    tuned_gap: float = fitted(AS_ABOVE)
    discrimination: str | None = setting('Which index is priced or bounded: "didi", "dtdi" or "both".')
    fairness_weight: float = fitted(
        "Its price in the loss, or that of a difference in a search that looks ahead, where it may have been "
        "chosen by cross-validation.",
        label="price of discrimination",
        kind="number",
    )
    max_discrimination: float | None = setting(
        "What the index may be at most on the training rows.", label="index allowed", kind="number"
    )
    branching: str = setting("How nodes split.")
    trained_accuracy: float = fitted(
        "On the training and on the tuning rows.", label="right, training cases", kind="share"
    )
    tuned_accuracy: float = fitted(AS_ABOVE, label="right, tuning cases", kind="share")
    status: str = setting(
        'How the search ended: "optimal", "gap" (an optimality gap is left), "work_limit" (the allowed work was '
        'done), "stopped", or "grown" for a search that looks ahead, which proves nothing.',
        label="how the search ended",
    )
    objective: float = fitted(
        "What was made small, the proven bound, and how far apart they are as a share of `objective`, rounded up "
        "where counts are hidden. NaN where nothing is proven.",
        label="what is made small",
        kind="number",
    )
    bound: float = fitted(AS_ABOVE, label="proven bound", kind="number")
    optimality_gap: float = fitted(AS_ABOVE, label="distance of the two", kind="share")
    objective_words: str = setting("What was made small, in plain words.")
    method: str = setting('Which search ran: "search", "scip", "published" or "look_ahead".', label="search")
    n_splits: int = fitted("Splits that were considered at each node.", label="questions considered", kind="count")
    bounds: pd.DataFrame = fitted("One row for each step in which the search closed in.", BOUNDS)
    settings: pd.DataFrame = fitted("One row for each tree of other settings, and for the tree itself.", SETTINGS)
    notes: tuple[str, ...] = fitted("What happened on the way.", default=())
    confirmed: Confirmed = setting(CONFIRMED, label="SCIP, in the published model", default="no_such_model")
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)
    keeps_groups: bool = setting(
        "Whether the tree was searched for among those that leave no group worse off on the training rows, at "
        "higher floors where the tuning rows ask for them.",
        default=False,
    )

    max_loss: float | None = setting(
        "How much accuracy may be lost for the smallest gap; None where the gap has a limit.", default=None
    )
    best_accuracy: float = fitted(
        "Of the most accurate tree on the training rows, against which it is lost; NaN without `max_loss`.",
        default=math.nan,
    )
    gap_curve: pd.DataFrame = fitted(CURVE_MEANING, CURVE, default_factory=new_curve)

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
        "prediction": column(
            float,
            "In a leaf, the amount, or its mean where the leaf weighs columns; NaN elsewhere.",
            "predicts",
            "amount",
            "In a leaf, or its mean.",
        ),
    }
)

ACTUAL = column(float, "Their mean amount.", "actual mean", "amount", "Of these.")
PREDICTED = column(float, "The mean of what is predicted for them.", "predicted mean", "amount", "For these.")

AMOUNT_COUNTS = columns(
    node=NODE,
    group=GROUP,
    n_learned=column(
        Hideable[int], "Training rows of the group that come to the node.", "training cases", "count", HERE
    ),
    learned_mean=column(float, "Their mean amount.", "their mean", "amount", "Of these."),
    n=column(Hideable[int], "Test cases of the group that come to the node.", "test cases", "count", HERE),
    actual=ACTUAL,
    predicted=PREDICTED,
)

AMOUNT_LEAVES = columns(
    leaf=LEAF,
    path=LEAVES["path"],
    prediction=LEAVES["prediction"],
    n_learned=LEAVES["n_learned"],
    n=column(Hideable[int], "Test cases that come here.", "test cases", "count", HERE),
    actual=ACTUAL,
    predicted=PREDICTED,
    mae=column(float, "Their mean absolute error.", "absolute error", "amount", "Mean absolute error."),
)

AMOUNT_SIMILAR = columns(
    **{
        **SIMILAR,
        "low": column(float, "Lower end of the bin of differences.", "from", "difference", "Lower end."),
        "high": column(
            float, "Upper end; the first bin holds differences up to `alike_within`.", "to", "difference", "Upper end."
        ),
    }
)

AMOUNT_ALIKE_COLUMNS = columns(
    **{
        **ALIKE_COLUMNS,
        "n_alike": column(
            int,
            "Those of them whose difference is at most `alike_within`.",
            "treated alike",
            "count",
            "For whom the group makes no difference.",
        ),
    }
)

AMOUNT_SETTINGS = columns(
    **{name: each for name, each in SETTINGS.items() if not name.endswith("accuracy")}
    | {
        "limit": replace(SETTINGS["limit"], kind="number", brief="Of the gap or the index."),
        "trained_gap": replace(SETTINGS["trained_gap"], label="gap, training", kind="amount"),
        "gap": replace(SETTINGS["gap"], label="gap, tuning", kind="amount"),
    },
    trained_mae=column(
        float, "Mean absolute error on the training rows.", "off on average, training", "amount", TRAINED
    ),
    mae=column(float, "Mean absolute error on the tuning cases.", "off on average, tuning", "amount", TUNED),
)


@dataclass(frozen=True, eq=False)
class AmountTreeDetails:
    """A tree of amounts in words, who comes to which node, and how far from optimal it can be.

    "Learned" rows are the training rows of known groups. Rows of no known group count in none of this.
    """

    nodes: pd.DataFrame = fitted("One row for each node, by its number; the root is node 1.", AMOUNT_NODES)
    counts: pd.DataFrame = fitted("One row for each node and group.", AMOUNT_COUNTS)
    leaves: pd.DataFrame = fitted("One row for each leaf, from left to right, over all groups.", AMOUNT_LEAVES)
    max_depth: int = setting("What was allowed, and what the tree has.", label="questions allowed", kind="count")
    depth: int = setting(AS_ABOVE, label="questions in a row", kind="count")
    n_leaves: int = setting(AS_ABOVE, label="leaves", kind="count")
    branching: str = setting("How nodes split.")
    leaf_kind: str = setting("What a leaf predicts.")
    constraint: str | None = setting("Whether mean predictions must be alike.")
    max_difference: float = fitted(
        "How far they may be apart on the training rows; NaN where nothing must be alike.",
        label="limit of the gap",
        kind="number",
    )
    trained_gap: float = fitted(
        "How far the largest mean prediction of a group is above the smallest, on each part of the rows."
    )
    tuned_gap: float = fitted(AS_ABOVE)
    held_out_gap: float = fitted(AS_ABOVE)
    discrimination: str | None = setting('Which index is priced or bounded: "didi", "dtdi" or "both".')
    fairness_weight: float = fitted("Its price in the loss.", label="price of discrimination", kind="number")
    max_discrimination: float | None = setting("What the index may be at most on the training rows.")
    trained_mae: float = fitted("Mean absolute error there.", label="off on average, training cases", kind="number")
    tuned_mae: float = fitted(AS_ABOVE, label="off on average, tuning cases", kind="number")
    search: str = setting("How it was searched for.")
    status: str = setting(
        'How the search ended: "optimal", "gap" (an optimality gap is left), "work_limit" (the allowed work was '
        'done), "stopped" or "infeasible".',
        label="how the search ended",
    )
    objective: float = fitted(
        "What was made small, the proven bound, and how far apart they are as a share of `objective`.",
        label="what is made small",
        kind="number",
    )
    bound: float = fitted(AS_ABOVE, label="proven bound", kind="number")
    optimality_gap: float = fitted(AS_ABOVE, label="distance of the two", kind="share")
    objective_words: str = setting("What was made small, in plain words.")
    method: str = setting('Which search ran: "search", "scip" or "published".', label="search")
    n_splits: int = fitted("Splits that were considered.", label="questions considered", kind="count")
    bounds: pd.DataFrame = fitted("One row for each step in which the search closed in.", BOUNDS)
    similar: pd.DataFrame = fitted(
        "One row for each model and bin of differences: among held-out rows, how far the mean prediction for "
        "similar people of the own group is from that for all similar people. One bin holds differences up to "
        "`alike_within`.",
        AMOUNT_SIMILAR,
    )
    alike: pd.DataFrame = fitted(
        "One row for each model and group: those for whom the difference is at most `alike_within`.",
        AMOUNT_ALIKE_COLUMNS,
    )
    alike_within: float = setting(
        "Up to what difference similar people are treated alike: a tenth of the spread of the training amounts, "
        "rounded."
    )
    settings: pd.DataFrame = fitted(
        "One row for each tree of other settings, and for the tree itself. `limit` and `gap` are in the unit of "
        "the amount.",
        AMOUNT_SETTINGS,
    )
    notes: tuple[str, ...] = fitted("What happened on the way.", default=())
    confirmed: Confirmed = setting(CONFIRMED, label="SCIP, in the published model", default="no_such_model")
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)

    @property
    def keeps_groups(self) -> bool:
        """Of trees of amounts it cannot be asked that no group is worse off."""
        return False

    @property
    def max_loss(self) -> None:
        """Of trees of amounts it cannot be asked to lose at most so much accuracy."""
        return

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


STATUS_WORDS = {
    "gap": "not proven",
    "work_limit": "all the work done",
    "stopped": "stopped",
    "optimal": "proven the best",
    "infeasible": "proven impossible",
    "grown": "nothing proven",
}
METHOD_WORDS = {
    "search": "all trees",
    "scip": "integer programming (SCIP)",
    "published": "integer programming (SCIP), as first published",
    "look_ahead": "question by question",
}


CONFIRMED_WORDS: Final[dict[Confirmed, str]] = {
    "yes": "confirmed",
    "no": "not confirmed",
    "too_large": "too large for that",
    "no_such_model": "not in that model",
}


FIGURE: Final = Field("figure", "figure", "text", "Which one.")
SEARCHED = (
    "status", "method", "confirmed", "objective", "bound", "optimality_gap", "n_splits", "max_depth", "depth",
    "n_leaves",
)  # fmt: skip
Details = TreesDetails | AmountTreeDetails


def search_table(details: Details, number: int, value: str, names: Iterable[str]) -> TableBlock:
    """Return how the search for a tree of any kind ended, and its figures of these names; one row a figure."""
    values: dict[Kind, Field] = {
        "number": Field("value", "value", "number", value, digits=4),
        "count": Field("number", "count", "number", "Where it is a count.", digits=0),
        "share": Field("share", "share", "share", "Where it is a share."),
        "text": Field("words", "in words", "text", "Where it is none."),
    }
    words = {
        "status": STATUS_WORDS.get(details.status, details.status),
        "method": METHOD_WORDS.get(details.method, details.method),
        "confirmed": CONFIRMED_WORDS[details.confirmed],
        "objective": details.objective_words,
    }
    free = details.fairness_weight == 0
    return figures_table(
        f"remedy_{number}_found",
        "How the tree was found",
        details,
        (*SEARCHED, *names),
        values,
        words=words | ({"fairness_weight": "none"} if free else {}),
        instead={"fairness_weight": ""} if free else {},
        kinds={"objective": "share", "bound": "share"} if details.objective_is_share else {},
        figure=FIGURE,
    )


def bounds_table(details: Details, number: int) -> TableBlock:
    """Return how the search closed in on the best tree."""
    return frame_table(f"remedy_{number}_bounds", say(Message("tree-bounds-title")), details.bounds, BOUNDS)


def tried_table(details: Details, number: int, declared: Columns, names: Sequence[str] = ()) -> TableBlock:
    """Return trees of other settings, of any kind, on training and tuning rows."""
    tried = details.settings.assign(chosen=[bool(chosen) for chosen in details.settings["chosen"]])
    note = say(Message("tree-settings-note"))
    return frame_table(f"remedy_{number}_settings", "Trees of other settings", tried, declared, names, note=note)


SIMILAR_NOTE = "Share predicted to have the outcome: similar people of the own group minus all similar people."


def tree_table(nodes: pd.DataFrame, number: int, declared: Columns) -> TableBlock:
    """Return one row a node: its split or prediction, and the way to it."""
    leaf = [bool(is_leaf) for is_leaf in nodes["is_leaf"]]
    predicted = zip(leaf, nodes["prediction"], strict=True)
    shown_nodes = nodes.assign(
        is_leaf=leaf,
        prediction=pd.Series([value if is_leaf else "" for is_leaf, value in predicted], nodes.index, dtype=object),
        uses_protected=["" if uses is None else bool(uses) for uses in nodes["uses_protected"]],
    )
    return frame_table(f"remedy_{number}_tree", "The tree, node by node", shown_nodes, declared)


def lookup_table(details: Details, number: int) -> TableBlock:
    """Return one row a leaf, for a spreadsheet; without rows where the tree is hidden."""
    leaves = details.nodes[details.nodes["is_leaf"].map(bool)].sort_values("x", kind="stable")
    lines = [
        SpreadsheetLine(int(leaf.node), leaf.path, leaf.condition, leaf.words)
        for leaf in leaves.itertuples()
        if leaf.condition is not None
    ]
    return spreadsheet_table(f"remedy_{number}_lookup", "The tree for a spreadsheet", "leaf", lines)


def counts_table(details: Details, number: int, declared: Columns) -> TableBlock:
    """Return one row for each node and group: who comes there, and what they have."""
    note = "Only cases of a known group."
    return frame_table(f"remedy_{number}_nodes", "Who comes to which node", details.counts, declared, note=note)


def leaves_table(details: Details, number: int, declared: Columns) -> TableBlock:
    """Return one row a leaf over all groups: what it predicts and how near that is."""
    return frame_table(f"remedy_{number}_leaves", "The answers of the tree", details.leaves, declared)


def gaps_table(details: TreesDetails, number: int) -> TableBlock:
    """Return the difference of each rate and pair of groups on training, tuning and held-out rows side by side."""
    note = "First group minus second."
    if details.max_loss is not None:
        without = {name: field for name, field in GAPS.items() if name != "reading"}
        return frame_table(f"remedy_{number}_alike", "Differences between groups", details.gaps, without, note=note)
    return differences_table(details, f"remedy_{number}_alike", note=note)


def ratios_table(details: TreesDetails, number: int) -> TableBlock:
    """Return the ratio of shares of each pair of groups on training, tuning and held-out rows side by side."""
    note = "The smaller share over the larger; the rule asks for 80%."
    return frame_table(f"remedy_{number}_alike", "Ratios between two groups", details.ratios, RATIOS, note=note)


def indices_table(details: TreesDetails, number: int) -> TableBlock:
    """Return both indices of discrimination on all parts of the rows, before and after."""
    indices = worded_indices(details.indices)
    note = "0: all groups are alike."
    return frame_table(f"remedy_{number}_indices", "Indices of discrimination", indices, INDICES, note=note)


def similar_table(details: Details, number: int, declared: Columns, note: str) -> TableBlock:
    """Return how differently people are treated from those like them, before and after."""
    return frame_table(f"remedy_{number}_similar", "How much the group counts", details.similar, declared, note=note)


def treated_table(details: Details, number: int) -> TableBlock:
    """Return by group how many people are treated as those like them are, before and after."""
    return frame_table(f"remedy_{number}_treated", "Similar people, by group", details.alike, ALIKE_COLUMNS)


def found_table(details: TreesDetails, number: int) -> TableBlock:
    """Return how the search for a tree ended, one row a figure."""
    names = ["fairness_weight", "trained_accuracy", "tuned_accuracy"]
    names += ["max_discrimination"] if details.max_discrimination is not None else []
    return search_table(details, number, "Where it is a number.", names)


def settings_table(details: TreesDetails, number: int) -> TableBlock:
    """Return trees of other settings, on training and tuning rows."""
    declared: Columns = SETTINGS
    if details.by_ratio:
        for name, part in (("trained_gap", "training"), ("gap", "tuning")):
            declared = adapted(declared, (name,), label=f"smallest ratio, {part}", kind="share")
    if details.constraint in (None, "four_fifths"):
        declared = adapted(declared, ("limit",), kind="number")
    return tried_table(details, number, declared)


AMOUNT_SIMILAR_NOTE = "Mean prediction: similar people of the own group minus all similar people."


def in_unit(declared: Columns, digits: int) -> Columns:
    """Return columns of which the amounts have so many decimals."""
    amounts = (name for name, field in declared.items() if field.kind in ("amount", "difference"))
    return adapted(declared, amounts, digits=digits)


def amount_found_table(details: AmountTreeDetails, number: int) -> TableBlock:
    """Return how the search for a tree ended, one row a figure."""
    names = ("max_difference", "fairness_weight", "trained_mae", "tuned_mae")
    return search_table(details, number, "Where it is an amount or price.", names)


def amount_treated_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return by group how many people are treated as those like them are, before and after."""
    within = Message("tree-alike-within", {"within": Amount(details.alike_within, digits)})
    return replace(treated_table(details, number), note=say(within))


AMOUNT_SETTING = (
    "setting", "words", "max_depth", "limit", "weight", "depth", "n_leaves", "status", "objective", "bound",
    "trained_mae", "trained_gap", "trained_index", "mae", "gap", "index", "chosen",
)  # fmt: skip


def amount_settings_table(details: AmountTreeDetails, digits: int, number: int) -> TableBlock:
    """Return trees of other settings, on training and tuning rows."""
    finer = ("objective", "bound", "trained_index", "index")
    declared = adapted(in_unit(AMOUNT_SETTINGS, digits), finer, digits=digits + 1)
    declared = adapted(declared, ("limit",), digits=digits)
    return tried_table(details, number, declared, AMOUNT_SETTING)
