"""Trees of amounts of other settings: what depth, limits and prices cost, on the tuning rows."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.events import Command, Event, Finished
from fairaudit.plan_trees import TreesPlan
from fairaudit.study.amount_rows import AmountStudy
from fairaudit.study.amount_search import allowed_difference, gap_of, iter_amount_search, mae_of
from fairaudit.study.rules_rates import learned_rows, tuning_rows
from fairaudit.study.trees_settings import (
    LIMITS_FROM_NOTHING,
    TIMES,
    depths_around,
    iter_tried,
    prices_around,
    setting_words,
)
from fairaudit.study.trees_similar import SimilarRows

COLUMNS: Final = (
    *("setting", "words", "max_depth", "limit", "weight", "depth", "n_leaves", "status", "objective", "bound"),
    *("trained_mae", "trained_gap", "trained_index", "mae", "gap", "index", "chosen"),
)


@dataclass(frozen=True, eq=False)
class AmountParts:
    """The training and tuning rows of known groups, with who is near whom among them.

    Parameters
    ----------
    study : AmountStudy
        The rows.
    remedy : TreesPlan
        What is asked.
    similar : mapping of str to SimilarRows
        "trained" and "tuned".
    """

    study: AmountStudy
    remedy: TreesPlan
    similar: Mapping[str, SimilarRows]

    def figures(self, predicted: NDArray[np.float64], part: str) -> tuple[float, float, float]:
        """Return mean absolute error, largest difference of means and index of predictions for all rows."""
        rows = (learned_rows if part == "trained" else tuning_rows)(self.study)
        people = self.similar[part]
        index = np.nan
        if self.remedy.discrimination is not None:
            measure = people.didi if self.remedy.discrimination == "didi" else people.dtdi
            index = measure(predicted[people.rows], task="regression")
        return mae_of(self.study, predicted, rows), gap_of(self.study, predicted, rows), index


def amount_settings_around(study: AmountStudy, remedy: TreesPlan) -> tuple[tuple[str, TreesPlan], ...]:
    """Return the settings that are compared with the one asked for.

    Parameters
    ----------
    study : AmountStudy
        Says what is allowed where the remedy names no difference.
    remedy : TreesPlan
        What is asked.

    Returns
    -------
    tuple of (str, TreesPlan)
        What is otherwise ("depth", "limit" or "weight"), and the plan.
    """
    found = depths_around(remedy)
    if remedy.constraint is not None:
        asked = allowed_difference(study, remedy)
        limits = (
            [asked * times for times in TIMES]
            if asked
            else [share * study.facts.deviation for share in LIMITS_FROM_NOTHING]
        )
        found += [("limit", {"amount_difference": float(f"{limit:.3g}")}) for limit in limits]
    found += prices_around(remedy)
    return tuple((what, remedy.model_copy(update={"name": None} | other)) for what, other in found)


def iter_amount_settings(
    remedy: TreesPlan, search: Any, free: Any, parts: AmountParts
) -> Generator[Event, Command | None, None]:
    """Search for a tree for each setting, and measure all of them on the tuning rows.

    Parameters
    ----------
    remedy : TreesPlan
        What was asked.
    search : OptimalTreeRegressor
        Fitted for it.
    free : OptimalTreeRegressor or None
        The one without constraint and price.
    parts : AmountParts
        The rows that trees are measured on.

    Yields
    ------
    Progress or Finished
        ``Finished.result`` is a frame as ``AmountTreeDetails.settings``. With `STOP` it has the settings that were
        tried until then, and at least the asked one.
    """
    told = [_row("asked", remedy, search, parts)]
    if free is not None:
        told.append(_row("free", None, free, parts))
    settings = amount_settings_around(parts.study, remedy)
    by_depth = {remedy.max_depth: search}

    def told_of(what: str, plan: TreesPlan, found: Any) -> tuple[Any, ...]:
        if what != "depth":
            return _row(what, plan, found, parts)
        by_depth[plan.max_depth] = found
        # A shallower tree may be deeper, too: one that is better is the best that was found.
        allowed = [each for depth, each in by_depth.items() if depth <= plan.max_depth and each.status_ != "infeasible"]
        best = min(allowed, key=lambda each: float(each.objective_), default=found)
        return _row(what, plan, best, parts, proven=found)

    told += yield from iter_tried(
        remedy,
        settings,
        lambda plan: iter_amount_search(parts.study, plan),
        told_of,
    )
    table = pd.DataFrame(told, columns=list(COLUMNS))
    order = ["max_depth", "limit", "weight"]
    yield Finished(table.sort_values(order, kind="stable", na_position="last").reset_index(drop=True))


def _row(what: str, plan: TreesPlan | None, search: Any, parts: AmountParts, *, proven: Any = None) -> tuple[Any, ...]:
    """Return a row about the tree of one search, and the ending of that which proved a bound."""
    remedy, study = parts.remedy, parts.study
    predicted = search.tree_.predict(study.X)
    limit = weight = np.nan
    if plan is not None and plan.constraint is not None:
        limit = allowed_difference(study, plan)
    elif plan is not None and plan.max_discrimination is not None:
        limit = plan.max_discrimination
    if plan is not None and plan.discrimination is not None:
        weight = plan.fairness_weight
    elif plan is None and remedy.discrimination is not None and remedy.fairness_weight:
        weight = 0.0
    tree, proven = search.tree_, search if proven is None else proven
    return (
        what, setting_words(what, plan), (plan or remedy).max_depth, limit, weight, tree.depth, tree.n_leaves,
        proven.status_, float(search.objective_), float(proven.bound_), *parts.figures(predicted, "trained"),
        *parts.figures(predicted, "tuned"), what == "asked",
    )  # fmt: skip
