"""How a model was trained to meet constraints, whether it does, the path of its search, and what may be seen of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, column, columns, fitted, setting
from fairaudit.estimators.constraints.constrained_rows import STEPS, choose_fit, frontier_of
from fairaudit.events import Incumbent
from fairaudit.measure.plain import Hideable
from fairaudit.remedies.tables import TUNING, Reading

PAIRS = columns(
    spec=column(str, "The constraint as text.", "constraint", "code", "The limit of the pair.", name="constraint"),
    metric=column(str, "Its metric.", "field", "code", "The metric."),
    metric_words=column(str, "The metric in words.", "what must be alike", "text", "The rate."),
    first=column(str, "The first group.", "first group", "group", "Its rate minus that of the second is the gap."),
    second=column(str, "The second group.", "second group", "group", "The other group."),
    max_difference=column(
        float, "How far the two may be apart.", "allowed", "number", "How far they may be apart.", name="allowed"
    ),
    multiplier=column(
        float,
        "How strongly the pair was pulled together, on the tuning cases.",
        "multiplier",
        "number",
        "How strongly the pair was pulled together.",
        digits=3,
    ),
    tuned_before=column(
        float,
        "Gap on the tuning cases without constraints.",
        "tuning, without the remedy",
        "number",
        f"Without limits. {TUNING}",
    ),
    tuned=column(
        float,
        "Gap on the tuning cases.",
        "tuning, with it",
        "number",
        f"Gap of the model. {TUNING}",
        name="tuned_after",
    ),
    met=column(
        Hideable[bool],
        "Whether that gap is within `max_difference`.",
        "met",
        "text",
        f"yes: the limit is kept. {TUNING}",
    ),
    n_first=column(
        Hideable[int],
        "Test cases that the rate of the first group is a share of.",
        "rows, first",
        "count",
        "Test cases that count in the first group.",
    ),
    n_second=column(
        Hideable[int],
        "Test cases that the rate of the second group is a share of.",
        "rows, second",
        "count",
        "Test cases that count in the second.",
    ),
    held_out_before=column(
        float,
        "Gap on the test cases without constraints.",
        "test, without the remedy",
        "number",
        "Gap without limits.",
    ),
    held_out=column(
        float, "Gap on the test cases.", "test, with it", "number", "Gap of the model.", name="held_out_after"
    ),
    low=column(
        float,
        "Lower end of the interval of `held_out`.",
        "interval",
        "number_interval",
        "Of the gap after.",
        name="held_out_interval",
    ),
    high=column(float, "Upper end."),
    reading=column(
        Reading,
        "Whether `held_out` is within `max_difference`, and how clear that is.",
        "reading",
        "text",
        "Whether the limit is kept, and how surely.",
    ),
)

PATH = columns(
    fit=column(int, "Number of the fit.", "fit", "number", "Number of the model.", digits=0),
    multiplier=column(
        float, "The multiplier that is largest in size.", "multiplier", "number", "The largest; 0: no limit.", digits=3
    ),
    threshold=column(
        float,
        "Another common threshold than the model's own; null for its own, and where all are alike.",
        "threshold",
        "number",
        "One for all, where it is not the usual one.",
        digits=3,
    ),
    accuracy=column(float, "Accuracy.", "accuracy", "share", "Share predicted rightly."),
    ratio=column(
        float, "Largest gap as a multiple of what is allowed.", "largest gap", "number", "As a multiple of the limit."
    ),
    met=column(Hideable[bool], "Whether all constraints are met.", "all met", "text", "yes: all limits are kept."),
    frontier=column(
        Hideable[bool],
        "Whether no other fit beats it in both accuracy and `ratio`.",
        "best for its gap",
        "text",
        "yes: no other is better in both.",
    ),
    picked=column(Hideable[bool], "Whether it is the model.", "chosen", "text", "yes: this model."),
)

PATH_GAPS = columns(
    fit=column(int, "Number of the fit.", "fit", "number", "Number of the model.", digits=0),
    threshold=column(float, "As in `path`.", "threshold", "number", "As in the table of all models.", digits=3),
    spec=column(str, "The constraint as text.", "constraint", "code", "As the plan has it.", name="constraint"),
    gap=column(float, "Its largest gap, without the sign.", "largest gap", "number", f"Of any two groups. {TUNING}"),
)


@dataclass(frozen=True, eq=False)
class ConstrainDetails:
    """How a model was trained to meet constraints, and whether it does, on tuning and on held-out rows.

    A gap is the metric of the first group minus that of the second, in the metric's own unit. *Before* is the same
    model without constraints (all multipliers 0).
    """

    pairs: pd.DataFrame = fitted("One row for each pair of groups that must be alike.", PAIRS)
    n_pairs: int = fitted(
        "All pairs; those met on the tuning rows; those whose gap on the held-out rows is within what is allowed."
    )
    n_pairs_met: int = fitted(AS_ABOVE)
    n_pairs_within: int = fitted(AS_ABOVE)
    feasible: bool = fitted("Whether all constraints are met on the tuning rows.")
    scale: float = setting("What the constraints were multiplied with to pick the model.")
    accuracy_before: float = fitted("On the tuning rows.")
    accuracy: float = fitted(AS_ABOVE)
    path: pd.DataFrame = fitted(
        "One row for each fit, then one for each other threshold that is the best for some limit, on the tuning rows.",
        PATH,
    )
    path_gaps: pd.DataFrame = fitted("One row for each of those and each constraint, on the tuning rows.", PATH_GAPS)
    n_fits: int = setting("Fits made.")
    threshold: float = fitted(
        "The score from which on the model says yes, the same for everybody; NaN where the model's own prediction "
        "stands, or where all get the same.",
        default=math.nan,
    )
    constant: Literal["", "nobody", "everybody"] = setting(
        "Whom the outcome is predicted for where all get the same.", default=""
    )
    notes: tuple[str, ...] = fitted("What happened on the way, such as that the learner takes no weights.", default=())
    conflicts: tuple[str, ...] = fitted(
        "Why constraints cannot all hold, or only at a price, in plain sentences.", default=()
    )
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)


COARSE = (0.25, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0)
"""How many times what is allowed a person may choose between where small counts are hidden; `STEPS` otherwise."""


def search_path(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return what a search has tried so far, as ``ConstrainDetails.path`` has it at the end.

    Columns: fit, multiplier, threshold, accuracy, ratio, met, frontier, picked.
    """
    names = ["fit", "multiplier", "threshold", "accuracy", "ratio", "met"]
    frame = pd.DataFrame([[each.figures[name] for name in names] for each in found], columns=names)
    frame = frame.astype({"fit": int, "met": bool})
    best = max((place for place, each in enumerate(found) if each.best), default=-1)
    frontier = np.isin(np.arange(len(frame)), frontier_of(list(frame.itertuples())))
    return frame.assign(frontier=frontier, picked=np.arange(len(frame)) == best)


def scales(path: pd.DataFrame, *, current: float = 1.0, coarse: bool = False) -> tuple[float, ...]:
    """Return the multiples of the allowed gap that each pick another model of a search."""
    least = path["ratio"].min()
    picked: dict[int, float] = {}
    # 1 is what was asked for: it stands for its model, too.
    for scale in (current, 1.0, *(COARSE if coarse else STEPS)):
        if scale in (current, 1.0) or scale >= least:
            picked.setdefault(pick(path, scale), scale)
    return tuple(sorted(picked.values()))


def pick(path: pd.DataFrame, scale: float) -> int:
    """Return the fit of a search for gaps of at most so many times what is allowed."""
    return choose_fit(list(path.itertuples()), scale)


def drawn_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits whose accuracy and largest gap are defined."""
    return path[np.isfinite(path[["accuracy", "ratio"]].to_numpy(dtype=float)).all(axis=1)].astype(
        {"met": bool, "frontier": bool, "picked": bool}
    )


def own_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits as their models predict themselves, and the one that is the model whatever its threshold."""
    return drawn_fits(path[~path.duplicated("fit") | path["picked"].astype(bool)])


def frontier_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits that no other beats in both, each place once, the smallest gap first."""
    known = drawn_fits(path)
    return known[known["frontier"]].drop_duplicates(["ratio", "accuracy"]).sort_values("ratio", kind="stable")
