"""What makes a decision tree doubtful, in plain sentences."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.rates import is_kept
from fairaudit.study.cautions import BARELY, mostly_wrong_text, named_groups, not_kept_text
from fairaudit.study.rates_alike import chance_sentence, digits_text, limit_text, limit_verb, measured_points_text

AT_LIMIT = Remark(
    "The search ended because the work that was allowed was done. More work, less depth or fewer features let a search "
    "end by itself.",
    "setting",
)
BEFORE_AT_LIMIT = Remark(
    "The search for the tree without a limit, which this is compared with, ended because the work that was "
    "allowed was done.",
    "setting",
)
# How many leaves a tree has is shown.
ONE_LEAF = Remark(
    "The tree is one leaf, so that everybody is predicted alike. Nothing that makes fewer errors was found within what "
    "was asked.",
    "setting",
)


def trees_warnings(
    remedy: TreesPlan, details: TreesDetails, chance: pd.DataFrame, same_for_all: float, unseen: tuple[str, ...]
) -> tuple[str, ...]:
    """Say what makes a tree doubtful, beyond what its details say themselves."""
    found = (
        AT_LIMIT if details.status == "work_limit" else None,
        ONE_LEAF if details.n_leaves == 1 else None,
        _kept(remedy, details),
        *_gaps(remedy, details, chance),
        _few(details),
        _mostly_wrong(details),
        _barely_better(details, same_for_all),
        _unseen(unseen),
    )
    return tuple(text for text in found if text)


def _kept(remedy: TreesPlan, details: TreesDetails) -> str | None:
    """Name a gap that is larger than what is allowed on the very rows that the tree was learned from."""
    if is_kept(remedy, details.trained_gap, trained=True):
        return None
    if remedy.by_ratio:
        return (
            "No tree was found that keeps to the 80 % rule on the training rows: the smallest share is "
            f"{_percent(details.trained_gap)} % of the largest."
        )
    allowed = f"{limit_text(details.trained_difference)} {limit_verb(details.trained_difference)} allowed"
    return (
        f"No tree was found that keeps to what is allowed on the training rows: {allowed}, and the difference is "
        f"{measured_points_text(details.trained_gap, beside=details.trained_difference)}."
    )


def _gaps(remedy: TreesPlan, details: TreesDetails, chance: pd.DataFrame) -> list[str | None]:
    """Name gaps that are small enough on the training rows and not on others, with what chance does."""
    if not len(chance) or not is_kept(remedy, details.trained_gap):
        return []
    found = [not_kept_text(details.gaps["reading"], "training", what="difference")]
    if is_kept(remedy, details.tuned_gap):
        return found
    if remedy.by_ratio:
        found.append(
            f"On the tuning rows the smallest share is {_percent(details.tuned_gap)} % of the largest, less than the "
            f"{100 * FOUR_FIFTHS:g} % of the rule."
        )
    else:
        found.append(chance_sentence(chance, details.max_difference))
    return found


def _few(details: TreesDetails) -> str | None:
    few = int((details.leaves["n_learned"] < ENOUGH).sum())
    if not few or details.n_leaves == 1:
        return None
    lead = "One leaf was" if few == 1 else f"{few} leaves were"
    it = "it predicts" if few == 1 else "they predict"
    return f"{lead} learned from fewer than {ENOUGH} rows. What {it} may be chance."


def _mostly_wrong(details: TreesDetails) -> str | None:
    """Name leaves that predict what most of their own training rows do not have."""
    sums = details.counts.groupby("node")[["n_learned", "n_learned_positive"]].sum()
    leaves = details.nodes[details.nodes["is_leaf"].astype(bool)]
    n, positive = (sums.loc[leaves["node"], name].to_numpy() for name in ("n_learned", "n_learned_positive"))
    right = np.where(leaves["prediction"].to_numpy() == 1, positive, n - positive)
    wrong = int(((n > 0) & (2 * right < n)).sum())
    if not wrong:
        return None
    lead = "One leaf is" if wrong == 1 else f"{wrong} leaves are"
    return mostly_wrong_text(lead, "leaf")


def _barely_better(details: TreesDetails, same_for_all: float) -> str | None:
    if details.n_leaves == 1 or math.isnan(details.tuned_accuracy) or details.tuned_accuracy > same_for_all + BARELY:
        return None
    return "On the tuning rows the tree is hardly more often right than predicting the same for everybody would be."


def _unseen(columns: tuple[str, ...]) -> str | None:
    if not columns:
        return None
    names = named_groups(list(columns))
    lead = f"The column {names} has" if len(columns) == 1 else f"The columns {names} have"
    return (
        f"{lead} values on held-out rows that the tree has never seen. Such rows go where the split does not hold, as "
        "missing values do."
    )


def _percent(ratio: float) -> str:
    return digits_text(100 * ratio, 3, beside=100 * FOUR_FIFTHS)
