"""Trees of amounts of other settings: what depth, limits and prices cost, on the tuning rows."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairaudit.events import Command, Event, Finished
from fairaudit.remedies.trees.amounts.search import allowed_difference, gap_of, iter_amount_search, mae_of
from fairaudit.remedies.trees.other_settings import (
    LIMITS_FROM_NOTHING,
    TIMES,
    depths_around,
    iter_tried,
    prices_around,
    setting_row,
    settings_frame,
)
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.group_checks import part_rows
from fairaudit.study.similar import SimilarRows


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
        As :func:`~fairaudit.study.similar.similar_parts`.
    """

    study: AmountStudy
    remedy: TreesPlan
    similar: Mapping[str, SimilarRows]

    def figures(self, predicted: NDArray[np.float64], part: str) -> tuple[float, float, float]:
        """Return mean absolute error, largest difference of means and index of predictions for all rows."""
        rows, people = part_rows(self.study)[part], self.similar[part]
        index = people.index(self.remedy.discrimination, predicted[people.rows], "regression")
        return mae_of(self.study, predicted, rows), gap_of(self.study, predicted, rows), index


def amount_settings_around(study: AmountStudy, remedy: TreesPlan) -> tuple[tuple[str, TreesPlan], ...]:
    """Return the settings that are compared with the one asked for."""
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


def iter_amount_settings(parts: AmountParts, search: Any, free: Any) -> Generator[Event, Command | None, None]:
    """Search for a tree for each setting, and measure all of them on the tuning rows."""
    remedy = parts.remedy
    rows = [_row("asked", remedy, search, parts)]
    if free is not None:
        rows.append(_row("free", None, free, parts))
    settings = amount_settings_around(parts.study, remedy)
    by_depth = {remedy.max_depth: search}

    def row_of(what: str, plan: TreesPlan, found: Any) -> tuple[Any, ...]:
        if what != "depth":
            return _row(what, plan, found, parts)
        by_depth[plan.max_depth] = found
        # A shallower tree may be deeper, too: one that is better is the best that was found.
        allowed = [each for depth, each in by_depth.items() if depth <= plan.max_depth and each.status_ != "infeasible"]
        best = min(allowed, key=lambda each: float(each.objective_), default=found)
        return _row(what, plan, best, parts, proven=found)

    rows += yield from iter_tried(remedy, settings, lambda plan: iter_amount_search(parts.study, plan), row_of)
    yield Finished(settings_frame(rows, "mae"))


def _row(what: str, plan: TreesPlan | None, search: Any, parts: AmountParts, *, proven: Any = None) -> tuple[Any, ...]:
    """Return a row about the tree of one search, and the ending of that which proved a bound."""
    predicted = search.tree_.predict(parts.study.X)
    proven = search if proven is None else proven
    return setting_row(
        what,
        parts.remedy,
        plan,
        allowed=np.nan if plan is None else allowed_difference(parts.study, plan),
        tree=search.tree_,
        ending=(proven.status_, float(search.objective_), float(proven.bound_)),
        figures=(*parts.figures(predicted, "trained"), *parts.figures(predicted, "tuned")),
    )
